//! Meshes: vertex attributes, indices, joints and weights, morph targets.

use super::super::attributes::{Semantic, accessor_of};
use super::super::buffers::Found;
use super::super::check::{ATTRIBUTE_COUNT, INDEX_OUT_OF_RANGE, MORPH_TARGETS, NOT_FINITE};
use super::super::schema;
use super::{Called, Reading, called};
use crate::rules::index_into;
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::material::Material;
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams, Topology};
use maquette_scene::{Diagnostic, Handle, Path, Scene, path, valid};
use serde_json::{Map, Value};

impl Reading<'_> {
    /// The mesh of each mesh of the document; `None` for one of which nothing is left.
    pub(super) fn meshes(
        &mut self,
        scene: &mut Scene,
        materials: &[Handle<Material>],
    ) -> Found<Vec<Option<Handle<Mesh>>>> {
        let document = self.document;
        let mut handles = Vec::with_capacity(document.meshes.len());
        for (index, mesh) in document.meshes.iter().enumerate() {
            let mesh = self.mesh(index, mesh, materials)?;
            handles.push((!mesh.primitives.is_empty()).then(|| scene.meshes.push(mesh)));
        }
        Ok(handles)
    }

    fn mesh(&mut self, index: usize, stored: &schema::Mesh, materials: &[Handle<Material>]) -> Found<Mesh> {
        let subject = called("mesh", index, stored.name.as_ref());
        let targets = stored.primitives.first().map_or(0, |primitive| primitive.targets.len());
        let mut mesh = Mesh {
            name: stored.name.clone().unwrap_or_default(),
            morph_weights: self.weights(stored.weights.as_deref(), targets, subject),
            morph_names: target_names(stored, targets),
            ..Mesh::default()
        };
        for (position, primitive) in stored.primitives.iter().enumerate() {
            let at = || path!("json", "meshes", index, "primitives", position);
            if primitive.targets.len() != targets {
                let message = format!("{} morph targets, the first primitive has {targets}", primitive.targets.len());
                return Err(Box::new(Diagnostic::new(&MORPH_TARGETS, at(), message)));
            }
            let Some(mut made) = self.primitive(primitive, subject, &at)? else { continue };
            made.material = primitive.material.and_then(|material| materials.get(material).copied());
            mesh.primitives.push(made);
        }
        self.keep_extras(&mut mesh.extras, without_target_names(stored.extras.as_ref()).as_ref(), subject);
        Ok(mesh)
    }

    /// Morph weights for this many targets; 0 where the list has none.
    pub(super) fn weights(&mut self, stored: Option<&[f32]>, targets: usize, subject: Called<'_>) -> Vec<f32> {
        let mut weights = stored.unwrap_or_default().to_vec();
        if stored.is_some() && weights.len() != targets {
            let detail = format!("{} weights for {targets} morph targets", weights.len());
            self.losses.push(LossKind::Truncated, Lost::MorphTargets, subject, detail, 1);
        }
        weights.resize(targets, 0.0);
        weights
    }

    fn primitive(
        &mut self,
        primitive: &schema::Primitive,
        subject: Called<'_>,
        at: &dyn Fn() -> Path,
    ) -> Found<Option<Primitive>> {
        let mode = primitive.mode.unwrap_or(4);
        let left_out = match (mode, accessor_of(&primitive.attributes, "POSITION")) {
            (0, _) => Some("points are not drawn"),
            (7.., _) => Some("nothing is known of its mode"),
            (_, None) => Some("it has no positions"),
            _ => None,
        };
        if let Some(why) = left_out {
            self.losses.dropped(Lost::Primitives, subject, why, 1);
            return Ok(None);
        }
        let mut streams = self.streams(&primitive.attributes, subject, &|| at().join("attributes"))?;
        if streams.is_empty() {
            self.losses.dropped(Lost::Primitives, subject, "it has no vertices", 1);
            return Ok(None);
        }
        let mut morph_targets = Vec::with_capacity(primitive.targets.len());
        for (index, target) in primitive.targets.iter().enumerate() {
            morph_targets.push(self.target(target, streams.len(), subject, &|| at().join("targets").join(index))?);
        }
        let corners = self.corners(primitive, streams.len(), at)?;
        let (topology, mut indices) = self.drawn(mode, corners, subject);
        if !valid::all_finite(streams.positions.as_flattened()) {
            indices = self.somewhere(&mut streams.positions, topology, &indices, subject);
            if indices.is_empty() {
                self.losses.dropped(Lost::Primitives, subject, "its positions are not finite", 1);
                return Ok(None);
            }
        }
        Ok(Some(Primitive { streams, indices, topology, material: None, morph_targets }))
    }

    fn streams(
        &mut self,
        attributes: &Map<String, Value>,
        subject: Called<'_>,
        at: &dyn Fn() -> Path,
    ) -> Found<Streams> {
        let mut streams = Streams::default();
        let mut own = Vec::new();
        let here = |name: &'static str| move || at().join(name);
        if let Some(accessor) = accessor_of(attributes, "POSITION") {
            streams.positions = self.floats(accessor, here("POSITION"))?;
        }
        let count = streams.positions.len();
        if let Some(accessor) = accessor_of(attributes, "NORMAL") {
            streams.normals = Some(as_many(self.floats(accessor, here("NORMAL"))?, count, here("NORMAL"))?);
        }
        if let Some(accessor) = accessor_of(attributes, "TANGENT") {
            streams.tangents = Some(as_many(self.floats(accessor, here("TANGENT"))?, count, here("TANGENT"))?);
        }
        while let Some(accessor) = accessor_of(attributes, &format!("TEXCOORD_{}", streams.uvs.len())) {
            streams.uvs.push(as_many(self.floats(accessor, at)?, count, at)?);
        }
        while let Some(accessor) = accessor_of(attributes, &format!("COLOR_{}", streams.colours.len())) {
            streams.colours.push(as_many(self.colours(accessor, at)?, count, at)?);
        }
        let sets = self.influences(attributes, &mut streams, at)?;
        for name in attributes.keys() {
            let read = match Semantic::of(name) {
                Semantic::Position | Semantic::Normal | Semantic::Tangent => true,
                Semantic::Coordinates(set) => set < streams.uvs.len(),
                Semantic::Colours(set) => set < streams.colours.len(),
                Semantic::Joints(set) | Semantic::Weights(set) => set < sets,
                Semantic::Other => false,
            };
            if !read {
                own.push(name.as_str());
            }
        }
        self.losses.dropped(Lost::Extras, subject, own.join(", "), own.len() as u64);
        Ok(streams)
    }

    fn colours(&self, accessor: usize, at: &dyn Fn() -> Path) -> Found<Vec<[f32; 4]>> {
        if self.accessors.elements(accessor)?.width != 3 {
            return self.floats(accessor, at);
        }
        let opaque = self.floats::<3>(accessor, at)?;
        Ok(opaque.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect())
    }

    /// Joins all sets of joints and weights into one; how many there were.
    fn influences(
        &self,
        attributes: &Map<String, Value>,
        streams: &mut Streams,
        at: &dyn Fn() -> Path,
    ) -> Found<usize> {
        let count = streams.len();
        let mut sets = Vec::new();
        while let (Some(joints), Some(weights)) = (
            accessor_of(attributes, &format!("JOINTS_{}", sets.len())),
            accessor_of(attributes, &format!("WEIGHTS_{}", sets.len())),
        ) {
            let joints = as_many(self.integers::<4>(joints, at)?, count, at)?;
            let weights = as_many(self.floats::<4>(weights, at)?, count, at)?;
            if !valid::all_finite(weights.as_flattened()) {
                return Err(Box::new(Diagnostic::new(&NOT_FINITE, at(), "a weight is not finite")));
            }
            sets.push((joints, weights));
        }
        let number = sets.len();
        let slots = 4 * number;
        let mut influences = Influences { slots, ..Influences::default() };
        if number == 1 {
            if let Some((joints, weights)) = sets.pop() {
                influences.joints = joints.into_flattened();
                influences.weights = weights.into_flattened();
            }
        } else {
            influences.joints.reserve(count * slots);
            influences.weights.reserve(count * slots);
            for vertex in 0..count {
                for (joints, weights) in &sets {
                    influences.joints.extend(joints.get(vertex).into_iter().flatten());
                    influences.weights.extend(weights.get(vertex).into_iter().flatten());
                }
            }
        }
        streams.influences = (number > 0).then_some(influences);
        Ok(number)
    }

    fn target(
        &mut self,
        target: &Map<String, Value>,
        count: usize,
        subject: Called<'_>,
        at: &dyn Fn() -> Path,
    ) -> Found<MorphTarget> {
        let stream = |name: &str| match accessor_of(target, name) {
            Some(accessor) => as_many(self.floats::<3>(accessor, at)?, count, at).map(Some),
            None => Ok(None),
        };
        let (positions, normals, tangents) = (stream("POSITION")?, stream("NORMAL")?, stream("TANGENT")?);
        if positions.is_none() {
            self.accessors.spend(12 * count as u64, at)?;
        }
        let other = |name: &&String| !matches!(name.as_str(), "POSITION" | "NORMAL" | "TANGENT");
        let others: Vec<&str> = target.keys().filter(other).map(String::as_str).collect();
        self.losses.dropped(Lost::Extras, subject, others.join(", "), others.len() as u64);
        Ok(MorphTarget { positions: positions.unwrap_or_else(|| vec![[0.0; 3]; count]), normals, tangents })
    }

    /// The indices of a primitive, or 0, 1, 2, .. where it has none.
    fn corners(&self, primitive: &schema::Primitive, count: usize, at: &dyn Fn() -> Path) -> Found<Vec<u32>> {
        let Some(accessor) = primitive.indices else {
            self.accessors.spend(4 * count as u64, at)?;
            return Ok((0..u32::try_from(count).unwrap_or(u32::MAX)).collect());
        };
        let at = || at().join("indices");
        let indices = self.integers::<1>(accessor, at)?.into_flattened();
        match valid::largest(&indices).filter(|&largest| largest as usize >= count) {
            None => Ok(indices),
            Some(largest) => {
                let finding = Diagnostic::new(&INDEX_OUT_OF_RANGE, at(), format!("the largest index is {largest}"));
                Err(Box::new(finding.expected(index_into(count, "vertices"))))
            }
        }
    }

    /// Triangles or lines from the corners of any mode.
    fn drawn(&mut self, mode: u32, mut corners: Vec<u32>, subject: Called<'_>) -> (Topology, Vec<u32>) {
        let baked = match mode {
            2 => Some((Lost::Lines, "a loop")),
            3 => Some((Lost::Lines, "a strip")),
            5 => Some((Lost::Triangles, "a strip")),
            6 => Some((Lost::Triangles, "a fan")),
            _ => None,
        };
        if let Some((what, form)) = baked {
            let detail = format!("{form} became single ones; what is drawn is the same");
            self.losses.push(LossKind::Baked, what, subject, detail, 1);
        }
        match mode {
            2 => corners.extend(corners.first().copied().filter(|_| corners.len() > 1)),
            5 => return (Topology::Triangles, strip(&corners)),
            6 => return (Topology::Triangles, fan(&corners)),
            _ => {}
        }
        if matches!(mode, 2 | 3) {
            let lines = corners.windows(2).flat_map(|pair| pair.iter().copied()).collect();
            return (Topology::Lines, lines);
        }
        let topology = if mode == 1 { Topology::Lines } else { Topology::Triangles };
        let over = corners.len() % topology.corners();
        if over > 0 {
            self.losses.push(
                LossKind::Truncated,
                Lost::Triangles,
                subject,
                "the last ones make no whole triangle or line",
                over as u64,
            );
            corners.truncate(corners.len() - over);
        }
        (topology, corners)
    }

    /// What is drawn with positions that are finite. The others become one of those; nothing is drawn with them.
    fn somewhere(
        &mut self,
        positions: &mut [[f32; 3]],
        topology: Topology,
        indices: &[u32],
        subject: Called<'_>,
    ) -> Vec<u32> {
        let is_somewhere: Vec<bool> = positions.iter().map(|position| valid::all_finite(position)).collect();
        let is_kept = |corner: &u32| is_somewhere.get(*corner as usize) == Some(&true);
        let drawn = indices.chunks(topology.corners());
        let kept: Vec<u32> = drawn.filter(|corners| corners.iter().all(is_kept)).flatten().copied().collect();
        let what = if topology == Topology::Lines { Lost::Lines } else { Lost::Triangles };
        let nowhere = is_somewhere.iter().filter(|is_somewhere| !**is_somewhere).count();
        let detail = format!("those at vertices whose positions are not finite, {nowhere} in all");
        let dropped = (indices.len() - kept.len()) / topology.corners();
        self.losses.dropped(what, subject, detail, dropped.max(1) as u64);
        let other = positions.iter().copied().find(|position| valid::all_finite(position)).unwrap_or_default();
        let bad = positions.iter_mut().zip(&is_somewhere).filter(|(_, is_somewhere)| !**is_somewhere);
        bad.for_each(|(position, _)| *position = other);
        kept
    }
}

