//! What the SEAnim document promises and its readers rely on, rule by rule, and the code for each broken one.
//!
//! The rules name places by path. Keys are nearly all of a large file; they have a pass of their own in `keys`,
//! and blend shapes in `blend`.

mod blend;
mod keys;

use super::raw::keys::FrameWidth;
use super::raw::{
    ANIM_FLAGS, ANIM_TYPE, ANIM_TYPE_DELTA, BONE_FLAGS, Dialect, File, HEADER_BYTES, HeaderSize, PRESENCE_BONES,
    PRESENCE_CUSTOM, PRESENCE_FLAGS, PRESENCE_NOTES, PROPERTY_FLAGS,
};
use crate::layout::Meaning;
use crate::rules::{Tally, index_into, known, names};
use crate::summary::shown;
use crate::trailing;
use maquette_scene::{Code, Diagnostic, Report, codes, path};
use std::collections::HashMap;

codes! {
    /// Every SEAnim file begins with the six letters SEAnim. Another beginning means another format, or a file that
    /// was damaged or compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "SEA0001" "bad-magic" Error;
    /// Only version 1 is described, and no file of another is known. What another version changes cannot be
    /// guessed, so the file is not read.
    ///
    /// Export the animation again with a tool that writes version 1; if the rest of the file is of version 1, correct
    /// the number.
    UNSUPPORTED_VERSION = "SEA0002" "unsupported-version" Error;
    /// The file ends before what its counts promise: it was cut short, or a count, a flag or the frame count, which
    /// decides how wide frame numbers are, is damaged. The place is the first that does not fit.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "SEA0003" "truncated" Error;
    /// The file goes on after its last block with something that is not a blend-shape trailer, by more than the few bytes
    /// that are let pass, or so that it could be read in several ways. A wrong flag or count
    /// makes readers stop too early; most of them will not notice.
    ///
    /// Cut the rest off if nothing is missing; otherwise correct the flag or the count that ends the file too early, or
    /// export it again.
    TRAILING_BYTES = "SEA0004" "trailing-bytes" Error;
    /// The stated size leaves no room for the fields that a header of version 1 has. Readers that honour it start
    /// reading names inside the header.
    ///
    /// Write 0x1C.
    HEADER_TOO_SMALL = "SEA0005" "header-too-small" Error;
    /// The file claims millions of bones, notes or shapes. No real animation does, and the list is refused before it
    /// can exhaust memory.
    ///
    /// The count at this place is usually damaged: correct it, or export the animation again.
    TOO_MANY_ITEMS = "SEA0006" "too-many-items" Error;

    /// The stated header size is not the 0x1C that every writer uses. Some readers skip what is extra, some ignore the
    /// number and take extra bytes for bone names, and the Blender add-on fails.
    ///
    /// Write 0x1C.
    HEADER_SIZE = "SEA0010" "header-size-unusual" Warning;
    /// The animation type is 0 (absolute), 1 (additive), 2 (relative) or 3 (delta). What another
    /// number does is up to the reader; it is kept as it is.
    ///
    /// Write the type that the keys are meant for.
    ANIM_TYPE_UNKNOWN = "SEA0011" "animation-type-unknown" Warning;
    /// Only bit 0 (looped) of the animation flags has a meaning; the others are to be 0. They are kept as they are.
    ///
    /// Write 0 for the other bits, unless a tool of your own uses them.
    ANIM_FLAGS_RESERVED = "SEA0012" "animation-flags-reserved" Warning;
    /// Bits 3 to 5 of the presence flags are always 0. A later version may use them for a block that present readers
    /// would not expect; they are kept as they are.
    ///
    /// Write 0 for them, unless a tool of your own uses them.
    PRESENCE_FLAGS_RESERVED = "SEA0013" "presence-flags-reserved" Warning;
    /// Only bit 0 (double precision) of the property flags has a meaning; the others are to be 0. They are kept as
    /// they are.
    ///
    /// Write 0 for the other bits, unless a tool of your own uses them.
    PROPERTY_FLAGS_RESERVED = "SEA0014" "property-flags-reserved" Warning;
    /// Reserved bytes are written as 0; other values are kept and mean nothing.
    ///
    /// Nothing has to be done; write 0 where files are compared byte by byte.
    RESERVED_NOT_ZERO = "SEA0015" "reserved-not-zero" Info;
    /// The frame rate is a positive number. Times are frames divided by it, so playback stands still, runs backwards or
    /// divides by zero.
    ///
    /// Set it to the rate the animation was made at, often 30.
    FRAMERATE_INVALID = "SEA0016" "framerate-invalid" Error;
    /// A file has bones or notes; this one moves nothing and marks nothing. Readers accept it, and the document
    /// forbids it.
    ///
    /// Look whether the export left the bones out; a file that is meant to be empty is better not shipped.
    NO_DATA = "SEA0017" "no-data" Warning;
    /// With 0, 256 or 65536 frames the first document and its correction disagree on how wide frame numbers are. A
    /// reader that follows the other rule misreads every key. The rule that this file follows was found from its size.
    ///
    /// One frame more or fewer removes the doubt.
    FRAME_WIDTH_DOUBTFUL = "SEA0018" "frame-width-doubtful" Info;

    /// The frame count is larger than the last frame of any key or note plus 1. The animation holds its last pose for
    /// the rest, which may be meant; tools that compute the count anew cut it off.
    ///
    /// Nothing has to be done if the pause is meant; otherwise set the count to the last frame plus 1.
    FRAME_COUNT_LARGE = "SEA0020" "frame-count-larger-than-last-frame" Info;
    /// A key stands on a frame at or beyond the frame count, which is to be the largest frame plus 1. Players that
    /// stop at the frame count never show it. Some exporters forget the plus 1.
    ///
    /// Set the frame count to the largest frame plus 1.
    KEY_BEYOND_END = "SEA0021" "key-beyond-frame-count" Warning;
    /// A channel of one bone has more keys than the animation has frames, so some share a frame or lie outside. A
    /// reader that sizes its tables by the frame count overruns them.
    ///
    /// Keep one key for each frame, or correct the frame count.
    MORE_KEYS_THAN_FRAMES = "SEA0022" "more-keys-than-frames" Warning;

    /// The header counts bones although no flag says that locations, rotations or scales are present. Readers that
    /// follow the document skip the bones, others read their names; both cannot be right about what follows.
    ///
    /// Set the count to 0, or a flag.
    BONES_WITHOUT_FLAG = "SEA0030" "bones-without-channel-flag" Warning;
    /// A bone without a name matches no bone of any model, so its keys are lost on import.
    ///
    /// Give the bone the name that it has in the model.
    BONE_NAME_EMPTY = "SEA0031" "bone-name-empty" Warning;
    /// No encoding is stated for names. Tools read UTF-8 or Latin-1 and write ASCII; what is not UTF-8 comes out
    /// differently in each and then matches no bone.
    ///
    /// Rename the bone in plain letters, here and in the model.
    BONE_NAME_NOT_UTF8 = "SEA0032" "bone-name-not-utf8" Warning;
    /// Two bones have one name. Some tools merge them and some keep both, so the result depends on the reader.
    ///
    /// Rename one of them.
    BONE_NAME_DUPLICATE = "SEA0033" "bone-name-duplicate" Warning;
    /// Two names differ only in upper and lower case. The Blender add-on matches bones without regard to case and
    /// gives both sets of keys to one bone.
    ///
    /// Rename one of them, here and in the model.
    BONE_NAME_CASE = "SEA0034" "bone-names-differ-by-case" Warning;
    /// Bone flags are 0 (default) or 1 (cosmetic). No known writer uses anything but 0; the value is kept.
    ///
    /// Write 0, or 1 for a bone that is only for looks.
    BONE_FLAGS_UNKNOWN = "SEA0035" "bone-flags-unknown" Warning;
    /// A bone without keys stays at rest and could be left out. It does reserve its name, and a modifier may need it.
    ///
    /// Nothing has to be done; leave the bone out to make the file smaller, if no modifier names it.
    BONE_WITHOUT_KEYS = "SEA0036" "bone-without-keys" Info;
    /// The presence flags promise a channel that no bone has a key for. It costs a count for each bone.
    ///
    /// Clear the flag to save it.
    CHANNEL_UNUSED = "SEA0037" "channel-without-keys" Info;

    /// A modifier names a bone that does not exist. A reader that trusts the index reaches past its list of bones.
    ///
    /// Remove the modifier or correct the index.
    MODIFIER_BONE = "SEA0040" "modifier-bone-out-of-range" Error;
    /// A modifier gives a bone an animation type that does not exist. No known reader checks it, and what it does is up
    /// to each.
    ///
    /// Use one of the four types.
    MODIFIER_TYPE = "SEA0041" "modifier-type-unknown" Warning;
    /// One bone has several modifiers. Which of them holds depends on the reader.
    ///
    /// Keep one.
    MODIFIER_DUPLICATE = "SEA0042" "modifier-duplicate" Warning;
    /// The file has modifiers and more than 65535 bones, so their indices take four bytes. Several tools know only
    /// one and two, and misread everything from the modifiers on.
    ///
    /// Leave out the modifiers or bones that do nothing, so that 65535 bones remain, or split the animation.
    MODIFIER_WIDE = "SEA0043" "modifier-index-four-bytes" Warning;
    /// A delta animation keeps the motion of the whole in its first bone, and this one has no bones.
    ///
    /// Export the bone that carries the motion as well, or make the animation absolute or relative.
    DELTA_WITHOUT_BONES = "SEA0045" "delta-without-bones" Warning;
    /// A bone named tag_origin exists and is not the first. Readers that follow the document take the motion of the
    /// whole from the first bone, others from tag_origin.
    ///
    /// Move it to the front.
    DELTA_BONE_NOT_FIRST = "SEA0046" "delta-bone-not-first" Warning;
    /// No bone of a delta animation is named tag_origin. The first is taken for it, as the document says; tools that
    /// look for the name find nothing.
    ///
    /// Nothing has to be done where the first bone is the right one; name it tag_origin for tools that look for the
    /// name.
    DELTA_BONE_UNNAMED = "SEA0047" "delta-bone-unnamed" Info;

    /// A key holds a NaN or an infinity; the bone and all below it vanish while it is played.
    ///
    /// Remove the key or give it a value; exports of constraints or of a scale of 0 make such keys, and baking the
    /// animation before the export helps.
    KEY_NOT_FINITE = "SEA0050" "key-not-finite" Error;
    /// Keys are not in the order of their frames. The Blender exporter writes them so; a reader that searches for the
    /// next key by bisection, or walks forward, plays others.
    ///
    /// Sort them.
    KEYS_UNSORTED = "SEA0051" "keys-unsorted" Warning;
    /// Two keys of one channel stand on one frame. Which of them counts depends on the reader, and interpolating
    /// between them divides by zero.
    ///
    /// Keep one of the two; for a jump, put the second on the next frame.
    KEYS_DUPLICATE = "SEA0052" "keys-on-one-frame" Warning;
    /// A rotation key is not a unit quaternion. Importers do not normalise it, so the bone is scaled as well as
    /// turned.
    ///
    /// Divide the four numbers by their length. A conversion does so.
    ROTATION_NOT_UNIT = "SEA0053" "rotation-not-unit" Warning;
    /// A scale of 0 flattens everything the bone moves, and no tool can decompose it again.
    ///
    /// Use a scale that is small and not 0, such as 0.001, or hide the part in another way.
    SCALE_ZERO = "SEA0054" "scale-zero" Warning;
    /// Neighbouring rotation keys have opposite signs. Both signs mean the same rotation, but a reader that
    /// interpolates the four numbers one by one turns the long way round between them.
    ///
    /// Nothing has to be done for readers that interpolate as rotations; for others, change the signs of all four
    /// numbers of one of the two.
    ROTATION_LONG_WAY = "SEA0055" "rotation-signs-alternate" Info;
    /// The file stores doubles, and every one of them is exactly a single. Storing singles nearly
    /// halves the file without changing a value.
    ///
    /// Clear the flag for doubles and store singles, or leave it as it is.
    DOUBLES_UNNEEDED = "SEA0056" "doubles-unneeded" Info;

    /// The header counts notes although their flag is not set. One library reads them by the count, all others skip
    /// them.
    ///
    /// Set the flag, or the count to 0.
    NOTES_WITHOUT_FLAG = "SEA0060" "notes-without-flag" Warning;
    /// The flag for notes is set and there are none. Readers look for notes and find none, which does no harm.
    ///
    /// Nothing has to be done; clear the flag to be exact.
    NOTES_EMPTY = "SEA0061" "notes-flag-without-notes" Info;
    /// A note without a name triggers nothing.
    ///
    /// Name the note after the event it is to trigger, or take it out.
    NOTE_NAME_EMPTY = "SEA0062" "note-name-empty" Warning;
    /// No encoding is stated for names; tools that assume UTF-8 show this note garbled and match it with no event.
    ///
    /// Rename the note in plain letters, here and where it is handled.
    NOTE_NAME_NOT_UTF8 = "SEA0063" "note-name-not-utf8" Warning;
    /// A note stands at or beyond the frame count, so playback ends before it fires.
    ///
    /// Raise the frame count to the frame of the note plus 1, or move the note to an earlier frame.
    NOTE_BEYOND_END = "SEA0064" "note-beyond-frame-count" Warning;
    /// Notes are not in the order of their frames. It is legal; players that walk through the list once miss some.
    ///
    /// Sort the notes by their frames.
    NOTES_UNSORTED = "SEA0065" "notes-unsorted" Info;
    /// The same note stands on the same frame twice and fires twice.
    ///
    /// Take one of them out, unless it is meant to fire twice.
    NOTE_DUPLICATE = "SEA0066" "note-duplicate" Info;

    /// The file has a custom block. It is kept as it is here; nearly all other tools skip it when they read and
    /// drop it when they write.
    ///
    /// Nothing has to be done; keep the file if it is to go through other tools.
    CUSTOM_BLOCK = "SEA0070" "custom-block" Info;
    /// A blend-shape trailer follows the animation. Greyhound appends one to every file, mostly empty. It is kept as
    /// it is here; other tools drop it when they write.
    ///
    /// Nothing has to be done; keep the file if it is to go through other tools and the shapes matter.
    BLEND_TRAILER = "SEA0071" "blend-trailer" Info;
    /// A blend-shape trailer begins after the animation and does not add up: it was cut short or something follows
    /// it. The bones and notes in front of it are whole; the blend shapes cannot be read.
    ///
    /// Export the file again for its shapes, or cut the trailer off to keep bones and notes alone.
    BLEND_DAMAGED = "SEA0072" "blend-trailer-damaged" Error;
    /// A key of a blend shape holds a NaN or an infinity; every vertex the shape moves vanishes.
    ///
    /// Remove the key or give it a number.
    BLEND_KEY_NOT_FINITE = "SEA0073" "blend-key-not-finite" Error;
    /// The keys of a blend shape do not rise in their frames; a reader that walks forward skips some of them.
    ///
    /// Sort them by their frames.
    BLEND_KEYS_UNSORTED = "SEA0074" "blend-keys-unsorted" Warning;
    /// A key of a blend shape stands at or beyond the frame count, so playback ends before it.
    ///
    /// Raise the frame count to the frame of the key plus 1, or remove the key.
    BLEND_BEYOND_END = "SEA0075" "blend-key-beyond-frame-count" Warning;
    /// The name of a blend shape is empty or not UTF-8, so it cannot be matched with a shape of a model.
    ///
    /// Give the shape the name that it has in the model.
    BLEND_NAME = "SEA0076" "blend-name-unusable" Warning;
    /// Two blend shapes have one name; a lookup by name finds only one of them.
    ///
    /// Rename one of them, here and in the model.
    BLEND_NAME_DUPLICATE = "SEA0077" "blend-name-duplicate" Warning;

    /// A few bytes that are no blend-shape trailer follow the last block: no more than 4096, nor than the blocks
    /// themselves take. Readers take what the counts say and never see them.
    ///
    /// A tool that copied or packed the file may have left them, or a flag or a count is wrong; cut them off if nothing
    /// is missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "SEA0078" "extra-bytes" Warning;
}

