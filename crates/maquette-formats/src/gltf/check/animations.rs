//! Rules about animations: key times, counts of values, targets.

use super::super::accessor::{Accessors, Component};
use super::super::rotation;
use super::super::schema::{Animation, Channel};
use super::nodes::target_count;
use super::{
    ATTRIBUTE_TYPE, CHANNEL_TARGET, CHANNEL_TWICE, CHANNEL_UNKNOWN, KEY_COUNT, KEY_NOT_UNIT, KEY_TIMES, NOT_FINITE,
    needed,
};
use crate::rules::keys::{self, TimeCodes};
use maquette_scene::{Diagnostic, Path, Report, path};
use std::collections::HashSet;

pub fn check(accessors: &Accessors<'_>, report: &mut Report) {
    let (mut judged, mut judged_rotations) = (HashSet::new(), HashSet::new());
    for (index, animation) in accessors.document.animations.iter().enumerate() {
        let mut targets = HashSet::new();
        for (position, channel) in animation.channels.iter().enumerate() {
            let at = || path!("json", "animations", index, "channels", position);
            if let Some(rotations) = self::channel(accessors, animation, channel, &at, report)
                && judged_rotations.insert(rotations)
            {
                self::rotations(accessors, rotations, report);
            }
            let target = (channel.target.node, channel.target.path.as_str());
            if target.0.is_some() && !targets.insert(target) {
                let finding = Diagnostic::new(&CHANNEL_TWICE, at(), "another channel animates the same property");
                report.push(finding.expected("one channel for each property of a node"));
            }
        }
        for sampler in &animation.samplers {
            if judged.insert(sampler.input) {
                times(accessors, sampler.input, report);
            }
        }
    }
}

fn times(accessors: &Accessors<'_>, accessor: usize, report: &mut Report) {
    // That the accessor can be read is judged with all accessors.
    let Ok(elements) = accessors.elements(accessor) else { return };
    let at = || path!("json", "accessors", accessor);
    let Some(times) = elements.floats::<1>().filter(|_| elements.component == Component::F32) else {
        let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), "the key times are not scalar floats");
        return report.push(finding.expected("SCALAR of component type 5126"));
    };
    let times = times.into_flattened();
    if elements.is_backed() && !keys::times_are_sound(times.iter().copied()) {
        let codes =
            TimeCodes { not_finite: &NOT_FINITE, negative: &KEY_TIMES, unsorted: &KEY_TIMES, duplicate: &KEY_TIMES };
        keys::times(report, &codes, times, |_| at());
    }
}

/// The accessor of rotations and how many values a key has in it.
type Rotations = (usize, usize);

/// Judges a channel; the rotations it plays, if it plays any.
fn channel(
    accessors: &Accessors<'_>,
    animation: &Animation,
    channel: &Channel,
    at: &dyn Fn() -> Path,
    report: &mut Report,
) -> Option<Rotations> {
    let document = accessors.document;
    let Some(node) = channel.target.node.and_then(|node| document.nodes.get(node)) else {
        report.push(Diagnostic::new(&CHANNEL_UNKNOWN, at().join("target"), "the channel animates no node"));
        return None;
    };
    let targets = node.mesh.and_then(|mesh| document.meshes.get(mesh)).map_or(0, target_count);
    let (width, trouble) = match channel.target.path.as_str() {
        "translation" | "scale" => (3, node.matrix.map(|_| "the transform of the node is a matrix")),
        "rotation" => (4, node.matrix.map(|_| "the transform of the node is a matrix")),
        "weights" => (1, (targets == 0).then_some("the node has no morph targets")),
        other => {
            let message = format!("the channel animates the property {other:?}");
            report.push(Diagnostic::new(&CHANNEL_UNKNOWN, at().join("target").join("path"), message));
            return None;
        }
    };
    if let Some(trouble) = trouble {
        let finding = Diagnostic::new(&CHANNEL_TARGET, at().join("target").join("node"), trouble);
        report.push(finding.expected("a node whose property can be animated"));
    }
    let sampler = animation.samplers.get(channel.sampler)?;
    let (input, output) = (accessors.elements(sampler.input).ok()?, accessors.elements(sampler.output).ok()?);
    if output.width != width {
        let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), format!("its values have {} components", output.width));
        report.push(finding.expected(format!("{width}")));
        return None;
    }
    let each = if sampler.interpolation.as_deref() == Some("CUBICSPLINE") { 3 } else { 1 };
    let all = if width == 1 { each * targets.max(1) } else { each };
    if input.count.checked_mul(all) != Some(output.count) {
        let message = format!("{} values for {} times", output.count, input.count);
        let finding = Diagnostic::new(&KEY_COUNT, at().join("sampler"), message);
        report.push(finding.expected(format!("{all} for each time")));
        return None;
    }
    (width == 4).then_some((sampler.output, each))
}

fn rotations(accessors: &Accessors<'_>, (accessor, each): Rotations, report: &mut Report) {
    let at = || path!("json", "accessors", accessor);
    let Ok(elements) = accessors.elements(accessor) else { return };
    if needed(report, accessors.spend(elements.count.saturating_mul(16) as u64, at)).is_none() {
        return;
    }
    let values = elements.floats::<4>().unwrap_or_default();
    let allowed = rotation::quantisation(&elements);
    // The middle one of three; the others are tangents. What is not finite is reported for every accessor already.
    let keys = || values.iter().skip(each / 2).step_by(each).filter(|value| value.iter().all(|x| x.is_finite()));
    let wrong = |value: &&[f32; 4]| rotation::deviation(value) > allowed;
    if let Some(first) = keys().find(wrong) {
        let message = format!("the length of a quaternion is {}", rotation::length(first) as f32);
        let finding = Diagnostic::new(&KEY_NOT_UNIT, at(), message);
        report.push(finding.expected("1").times(keys().filter(wrong).count() as u64));
    }
}
