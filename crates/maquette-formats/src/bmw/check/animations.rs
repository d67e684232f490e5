//! Animations, and the names of the bones they move.

use super::super::ids::IdSet;
use super::super::raw::{Animation, Dialect, File, Matrix};
use super::{
    ANIMATION_EMPTY, ANIMATION_NODE, ANIMATION_NODE_TWICE, ANIMATION_NOT_AFFINE, ANIMATION_NOT_FINITE, BONE_NAME_EMPTY,
    BONE_NAME_MISSING, BONE_NAME_NODE, BONE_NAME_NODE_TWICE, BONE_NAME_TWICE, DURATION_ZERO, MATRIX_COUNT, RATE_ZERO,
    TEXT_NOT_UTF8, Tallies, WEIGHTED_NOT_ANIMATED,
};
use crate::rules::matrices::MatrixOrder;
use crate::rules::{self, names, numbers};
use maquette_scene::{Diagnostic, Report, path};
use std::collections::HashSet;
use zerocopy::little_endian::F32;

/// How far the last row of a matrix may be from 0 0 0 1. The converter interpolates matrices number by number.
const AFFINE_TOLERANCE: f32 = 1e-3;

pub(super) fn check(file: &File<'_>, report: &mut Report) {
    let (order, _) = file.matrix_order();
    let node_ids = file.node_ids();
    let mut tallies = Tallies::default();
    for (index, animation) in file.animations.iter().enumerate() {
        timing(file.dialect, index, animation, &mut tallies, report);
        bones(index, animation, &node_ids, &mut tallies, report);
        for (bone_index, bone) in animation.bones.iter().enumerate() {
            matrices(index, bone_index, &bone.matrices, order, report);
        }
    }
    tallies.finish(report);
    if !file.animations.is_empty() {
        still_bones(file, report);
    }
}

fn timing(dialect: Dialect, index: usize, animation: &Animation<'_>, tallies: &mut Tallies, report: &mut Report) {
    let at = |field: &'static str| path!("animations", index, field);
    let wanted = dialect.matrices_for(animation.duration);
    let found = animation.bones.iter().map(|bone| bone.matrices.len() as u64).find(|&found| found != wanted);
    if let Some(found) = found {
        tallies.hit(report, &MATRIX_COUNT, || {
            let message = format!("the duration is {}, and each bone has {found} matrices", animation.duration);
            let right = found.saturating_sub(dialect.matrices_for(0));
            (at("duration"), message, format!("a duration of {right}, or bones with {wanted} matrices"))
        });
    } else if animation.duration == 0 {
        tallies.hit(report, &DURATION_ZERO, || (at("duration"), "the duration is 0".into(), "at least 1 tick".into()));
    }
    if animation.rate == 0 {
        tallies
            .hit(report, &RATE_ZERO, || (at("rate"), "the rate is 0".into(), "ticks in a second, such as 30".into()));
    }
    if animation.bones.is_empty() {
        tallies.hit(report, &ANIMATION_EMPTY, || {
            (at("bone_count"), "the animation moves no node".into(), "at least 1".into())
        });
    }
}

fn bones(index: usize, animation: &Animation<'_>, node_ids: &IdSet, tallies: &mut Tallies, report: &mut Report) {
    let mut seen = HashSet::new();
    for (bone_index, bone) in animation.bones.iter().enumerate() {
        let at = || path!("animations", index, "bones", bone_index, "node_id");
        let id = bone.node_id;
        if !node_ids.contains(id) {
            let expected = "the id of a node";
            tallies.hit(report, &ANIMATION_NODE, || (at(), format!("no node has the id {id}"), expected.into()));
        }
        if !seen.insert(id) {
            let expected = "each node once";
            tallies
                .hit(report, &ANIMATION_NODE_TWICE, || (at(), format!("node {id} was moved before"), expected.into()));
        }
    }
}

const NOT_FINITE: u32 = 1;
const NOT_AFFINE: u32 = 2;

