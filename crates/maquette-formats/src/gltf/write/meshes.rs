//! Meshes: each once for every way it is drawn ([`Shape`]).

use super::buffer::{Bounds, Kind, Purpose};
use super::materials::Materials;
use super::plan::{Plan, Shape, is_drawable};
use super::{Draft, extras, influences, name, vertices};
use crate::format::{Error, Result};
use crate::gltf::schema;
use maquette_scene::Handle;
use maquette_scene::loss::{LossKind, Lost, subject};
use maquette_scene::mesh::{Mesh, Primitive, Topology};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// `mode`
const LINES: u32 = 1;

/// Where the meshes of the scene are in the document.
pub struct Meshes {
    indices: HashMap<(usize, Shape), usize>,
    targets: Vec<usize>,
}

impl Meshes {
    /// Where a mesh of this shape is; `None` where it has nothing to draw.
    pub fn index(&self, mesh: Handle<Mesh>, shape: Shape) -> Option<usize> {
        self.indices.get(&(mesh.index(), shape)).copied()
    }

    /// How many morph targets a mesh has.
    pub fn targets(&self, mesh: Handle<Mesh>) -> usize {
        self.targets.get(mesh.index()).copied().unwrap_or(0)
    }
}

/// Adds all meshes that have anything to draw.
pub fn build(draft: &mut Draft<'_>, plan: &Plan, materials: &Materials) -> Result<Meshes> {
    let scene = draft.scene;
    let mut shapes: Vec<Vec<Shape>> = vec![Vec::new(); scene.meshes.len()];
    for (node, drawing) in scene.nodes.iter().zip(&plan.drawings) {
        let Some(shapes) = node.mesh.and_then(|mesh| shapes.get_mut(mesh.index())) else { continue };
        for shape in drawing.rigid.into_iter().chain(drawing.skinned.map(|(shape, ..)| shape)) {
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
    }
    let targets = scene.meshes.iter().map(|mesh| mesh.morph_weights.len()).collect();
    let mut meshes = Meshes { indices: HashMap::new(), targets };
    for ((index, mesh), mut shapes) in scene.meshes.iter().enumerate().zip(shapes) {
        let subject = subject("mesh", index, &mesh.name);
        let empty = mesh.primitives.iter().filter(|primitive| !is_drawable(primitive)).count() as u64;
        draft.losses.dropped(Lost::Primitives, &subject, "without vertices or without indices", empty);
        if shapes.is_empty() {
            shapes.push(Shape::Undrawn);
        }
        let mut made_any = false;
        for shape in shapes {
            if let Some(made) = self::mesh(draft, mesh, shape, &subject, materials)? {
                meshes.indices.insert((index, shape), draft.document.meshes.len());
                draft.document.meshes.push(made);
                made_any = true;
            }
        }
        if !made_any {
            draft.losses.dropped(Lost::Meshes, subject, "it has nothing to draw", 1);
        }
    }
    Ok(meshes)
}

fn mesh(
    draft: &mut Draft<'_>,
    mesh: &Mesh,
    shape: Shape,
    subject: &str,
    materials: &Materials,
) -> Result<Option<schema::Mesh>> {
    let mut primitives = Vec::new();
    for primitive in mesh.primitives.iter().filter(|primitive| shape.has(primitive)) {
        primitives.push(written(draft, primitive, shape, subject, materials)?);
    }
    if primitives.is_empty() {
        return Ok(None);
    }
    let finite: Vec<f32> = mesh.morph_weights.iter().map(|&x| if x.is_finite() { x } else { 0.0 }).collect();
    let not_finite = mesh.morph_weights.iter().filter(|x| !x.is_finite()).count() as u64;
    draft.losses.dropped(Lost::MorphTargets, subject, "not finite: 0 instead", not_finite);
    Ok(Some(schema::Mesh {
        name: name(&mesh.name),
        primitives,
        weights: finite.iter().any(|&weight| weight != 0.0).then_some(finite),
        extras: extras(draft, mesh, subject),
        ..schema::Mesh::default()
    }))
}

/// The kept extras, with the names of morph targets in `targetNames`, where most tools look for them.
fn extras(draft: &mut Draft<'_>, mesh: &Mesh, subject: &str) -> Option<Value> {
    let kept = extras::extras(&mesh.extras, Map::new(), &[]);
    let count = mesh.morph_weights.len();
    let beyond = mesh.morph_names.iter().skip(count).filter(|name| !name.is_empty()).count() as u64;
    draft.losses.dropped(Lost::MorphTargets, subject, "there are no such targets", beyond);
    let names = || mesh.morph_names.iter().map(String::as_str).chain(std::iter::repeat("")).take(count);
    if names().all(str::is_empty) {
        return kept;
    }
    let mut object = match kept {
        Some(Value::Object(object)) => object,
        Some(other) => Map::from_iter([("extras".to_owned(), other)]),
        None => Map::new(),
    };
    object.insert("targetNames".into(), names().collect());
    Some(Value::Object(object))
}

fn written(
    draft: &mut Draft<'_>,
    primitive: &Primitive,
    shape: Shape,
    subject: &str,
    materials: &Materials,
) -> Result<schema::Primitive> {
    let streams = &primitive.streams;
    if streams.len() > u32::MAX as usize {
        return Err(Error::CannotHold(format!("{subject} has {} vertices in one primitive", streams.len())));
    }
    let mut attributes = Attributes::default();
    attributes.add(draft, "POSITION".into(), Kind::Vec3, streams.positions.as_flattened(), Bounds::Stated);
    let normals = streams.normals.as_deref().and_then(|normals| vertices::normals(normals, subject, draft.losses));
    if let Some(normals) = &normals {
        attributes.add(draft, "NORMAL".into(), Kind::Vec3, normals.as_flattened(), Bounds::Unstated);
    }
    let tangents = streams.tangents.as_deref();
    let tangents = tangents.and_then(|it| vertices::tangents(it, normals.as_deref(), subject, draft.losses));
    if let Some(tangents) = &tangents {
        attributes.add(draft, "TANGENT".into(), Kind::Vec4, tangents.as_flattened(), Bounds::Unstated);
    }
    for (set, uvs) in streams.uvs.iter().enumerate() {
        let uvs = vertices::finite(uvs, Lost::TextureCoordinates, subject, draft.losses);
        attributes.add(draft, format!("TEXCOORD_{set}"), Kind::Vec2, uvs.as_flattened(), Bounds::Unstated);
    }
    missing_uvs(draft, primitive, materials, &mut attributes, subject);
    for (set, colours) in streams.colours.iter().enumerate() {
        let colours = vertices::colours(colours, subject, draft.losses);
        attributes.add(draft, format!("COLOR_{set}"), Kind::Vec4, colours.as_flattened(), Bounds::Unstated);
    }
    bind(draft, primitive, shape, &mut attributes, subject);
    let targets = primitive.morph_targets.iter();
    let targets = targets.map(|target| vertices::morph(draft, target, &attributes, subject)).collect();
    Ok(schema::Primitive {
        attributes: attributes.0,
        indices: Some(draft.buffer.indices(&primitive.indices, streams.len())),
        material: primitive.material.map(Handle::index),
        mode: (primitive.topology == Topology::Lines).then_some(LINES),
        targets,
        ..schema::Primitive::default()
    })
}

/// Accessors by semantic.
#[derive(Default)]
pub struct Attributes(pub Map<String, Value>);

impl Attributes {
    /// Adds floats in a view of their own.
    pub fn add(&mut self, draft: &mut Draft<'_>, semantic: String, kind: Kind, values: &[f32], bounds: Bounds) {
        draft.buffer.begin(Purpose::Vertices);
        let accessor = draft.buffer.floats(kind, values.iter().copied(), bounds);
        self.0.insert(semantic, accessor.into());
    }
}

/// A texture needs the set of coordinates it names, so sets that the primitive does not have are zeros.
fn missing_uvs(
    draft: &mut Draft<'_>,
    primitive: &Primitive,
    materials: &Materials,
    attributes: &mut Attributes,
    subject: &str,
) {
    let needed = primitive.material.map_or(0, |material| materials.uv_sets(material));
    let there = primitive.streams.uvs.len();
    for set in there..needed {
        let zeros = vec![0.0; 2 * primitive.streams.len()];
        attributes.add(draft, format!("TEXCOORD_{set}"), Kind::Vec2, &zeros, Bounds::Unstated);
    }
    let detail = "zeros added, because a texture of the material needs them";
    let count = needed.saturating_sub(there) as u64;
    draft.losses.push(LossKind::Baked, Lost::TextureCoordinates, subject, detail, count);
}

fn bind(draft: &mut Draft<'_>, primitive: &Primitive, shape: Shape, attributes: &mut Attributes, subject: &str) {
    let Some(influences) = &primitive.streams.influences else { return };
    let still = match shape {
        Shape::Skinned { still } => still,
        Shape::Undrawn => None,
        Shape::Rigid | Shape::Unbound => return,
    };
    let Some(bound) = influences::bind(influences, primitive.streams.len(), still, subject, draft.losses) else {
        return;
    };
    for (set, (joints, weights)) in bound.sets.iter().enumerate() {
        draft.buffer.begin(Purpose::Vertices);
        let accessor = draft.buffer.joints(joints);
        attributes.0.insert(format!("JOINTS_{set}"), accessor.into());
        attributes.add(draft, format!("WEIGHTS_{set}"), Kind::Vec4, weights, Bounds::Unstated);
    }
}
