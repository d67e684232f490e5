//! The companion JSON file.

use super::super::raw::File;
use super::super::sidecar::{Clip, DEFAULT_ANIM, NAMING, Settings, Sidecar, vector};
use super::{
    CLIP_BACKWARDS, CLIP_FILE_MISSING, CLIP_RANGE, CLIP_TWICE, DEFAULT_ANIM_UNKNOWN, SIDECAR_AXIS_ZERO,
    SIDECAR_NOT_JSON, SIDECAR_SCALE_ZERO,
};
use crate::format::Source;
use crate::rules::names;
use maquette_scene::{Diagnostic, Path, Report, path};
use std::collections::HashMap;

/// Judges the companion JSON file, if there is one, and gives what it says.
pub(super) fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) -> Option<Settings> {
    let Some((_, bytes)) = source.companion(NAMING) else {
        let message = format!("{} cannot be read: {}", NAMING.apply(source.name), source.obstacle(NAMING)?);
        let finding = Diagnostic::new(&SIDECAR_NOT_JSON, path!("companions", "json"), message);
        report.push(finding.expected("a JSON object"));
        return None;
    };
    let sidecar = match Sidecar::parse(&bytes) {
        Ok(sidecar) => sidecar,
        Err(error) => {
            report.push(error.diagnostic()?.clone());
            return None;
        }
    };
    sidecar.problems.into_iter().for_each(|problem| report.push(problem));
    let settings = sidecar.settings;
    placement(&settings, report);
    clips(file, &settings, source, report);
    default_anim(file, &settings, report);
    Some(settings)
}

fn at(key: &'static str) -> Path {
    path!("companions", "json", key)
}

fn placement(settings: &Settings, report: &mut Report) {
    if settings.scale.as_deref().and_then(vector).is_some_and(|scale| scale.contains(&0.0)) {
        let message = format!("the scale is {:?}", settings.scale.as_deref().unwrap_or_default());
        report.push(Diagnostic::new(&SIDECAR_SCALE_ZERO, at("scale"), message).expected("no factor of 0"));
    }
    if settings.rotation_angle.as_deref().and_then(vector) == Some([0.0; 3]) {
        let finding = Diagnostic::new(&SIDECAR_AXIS_ZERO, at("rotationAngle"), "the axis is 0 0 0");
        report.push(finding.expected("an axis such as \"0.0 1.0 0.0\""));
    }
}

fn clips(file: &File<'_>, settings: &Settings, source: &Source<'_>, report: &mut Report) {
    let in_clip = |index: usize, key: &'static str| path!("companions", "json", "clips", index, key);
    let mut is_there: HashMap<&str, bool> = HashMap::new();
    for (index, clip) in settings.clips.iter().enumerate() {
        if let (Some(start), Some(end)) = (clip.start, clip.end)
            && start > end
        {
            let finding = Diagnostic::new(&CLIP_BACKWARDS, in_clip(index, "start"), format!("ticks {start} to {end}"));
            report.push(finding.expected("a start before the end"));
        }
        match &clip.file {
            None => range(file, clip, |key| in_clip(index, key), report),
            Some(name) => {
                let path = name.replace('\\', "/");
                if !*is_there.entry(name).or_insert_with(|| source.resources.get(&path).is_some()) {
                    report.push(Diagnostic::new(&CLIP_FILE_MISSING, in_clip(index, "file"), source.lacks(&path)));
                }
            }
        }
    }
    let texts = settings.clips.iter().map(|clip| clip.name.as_deref().unwrap_or_default().as_bytes());
    names::unique(report, &CLIP_TWICE, texts, |index| in_clip(index, "name"));
}

/// The ticks of a clip that is a part of this file's first animation.
fn range(file: &File<'_>, clip: &Clip, at: impl Fn(&'static str) -> Path, report: &mut Report) {
    let ticks =
        file.animations.first().and_then(|animation| animation.bones.first()).map_or(0, |bone| bone.matrices.len());
    let expected = || match ticks {
        0 => "no clip: the model has no animation".into(),
        _ => format!("0 to {}", ticks - 1),
    };
    let ends = [("start", clip.start), ("end", clip.end)];
    if let Some((key, tick)) =
        ends.into_iter().filter_map(|(key, tick)| Some((key, tick?))).find(|&(_, tick)| tick >= ticks as u64)
    {
        report.push(Diagnostic::new(&CLIP_RANGE, at(key), format!("tick {tick} is asked for")).expected(expected()));
    }
}

fn default_anim(file: &File<'_>, settings: &Settings, report: &mut Report) {
    let Some(name) = settings.default_anim.as_deref() else { return };
    let exists = settings.clips.iter().any(|clip| clip.name.as_deref() == Some(name));
    // Files for models that do not move often name the engine's default, which then plays nothing.
    let is_idle_default = name == DEFAULT_ANIM && settings.clips.is_empty() && file.animations.is_empty();
    if !exists && !is_idle_default {
        let message = format!("no clip has the name {name:?}");
        let names: Vec<&str> = settings.clips.iter().filter_map(|clip| clip.name.as_deref()).take(8).collect();
        let finding = Diagnostic::new(&DEFAULT_ANIM_UNKNOWN, at("defaultAnim"), message);
        report.push(match names.is_empty() {
            true => finding.expected("the name of a clip; there are none"),
            false => finding.expected(format!("the name of a clip: {}", names.join(", "))),
        });
    }
}
