//! How far what is seen moves when a value of a bone changes, and what the bones of a chain add up to at its end.

use crate::of_clip::narrow;
use crate::{Blend, Curve, Motion, Track};
use maquette_scene::Scene;
use maquette_scene::clip::{self, Clip, Target};
use maquette_scene::deviation::body::{Body, Reach};
use maquette_scene::glam::Vec3;
use maquette_scene::scene::Node;
use std::collections::{HashMap, HashSet};

/// What a motion moves.
pub(super) struct Levers<'s> {
    model: Option<Model<'s>>,
    /// For each bone, the nodes that it moves and that carry vertices; of several that have its name, each.
    nodes: Vec<Vec<usize>>,
    /// For each node, where there is a model.
    reach: Vec<Reach>,
    /// How far what is looked at is from a joint that moves no vertex.
    at: f64,
}

struct Model<'s> {
    scene: &'s Scene,
    body: Body<'s>,
    /// The largest factor that a shape grows by from its mesh to the scene.
    growth: f64,
}

/// What a track moves when its value changes by one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lever {
    /// Vertices, by these nodes, and how far each.
    Nodes(Vec<(usize, f64)>),
    /// The shape of a mesh.
    Shape,
    /// A shape that no mesh has.
    Weight,
    /// No vertex: what is so far from its joint.
    Alone(f64),
}

impl Lever {
    /// The largest of all.
    pub fn largest(&self) -> f64 {
        match self {
            Lever::Nodes(nodes) => nodes.iter().map(|(_, lever)| *lever).fold(0.0, f64::max),
            Lever::Shape => 1.0,
            Lever::Weight => 0.0,
            Lever::Alone(lever) => *lever,
        }
    }
}

