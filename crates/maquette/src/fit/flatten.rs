//! Nodes flattened into a model: vertices in one space, moved by one skeleton.
//!
//! What is skinned is put where it rests, by one transform for all of its joints ([`Stand`]). What hangs under a moving node becomes skinned to that node alone.
//! What never moves is baked into place. Joints are all nodes that move something, with everything above them, so that no
//! transform has to be flattened into keys. A joint that two skins bind differently is there twice.

use super::deviation::{largest_move, moving_part_of};
use super::instances::{Given, Instances};
use super::stand::Stand;
use maquette_formats::format::Caps;
use maquette_scene::clip::{Clip, Target, Track};
use maquette_scene::glam::{Mat3, Mat4, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Influences, Mesh, Primitive};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Arena, Handle, Scene};
use std::collections::{HashMap, HashSet};

/// A scene in which meshes stand at root nodes and one skin lists every joint; and what each of its meshes was given before it was repeated.
pub fn flatten(mut scene: Scene, caps: &Caps, losses: &mut LossReport) -> (Scene, Vec<Given>) {
    let rest = scene.rest_world_from_node();
    let instances = Instances::prepare(&scene, &rest, caps);
    let mut flat = Scene {
        materials: std::mem::take(&mut scene.materials),
        images: std::mem::take(&mut scene.images),
        extras: std::mem::take(&mut scene.extras),
        ..Scene::default()
    };
    let mut meshes = std::mem::take(&mut scene.meshes);
    let scene = &scene;
    let mut skeleton = Skeleton::new(scene, &rest, &mut flat);
    let stands: Vec<Stand> = scene.skins.iter().map(|skin| Stand::new(skin, &rest)).collect();
    let mut to_draw: HashMap<Handle<Mesh>, u64> = HashMap::new();
    for mesh in scene.nodes.iter().filter_map(|node| node.mesh).filter(|mesh| meshes.get(*mesh).is_some()) {
        *to_draw.entry(mesh).or_default() += 1;
    }
    let undrawn = meshes.len() - to_draw.len();
    losses.dropped(Lost::Meshes, "the model", "they are drawn at no node", undrawn as u64);
    let copies: u64 = to_draw.values().map(|count| count - 1).sum();
    losses.push(
        LossKind::Baked,
        Lost::Instances,
        "the model",
        "meshes that are drawn several times are repeated",
        copies,
    );
    let mut given = Vec::with_capacity(flat.meshes.len());
    for handle in scene.nodes_parents_first() {
        let Some((node, drawn)) = scene.nodes.get(handle).and_then(|node| Some((node, node.mesh?))) else { continue };
        let (Some(mesh), Some(left)) = (meshes.get_mut(drawn), to_draw.get_mut(&drawn)) else { continue };
        *left -= 1;
        let world = rest.get(handle.index()).copied().unwrap_or(Mat4::IDENTITY);
        let primitives = match instances.of(node, world) {
            Some(prepared) => {
                given.push(prepared.given.clone());
                prepared.primitives.clone()
            }
            None => {
                given.push(Given::default());
                // Nobody needs what the last one takes.
                if *left == 0 { std::mem::take(&mut mesh.primitives) } else { mesh.primitives.clone() }
            }
        };
        let stood = place(handle, node, mesh, primitives, &stands, &mut skeleton, &mut flat);
        let subject = subject("mesh", drawn.index(), &mesh.name);
        losses.push(LossKind::Baked, Lost::BindPoses, subject, "bound anew where the model rests", stood);
    }
    let joints = skeleton.finish(&mut flat);
    for (index, clip) in scene.clips.iter().enumerate() {
        let clip = retarget(clip, index, &joints, losses);
        flat.clips.push(clip);
    }
    report(scene, &meshes, &joints, losses);
    report_joints(&flat, joints.len(), losses);
    (flat, given)
}

/// Joints that are there again, and those whose transforms are not just translation, rotation and scale.
fn report_joints(flat: &Scene, known: usize, losses: &mut LossReport) {
    let all: Vec<Handle<Node>> = flat.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let again = all.len().saturating_sub(known) as u64;
    losses.push(LossKind::Baked, Lost::Joints, "the skeleton", "bound in several ways, they are there for each", again);
    let parts = |joint: Handle<Node>| match flat.nodes.get(joint)?.transform {
        Transform::Matrix(matrix) => Some((matrix, Trs::from_matrix(matrix))),
        Transform::Trs(_) => None,
    };
    let is_sheared = |(matrix, trs): &(Mat4, Trs)| !trs.matrix().abs_diff_eq(*matrix, 1e-5);
    let sheared = all.iter().filter_map(|joint| parts(*joint)).filter(is_sheared).count() as u64;
    if sheared > 0 {
        let mut unsheared = moving_part_of(flat);
        for joint in all {
            if let (Some(node), Some((_, trs))) = (unsheared.nodes.get_mut(joint), parts(joint)) {
                node.transform = Transform::Trs(trs);
            }
        }
        let max_error = largest_move(flat, &unsheared);
        let detail = format!("as translation, rotation and scale; the worst vertex moves by {max_error}");
        losses.push(LossKind::Approximated { max_error }, Lost::Shear, "the skeleton", detail, sheared);
    }
}

