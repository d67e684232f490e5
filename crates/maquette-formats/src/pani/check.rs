//! What a PANI file must hold to be played as meant, rule by rule, and the code for each broken one.
//!
//! The document lists fields and promises nothing about them; most rules are what the engine that plays these files
//! relies on. A run of sound keys costs one pass; only others are looked at key by key.

use super::raw::{Bone, File, PositionKey, RotationKey, ScaleKey, VERSION};
use crate::rules::keys::{self, TimeCodes};
use crate::rules::{names, numbers};
use crate::trailing;
use maquette_scene::{Diagnostic, Path, Report, codes, path};
use zerocopy::little_endian::F32;

codes! {
    /// Every PANI file begins with the four letters PANI. Another beginning means another format, or a file that
    /// was damaged or compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "PANI0001" "bad-magic" Error;
    /// A count or a length asks for more bytes than the file has left: the file was cut short, or the number is
    /// damaged. The part named here is the first that does not fit.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "PANI0002" "truncated" Error;
    /// The file goes on after the last bone, by more than the few bytes that are let pass: a count is too small, or
    /// something was appended. Readers ignore it.
    ///
    /// Cut the rest off if nothing is missing; otherwise correct the count that is too small, or export the file again.
    TRAILING_BYTES = "PANI0003" "trailing-bytes" Error;
    /// Only version 0 exists. Readers ignore the number, so the file loads.
    ///
    /// Write 0 unless a newer layout is meant.
    VERSION_NOT_ZERO = "PANI0004" "version-not-zero" Warning;

    /// A duration is a finite number of ticks, 0 or more. Playback wraps around at it; with any other number there is
    /// no time to show.
    ///
    /// Set it to the time of the last key, in ticks.
    DURATION_INVALID = "PANI0010" "duration-invalid" Error;
    /// The clip lasts no time. It is a pose; players that divide by the duration fail on it.
    ///
    /// Nothing has to be done if a pose is meant; otherwise set the duration to the time of the last key.
    DURATION_ZERO = "PANI0011" "duration-zero" Info;
    /// The rate is not a positive number of ticks in a second, so no time can be computed from ticks.
    ///
    /// Set the rate that the clip was made at, often 24, 25 or 30.
    RATE_INVALID = "PANI0012" "ticks-per-second-invalid" Error;
    /// The rate is 0, which importers give where the source states none. The clip stands still.
    ///
    /// Set the rate that was meant, often 24, 25 or 30.
    RATE_ZERO = "PANI0013" "ticks-per-second-zero" Warning;
    /// The rate has a fraction. The reference reader drops it and plays the clip slower than other readers do.
    ///
    /// Scale times and duration so that the rate becomes a whole number: by 30 / 29.97 for a rate of 29.97.
    RATE_FRACTION = "PANI0014" "ticks-per-second-fraction" Warning;
    /// A key lies after the end of the clip and is never reached.
    ///
    /// Lengthen the duration to the last key, or remove the key.
    KEY_AFTER_END = "PANI0015" "key-after-end" Warning;
    /// The last key of a bone comes before the end of the clip. The engine stops the program when it is asked for a
    /// time after the last key; other players hold the key.
    ///
    /// Repeat the last key at the end.
    KEYS_END_EARLY = "PANI0016" "keys-end-early" Warning;
    /// The first key of a bone comes after the start of the clip. The engine continues the line of the first two keys
    /// backwards, other players hold the first.
    ///
    /// Repeat the first key at 0.
    KEYS_BEGIN_LATE = "PANI0017" "keys-begin-late" Warning;

    /// A clip without bones moves nothing.
    ///
    /// Export the clip again with its skeleton, or leave it out.
    NO_BONES = "PANI0020" "no-bones" Info;
    /// A bone has no keys at all. The converter writes this for bones that the source does not animate, and the engine
    /// stops the program at them.
    ///
    /// Give the bone its rest pose at the start and at the end.
    BONE_WITHOUT_KEYS = "PANI0021" "bone-without-keys" Warning;
    /// A bone has fewer than two keys of some kind. The engine looks for a pair of keys around the time and stops the
    /// program without one; other players take a single key as constant.
    ///
    /// Repeat it at the end of the clip.
    TOO_FEW_KEYS = "PANI0022" "too-few-keys" Warning;
    /// A bone's scale keys run out before its position keys do. The engine counts the scale keys by the positions,
    /// reads past the end of the scales and takes other memory for a key.
    ///
    /// Give the bone as many scale keys as position keys, at the same times.
    SCALES_RUN_OUT = "PANI0023" "scales-run-out" Error;
    /// The engine's shaders hold 100 bones; those beyond are written past the end of the array.
    ///
    /// Remove bones that move nothing from the skeleton, and export model and clip again.
    TOO_MANY_BONES = "PANI0024" "too-many-bones" Warning;

    /// A key's time or value is a NaN or an infinity; the bone and all below it vanish while it is played.
    ///
    /// Remove the key or give it a value; exports of constraints or of a scale of 0 make such keys, and baking the
    /// animation before the export helps.
    KEY_NOT_FINITE = "PANI0030" "key-not-finite" Error;
    /// A key lies before 0. Playback starts at 0, so the key is only interpolated from, never shown.
    ///
    /// Move the clip so that it begins at 0, and export again.
    KEY_TIME_NEGATIVE = "PANI0031" "key-time-negative" Warning;
    /// The keys of a run rise in time. The engine takes the first later key for the next one and plays others wrong.
    ///
    /// Sort the keys by time. A conversion does so.
    KEY_TIMES_UNSORTED = "PANI0032" "key-times-unsorted" Error;
    /// Two keys of one kind stand at the same time; interpolating between them divides by zero.
    ///
    /// Keep one of the two; for a jump, set them a little apart.
    KEY_TIMES_DUPLICATE = "PANI0033" "key-times-duplicate" Warning;
    /// A rotation key is not a unit quaternion; the bone is scaled as well as turned.
    ///
    /// Divide the four numbers by their length. A conversion does so.
    ROTATION_NOT_UNIT = "PANI0034" "rotation-not-unit" Warning;
    /// A scale of 0 flattens everything the bone moves, and no tool can decompose it again.
    ///
    /// Use a scale that is small and not 0, such as 0.001, or hide the part in another way.
    SCALE_ZERO = "PANI0035" "scale-zero" Warning;

    /// The clip has no name. Models list clips by name, and the engine cannot find this one.
    ///
    /// Give the clip the name that the model lists.
    NAME_EMPTY = "PANI0040" "name-empty" Warning;
    /// The document calls the name text and names no encoding; everything else in the field is UTF-8, and tools that
    /// assume it show this name garbled.
    ///
    /// Rename the clip in the source, here and where the model lists it, and export again.
    NAME_NOT_UTF8 = "PANI0041" "name-not-utf8" Warning;
    /// The name holds a NUL byte. It is measured by its length, so the byte is part of it; C code ends the name there
    /// and no longer finds the clip.
    ///
    /// Rename the clip without the NUL, here and where the model lists it.
    NAME_HOLDS_NUL = "PANI0042" "name-holds-nul" Warning;

    /// A few bytes follow the last bone: no more than 4096, nor than the file has before them. Readers take what the
    /// counts say and never see them.
    ///
    /// A tool that copied or packed the file may have left them, or a count is too small; cut them off if nothing is
    /// missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "PANI0043" "extra-bytes" Warning;
}