/// Applies every rule.
pub fn check(file: &File<'_>, report: &mut Report) {
    header(file, report);
    flags(file, report);
    let last_key = keys::keys(file, report);
    let last_note = file.notes.iter().map(|note| note.frame).max();
    frame_count(file, last_key.max(last_note), report);
    bones(file, report);
    bone_names(file, report);
    modifiers(file, report);
    delta(file, report);
    notes(file, report);
    custom(file, report);
    blend::trailer(file, report);
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
}

fn header(file: &File<'_>, report: &mut Report) {
    let at = |field: &'static str| path!("header", field);
    let size = u64::from(HEADER_BYTES) + file.extra_header.len() as u64;
    let message = match file.header_size {
        HeaderSize::WithoutItself => Some("the header's size is 0x1a, which does not count the size field".to_owned()),
        HeaderSize::WithItself if size > u64::from(HEADER_BYTES) => Some(format!("the header's size is {size:#x}")),
        HeaderSize::WithItself => None,
    };
    if let Some(message) = message {
        report.push(Diagnostic::new(&HEADER_SIZE, at("header_size"), message).expected("0x1c"));
    }
    known(report, ANIM_TYPE, &ANIM_TYPE_UNKNOWN, at("anim_type"), u32::from(file.anim_type), "animation type");
    for (field, bytes) in [("reserved1", &file.reserved1[..]), ("reserved2", &file.reserved2[..])] {
        if bytes.iter().any(|&byte| byte != 0) {
            report.push(
                Diagnostic::new(&RESERVED_NOT_ZERO, at(field), format!("the bytes are {bytes:x?}")).expected("zeros"),
            );
        }
    }
    let rate = file.framerate.get();
    if !rate.is_finite() || rate <= 0.0 {
        let finding = Diagnostic::new(&FRAMERATE_INVALID, at("framerate"), format!("the frame rate is {rate}"));
        report.push(finding.expected("a finite number of frames a second above 0"));
    }
    if Dialect::differ_at(file.frame_count) {
        let [here, other] = match file.dialect {
            Dialect::Corrected => [Dialect::Corrected, Dialect::First],
            Dialect::First => [Dialect::First, Dialect::Corrected],
        };
        let bytes = |dialect: Dialect| dialect.frame_width(file.frame_count).bytes();
        let message = format!(
            "with {} frames, frame numbers take {} bytes here ({}); a reader of {} expects {}",
            file.frame_count,
            bytes(here),
            here.id(),
            other.id(),
            bytes(other)
        );
        report.push(Diagnostic::new(&FRAME_WIDTH_DOUBTFUL, at("frame_count"), message));
    }
}

