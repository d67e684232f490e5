//! AEM to a scene.
//!
//! Each mesh becomes a mesh of one part with the vertices it uses, at a root node of its own. Joints become nodes whose rest pose
//! is the bind pose, so that at rest every vertex is where it is stored, as libaem shows a model without animation. A track
//! replaces the whole transform of a joint; a kind of key that it lacks means no translation, no rotation or a scale of 1.

use super::check::{
    BIND_NOT_FINITE, INDEX_OUT_OF_RANGE, INFLUENCE_JOINT, PARENT_CYCLE, PARENT_OUT_OF_RANGE, VERTEX_NOT_FINITE,
    indices_shared, keys_shared,
};
use super::materials::{self, Surfaces};
use super::raw::{File, Keyframe, Mesh, Vertex};
use crate::format::{ReadOptions, Result, refuse};
use crate::rising::rise;
use crate::rules::numbers;
use crate::rules::parents::cycles;
use crate::summary::shown;
use maquette_scene::clip::{Clip, Curve, Keys, Target, Track};
use maquette_scene::diag::Diagnostic;
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{self, Influences, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, Scene, path};
use zerocopy::little_endian::F32;

/// Reads a file into a scene.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    if let Some(finding) = indices_shared(file).or_else(|| keys_shared(file)) {
        return Err(refuse(file, finding));
    }
    let mut scene = Scene::default();
    let surfaces = materials::read(file, &options.source, &mut scene)?;
    let joints = read_joints(file, &mut scene, losses)?;
    let mut used = vec![false; file.vertices.len()];
    for index in 0..file.meshes.len() {
        read_mesh(file, index, &mut scene, &joints, &surfaces, &mut used, losses)?;
    }
    let unused = used.iter().filter(|used| !**used).count();
    losses.dropped(Lost::Vertices, "the model", "they are in no mesh", unused as u64);
    for index in 0..file.animations.len() {
        read_clip(file, index, &mut scene, &joints, losses)?;
    }
    Ok(scene)
}

/// The joints as nodes, and the skin that lists them in file order.
struct Joints {
    nodes: Vec<Handle<Node>>,
    skin: Option<Handle<Skin>>,
}

fn read_joints(file: &File<'_>, scene: &mut Scene, losses: &mut LossReport) -> Result<Joints> {
    let count = file.joints.len();
    let mut parents = Vec::with_capacity(count);
    for (index, joint) in file.joints.iter().enumerate() {
        if !numbers::all_finite(&joint.inverse_bind_matrix) {
            let at = path!("joints", index, "inverse_bind_matrix");
            return Err(refuse(file, Diagnostic::new(&BIND_NOT_FINITE, at, "the matrix is not finite")));
        }
        let parent = joint.parent.get();
        match usize::try_from(parent) {
            Ok(parent) if parent < count => parents.push(Some(parent)),
            Err(_) if parent == -1 => parents.push(None),
            _ => {
                let at = path!("joints", index, "parent");
                return Err(refuse(file, Diagnostic::new(&PARENT_OUT_OF_RANGE, at, format!("the parent is {parent}"))));
            }
        }
    }
    let nodes: Vec<Handle<Node>> = file
        .joints
        .iter()
        .map(|joint| scene.nodes.push(Node { name: shown(joint.name.text()), ..Node::default() }))
        .collect();
    for (index, parent) in parents.iter().enumerate() {
        let Some(&node) = nodes.get(index) else { continue };
        match parent.and_then(|parent| nodes.get(parent)).and_then(|&parent| scene.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(node),
            None => scene.roots.push(node),
        }
    }
    if let Some(&index) = cycles(count, |index| parents.get(index).copied().flatten()).first() {
        let finding = Diagnostic::new(&PARENT_CYCLE, path!("joints", index, "parent"), "the joint is its own ancestor");
        return Err(refuse(file, finding));
    }
    set_rest_pose(file, scene, &nodes, &parents, losses);
    let skin = (count > 0).then(|| {
        let joint_from_mesh = file.joints.iter().map(|joint| matrix(&joint.inverse_bind_matrix)).collect();
        scene.skins.push(Skin { name: String::new(), joints: nodes.clone(), joint_from_mesh })
    });
    Ok(Joints { nodes, skin })
}

