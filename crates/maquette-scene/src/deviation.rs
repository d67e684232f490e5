//! How far two clips that stand for the same motion are apart: a bound that holds for every vertex at every moment.
//!
//! A vertex that joints move is a weighted sum of where each would carry it, so it is no farther off than the worst of them would have it.
//! A joint carries nothing farther off than a corner of the box around all that it carries. So a few corners stand for any number of
//! vertices, and there is time to look at many moments: every key of the curves that differ, and between all of them.

use crate::clip::{Clip, Curve, Track};
use crate::mesh::Primitive;
use crate::pose;
use crate::scene::{Scene, Skin};
use glam::Vec3;

/// Where the time between two neighbouring keys is looked at, as parts of it.
const BETWEEN: [f32; 5] = [0.0, 0.2, 0.4, 0.6, 0.8];
/// Between two keys a cubic and a line are farthest apart at some other moment, and by so much more at most: a parabola has gone 0.96 of the way
/// to its top at two fifths of its span.
const UNSEEN: f32 = 1.05;

/// How far any vertex is from where it would be, at most, when one clip is played in the place of another that has the same tracks in the same order.
/// Morph targets are not looked at. Where nothing is drawn, it is the largest error of a bone's own values, in units, radians and parts of its size.
pub fn of_clips(scene: &Scene, before: &Clip, after: &Clip) -> f32 {
    let changed: Vec<(&Track, &Track)> = before.tracks.iter().zip(&after.tracks).filter(|(a, b)| a != b).collect();
    let moments = moments(&changed);
    let carried = Carried::of(scene);
    let apart = |secs: f32| match carried.is_nothing() {
        true => changed.iter().map(|(a, b)| of_curves(&a.curve, &b.curve, secs)).fold(0.0, f32::max),
        false => carried.apart(scene, before, after, secs),
    };
    UNSEEN * moments.into_iter().map(apart).fold(0.0, f32::max)
}

fn moments(changed: &[(&Track, &Track)]) -> Vec<f32> {
    let mut keys: Vec<f32> =
        changed.iter().flat_map(|(a, b)| [a, b]).flat_map(|track| track.curve.times_secs()).copied().collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let spans = keys.windows(2).filter_map(|span| Some((*span.first()?, *span.last()?)));
    let between = spans.flat_map(|(from, to)| BETWEEN.map(|part| from + (to - from) * part));
    between.chain(keys.last().copied()).collect()
}

fn of_curves(before: &Curve, after: &Curve, secs: f32) -> f32 {
    let apart = match (before, after) {
        (Curve::Translation(a), Curve::Translation(b)) | (Curve::Scale(a), Curve::Scale(b)) => {
            pose::vector_at(a, secs).zip(pose::vector_at(b, secs)).map(|(a, b)| a.distance(b))
        }
        (Curve::Rotation(a), Curve::Rotation(b)) => {
            let turn = pose::rotation_at(a, secs).zip(pose::rotation_at(b, secs)).map(|(a, b)| a.inverse() * b);
            // The arc cosine of numbers near 1 would be too coarse.
            turn.map(|turn| 2.0 * turn.xyz().length().atan2(turn.w.abs()))
        }
        _ => None,
    };
    apart.unwrap_or(0.0)
}

/// The vertices that each node carries.
struct Carried {
    /// The corners of the box around them, in the space of the node.
    boxes: Vec<Option<[Vec3; 2]>>,
    /// The largest sum of the weights of a vertex.
    weight: f32,
}

impl Carried {
    fn of(scene: &Scene) -> Carried {
        let mut carried = Carried { boxes: vec![None; scene.nodes.len()], weight: 1.0 };
        for (handle, node) in scene.nodes.entries() {
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
            let skin = node.skin.and_then(|skin| scene.skins.get(skin));
            for primitive in &mesh.primitives {
                carried.add_primitive(primitive, handle.index(), skin);
            }
        }
        carried
    }

    fn add_primitive(&mut self, primitive: &Primitive, carrier: usize, skin: Option<&Skin>) {
        let (Some(skin), Some(influences)) = (skin, &primitive.streams.influences) else {
            primitive.streams.positions.iter().for_each(|&position| self.add(carrier, position.into()));
            return;
        };
        for (vertex, &position) in primitive.streams.positions.iter().enumerate() {
            let mut sum = 0.0;
            for (joint, weight) in influences.of(vertex) {
                sum += weight.abs();
                let joint = joint as usize;
                if let (Some(node), Some(joint_from_mesh)) = (skin.joints.get(joint), skin.joint_from_mesh.get(joint)) {
                    self.add(node.index(), joint_from_mesh.transform_point3(position.into()));
                }
            }
            self.weight = self.weight.max(sum);
        }
    }

    fn add(&mut self, node: usize, point: Vec3) {
        if let Some(known) = self.boxes.get_mut(node) {
            let [low, high] = known.unwrap_or([point; 2]);
            *known = Some([low.min(point), high.max(point)]);
        }
    }

    fn is_nothing(&self) -> bool {
        self.boxes.iter().all(Option::is_none)
    }

