//! Byte-built cases for what only SEAnim does: widths that depend on counts, blocks that flags promise or deny, the
//! trailer. The bytes are written by hand here, never by the encoder under test.

mod reading;
mod writing;

use super::FORMAT;
use super::raw::blend::Trailer;
use super::raw::keys::{Components, FrameWidth, Key, Keys, Precision, Shape, VectorKey8, VectorKey16};
use super::raw::{Channel, Dialect, File, Modifier};
use super::sample::model;
use crate::format::{self, Error, Fitted, RawFile, ReadOptions, Source, WriteOptions};
use crate::locate::field_at;
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene, valid};
use proptest::prelude::*;

/// What a header says, besides its magic and version.
#[derive(Clone, Copy)]
struct Head {
    size: u16,
    anim_type: u8,
    presence: u8,
    property: u8,
    frames: u32,
    bones: u32,
    modifiers: u8,
    notes: u32,
}

const HEAD: Head =
    Head { size: 0x1c, anim_type: 0, presence: 1, property: 0, frames: 10, bones: 1, modifiers: 0, notes: 0 };

/// A header of 36 bytes and what follows it.
fn file(head: Head, rest: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"SEAnim\x01\x00".to_vec();
    bytes.extend(head.size.to_le_bytes());
    bytes.extend([head.anim_type, 0, head.presence, head.property, 0, 0]);
    bytes.extend(30f32.to_le_bytes());
    bytes.extend(head.frames.to_le_bytes());
    bytes.extend(head.bones.to_le_bytes());
    bytes.extend([head.modifiers, 0, 0, 0]);
    bytes.extend(head.notes.to_le_bytes());
    assert_eq!(bytes.len(), 36);
    bytes.extend(rest.concat());
    bytes
}

/// The components of a value.
fn singles<const N: usize>(values: [f32; N]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// One bone `a` with one location key on frame 3, in numbers of `width` bytes.
fn one_key(width: usize) -> Vec<u8> {
    let number = |number: u32| number.to_le_bytes()[..width].to_vec();
    [b"a\0".to_vec(), vec![0], number(1), number(3), singles([1.0, 2.0, 3.0])].concat()
}

fn parsed(bytes: &[u8]) -> File<'_> {
    let file = File::parse(bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.encode(), bytes);
    file
}

fn refused(bytes: &[u8]) -> (&'static str, u64, String) {
    place(File::parse(bytes))
}

fn place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

/// What the check says: code, path and count of each finding.
fn findings(file: &File<'_>) -> Vec<(&'static str, String, u64)> {
    let mut report = Report::default();
    format::check(file, &Source::BARE, &mut report);
    report.items().iter().map(|item| (item.code.id, item.path.to_string(), item.count)).collect()
}

fn says(file: &File<'_>, code: &str) -> bool {
    findings(file).iter().any(|(id, ..)| *id == code)
}

