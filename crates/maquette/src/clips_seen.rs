//! The clips of a file to be looked at, and nothing written: what each holds, track by track, and what is wrong with it.

use crate::check::{self, Checked};
use crate::{Error, Input, ReadOptions, Result, Scene};
use maquette_formats::companions::stem_of;
use maquette_motion::doctor::{self, Fault};
use maquette_motion::{Blend, Curve, Interpolation, Motion, OfClip, Rig, Track};
use maquette_scene::diag::ReportOptions;
use maquette_scene::loss::LossReport;
use serde::Serialize;

/// The clips of a file, and the model they are with, if there is one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Seen {
    /// In the order of the file.
    pub motions: Vec<Motion>,
    /// What else the file holds; `None` where it holds one clip and nothing else.
    pub scene: Option<Scene>,
}

impl Seen {
    /// The hierarchy of the file, where it has one.
    pub fn rig(&self) -> Option<Rig> {
        self.scene.as_ref().map(Rig::of_scene).filter(|rig| !rig.joints.is_empty())
    }
}

/// Reads the clips of a file, in all their precision.
pub fn see(input: &Input, options: &ReadOptions) -> Result<Seen> {
    let opened = input.open(options.dialect.as_deref())?;
    let failed = |source| Error::Read { file: input.label.clone(), format: Some(opened.format), source };
    if let Some(motion) = opened.file.motion(&mut LossReport::default()) {
        let motion = Motion { name: stem_of(input.name()).to_owned(), ..motion.map_err(failed)? };
        return Ok(Seen { motions: vec![motion], scene: None });
    }
    let scene = input.read_opened(&opened, options)?.scene;
    if scene.clips.is_empty() {
        return Err(Error::NoClip { file: input.label.clone() });
    }
    let motions = scene.clips.iter().map(|clip| OfClip::new(&scene, clip).motion).collect();
    Ok(Seen { motions, scene: Some(scene) })
}

/// What the clips of a file hold: the fields of `clip info --json`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ClipsInfo {
    /// The file as it was named.
    pub file: String,
    /// One for each clip.
    pub clips: Vec<ClipInfo>,
}

impl ClipsInfo {
    /// Of clips of this file.
    pub fn new<'m>(input: &Input, motions: impl IntoIterator<Item = &'m Motion>) -> ClipsInfo {
        ClipsInfo { file: input.label.clone(), clips: motions.into_iter().map(ClipInfo::of).collect() }
    }
}

/// What a clip holds.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ClipInfo {
    /// Its name; empty where it has none.
    pub clip: String,
    /// How long it is.
    pub duration_secs: f64,
    /// How many frames it has, where it has frames.
    pub frames: Option<u64>,
    /// Frames a second, where it has frames.
    pub frame_rate: Option<f64>,
    /// Whether it is meant to repeat; null where the file does not tell.
    pub looped: Option<bool>,
    /// `absolute`, `relative`, `additive` or `delta`.
    pub blend: &'static str,
    /// Keys of all tracks.
    pub keys: u64,
    /// How many bones and blend shapes it has, with keys or without.
    pub bones: u64,
    /// One for each property that moves.
    pub tracks: Vec<TrackInfo>,
    /// Named moments.
    pub events: Vec<EventInfo>,
}

/// The keys of one property of one bone.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TrackInfo {
    /// The bone or blend shape.
    pub bone: String,
    /// How its values are to be taken, if not as the clip's.
    pub blend: Option<&'static str>,
    /// `translation`, `rotation`, `scale` or `morph weights`.
    pub property: &'static str,
    /// `step`, `linear` or `cubic`.
    pub interpolation: &'static str,
    /// How many keys.
    pub keys: u64,
    /// When the first key is.
    pub first_secs: f64,
    /// When the last key is.
    pub last_secs: f64,
    /// The least of each component: x, y, z and w, or weight by weight.
    pub min: Vec<f64>,
    /// The largest of each component.
    pub max: Vec<f64>,
    /// The value of the first key.
    pub first: Vec<f64>,
    /// The value of the last key.
    pub last: Vec<f64>,
}

/// A named moment.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct EventInfo {
    /// When it is.
    pub time_secs: f64,
    /// What it is called.
    pub name: String,
}