fn matrix(elements: &[F32; 16]) -> Mat4 {
    Mat4::from_cols_array(&elements.map(F32::get))
}

/// The local transform of each joint in the bind pose: the inverse of its inverse bind matrix, seen from its parent.
fn set_rest_pose(
    file: &File<'_>,
    scene: &mut Scene,
    nodes: &[Handle<Node>],
    parents: &[Option<usize>],
    losses: &mut LossReport,
) {
    let mut lost = 0;
    let mut finite = |transform: Mat4| {
        lost += u64::from(!transform.is_finite());
        Some(transform).filter(|transform| transform.is_finite())
    };
    // Both ways are kept: the inverse of an inverse may be beyond what singles hold.
    let mut bind = |joint_from_mesh: Mat4| Some((joint_from_mesh, finite(joint_from_mesh.inverse())?));
    let binds: Vec<(Mat4, Mat4)> =
        file.joints.iter().map(|joint| bind(matrix(&joint.inverse_bind_matrix)).unwrap_or_default()).collect();
    for (index, (&node, parent)) in nodes.iter().zip(parents).enumerate() {
        let (_, mesh_from_joint) = binds.get(index).copied().unwrap_or_default();
        let (parent_from_mesh, _) = parent.and_then(|parent| binds.get(parent)).copied().unwrap_or_default();
        if let Some(node) = scene.nodes.get_mut(node) {
            node.transform = local(finite(parent_from_mesh * mesh_from_joint).unwrap_or_default());
        }
    }
    losses.dropped(
        Lost::BindPoses,
        "the skeleton",
        "inverse bind matrices without an inverse, or too far from their parent's; the rest pose is the origin",
        lost,
    );
}

/// As parts where they say the same, else as the matrix.
fn local(matrix: Mat4) -> Transform {
    let trs = Trs::from_matrix(matrix);
    if trs.matrix().abs_diff_eq(matrix, 1e-6) { Transform::Trs(trs) } else { Transform::Matrix(matrix) }
}

fn read_mesh(
    file: &File<'_>,
    index: usize,
    scene: &mut Scene,
    joints: &Joints,
    surfaces: &Surfaces,
    used: &mut [bool],
    losses: &mut LossReport,
) -> Result<()> {
    let Some(mesh) = file.meshes.get(index) else { return Ok(()) };
    let Some(indices) = indices_of(file, mesh) else {
        let at = path!("meshes", index, "first_index");
        let finding =
            Diagnostic::new(&super::check::MESH_RANGE, at, "the mesh claims indices past the end of the table");
        return Err(refuse(file, finding));
    };
    let subject = subject("mesh", index, "");
    let whole = indices.len() / 3 * 3;
    losses.push(
        LossKind::Truncated,
        Lost::Triangles,
        &subject,
        "the last corners make no triangle",
        (indices.len() - whole) as u64,
    );
    let mut order: Vec<u32> = indices.iter().take(whole).map(|index| index.get()).collect();
    order.sort_unstable();
    order.dedup();
    if let Some(&last) = order.last().filter(|&&last| last as usize >= file.vertices.len()) {
        let at = indices.iter().position(|index| index.get() == last).unwrap_or(0);
        let at = path!("indices", mesh.first_index.get() as usize + at);
        return Err(refuse(file, Diagnostic::new(&INDEX_OUT_OF_RANGE, at, format!("the index is {last}"))));
    }
    let mut vertices = Vec::with_capacity(order.len());
    for &vertex in &order {
        used.get_mut(vertex as usize).into_iter().for_each(|used| *used = true);
        vertices.extend(file.vertices.get(vertex as usize));
    }
    let position = |index: u32| order.binary_search(&index).unwrap_or(0) as u32;
    let primitive = Primitive {
        streams: streams(file, &order, &vertices, &subject, losses)?,
        indices: indices.iter().take(whole).map(|index| position(index.get())).collect(),
        material: surfaces.get(mesh.material_index.get()),
        ..Primitive::default()
    };
    let skin = joints.skin.filter(|_| primitive.streams.influences.is_some());
    let mesh = scene.meshes.push(mesh::Mesh { primitives: vec![primitive], ..mesh::Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin, ..Node::default() });
    scene.roots.push(node);
    Ok(())
}