/// The row that is 0 0 0 1 in an affine matrix.
fn last_row(matrix: &Matrix, order: MatrixOrder) -> [F32; 4] {
    let [_, _, _, a, _, _, _, b, _, _, _, c, m, n, o, d] = *matrix;
    match order {
        MatrixOrder::ColumnMajor => [a, b, c, d],
        MatrixOrder::RowMajor => [m, n, o, d],
    }
}

fn is_affine(row: [F32; 4]) -> bool {
    let off = |(found, right): (F32, f32)| (found.get() - right).abs();
    row.into_iter().zip([0.0, 0.0, 0.0, 1.0]).map(off).fold(0.0, f32::max) <= AFFINE_TOLERANCE
}

fn matrices(animation: usize, bone: usize, matrices: &[Matrix], order: MatrixOrder, report: &mut Report) {
    if matrices.is_empty() {
        return;
    }
    let faults = |matrix: &Matrix| match numbers::all_finite(matrix) {
        true => u32::from(!is_affine(last_row(matrix, order))) * NOT_AFFINE,
        false => NOT_FINITE,
    };
    rules::scan(report, matrices, faults, |tick, matrix, fault| {
        let at = path!("animations", animation, "bones", bone, "matrices", tick);
        match fault {
            NOT_FINITE => Diagnostic::new(&ANIMATION_NOT_FINITE, at, "the matrix holds a NaN or an infinity")
                .expected("finite numbers"),
            _ => {
                let row = last_row(matrix, order).map(F32::get);
                Diagnostic::new(&ANIMATION_NOT_AFFINE, at, format!("the last row is {row:?}, read {}", order.word()))
                    .expected("0, 0, 0 and 1")
            }
        }
    });
}

/// Nodes with weights that no animation moves.
fn still_bones(file: &File<'_>, report: &mut Report) {
    let animated = file.animated_ids();
    let mut still = file.weighted_ids().iter().filter(|&id| !animated.contains(id)).collect::<Vec<_>>().into_iter();
    if let Some(first) = still.next() {
        let message = format!("{} nodes with weights are in no animation, such as {first}", 1 + still.len());
        report.push(Diagnostic::new(&WEIGHTED_NOT_ANIMATED, path!("animations", 0, "bone_count"), message));
    }
}

pub(super) fn bone_names(file: &File<'_>, report: &mut Report) {
    if file.dialect != Dialect::Engine {
        return;
    }
    let node_ids = file.node_ids();
    let mut named = IdSet::expecting(file.nodes.len());
    let mut tallies = Tallies::default();
    for (index, bone) in file.bone_names.iter().enumerate() {
        let (id, at) = (bone.node_id, |field: &'static str| path!("bone_names", index, field));
        if !node_ids.contains(id) {
            tallies.hit(report, &BONE_NAME_NODE, || {
                (at("node_id"), format!("no node has the id {id}"), "the id of a node".into())
            });
        }
        if !named.insert(id) {
            tallies.hit(report, &BONE_NAME_NODE_TWICE, || {
                (at("node_id"), format!("node {id} was named before"), "one name for each node".into())
            });
        }
        if bone.name.is_empty() {
            tallies.hit(report, &BONE_NAME_EMPTY, || (at("name"), "the name is empty".into(), "a name".into()));
        }
        if std::str::from_utf8(&bone.name).is_err() {
            names::utf8(report, &TEXT_NOT_UTF8, at("name"), &bone.name);
        }
    }
    tallies.finish(report);
    let texts = file.bone_names.iter().map(|bone| &*bone.name);
    names::unique(report, &BONE_NAME_TWICE, texts, |index| path!("bone_names", index, "name"));
    let mut nameless = file.weighted_ids().iter().filter(|&id| !named.contains(id)).collect::<Vec<_>>().into_iter();
    if let Some(first) = nameless.next() {
        let message = format!("{} nodes with weights have no name, such as {first}", 1 + nameless.len());
        let finding = Diagnostic::new(&BONE_NAME_MISSING, path!("bone_name_count"), message);
        report.push(finding.expected("a name for each"));
    }
}