impl ClipInfo {
    /// Of a motion.
    pub fn of(motion: &Motion) -> ClipInfo {
        let frames = motion.frame_rate.map(|rate| (motion.duration_secs * rate).round() as u64 + 1);
        ClipInfo {
            clip: motion.name.clone(),
            duration_secs: motion.duration_secs,
            frames,
            frame_rate: motion.frame_rate,
            looped: motion.looped,
            blend: blend_word(motion.blend),
            keys: motion.key_count() as u64,
            bones: motion.bones.len() as u64,
            tracks: motion.tracks.iter().filter_map(|track| TrackInfo::of(motion, track)).collect(),
            events: motion
                .events
                .iter()
                .map(|event| EventInfo { time_secs: event.time_secs, name: event.name.clone() })
                .collect(),
        }
    }
}

impl TrackInfo {
    fn of(motion: &Motion, track: &Track) -> Option<TrackInfo> {
        let bone = motion.bone(track)?;
        let (mut min, mut max): (Vec<f64>, Vec<f64>) = Default::default();
        let (mut first, mut last): (Option<Vec<f64>>, Vec<f64>) = Default::default();
        each_value(&track.curve, |value| {
            if first.is_none() {
                first = Some(value.to_vec());
                (min, max) = (value.to_vec(), value.to_vec());
            }
            min.iter_mut().zip(value).for_each(|(min, number)| *min = min.min(*number));
            max.iter_mut().zip(value).for_each(|(max, number)| *max = max.max(*number));
            last.clear();
            last.extend_from_slice(value);
        });
        let times = track.curve.times_secs();
        Some(TrackInfo {
            bone: bone.name.clone(),
            blend: bone.blend.map(blend_word),
            property: track.curve.property(),
            interpolation: match track.curve.interpolation() {
                Interpolation::Step => "step",
                Interpolation::Linear => "linear",
                Interpolation::CubicSpline => "cubic",
            },
            keys: times.len() as u64,
            first_secs: *times.first()?,
            last_secs: *times.last()?,
            min,
            max,
            first: first?,
            last,
        })
    }
}

/// The value of every key as numbers.
pub(crate) fn each_value(curve: &Curve, mut look: impl FnMut(&[f64])) {
    match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => keys.iter().for_each(|(_, value)| look(&value.to_array())),
        Curve::Rotation(keys) => keys.iter().for_each(|(_, value)| look(&value.to_array())),
        Curve::MorphWeights(keys) => keys.iter().for_each(|(_, value)| look(value)),
    }
}

/// What a blend is called.
pub fn blend_word(blend: Blend) -> &'static str {
    match blend {
        Blend::Absolute => "absolute",
        Blend::Relative => "relative",
        Blend::Additive => "additive",
        Blend::Delta => "delta",
    }
}

/// What is wrong with the clips of a file: the fields of `clip doctor --json`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Doctored {
    /// The file as it was named.
    pub file: String,
    /// Whether nothing was found.
    pub ok: bool,
    /// What was found.
    pub findings: Vec<FaultRow>,
}

/// One fault of one clip.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FaultRow {
    /// The clip; empty where it has no name.
    pub clip: String,
    /// `unit-scale`, `up-axis`, `blend`, ..
    pub fault: &'static str,
    /// What is wrong, and the figures that tell of it.
    pub why: String,
    /// The command that puts it right; null where that takes a person.
    pub fix: Option<String>,
}

/// What the doctor is told besides the clips.
#[derive(Clone, Debug, Default)]
pub struct DoctorOptions {
    /// How the file is read.
    pub read: ReadOptions,
    /// The skeleton that its clips are for; that of the file itself by default.
    pub rig: Option<Rig>,
    /// The file of that skeleton as a command takes it.
    pub skeleton: Option<String>,
}

/// Findings of `check` that make a clip play wrongly: what they are for the doctor, and what puts them right.
const FILE_FAULTS: [(&str, &str, &str); 4] = [
    ("framerate-invalid", "frame-rate", "fix"),
    ("key-beyond-frame-count", "frame-count", "fix --frame-count 0"),
    ("keys-unsorted", "keys-unsorted", "fix"),
    ("keys-on-one-frame", "keys-on-one-frame", "fix"),
];