fn flags(file: &File<'_>, report: &mut Report) {
    let mut judge = |meaning: Meaning, code: &'static Code, field: &'static str, value: u8| {
        if !meaning.knows(u32::from(value)) {
            let finding = Diagnostic::new(code, path!("header", field), format!("the flags are {value:#04x}"));
            report.push(finding.expected(format!("only {}", meaning.expected())));
        }
    };
    judge(ANIM_FLAGS, &ANIM_FLAGS_RESERVED, "anim_flags", file.anim_flags);
    judge(PRESENCE_FLAGS, &PRESENCE_FLAGS_RESERVED, "data_presence_flags", file.data_presence_flags);
    judge(PROPERTY_FLAGS, &PROPERTY_FLAGS_RESERVED, "data_property_flags", file.data_property_flags);

    let at = || path!("header", "data_presence_flags");
    let flags = file.data_presence_flags;
    if flags & (PRESENCE_BONES | PRESENCE_NOTES) == 0 {
        let message = "no flag for locations, rotations, scales or notes is set";
        report.push(Diagnostic::new(&NO_DATA, at(), message).expected("at least one of them"));
    }
    if flags & PRESENCE_BONES == 0 {
        let stored = match file.bones.is_empty() && file.modifiers.is_empty() {
            true => (file.unstored.bone_count as usize, usize::from(file.unstored.modifier_count), "not stored"),
            false => (file.bones.len(), file.modifiers.len(), "stored"),
        };
        if let (bones, modifiers, how) = stored
            && (bones > 0 || modifiers > 0)
        {
            let message =
                format!("no channel flag is set; {bones} bones and {modifiers} modifiers are counted and {how}");
            let finding = Diagnostic::new(&BONES_WITHOUT_FLAG, path!("header", "bone_count"), message);
            report.push(finding.expected("0"));
        }
    }
    match (flags & PRESENCE_NOTES != 0, file.notes.len(), file.unstored.note_count) {
        (true, 0, _) => {
            report.push(Diagnostic::new(&NOTES_EMPTY, path!("header", "note_count"), "there are no notes"));
        }
        (false, stored, unstored) if stored > 0 || unstored > 0 => {
            let message = match stored {
                0 => format!("the flag for notes is not set; {unstored} are counted and not stored"),
                _ => format!("the flag for notes is not set; {stored} are counted and stored"),
            };
            report.push(Diagnostic::new(&NOTES_WITHOUT_FLAG, path!("header", "note_count"), message).expected("0"));
        }
        _ => {}
    }
}

