//! What has to be rearranged before anything is written, because glTF asks for more than a scene does.
//!
//! - A mesh is skinned as a whole or not at all, so a mesh is written once for each way it is drawn ([`Shape`]).
//! - A skinned mesh hangs at a root without a transform of its own ([`Carrier`]); nothing else would move it anyway.
//! - All joints of a skin have a common root, and every vertex of a skinned mesh has a joint. Where that is not so, a root
//!   is added above everything ([`Root`]).

use super::Tally;
use maquette_scene::clip::{Curve, Target};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Influences, Mesh, Primitive};
use maquette_scene::scene::{Node, Scene, Skin};
use maquette_scene::{Handle, glam::Mat4};

/// Which primitives of a mesh are written, and whether with joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Those with influences.
    Skinned {
        /// The joint that keeps vertices in place that nothing moves.
        still: Option<u32>,
    },
    /// Those without influences.
    Rigid,
    /// All, without their influences: no skin moves them.
    Unbound,
    /// All: the mesh is drawn nowhere.
    Undrawn,
}

impl Shape {
    /// Whether a primitive belongs to it.
    pub fn has(self, primitive: &Primitive) -> bool {
        is_drawable(primitive)
            && match self {
                Shape::Skinned { .. } => primitive.streams.influences.is_some(),
                Shape::Rigid => primitive.streams.influences.is_none(),
                Shape::Unbound | Shape::Undrawn => true,
            }
    }
}

/// Whether a primitive has anything to draw.
pub fn is_drawable(primitive: &Primitive) -> bool {
    !primitive.streams.is_empty() && !primitive.indices.is_empty()
}

/// The node that a skinned mesh hangs at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Its own, as it is.
    Itself,
    /// Its own, made a root with the identity transform.
    Moved,
    /// A root of its own, because its node has other things to carry.
    Apart,
}

/// What is drawn at a node.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// What its transform moves.
    pub rigid: Option<Shape>,
    /// What its skin moves, and where that hangs.
    pub skinned: Option<(Shape, Handle<Skin>, Carrier)>,
}

/// A root above everything.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Its index among the nodes.
    pub index: usize,
}

/// What is rearranged.
#[derive(Debug)]
pub struct Plan {
    /// The added root.
    pub root: Option<Root>,
    /// What is drawn, for each node.
    pub drawings: Vec<Drawing>,
    /// Whether clips move it, for each node.
    pub moving: Vec<bool>,
    /// The topmost node above it, for each node.
    pub top: Vec<usize>,
    /// The roots of the default scene.
    pub scene_roots: Vec<usize>,
    /// Whether the added root is one of its joints, for each skin.
    pub still: Vec<bool>,
    skins: Vec<Option<usize>>,
}

impl Plan {
    /// What is to be done with a scene.
    pub fn new(scene: &Scene, losses: &mut LossReport) -> Plan {
        let mut drawings: Vec<Drawing> = scene.nodes.entries().map(|(_, node)| drawing(scene, node)).collect();
        let mut still = vec![false; scene.skins.len()];
        for drawing in &drawings {
            if let Some((Shape::Skinned { still: Some(_) }, skin, _)) = drawing.skinned {
                set(&mut still, skin.index());
            }
        }
        let top = tops(scene);
        let scene_roots = scene_roots(scene, &top, losses);
        let moving = moving(scene);
        let root = root(scene, &top, &still, losses);
        let mut moved = Tally::default();
        for ((handle, node), drawing) in scene.nodes.entries().zip(&mut drawings) {
            let Some((_, _, carrier)) = &mut drawing.skinned else { continue };
            let bare = node.children.is_empty()
                && drawing.rigid.is_none()
                && !is_set(&moving, handle.index())
                && !scene.skins.iter().any(|skin| skin.joints.contains(&handle));
            let at_top = top.get(handle.index()) == Some(&handle.index());
            let at_identity = node.transform.matrix() == Mat4::IDENTITY && !is_set(&moving, handle.index());
            *carrier = match bare {
                _ if at_top && at_identity && drawing.rigid.is_none() && (root.is_none() || bare) => Carrier::Itself,
                true => Carrier::Moved,
                false => Carrier::Apart,
            };
            if *carrier != Carrier::Itself {
                moved.note(0.0);
            }
        }
        let detail = "skinned meshes hang at roots of the scene now; their own nodes do not move them";
        losses.push(LossKind::Baked, Lost::NodeTransforms, "the model", detail, moved.count);
        report_unused_bindings(scene, &drawings, losses);
        let mut next = 0..;
        let skins = scene.skins.iter().map(|skin| if skin.joints.is_empty() { None } else { next.next() }).collect();
        Plan { root, drawings, moving, top, scene_roots, still, skins }
    }

    /// Where a skin is in the file; those without joints are left out.
    pub fn skin(&self, skin: Handle<Skin>) -> Option<usize> {
        self.skins.get(skin.index()).copied().flatten()
    }