fn indices_of<'f>(file: &'f File<'_>, mesh: &Mesh) -> Option<&'f [zerocopy::little_endian::U32]> {
    let first = mesh.first_index.get() as usize;
    file.indices.get(first..first.checked_add(mesh.index_count.get() as usize)?)
}

fn streams(
    file: &File<'_>,
    order: &[u32],
    vertices: &[&Vertex],
    subject: &str,
    losses: &mut LossReport,
) -> Result<Streams> {
    for (&index, vertex) in order.iter().zip(vertices) {
        if !numbers::all_finite(&vertex.position) || !numbers::all_finite(&vertex.joint_weights) {
            let finding =
                Diagnostic::new(&VERTEX_NOT_FINITE, path!("vertices", index as usize), "the vertex is not finite");
            return Err(refuse(file, finding));
        }
    }
    Ok(Streams {
        positions: vertices.iter().map(|vertex| vertex.position.map(F32::get)).collect(),
        normals: Some(vertices.iter().map(|vertex| vertex.normal.map(F32::get)).collect()),
        tangents: tangents(vertices, subject, losses),
        uvs: vec![vertices.iter().map(|vertex| vertex.uv.map(F32::get)).collect()],
        colours: Vec::new(),
        influences: influences(file, order, vertices)?,
    })
}

/// Tangents with the sign of their bitangent. What is left of the bitangent is its distance from `normal × tangent`.
fn tangents(vertices: &[&Vertex], subject: &str, losses: &mut LossReport) -> Option<Vec<[f32; 4]>> {
    let vector = |values: [F32; 3]| Vec3::from(values.map(F32::get));
    let missing = vertices.iter().filter(|vertex| vector(vertex.tangent).length_squared() < 1e-12).count();
    if missing > 0 {
        losses.dropped(Lost::Tangents, subject, format!("{missing} tangents of length 0"), vertices.len() as u64);
        return None;
    }
    let mut skewed = 0;
    let mut largest = 0.0f32;
    let tangents = vertices.iter().map(|vertex| {
        let (normal, tangent, bitangent) = (vector(vertex.normal), vector(vertex.tangent), vector(vertex.bitangent));
        let across = normal.cross(tangent);
        let sign = if across.dot(bitangent) < 0.0 { -1.0 } else { 1.0 };
        let error = (across * sign).distance(bitangent);
        skewed += u64::from(error > 1e-3);
        largest = largest.max(error);
        tangent.extend(sign).to_array()
    });
    let tangents = tangents.collect();
    let kind = LossKind::Approximated { max_error: largest };
    losses.push(
        kind,
        Lost::Tangents,
        subject,
        format!("they are taken as normal × tangent, up to {largest} away"),
        skewed,
    );
    Some(tangents)
}

fn influences(file: &File<'_>, order: &[u32], vertices: &[&Vertex]) -> Result<Option<Influences>> {
    let mut influences = Influences { slots: 4, ..Influences::default() };
    let mut any = false;
    for (&index, vertex) in order.iter().zip(vertices) {
        for (slot, (joint, weight)) in vertex.joint_indices.iter().zip(&vertex.joint_weights).enumerate() {
            // An influence without a joint moves nothing, whatever its weight.
            let joint = usize::try_from(joint.get()).ok();
            if joint.is_some_and(|joint| joint >= file.joints.len()) && weight.get() != 0.0 {
                let at = path!("vertices", index as usize, "joint_indices", slot);
                return Err(refuse(file, Diagnostic::new(&INFLUENCE_JOINT, at, "the joint does not exist")));
            }
            let joint = joint.filter(|&joint| weight.get() != 0.0 && joint < file.joints.len());
            any |= joint.is_some();
            influences.joints.push(joint.unwrap_or(0) as u32);
            influences.weights.push(joint.map_or(0.0, |_| weight.get()));
        }
    }
    Ok(any.then_some(influences))
}

