//! PMDL to a scene.
//!
//! Each mesh becomes a mesh of one part at a root node of its own. Skeletons that are the same in every bone become one skin,
//! whose joints rest in the bind pose: the file has no other. Materials and clips are read from companion files.

mod companions;
mod skeleton;
mod vertices;

pub(super) use companions::references;
pub(super) use skeleton::bound;

use super::check::{INDEX_OUT_OF_RANGE, VERTEX_NOT_FINITE};
use super::raw::{File, Indices, Mesh};
use crate::companions::scene_name;
use crate::format::{Error, ReadOptions, Result, refuse};
use crate::rules::index_into;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::{self, Primitive};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Diagnostic, Handle, Scene, path, valid};

/// Reads a file into a scene.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    let mut scene = Scene::default();
    let order = options.matrix_order.unwrap_or(file.dialect.matrix_order());
    let skins = skeleton::read(file, order, &mut scene, losses)?;
    let bones = std::mem::take(&mut scene.roots);
    let materials = companions::materials(file, options, &mut scene, losses);
    for (index, mesh) in file.meshes.iter().enumerate() {
        let Some(mut primitive) = primitive(file, index, mesh, losses)? else { continue };
        primitive.material = materials.get(&*mesh.material_name).copied();
        let skin = skins.get(index).copied().flatten();
        add(primitive, skin, &mut scene);
    }
    scene.roots.extend(bones);
    companions::clips(file, options, &skins, &mut scene, losses);
    keep(file, &mut scene, losses);
    valid::check(&scene).map_err(|invalid| Error::CannotHold(format!("the file makes no scene: {invalid}")))?;
    Ok(scene)
}

fn add(primitive: Primitive, skin: Option<Handle<Skin>>, scene: &mut Scene) {
    let skin = skin.filter(|_| primitive.streams.influences.is_some());
    let mesh = scene.meshes.push(mesh::Mesh { primitives: vec![primitive], ..mesh::Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), skin, ..Node::default() });
    scene.roots.push(node);
}

/// What the writer can put back: the model's name, which the scene has no place for, and an odd version.
fn keep(file: &File<'_>, scene: &mut Scene, losses: &mut LossReport) {
    let name = scene_name(&file.name, Lost::NodeNames, "the model", losses);
    if let Ok(json) = serde_json::to_string(&name) {
        scene.extras.set("pmdl", "name", json);
    }
    if file.version != 0 {
        scene.extras.set("pmdl", "version", file.version.to_string());
    }
}

/// A mesh as a part; `None` if it is left out.
fn primitive(file: &File<'_>, index: usize, mesh: &Mesh<'_>, losses: &mut LossReport) -> Result<Option<Primitive>> {
    let subject = format!("mesh {index}");
    if mesh.vertices.is_empty() {
        losses.dropped(Lost::Meshes, subject, "it has no vertices", 1);
        return Ok(None);
    }
    let streams = match vertices::read(mesh, &subject, losses) {
        Ok(streams) => streams,
        Err(vertices::Unusable::Positions(vertex)) => {
            let detail = format!("the position of vertex {vertex} is not finite");
            losses.dropped(Lost::Meshes, subject, detail, 1);
            return Ok(None);
        }
        Err(vertices::Unusable::Weights(vertex)) => {
            let at = path!("meshes", index, "vertices", vertex, "bone_weights");
            return Err(refuse(file, Diagnostic::new(&VERTEX_NOT_FINITE, at, "a weight is not finite")));
        }
        Err(vertices::Unusable::Bone { vertex, slot, mut finding }) => {
            finding.path = path!("meshes", index, "vertices", vertex, "bone_indices", slot);
            return Err(refuse(file, *finding));
        }
    };
    let indices = indices(file, index, mesh, streams.len(), &subject, losses)?;
    Ok(Some(Primitive { streams, indices, ..Primitive::default() }))
}

/// The corners of whole triangles; vertices in order where the mesh has no indices.
fn indices(
    file: &File<'_>,
    index: usize,
    mesh: &Mesh<'_>,
    vertex_count: usize,
    subject: &str,
    losses: &mut LossReport,
) -> Result<Vec<u32>> {
    let mut corners: Vec<u32> = match &mesh.indices {
        Indices::U32(indices) => indices.iter().map(|index| index.get()).collect(),
        Indices::Absent { claimed } => {
            let detail = "they are counted and not stored; the vertices are drawn in order";
            losses.dropped(Lost::FormatDetails, subject, detail, u64::from(*claimed));
            (0..u32::try_from(vertex_count).unwrap_or(u32::MAX)).collect()
        }
    };
    if let Some(at) = corners.iter().position(|&corner| corner as usize >= vertex_count) {
        let message = format!("the index is {}", corners.get(at).copied().unwrap_or_default());
        let finding = Diagnostic::new(&INDEX_OUT_OF_RANGE, path!("meshes", index, "indices", at), message);
        return Err(refuse(file, finding.expected(index_into(vertex_count, "vertices in this mesh"))));
    }
    let rest = corners.len() % 3;
    corners.truncate(corners.len() - rest);
    let detail = "the last corners make no triangle";
    losses.push(LossKind::Truncated, Lost::Triangles, subject, detail, rest as u64);
    Ok(corners)
}
