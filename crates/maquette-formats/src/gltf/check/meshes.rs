//! Rules about primitives: attributes, indices, morph targets, joints and weights.

use super::super::accessor::{Accessors, Component, Elements};
use super::super::attributes::{Semantic, accessor_of};
use super::super::schema::{Material, Mesh, Primitive, TextureInfo};
use super::nodes::target_count;
use super::{
    ATTRIBUTE_ALONE, ATTRIBUTE_COUNT, ATTRIBUTE_TYPE, INDEX_COUNT, INDEX_OUT_OF_RANGE, JOINT_OUT_OF_RANGE, MESH_EMPTY,
    MORPH_TARGETS, NORMAL_NOT_UNIT, POSITION_MISSING, TEXCOORD_MISSING, WEIGHT_SUM, WEIGHTS_LENGTH, needed,
};
use crate::rules::numbers::UNIT_TOLERANCE;
use crate::rules::{Tally, index_into};
use maquette_scene::{Diagnostic, Path, Report, Segment, path};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

pub fn check(accessors: &Accessors<'_>, report: &mut Report) {
    let mut look = Look {
        accessors,
        report,
        largest_index: HashMap::new(),
        largest_joint: HashMap::new(),
        judged: HashSet::new(),
    };
    let meshes = &accessors.document.meshes;
    let joints: Vec<_> = meshes.iter().enumerate().map(|(index, mesh)| look.mesh(index, mesh)).collect();
    look.skins(&joints);
}

struct Look<'n, 'r> {
    accessors: &'n Accessors<'n>,
    report: &'r mut Report,
    /// By accessor, because primitives may share one.
    largest_index: HashMap<usize, Option<u32>>,
    /// By the accessors of joints and weights.
    largest_joint: HashMap<Vec<(usize, usize)>, Option<u32>>,
    /// Normals that need no second look.
    judged: HashSet<usize>,
}

/// How far weights may be from adding up to 1: four of eight bits each are off by this much.
const SUM_TOLERANCE: f32 = 2.0 / 255.0;

/// The largest joint that moves a vertex of a mesh, and the primitive it is in.
type LargestJoint = Option<(u32, usize)>;

impl Look<'_, '_> {
    fn mesh(&mut self, index: usize, mesh: &Mesh) -> LargestJoint {
        let at = || path!("json", "meshes", index);
        if mesh.primitives.is_empty() {
            let finding = Diagnostic::new(&MESH_EMPTY, at(), "the mesh has no primitives");
            self.report.push(finding.expected("at least one"));
        }
        let targets = target_count(mesh);
        if let Some(weights) = mesh.weights.as_ref().filter(|weights| weights.len() != targets) {
            let message = format!("{} weights for {targets} morph targets", weights.len());
            let finding = Diagnostic::new(&WEIGHTS_LENGTH, at().join("weights"), message);
            self.report.push(finding.expected("a weight for each morph target"));
        }
        let mut largest = None;
        for (position, primitive) in mesh.primitives.iter().enumerate() {
            let at = || at().join("primitives").join(position);
            if primitive.targets.len() != targets {
                let message = format!("{} morph targets, the first primitive has {targets}", primitive.targets.len());
                let finding = Diagnostic::new(&MORPH_TARGETS, at(), message);
                self.report.push(finding.expected("the same number in all primitives of a mesh"));
            }
            let joint = self.primitive(primitive, &at);
            largest = largest.max(joint.map(|joint| (joint, position)));
        }
        largest
    }

    /// The rules about one primitive; the largest joint that moves one of its vertices.
    fn primitive(&mut self, primitive: &Primitive, at: &dyn Fn() -> Path) -> Option<u32> {
        let Some(position) = accessor_of(&primitive.attributes, "POSITION") else {
            let finding = Diagnostic::new(&POSITION_MISSING, at().join("attributes"), "there is no POSITION");
            self.report.push(finding.expected("positions"));
            return None;
        };
        // Whether accessors can be read is judged with all of them.
        let count = self.accessors.elements(position).ok()?.count;
        self.attributes(&primitive.attributes, count, Owner::Primitive, &|| at().join("attributes"));
        for (index, target) in primitive.targets.iter().enumerate() {
            self.attributes(target, count, Owner::MorphTarget, &|| at().join("targets").join(index));
        }
        self.indices(primitive, count, at);
        if let Some(material) = primitive.material.and_then(|material| self.accessors.document.materials.get(material))
        {
            self.coordinates(material, &primitive.attributes, at);
        }
        self.normals(&primitive.attributes);
        self.influences(&primitive.attributes, at)
    }