fn read_clip(file: &File<'_>, index: usize, scene: &mut Scene, joints: &Joints, losses: &mut LossReport) -> Result<()> {
    let Some(animation) = file.animations.get(index) else { return Ok(()) };
    let name = shown(animation.name.text());
    let subject = subject("clip", index, &name);
    let mut clip = Clip { duration_secs: f64::from(animation.duration.get()), name, ..Clip::default() };
    if !clip.duration_secs.is_finite() {
        losses.dropped(Lost::Durations, &subject, "the duration is not finite; the last key ends the clip", 1);
        clip.duration_secs = 0.0;
    }
    for (position, (track, &node)) in file.tracks_of(index).iter().zip(&joints.nodes).enumerate() {
        let mut first = track.first_keyframe.get() as usize;
        let mut run = |count: u32| {
            let from = first;
            first = first.saturating_add(count as usize);
            file.keyframes.get(from..first).ok_or_else(|| {
                let at = path!("tracks", index * joints.nodes.len() + position, "first_keyframe");
                refuse(
                    file,
                    Diagnostic::new(&super::check::TRACK_RANGE, at, "the track claims keys past the end of the table"),
                )
            })
        };
        let translation = keys(run(track.translation_count.get())?, [0.0; 4], &subject, losses);
        let rotation = keys(run(track.rotation_count.get())?, [0.0, 0.0, 0.0, 1.0], &subject, losses);
        let scale = keys(run(track.scale_count.get())?, [1.0, 1.0, 1.0, 0.0], &subject, losses);
        let curves =
            [Curve::Translation(vectors(translation)), Curve::Rotation(rotation), Curve::Scale(vectors(scale))];
        let target = Target::Node(node);
        clip.tracks.extend(curves.map(|curve| Track { target: target.clone(), curve, blend: None }));
    }
    let last = clip.tracks.iter().filter_map(|track| track.curve.times_secs().last()).fold(0.0f32, |a, &b| a.max(b));
    clip.duration_secs = clip.duration_secs.max(0.0);
    if clip.duration_secs == 0.0 {
        clip.duration_secs = f64::from(last);
    }
    scene.clips.push(clip);
    Ok(())
}

/// A run of keys in rising order; where there is none, one key of what libaem takes instead.
fn keys(run: &[Keyframe], missing: [f32; 4], subject: &str, losses: &mut LossReport) -> Keys<[f32; 4]> {
    let is_finite = |key: &&Keyframe| key.time.get().is_finite() && numbers::all_finite(&key.value);
    let (mut times_secs, mut values): (Vec<f32>, Vec<[f32; 4]>) =
        run.iter().filter(is_finite).map(|key| (key.time.get(), key.value.map(F32::get))).unzip();
    let detail = "a time or value is not finite, as the reference converter writes for splines";
    let count = values.len() as u64;
    losses.dropped(Lost::Keys, subject, detail, run.len() as u64 - count);
    if values.is_empty() {
        times_secs.push(0.0);
        values.push(missing);
    }
    // Of keys at one time the last holds, as it does for a search from the front.
    let (keys, fallen, repeated) = rise(times_secs, values);
    if fallen + repeated > 0 {
        let detail = format!("keys were put in order, {repeated} at the time of another left out");
        losses.push(LossKind::Approximated { max_error: 0.0 }, Lost::Keys, subject, detail, count);
    }
    keys
}

fn vectors(keys: Keys<[f32; 4]>) -> Keys<[f32; 3]> {
    let values = keys.values.into_iter().map(|[x, y, z, _]| [x, y, z]).collect();
    Keys { times_secs: keys.times_secs, values, interpolation: keys.interpolation }
}