/// Looks for everything that makes clips of a file play wrongly.
pub fn doctor(input: &Input, options: &DoctorOptions) -> Result<Doctored> {
    let seen = see(input, &options.read)?;
    let own = seen.rig();
    let rig = options.rig.as_ref().or(own.as_ref());
    let mut findings = Vec::new();
    if seen.scene.is_none() {
        let checked = check::check(input, options.read.dialect.as_deref(), ReportOptions::default());
        let clip = seen.motions.first().map(|motion| motion.name.clone()).unwrap_or_default();
        findings.extend(of_file(&checked).map(|fault| row(input, options, &clip, fault)));
        findings.extend(seen.motions.first().and_then(|motion| frame_beyond(input, options, motion)));
    }
    for motion in &seen.motions {
        findings.extend(doctor::look(motion, rig).into_iter().map(|fault| row(input, options, &motion.name, fault)));
    }
    Ok(Doctored { file: input.label.clone(), ok: findings.is_empty(), findings })
}

fn of_file(checked: &Checked) -> impl Iterator<Item = Fault> {
    FILE_FAULTS.into_iter().filter_map(|(code, name, fix)| {
        let mut found = checked.diagnostics.iter().filter(|finding| finding.name == code);
        let first = found.next()?;
        let count = first.count + found.map(|finding| finding.count).sum::<u64>();
        let others = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
        let why = format!("{}: {}{others}", first.path, first.message);
        Some(Fault { name, why, fix: Some(fix.to_owned()) })
    })
}

/// One frame more than the keys take, all of which end on the same frame: whoever wrote it counted the end twice.
fn frame_beyond(input: &Input, options: &DoctorOptions, motion: &Motion) -> Option<FaultRow> {
    let rate = motion.frame_rate?;
    let frame = |secs: f64| (secs * rate).round();
    let ends: Vec<f64> = motion
        .tracks
        .iter()
        .filter(|track| track.curve.len() > 1)
        .filter_map(|track| track.curve.times_secs().last().copied())
        .collect();
    let (last, stated) = (frame(motion.last_secs()), frame(motion.duration_secs));
    let is_one = stated == last + 1.0 && ends.len() > 1 && ends.iter().all(|secs| frame(*secs) == last);
    let why = format!(
        "it has {} frames, and the last key of each of its {} tracks is on frame {last}: one frame too many",
        stated + 1.0,
        ends.len()
    );
    let fault = Fault { name: "frame-count", why, fix: Some("fix --frame-count 0".into()) };
    is_one.then(|| row(input, options, &motion.name, fault))
}

fn row(input: &Input, options: &DoctorOptions, clip: &str, fault: Fault) -> FaultRow {
    let command = |words: String| {
        let (verb, rest) = words.split_once(' ').unwrap_or((&words, ""));
        let quoted = |text: &str| if text.contains(' ') { format!("{text:?}") } else { text.to_owned() };
        let skeleton = options.skeleton.as_ref().filter(|_| rest.contains("--up"));
        let skeleton = skeleton.map(|path| format!("--skeleton {}", quoted(path)));
        let output = format!("-o {}", quoted(&format!("fixed-{}", input.name())));
        let parts = [
            Some(format!("maquette clip {verb}")),
            Some(quoted(&input.label)),
            Some(rest.to_owned()),
            skeleton,
            Some(output),
        ];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    FaultRow { clip: clip.to_owned(), fault: fault.name, why: fault.why, fix: fault.fix.map(command) }
}

/// Only those clips of a file that these names mean, `*` and `?` for any text and character; all of them without any.
pub fn chosen<'m>(input: &Input, motions: &'m [Motion], patterns: &[String]) -> Result<Vec<&'m Motion>> {
    let is_chosen = |motion: &&Motion| {
        patterns.is_empty() || patterns.iter().any(|pattern| crate::ops::matches(pattern, &motion.name))
    };
    let chosen: Vec<&Motion> = motions.iter().filter(is_chosen).collect();
    match chosen.is_empty() {
        true => Err(Error::NoSuchClip {
            file: input.label.clone(),
            patterns: patterns.to_vec(),
            names: motions.iter().map(|motion| motion.name.clone()).collect(),
        }),
        false => Ok(chosen),
    }
}