fn read(bytes: &[u8], options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene, Error> {
    File::parse(bytes)?.read(options, losses)
}

/// The scene of a file named `walk.seanim`, and what was lost.
fn scene_of(bytes: &[u8]) -> (Scene, LossReport) {
    let mut losses = LossReport::default();
    let source = Source { name: "walk.seanim", ..Source::BARE };
    let options = ReadOptions { source, ..ReadOptions::default() };
    let scene = read(bytes, &options, &mut losses).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(valid::check(&scene), Ok(()));
    (scene, losses)
}

/// The file of a scene, and what was lost.
fn written(scene: &Scene, dialect: Dialect) -> Result<(Vec<u8>, LossReport), Error> {
    let mut losses = LossReport::default();
    let fitted = Fitted::check(scene, &(FORMAT.caps)(dialect.id()))?;
    let options = WriteOptions { dialect: dialect.id(), name: "walk.seanim", others: &[] };
    let bundle = (FORMAT.write)(&fitted, &options, &mut losses)?;
    assert!(bundle.companions.is_empty());
    Ok((bundle.main, losses))
}

/// What was lost and how often.
fn counts(losses: &LossReport) -> Vec<(&'static str, &'static str, u64)> {
    losses.losses().iter().map(|loss| (loss.kind.word(), loss.what.word(), loss.count)).collect()
}

#[test]
fn a_header_alone_is_a_file() {
    let bytes = file(Head { presence: 0, bones: 0, frames: 1, ..HEAD }, &[]);
    let file = parsed(&bytes);
    assert_eq!((file.dialect, file.bones.len(), file.notes.len()), (Dialect::Corrected, 0, 0));
    assert_eq!(findings(&file), [("SEA0017", "header.data_presence_flags".into(), 1)]);
}

#[test]
fn the_width_of_frames_follows_the_dialect() {
    use FrameWidth::{Four, One, Two};
    let table = [
        (0, One, Four),
        (1, One, One),
        (255, One, One),
        (256, Two, One),
        (257, Two, Two),
        (65_535, Two, Two),
        (65_536, Four, Two),
        (65_537, Four, Four),
        (u32::MAX, Four, Four),
    ];
    for (frames, corrected, first) in table {
        assert_eq!(Dialect::Corrected.frame_width(frames), corrected, "{frames}");
        assert_eq!(Dialect::First.frame_width(frames), first, "{frames}");
        assert_eq!(Dialect::differ_at(frames), corrected != first, "{frames}");
    }
}

#[test]
fn the_dialect_is_the_one_that_ends_with_the_file() {
    let table = [
        (0, 1, Dialect::Corrected),
        (0, 4, Dialect::First),
        (256, 2, Dialect::Corrected),
        (256, 1, Dialect::First),
        (65_536, 4, Dialect::Corrected),
        (65_536, 2, Dialect::First),
    ];
    for (frames, width, dialect) in table {
        let bytes = file(Head { frames, ..HEAD }, &[&one_key(width)]);
        let file = parsed(&bytes);
        assert_eq!(file.dialect, dialect, "{frames} frames, {width} bytes: {}", file.evidence);
        assert_eq!(file.bones[0].loc.frame(0), Some(3));
        assert!(says(&file, "SEA0018"), "{frames} frames, {width} bytes");
    }
}

#[test]
fn the_dialect_may_end_at_a_blend_trailer() {
    let bytes = file(Head { frames: 256, ..HEAD }, &[&one_key(1), b"SEBlend\n", &[0; 8]]);
    let file = parsed(&bytes);
    assert_eq!(file.dialect, Dialect::First);
    assert!(file.evidence.contains("SEBlend"), "{}", file.evidence);
}

#[test]
fn where_both_dialects_end_with_the_file_the_correction_wins() {
    // One byte of frame and "ab", or two bytes of frame and "b".
    let bytes = file(Head { presence: 0x40, bones: 0, frames: 256, notes: 1, ..HEAD }, &[b"\x05ab\0"]);
    let file = parsed(&bytes);
    assert_eq!((file.dialect, file.notes[0].frame), (Dialect::Corrected, 0x6105));
    assert!(file.evidence.contains("(1.0.1) they do too"), "{}", file.evidence);
    let first = File::parse_as(&bytes, Dialect::First).unwrap();
    assert_eq!((first.notes[0].frame, &*first.notes[0].name), (5, &b"ab"[..]));
}

#[test]
fn other_lengths_are_never_read_as_the_first_dialect() {
    let bytes = file(Head { frames: 257, ..HEAD }, &[&one_key(1)]);
    assert!(File::parse(&bytes).is_err());
}

#[test]
fn a_forced_dialect_leaves_what_its_widths_do_not_take() {
    let bytes = file(Head { frames: 256, ..HEAD }, &[&one_key(2)]);
    assert_eq!(File::parse(&bytes).unwrap().dialect, Dialect::Corrected);
    let file = File::parse_as(&bytes, Dialect::First).unwrap();
    assert_eq!((file.trailing.len(), file.encode()), (bytes.len() - 53, bytes.clone()));
    assert!(findings(&file).iter().any(|(code, path, _)| (*code, path.as_str()) == ("SEA0078", "trailing")));
}

#[test]
fn a_cut_file_is_spoken_of_in_the_dialect_that_makes_sense_for_longer() {
    let mut bytes = model(Dialect::First).encode();
    bytes.pop();
    let (code, _, path) = refused(&bytes);
    assert_eq!((code, path.as_str()), ("SEA0003", "notes[2].name"));
}

#[test]
fn doubles_take_eight_bytes_each() {
    let values = [0.1f64, 0.2, 0.3].iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let bytes = file(Head { property: 1, ..HEAD }, &[b"a\0", &[0, 1, 9], &values]);
    let file = parsed(&bytes);
    assert_eq!(file.bones[0].loc.get(0), Some(Key { frame: 9, value: [0.1, 0.2, 0.3, 0.0] }));
    assert!(!says(&file, "SEA0056"), "0.1 needs a double");
}

#[test]
fn channels_follow_in_the_order_of_their_flags() {
    let rest: [&[u8]; 8] = [
        b"a\0",
        &[0, 1, 0],
        &singles([1.0, 2.0, 3.0]),
        &[1, 0],
        &singles([0.0, 0.0, 0.0, 1.0]),
        &[1, 0],
        &singles([4.0, 5.0, 6.0]),
        &[],
    ];
    let bytes = file(Head { presence: 7, frames: 1, ..HEAD }, &rest);
    let file = parsed(&bytes);
    assert_eq!(Channel::ALL.map(|channel| file.bones[0].keys(channel).value(0).unwrap()[0]), [1.0, 0.0, 4.0]);
    assert_eq!(file.bones[0].rot.value(0), Some([0.0, 0.0, 0.0, 1.0]));
    assert!(findings(&file).is_empty(), "{:?}", findings(&file));
}

#[test]
fn modifier_indices_widen_with_the_bones() {
    for (bones, modifier) in
        [(255, &[7, 2][..]), (256, &[7, 0, 2][..]), (65_535, &[7, 0, 2][..]), (65_536, &[7, 0, 0, 0, 2][..])]
    {
        let [names, data] = [vec![0; bones], vec![0; 2 * bones]];
        let bytes = file(Head { bones: bones as u32, modifiers: 1, ..HEAD }, &[&names, modifier, &data]);
        let file = parsed(&bytes);
        assert_eq!(file.modifiers, [Modifier { index: 7, anim_type_override: 2 }], "{bones} bones");
    }
}

#[test]
fn a_longer_header_is_skipped_and_kept() {
    let bytes = file(Head { size: 0x20, ..HEAD }, &[b"more", &one_key(1)]);
    let file = parsed(&bytes);
    assert_eq!((&*file.extra_header, &*file.bones[0].name), (&b"more"[..], &b"a"[..]));
    assert!(says(&file, "SEA0010"));
}

#[test]
fn a_header_size_that_does_not_count_itself_is_understood() {
    let bytes = file(Head { size: 0x1a, ..HEAD }, &[&one_key(1)]);
    assert!(says(&parsed(&bytes), "SEA0010"));
}

#[test]
fn other_small_header_sizes_are_refused_at_the_field() {
    for size in [0, 0x19, 0x1b] {
        let bytes = file(Head { size, ..HEAD }, &[&one_key(1)]);
        assert_eq!(refused(&bytes), ("SEA0005", 8, "header.header_size".into()));
    }
    let nameless = file(Head { size: 0x1a, ..HEAD }, &[b"no end"]);
    assert_eq!(refused(&nameless), ("SEA0005", 8, "header.header_size".into()));
}

#[test]
fn a_header_longer_than_the_file_is_refused() {
    let bytes = file(Head { size: 0xffff, ..HEAD }, &[&one_key(1)]);
    assert_eq!(refused(&bytes), ("SEA0003", 36, "extra_header".into()));
}

#[test]
fn bones_without_a_channel_flag_are_read_where_they_are_stored() {
    let head = Head { presence: 0x40, bones: 2, modifiers: 1, notes: 1, ..HEAD };
    let bytes = file(head, &[b"a\0b\0", &[1, 2], &[0, 1], b"\x03n\0"]);
    let file = parsed(&bytes);
    assert_eq!((file.bones.len(), file.bones[1].flags, file.modifiers.len(), file.notes[0].frame), (2, 1, 1, 3));
    assert!(file.evidence.contains("2 bones are stored although"), "{}", file.evidence);
    assert!(says(&file, "SEA0030"));
}

#[test]
fn bones_without_a_channel_flag_are_skipped_where_they_are_not_stored() {
    let head = Head { presence: 0x40, bones: 200, modifiers: 9, notes: 1, ..HEAD };
    let bytes = file(head, &[b"\x03n\0"]);
    let file = parsed(&bytes);
    assert_eq!((file.bones.len(), file.unstored.bone_count, file.unstored.modifier_count), (0, 200, 9));
    assert!(file.evidence.contains("200 bones that are counted are not stored"), "{}", file.evidence);
    assert_eq!(file.summary().joints, 0);
    assert!(says(&file, "SEA0030"));
}

#[test]
fn modifiers_without_bones_are_kept() {
    let bytes = file(Head { bones: 0, modifiers: 1, ..HEAD }, &[&[0, 2]]);
    let file = parsed(&bytes);
    assert_eq!(file.modifiers.len(), 1);
    assert!(says(&file, "SEA0040"));
}

#[test]
fn notes_without_their_flag_are_read_only_if_the_file_holds_them() {
    let head = Head { presence: 0, bones: 0, notes: 1, ..HEAD };
    let stored = file(head, &[b"\x03n\0"]);
    let held = parsed(&stored);
    assert_eq!((held.notes.len(), held.unstored.note_count), (1, 0));
    let counted = file(head, &[]);
    let claimed = parsed(&counted);
    assert_eq!((claimed.notes.len(), claimed.unstored.note_count), (0, 1));
    assert!(says(&held, "SEA0060") && says(&claimed, "SEA0060"));
}

#[test]
fn reserved_flags_change_nothing_else() {
    let bytes = file(Head { presence: 0x39, ..HEAD }, &[&one_key(1)]);
    let file = parsed(&bytes);
    assert_eq!(file.bones[0].loc.len(), 1);
    assert!(says(&file, "SEA0013"));
}

#[test]
fn a_custom_block_is_kept_as_it_is() {
    let bytes = file(Head { presence: 0x81, ..HEAD }, &[&one_key(1), &[3, 0, 0, 0], b"\0\xffx"]);
    assert_eq!(&*parsed(&bytes).custom, b"\0\xffx");
    let cut = &bytes[..bytes.len() - 1];
    assert_eq!(refused(cut), ("SEA0003", cut.len() as u64 - 2, "custom.data".into()));
}

#[test]
fn blend_shapes_are_read_from_the_trailer() {
    let mut trailer = b"SEBlend\n\x02\0\0\0\0\0\0\0smile\0blink\0".to_vec();
    trailer.extend([1, 0, 0, 0, 5, 0, 0, 0]);
    trailer.extend(singles([0.5, 0.0, 0.0]));
    trailer.extend([0; 4]);
    let bytes = file(HEAD, &[&one_key(1), &trailer]);
    let file = parsed(&bytes);
    let Trailer::Blend(shapes) = &file.trailer else { panic!("no shapes") };
    assert_eq!((&*shapes[0].name, shapes[0].keys.len()), (&b"smile"[..], 1));
    assert_eq!((shapes[0].keys[0].frame.get(), shapes[0].keys[0].value[0].get()), (5, 0.5));
    assert_eq!((&*shapes[1].name, shapes[1].keys.len()), (&b"blink"[..], 0));
}

#[test]
fn a_damaged_trailer_leaves_the_animation_readable() {
    for damage in [&b"SEBlend\n"[..], b"SEBlend\n\xff\xff\xff\xff\xff\xff\xff\xff", b"SEBlend\n\0\0\0\0\0\0\0\0more"] {
        let bytes = file(HEAD, &[&one_key(1), damage]);
        let file = parsed(&bytes);
        assert!(matches!(&file.trailer, Trailer::Damaged { bytes, .. } if **bytes == *damage));
        assert!(findings(&file).contains(&("SEA0072", "blend_trailer".into(), 1)));
    }
}

#[test]
fn other_bytes_at_the_end_are_kept_if_few_and_refused_where_they_begin_if_not() {
    assert_eq!(*parsed(&file(HEAD, &[&one_key(1), b"SEBlond\n"])).trailing, *b"SEBlond\n");
    let mut bytes = file(HEAD, &[&one_key(1)]);
    let end = bytes.len() as u64;
    crate::trailing::append_too_many(&mut bytes);
    assert_eq!(refused(&bytes), ("SEA0004", end, String::new()));
}

#[test]
fn another_version_is_unsupported_rather_than_malformed() {
    let mut bytes = file(HEAD, &[&one_key(1)]);
    bytes[6] = 2;
    assert!(matches!(File::parse(&bytes), Err(Error::Unsupported(_))));
    assert_eq!(refused(&bytes), ("SEA0002", 6, "header.version".into()));
}

#[test]
fn a_cut_is_placed_in_the_run_of_keys_that_does_not_fit() {
    let head = Head { presence: 3, bones: 2, ..HEAD };
    let bytes = file(head, &[b"a\0b\0", &[0, 0, 0], &[0, 0, 2, 1], &singles([0.0, 0.0, 0.0, 1.0])]);
    assert_eq!(refused(&bytes), ("SEA0003", 46, "bones[1].rot".into()));
}

#[test]
fn a_name_without_an_end_is_placed_at_its_start() {
    let bytes = file(Head { bones: 2, ..HEAD }, &[b"a\0bcd"]);
    assert_eq!(refused(&bytes), ("SEA0003", 38, "bone_names[1]".into()));
}

#[test]
fn millions_of_bones_are_refused_before_they_are_read() {
    let bytes = file(Head { bones: u32::MAX, ..HEAD }, &[&[0; 64]]);
    assert!(matches!(File::parse(&bytes), Err(Error::Unsupported(_))));
    assert_eq!(refused(&bytes), ("SEA0006", 36, "bone_names".into()));
}

#[test]
fn four_billion_keys_are_refused_at_the_keys() {
    let bytes = file(Head { frames: u32::MAX, ..HEAD }, &[b"a\0", &[0], &[0xff; 4], &[0; 64]]);
    assert_eq!(refused(&bytes), ("SEA0003", 43, "bones[0].loc".into()));
}

#[test]
fn every_component_has_a_path() {
    let bytes = file(Head { frames: 300, ..HEAD }, &[&one_key(2)]);
    let found = field_at(&parsed(&bytes), 36 + 2 + 1 + 2 + 2 + 8).unwrap();
    assert_eq!((found.path.to_string(), found.offset), ("bones[0].loc[0].value[2]".into(), 51));
    assert_eq!((found.bytes, &bytes[51..55]), (4, &3f32.to_le_bytes()[..]));
    assert!(found.doc.contains("Locations"), "{}", found.doc);
}

#[test]
fn numbers_that_are_not_numbers_keep_their_bits() {
    let mut bytes = file(HEAD, &[b"a\0", &[0, 1, 3], &0x7fa1_2345u32.to_le_bytes(), &[0; 8]]);
    bytes[16..20].copy_from_slice(&0xffa5_4321u32.to_le_bytes());
    let file = parsed(&bytes);
    assert_eq!(file.summary().clips[0].duration_secs, None);
    assert!(says(&file, "SEA0016") && says(&file, "SEA0050"));
}

#[test]
fn a_change_of_length_moves_all_keys_to_the_new_width() {
    let bytes = file(HEAD, &[&one_key(1)]);
    let mut changed = parsed(&bytes);
    changed.frame_count = 300;
    assert_eq!(changed.encode(), file(Head { frames: 300, ..HEAD }, &[&one_key(2)]));
}

#[test]
fn keys_are_changed_within_their_width_and_added_beyond_it() {
    let shape = Shape { frame: FrameWidth::One, precision: Precision::Single, components: Components::Vector };
    let mut keys = Keys::new(shape);
    keys.push(Key { frame: 255, value: [1.0, 0.0, 0.0, 0.0] });
    assert!(keys.set(0, Key { frame: 7, value: [2.0, 0.0, 0.0, 0.0] }));
    assert!(!keys.set(0, Key { frame: 256, value: [3.0, 0.0, 0.0, 0.0] }));
    assert!(!keys.set(1, Key { frame: 0, value: [3.0, 0.0, 0.0, 0.0] }));
    assert_eq!(keys.records::<VectorKey8>().unwrap().len(), 1);
    keys.push(Key { frame: 256, value: [4.0, 0.0, 0.0, 0.0] });
    assert_eq!(keys.iter().map(|key| (key.frame, key.value[0])).collect::<Vec<_>>(), [(7, 2.0), (256, 4.0)]);
    assert!(keys.records::<VectorKey8>().is_none());
    assert_eq!(keys.records::<VectorKey16>().unwrap()[1].frame.get(), 256);
}

#[test]
fn a_frame_beyond_its_width_becomes_the_last_that_fits() {
    for (frames, last) in [(255, 0xff), (65_535, 0xffff)] {
        let mut file = model(Dialect::Corrected);
        file.frame_count = frames;
        file.notes[0].frame = last + 2;
        let bytes = file.encode();
        assert_eq!(parsed(&bytes).notes[0].frame, last, "rather than 1");
    }
}

#[test]
fn more_keys_than_a_count_can_say_are_cut_off() {
    let mut file = model(Dialect::Corrected);
    for frame in 0..300 {
        file.bones[0].loc.push(Key { frame: frame % 61, value: [0.0; 4] });
    }
    let bytes = file.encode();
    assert_eq!(parsed(&bytes).bones[0].loc.len(), 255);
}

/// One bone with location keys on these frames.
fn frames(frames: &[u8], frame_count: u32) -> Vec<u8> {
    let keys: Vec<u8> = frames.iter().flat_map(|&frame| [vec![frame], singles([0.0; 3])].concat()).collect();
    file(Head { frames: frame_count, ..HEAD }, &[b"a\0", &[0, frames.len() as u8], &keys])
}

#[test]
fn equal_frames_are_found_side_by_side_or_not() {
    let bytes = frames(&[5, 2, 9, 5, 5], 10);
    let found = findings(&parsed(&bytes));
    assert!(found.contains(&("SEA0051", "bones[0].loc[1].frame".into(), 2)), "{found:?}");
    assert!(found.contains(&("SEA0052", "bones[0].loc[3].frame".into(), 2)), "{found:?}");
}

#[test]
fn the_frame_count_is_one_more_than_the_last_frame() {
    let count = |frame_count| findings(&parsed(&frames(&[0, 9], frame_count)));
    assert!(count(10).is_empty());
    assert_eq!(count(11), [("SEA0020", "header.frame_count".into(), 1)]);
    assert_eq!(count(9), [("SEA0021", "bones[0].loc[1].frame".into(), 1)]);
    assert_eq!(
        count(1),
        [("SEA0022", "bones[0].loc_key_count".into(), 1), ("SEA0021", "bones[0].loc[1].frame".into(), 1)]
    );
}

#[test]
fn one_fault_in_many_bones_is_one_finding() {
    let mut file = model(Dialect::Corrected);
    for bone in &mut file.bones {
        assert!(bone.scale.set(0, Key { frame: 0, value: [0.0; 4] }));
    }
    assert_eq!(findings(&file), [("SEA0054", "bones[0].scale[0].value".into(), 3)]);
}

#[test]
fn the_root_of_a_delta_animation_may_be_nameless() {
    let bytes = file(Head { anim_type: 3, frames: 4, ..HEAD }, &[&one_key(1)[1..]]);
    let delta = parsed(&bytes);
    assert!(delta.bones[0].name.is_empty());
    assert!(findings(&delta).is_empty(), "{:?}", findings(&delta));
    let mut absolute = delta.clone();
    absolute.anim_type = 0;
    assert!(says(&absolute, "SEA0031"));
}

#[test]
fn names_that_differ_by_case_are_not_duplicates() {
    let bytes = file(Head { bones: 3, ..HEAD }, &[b"Hip\0hip\0Hip\0", &[0; 6]]);
    let found = findings(&parsed(&bytes));
    assert!(found.contains(&("SEA0034", "bone_names[1]".into(), 1)), "{found:?}");
    assert!(found.contains(&("SEA0033", "bone_names[2]".into(), 1)), "{found:?}");
}

#[test]
fn the_summary_counts_steps_between_frames() {
    let clip = |frames| {
        let bytes = file(Head { frames, presence: 0x40, bones: 0, ..HEAD }, &[]);
        parsed(&bytes).summary().clips[0].duration_secs
    };
    assert_eq!([clip(31), clip(1), clip(0)], [Some(1.0), Some(0.0), Some(0.0)]);
    let summary = model(Dialect::Corrected).summary();
    assert_eq!((summary.joints, summary.clips[0].tracks, summary.clips[0].keys), (3, 3, 3 * 7));
}

#[test]
fn the_summary_counts_the_bones_that_have_keys() {
    let position = |frame: u8| [&[frame][..], &singles([0.0; 3])].concat();
    let (first, second) = (position(0), position(9));
    // Two keys, none, one; names, then flags, a count and keys for each bone.
    let rest: &[&[u8]] = &[b"a\0b\0c\0", &[0, 2], &first, &second, &[0, 0], &[0, 1], &first];
    let bytes = file(Head { bones: 3, ..HEAD }, rest);
    let summary = parsed(&bytes).summary();
    assert_eq!((summary.joints, summary.nodes), (3, 0), "joints are no nodes besides");
    assert_eq!((summary.clips[0].tracks, summary.clips[0].keys), (2, 3));
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let frame = prop_oneof![Just(FrameWidth::One), Just(FrameWidth::Two), Just(FrameWidth::Four)];
    let precision = prop_oneof![Just(Precision::Single), Just(Precision::Double)];
    let components = prop_oneof![Just(Components::Vector), Just(Components::Quaternion)];
    (frame, precision, components).prop_map(|(frame, precision, components)| Shape { frame, precision, components })
}

proptest! {
    #[test]
    fn keys_survive_the_widest_form_and_back(
        shape in any_shape(),
        keys in prop::collection::vec((any::<u8>(), any::<[f32; 4]>()), 0..8),
    ) {
        let mut narrow = Keys::new(shape);
        for (frame, value) in keys {
            narrow.push(Key { frame: u32::from(frame), value: value.map(f64::from) });
        }
        let widest = Shape { frame: FrameWidth::Four, precision: Precision::Double, ..shape };
        let there = narrow.reshaped(widest);
        prop_assert_eq!(there.bytes().len(), narrow.len() * widest.bytes());
        prop_assert_eq!(there.reshaped(shape), narrow);
    }

    #[test]
    fn whatever_is_accepted_is_written_back(
        presence in any::<u8>(),
        property in 0..3u8,
        frames in prop::sample::select(vec![0u32, 1, 255, 256, 65_535, 65_536, 65_537]),
        counts in (0..3u32, 0..3u8, 0..3u32),
        size in prop::sample::select(vec![0x1au16, 0x1c, 0x1c, 0x1c, 0x1d]),
        rest in prop::collection::vec(prop_oneof![4 => Just(0u8), 2 => Just(1), 1 => any::<u8>()], 0..40),
    ) {
        let (bones, modifiers, notes) = counts;
        let head = Head { size, anim_type: 0, presence, property, frames, bones, modifiers, notes };
        // Every beginning of the rest, so that some of them end where the blocks do.
        for length in 0..=rest.len() {
            let bytes = file(head, &[&rest[..length]]);
            if let Ok(file) = File::parse(&bytes) {
                prop_assert_eq!(file.encode(), bytes);
            }
        }
    }
}