fn frame_count(file: &File<'_>, last: Option<u32>, report: &mut Report) {
    let Some(wanted) = last.map(|last| u64::from(last) + 1) else { return };
    if u64::from(file.frame_count) > wanted {
        let message =
            format!("the frame count is {}, the last key or note stands on frame {}", file.frame_count, wanted - 1);
        let finding = Diagnostic::new(&FRAME_COUNT_LARGE, path!("header", "frame_count"), message);
        report.push(finding.expected(wanted.to_string()));
    }
}

fn bones(file: &File<'_>, report: &mut Report) {
    let [mut unknown, mut still] = [Tally::default(), Tally::default()];
    for (index, bone) in file.bones.iter().enumerate() {
        if !BONE_FLAGS.knows(u32::from(bone.flags)) {
            unknown.hit(report, || {
                let message = format!("the flags are {}", bone.flags);
                Diagnostic::new(&BONE_FLAGS_UNKNOWN, path!("bones", index, "flags"), message)
                    .expected(BONE_FLAGS.expected())
            });
        }
        if file.channels().all(|channel| bone.keys(channel).is_empty()) {
            still.hit(report, || {
                let message = format!("{:?} has no keys", shown(&bone.name));
                Diagnostic::new(&BONE_WITHOUT_KEYS, path!("bones", index), message)
            });
        }
    }
    unknown.finish(report);
    still.finish(report);
    for channel in file.channels().filter(|_| !file.bones.is_empty()) {
        if file.bones.iter().all(|bone| bone.keys(channel).is_empty()) {
            let message = format!("the flag for `{}` is set, and no bone has keys there", channel.name());
            report.push(Diagnostic::new(&CHANNEL_UNUSED, path!("header", "data_presence_flags"), message));
        }
    }
}