/// Every other triangle of a strip has its winding flipped, so that all face the same way.
fn strip(corners: &[u32]) -> Vec<u32> {
    let mut triangles = Vec::with_capacity(3 * corners.len());
    for (index, window) in corners.windows(3).enumerate() {
        if let [a, b, c] = *window {
            triangles.extend(if index % 2 == 0 { [a, b, c] } else { [a, c, b] });
        }
    }
    triangles
}

fn fan(corners: &[u32]) -> Vec<u32> {
    let Some((&centre, rim)) = corners.split_first() else { return Vec::new() };
    let mut triangles = Vec::with_capacity(3 * rim.len());
    for pair in rim.windows(2) {
        if let [a, b] = *pair {
            triangles.extend([a, b, centre]);
        }
    }
    triangles
}

/// Refuses an attribute that does not have a value for each vertex.
fn as_many<T>(stream: Vec<T>, count: usize, at: impl Fn() -> Path) -> Found<Vec<T>> {
    match stream.len() == count {
        true => Ok(stream),
        false => {
            let message = format!("an attribute has {} elements for {count} vertices", stream.len());
            Err(Box::new(Diagnostic::new(&ATTRIBUTE_COUNT, at(), message).expected("one for each position")))
        }
    }
}

/// The names of the morph targets, which many writers put into `extras.targetNames`.
fn target_names(mesh: &schema::Mesh, targets: usize) -> Vec<String> {
    let stored = mesh.extras.as_ref().and_then(|extras| extras.get("targetNames")?.as_array());
    let name = |index: usize| stored.and_then(|names| names.get(index)?.as_str()).unwrap_or_default().to_owned();
    (0..targets).map(name).collect()
}

fn without_target_names(extras: Option<&Value>) -> Option<Value> {
    let mut extras = extras?.clone();
    if let Some(object) = extras.as_object_mut() {
        object.remove("targetNames");
    }
    (extras != Value::Object(Map::new())).then_some(extras)
}
