//! Meshes and their textures.

use super::skeleton::Skeleton;
use crate::format::{self, Result, Source};
use crate::nlm::check::{INDEX_OUT_OF_RANGE, INFLUENCE_BONE};
use crate::nlm::raw::{self, File, Vertex};
use crate::nlm::texture;
use crate::nlm::unit_size::UnitSize;
use crate::rules::{index_into, numbers};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{Material, Pbr, TextureUse};
use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams, Topology};
use maquette_scene::scene::Node;
use maquette_scene::{Diagnostic, Handle, Scene, path};
use std::collections::HashMap;
use zerocopy::little_endian::{F32, U32};

/// Influences of a vertex.
const SLOTS: usize = 4;

/// Reads every mesh, each at a node of its own.
pub fn read(
    file: &File<'_>,
    skeleton: Option<&Skeleton>,
    normalised: Option<UnitSize>,
    source: &Source<'_>,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<()> {
    let mut surfaces = HashMap::new();
    for (index, mesh) in file.meshes.iter().enumerate() {
        if let Some(why) = unreadable(mesh) {
            losses.dropped(Lost::Meshes, "the model", format!("mesh {index} {why}"), 1);
            continue;
        }
        let influences = influences(file, index, mesh, skeleton, losses)?;
        let skin = influences.as_ref().and(skeleton).and_then(|skeleton| skeleton.skin);
        let (topology, indices) = indices(file, index, mesh, losses)?;
        let streams = streams(mesh, influences, normalised);
        let material = material(mesh, source, scene, &mut surfaces);
        let primitive = Primitive { streams, indices, topology, material, morph_targets: Vec::new() };
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let node = scene.nodes.push(Node { mesh: Some(mesh), skin, ..Node::default() });
        scene.roots.push(node);
    }
    Ok(())
}

