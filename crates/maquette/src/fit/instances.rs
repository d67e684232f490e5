//! Meshes that several nodes draw get their normals and tangents once, before they are repeated.
//!
//! A turn, a move and a size that is the same along all axes take normals and tangents along, so that they come out as if they were made in place, but for the
//! rounding of the last bits. Other transforms bend them, and meshes at such nodes get theirs in place. A mirrored mesh has its corners the other
//! way round, and is prepared that way round.

use super::{surface, tangents};
use maquette_formats::format::Caps;
use maquette_scene::glam::{Mat3, Mat4};
use maquette_scene::mesh::{Mesh, Primitive};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene};
use rayon::prelude::*;
use std::collections::HashMap;

/// How far from each other the sizes along the axes may be, and how far from a right angle the axes, for a transform to bend nothing.
const BENT: f32 = 1e-5;

/// How many vertices of a mesh were given something.
#[derive(Clone, Debug, Default)]
pub struct Given {
    pub normals: u64,
    /// For each part; none where it has its own.
    pub tangents: Vec<u64>,
}

/// What can be repeated: the parts of a mesh, and what they were given.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    pub primitives: Vec<Primitive>,
    pub given: Given,
}

/// Meshes to be drawn several times, as they are and mirrored.
#[derive(Debug, Default)]
pub struct Instances(HashMap<(Handle<Mesh>, Turn), Prepared>);

/// Which way round a mesh is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Turn {
    Upright,
    Mirrored,
}

impl Instances {
    /// Prepares what several nodes draw with such transforms, and what lacks something that the format needs.
    pub fn prepare(scene: &Scene, world_from_node: &[Mat4], caps: &Caps) -> Instances {
        let mut drawn: HashMap<(Handle<Mesh>, Turn), usize> = HashMap::new();
        for (node, &world) in scene.nodes.iter().zip(world_from_node) {
            if let Some(key) = key(node, world) {
                *drawn.entry(key).or_default() += 1;
            }
        }
        let lacks = |primitive: &Primitive| {
            let streams = &primitive.streams;
            caps.needs_normals && streams.normals.is_none() || caps.needs_tangents && streams.tangents.is_none()
        };
        let several = drawn.into_iter().filter(|(_, count)| *count > 1).filter_map(|(key, _)| {
            let mesh = scene.meshes.get(key.0)?;
            mesh.primitives.iter().any(lacks).then_some((key, mesh))
        });
        let several: Vec<((Handle<Mesh>, Turn), &Mesh)> = several.collect();
        let prepared = several.into_par_iter().map(|(key, mesh)| (key, Prepared::new(mesh, key.1, caps)));
        Instances(prepared.collect())
    }

    /// The mesh of a node that was prepared to be drawn with this transform.
    pub fn of(&self, node: &Node, world: Mat4) -> Option<&Prepared> {
        self.0.get(&key(node, world)?)
    }
}

/// What a node draws, and which way round; `None` where the mesh cannot be prepared for it. What a skin moves stays where it is.
fn key(node: &Node, world: Mat4) -> Option<(Handle<Mesh>, Turn)> {
    Some((node.mesh.filter(|_| node.skin.is_none())?, turn(world)?))
}

impl Prepared {
    fn new(mesh: &Mesh, turn: Turn, caps: &Caps) -> Prepared {
        let mut prepared = Prepared { primitives: mesh.primitives.clone(), given: Given::default() };
        for primitive in &mut prepared.primitives {
            if turn == Turn::Mirrored {
                primitive.turn_around();
            }
            if caps.needs_normals && primitive.streams.normals.is_none() {
                prepared.given.normals += surface::make_normals(primitive);
                if turn == Turn::Mirrored {
                    // They face where they would if the triangles were not turned around.
                    let normals = primitive.streams.normals.iter_mut().flatten();
                    normals.for_each(|normal| *normal = normal.map(|x| -x));
                }
            }
            let mut laid = 0;
            if caps.needs_tangents && primitive.streams.tangents.is_none() {
                laid = tangents::lay(primitive, tangents::Normals::AreScaled);
                if turn == Turn::Mirrored {
                    let tangents = primitive.streams.tangents.iter_mut().flatten();
                    tangents.for_each(|[_, _, _, sign]| *sign = -*sign);
                }
            }
            if turn == Turn::Mirrored {
                primitive.turn_around();
            }
            prepared.given.tangents.push(laid);
        }
        prepared
    }
}