fn report(scene: &Scene, meshes: &Arena<Mesh>, joints: &HashMap<Handle<Node>, Handle<Node>>, losses: &mut LossReport) {
    let draws = draws(scene);
    let (mut baked, mut empty) = (0, 0);
    for (handle, node) in scene.nodes.entries().filter(|(handle, _)| !joints.contains_key(handle)) {
        match draws.get(handle.index()).copied().unwrap_or(false) {
            true => baked += u64::from(node.transform != Transform::default() || node.mesh.is_none()),
            false => empty += 1,
        }
    }
    losses.push(LossKind::Baked, Lost::Nodes, "the model", "flattened into the vertices", baked);
    losses.dropped(Lost::Nodes, "the model", "nothing is drawn at them, and they are no joints", empty);
    let is_nameless = |mesh: Handle<Mesh>| meshes.get(mesh).is_some_and(|mesh| mesh.name.is_empty());
    let loses_name = |(handle, node): &(Handle<Node>, &Node)| {
        // A mesh without a name is called as its node was.
        !joints.contains_key(handle) && !node.name.is_empty() && !node.mesh.is_some_and(is_nameless)
    };
    let named = scene.nodes.entries().filter(loses_name).count() as u64;
    losses.dropped(Lost::NodeNames, "the model", "those of nodes that are no joints", named);
    let bound: HashSet<Handle<Node>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let promoted = joints.keys().filter(|joint| !bound.contains(joint)).count() as u64;
    losses.push(LossKind::Baked, Lost::Joints, "the skeleton", "nodes become joints", promoted);
}

/// At which nodes, or below them, a mesh is drawn.
fn draws(scene: &Scene) -> Vec<bool> {
    let mut draws: Vec<bool> = scene.nodes.iter().map(|node| node.mesh.is_some()).collect();
    let parents = scene.parents();
    for node in scene.nodes_parents_first().into_iter().rev() {
        let parent = parents.get(node.index()).copied().flatten();
        if let (Some(&true), Some(parent)) = (draws.get(node.index()), parent)
            && let Some(above) = draws.get_mut(parent.index())
        {
            *above = true;
        }
    }
    draws
}

/// The joints of the flat scene, made from the moving nodes of the other.
struct Skeleton<'s> {
    scene: &'s Scene,
    parents: Vec<Option<Handle<Node>>>,
    /// The nearest joint at or above each node.
    carriers: Vec<Option<Handle<Node>>>,
    /// The node of the flat scene for each joint of the other.
    nodes: HashMap<Handle<Node>, Handle<Node>>,
    /// The joint that each of these nodes is first.
    first: HashMap<Handle<Node>, usize>,
    /// Which joint a node is for each matrix it is bound with.
    bound: HashMap<(Handle<Node>, [u32; 16]), u32>,
    joints: Vec<Handle<Node>>,
    joint_from_mesh: Vec<Option<Mat4>>,
    rest: &'s [Mat4],
}

impl<'s> Skeleton<'s> {
    fn new(scene: &'s Scene, rest: &'s [Mat4], flat: &mut Scene) -> Self {
        let mut skeleton = Skeleton {
            scene,
            parents: scene.parents(),
            carriers: vec![None; scene.nodes.len()],
            nodes: HashMap::new(),
            first: HashMap::new(),
            bound: HashMap::new(),
            joints: Vec::new(),
            joint_from_mesh: Vec::new(),
            rest,
        };
        let moving = moving(scene, &skeleton.parents);
        for handle in scene.nodes_parents_first() {
            let is_joint = moving.get(handle.index()).copied().unwrap_or(false);
            let carrier = if is_joint {
                Some(handle)
            } else {
                skeleton.parent(handle).and_then(|parent| skeleton.carrier(parent))
            };
            skeleton.carriers.get_mut(handle.index()).into_iter().for_each(|place| *place = carrier);
            let Some(node) = scene.nodes.get(handle).filter(|_| is_joint) else { continue };
            let copy = Node {
                name: node.name.clone(),
                transform: node.transform,
                extras: node.extras.clone(),
                ..Node::default()
            };
            let copy = flat.nodes.push(copy);
            let parent = skeleton.parent(handle).and_then(|parent| skeleton.nodes.get(&parent));
            match parent.and_then(|&parent| flat.nodes.get_mut(parent)) {
                Some(parent) => parent.children.push(copy),
                None => flat.roots.push(copy),
            }
            skeleton.nodes.insert(handle, copy);
            skeleton.first.insert(copy, skeleton.joints.len());
            skeleton.joints.push(copy);
            skeleton.joint_from_mesh.push(None);
        }
        skeleton
    }