/// The bones that the engine's shaders have room for.
const MAX_BONES: usize = 100;

/// Applies every rule.
pub fn check(file: &File<'_>, report: &mut Report) {
    header(file, report);
    name(file, report);
    for (index, bone) in file.bones.iter().enumerate() {
        let at = path!("bones", index);
        runs(file, bone, &at, report);
        run(&bone.positions, &at.join("positions"), report);
        run(&bone.rotations, &at.join("rotations"), report);
        run(&bone.scales, &at.join("scales"), report);
    }
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
}

fn header(file: &File<'_>, report: &mut Report) {
    let mut say = |code, field: &'static str, message: String, expected: &str| {
        report.push(Diagnostic::new(code, path!("header", field), message).expected(expected));
    };
    if file.version != VERSION {
        say(&VERSION_NOT_ZERO, "version", format!("the version is {}", file.version), "0");
    }
    let duration = file.duration.get();
    if !duration.is_finite() || duration < 0.0 {
        let expected = "a finite number of ticks, 0 or more";
        say(&DURATION_INVALID, "duration", format!("the duration is {duration}"), expected);
    } else if duration == 0.0 {
        say(&DURATION_ZERO, "duration", "the duration is 0".into(), "a number of ticks");
    }
    let rate = file.ticks_per_second.get();
    let stated = format!("{rate} ticks in a second");
    if !rate.is_finite() || rate < 0.0 {
        say(&RATE_INVALID, "ticks_per_second", stated, "a finite number above 0");
    } else if rate == 0.0 {
        say(&RATE_ZERO, "ticks_per_second", stated, "a finite number above 0");
    } else if rate.fract() != 0.0 {
        say(&RATE_FRACTION, "ticks_per_second", stated, "a whole number");
    }
    match file.bones.len() {
        0 => say(&NO_BONES, "bone_count", "the clip has no bones".into(), "a bone for each in the skeleton"),
        count if count > MAX_BONES => {
            say(&TOO_MANY_BONES, "bone_count", format!("the clip has {count} bones"), "at most 100");
        }
        _ => {}
    }
}

fn name(file: &File<'_>, report: &mut Report) {
    names::not_empty(report, &NAME_EMPTY, path!("header", "name_bytes"), &file.name);
    names::utf8(report, &NAME_NOT_UTF8, path!("name"), &file.name);
    names::no_nul(report, &NAME_HOLDS_NUL, path!("name"), &file.name);
}

/// When a run of keys begins and ends, and how many there are.
struct Span {
    kind: &'static str,
    field: &'static str,
    count: usize,
    first: f32,
    last: f32,
}

fn span<K: Key>(kind: &'static str, field: &'static str, keys: &[K]) -> Span {
    let time = |key: Option<&K>| key.map_or(f32::NAN, Key::time);
    Span { kind, field, count: keys.len(), first: time(keys.first()), last: time(keys.last()) }
}