    fn apart(&self, scene: &Scene, before: &Clip, after: &Clip, secs: f32) -> f32 {
        let [before, after] = [before, after].map(|clip| scene.world_from_node(&pose::locals(scene, clip, secs)));
        let of_node = |(carried, (before, after)): (&Option<[Vec3; 2]>, _)| {
            let (before, after): (&glam::Mat4, &glam::Mat4) = (before, after);
            let [low, high] = (*carried)?;
            let corner = |index: u32| {
                let [x, y, z] = [1, 2, 4].map(|axis| index & axis != 0);
                Vec3::select(glam::BVec3::new(x, y, z), high, low)
            };
            let apart = |corner: Vec3| before.transform_point3(corner).distance(after.transform_point3(corner));
            (before != after).then(|| (0..8).map(|index| apart(corner(index))).fold(0.0, f32::max))
        };
        let nodes = self.boxes.iter().zip(before.iter().zip(&after));
        self.weight * nodes.filter_map(of_node).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Interpolation, Keys, Target};
    use crate::mesh::{Influences, Mesh, Streams};
    use crate::scene::Node;

    /// A triangle that two joints move, and a joint without anything.
    fn scene() -> Scene {
        let mut scene = Scene::default();
        let positions = vec![[0.0, 0.0, 0.0], [3.0, 0.5, 0.0], [0.0, 2.0, 4.0]];
        let influences =
            Influences { slots: 2, joints: [0, 1].repeat(3), weights: vec![1.0, 0.0, 0.5, 0.5, 0.25, 0.75] };
        let streams = Streams { positions, influences: Some(influences), ..Streams::default() };
        let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let tip = scene.nodes.push(Node::default());
        let root = scene.nodes.push(Node { children: vec![tip], ..Node::default() });
        let joints = vec![root, tip];
        let skin = Skin { joints, joint_from_mesh: vec![glam::Mat4::IDENTITY; 2], ..Skin::default() };
        let skin = scene.skins.push(skin);
        let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
        scene.roots = vec![root, body];
        scene
    }

    /// The tip turned and the root moved along splines, and the same straight from key to key.
    fn clips(scene: &Scene, interpolation: Interpolation) -> Clip {
        let [turned, moved] = [[0.0, 0.0, 0.6, 0.8], [2.0, 1.0, 0.0, 0.0]];
        let (still, spline) = ([0.0; 4], interpolation == Interpolation::CubicSpline);
        let keys = |from: [f32; 4], to: [f32; 4], leave: [f32; 4]| {
            let values = if spline { vec![still, from, leave, still, to, still] } else { vec![from, to] };
            Keys { times_secs: vec![0.0, 1.0], values, interpolation }
        };
        let turn = keys([0.0, 0.0, 0.0, 1.0], turned, still);
        let Keys { times_secs, values, .. } = keys(still, moved, [3.0, 0.0, 1.0, 0.0]);
        let values = values.into_iter().map(|[x, y, z, _]| [x, y, z]).collect();
        let track = |node: usize, curve| {
            let target = Target::Node(scene.nodes.handles().nth(node).unwrap());
            Track { target, curve, blend: None }
        };
        let tracks = vec![
            track(0, Curve::Rotation(turn)),
            track(1, Curve::Translation(Keys { times_secs, values, interpolation })),
        ];
        Clip { duration_secs: 1.0, tracks, ..Clip::default() }
    }

    #[test]
    fn no_vertex_is_farther_off_than_the_bound_and_the_bound_is_not_far_off() {
        let scene = scene();
        let [curved, straight] = [Interpolation::CubicSpline, Interpolation::Linear].map(|it| clips(&scene, it));
        let bound = of_clips(&scene, &curved, &straight);
        let mut largest = 0.0f32;
        for moment in 0..=10_000 {
            let at = |clip| pose::positions_at(&scene, clip, moment as f32 / 1e4);
            largest = at(&curved).iter().zip(at(&straight)).map(|(a, b)| a.distance(b)).fold(largest, f32::max);
        }
        assert!(largest > 0.1 && largest <= bound && bound < 2.0 * largest, "{largest} {bound}");
        assert_eq!(of_clips(&scene, &curved, &curved), 0.0);
    }

    #[test]
    fn bones_without_vertices_are_off_by_their_own_values() {
        let mut scene = scene();
        let [curved, straight] = [Interpolation::CubicSpline, Interpolation::Linear].map(|it| clips(&scene, it));
        scene.meshes = Default::default();
        scene.nodes.iter_mut().for_each(|node| node.mesh = None);
        let bound = of_clips(&scene, &curved, &straight);
        // The root leaves with 3 of x and 1 of z a second: a Hermite spline, less the line.
        let off = |t: f32| {
            let (smooth, leaving) = (3.0 * t * t - 2.0 * t * t * t - t, t * t * t - 2.0 * t * t + t);
            Vec3::new(2.0 * smooth + 3.0 * leaving, smooth, leaving).length()
        };
        let largest = (0..=1000).map(|moment| off(moment as f32 / 1e3)).fold(0.0, f32::max);
        assert!(largest <= bound && bound < 1.06 * largest, "{largest} {bound}");
    }
}
