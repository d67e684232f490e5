//! Rules for the clip: its length, its bones and their keys.

use super::*;
use crate::format::QuaternionOrder;
use crate::nlm::hierarchy::Links;
use crate::nlm::raw::{Animation, Bone, File, PositionKey, RotationKey, ScaleKey};
use crate::rules::keys::{self, TimeCodes};
use crate::rules::matrices::{self, MatrixCodes, MatrixOrder};
use crate::rules::scan;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The engine's NL_MAX_BONES.
const ENGINE_BONES: usize = 200;

pub fn check(file: &File<'_>, animation: &Animation<'_>, report: &mut Report) {
    clip(animation, report);
    let links = Links::of(&animation.nodes);
    let index_by_node = bone_info(animation, &links, report);
    bones(animation, &links, &index_by_node, report);
    let end = Some(animation.duration.get()).filter(|end| end.is_finite() && *end > 0.0);
    for (index, bone) in animation.bones.iter().enumerate() {
        keys_of_bone(index, bone, end, report);
    }
    quaternion_order(file, animation, report);
}

fn clip(animation: &Animation<'_>, report: &mut Report) {
    let duration = animation.duration.get();
    if !duration.is_finite() || duration <= 0.0 {
        let finding =
            Diagnostic::new(&DURATION_INVALID, path!("animation", "duration"), format!("the duration is {duration}"));
        report.push(finding.expected("a finite number of ticks above 0"));
    }
    let ticks = animation.ticks_per_second.get();
    if ticks <= 0 {
        let at = path!("animation", "ticks_per_second");
        report.push(Diagnostic::new(&TICKS_INVALID, at, format!("the rate is {ticks}")).expected("a number above 0"));
    }
    if animation.bones.iter().all(|bone| bone.key_count() == 0) {
        let finding = Diagnostic::new(&ANIMATION_WITHOUT_KEYS, path!("animation", "bone_count"), "no node has keys");
        report.push(finding);
    }
    if animation.nodes.is_empty() {
        let finding = Diagnostic::new(&ANIMATION_WITHOUT_NODES, path!("animation", "node_count"), "there are no nodes");
        report.push(finding.expected("at least the root"));
    }
}

/// Notes the first place of each value, and reports the others.
fn unique(
    report: &mut Report,
    code: &'static Code,
    values: impl Iterator<Item = i32>,
    what: &str,
    at: impl Fn(usize) -> Path,
) {
    let mut first = HashMap::new();
    for (index, value) in values.enumerate() {
        match first.entry(value) {
            Entry::Vacant(slot) => {
                slot.insert(index);
            }
            Entry::Occupied(earlier) => {
                let message = format!("{what} {value} is also that of {}", at(*earlier.get()));
                report.push(Diagnostic::new(code, at(index), message).expected("each once"));
            }
        }
    }
}

/// Returns the bone index of each node id.
fn bone_info(animation: &Animation<'_>, links: &Links, report: &mut Report) -> HashMap<i32, i32> {
    let all = &animation.bone_info;
    if all.len() > ENGINE_BONES {
        let finding = Diagnostic::new(
            &BONE_LIMIT,
            path!("animation", "bone_info_count"),
            format!("the file has {} bones", all.len()),
        );
        report.push(finding.expected(format!("at most {ENGINE_BONES}")));
    }
    let at = |index: usize, field: &'static str| path!("animation", "bone_info", index, field);
    let nodes = all.iter().map(|bone| bone.node_id.get());
    unique(report, &BONE_INFO_NODE_DUPLICATE, nodes, "node id", |index| at(index, "node_id"));
    let indices = all.iter().map(|bone| bone.bone_index.get());
    unique(report, &BONE_INDEX_DUPLICATE, indices, "bone index", |index| at(index, "bone_index"));
    let codes =
        MatrixCodes { not_finite: &OFFSET_NOT_FINITE, not_affine: &OFFSET_NOT_AFFINE, degenerate: &OFFSET_DEGENERATE };
    for (index, bone) in all.iter().enumerate() {
        let (node_id, bone_index) = (bone.node_id.get(), bone.bone_index.get());
        if usize::try_from(bone_index).map_or(true, |bone_index| bone_index >= all.len()) {
            let message = format!("the bone index is {bone_index}");
            let expected = index_into(all.len(), "bones");
            report.push(Diagnostic::new(&BONE_INDEX_RANGE, at(index, "bone_index"), message).expected(expected));
        }
        if links.by_id(node_id).is_none() {
            let message = format!("the node id is {node_id}");
            let finding = Diagnostic::new(&BONE_INFO_NODE_MISSING, at(index, "node_id"), message);
            report.push(finding.expected("the id of a node"));
        }
        matrices::matrix(report, &codes, at(index, "offset_matrix"), &bone.offset_matrix, MatrixOrder::ColumnMajor);
    }
    all.iter().map(|bone| (bone.node_id.get(), bone.bone_index.get())).collect()
}

