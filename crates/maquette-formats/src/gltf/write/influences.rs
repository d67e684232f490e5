//! Joints and weights in sets of four: weights that add up to 1, no joint twice, unused slots of joint 0.

use super::Tally;
use super::plan::is_still;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::Influences;

/// How far the sum of weights may be from 1, for each of them. The validator's own measure.
const TOLERANCE: f32 = 2e-7;

/// Joints and weights of all vertices.
#[derive(Debug, PartialEq)]
pub struct Bound {
    /// Of each set, four joints and weights for every vertex.
    pub sets: Vec<(Vec<u32>, Vec<f32>)>,
}

/// What was changed.
#[derive(Default)]
struct Changes {
    negative: Tally,
    merged: u64,
    still: u64,
    scaled: Tally,
}

/// Binds vertices. `still` is the joint for those that nothing moves; without one they cannot be bound, nor can the others.
pub fn bind(
    influences: &Influences,
    vertex_count: usize,
    still: Option<u32>,
    subject: &str,
    losses: &mut LossReport,
) -> Option<Bound> {
    let lost = (0..vertex_count).filter(|&vertex| still.is_none() && is_still(influences, vertex)).count() as u64;
    if lost > 0 {
        losses.dropped(
            Lost::Influences,
            subject,
            "nothing moves some vertices of the primitive, and no skin its mesh",
            lost,
        );
        return None;
    }
    let mut changes = Changes::default();
    let mut used = Vec::new();
    let mut ends = Vec::with_capacity(vertex_count);
    for vertex in 0..vertex_count {
        let start = used.len();
        gather(influences, vertex, &mut used, &mut changes);
        if used.len() == start {
            used.push((still.unwrap_or(0), 1.0));
            changes.still += 1;
        }
        ends.push(used.len());
    }
    let starts = || std::iter::once(0).chain(ends.iter().copied());
    let most = starts().zip(&ends).map(|(start, end)| end - start).max().unwrap_or(1);
    let set_count = most.div_ceil(4);
    let mut sets = vec![(vec![0; 4 * vertex_count], vec![0.0; 4 * vertex_count]); set_count];
    for (vertex, (start, &end)) in starts().zip(&ends).enumerate() {
        let slots = used.get_mut(start..end).unwrap_or_default();
        normalise(slots, set_count, &mut changes.scaled);
        for (slot, &(joint, weight)) in slots.iter().enumerate() {
            let Some((joints, weights)) = sets.get_mut(slot / 4) else { continue };
            let at = 4 * vertex + slot % 4;
            if let (Some(joint_slot), Some(weight_slot)) = (joints.get_mut(at), weights.get_mut(at)) {
                (*joint_slot, *weight_slot) = (if weight > 0.0 { joint } else { 0 }, weight);
            }
        }
    }
    changes.report(subject, losses);
    Some(Bound { sets })
}

/// The used slots of a vertex, each joint once.
fn gather(influences: &Influences, vertex: usize, used: &mut Vec<(u32, f32)>, changes: &mut Changes) {
    let start = used.len();
    for (joint, weight) in influences.of(vertex) {
        if weight < 0.0 {
            changes.negative.note(-weight);
            continue;
        }
        match used.iter_mut().skip(start).find(|(known, _)| *known == joint) {
            Some((_, known)) => {
                *known = (*known + weight).min(f32::MAX);
                changes.merged += 1;
            }
            None => used.push((joint, weight)),
        }
    }
}

/// Makes weights add up to 1, unless they do within what rounding makes of it.
fn normalise(slots: &mut [(u32, f32)], set_count: usize, scaled: &mut Tally) {
    // Summed as the validator does: first slots of all sets, then second ones.
    let mut sum = 0.0_f32;
    for component in 0..4 {
        for set in 0..set_count {
            sum += slots.get(4 * set + component).map_or(0.0, |slot| slot.1);
        }
    }
    if (sum - 1.0).abs() <= TOLERANCE * slots.len() as f32 {
        return;
    }
    let sum: f64 = slots.iter().map(|slot| f64::from(slot.1)).sum();
    let mut worst = 0.0_f32;
    for (_, weight) in slots {
        let before = *weight;
        *weight = (f64::from(before) / sum) as f32;
        worst = worst.max((*weight - before).abs());
    }
    scaled.note(worst);
}

impl Changes {
    fn report(self, subject: &str, losses: &mut LossReport) {
        self.negative.report(
            losses,
            Lost::Influences,
            subject,
            "weights below 0 made 0; the error is that of a weight",
        );
        losses.push(LossKind::Baked, Lost::Influences, subject, "weights of one joint added up", self.merged);
        let detail = "bound to an added joint that does not move, as nothing moves them";
        losses.push(LossKind::Baked, Lost::Influences, subject, detail, self.still);
        self.scaled.report(
            losses,
            Lost::Influences,
            subject,
            "weights rounded for a sum that is 1 as closely as the specification wants; the error is that of a weight",
        );
    }
}
