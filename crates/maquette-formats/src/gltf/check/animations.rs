//! Rules about animations: times, numbers of values, targets.

use super::super::accessor::{Component, Numbers};
use super::super::schema::{Animation, Channel};
use super::nodes::target_count;
use super::{
    ATTRIBUTE_TYPE, CHANNEL_TARGET, CHANNEL_TWICE, CHANNEL_UNKNOWN, KEY_COUNT, KEY_NOT_UNIT, KEY_TIMES, NOT_FINITE,
    needed,
};
use crate::rules::keys::{self, TimeCodes};
use crate::rules::numbers::UNIT_TOLERANCE;
use maquette_scene::{Diagnostic, Path, Report, path};
use std::collections::HashSet;

pub fn check(numbers: &Numbers<'_>, report: &mut Report) {
    let mut judged = HashSet::new();
    for (index, animation) in numbers.document.animations.iter().enumerate() {
        let mut targets = HashSet::new();
        for (position, channel) in animation.channels.iter().enumerate() {
            let at = || path!("json", "animations", index, "channels", position);
            self::channel(numbers, animation, channel, at, report);
            let target = (channel.target.node, channel.target.path.as_str());
            if target.0.is_some() && !targets.insert(target) {
                let finding = Diagnostic::new(&CHANNEL_TWICE, at(), "another channel moves the same property");
                report.push(finding.expected("one channel for each property of a node"));
            }
        }
        for sampler in &animation.samplers {
            if judged.insert(sampler.input) {
                times(numbers, sampler.input, report);
            }
        }
    }
}

fn times(numbers: &Numbers<'_>, accessor: usize, report: &mut Report) {
    // That the accessor can be read is judged with all accessors.
    let Ok(elements) = numbers.elements(accessor) else { return };
    let at = || path!("json", "accessors", accessor);
    let Some(times) = elements.floats::<1>().filter(|_| elements.component == Component::F32) else {
        let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), "the key times are not single numbers");
        return report.push(finding.expected("SCALAR of component type 5126"));
    };
    let times = times.into_flattened();
    if elements.is_backed() && !keys::times_are_sound(times.iter().copied()) {
        let codes =
            TimeCodes { not_finite: &NOT_FINITE, negative: &KEY_TIMES, unsorted: &KEY_TIMES, duplicate: &KEY_TIMES };
        keys::times(report, &codes, times, |_| at());
    }
}

fn channel(
    numbers: &Numbers<'_>,
    animation: &Animation,
    channel: &Channel,
    at: impl Fn() -> Path,
    report: &mut Report,
) {
    let document = numbers.document;
    let Some(node) = channel.target.node.and_then(|node| document.nodes.get(node)) else {
        return report.push(Diagnostic::new(&CHANNEL_UNKNOWN, at().join("target"), "the channel moves no node"));
    };
    let width = match channel.target.path.as_str() {
        "translation" | "scale" => 3,
        "rotation" => 4,
        "weights" => 1,
        other => {
            let message = format!("the channel moves the property {other:?}");
            return report.push(Diagnostic::new(&CHANNEL_UNKNOWN, at().join("target").join("path"), message));
        }
    };
    let weighs = width == 1;
    let targets = node.mesh.and_then(|mesh| document.meshes.get(mesh)).map_or(0, target_count);
    if (!weighs && node.matrix.is_some()) || (weighs && targets == 0) {
        let message = if weighs { "the node has no morph targets" } else { "the node is placed by a matrix" };
        let finding = Diagnostic::new(&CHANNEL_TARGET, at().join("target").join("node"), message);
        report.push(finding.expected("a node whose property can be animated"));
    }
    let Some(sampler) = animation.samplers.get(channel.sampler) else { return };
    let (Ok(input), Ok(output)) = (numbers.elements(sampler.input), numbers.elements(sampler.output)) else { return };
    if output.width != width {
        let finding = Diagnostic::new(&ATTRIBUTE_TYPE, at(), format!("its values have {} numbers", output.width));
        return report.push(finding.expected(format!("{width}")));
    }
    let cubic = sampler.interpolation.as_deref() == Some("CUBICSPLINE");
    let each = if cubic { 3 } else { 1 } * if weighs { targets.max(1) } else { 1 };
    if input.count.checked_mul(each) != Some(output.count) {
        let message = format!("{} values for {} times", output.count, input.count);
        report
            .push(Diagnostic::new(&KEY_COUNT, at().join("sampler"), message).expected(format!("{each} for each time")));
    } else if width == 4 && output.is_backed() {
        let bytes = output.count.saturating_mul(16) as u64;
        if needed(report, numbers.spend(bytes, at)).is_some() {
            rotations(output.floats::<4>().unwrap_or_default(), if cubic { 3 } else { 1 }, sampler.output, report);
        }
    }
}

fn rotations(values: Vec<[f32; 4]>, each: usize, accessor: usize, report: &mut Report) {
    let length = |value: &[f32; 4]| value.iter().map(|x| x * x).sum::<f32>();
    let keys = || values.iter().skip(each / 2).step_by(each);
    let wrong = |value: &&[f32; 4]| (length(value) - 1.0).abs() > UNIT_TOLERANCE;
    if let Some(first) = keys().find(wrong) {
        let message = format!("the length of a quaternion is {}", length(first).sqrt());
        let finding = Diagnostic::new(&KEY_NOT_UNIT, path!("json", "accessors", accessor), message);
        report.push(finding.expected("1").times(keys().filter(wrong).count() as u64));
    }
}