/// Which way round a transform turns what it does not bend; `None` for one that bends it, and for one that does nothing, which takes
/// normals as they are.
fn turn(world: Mat4) -> Option<Turn> {
    let linear = Mat3::from_mat4(world);
    let square = linear.transpose() * linear;
    let size = square.x_axis.x;
    let is_similar = size.is_normal() && (square * size.recip()).abs_diff_eq(Mat3::IDENTITY, BENT);
    let turn = if linear.determinant() < 0.0 { Turn::Mirrored } else { Turn::Upright };
    (is_similar && world != Mat4::IDENTITY).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::super::{FitOptions, fit};
    use super::*;
    use maquette_formats::format::Formats;
    use maquette_scene::glam::{Quat, Vec3};
    use maquette_scene::loss::{LossReport, Lost};
    use maquette_scene::mesh::{Influences, Streams};
    use maquette_scene::scene::{Skin, Transform, Trs};

    /// A rough grid whose picture is mirrored in the middle and laid over no area at one end. With normals it has corners at one place; without,
    /// no two triangles lie in one plane, as whether their normals are the same then hangs on rounding.
    fn part(has_normals: bool) -> Primitive {
        let side = 6u32;
        let height = |at: u32| ((at * at).wrapping_mul(2_654_435_761) >> 16) as f32 / 65536.0;
        let mut positions: Vec<[f32; 3]> =
            (0..side * side).map(|at| [(at % side) as f32, (at / side) as f32, height(at)]).collect();
        if has_normals {
            positions[7] = positions[8];
        }
        let uv = |[x, y, _]: &[f32; 3]| [(x - 2.5).abs(), if *y > 3.0 { 3.0 } else { *y }];
        let uvs = vec![positions.iter().map(uv).collect()];
        // Longer than they should be, as files have them.
        let normals = has_normals.then(|| positions.iter().map(|[x, y, _]| [x * 0.1, y * 0.05, 1.1]).collect());
        let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
        let indices = cells.flat_map(|at| [at, at + 1, at + side, at + side, at + 1, at + side + 1]).collect();
        Primitive {
            streams: Streams { positions, normals, uvs, ..Streams::default() },
            indices,
            ..Primitive::default()
        }
    }

    /// A mesh at each of these places: one mesh for all, or one for each. Where it has influences, a joint moves it.
    fn drawn(part: &Primitive, places: &[Trs], has_one_mesh: bool) -> Scene {
        let mut scene = Scene::default();
        let skin = part.streams.influences.as_ref().map(|_| {
            let joint = scene.nodes.push(Node::default());
            scene.roots.push(joint);
            scene.skins.push(Skin { joints: vec![joint], joint_from_mesh: vec![Mat4::IDENTITY], ..Skin::default() })
        });
        let mut mesh = Handle::from_index(0);
        for (index, place) in places.iter().enumerate() {
            if index == 0 || !has_one_mesh {
                mesh = scene.meshes.push(Mesh { primitives: vec![part.clone()], ..Mesh::default() });
            }
            let node = Node { mesh: Some(mesh), skin, transform: Transform::Trs(*place), ..Node::default() };
            let node = scene.nodes.push(node);
            scene.roots.push(node);
        }
        scene
    }

    fn fitted(scene: Scene, format: &str) -> (Vec<Primitive>, LossReport) {
        let format = Formats::default().by_id(format).unwrap();
        let mut losses = LossReport::default();
        let options = FitOptions::default();
        let scene = fit(scene, &(format.caps)(format.dialects[0].id), &options, &mut losses);
        (scene.meshes.into_iter().flat_map(|mesh| mesh.primitives).collect(), losses)
    }

    /// Places that turn, move, size, mirror and bend, each twice, and two that do nothing.
    fn places() -> Vec<Trs> {
        let turned = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-1.1);
        let place = |scale: Vec3| {
            let again = |x: f32| Trs { translation: Vec3::new(x, 2.0, -1.0), rotation: turned, scale };
            [again(1.0), again(-3.0)]
        };
        let scales = [Vec3::ONE, Vec3::splat(0.3), Vec3::new(-2.0, 2.0, 2.0), Vec3::new(1.0, 3.0, 1.0)];
        scales.into_iter().flat_map(place).chain([Trs::IDENTITY; 2]).collect()
    }

    fn apart<const N: usize>(a: &[[f32; N]], b: &[[f32; N]]) -> f32 {
        assert_eq!(a.len(), b.len());
        let differences = a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f32::max)
    }

    /// Fails where instances of a part differ from meshes of their own.
    fn compare(part: &Primitive, format: &str) {
        let (instances, told) = fitted(drawn(part, &places(), true), format);
        let (single, expected) = fitted(drawn(part, &places(), false), format);
        assert_eq!(instances.len(), single.len());
        for (index, (a, b)) in instances.iter().zip(&single).enumerate() {
            assert_eq!(a.indices, b.indices, "{format}, place {index}");
            assert_eq!(a.streams.positions, b.streams.positions, "{format}, place {index}");
            assert_eq!(a.streams.uvs, b.streams.uvs, "{format}, place {index}");
            assert_eq!(a.streams.influences, b.streams.influences, "{format}, place {index}");
            let normals = [a, b].map(|part| part.streams.normals.as_deref().unwrap_or_default());
            assert!(apart(normals[0], normals[1]) < 1e-6, "{format}, place {index}");
            let tangents = [a, b].map(|part| part.streams.tangents.as_deref().unwrap_or_default());
            assert!(apart(tangents[0], tangents[1]) < 1e-5, "{format}, place {index}");
        }
        let told: Vec<_> = told.iter().filter(|loss| loss.what != Lost::Instances).collect();
        assert_eq!(told, expected.iter().collect::<Vec<_>>());
    }

    #[test]
    fn instances_come_out_as_meshes_of_their_own_do() {
        for format in ["aem", "nlm"] {
            for mut part in [part(true), part(false)] {
                compare(&part, format);
                let count = part.streams.len();
                part.streams.influences =
                    Some(Influences { slots: 1, joints: vec![0; count], weights: vec![1.0; count] });
                compare(&part, format);
            }
        }
    }

    #[test]
    fn many_instances_take_the_work_of_one() {
        let steps = |count: usize| {
            let place = |at: usize| Trs { translation: Vec3::splat(at as f32 + 1.0), ..Trs::IDENTITY };
            let scene = drawn(&part(true), &(0..count).map(place).collect::<Vec<_>>(), true);
            crate::work::of(|| assert_eq!(fitted(scene, "aem").0.len(), count))
        };
        assert!(steps(2) > 0);
        assert_eq!(steps(2), steps(500));
    }
}
