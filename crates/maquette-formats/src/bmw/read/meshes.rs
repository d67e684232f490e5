//! Meshes, and the skins that bind them to nodes.
//!
//! What a node draws is a list of meshes; each list becomes one scene mesh with a part for each, shared by all nodes with the same
//! list. Its skin has the nodes that its weights name, in the order of their ids. Meshes that no node draws stay in the scene
//! without a node.

use super::super::check::{FACE_INDEX, NODE_MESH, TOO_MANY, WEIGHT_NODE, WEIGHT_NOT_FINITE, WEIGHT_VERTEX};
use super::super::raw::{self, File, Vertex};
use super::Tree;
use super::surfaces::Surfaces;
use crate::format::{Error, Result, refuse};
use crate::rules::{index_into, numbers};
use maquette_scene::diag::Diagnostic;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::Material;
use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams};
use maquette_scene::scene::{Node, Skin};
use maquette_scene::{Handle, Path, Scene, path};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::little_endian::{F32, U32};

/// How many weights a mesh may have room for, where its vertices have far fewer.
const MAX_SPARE_SLOTS: usize = 1 << 24;
/// How many vertices and corners may be there twice because nodes draw meshes in several combinations.
const MAX_REPEATED: usize = 1 << 20;

/// Reads all meshes, puts them at their nodes and binds them.
pub(super) fn read(
    file: &File<'_>,
    tree: &Tree,
    surfaces: &Surfaces,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<()> {
    let usable = usable(file, losses);
    let groups = groups(file, &usable)?;
    let mut skins: HashMap<Vec<u32>, Handle<Skin>> = HashMap::new();
    for (mesh_ids, nodes) in groups {
        let meshes = || mesh_ids.iter().filter_map(|&id| Some((id as usize, file.meshes.get(id as usize)?)));
        let is_drawn = !nodes.is_empty();
        let joints = if is_drawn { joints(file, tree, meshes())? } else { Vec::new() };
        let mut mesh = Mesh::default();
        for (index, stored) in meshes() {
            let undrawn = stored.weights.len() as u64 * u64::from(!is_drawn);
            losses.dropped(
                Lost::Influences,
                format!("mesh {index}"),
                "no node draws the mesh, so nothing binds it",
                undrawn,
            );
            let material = surfaces.get(index).copied().flatten();
            mesh.primitives.push(primitive(file, index, &joints, material, losses)?);
        }
        let mesh = scene.meshes.push(mesh);
        let skin = (!joints.is_empty()).then(|| match skins.get(&joints) {
            Some(&skin) => skin,
            None => {
                let skin = scene.skins.push(skin(tree, &joints, losses));
                skins.insert(joints, skin);
                skin
            }
        });
        for node in nodes {
            if let Some(node) = scene.nodes.get_mut(Handle::from_index(node)) {
                (node.mesh, node.skin) = (Some(mesh), skin);
            }
        }
    }
    Ok(())
}

/// Which meshes have vertices, with finite positions.
fn usable(file: &File<'_>, losses: &mut LossReport) -> Vec<bool> {
    let judge = |(index, mesh): (usize, &raw::Mesh<'_>)| {
        let subject = format!("mesh {index}");
        let broken = mesh.vertices.iter().filter(|vertex| !numbers::all_finite(&vertex.position)).count() as u64;
        losses.dropped(Lost::Meshes, &subject, "it has no vertices", u64::from(mesh.vertices.is_empty()));
        let detail = format!("{broken} of its vertices have positions that are not finite");
        losses.dropped(Lost::Meshes, &subject, detail, u64::from(broken > 0));
        !mesh.vertices.is_empty() && broken == 0
    };
    file.meshes.iter().enumerate().map(judge).collect()
}

/// The lists of meshes that nodes draw, with these nodes; and each mesh that no node draws, without any.
fn groups(file: &File<'_>, usable: &[bool]) -> Result<BTreeMap<Vec<u32>, Vec<usize>>> {
    let mut groups: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    let mut is_drawn = vec![false; file.meshes.len()];
    for (index, node) in file.nodes.iter().enumerate() {
        let mut list = Vec::new();
        for (slot, id) in node.mesh_ids.iter().map(|id| id.get()).enumerate() {
            let Some(drawn) = is_drawn.get_mut(id as usize) else {
                let at = path!("nodes", index, "mesh_ids", slot);
                let finding = Diagnostic::new(&NODE_MESH, at, format!("the mesh is {id}"));
                return Err(refuse(file, finding.expected(index_into(file.meshes.len(), "meshes"))));
            };
            *drawn = true;
            list.extend(usable.get(id as usize).filter(|usable| **usable).map(|_| id));
        }
        if !list.is_empty() {
            groups.entry(list).or_default().push(index);
        }
    }
    let undrawn = is_drawn.iter().zip(usable).enumerate().filter(|(_, (drawn, usable))| !**drawn && **usable);
    for (index, _) in undrawn {
        groups.insert(vec![index as u32], Vec::new());
    }
    let size = |mesh: &raw::Mesh<'_>| mesh.vertices.len() + 3 * mesh.faces.len() + mesh.weights.len();
    let stored: usize = file.meshes.iter().map(size).sum();
    let drawn = groups.keys().flatten().filter_map(|&id| file.meshes.get(id as usize));
    if drawn.map(size).sum::<usize>() > 2 * stored + MAX_REPEATED {
        return Err(too_many(file, path!("nodes"), "nodes draw the same meshes in too many combinations"));
    }
    Ok(groups)
}

#[cold]
fn too_many(file: &File<'_>, at: Path, message: &str) -> Error {
    match refuse(file, Diagnostic::new(&TOO_MANY, at, message)) {
        Error::Malformed(finding) => Error::Unsupported(finding),
        other => other,
    }
}

/// The ids that the weights of these meshes name, rising.
fn joints<'m>(
    file: &File<'_>,
    tree: &Tree,
    meshes: impl Iterator<Item = (usize, &'m raw::Mesh<'m>)>,
) -> Result<Vec<u32>> {
    let mut ids = BTreeSet::new();
    for (index, mesh) in meshes {
        for (list, weights) in mesh.weights.iter().enumerate() {
            for (slot, influence) in weights.influences.iter().enumerate() {
                let id = influence.node_id.get();
                if ids.contains(&id) {
                    continue;
                }
                if !tree.by_id.contains_key(&id) {
                    let at = path!("meshes", index, "weights", list, "influences", slot, "node_id");
                    return Err(refuse(file, Diagnostic::new(&WEIGHT_NODE, at, format!("no node has the id {id}"))));
                }
                ids.insert(id);
            }
        }
    }
    Ok(ids.into_iter().collect())
}