fn bones(animation: &Animation<'_>, links: &Links, index_by_node: &HashMap<i32, i32>, report: &mut Report) {
    let at = |index: usize, field: &'static str| path!("animation", "bones", index, field);
    let nodes = animation.bones.iter().map(|bone| bone.node_id.get());
    unique(report, &BONE_NODE_DUPLICATE, nodes, "node id", |index| at(index, "node_id"));
    for (index, bone) in animation.bones.iter().enumerate() {
        let (node_id, bone_index) = (bone.node_id.get(), bone.bone_index.get());
        match index_by_node.get(&node_id) {
            None => {
                let message = format!("no bone info has node id {node_id}");
                let finding = Diagnostic::new(&BONE_WITHOUT_INFO, at(index, "node_id"), message);
                report.push(finding.expected("a node that the bone info lists"));
            }
            Some(&listed) if listed != bone_index => {
                let message = format!("the bone index is {bone_index}, the bone info of node {node_id} says {listed}");
                let finding = Diagnostic::new(&BONE_INDEX_MISMATCH, at(index, "bone_index"), message);
                report.push(finding.expected(listed.to_string()));
            }
            Some(_) => {}
        }
        if links.by_id(node_id).is_none() {
            let finding =
                Diagnostic::new(&BONE_NODE_MISSING, at(index, "node_id"), format!("the node id is {node_id}"));
            report.push(finding.expected("the id of a node"));
        }
        let kinds = [
            ("position_count", bone.positions.len()),
            ("rotation_count", bone.rotations.len()),
            ("scale_count", bone.scales.len()),
        ];
        for (field, _) in kinds.into_iter().filter(|(_, count)| *count == 0) {
            let message = format!("the node has no {} keys", field.trim_end_matches("_count"));
            report.push(Diagnostic::new(&BONE_WITHOUT_KEYS, at(index, field), message).expected("at least one"));
        }
    }
}

/// A key of any kind.
trait Key: Sync {
    /// The name of its value.
    const VALUE: &'static str;
    fn time(&self) -> f32;
    fn value(&self) -> &[F32];
    /// Whether the value makes sense, given that it is finite.
    fn is_sound(&self) -> bool;
    /// What is wrong with a value that does not.
    fn describe(&self, at: Path) -> Diagnostic;
}

impl Key for PositionKey {
    const VALUE: &'static str = "position";
    fn time(&self) -> f32 {
        self.time.get()
    }
    fn value(&self) -> &[F32] {
        &self.position
    }
    fn is_sound(&self) -> bool {
        true
    }
    fn describe(&self, at: Path) -> Diagnostic {
        Diagnostic::new(&KEY_NOT_FINITE, at, "the position is not finite")
    }
}

impl Key for RotationKey {
    const VALUE: &'static str = "rotation";
    fn time(&self) -> f32 {
        self.time.get()
    }
    fn value(&self) -> &[F32] {
        &self.rotation
    }
    fn is_sound(&self) -> bool {
        numbers::is_unit(&self.rotation)
    }
    fn describe(&self, at: Path) -> Diagnostic {
        let message = format!("the quaternion has length {}", numbers::length(&self.rotation));
        Diagnostic::new(&ROTATION_NOT_UNIT, at, message).expected("length 1")
    }
}

