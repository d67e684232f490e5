//! Rules about nodes, scenes and skins.

use super::super::accessor::{Accessors, Component};
use super::super::rotation;
use super::super::schema::{Document, Mesh, Node};
use super::{
    ATTRIBUTE_TYPE, NODE_CYCLE, NODE_IN_NO_SCENE, NODE_MATRIX_AND_TRS, NODE_PARENTS, ROOT_PARENT, ROTATION_NOT_UNIT,
    SKIN_JOINTS, SKIN_MATRICES, SKIN_MATRIX, SKIN_UNUSED, TRANSFORM_NOT_FINITE, WEIGHTS_LENGTH, needed,
};
use crate::rules::matrices::{self, MatrixCodes, MatrixOrder};
use crate::rules::parents::cycles;
use maquette_scene::{Diagnostic, Report, path};
use zerocopy::little_endian::F32;

/// Reports where the nodes are no trees: two parents, cycles, roots with parents. Linear, without recursion.
pub fn tree(document: &Document, report: &mut Report) {
    let mut parents: Vec<Option<usize>> = vec![None; document.nodes.len()];
    for (index, node) in document.nodes.iter().enumerate() {
        for (position, &child) in node.children.iter().enumerate() {
            match parents.get_mut(child) {
                Some(Some(other)) => {
                    let message = format!("node {child} is a child of node {other} too");
                    let at = path!("json", "nodes", index, "children", position);
                    report.push(Diagnostic::new(&NODE_PARENTS, at, message).expected("one parent for each node"));
                }
                Some(parent) => *parent = Some(index),
                None => {}
            }
        }
    }
    for index in cycles(parents.len(), |index| parents.get(index).copied().flatten()) {
        let at = path!("json", "nodes", index, "children");
        let finding = Diagnostic::new(&NODE_CYCLE, at, format!("node {index} is its own ancestor"));
        report.push(finding.expected("children that do not lead back"));
    }
    // The scene that listed a node last.
    let mut listed = vec![usize::MAX; document.nodes.len()];
    for (index, scene) in document.scenes.iter().enumerate() {
        for (position, &node) in scene.nodes.iter().enumerate() {
            let twice = listed.get_mut(node).is_some_and(|listed| std::mem::replace(listed, index) == index);
            let message = match parents.get(node) {
                Some(Some(parent)) => format!("node {node} is a child of node {parent}"),
                _ if twice => format!("node {node} is listed twice"),
                _ => continue,
            };
            let at = path!("json", "scenes", index, "nodes", position);
            report.push(Diagnostic::new(&ROOT_PARENT, at, message).expected("nodes without a parent, each once"));
        }
    }
}

/// The number of morph targets of a mesh.
pub fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.first().map_or(0, |primitive| primitive.targets.len())
}

/// The rules about single nodes.
pub fn check(document: &Document, report: &mut Report) {
    for (index, node) in document.nodes.iter().enumerate() {
        transform(node, index, report);
        let mesh = node.mesh.and_then(|mesh| document.meshes.get(mesh));
        let has_joints = mesh
            .is_some_and(|mesh| mesh.primitives.iter().any(|primitive| primitive.attributes.contains_key("JOINTS_0")));
        if node.skin.is_some() && !has_joints {
            let message = "the node has a skin, and no mesh with joints and weights";
            let finding = Diagnostic::new(&SKIN_UNUSED, path!("json", "nodes", index, "skin"), message);
            report.push(finding.expected("a mesh with JOINTS_0 and WEIGHTS_0"));
        }
        let targets = mesh.map_or(0, target_count);
        if let Some(weights) = node.weights.as_ref().filter(|weights| weights.len() != targets) {
            let message = format!("{} weights for {targets} morph targets", weights.len());
            let finding = Diagnostic::new(&WEIGHTS_LENGTH, path!("json", "nodes", index, "weights"), message);
            report.push(finding.expected("a weight for each morph target of the mesh"));
        }
    }
    in_no_scene(document, report);
}