fn bone_names(file: &File<'_>, report: &mut Report) {
    let at = |index: usize| path!("bone_names", index);
    let mut empty = Tally::default();
    for (index, bone) in file.bones.iter().enumerate() {
        // An empty first name is how some delta animations write the root.
        let is_root = index == 0 && file.anim_type == ANIM_TYPE_DELTA;
        if bone.name.is_empty() && !is_root {
            empty.hit(report, || Diagnostic::new(&BONE_NAME_EMPTY, at(index), "the name is empty").expected("a name"));
        }
        if !bone.name.is_ascii() {
            names::utf8(report, &BONE_NAME_NOT_UTF8, at(index), &bone.name);
        }
    }
    empty.finish(report);
    names::unique(report, &BONE_NAME_DUPLICATE, file.bones.iter().map(|bone| &*bone.name), at);
    let mut first: HashMap<Vec<u8>, usize> = HashMap::new();
    for (index, bone) in file.bones.iter().enumerate() {
        let earlier = *first.entry(bone.name.to_ascii_lowercase()).or_insert(index);
        let other = file.bones.get(earlier).filter(|other| other.name != bone.name);
        if let Some(other) = other {
            let message =
                format!("{:?} is {:?} of {} but for its case", shown(&bone.name), shown(&other.name), at(earlier));
            report.push(
                Diagnostic::new(&BONE_NAME_CASE, at(index), message).expected("names that differ in their letters"),
            );
        }
    }
}

