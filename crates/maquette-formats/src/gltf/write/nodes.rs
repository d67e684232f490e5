//! Nodes: those of the scene at their positions, then those that had to be added.

use super::meshes::Meshes;
use super::plan::{Carrier, Plan, Shape};
use super::transforms::{self, Adapted, Change, NodeTransform};
use super::{Draft, Tally, extras, name, named};
use crate::companions::stem_of;
use crate::gltf::rotation::Normalised;
use crate::gltf::schema;
use maquette_scene::clip::{Curve, Target};
use maquette_scene::glam::{Quat, Vec3};
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::scene::{Node, Scene, Trs};
use maquette_scene::{Handle, glam::Mat4};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The nodes that animations target.
pub struct Nodes<'a> {
    /// By name: nodes that the scene does not have.
    pub named: HashMap<&'a str, usize>,
    /// The root of those, where there are any.
    pub skeleton: Option<usize>,
    /// For each node of the scene, the nodes that draw its mesh with its morph weights.
    pub morphed: Vec<Vec<usize>>,
}

/// Adds all nodes to the document, and the default scene.
pub fn build<'a>(draft: &mut Draft<'a>, plan: &Plan, meshes: &Meshes) -> Nodes<'a> {
    let scene = draft.scene;
    let mut build = Build { draft, plan, meshes, morphed: vec![Vec::new(); scene.nodes.len()] };
    for (handle, node) in scene.nodes.entries() {
        let made = build.own(handle, node);
        build.draft.document.nodes.push(made);
    }
    if plan.root.is_some() {
        build.draft.document.nodes.push(root_node());
    }
    let stand_ins = build.transforms();
    build.link(&stand_ins);
    let mut roots = build.skinned_apart();
    let (named, skeleton) = build.skeleton();
    let morphed = build.morphed;
    roots.extend(skeleton);
    set_scene(draft, plan, &stand_ins, roots, skeleton);
    Nodes { named, skeleton, morphed }
}

/// The writer's `extras` of a node that it added.
pub fn added(role: &str) -> Map<String, Value> {
    Map::from_iter([("added".to_owned(), Value::from(role))])
}

fn root_node() -> schema::Node {
    schema::Node {
        name: Some("root".into()),
        extras: extras::with_ours(None, added("root")),
        ..schema::Node::default()
    }
}

struct Build<'b, 'a> {
    draft: &'b mut Draft<'a>,
    plan: &'b Plan,
    meshes: &'b Meshes,
    morphed: Vec<Vec<usize>>,
}

