//! What must hold in a scene. A scene that passes never makes a writer or a pass panic.
//!
//! Readers make scenes that pass, or refuse the file; passes keep them so.

use crate::arena::{Arena, Handle};
use crate::clip::{Curve, Interpolation, Keys, Target};
use crate::mesh::{Mesh, Primitive, Streams};
use crate::path;
use crate::path::Path;
use crate::scene::Scene;
use std::fmt;

/// A broken invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invalid {
    /// Where: `meshes[3].primitives[0].indices`.
    pub path: Path,
    /// What does not hold.
    pub message: String,
}

impl Invalid {
    /// What does not hold, at a path.
    pub fn new(path: Path, message: impl Into<String>) -> Invalid {
        Invalid { path, message: message.into() }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for Invalid {}

/// The first broken invariant of a scene.
///
/// - Every handle points into its arena.
/// - Nodes form trees: one parent at most, no cycles, roots without parents, no root twice.
/// - Streams and morph targets of a part are of one length, indices point into them and come in whole triangles or lines.
/// - Joints of vertices exist in every skin their mesh is drawn with.
/// - A skin has a matrix for each joint.
/// - Keys rise in time and have the values that their interpolation needs; every number is finite.
pub fn check(scene: &Scene) -> Result<(), Invalid> {
    structure(scene)?;
    vertices(scene)?;
    numbers_of_keys(scene)
}

/// All of [`check`] but what takes a look at every vertex, index and key: for readers that have judged those one by one.
pub fn structure(scene: &Scene) -> Result<(), Invalid> {
    nodes(scene)?;
    meshes(scene)?;
    skins(scene)?;
    materials(scene)?;
    clips(scene)
}

fn fail<T>(path: Path, message: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid::new(path, message))
}

fn exists<T>(arena: &Arena<T>, handle: Handle<T>, at: impl FnOnce() -> Path) -> Result<(), Invalid> {
    match arena.get(handle) {
        Some(_) => Ok(()),
        None => fail(at(), format!("there is no {handle:?} among {}", arena.len())),
    }
}

fn nodes(scene: &Scene) -> Result<(), Invalid> {
    let mut has_parent = vec![false; scene.nodes.len()];
    for (index, node) in scene.nodes.iter().enumerate() {
        for (position, &child) in node.children.iter().enumerate() {
            let at = || path!("nodes", index, "children", position);
            exists(&scene.nodes, child, at)?;
            match has_parent.get_mut(child.index()) {
                Some(has) if *has => return fail(at(), "the node has another parent"),
                Some(has) => *has = true,
                None => {}
            }
        }
        if let Some(mesh) = node.mesh {
            exists(&scene.meshes, mesh, || path!("nodes", index, "mesh"))?;
        }
        if let Some(skin) = node.skin {
            exists(&scene.skins, skin, || path!("nodes", index, "skin"))?;
        }
        let matrix = node.transform.matrix();
        if !matrix.is_finite() {
            return fail(path!("nodes", index, "transform"), "a number is not finite");
        }
    }
    let mut is_root = vec![false; scene.nodes.len()];
    for (position, &root) in scene.roots.iter().enumerate() {
        let at = || path!("roots", position);
        exists(&scene.nodes, root, at)?;
        if has_parent.get(root.index()).copied().unwrap_or(false) {
            return fail(at(), "the node has a parent");
        }
        match is_root.get_mut(root.index()) {
            Some(root) if *root => return fail(at(), "the node is a root twice"),
            Some(root) => *root = true,
            None => {}
        }
    }
    // With one parent each, what no parentless node reaches is a cycle.
    let mut reached = vec![false; scene.nodes.len()];
    let mut pending: Vec<_> =
        scene.nodes.handles().filter(|node| !has_parent.get(node.index()).copied().unwrap_or(true)).collect();
    while let Some(handle) = pending.pop() {
        if let Some(reached) = reached.get_mut(handle.index()) {
            *reached = true;
        }
        pending.extend(scene.nodes.get(handle).iter().flat_map(|node| &node.children));
    }
    match reached.iter().position(|reached| !reached) {
        Some(index) => fail(path!("nodes", index), "the node is its own ancestor"),
        None => Ok(()),
    }
}

fn meshes(scene: &Scene) -> Result<(), Invalid> {
    for (index, mesh) in scene.meshes.iter().enumerate() {
        for (position, primitive) in mesh.primitives.iter().enumerate() {
            let at = path!("meshes", index, "primitives", position);
            self::primitive(primitive, &at)?;
            if let Some(material) = primitive.material {
                exists(&scene.materials, material, || at.join("material"))?;
            }
            if primitive.morph_targets.len() != mesh.morph_weights.len() {
                return fail(at.join("morph_targets"), "the mesh has another number of morph weights");
            }
        }
    }
    Ok(())
}

/// The numbers of meshes: positions and weights are finite, indices and joints exist.
fn vertices(scene: &Scene) -> Result<(), Invalid> {
    for (index, mesh) in scene.meshes.iter().enumerate() {
        for (position, primitive) in mesh.primitives.iter().enumerate() {
            let at = || path!("meshes", index, "primitives", position);
            let weights = primitive.streams.influences.iter().all(|influences| all_finite(&influences.weights));
            if !weights || !all_finite(primitive.streams.positions.as_flattened()) {
                return fail(at().join("streams"), "a number is not finite");
            }
            let count = primitive.streams.len();
            if largest(&primitive.indices).is_some_and(|largest| largest as usize >= count) {
                return fail(at().join("indices"), format!("an index is past the {count} vertices"));
            }
        }
    }
    // Once for each mesh: many nodes may draw one, each with a skin of its own.
    let joints_of = |mesh: &Mesh| {
        let influences = mesh.primitives.iter().filter_map(|primitive| primitive.streams.influences.as_ref());
        influences.filter_map(|influences| largest(&influences.joints)).max()
    };
    let largest_joints: Vec<Option<u32>> = scene.meshes.iter().map(joints_of).collect();
    for (index, node) in scene.nodes.iter().enumerate() {
        let largest = node.mesh.and_then(|mesh| largest_joints.get(mesh.index()).copied().flatten());
        let (Some(largest), Some(skin)) = (largest, node.skin.and_then(|skin| scene.skins.get(skin))) else { continue };
        if largest as usize >= skin.joints.len() {
            return fail(path!("nodes", index, "skin"), "vertices of the mesh name joints that the skin does not have");
        }
    }
    Ok(())
}

fn primitive(primitive: &Primitive, at: &Path) -> Result<(), Invalid> {
    let count = primitive.streams.len();
    lengths(&primitive.streams, at)?;
    if !primitive.indices.len().is_multiple_of(primitive.topology.corners()) {
        return fail(
            at.join("indices"),
            format!("{} indices are no whole triangles or lines", primitive.indices.len()),
        );
    }
    for (index, target) in primitive.morph_targets.iter().enumerate() {
        let normals = target.normals.as_ref().map_or(count, Vec::len);
        let tangents = target.tangents.as_ref().map_or(count, Vec::len);
        if [target.positions.len(), normals, tangents] != [count; 3] {
            return fail(at.join("morph_targets").join(index), format!("not every stream has {count} values"));
        }
    }
    Ok(())
}

fn lengths(streams: &Streams, at: &Path) -> Result<(), Invalid> {
    let count = streams.len();
    let influences = streams.influences.iter().flat_map(|i| [(i.joints.len(), i.slots), (i.weights.len(), i.slots)]);
    let optional = [streams.normals.as_ref().map(Vec::len), streams.tangents.as_ref().map(Vec::len)];
    let plain = optional
        .into_iter()
        .flatten()
        .chain(streams.uvs.iter().map(Vec::len))
        .chain(streams.colours.iter().map(Vec::len))
        .map(|length| (length, 1));
    for (length, each) in plain.chain(influences) {
        if length != count * each {
            return fail(at.join("streams"), format!("a stream has {length} values for {count} vertices"));
        }
    }
    Ok(())
}

fn skins(scene: &Scene) -> Result<(), Invalid> {
    for (index, skin) in scene.skins.iter().enumerate() {
        if skin.joints.len() != skin.joint_from_mesh.len() {
            return fail(path!("skins", index), "the numbers of joints and of matrices differ");
        }
        for (position, &joint) in skin.joints.iter().enumerate() {
            exists(&scene.nodes, joint, || path!("skins", index, "joints", position))?;
        }
        if !skin.joint_from_mesh.iter().all(|matrix| matrix.is_finite()) {
            return fail(path!("skins", index, "joint_from_mesh"), "a matrix is not finite");
        }
    }
    Ok(())
}

fn materials(scene: &Scene) -> Result<(), Invalid> {
    for (index, material) in scene.materials.iter().enumerate() {
        for (_, image) in material.images() {
            exists(&scene.images, image, || path!("materials", index, "surface"))?;
        }
    }
    Ok(())
}

fn clips(scene: &Scene) -> Result<(), Invalid> {
    for (index, clip) in scene.clips.iter().enumerate() {
        if !clip.duration_secs.is_finite() {
            return fail(path!("clips", index, "duration_secs"), "the length is not finite");
        }
        for (position, track) in clip.tracks.iter().enumerate() {
            let at = || path!("clips", index, "tracks", position);
            if let Target::Node(node) = track.target {
                exists(&scene.nodes, node, || at().join("target"))?;
            }
            match &track.curve {
                Curve::Translation(keys) | Curve::Scale(keys) => self::keys(keys, &at),
                Curve::Rotation(keys) => self::keys(keys, &at),
                Curve::MorphWeights(keys) => self::keys(keys, &at),
            }?;
        }
    }
    Ok(())
}

fn keys<T>(keys: &Keys<T>, at: &dyn Fn() -> Path) -> Result<(), Invalid> {
    let each = if keys.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    if keys.values.len() != keys.times_secs.len() * each {
        return fail(at().join("values"), format!("{} values for {} times", keys.values.len(), keys.times_secs.len()));
    }
    Ok(())
}

fn numbers_of_keys(scene: &Scene) -> Result<(), Invalid> {
    for (index, clip) in scene.clips.iter().enumerate() {
        for (position, track) in clip.tracks.iter().enumerate() {
            let at = || path!("clips", index, "tracks", position);
            let values_are_finite = match &track.curve {
                Curve::Translation(keys) | Curve::Scale(keys) => all_finite(keys.values.as_flattened()),
                Curve::Rotation(keys) => all_finite(keys.values.as_flattened()),
                Curve::MorphWeights(keys) => keys.values.iter().all(|weights| all_finite(weights)),
            };
            let times = track.curve.times_secs();
            if !all_finite(times) || !values_are_finite {
                return fail(at(), "a number is not finite");
            }
            if !rise(times) {
                return fail(at().join("times_secs"), "the times do not rise");
            }
        }
    }
    Ok(())
}

/// Whether every number is finite. Without a branch for each: scenes are large, and this is looked at whenever one is read.
pub fn all_finite(numbers: &[f32]) -> bool {
    // One more in the exponent carries into the sign where the exponent is full, as it is of infinities and of what is no number.
    let carried = |number: &f32| (number.to_bits() & !(1 << 31)).wrapping_add(1 << 23);
    numbers.iter().map(carried).fold(0, |all, bits| all | bits) >> 31 == 0
}

/// Whether each time is later than the one before, without a branch for each.
pub fn rise(times: &[f32]) -> bool {
    let rises = |(before, after): (&f32, &f32)| u32::from(before < after);
    times.iter().zip(times.get(1..).unwrap_or_default()).map(rises).fold(1, |all, rises| all & rises) == 1
}

/// The largest of some indices, without a branch for each.
pub fn largest(indices: &[u32]) -> Option<u32> {
    (!indices.is_empty()).then(|| indices.iter().copied().fold(0, u32::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Clip, Track};
    use crate::mesh::Mesh;
    use crate::scene::{Node, Skin, Transform};
    use glam::Mat4;

    fn triangle() -> Scene {
        let mut scene = Scene::default();
        let streams = Streams { positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], ..Streams::default() };
        let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let root = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
        scene.roots.push(root);
        scene
    }

    fn why(change: impl FnOnce(&mut Scene)) -> String {
        let mut scene = triangle();
        assert_eq!(check(&scene), Ok(()));
        change(&mut scene);
        check(&scene).unwrap_err().to_string()
    }

    fn first_primitive(scene: &mut Scene) -> &mut Primitive {
        &mut scene.meshes.iter_mut().next().unwrap().primitives[0]
    }

    #[test]
    fn nodes_form_trees() {
        let own_child = why(|scene| {
            let root = scene.roots[0];
            let child = scene.nodes.push(Node::default());
            scene.nodes.get_mut(child).unwrap().children.push(child);
            assert_eq!(root.index(), 0);
        });
        assert!(own_child.contains("its own ancestor"), "{own_child}");
        assert!(why(|scene| scene.roots.push(scene.roots[0])).contains("root twice"));
        assert!(why(|scene| scene.roots.push(Handle::from_index(9))).contains("there is no #9"));
    }

    #[test]
    fn transforms_are_finite_and_named_by_their_field() {
        let broken = Transform::Matrix(Mat4::IDENTITY * f32::NAN);
        let message = why(|scene| scene.nodes.iter_mut().for_each(|node| node.transform = broken));
        assert_eq!(message, "nodes[0].transform: a number is not finite");
    }

    #[test]
    fn primitives_are_whole() {
        assert!(why(|scene| first_primitive(scene).indices.push(0)).contains("no whole triangles"));
        assert!(why(|scene| first_primitive(scene).indices[0] = 3).contains("past the 3 vertices"));
        assert!(why(|scene| first_primitive(scene).streams.uvs.push(vec![[0.0; 2]])).contains("1 values for 3"));
        assert!(why(|scene| first_primitive(scene).streams.positions[0][0] = f32::NAN).contains("not finite"));
    }

    #[test]
    fn skins_have_a_matrix_for_each_joint() {
        let message = why(|scene| {
            scene.skins.push(Skin { joints: vec![scene.roots[0]], ..Skin::default() });
        });
        assert!(message.contains("joints and of matrices differ"));
    }

    #[test]
    fn numbers_are_finite_up_to_the_largest() {
        assert!(all_finite(&[0.0, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-45]));
        for bad in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN, f32::from_bits(0x7f80_0001)] {
            for at in 0..9 {
                let mut numbers = [1.0; 9];
                numbers[at] = bad;
                assert!(!all_finite(&numbers), "{bad} at {at}");
            }
        }
    }

    #[test]
    fn times_rise_from_one_to_the_next() {
        assert!(rise(&[]) && rise(&[1.0]) && rise(&[-1.0, 0.0, 0.5, 7.0, 8.0, 9.0, 10.0]));
        assert!(!rise(&[0.0, 1.0, 1.0]) && !rise(&[1.0, 0.0]) && !rise(&[0.0, f32::NAN]) && !rise(&[0.0, -0.0]));
    }

    #[test]
    fn keys_rise_and_have_their_values() {
        let with = |times: Vec<f32>, count: usize, interpolation| {
            why(|scene| {
                let keys = Keys { times_secs: times, values: vec![[0.0; 3]; count], interpolation };
                let track = Track { target: Target::Node(scene.roots[0]), curve: Curve::Scale(keys), blend: None };
                scene.clips.push(Clip { tracks: vec![track], ..Clip::default() });
            })
        };
        assert!(with(vec![0.0, 0.0], 2, Interpolation::Linear).contains("do not rise"));
        assert!(with(vec![0.0], 1, Interpolation::CubicSpline).contains("1 values for 1 times"));
    }
}