impl<'s> Levers<'s> {
    /// Of a motion that is played on a model, or, without one and where it moves no vertex of it, of what is at this distance from each joint.
    pub fn new(motion: &Motion, scene: Option<&'s Scene>, at: f64) -> Levers<'s> {
        let model = scene.map(|scene| (scene, Body::of(scene))).filter(|(_, body)| !body.is_bare());
        let Some((scene, body)) = model else {
            return Levers { model: None, nodes: vec![Vec::new(); motion.bones.len()], reach: Vec::new(), at };
        };
        let nodes = nodes_of_bones(motion, scene);
        let mut levers = Levers { model: None, nodes, reach: Vec::new(), at };
        let clips = levers.clips(motion, scene);
        levers.reach = body.reach(&clips.iter().collect::<Vec<_>>());
        let growth = growth(scene, &clips);
        levers.model = Some(Model { scene, body, growth });
        levers
    }

    /// Whether vertices are what is looked at.
    pub fn has_vertices(&self) -> bool {
        self.model.is_some()
    }

    /// Also in the course of a motion that takes the place of this one.
    pub fn widen(&mut self, motions: [&Motion; 2]) {
        let Some(model) = &self.model else { return };
        let clips: Vec<Clip> = motions.into_iter().flat_map(|motion| self.clips(motion, model.scene)).collect();
        self.reach = model.body.reach(&clips.iter().collect::<Vec<_>>());
    }

    /// The motion as clips of the scene: one for each way its values may be taken, where a bone has one of its own that may be for others too.
    fn clips(&self, motion: &Motion, scene: &Scene) -> Vec<Clip> {
        let handles: Vec<_> = scene.nodes.handles().collect();
        let blends: HashSet<Blend> = motion.bones.iter().filter_map(|bone| bone.blend).chain([motion.blend]).collect();
        let tracks = |track: &Track| {
            let curve = narrow(&track.curve);
            let nodes = self.nodes.get(track.bone).into_iter().flatten().filter_map(|node| handles.get(*node));
            let tracks =
                nodes.map(|node| clip::Track { target: Target::Node(*node), curve: curve.clone(), blend: None });
            tracks.collect::<Vec<_>>()
        };
        let tracks: Vec<clip::Track> = motion.tracks.iter().flat_map(tracks).collect();
        blends.into_iter().map(|blend| Clip { blend, tracks: tracks.clone(), ..Clip::default() }).collect()
    }

    /// What a track moves.
    pub fn of(&self, track: &Track) -> Lever {
        let nodes = self.nodes.get(track.bone).map_or(&[][..], Vec::as_slice);
        let by = |reach: &Reach| match track.curve {
            Curve::Translation(_) => reach.translation,
            Curve::Rotation(_) => reach.rotation,
            Curve::Scale(_) => reach.scale,
            Curve::MorphWeights(_) => 0.0,
        };
        let levers = nodes.iter().filter_map(|node| Some((*node, self.reach.get(*node).map(by)?)));
        let levers: Vec<_> = levers.filter(|(_, lever)| *lever > 0.0).collect();
        match &track.curve {
            Curve::MorphWeights(_) if self.shapes(track).is_some() => Lever::Shape,
            _ if !levers.is_empty() => Lever::Nodes(levers),
            Curve::MorphWeights(_) => Lever::Weight,
            Curve::Translation(_) => Lever::Alone(1.0),
            Curve::Rotation(_) | Curve::Scale(_) => Lever::Alone(self.at),
        }
    }

    /// How far each weight of a track of morph weights moves a vertex, at most; 1 where it moves none.
    pub fn moves_of_weights(&self, track: &Track, count: usize) -> Vec<f64> {
        self.shapes(track).unwrap_or_else(|| vec![1.0; count])
    }

    fn shapes(&self, track: &Track) -> Option<Vec<f64>> {
        let model = self.model.as_ref()?;
        let mut moves: Vec<f64> = Vec::new();
        for node in self.nodes.get(track.bone)? {
            let mesh = model.scene.nodes.iter().nth(*node).and_then(|node| model.scene.meshes.get(node.mesh?));
            for primitive in mesh.into_iter().flat_map(|mesh| &mesh.primitives) {
                moves.resize(moves.len().max(primitive.morph_targets.len()), 0.0);
                for (moves, target) in moves.iter_mut().zip(&primitive.morph_targets) {
                    let far = target.positions.iter().map(|change| f64::from(Vec3::from(*change).length()));
                    *moves = moves.max(far.fold(0.0, f64::max) * model.growth * model.body.weight());
                }
            }
        }
        Some(moves).filter(|moves| !moves.is_empty())
    }

    /// How far any vertex is off, at most, with these tracks off by these errors; where none is moved, anything at that distance from its joint.
    pub fn bound(&self, errors: &[(usize, Lever, f64)]) -> f64 {
        let (mut alone, mut shapes): (HashMap<usize, f64>, f64) = (HashMap::new(), 0.0);
        let mut lengths = vec![0.0; self.reach.len()];
        for (bone, lever, error) in errors {
            match lever {
                Lever::Nodes(nodes) => {
                    for (node, lever) in nodes {
                        lengths.get_mut(*node).into_iter().for_each(|length| *length += lever * error);
                    }
                }
                Lever::Shape => shapes = shapes.max(*error),
                Lever::Weight => {}
                Lever::Alone(lever) => *alone.entry(*bone).or_default() += lever * error,
            }
        }
        let chains = self.ways(&lengths).into_iter().fold(0.0, f64::max) + shapes;
        alone.into_values().fold(chains, f64::max)
    }

    /// For each node the largest sum of these numbers along a way through it, as it counts for vertices.
    pub fn ways(&self, numbers: &[f64]) -> Vec<f64> {
        let Some(model) = &self.model else { return Vec::new() };
        let weight = model.body.weight();
        model.body.ways(numbers).into_iter().map(|sum| sum * weight).collect()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.reach.len()
    }
}

/// The nodes of each bone's name: as it is, or else in any case.
fn nodes_of_bones(motion: &Motion, scene: &Scene) -> Vec<Vec<usize>> {
    let (mut exact, mut any_case): (HashMap<String, Vec<usize>>, HashMap<String, Vec<usize>>) = Default::default();
    for node in scene.nodes.handles() {
        let name = scene.node_name(node);
        any_case.entry(name.to_lowercase()).or_default().push(node.index());
        exact.entry(name.into_owned()).or_default().push(node.index());
    }
    let found =
        |name: &str| exact.get(name).or_else(|| any_case.get(&name.to_lowercase())).cloned().unwrap_or_default();
    motion.bones.iter().map(|bone| if bone.is_shape { Vec::new() } else { found(&bone.name) }).collect()
}

/// The largest factor that a change of a shape grows by, whatever carries it.
fn growth(scene: &Scene, clips: &[Clip]) -> f64 {
    let rest = |node: &Node| f64::from(node.transform.trs().scale.abs().max_element());
    let mut sizes: Vec<f64> = scene.nodes.iter().map(rest).collect();
    for track in clips.iter().flat_map(|clip| &clip.tracks) {
        let (Target::Node(node), clip::Curve::Scale(keys)) = (&track.target, &track.curve) else { continue };
        let largest = keys.values.iter().flatten().fold(0.0f32, |largest, size| largest.max(size.abs()));
        sizes.get_mut(node.index()).into_iter().for_each(|size| *size = size.max(largest.into()));
    }
    let parents = scene.parents();
    let mut grown = vec![1.0; sizes.len()];
    for node in scene.nodes_parents_first() {
        let above = parents.get(node.index()).copied().flatten().and_then(|parent| grown.get(parent.index()).copied());
        let size = above.unwrap_or(1.0) * sizes.get(node.index()).copied().unwrap_or(1.0);
        grown.get_mut(node.index()).into_iter().for_each(|grown| *grown = size);
    }
    let bound = |matrix: &maquette_scene::glam::Mat4| {
        let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().length());
        f64::from(Vec3::from(axes).length())
    };
    let bound = scene.skins.iter().flat_map(|skin| &skin.joint_from_mesh).map(bound).fold(1.0, f64::max);
    grown.into_iter().fold(0.0, f64::max) * bound
}