    fn parent(&self, node: Handle<Node>) -> Option<Handle<Node>> {
        self.parents.get(node.index()).copied().flatten()
    }

    /// The nearest joint at or above a node.
    fn carrier(&self, node: Handle<Node>) -> Option<Handle<Node>> {
        self.carriers.get(node.index()).copied().flatten()
    }

    /// The joint that a node is when it is bound with this matrix.
    fn bind(&mut self, node: Handle<Node>, joint_from_mesh: Mat4, flat: &mut Scene) -> Option<u32> {
        let key = (node, joint_from_mesh.to_cols_array().map(f32::to_bits));
        if let Some(&joint) = self.bound.get(&key) {
            return Some(joint);
        }
        let copy = *self.nodes.get(&node)?;
        let first = *self.first.get(&copy)?;
        let joint = match self.joint_from_mesh.get_mut(first) {
            Some(free @ None) => {
                *free = Some(joint_from_mesh);
                first
            }
            _ => {
                let name = format!("{} (bound again)", self.scene.nodes.get(node).map_or("", |node| &node.name));
                let again = flat.nodes.push(Node { name, ..Node::default() });
                flat.nodes.get_mut(copy)?.children.push(again);
                self.joints.push(again);
                self.joint_from_mesh.push(Some(joint_from_mesh));
                self.joints.len() - 1
            }
        };
        self.bound.insert(key, joint as u32);
        Some(joint as u32)
    }

    /// Makes the skin; joints that bind nothing are bound where they rest.
    fn finish(self, flat: &mut Scene) -> HashMap<Handle<Node>, Handle<Node>> {
        if self.joints.is_empty() {
            return self.nodes;
        }
        let rest_of: HashMap<Handle<Node>, Mat4> = self
            .nodes
            .iter()
            .map(|(old, new)| (*new, self.rest.get(old.index()).copied().unwrap_or(Mat4::IDENTITY)))
            .collect();
        let unbound = |joint: &Handle<Node>| {
            let inverse = rest_of.get(joint).copied().unwrap_or(Mat4::IDENTITY).inverse();
            if inverse.is_finite() { inverse } else { Mat4::IDENTITY }
        };
        let joint_from_mesh = self
            .joints
            .iter()
            .zip(&self.joint_from_mesh)
            .map(|(joint, bound)| bound.unwrap_or_else(|| unbound(joint)))
            .collect();
        let skin = flat.skins.push(Skin { name: String::new(), joints: self.joints, joint_from_mesh });
        for node in flat.nodes.iter_mut() {
            let skinned = node
                .mesh
                .and_then(|mesh| flat.meshes.get(mesh))
                .is_some_and(|mesh| mesh.primitives.iter().any(|primitive| primitive.streams.influences.is_some()));
            node.skin = skinned.then_some(skin);
        }
        self.nodes
    }
}

/// Which nodes are joints: those that clips move or skins bind to, and everything above them.
fn moving(scene: &Scene, parents: &[Option<Handle<Node>>]) -> Vec<bool> {
    let mut moving = vec![false; scene.nodes.len()];
    let targets = scene.clips.iter().flat_map(|clip| &clip.tracks).filter_map(|track| match track.target {
        Target::Node(node) => Some(node),
        Target::Name(_) => None,
    });
    let bound = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    for start in targets.chain(bound) {
        let mut climber = Some(start);
        while let Some(node) = climber {
            match moving.get_mut(node.index()) {
                Some(moving) if !*moving => *moving = true,
                _ => break,
            }
            climber = parents.get(node.index()).copied().flatten();
        }
    }
    moving
}

