//! A scene in one pose after another, for a look at many clips: what a clip leaves alone is not placed again.
//!
//! [`pose`] places everything at every moment, which takes the product of nodes and clips. Here a clip costs what it moves: the
//! nodes of its tracks and what hangs on them, and the meshes of those and of the skins that they are joints of.

use crate::clip::{Clip, Curve, Target};
use crate::scene::{Node, Scene, Skin};
use crate::{Handle, pose};
use glam::{Mat4, Vec3};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A scene, at rest until it is placed.
pub struct Posed<'s> {
    scene: &'s Scene,
    parents: Vec<Option<Handle<Node>>>,
    /// The place of every node in an order with parents first.
    rank: Vec<usize>,
    /// The vertices of every node among all that are drawn.
    vertices: Vec<Range<usize>>,
    skins_of_joint: HashMap<Handle<Node>, Vec<Handle<Skin>>>,
    nodes_of_skin: HashMap<Handle<Skin>, Vec<Handle<Node>>>,
    at_rest: Placed,
    now: Placed,
}

#[derive(Clone)]
struct Placed {
    world_from_node: Vec<Mat4>,
    positions: Vec<Vec3>,
}

/// What a clip moves.
pub struct Moved<'c> {
    clip: &'c Clip,
    /// Parents first.
    nodes: Vec<Handle<Node>>,
    place_of_node: HashMap<Handle<Node>, usize>,
    /// The nodes whose meshes move, in the order in which they are drawn.
    drawn: Vec<Handle<Node>>,
}

