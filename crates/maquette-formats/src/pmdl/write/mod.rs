//! A scene to PMDL, with its materials, images and clips as companion files.
//!
//! The scene has been fitted: meshes stand at the origin, one skin lists all joints, parents first, and tracks move joints only.
//! Each part becomes a mesh of the file. Every skinned mesh lists the bones, and every mesh all animations, as the engine's converter
//! does it.

mod companions;
mod skeleton;
mod vertices;

use super::raw::{self, Bone, Dialect, File, Indices, VERSION};
use crate::format::{Bundle, Error, Fitted, Naming, Result, WriteOptions};
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Primitive, Topology};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Handle, Scene};
use std::borrow::Cow;
use std::collections::HashSet;

fn cannot(why: impl Into<String>) -> Error {
    Error::CannotHold(why.into())
}

/// A part that is drawn, with what moves it.
struct Drawn<'s> {
    subject: String,
    primitive: &'s Primitive,
    skin: Option<&'s Skin>,
}

/// Writes a fitted scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let skin = match scene.skins.iter().collect::<Vec<_>>().as_slice() {
        [] => None,
        [skin] => Some(*skin),
        skins => return Err(cannot(format!("PMDL is written with one skeleton, the scene has {} skins", skins.len()))),
    };
    let drawn = drawn(scene, losses)?;
    if drawn.is_empty() {
        return Err(cannot("the scene draws no mesh"));
    }
    report_nodes(scene, skin, losses);
    let bones = skeleton::write(scene, skin, dialect, losses)?;
    let (materials, mut files) = companions::materials(scene, &drawn, options, losses)?;
    let (animations, clips) = companions::clips(scene, skin, dialect, options, losses)?;
    files.extend(clips);
    // Bones that move no mesh, as in a file of the document's dialect, are at every mesh, or they would be at none.
    let is_any_skinned = drawn.iter().any(Drawn::is_skinned);
    let mut meshes = Vec::with_capacity(drawn.len());
    for drawn in &drawn {
        let has_bones = drawn.is_skinned() || !is_any_skinned;
        let bones = if has_bones { bones.as_slice() } else { &[] };
        meshes.push(mesh(drawn, dialect, bones, &materials, &animations, losses)?);
    }
    let version = scene.extras.get("pmdl", "version").and_then(|version| version.parse().ok()).unwrap_or(VERSION);
    let name = Cow::Owned(model_name(scene, options).into_bytes());
    let main =
        File { dialect, evidence: "made as such".into(), version, name, meshes, trailing: Cow::default() }.encode();
    Ok(Bundle { main, companions: files })
}

/// The name that the model had in a file of this format, or that of the file to be written.
fn model_name(scene: &Scene, options: &WriteOptions<'_>) -> String {
    let kept = scene.extras.get("pmdl", "name").and_then(|name| serde_json::from_str(name).ok());
    kept.unwrap_or_else(|| stem(options))
}

/// The name of the file to be written, without its extension.
fn stem(options: &WriteOptions<'_>) -> String {
    let name = Naming::Extension("").apply(options.name);
    name.trim_end_matches('.').to_owned()
}

impl Drawn<'_> {
    /// Whether the skin moves it.
    fn is_skinned(&self) -> bool {
        self.skin.is_some() && self.primitive.streams.influences.is_some()
    }
}

/// Everything drawn, in the order it is drawn in.
fn drawn<'s>(scene: &'s Scene, losses: &mut LossReport) -> Result<Vec<Drawn<'s>>> {
    let world_from_node = scene.rest_world_from_node();
    let mut drawn = Vec::new();
    let mut seen = HashSet::new();
    for handle in scene.nodes_parents_first() {
        let Some(node) = scene.nodes.get(handle) else { continue };
        let Some((mesh_handle, mesh)) = node.mesh.and_then(|mesh| Some((mesh, scene.meshes.get(mesh)?))) else {
            continue;
        };
        seen.insert(mesh_handle);
        let name = if mesh.name.is_empty() { &node.name } else { &mesh.name };
        let whose = subject("mesh", mesh_handle.index(), name);
        losses.dropped(Lost::MeshNames, &whose, "the format has none", u64::from(!name.is_empty()));
        let primitives = mesh.primitives.len() as u64;
        let detail = format!("each of its {primitives} primitives becomes a mesh");
        losses.push(LossKind::Baked, Lost::Primitives, &whose, detail, primitives.saturating_sub(1));
        let skin = node.skin.and_then(|skin| scene.skins.get(skin));
        let stays = world_from_node.get(handle.index()).is_some_and(|world| world.abs_diff_eq(Mat4::IDENTITY, 1e-6));
        for primitive in &mesh.primitives {
            let primitive = Drawn { subject: whose.clone(), primitive, skin };
            if !stays && !primitive.is_skinned() {
                return Err(cannot(format!("{whose} does not stand at the origin")));
            }
            drawn.push(primitive);
        }
    }
    for (handle, mesh) in scene.meshes.entries().filter(|(mesh, _)| !seen.contains(mesh)) {
        losses.dropped(Lost::Meshes, subject("mesh", handle.index(), &mesh.name), "it is drawn nowhere", 1);
    }
    Ok(drawn)
}

/// Names what the format does not have: nodes that are neither meshes nor joints, names of skins, units.
fn report_nodes(scene: &Scene, skin: Option<&Skin>, losses: &mut LossReport) {
    let joints: HashSet<Handle<Node>> = skin.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let others = scene.nodes.entries().filter(|(handle, node)| node.mesh.is_none() && !joints.contains(handle));
    losses.dropped(Lost::Nodes, "the scene", "they are neither meshes nor joints", others.count() as u64);
    let named = skin.is_some_and(|skin| !skin.name.is_empty());
    losses.dropped(Lost::MeshNames, "the skeleton", "the name of the skin", u64::from(named));
}

fn mesh<'s>(
    drawn: &Drawn<'_>,
    dialect: Dialect,
    bones: &[Bone<'s>],
    materials: &companions::MaterialNames,
    animations: &[String],
    losses: &mut LossReport,
) -> Result<raw::Mesh<'s>> {
    let Drawn { subject, primitive, .. } = drawn;
    if primitive.topology != Topology::Triangles {
        return Err(cannot(format!("{subject} is made of lines")));
    }
    let too_many = |length: usize| u32::try_from(length).is_err();
    if too_many(primitive.streams.len()) || too_many(primitive.indices.len()) {
        return Err(cannot(format!("{subject} has more than 4294967295 vertices or indices")));
    }
    let material = materials.get(&primitive.material);
    Ok(raw::Mesh {
        material_name: Cow::Owned(material.map(|name| name.clone().into_bytes()).unwrap_or_default()),
        animations: animations.iter().map(|name| Cow::Owned(name.clone().into_bytes())).collect(),
        bones: bones.to_vec(),
        vertices: vertices::write(drawn, dialect, losses)?,
        indices: Indices::U32(primitive.indices.iter().map(|&index| index.into()).collect()),
    })
}