impl<'a> Build<'_, 'a> {
    /// A node of the scene, still without transform and children.
    fn own(&mut self, handle: Handle<Node>, node: &Node) -> schema::Node {
        let mut made = schema::Node {
            name: name(&node.name),
            extras: extras::extras(&node.extras, Map::new(), &[]),
            ..schema::Node::default()
        };
        let Some(drawing) = self.plan.drawings.get(handle.index()) else { return made };
        if let Some(shape) = drawing.rigid {
            self.draw(handle, node, shape, handle.index(), &mut made);
        }
        if let Some((shape, skin, Carrier::Itself | Carrier::Moved)) = drawing.skinned {
            self.draw(handle, node, shape, handle.index(), &mut made);
            made.skin = made.mesh.and_then(|_| self.plan.skin(skin));
        }
        made
    }

    fn draw(&mut self, handle: Handle<Node>, node: &Node, shape: Shape, at: usize, made: &mut schema::Node) {
        made.mesh = node.mesh.and_then(|mesh| self.meshes.index(mesh, shape));
        let targets = node.mesh.map_or(0, |mesh| self.meshes.targets(mesh));
        if let Some(morphed) = self.morphed.get_mut(handle.index()).filter(|_| made.mesh.is_some() && targets > 0) {
            morphed.push(at);
        }
        if node.morph_weights.is_empty() {
            return;
        }
        let sound = node.morph_weights.len() == targets && node.morph_weights.iter().all(|x| x.is_finite());
        if sound && made.mesh.is_some() {
            made.weights = Some(node.morph_weights.clone());
        } else {
            let detail = format!("{} weights for {targets} morph targets", node.morph_weights.len());
            self.draft.losses.dropped(Lost::MorphTargets, named("node", handle.index(), &node.name), detail, 1);
        }
    }

    /// Gives nodes their transforms. Returns, for each node of the scene, the node that stands for it among its siblings.
    fn transforms(&mut self) -> Vec<usize> {
        let scene = self.draft.scene;
        let mut stand_ins: Vec<usize> = (0..scene.nodes.len()).collect();
        let (mut decomposed, mut nested, mut normalised) = (Tally::default(), Tally::default(), Normalised::default());
        for (handle, node) in scene.nodes.entries() {
            let adapted = self.adapted(handle, node);
            match (adapted.change, adapted.transform) {
                (Change::None, _) => {}
                (Change::Normalised, _) => normalised.note(adapted.error),
                (Change::Decomposed, NodeTransform::Nested(..)) => nested.note(adapted.error),
                (Change::Decomposed, _) => decomposed.note(adapted.error),
            }
            let nodes = &mut self.draft.document.nodes;
            if let NodeTransform::Nested(..) = adapted.transform {
                if let Some(stand_in) = stand_ins.get_mut(handle.index()) {
                    *stand_in = nodes.len();
                }
                nodes.push(outer(node, handle, adapted.transform));
            }
            if let Some(made) = nodes.get_mut(handle.index()) {
                set_transform(made, adapted.transform);
            }
        }
        let losses = &mut *self.draft.losses;
        decomposed.report(losses, Lost::NodeTransforms, "", "written as translation, rotation and scale");
        nested.report(losses, Lost::NodeTransforms, "", "each written as two nodes, parent and child");
        normalised.report(losses, "nodes");
        stand_ins
    }

    fn adapted(&self, handle: Handle<Node>, node: &Node) -> Adapted {
        let drawing = self.plan.drawings.get(handle.index());
        if let Some((.., Carrier::Moved)) = drawing.and_then(|drawing| drawing.skinned) {
            return Adapted { transform: NodeTransform::Trs(Trs::IDENTITY), change: Change::None, error: 0.0 };
        }
        match self.plan.moving.get(handle.index()) {
            Some(true) => transforms::moving(&node.transform),
            _ => transforms::resting(&node.transform),
        }
    }

    /// Gives nodes their children, except for skinned meshes that have become roots.
    fn link(&mut self, stand_ins: &[usize]) {
        let scene = self.draft.scene;
        for (handle, node) in scene.nodes.entries() {
            let stays = node.children.iter().filter(|child| !is_moved(self.plan, child.index()));
            let children = stays.filter_map(|child| stand_ins.get(child.index()).copied()).collect();
            if let Some(made) = self.draft.document.nodes.get_mut(handle.index()) {
                made.children = children;
            }
        }
    }

    /// Adds roots for skinned meshes whose nodes have other things to carry. Returns those of the default scene.
    fn skinned_apart(&mut self) -> Vec<usize> {
        let scene = self.draft.scene;
        let mut in_scene = Vec::new();
        for (handle, node) in scene.nodes.entries() {
            let drawing = self.plan.drawings.get(handle.index());
            let Some((shape, skin, carrier)) = drawing.and_then(|drawing| drawing.skinned) else { continue };
            let index = self.draft.document.nodes.len();
            if carrier == Carrier::Apart {
                let extras = extras::with_ours(None, added("skinned mesh"));
                let mut made = schema::Node { name: name(&node.name), extras, ..schema::Node::default() };
                self.draw(handle, node, shape, index, &mut made);
                made.skin = made.mesh.and_then(|_| self.plan.skin(skin));
                self.draft.document.nodes.push(made);
            }
            let root = match carrier {
                Carrier::Itself => continue,
                Carrier::Moved => handle.index(),
                Carrier::Apart => index,
            };
            if self.plan.is_in_scene(handle.index()) {
                in_scene.push(root);
            }
        }
        in_scene
    }

    /// Adds a flat skeleton for tracks that name nodes of another scene. Returns its nodes by name, and its root.
    fn skeleton(&mut self) -> (HashMap<&'a str, usize>, Option<usize>) {
        let scene = self.draft.scene;
        let names = missing_names(scene);
        if names.is_empty() {
            return (HashMap::new(), None);
        }
        let nodes = &mut self.draft.document.nodes;
        let root = nodes.len();
        let mut clip_names = scene.clips.iter().map(|clip| clip.name.as_str()).filter(|name| !name.is_empty());
        let title = match (clip_names.next(), clip_names.next(), stem_of(self.draft.options.name)) {
            (Some(clip), None, _) => clip,
            (_, _, "") => "skeleton",
            (_, _, stem) => stem,
        };
        let ours = |role| extras::with_ours(None, added(role));
        nodes.push(schema::Node {
            name: Some(title.into()),
            children: (root + 1..=root + names.len()).collect(),
            extras: ours("skeleton"),
            ..schema::Node::default()
        });
        let mut by_name = HashMap::new();
        for joint in names {
            by_name.insert(joint, nodes.len());
            nodes.push(schema::Node { name: name(joint), extras: ours("joint"), ..schema::Node::default() });
        }
        let detail =
            "skeleton guessed flat: a node with the identity transform for each name, as the nodes are not there";
        self.draft.losses.push(LossKind::Baked, Lost::Hierarchy, "", detail, by_name.len() as u64);
        (by_name, Some(root))
    }
}