impl<'s> Posed<'s> {
    /// The scene at rest.
    pub fn new(scene: &'s Scene) -> Posed<'s> {
        let mut rank = vec![0; scene.nodes.len()];
        let mut vertices = vec![0..0; scene.nodes.len()];
        let mut nodes_of_skin: HashMap<_, Vec<_>> = HashMap::new();
        let mut first = 0;
        for (place, handle) in scene.nodes_parents_first().into_iter().enumerate() {
            let drawn = pose::drawn(scene, handle);
            let primitives = drawn.map_or(&[][..], |(_, mesh)| &mesh.primitives);
            let end = first + primitives.iter().map(|primitive| primitive.streams.len()).sum::<usize>();
            if let (Some(rank), Some(vertices)) = (rank.get_mut(handle.index()), vertices.get_mut(handle.index())) {
                (*rank, *vertices) = (place, first..end);
            }
            first = end;
            if let Some(skin) = drawn.and_then(|(node, _)| node.skin) {
                nodes_of_skin.entry(skin).or_default().push(handle);
            }
        }
        let mut skins_of_joint: HashMap<_, Vec<_>> = HashMap::new();
        for (skin, entry) in scene.skins.entries() {
            for &joint in &entry.joints {
                skins_of_joint.entry(joint).or_default().push(skin);
            }
        }
        let positions = pose::positions_at_rest(scene);
        let at_rest = Placed { world_from_node: scene.rest_world_from_node(), positions };
        let now = at_rest.clone();
        Posed { scene, parents: scene.parents(), rank, vertices, skins_of_joint, nodes_of_skin, at_rest, now }
    }

    /// Every drawn vertex, as [`pose::positions_at`] has them.
    pub fn positions(&self) -> &[Vec3] {
        &self.now.positions
    }

    /// What a clip moves.
    pub fn moved<'c>(&self, clip: &'c Clip) -> Moved<'c> {
        let mut seen = HashSet::new();
        let mut drawn = HashSet::new();
        let mut nodes = Vec::new();
        let mut pending = Vec::new();
        for track in &clip.tracks {
            let Target::Node(target) = track.target else { continue };
            match track.curve {
                Curve::MorphWeights(_) => _ = drawn.insert(target),
                _ => pending.push(target),
            }
            while let Some(handle) = pending.pop() {
                let Some(node) = self.scene.nodes.get(handle).filter(|_| seen.insert(handle)) else { continue };
                nodes.push(handle);
                pending.extend(&node.children);
            }
        }
        let skins: HashSet<Handle<Skin>> =
            nodes.iter().filter_map(|node| self.skins_of_joint.get(node)).flatten().copied().collect();
        drawn.extend(nodes.iter().copied());
        drawn.extend(skins.iter().filter_map(|skin| self.nodes_of_skin.get(skin)).flatten());
        let rank = |node: &Handle<Node>| self.rank.get(node.index()).copied();
        let mut drawn: Vec<_> = drawn.into_iter().filter(|&node| !self.vertices_of(node).is_empty()).collect();
        drawn.sort_unstable_by_key(rank);
        nodes.sort_unstable_by_key(rank);
        let place_of_node = nodes.iter().enumerate().map(|(place, node)| (*node, place)).collect();
        Moved { clip, nodes, place_of_node, drawn }
    }

    /// The vertices of what a clip moves, as ranges of all that are drawn, in their order.
    pub fn vertices<'m>(&'m self, moved: &'m Moved<'_>) -> impl Iterator<Item = Range<usize>> + 'm {
        moved.drawn.iter().map(|&node| self.vertices_of(node))
    }

    fn vertices_of(&self, node: Handle<Node>) -> Range<usize> {
        self.vertices.get(node.index()).cloned().unwrap_or_default()
    }

    /// Places what a clip moves as it is at a moment of that clip.
    pub fn place(&mut self, moved: &Moved<'_>, secs: f32) {
        let mut locals = vec![None; moved.nodes.len()];
        for track in &moved.clip.tracks {
            let Target::Node(handle) = track.target else { continue };
            let local = moved.place_of_node.get(&handle).and_then(|&place| locals.get_mut(place));
            let (Some(local), Some(node)) = (local, self.scene.nodes.get(handle)) else { continue };
            let rest = node.transform.trs();
            let local = local.get_or_insert(rest);
            pose::apply(local, &rest, &track.curve, track.blend.unwrap_or(moved.clip.blend), secs);
        }
        for (&handle, local) in moved.nodes.iter().zip(locals) {
            let Some(node) = self.scene.nodes.get(handle) else { continue };
            let local = local.map_or_else(|| node.transform.matrix(), |trs| trs.matrix());
            let parent = self.parents.get(handle.index()).copied().flatten();
            let above = parent.map_or(Mat4::IDENTITY, |parent| self.now.world(parent));
            if let Some(world) = self.now.world_from_node.get_mut(handle.index()) {
                *world = above * local;
            }
        }
        self.place_vertices(moved, secs);
    }

    fn place_vertices(&mut self, moved: &Moved<'_>, secs: f32) {
        let weights = pose::animated_weights(moved.clip, secs);
        let mut palettes: HashMap<Handle<Skin>, Vec<Mat4>> = HashMap::new();
        for &handle in &moved.drawn {
            let Some((node, mesh)) = pose::drawn(self.scene, handle) else { continue };
            let skin = node.skin.and_then(|skin| Some((skin, self.scene.skins.get(skin)?)));
            let now = &mut self.now;
            let palette = skin.map(|(handle, skin)| {
                &*palettes.entry(handle).or_insert_with(|| pose::palette(skin, |joint| now.world(joint)))
            });
            let weights = weights.get(&handle).map_or(pose::morph_weights(node, mesh), Vec::as_slice);
            let world_from_mesh = now.world(handle);
            let place =
                |primitive| pose::primitive_positions(primitive, weights, world_from_mesh, palette.map(Vec::as_slice));
            let range = self.vertices.get(handle.index()).cloned().unwrap_or_default();
            let positions = now.positions.get_mut(range).unwrap_or_default();
            positions.iter_mut().zip(mesh.primitives.iter().flat_map(place)).for_each(|(old, new)| *old = new);
        }
    }

    /// Puts what a clip moved back to where it rests.
    pub fn rest(&mut self, moved: &Moved<'_>) {
        for node in moved.nodes.iter().map(|node| node.index()) {
            copy(&self.at_rest.world_from_node, &mut self.now.world_from_node, node..node + 1);
        }
        for &node in &moved.drawn {
            let range = self.vertices_of(node);
            copy(&self.at_rest.positions, &mut self.now.positions, range);
        }
    }
}

impl Placed {
    fn world(&self, node: Handle<Node>) -> Mat4 {
        self.world_from_node.get(node.index()).copied().unwrap_or(Mat4::IDENTITY)
    }
}