fn modifiers(file: &File<'_>, report: &mut Report) {
    let mut first: HashMap<u32, usize> = HashMap::new();
    for (index, modifier) in file.modifiers.iter().enumerate() {
        let at = |field: &'static str| path!("modifiers", index, field);
        if modifier.index as usize >= file.bones.len() {
            let finding = Diagnostic::new(&MODIFIER_BONE, at("index"), format!("the bone is {}", modifier.index));
            report.push(finding.expected(index_into(file.bones.len(), "bones")));
        }
        let ty = u32::from(modifier.anim_type_override);
        known(report, ANIM_TYPE, &MODIFIER_TYPE, at("anim_type_override"), ty, "animation type");
        let earlier = *first.entry(modifier.index).or_insert(index);
        if earlier != index {
            let message = format!("bone {} is also that of {}", modifier.index, path!("modifiers", earlier));
            report.push(Diagnostic::new(&MODIFIER_DUPLICATE, at("index"), message).expected("one modifier a bone"));
        }
    }
    if !file.modifiers.is_empty() && FrameWidth::holding(file.bones.len() as u32) == FrameWidth::Four {
        let message = format!("bone indices take four bytes, for {} bones", file.bones.len());
        let finding = Diagnostic::new(&MODIFIER_WIDE, path!("modifiers"), message);
        report.push(finding.expected("at most 65535 bones with modifiers"));
    }
}