/// The rules for a bone's runs of keys against the length of the clip and against one another.
fn runs(file: &File<'_>, bone: &Bone<'_>, at: &Path, report: &mut Report) {
    let spans = [
        span("position", "position_count", &bone.positions),
        span("rotation", "rotation_count", &bone.rotations),
        span("scale", "scale_count", &bone.scales),
    ];
    if spans.iter().all(|span| span.count == 0) {
        let finding = Diagnostic::new(&BONE_WITHOUT_KEYS, at.join("counts"), "the bone has no keys");
        return report.push(finding.expected("two of each kind"));
    }
    let duration = file.duration.get();
    let slack = duration.abs() * 1e-5 + 1e-6;
    for span in spans {
        let ends_early = span.last < duration - slack;
        let mut say = |code, message: String, expected: String| {
            report.push(Diagnostic::new(code, at.join("counts").join(span.field), message).expected(expected));
        };
        let Span { kind, count, first, last, .. } = span;
        if kind == "scale" && count < bone.positions.len() && (count < 2 || ends_early) {
            let message = format!("{count} scale keys beside {} position keys", bone.positions.len());
            say(&SCALES_RUN_OUT, message, "as many scale keys as position keys, to the end of the clip".into());
            continue;
        }
        if count < 2 {
            say(&TOO_FEW_KEYS, format!("the bone has {count} {kind} keys"), "at least two".into());
            continue;
        }
        if ends_early {
            let message = format!("the last {kind} key is at {last} of {duration} ticks");
            say(&KEYS_END_EARLY, message, format!("a key at {duration}"));
        }
        if last > duration + slack {
            let message = format!("the last {kind} key is at {last}, the clip ends at {duration} ticks");
            say(&KEY_AFTER_END, message, format!("a duration of at least {last}"));
        }
        if first > slack {
            say(&KEYS_BEGIN_LATE, format!("the first {kind} key is at {first} ticks"), "a key at 0".into());
        }
    }
}

/// A key of any kind, as its rules see it.
trait Key {
    fn time(&self) -> f32;
    fn value(&self) -> &[F32];
    /// Whether a finite value is sound for its kind.
    fn is_sound(&self) -> bool;
    /// What to say of a finite value that is not.
    fn describe(&self, at: Path) -> Diagnostic;
}

impl Key for PositionKey {
    #[inline]
    fn time(&self) -> f32 {
        self.time.get()
    }

    #[inline]
    fn value(&self) -> &[F32] {
        &self.value
    }

    #[inline]
    fn is_sound(&self) -> bool {
        true
    }

    fn describe(&self, at: Path) -> Diagnostic {
        Diagnostic::new(&KEY_NOT_FINITE, at, "the value is not finite").expected("finite numbers")
    }
}

impl Key for RotationKey {
    #[inline]
    fn time(&self) -> f32 {
        self.time.get()
    }

    #[inline]
    fn value(&self) -> &[F32] {
        &self.value
    }

    #[inline]
    fn is_sound(&self) -> bool {
        numbers::is_unit(&self.value)
    }

    fn describe(&self, at: Path) -> Diagnostic {
        let message = format!("the quaternion has length {}", numbers::length(&self.value));
        Diagnostic::new(&ROTATION_NOT_UNIT, at, message).expected("length 1")
    }
}

impl Key for ScaleKey {
    #[inline]
    fn time(&self) -> f32 {
        self.time.get()
    }

    #[inline]
    fn value(&self) -> &[F32] {
        &self.value
    }

    #[inline]
    fn is_sound(&self) -> bool {
        self.value.iter().fold(true, |sound, axis| sound & (axis.get() != 0.0))
    }

    fn describe(&self, at: Path) -> Diagnostic {
        let [x, y, z] = self.value;
        Diagnostic::new(&SCALE_ZERO, at, format!("the scale is {x}, {y}, {z}")).expected("no component of 0")
    }
}

const TIMES: TimeCodes = TimeCodes {
    not_finite: &KEY_NOT_FINITE,
    negative: &KEY_TIME_NEGATIVE,
    unsorted: &KEY_TIMES_UNSORTED,
    duplicate: &KEY_TIMES_DUPLICATE,
};

/// The rules for the keys of one run, each by itself and against its neighbour.
fn run<K: Key>(keys: &[K], at: &Path, report: &mut Report) {
    let sound = |key: &K| numbers::all_finite(key.value()) & key.is_sound();
    let times = || keys.iter().map(Key::time);
    if keys::times_are_sound(times()) & keys.iter().fold(true, |all, key| all & sound(key)) {
        return;
    }
    keys::times(report, &TIMES, times(), |index| at.join(index).join("time"));
    for (index, key) in keys.iter().enumerate().filter(|(_, key)| !sound(key)) {
        let place = at.join(index).join("value");
        report.push(match numbers::all_finite(key.value()) {
            true => key.describe(place),
            false => Diagnostic::new(&KEY_NOT_FINITE, place, "the value is not finite").expected("finite numbers"),
        });
    }
}