/// The names of nodes that are not in the scene, in the order they are first seen.
fn missing_names(scene: &Scene) -> Vec<&str> {
    let mut seen = std::collections::HashSet::new();
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let moved = tracks.filter(|track| !matches!(track.curve, Curve::MorphWeights(_)));
    moved
        .filter_map(|track| match &track.target {
            Target::Name(name) if !track.curve.times_secs().is_empty() => Some(name.as_str()),
            _ => None,
        })
        .filter(|name| seen.insert(*name))
        .collect()
}

fn is_moved(plan: &Plan, node: usize) -> bool {
    let skinned = plan.drawings.get(node).and_then(|drawing| drawing.skinned);
    matches!(skinned, Some((.., Carrier::Moved)))
}

fn is_rootlike(plan: &Plan, node: usize) -> bool {
    let skinned = plan.drawings.get(node).and_then(|drawing| drawing.skinned);
    matches!(skinned, Some((.., Carrier::Itself | Carrier::Moved)))
}

/// The parent of the two nodes that a node with shear becomes.
fn outer(node: &Node, inner: Handle<Node>, transform: NodeTransform) -> schema::Node {
    let mut made = schema::Node {
        name: name(&node.name),
        children: vec![inner.index()],
        extras: extras::with_ours(None, added("shear")),
        ..schema::Node::default()
    };
    if let NodeTransform::Nested(trs, _) = transform {
        set_transform(&mut made, NodeTransform::Trs(trs));
    }
    made
}

fn set_transform(made: &mut schema::Node, transform: NodeTransform) {
    match transform {
        NodeTransform::Matrix(matrix) => made.matrix = (matrix != Mat4::IDENTITY).then(|| matrix.to_cols_array()),
        NodeTransform::Trs(Trs { translation, rotation, scale }) => {
            made.translation = (translation != Vec3::ZERO).then(|| translation.to_array());
            made.rotation = Some(within_one(rotation)).filter(|rotation| *rotation != Quat::IDENTITY.to_array());
            made.scale = (scale != Vec3::ONE).then(|| scale.to_array());
        }
        NodeTransform::Nested(_, inner) => made.rotation = Some(within_one(inner)),
    }
}

/// A unit quaternion whose components are at most 1, as those of nodes must be: rounding can leave one a little more.
fn within_one(quaternion: Quat) -> [f32; 4] {
    quaternion.to_array().map(|x| x.clamp(-1.0, 1.0))
}

/// Makes the default scene: the roots in order, below the added one if there is one, then what became a root.
fn set_scene(draft: &mut Draft<'_>, plan: &Plan, stand_ins: &[usize], mut more: Vec<usize>, skeleton: Option<usize>) {
    let stand_in = |node: &usize| stand_ins.get(*node).copied().unwrap_or(*node);
    more.retain(|root| !plan.scene_roots.contains(root));
    let Some(root) = plan.root else {
        draft.set_scene(plan.scene_roots.iter().map(stand_in).chain(more).collect());
        return;
    };
    let (skinned, below): (Vec<usize>, Vec<usize>) = plan.scene_roots.iter().partition(|&&top| is_rootlike(plan, top));
    let more: Vec<usize> = more.into_iter().filter(|node| Some(*node) != skeleton).collect();
    if let Some(made) = draft.document.nodes.get_mut(root.index) {
        made.children = below.iter().map(stand_in).chain(skeleton).collect();
    }
    draft.set_scene(std::iter::once(root.index).chain(skinned).chain(more).collect());
}