/// Why a mesh is left out. The engine itself writes positions of NaN for a model without extent.
fn unreadable(mesh: &raw::Mesh<'_>) -> Option<&'static str> {
    let finite = |vertex: &Vertex| {
        numbers::all_finite(&vertex.position)
            & numbers::all_finite(&vertex.color)
            & numbers::all_finite(&vertex.normal)
            & numbers::all_finite(&vertex.uv)
            & numbers::all_finite(&vertex.bone_weights)
    };
    match () {
        () if mesh.vertices.is_empty() => Some("has no vertices"),
        () if !mesh.vertices.iter().all(finite) => Some("has a vertex that is not finite"),
        () => None,
    }
}

/// Colours that are all white, normals and texture coordinates that are all 0 are what the engine writes where its source has
/// none.
fn streams(mesh: &raw::Mesh<'_>, influences: Option<Influences>, normalised: Option<UnitSize>) -> Streams {
    let vertices = &mesh.vertices[..];
    let position = |vertex: &Vertex| {
        let position = vertex.position.map(F32::get);
        normalised.map_or(position, |unit_size| unit_size.restore(position))
    };
    let has_normals = vertices.iter().any(|vertex| vertex.normal.map(F32::get) != [0.0; 3]);
    let has_uvs = !mesh.texture.is_empty() || vertices.iter().any(|vertex| vertex.uv.map(F32::get) != [0.0; 2]);
    let has_colours = vertices.iter().any(|vertex| vertex.color.map(F32::get) != [1.0; 3]);
    let uvs = || vertices.iter().map(|vertex| vertex.uv.map(F32::get)).map(|[u, v]| [u, 1.0 - v]).collect();
    let colours = || vertices.iter().map(|vertex| vertex.color.map(F32::get)).map(|[r, g, b]| [r, g, b, 1.0]).collect();
    Streams {
        positions: vertices.iter().map(position).collect(),
        normals: has_normals.then(|| vertices.iter().map(|vertex| vertex.normal.map(F32::get)).collect()),
        tangents: None,
        uvs: has_uvs.then(uvs).into_iter().collect(),
        colours: has_colours.then(colours).into_iter().collect(),
        influences,
    }
}

fn indices(
    file: &File<'_>,
    index: usize,
    mesh: &raw::Mesh<'_>,
    losses: &mut LossReport,
) -> Result<(Topology, Vec<u32>)> {
    let count = mesh.vertices.len();
    let mut indices: Vec<u32> = mesh.indices.iter().copied().map(U32::get).collect();
    if let Some(at) = indices.iter().position(|&vertex| vertex as usize >= count) {
        let message = format!("the index is {}", indices.get(at).copied().unwrap_or_default());
        let finding = Diagnostic::new(&INDEX_OUT_OF_RANGE, path!("meshes", index, "indices", at), message);
        return Err(format::refuse(file, finding.expected(index_into(count, "vertices in this mesh"))));
    }
    let topology = match mesh.topology() {
        raw::Topology::Triangles => Topology::Triangles,
        raw::Topology::Lines => Topology::Lines,
    };
    let loose = indices.len() % topology.corners();
    losses.dropped(Lost::Triangles, format!("mesh {index}"), "they make no whole triangle", loose as u64);
    indices.truncate(indices.len() - loose);
    Ok((topology, indices))
}

fn influences(
    file: &File<'_>,
    index: usize,
    mesh: &raw::Mesh<'_>,
    skeleton: Option<&Skeleton>,
    losses: &mut LossReport,
) -> Result<Option<Influences>> {
    let is_weighted = |vertex: &&Vertex| vertex.bone_weights.iter().any(|weight| weight.get() != 0.0);
    let weighted = mesh.vertices.iter().filter(is_weighted).count();
    if weighted == 0 {
        return Ok(None);
    }
    let Some(skeleton) = skeleton else {
        losses.dropped(Lost::Influences, format!("mesh {index}"), "the file has no skeleton", weighted as u64);
        return Ok(None);
    };
    let mut influences = Influences { slots: SLOTS, ..Influences::default() };
    let mut without_bone = 0;
    for (at, vertex) in mesh.vertices.iter().enumerate() {
        for (slot, (bone, weight)) in vertex.bone_ids.iter().zip(vertex.bone_weights).enumerate() {
            let (joint, weight) = match (bone.get(), weight.get(), skeleton.joints.get(&bone.get())) {
                (_, 0.0, _) => (0, 0.0),
                (-1, ..) => {
                    without_bone += 1;
                    (0, 0.0)
                }
                (_, weight, Some(&joint)) => (joint, weight),
                (bone, _, None) => {
                    let at = path!("meshes", index, "vertices", at, "bone_ids", slot);
                    let finding = Diagnostic::new(&INFLUENCE_BONE, at, format!("the bone is {bone}"));
                    return Err(format::refuse(
                        file,
                        finding.expected("-1 for none, or the index of a bone at a node"),
                    ));
                }
            };
            influences.joints.push(joint);
            influences.weights.push(weight);
        }
    }
    losses.dropped(Lost::Influences, format!("mesh {index}"), "they have no bone", without_bone);
    let moves = influences.weights.iter().any(|&weight| weight != 0.0);
    Ok(moves.then_some(influences))
}

/// Meshes with the same image share it, and the surface it makes.
fn material<'a>(
    mesh: &'a raw::Mesh<'_>,
    source: &Source<'_>,
    scene: &mut Scene,
    surfaces: &mut HashMap<&'a [u8], Handle<Material>>,
) -> Option<Handle<Material>> {
    let bytes = &mesh.texture[..];
    if bytes.is_empty() {
        return None;
    }
    Some(*surfaces.entry(bytes).or_insert_with(|| {
        let data = ImageData::Encoded { mime: texture::mime(bytes).into(), bytes: source.share(bytes) };
        let image = scene.images.push(Image::new("", data));
        let texture = Some(TextureUse::new(image));
        let surface = Pbr { metallic: 0.0, base_colour_texture: texture, ..Pbr::default() }.into();
        scene.materials.push(Material { surface, ..Material::default() })
    }))
}
