//! How far a node's movement carries: the distance from it to the farthest vertex that it moves, where everything rests.

use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::mesh::Primitive;
use maquette_scene::scene::Skin;
use maquette_scene::{Handle, Scene, scene::Node};

/// For each node, how far a vertex moves, at most, when the node's value changes by a little.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// For each unit of length that the node is moved by.
    pub translation: f32,
    /// For each radian, and each unit of scale.
    pub rotation: f32,
}

/// The reach of every node, by its index.
pub fn of_nodes(scene: &Scene) -> Vec<Reach> {
    let world = scene.rest_world_from_node();
    let mut boxes = vec![Box3::EMPTY; scene.nodes.len()];
    for handle in scene.nodes_parents_first() {
        let Some((node, mesh)) = scene.nodes.get(handle).and_then(|n| Some((n, scene.meshes.get(n.mesh?)?))) else {
            continue;
        };
        let skin = node.skin.and_then(|skin| scene.skins.get(skin));
        for primitive in &mesh.primitives {
            add_primitive(primitive, handle, skin, &world, &mut boxes);
        }
    }
    let parents = scene.parents();
    let order: Vec<Handle<Node>> = scene.nodes_parents_first().into_iter().collect();
    for handle in order.iter().rev() {
        let carried = boxes.get(handle.index()).copied().unwrap_or(Box3::EMPTY);
        let parent = parents.get(handle.index()).copied().flatten();
        if let Some(above) = parent.and_then(|parent| boxes.get_mut(parent.index())) {
            above.add_box(carried);
        }
    }
    let world_of = |index: usize| world.get(index).copied().unwrap_or(Mat4::IDENTITY);
    let reach = |(index, carried): (usize, &Box3)| {
        let parent = parents.get(index).copied().flatten().map_or(Mat4::IDENTITY, |parent| world_of(parent.index()));
        Reach { translation: largest_scale(parent), rotation: carried.farthest_from(world_of(index).w_axis.truncate()) }
    };
    boxes.iter().enumerate().map(reach).collect()
}

fn add_primitive(
    primitive: &Primitive,
    carrier: Handle<Node>,
    skin: Option<&Skin>,
    world: &[Mat4],
    boxes: &mut [Box3],
) {
    let world_of = |node: Handle<Node>| world.get(node.index()).copied().unwrap_or(Mat4::IDENTITY);
    let (Some(skin), Some(influences)) = (skin, &primitive.streams.influences) else {
        let world_from_mesh = world_of(carrier);
        if let Some(carried) = boxes.get_mut(carrier.index()) {
            primitive.streams.positions.iter().for_each(|&p| carried.add(world_from_mesh.transform_point3(p.into())));
        }
        return;
    };
    let palette: Vec<(usize, Mat4)> = skin
        .joints
        .iter()
        .zip(&skin.joint_from_mesh)
        .map(|(&joint, &joint_from_mesh)| (joint.index(), world_of(joint) * joint_from_mesh))
        .collect();
    for (vertex, &position) in primitive.streams.positions.iter().enumerate() {
        for (joint, _) in influences.of(vertex) {
            let Some((node, matrix)) = palette.get(joint as usize) else { continue };
            if let Some(carried) = boxes.get_mut(*node) {
                carried.add(matrix.transform_point3(position.into()));
            }
        }
    }
}

fn largest_scale(matrix: Mat4) -> f32 {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].into_iter().map(|axis| axis.truncate().length()).fold(0.0, f32::max)
}

/// The smallest box around some points.
#[derive(Clone, Copy)]
struct Box3 {
    low: Vec3,
    high: Vec3,
}

impl Box3 {
    const EMPTY: Box3 = Box3 { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    fn add(&mut self, point: Vec3) {
        *self = Box3 { low: self.low.min(point), high: self.high.max(point) };
    }

    fn add_box(&mut self, other: Box3) {
        *self = Box3 { low: self.low.min(other.low), high: self.high.max(other.high) };
    }

    /// From a point to the farthest corner; 0 for an empty box.
    fn farthest_from(&self, point: Vec3) -> f32 {
        let farthest = (self.low - point).abs().max((self.high - point).abs()).length();
        if self.low.x <= self.high.x && farthest.is_finite() { farthest } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::mesh::{Influences, Mesh, Streams};
    use maquette_scene::scene::{Transform, Trs};

    fn moved_by(x: f32, scale: f32) -> Transform {
        Transform::Trs(Trs { translation: Vec3::X * x, scale: Vec3::splat(scale), ..Trs::IDENTITY })
    }

    /// A joint that is scaled by two, a joint three units along it, and a vertex one unit beyond that the second moves.
    fn arm() -> Scene {
        let mut scene = Scene::default();
        let streams = Streams {
            positions: vec![[1.0, 0.0, 0.0]],
            influences: Some(Influences { slots: 1, joints: vec![1], weights: vec![1.0] }),
            ..Streams::default()
        };
        let mesh = Mesh { primitives: vec![Primitive { streams, ..Primitive::default() }], ..Mesh::default() };
        let mesh = scene.meshes.push(mesh);
        let hand = scene.nodes.push(Node { transform: moved_by(3.0, 1.0), ..Node::default() });
        let arm = scene.nodes.push(Node { transform: moved_by(0.0, 2.0), children: vec![hand], ..Node::default() });
        let skin = scene.skins.push(Skin {
            joints: vec![arm, hand],
            joint_from_mesh: vec![Mat4::IDENTITY; 2],
            ..Skin::default()
        });
        let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
        scene.roots = vec![arm, body];
        scene
    }

    #[test]
    fn a_joint_reaches_what_its_children_move() {
        let reach = of_nodes(&arm());
        // The hand is at 6, the vertex at 8.
        assert_eq!(reach[0], Reach { translation: 2.0, rotation: 2.0 });
        assert_eq!(reach[1], Reach { translation: 1.0, rotation: 8.0 });
        assert_eq!(reach[2], Reach { translation: 1.0, rotation: 0.0 });
    }
}