impl Key for ScaleKey {
    const VALUE: &'static str = "scale";
    fn time(&self) -> f32 {
        self.time.get()
    }
    fn value(&self) -> &[F32] {
        &self.scale
    }
    fn is_sound(&self) -> bool {
        self.scale.iter().fold(true, |sound, &x| sound & (numbers::magnitude_bits(x) != 0))
    }
    fn describe(&self, at: Path) -> Diagnostic {
        let [x, y, z] = &self.scale;
        let (x, y, z) = (x.get(), y.get(), z.get());
        Diagnostic::new(&SCALE_ZERO, at, format!("the scale is {x}, {y}, {z}")).expected("no component of 0")
    }
}

fn keys_of_bone(index: usize, bone: &Bone<'_>, end: Option<f32>, report: &mut Report) {
    let table = |name: &'static str| move || path!("animation", "bones", index, name);
    run(table("positions"), &bone.positions, end, report);
    run(table("rotations"), &bone.rotations, end, report);
    run(table("scales"), &bone.scales, end, report);
}

const NOT_FINITE: u32 = 1;
const VALUE: u32 = 2;
const AFTER_END: u32 = 4;

/// The keys of one kind; `table` gives their path.
fn run<K: Key>(table: impl Fn() -> Path, keys: &[K], end: Option<f32>, report: &mut Report) {
    if keys.is_empty() {
        return;
    }
    let times = || keys.iter().map(Key::time);
    if !keys::times_are_sound(times()) {
        let codes = TimeCodes {
            not_finite: &KEY_NOT_FINITE,
            negative: &KEY_TIME_NEGATIVE,
            unsorted: &KEY_TIMES_UNSORTED,
            duplicate: &KEY_TIMES_DUPLICATE,
        };
        keys::times(report, &codes, times(), |index| table().join(index).join("time"));
    }
    // Times and duration are rounded apart; a key within a hundred-thousandth is at the end.
    let last = end.map_or(f32::INFINITY, |end| end * (1.0 + 1e-5));
    let faults = |key: &K| {
        let finite = numbers::all_finite(key.value());
        (u32::from(!finite) * NOT_FINITE)
            | (u32::from(finite & !key.is_sound()) * VALUE)
            | (u32::from((key.time() > last) & key.time().is_finite()) * AFTER_END)
    };
    scan(report, keys, faults, |index, key, fault| {
        let at = table().join(index);
        match fault {
            NOT_FINITE => {
                let message = format!("the {} is not finite", K::VALUE);
                Diagnostic::new(&KEY_NOT_FINITE, at.join(K::VALUE), message).expected("finite numbers")
            }
            VALUE => key.describe(at.join(K::VALUE)),
            _ => {
                let end = end.unwrap_or_default();
                let message = format!("the time is {}, the clip ends at {end}", key.time());
                Diagnostic::new(&KEY_AFTER_END, at.join("time"), message).expected(format!("at most {end}"))
            }
        }
    });
}

/// How much larger the mean of the wrong end must be. Motion of large turns comes near a tie.
const ORDER_MARGIN: f64 = 0.05;

/// The real part is the largest on average; it should be where the dialect has it.
fn quaternion_order(file: &File<'_>, animation: &Animation<'_>, report: &mut Report) {
    let (mut first, mut last, mut count) = (0.0, 0.0, 0u64);
    for key in animation.bones.iter().flat_map(|bone| bone.rotations.iter()) {
        let [a, .., d] = &key.rotation;
        let (a, d) = (f64::from(a.get()).abs(), f64::from(d.get()).abs());
        if (a + d).is_finite() {
            (first, last, count) = (first + a, last + d, count + 1);
        }
    }
    let [first, last] = [first, last].map(|sum| sum / count.max(1) as f64);
    let order = file.dialect.quaternion_order();
    let (real, other) = match order {
        QuaternionOrder::Wxyz => (first, last),
        QuaternionOrder::Xyzw => (last, first),
    };
    if other > real + ORDER_MARGIN {
        let message = format!(
            "{} means keys {}, but over {count} keys the first number is {first:.2} on average and the last {last:.2}",
            shown(&file.dialect.magic().bytes()),
            order.word()
        );
        let finding = Diagnostic::new(&QUATERNION_ORDER, path!("header", "magic"), message);
        report.push(finding.expected("the larger where w stands"));
    }
}