    /// Whether a node is in the default scene.
    pub fn is_in_scene(&self, node: usize) -> bool {
        self.top.get(node).is_some_and(|top| self.scene_roots.contains(top))
    }
}

fn set(flags: &mut [bool], index: usize) {
    if let Some(flag) = flags.get_mut(index) {
        *flag = true;
    }
}

fn is_set(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}

fn drawing(scene: &Scene, node: &Node) -> Drawing {
    let nothing = Drawing { rigid: None, skinned: None };
    let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { return nothing };
    let [bound, free] = [Shape::Skinned { still: None }, Shape::Rigid].map(|shape| {
        let mut primitives = mesh.primitives.iter();
        primitives.any(|primitive| shape.has(primitive))
    });
    let skin = node.skin.and_then(|handle| Some((handle, scene.skins.get(handle)?)));
    match skin.filter(|(_, skin)| bound && !skin.joints.is_empty()) {
        Some((handle, skin)) => {
            let still = has_still_vertices(mesh).then(|| u32::try_from(skin.joints.len()).unwrap_or(u32::MAX));
            let skinned = Some((Shape::Skinned { still }, handle, Carrier::Itself));
            Drawing { rigid: free.then_some(Shape::Rigid), skinned }
        }
        None => Drawing { rigid: Some(if bound { Shape::Unbound } else { Shape::Rigid }), skinned: None },
    }
}

fn has_still_vertices(mesh: &Mesh) -> bool {
    let bound = mesh.primitives.iter().filter(|primitive| is_drawable(primitive));
    let mut bound =
        bound.filter_map(|primitive| Some((primitive.streams.len(), primitive.streams.influences.as_ref()?)));
    bound.any(|(count, influences)| (0..count).any(|vertex| is_still(influences, vertex)))
}

/// Whether nothing moves a vertex.
pub fn is_still(influences: &Influences, vertex: usize) -> bool {
    influences.of(vertex).all(|(_, weight)| weight <= 0.0)
}

fn tops(scene: &Scene) -> Vec<usize> {
    let parents = scene.parents();
    let mut tops: Vec<usize> = (0..scene.nodes.len()).collect();
    for handle in scene.nodes_parents_first() {
        let parent = parents.get(handle.index()).copied().flatten();
        let above = parent.and_then(|parent| tops.get(parent.index()).copied());
        if let (Some(above), Some(top)) = (above, tops.get_mut(handle.index())) {
            *top = above;
        }
    }
    tops
}

/// The roots of the scene, and those of further trees with joints, which skins need.
fn scene_roots(scene: &Scene, tops: &[usize], losses: &mut LossReport) -> Vec<usize> {
    let mut all: Vec<usize> = scene.roots.iter().map(|root| root.index()).collect();
    let roots = all.len();
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        match tops.get(joint.index()) {
            Some(&top) if !all.contains(&top) => all.push(top),
            _ => {}
        }
    }
    let detail = "trees of joints that no root reached are part of the scene now, as skins need them";
    losses.push(LossKind::Baked, Lost::Nodes, "the model", detail, (all.len() - roots) as u64);
    all
}

fn moving(scene: &Scene) -> Vec<bool> {
    let mut moving = vec![false; scene.nodes.len()];
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks) {
        let transforms = !matches!(track.curve, Curve::MorphWeights(_)) && !track.curve.times_secs().is_empty();
        if let (Target::Node(node), true) = (&track.target, transforms) {
            set(&mut moving, node.index());
        }
    }
    moving
}

fn root(scene: &Scene, tops: &[usize], still: &[bool], losses: &mut LossReport) -> Option<Root> {
    let apart = scene.skins.iter().filter(|skin| {
        let mut tops = skin.joints.iter().map(|joint| tops.get(joint.index()));
        let first = tops.next();
        tops.any(|top| Some(top) != first)
    });
    let apart = apart.count() as u64;
    let detail = "a root is added above joints that had none in common";
    losses.push(LossKind::Baked, Lost::Hierarchy, "the skeleton", detail, apart);
    let needed = apart > 0 || still.contains(&true);
    needed.then_some(Root { index: scene.nodes.len() })
}

fn report_unused_bindings(scene: &Scene, drawings: &[Drawing], losses: &mut LossReport) {
    for ((handle, node), drawing) in scene.nodes.entries().zip(drawings) {
        let whose = || subject("node", handle.index(), &node.name);
        if drawing.rigid == Some(Shape::Unbound) {
            losses.dropped(Lost::Influences, whose(), "no skin moves the mesh at this node", 1);
        }
        if node.skin.is_some() && drawing.skinned.is_none() {
            losses.dropped(Lost::Skins, whose(), "its mesh has no influences, or the skin no joints", 1);
        }
    }
}
