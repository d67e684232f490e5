//! The rules for bones: numbers, hierarchy, matrices, and one skeleton for all meshes.

use super::super::detect::Numbers;
use super::super::raw::{Bone, Dialect, File, Mesh, Vertices};
use super::{
    BONE_BEFORE_PARENT, BONE_ID_DUPLICATE, BONE_ID_NOT_POSITION, BONES_WITHOUT_WEIGHTS, IDS_LOOK_LIKE_PARENTS,
    MATRIX_DEGENERATE, MATRIX_NOT_AFFINE, MATRIX_NOT_FINITE, PARENT_CYCLE, PARENT_OUT_OF_RANGE, PARENTS_LOOK_LIKE_IDS,
    SKELETONS_DIFFER, TOO_MANY_BONES, WEIGHTS_WITHOUT_BONES,
};
use crate::rules::matrices::{self, MatrixCodes};
use crate::rules::parents::{self, ParentCodes};
use maquette_scene::{Diagnostic, Path, Report, path};
use std::collections::HashMap;

/// The bones that the engine's shaders have room for.
const MAX_BONES: usize = 100;

const PARENTS: ParentCodes =
    ParentCodes { out_of_range: &PARENT_OUT_OF_RANGE, cycle: &PARENT_CYCLE, before_parent: &BONE_BEFORE_PARENT };
const MATRICES: MatrixCodes =
    MatrixCodes { not_finite: &MATRIX_NOT_FINITE, not_affine: &MATRIX_NOT_AFFINE, degenerate: &MATRIX_DEGENERATE };

/// The rules for the bones of one mesh.
pub(super) fn bones(dialect: Dialect, mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    counted(mesh, at, report);
    match dialect {
        Dialect::Document => ids(&mesh.bones, at, report),
        _ => hierarchy(&mesh.bones, at, report),
    }
    for (index, bone) in mesh.bones.iter().enumerate() {
        let place = at.join("bones").join(index).join("offset_matrix");
        matrices::matrix(report, &MATRICES, place, &bone.offset_matrix, dialect.matrix_order());
    }
}

fn counted(mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    let (count, weighted) = (mesh.bones.len(), matches!(mesh.vertices, Vertices::Type3(_)));
    let field = |name: &'static str| at.join("header").join(name);
    if count > MAX_BONES {
        let finding = Diagnostic::new(&TOO_MANY_BONES, field("bone_count"), format!("the mesh has {count} bones"));
        report.push(finding.expected(format!("at most {MAX_BONES}")));
    }
    if count > 0 && !weighted {
        let message = format!("{count} bones, and vertices of type {}", mesh.vertices.vertex_type());
        let finding = Diagnostic::new(&BONES_WITHOUT_WEIGHTS, field("bone_count"), message);
        report.push(finding.expected("vertices of type 3, which carry weights"));
    }
    if count == 0 && weighted {
        let message = "the vertices carry weights and the mesh has no bones";
        let finding = Diagnostic::new(&WEIGHTS_WITHOUT_BONES, field("vertex_type"), message);
        report.push(finding.expected("vertices of type 2, or bones"));
    }
}

/// What keeps the parents of bones from making a tree, if anything does. Bones before their parents still do.
pub(in super::super) fn broken_hierarchy(bones: &[Bone<'_>], at: &Path) -> Option<Diagnostic> {
    let mut report = Report::default();
    hierarchy(bones, at, &mut report);
    report.items().iter().find(|finding| finding.code.id != BONE_BEFORE_PARENT.id).cloned()
}

fn hierarchy(bones: &[Bone<'_>], at: &Path, report: &mut Report) {
    let place = |index: usize| at.join("bones").join(index).join("parent");
    if Numbers::of(bones) == Numbers::Ids {
        let message = "every bone has its own position for a parent";
        let finding = Diagnostic::new(&PARENTS_LOOK_LIKE_IDS, place(0), message).times(bones.len() as u64);
        return report.push(finding.expected("-1 for a root, or the position of an earlier bone"));
    }
    let list: Vec<i32> = bones.iter().map(|bone| bone.id_or_parent.get()).collect();
    parents::parents(report, &PARENTS, &list, "bones in this mesh", place);
}

fn ids(bones: &[Bone<'_>], at: &Path, report: &mut Report) {
    let place = |index: usize| at.join("bones").join(index).join("id");
    match Numbers::of(bones) {
        Numbers::Ids => return,
        Numbers::Parents => {
            let message = "the ids are -1 and the positions of earlier bones";
            let finding = Diagnostic::new(&IDS_LOOK_LIKE_PARENTS, place(0), message).times(bones.len() as u64);
            return report.push(finding.expected("ids 0, 1, 2 and so on"));
        }
        Numbers::Unclear => {}
    }
    let mut first: HashMap<i32, usize> = HashMap::new();
    for (index, bone) in bones.iter().enumerate() {
        let id = bone.id_or_parent.get();
        if usize::try_from(id) != Ok(index) {
            let finding = Diagnostic::new(&BONE_ID_NOT_POSITION, place(index), format!("bone {index} has id {id}"));
            report.push(finding.expected(index.to_string()));
        }
        let earlier = *first.entry(id).or_insert(index);
        if earlier != index {
            let message = format!("the id {id} is also that of bone {earlier}");
            report.push(Diagnostic::new(&BONE_ID_DUPLICATE, place(index), message).expected("unique ids"));
        }
    }
}

/// Compares the skeletons of all meshes that have one with the first of them.
pub(super) fn skeletons_agree(file: &File<'_>, report: &mut Report) {
    let mut rigged = file.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.bones.is_empty());
    let Some((first, model)) = rigged.next() else { return };
    let same = |a: &Bone<'_>, b: &Bone<'_>| a.id_or_parent == b.id_or_parent && a.name == b.name;
    for (index, mesh) in rigged {
        if mesh.bones.len() != model.bones.len() {
            let message = format!("the mesh has {} bones, meshes[{first}] has {}", mesh.bones.len(), model.bones.len());
            let finding = Diagnostic::new(&SKELETONS_DIFFER, path!("meshes", index, "header", "bone_count"), message);
            report.push(finding.expected("the same bones in every mesh that has any"));
            continue;
        }
        let mut pairs = mesh.bones.iter().zip(&model.bones);
        if let Some(bone) = pairs.position(|(a, b)| !same(a, b)) {
            let message = format!("the bone is not meshes[{first}].bones[{bone}]");
            let finding = Diagnostic::new(&SKELETONS_DIFFER, path!("meshes", index, "bones", bone), message);
            report.push(finding.expected("the same bones in every mesh that has any"));
        }
    }
}