fn transform(node: &Node, index: usize, report: &mut Report) {
    let at = |field: &'static str| path!("json", "nodes", index, field);
    let has_trs = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if node.matrix.is_some() && has_trs {
        let message = "the node has a matrix and a translation, rotation or scale";
        report.push(Diagnostic::new(&NODE_MATRIX_AND_TRS, at("matrix"), message).expected("one or the other"));
    }
    let finite = |values: Option<&[f32]>| values.is_none_or(|values| values.iter().all(|x| x.is_finite()));
    for (field, values) in [
        ("matrix", node.matrix.as_ref().map(<[f32; 16]>::as_slice)),
        ("translation", node.translation.as_ref().map(<[f32; 3]>::as_slice)),
        ("rotation", node.rotation.as_ref().map(<[f32; 4]>::as_slice)),
        ("scale", node.scale.as_ref().map(<[f32; 3]>::as_slice)),
        ("weights", node.weights.as_deref()),
    ] {
        if !finite(values) {
            let finding = Diagnostic::new(&TRANSFORM_NOT_FINITE, at(field), "a value is too large for a 32-bit float");
            report.push(finding.expected("values below 3.4e38"));
        }
    }
    let rotation = node.rotation.filter(|rotation| rotation.iter().all(|x| x.is_finite()));
    if let Some(rotation) = rotation.filter(|rotation| !rotation::is_unit(rotation)) {
        let message = format!("the length of the quaternion is {}", rotation::length(&rotation) as f32);
        report.push(Diagnostic::new(&ROTATION_NOT_UNIT, at("rotation"), message).expected("1"));
    }
}

fn in_no_scene(document: &Document, report: &mut Report) {
    if document.scenes.is_empty() {
        return;
    }
    let reached = document.reached_from(document.scenes.iter().flat_map(|scene| &scene.nodes).copied().collect());
    for (index, _) in reached.iter().enumerate().filter(|(_, reached)| !**reached) {
        report.push(Diagnostic::new(&NODE_IN_NO_SCENE, path!("json", "nodes", index), "the node is in no scene"));
    }
}

/// The rules about skins.
pub fn skins(accessors: &Accessors<'_>, report: &mut Report) {
    for (index, skin) in accessors.document.skins.iter().enumerate() {
        let mut joints = skin.joints.clone();
        joints.sort_unstable();
        joints.dedup();
        if joints.is_empty() || joints.len() < skin.joints.len() {
            let twice = skin.joints.len() - joints.len();
            let message = format!("the skin has {} joints, {twice} of them again", skin.joints.len());
            let finding = Diagnostic::new(&SKIN_JOINTS, path!("json", "skins", index, "joints"), message);
            report.push(finding.expected("at least one joint, each once"));
        }
        let Some(accessor) = skin.inverse_bind_matrices else { continue };
        let Some(elements) = needed(report, accessors.elements(accessor)) else { continue };
        let at = || path!("json", "skins", index, "inverseBindMatrices");
        if elements.count < skin.joints.len() {
            let message = format!("{} matrices for {} joints", elements.count, skin.joints.len());
            report.push(Diagnostic::new(&SKIN_MATRICES, at(), message).expected("a matrix for each joint"));
        }
        if elements.component != Component::F32 || elements.width != 16 {
            let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), "the matrices are not 4 × 4 floats");
            report.push(finding.expected("MAT4 of component type 5126"));
        } else if elements.is_backed() {
            bind_matrices(elements.floats::<16>().unwrap_or_default(), accessor, report);
        }
    }
}

fn bind_matrices(matrices: Vec<[f32; 16]>, accessor: usize, report: &mut Report) {
    // What is not finite is reported for every accessor already.
    let codes = MatrixCodes { not_finite: &super::NOT_FINITE, not_affine: &SKIN_MATRIX, degenerate: &SKIN_MATRIX };
    for matrix in matrices.iter().filter(|matrix| matrix.iter().all(|x| x.is_finite())) {
        let at = path!("json", "accessors", accessor);
        matrices::matrix(report, &codes, at, &matrix.map(F32::new), MatrixOrder::ColumnMajor);
    }
}