fn skin(tree: &Tree, joints: &[u32], losses: &mut LossReport) -> Skin {
    let nodes: Vec<usize> = joints.iter().filter_map(|id| tree.by_id.get(id).copied()).collect();
    let unsound = nodes.iter().filter(|&&node| !tree.is_sound.get(node).copied().unwrap_or(false)).count();
    let detail = "the rest transforms of nodes have no inverse; they are taken to be bound at the origin";
    losses.dropped(Lost::BindPoses, "the skeleton", detail, unsound as u64);
    Skin {
        name: String::new(),
        joint_from_mesh: nodes.iter().map(|&node| tree.joint_from_mesh(node)).collect(),
        joints: nodes.into_iter().map(Handle::<Node>::from_index).collect(),
    }
}

fn primitive(
    file: &File<'_>,
    index: usize,
    joints: &[u32],
    material: Option<Handle<Material>>,
    losses: &mut LossReport,
) -> Result<Primitive> {
    let Some(mesh) = file.meshes.get(index) else { return Ok(Primitive::default()) };
    let vertices = &mesh.vertices;
    let streams = Streams {
        positions: vertices.iter().map(|vertex| vertex.position.map(F32::get)).collect(),
        normals: Some(vertices.iter().map(|vertex| vertex.normal.map(F32::get)).collect()),
        tangents: None,
        uvs: uvs(vertices, material),
        colours: colours(vertices),
        influences: influences(file, index, mesh, joints)?,
    };
    let indices = if file.dialect.stores_faces() {
        indices(file, index, mesh)?
    } else {
        let whole = vertices.len() / 3 * 3;
        let detail = format!("the layout stores no faces; {} vertices are taken in threes", vertices.len());
        losses.dropped(Lost::Triangles, format!("mesh {index}"), detail, u64::from(whole != vertices.len()));
        (0..whole as u32).collect()
    };
    Ok(Primitive { streams, indices, material, ..Primitive::default() })
}