fn delta(file: &File<'_>, report: &mut Report) {
    if file.anim_type != ANIM_TYPE_DELTA {
        return;
    }
    let Some(first) = file.bones.first() else {
        let message = "a delta animation has no bones";
        let finding = Diagnostic::new(&DELTA_WITHOUT_BONES, path!("header", "bone_count"), message);
        return report.push(finding.expected("at least one"));
    };
    let is_origin = |name: &[u8]| name.eq_ignore_ascii_case(b"tag_origin");
    if first.name.is_empty() || is_origin(&first.name) {
        return;
    }
    let first = shown(&first.name);
    report.push(match file.bones.iter().position(|bone| is_origin(&bone.name)) {
        Some(index) => {
            let message = format!("tag_origin is bone {index}, the first bone is {first:?}");
            Diagnostic::new(&DELTA_BONE_NOT_FIRST, path!("bone_names", index), message).expected("tag_origin first")
        }
        None => {
            let message = format!("the first bone is {first:?}, and none is named tag_origin");
            Diagnostic::new(&DELTA_BONE_UNNAMED, path!("bone_names", 0), message)
        }
    });
}

fn notes(file: &File<'_>, report: &mut Report) {
    let mut seen: HashMap<(u32, &[u8]), usize> = HashMap::new();
    let mut before = 0;
    for (index, note) in file.notes.iter().enumerate() {
        let at = |field: &'static str| path!("notes", index, field);
        if note.frame >= file.frame_count {
            let message = format!("the frame is {}, the frame count {}", note.frame, file.frame_count);
            report.push(
                Diagnostic::new(&NOTE_BEYOND_END, at("frame"), message).expected("a frame below the frame count"),
            );
        }
        if note.frame < before {
            let message = format!("the frame is {}, after a note on frame {before}", note.frame);
            report
                .push(Diagnostic::new(&NOTES_UNSORTED, at("frame"), message).expected("notes in the order of frames"));
        }
        before = note.frame;
        if note.name.is_empty() {
            names::not_empty(report, &NOTE_NAME_EMPTY, at("name"), &note.name);
        }
        if !note.name.is_ascii() {
            names::utf8(report, &NOTE_NAME_NOT_UTF8, at("name"), &note.name);
        }
        let earlier = *seen.entry((note.frame, &note.name)).or_insert(index);
        if earlier != index {
            let message =
                format!("{:?} on frame {} is also {}", shown(&note.name), note.frame, path!("notes", earlier));
            report.push(Diagnostic::new(&NOTE_DUPLICATE, at("name"), message).expected("each note once"));
        }
    }
}

fn custom(file: &File<'_>, report: &mut Report) {
    if file.data_presence_flags & PRESENCE_CUSTOM != 0 {
        let message = format!("a custom block of {} bytes", file.custom.len());
        report.push(Diagnostic::new(&CUSTOM_BLOCK, path!("custom"), message));
    }
}