    fn attributes(&mut self, attributes: &Map<String, Value>, count: usize, owner: Owner, at: &dyn Fn() -> Path) {
        for name in attributes.keys() {
            let at = || at().join(Segment::Name(name.clone().into()));
            let semantic = Semantic::of(name);
            let elements = accessor_of(attributes, name).and_then(|accessor| self.accessors.elements(accessor).ok());
            let Some(elements) = elements else { continue };
            if elements.count != count {
                let finding = Diagnostic::new(&ATTRIBUTE_COUNT, at(), format!("there are {} elements", elements.count));
                self.report.push(finding.expected(format!("{count}, one for each position")));
            }
            let widths: &[usize] = match (semantic, owner) {
                (Semantic::Tangent, Owner::MorphTarget) => &[3],
                _ => semantic.widths(),
            };
            let whole = matches!(elements.component, Component::U8 | Component::U16 | Component::U32);
            if !widths.contains(&elements.width) || (matches!(semantic, Semantic::Joints(_)) && !whole) {
                let message = format!("its elements are {} × {:?}", elements.width, elements.component);
                let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), message);
                self.report.push(finding.expected(format!("{widths:?} components, of unsigned integers for joints")));
            }
            if let Some(alone) = semantic.needs().filter(|needed| !attributes.contains_key(needed)) {
                let finding = Diagnostic::new(&ATTRIBUTE_ALONE, at(), format!("there is no {alone}"));
                self.report.push(finding.expected("joints with weights, and sets numbered from 0"));
            }
        }
    }

    fn indices(&mut self, primitive: &Primitive, vertices: usize, at: &dyn Fn() -> Path) {
        let Some(accessor) = primitive.indices else {
            return self.count(primitive, vertices, &|| at().join("attributes"));
        };
        let at = || at().join("indices");
        let Ok(elements) = self.accessors.elements(accessor) else { return };
        self.count(primitive, elements.count, &at);
        let whole = matches!(elements.component, Component::U8 | Component::U16 | Component::U32);
        if elements.width != 1 || !whole {
            let message = format!("the indices are {} × {:?}", elements.width, elements.component);
            let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), message);
            return self.report.push(finding.expected("SCALAR of component type 5121, 5123 or 5125"));
        }
        let largest = *self.largest_index.entry(accessor).or_insert_with(|| {
            let indices = elements.integers::<1>().filter(|_| elements.is_backed()).unwrap_or_default();
            indices.into_flattened().into_iter().max()
        });
        if let Some(largest) = largest.filter(|&largest| largest as usize >= vertices) {
            let finding = Diagnostic::new(&INDEX_OUT_OF_RANGE, at(), format!("the largest index is {largest}"));
            self.report.push(finding.expected(index_into(vertices, "vertices")));
        }
    }

    fn count(&mut self, primitive: &Primitive, count: usize, at: &dyn Fn() -> Path) {
        let corners = match primitive.mode.unwrap_or(4) {
            4 => 3,
            1 => 2,
            _ => return,
        };
        if !count.is_multiple_of(corners) {
            let what = if corners == 3 { "triangles" } else { "lines" };
            let finding = Diagnostic::new(&INDEX_COUNT, at(), format!("{count} corners are no whole {what}"));
            self.report.push(finding.expected(format!("a multiple of {corners}")));
        }
    }

    fn coordinates(&mut self, material: &Material, attributes: &Map<String, Value>, at: &dyn Fn() -> Path) {
        let pbr = material.pbr_metallic_roughness.as_ref();
        let base: [Option<&TextureInfo>; 5] = [
            pbr.and_then(|pbr| pbr.base_color_texture.as_ref()),
            pbr.and_then(|pbr| pbr.metallic_roughness_texture.as_ref()),
            material.normal_texture.as_ref(),
            material.occlusion_texture.as_ref(),
            material.emissive_texture.as_ref(),
        ];
        let sets = base.into_iter().flatten().map(TextureInfo::uv_set);
        if let Some(set) = sets.filter(|set| !attributes.contains_key(&format!("TEXCOORD_{set}"))).min() {
            let message = format!("a texture of its material uses TEXCOORD_{set}, which is not there");
            let finding = Diagnostic::new(&TEXCOORD_MISSING, at().join("attributes"), message);
            self.report.push(finding.expected("a set of coordinates for every texture"));
        }
    }

    fn normals(&mut self, attributes: &Map<String, Value>) {
        let Some(accessor) = accessor_of(attributes, "NORMAL").filter(|accessor| self.judged.insert(*accessor)) else {
            return;
        };
        let at = || path!("json", "accessors", accessor);
        let Some(elements) = self.accessors.elements(accessor).ok().filter(Elements::is_backed) else { return };
        if needed(self.report, self.accessors.spend(elements.count.saturating_mul(12) as u64, at)).is_none() {
            return;
        }
        let mut tally = Tally::default();
        for normal in elements.floats::<3>().unwrap_or_default() {
            let length: f32 = normal.iter().map(|x| x * x).sum();
            // What is not finite is reported for every accessor already.
            if (length - 1.0).abs() > UNIT_TOLERANCE {
                tally.hit(self.report, || {
                    let message = format!("the length of the normal {normal:?} is {}", length.sqrt());
                    Diagnostic::new(&NORMAL_NOT_UNIT, at(), message).expected("1")
                });
            }
        }
        tally.finish(self.report);
    }

    /// The largest joint that moves a vertex. Sets that primitives share are judged once.
    fn influences(&mut self, attributes: &Map<String, Value>, at: &dyn Fn() -> Path) -> Option<u32> {
        let mut sets = Vec::new();
        for set in 0.. {
            let joints = accessor_of(attributes, &format!("JOINTS_{set}"));
            let weights = accessor_of(attributes, &format!("WEIGHTS_{set}"));
            let (Some(joints), Some(weights)) = (joints, weights) else { break };
            sets.push((joints, weights));
        }
        if let Some(known) = self.largest_joint.get(&sets) {
            return *known;
        }
        let largest = self.sets(&sets, at);
        self.largest_joint.insert(sets, largest);
        largest
    }

    fn sets(&mut self, sets: &[(usize, usize)], at: &dyn Fn() -> Path) -> Option<u32> {
        let mut sums: Vec<f32> = Vec::new();
        let mut largest = None;
        for &(joints, weights) in sets {
            let (joints, weights) = (self.accessors.elements(joints).ok()?, self.accessors.elements(weights).ok()?);
            if !joints.is_backed() || !weights.is_backed() {
                return None;
            }
            let bytes = joints.count.saturating_add(weights.count).saturating_mul(16) as u64;
            needed(self.report, self.accessors.spend(bytes, at))?;
            let (joints, weights) = (joints.integers::<4>()?, weights.floats::<4>()?);
            sums.resize(weights.len(), 0.0);
            for ((joints, weights), sum) in joints.iter().zip(&weights).zip(&mut sums) {
                *sum += weights.iter().sum::<f32>();
                let used = joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
                largest = largest.max(used.map(|(joint, _)| *joint).max());
            }
        }
        let mut tally = Tally::default();
        for sum in sums.into_iter().filter(|sum| (sum - 1.0).abs() > SUM_TOLERANCE) {
            tally.hit(self.report, || {
                let at = at().join("attributes").join("WEIGHTS_0");
                Diagnostic::new(&WEIGHT_SUM, at, format!("the weights of a vertex add up to {sum}")).expected("1")
            });
        }
        tally.finish(self.report);
        largest
    }

    fn skins(&mut self, largest: &[LargestJoint]) {
        let document = self.accessors.document;
        for (index, node) in document.nodes.iter().enumerate() {
            let (Some(mesh), Some(skin)) = (node.mesh, node.skin.and_then(|skin| document.skins.get(skin))) else {
                continue;
            };
            let Some((joint, primitive)) = largest.get(mesh).copied().flatten() else { continue };
            if joint as usize >= skin.joints.len() {
                let message =
                    format!("a vertex follows joint {joint}, the skin of node {index} has {}", skin.joints.len());
                let at = path!("json", "meshes", mesh, "primitives", primitive, "attributes", "JOINTS_0");
                let finding = Diagnostic::new(&JOINT_OUT_OF_RANGE, at, message);
                self.report.push(finding.expected(index_into(skin.joints.len(), "joints")));
            }
        }
    }
}

/// What an attribute belongs to. Tangents of morph targets have no sign.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Primitive,
    MorphTarget,
}