fn indices(file: &File<'_>, index: usize, mesh: &raw::Mesh<'_>) -> Result<Vec<u32>> {
    let count = mesh.vertices.len();
    let past = |corner: &U32| corner.get() as usize >= count;
    if let Some(face) = mesh.faces.iter().position(|face| face.iter().any(past)) {
        let corners = mesh.faces.get(face).copied().unwrap_or_default();
        let corner = corners.iter().position(past).unwrap_or(0);
        let at = path!("meshes", index, "faces", face, corner);
        let vertex = corners.get(corner).map_or(0, |corner| corner.get());
        let finding = Diagnostic::new(&FACE_INDEX, at, format!("the corner is vertex {vertex}"));
        return Err(refuse(file, finding.expected(index_into(count, "vertices"))));
    }
    Ok(mesh.faces.iter().flatten().map(|corner| corner.get()).collect())
}

/// The texture coordinates, their origin moved to the top left; none where all are the zeros of a source without any, and
/// there is no texture to show.
fn uvs(vertices: &[Vertex], material: Option<Handle<Material>>) -> Vec<Vec<[f32; 2]>> {
    if material.is_none() && vertices.iter().all(|vertex| vertex.uv.map(F32::get) == [0.0; 2]) {
        return Vec::new();
    }
    let flipped = |vertex: &Vertex| {
        let [u, v] = vertex.uv.map(F32::get);
        [u, 1.0 - v]
    };
    vec![vertices.iter().map(flipped).collect()]
}

/// The colours; none where all are the white of a source without any.
fn colours(vertices: &[Vertex]) -> Vec<Vec<[f32; 4]>> {
    if vertices.iter().all(|vertex| vertex.color.iter().all(|channel| channel.get() == 255)) {
        return Vec::new();
    }
    let linear = |vertex: &Vertex| vertex.color.map(|channel| (f64::from(channel.get()) / 255.0) as f32);
    vec![vertices.iter().map(linear).collect()]
}

/// The weights of all vertices, as they are. Lists that name one vertex are taken together.
fn influences(file: &File<'_>, index: usize, mesh: &raw::Mesh<'_>, joints: &[u32]) -> Result<Option<Influences>> {
    if joints.is_empty() || mesh.weights.is_empty() {
        return Ok(None);
    }
    let count = mesh.vertices.len();
    let mut lists: Vec<Vec<(u32, f32)>> = vec![Vec::new(); count];
    let mut total = 0;
    for (list, weights) in mesh.weights.iter().enumerate() {
        let at = |field: &'static str| path!("meshes", index, "weights", list, field);
        let Some(of_vertex) = lists.get_mut(weights.vertex_id as usize) else {
            let message = format!("the vertex is {}", weights.vertex_id);
            let finding = Diagnostic::new(&WEIGHT_VERTEX, at("vertex_id"), message);
            return Err(refuse(file, finding.expected(index_into(count, "vertices"))));
        };
        for (slot, influence) in weights.influences.iter().enumerate() {
            let weight = influence.weight.get();
            if !weight.is_finite() {
                let at = at("influences").join(slot).join("weight");
                return Err(refuse(file, Diagnostic::new(&WEIGHT_NOT_FINITE, at, format!("the weight is {weight}"))));
            }
            let joint = joints.binary_search(&influence.node_id.get()).unwrap_or(0) as u32;
            of_vertex.push((joint, weight));
            total += 1;
        }
    }
    let slots = lists.iter().map(Vec::len).max().unwrap_or(0);
    if slots.saturating_mul(count) > 16 * total + MAX_SPARE_SLOTS {
        let at = path!("meshes", index, "weights");
        return Err(too_many(file, at, "one vertex has so many weights that room for as many at all takes too much"));
    }
    Ok(Some(Influences::from_lists(lists.iter().map(Vec::as_slice))))
}