fn copy<T: Copy>(from: &[T], to: &mut [T], range: Range<usize>) {
    if let (Some(from), Some(to)) = (from.get(range.clone()), to.get_mut(range)) {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::{Interpolation, Keys, Track};
    use crate::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams};

    fn translation(node: Handle<Node>) -> Track {
        let values = vec![[0.0; 3], [0.0, 8.0, 1.0]];
        let keys = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear };
        Track { target: Target::Node(node), curve: Curve::Translation(keys), blend: None }
    }

    fn clip(tracks: Vec<Track>) -> Clip {
        Clip { tracks, ..Clip::default() }
    }

    /// Three nodes in a chain, the last of which draws; one beside it, whose mesh is bound to the first and the second, with a part that is not;
    /// one that draws what has a morph target.
    fn scene() -> (Scene, Vec<Handle<Node>>) {
        let mut scene = Scene::default();
        let streams = |x: f32| Streams { positions: vec![[x, 0.0, 0.0], [x, 1.0, 0.0]], ..Streams::default() };
        let plain = Primitive { streams: streams(1.0), ..Primitive::default() };
        let influences = Influences { slots: 1, joints: vec![0, 1], weights: vec![1.0, 0.5] };
        let bound = Streams { influences: Some(influences), ..streams(2.0) };
        let bound = Primitive { streams: bound, ..Primitive::default() };
        let target = MorphTarget { positions: vec![[0.0, 0.0, 4.0]; 2], ..MorphTarget::default() };
        let morphed = Primitive { streams: streams(3.0), morph_targets: vec![target], ..Primitive::default() };
        let mut mesh =
            |primitives| Some(scene.meshes.push(Mesh { primitives, morph_weights: vec![0.5], ..Mesh::default() }));
        let meshes = [None, None, mesh(vec![plain.clone()]), mesh(vec![bound, plain]), mesh(vec![morphed])];
        let nodes: Vec<_> = meshes.map(|mesh| scene.nodes.push(Node { mesh, ..Node::default() })).into();
        let joint_from_mesh = vec![Mat4::from_translation(Vec3::Z), Mat4::IDENTITY];
        let skin = scene.skins.push(Skin { joints: nodes[..2].to_vec(), joint_from_mesh, ..Skin::default() });
        scene.nodes[nodes[3]].skin = Some(skin);
        scene.nodes[nodes[0]].children = vec![nodes[1]];
        scene.nodes[nodes[1]].children = vec![nodes[2]];
        // Not in the order of their indices.
        scene.roots = vec![nodes[4], nodes[3], nodes[0]];
        (scene, nodes)
    }

    #[test]
    fn it_places_everything_as_poses_do_and_puts_it_back() {
        let (scene, nodes) = scene();
        let keys = Keys { times_secs: vec![0.5], values: vec![vec![1.0]], interpolation: Interpolation::Step };
        let weights = Track { target: Target::Node(nodes[4]), curve: Curve::MorphWeights(keys), blend: None };
        let elsewhere = Track { target: Target::Name("elsewhere".into()), ..translation(nodes[0]) };
        let mut clips: Vec<Clip> = nodes.iter().map(|&node| clip(vec![translation(node)])).collect();
        clips.extend([clip(vec![weights.clone()]), clip(vec![elsewhere])]);
        clips.push(clip(vec![translation(nodes[2]), weights, translation(nodes[0])]));
        let mut posed = Posed::new(&scene);
        for clip in &clips {
            let moved = posed.moved(clip);
            for secs in [0.0, 0.25, 1.0] {
                posed.place(&moved, secs);
                assert_eq!(posed.positions(), pose::positions_at(&scene, clip, secs));
            }
            posed.rest(&moved);
            assert_eq!(posed.positions(), pose::positions_at_rest(&scene));
        }
    }

    #[test]
    fn a_clip_moves_its_nodes_what_hangs_on_them_and_what_is_bound_to_them() {
        let (scene, nodes) = scene();
        let posed = Posed::new(&scene);
        let vertices = |node: usize| {
            let clip = clip(vec![translation(nodes[node])]);
            let moved = posed.moved(&clip);
            posed.vertices(&moved).collect::<Vec<_>>()
        };
        assert_eq!(vertices(1), [2..6, 6..8]);
        assert_eq!(vertices(2), std::slice::from_ref(&(6..8)));
        assert_eq!(vertices(4), std::slice::from_ref(&(0..2)));
    }
}