/// Adds a drawn mesh, of these parts, to the flat scene; how many of its vertices were put where they rest.
fn place(
    handle: Handle<Node>,
    node: &Node,
    mesh: &Mesh,
    mut primitives: Vec<Primitive>,
    stands: &[Stand],
    skeleton: &mut Skeleton<'_>,
    flat: &mut Scene,
) -> u64 {
    let mut stood = 0;
    let (scene, rest) = (skeleton.scene, skeleton.rest);
    let world = rest.get(handle.index()).copied().unwrap_or(Mat4::IDENTITY);
    let skin = node.skin.and_then(|skin| Some((scene.skins.get(skin)?, stands.get(skin.index())?)));
    let carrier = skeleton.carrier(handle);
    for primitive in &mut primitives {
        match (skin, primitive.streams.influences.take()) {
            (Some((skin, stand)), Some(influences)) => {
                transform(primitive, stand.standing_from_mesh);
                stood += if stand.standing_from_mesh == Mat4::IDENTITY { 0 } else { primitive.streams.len() as u64 };
                primitive.streams.influences = Some(rebind(influences, skin, stand, skeleton, flat));
            }
            _ => {
                transform(primitive, world);
                primitive.streams.influences =
                    carrier.and_then(|carrier| ride(primitive, carrier, rest, skeleton, flat));
            }
        }
    }
    let name = if mesh.name.is_empty() { node.name.clone() } else { mesh.name.clone() };
    let copy = Mesh { name, primitives, extras: mesh.extras.clone(), ..Mesh::default() };
    let copy = flat.meshes.push(copy);
    let root = flat.nodes.push(Node { mesh: Some(copy), ..Node::default() });
    flat.roots.push(root);
    stood
}

/// The same influences in the one skin.
fn rebind(
    mut influences: Influences,
    skin: &Skin,
    stand: &Stand,
    skeleton: &mut Skeleton<'_>,
    flat: &mut Scene,
) -> Influences {
    let joints: Vec<u32> = skin
        .joints
        .iter()
        .zip(&stand.joint_from_standing)
        .map(|(&joint, &matrix)| skeleton.bind(joint, matrix, flat).unwrap_or(0))
        .collect();
    influences.joints.iter_mut().for_each(|joint| *joint = joints.get(*joint as usize).copied().unwrap_or(0));
    influences
}

/// Every vertex bound to the joint that carries the part; none if that joint cannot be bound where it rests.
fn ride(
    primitive: &Primitive,
    carrier: Handle<Node>,
    rest: &[Mat4],
    skeleton: &mut Skeleton<'_>,
    flat: &mut Scene,
) -> Option<Influences> {
    let joint_from_mesh = rest.get(carrier.index()).copied().unwrap_or(Mat4::IDENTITY).inverse();
    let joint = skeleton.bind(carrier, Some(joint_from_mesh).filter(|matrix| matrix.is_finite())?, flat)?;
    let count = primitive.streams.len();
    Some(Influences { slots: 1, joints: vec![joint; count], weights: vec![1.0; count] })
}

/// Moves a part; a mirror turns its faces and bitangents around.
fn transform(primitive: &mut Primitive, matrix: Mat4) {
    if matrix == Mat4::IDENTITY {
        return;
    }
    let linear = Mat3::from_mat4(matrix);
    let mirrored = linear.determinant() < 0.0;
    let normal_matrix = linear.inverse().transpose();
    let normal_matrix = if normal_matrix.is_finite() { normal_matrix } else { linear };
    let turned = |matrix: Mat3, vector: [f32; 3]| {
        let vector = Vec3::from(vector);
        (matrix * vector).try_normalize().unwrap_or(vector)
    };
    let streams = &mut primitive.streams;
    for position in &mut streams.positions {
        *position = matrix.transform_point3(Vec3::from(*position)).to_array();
    }
    for normal in streams.normals.iter_mut().flatten() {
        *normal = turned(normal_matrix, *normal).to_array();
    }
    for tangent in streams.tangents.iter_mut().flatten() {
        let [x, y, z, sign] = *tangent;
        *tangent = turned(linear, [x, y, z]).extend(if mirrored { -sign } else { sign }).to_array();
    }
    if mirrored {
        primitive.turn_around();
    }
}

/// The clip with its tracks on the joints of the flat scene. Of several tracks of one property the last one counts, as it does where a clip is played.
fn retarget(clip: &Clip, index: usize, joints: &HashMap<Handle<Node>, Handle<Node>>, losses: &mut LossReport) -> Clip {
    let mut tracks: Vec<Track> = Vec::with_capacity(clip.tracks.len());
    let mut known: HashMap<(Handle<Node>, &str), usize> = HashMap::new();
    let (mut unmatched, mut replaced) = (0, 0);
    for track in &clip.tracks {
        let joint = match &track.target {
            Target::Node(node) => joints.get(node),
            Target::Name(_) => None,
        };
        let Some(&joint) = joint else {
            unmatched += 1;
            continue;
        };
        let track = Track { target: Target::Node(joint), ..track.clone() };
        let place = *known.entry((joint, track.curve.property())).or_insert(tracks.len());
        match tracks.get_mut(place) {
            Some(earlier) => {
                *earlier = track;
                replaced += 1;
            }
            None => tracks.push(track),
        }
    }
    let whose = subject("clip", index, &clip.name);
    losses.dropped(Lost::Tracks, &whose, "they move bones that the model does not have", unmatched);
    losses.dropped(Lost::Tracks, whose, "others of the clip move the same property and come later", replaced);
    Clip { tracks, ..clip.clone() }
}
