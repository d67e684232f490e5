//! The skeletons of the meshes as nodes and skins: those that are the same in every bone as one.
//!
//! A bone's matrix leads from mesh space to bone space at rest. Its inverse is where the bone rests, which is all the file knows of
//! a rest pose. The document's dialect has no parents: its bones lie side by side.

use super::super::check::{MATRIX_NOT_FINITE, broken_hierarchy};
use super::super::raw::{Bone, Dialect, File};
use crate::companions::scene_name;
use crate::format::{Result, refuse};
use crate::rules::matrices::MatrixOrder;
use crate::rules::numbers::all_finite;
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Diagnostic, Handle, Scene, path};
use std::collections::HashMap;
use zerocopy::IntoBytes;
use zerocopy::little_endian::F32;

/// What makes two skeletons the same.
type Key<'f> = Vec<(i32, &'f [u8], &'f [u8])>;

fn key<'f>(bones: &'f [Bone<'_>]) -> Key<'f> {
    bones.iter().map(|bone| (bone.id_or_parent.get(), bone.offset_matrix.as_bytes(), &*bone.name)).collect()
}

/// The skin of each mesh. The roots of the skeletons become the roots of the scene.
pub(super) fn read(
    file: &File<'_>,
    order: MatrixOrder,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<Vec<Option<Handle<Skin>>>> {
    let mut known: HashMap<Key<'_>, Handle<Skin>> = HashMap::new();
    let mut skins = Vec::with_capacity(file.meshes.len());
    for (index, mesh) in file.meshes.iter().enumerate() {
        if mesh.bones.is_empty() {
            skins.push(None);
            continue;
        }
        let key = key(&mesh.bones);
        let skin = match known.get(&key) {
            Some(&skin) => skin,
            None => *known.entry(key).or_insert(skeleton(file, index, &mesh.bones, order, scene, losses)?),
        };
        skins.push(Some(skin));
    }
    Ok(skins)
}

fn skeleton(
    file: &File<'_>,
    mesh: usize,
    bones: &[Bone<'_>],
    order: MatrixOrder,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> Result<Handle<Skin>> {
    let at = path!("meshes", mesh);
    if file.dialect != Dialect::Document
        && let Some(finding) = broken_hierarchy(bones, &at)
    {
        return Err(refuse(file, finding));
    }
    let subject = format!("the skeleton of mesh {mesh}");
    let mut skin = Skin::default();
    for (index, bone) in bones.iter().enumerate() {
        if !all_finite(&bone.offset_matrix) {
            let at = at.join("bones").join(index).join("offset_matrix");
            let finding = Diagnostic::new(&MATRIX_NOT_FINITE, at, "the matrix holds a NaN or an infinity");
            return Err(refuse(file, finding.expected("finite numbers")));
        }
        let name = scene_name(&bone.name, Lost::NodeNames, &subject, losses);
        skin.joints.push(scene.nodes.push(Node { name, ..Node::default() }));
        skin.joint_from_mesh.push(matrix(&bone.offset_matrix, order));
    }
    hang(file.dialect, bones, &skin.joints, scene);
    rest(file.dialect, bones, &skin, scene, &subject, losses);
    Ok(scene.skins.push(skin))
}

fn matrix(elements: &[F32; 16], order: MatrixOrder) -> Mat4 {
    let matrix = Mat4::from_cols_array(&elements.map(F32::get));
    match order {
        MatrixOrder::ColumnMajor => matrix,
        MatrixOrder::RowMajor => matrix.transpose(),
    }
}

/// The position of a bone's parent.
fn parent(dialect: Dialect, bone: &Bone<'_>) -> Option<usize> {
    match dialect {
        Dialect::Document => None,
        _ => usize::try_from(bone.id_or_parent.get()).ok(),
    }
}

fn hang(dialect: Dialect, bones: &[Bone<'_>], joints: &[Handle<Node>], scene: &mut Scene) {
    for (bone, &joint) in bones.iter().zip(joints) {
        let parent = parent(dialect, bone).and_then(|parent| joints.get(parent));
        match parent.and_then(|&parent| scene.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(joint),
            None => scene.roots.push(joint),
        }
    }
}

/// Lays every joint where its matrix binds it.
fn rest(dialect: Dialect, bones: &[Bone<'_>], skin: &Skin, scene: &mut Scene, subject: &str, losses: &mut LossReport) {
    let mut lost = 0;
    for (index, (bone, &joint)) in bones.iter().zip(&skin.joints).enumerate() {
        let above = parent(dialect, bone).and_then(|parent| skin.joint_from_mesh.get(parent));
        let local = skin.joint_from_mesh.get(index).and_then(|own| bound(above, own));
        lost += u64::from(local.is_none());
        if let Some(node) = scene.nodes.get_mut(joint) {
            node.transform = local.map(nearest_local).unwrap_or_default();
        }
    }
    losses.dropped(Lost::RestPoses, subject, "matrices without an inverse; the bones lie at their parents", lost);
}

/// Joint space to parent space in the bind pose: where the parent's matrix takes the joint's origin and axes. `None` if the
/// joint's matrix has no inverse.
pub(in super::super) fn bound(parent_from_mesh: Option<&Mat4>, joint_from_mesh: &Mat4) -> Option<Mat4> {
    let parent_from_mesh = parent_from_mesh.copied().unwrap_or(Mat4::IDENTITY);
    // A matrix without an inverse trips glam's assertions where they are on, so the determinant is looked at first.
    let determinant = joint_from_mesh.determinant();
    let is_flat = determinant == 0.0 || !determinant.is_finite();
    (!is_flat).then(|| parent_from_mesh * joint_from_mesh.inverse()).filter(Mat4::is_finite)
}

/// As parts where they say the same, else as the matrix.
fn nearest_local(matrix: Mat4) -> Transform {
    let trs = Trs::from_matrix(matrix);
    let size = matrix.to_cols_array().into_iter().fold(1.0f32, |size, x| size.max(x.abs()));
    match trs.matrix().abs_diff_eq(matrix, size * 1e-6) {
        true => Transform::Trs(trs),
        false => Transform::Matrix(matrix),
    }
}
