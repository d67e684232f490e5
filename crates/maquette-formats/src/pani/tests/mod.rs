//! Byte-built cases for PANI: where each number stands, what the engine needs of the keys, and error places.

mod scene;

use super::raw::{Bone, File};
use crate::format::{Error, RawFile, Source};
use maquette_scene::Report;
use proptest::prelude::*;

fn ints(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// "PANI", version 0, this many bones, this length and rate, the name "hop".
fn header(bone_count: u32, duration: f32, ticks_per_second: f32) -> Vec<u8> {
    [b"PANI".to_vec(), ints(&[0, bone_count]), floats(&[duration, ticks_per_second]), ints(&[3]), b"hop".to_vec()]
        .concat()
}

/// A bone with keys of each kind at these times.
fn bone(positions: &[f32], rotations: &[f32], scales: &[f32]) -> Vec<u8> {
    let mut bytes = ints(&[positions, rotations, scales].map(|times| times.len() as u32));
    positions.iter().for_each(|&time| bytes.extend(floats(&[time, 1., 2., 3.])));
    rotations.iter().for_each(|&time| bytes.extend(floats(&[time, 0., 0., 0.6, 0.8])));
    scales.iter().for_each(|&time| bytes.extend(floats(&[time, 1., 1., 1.])));
    bytes
}

fn code_and_place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

fn found(bytes: &[u8]) -> Vec<String> {
    let file = File::parse(bytes).unwrap();
    let mut report = Report::default();
    file.check(&Source::BARE, &mut report);
    report.items().iter().map(|finding| format!("{} {}", finding.code.name, finding.path)).collect()
}

#[test]
fn a_bone_is_three_counts_and_its_positions_rotations_and_scales() {
    let bytes = [header(2, 10., 5.), bone(&[], &[], &[]), bone(&[0., 10.], &[0., 4., 10.], &[0., 10.])].concat();
    let file = File::parse(&bytes).unwrap();
    assert_eq!((&*file.name, file.duration.get(), file.ticks_per_second.get()), (&b"hop"[..], 10., 5.));
    let [empty, full] = &file.bones[..] else { panic!("two bones") };
    assert_eq!((empty.positions.len(), empty.rotations.len(), empty.scales.len()), (0, 0, 0));
    assert_eq!((full.positions[1].time.get(), full.positions[1].value.map(|x| x.get())), (10., [1., 2., 3.]));
    assert_eq!((full.rotations[1].time.get(), full.rotations[1].value.map(|x| x.get())), (4., [0., 0., 0.6, 0.8]));
    assert_eq!((full.scales[0].time.get(), full.scales[0].value.map(|x| x.get())), (0., [1., 1., 1.]));
    assert_eq!(file.encode(), bytes);
}

#[test]
fn keys_are_borrowed() {
    let bytes = [header(1, 10., 5.), bone(&[0., 10.], &[0., 10.], &[0., 10.])].concat();
    let file = File::parse(&bytes).unwrap();
    assert!(matches!(file.bones[0].rotations, std::borrow::Cow::Borrowed(_)));
    assert!(size_of::<Bone<'_>>() <= 8 * 12, "an empty bone of 12 bytes takes no more memory than the reader allows");
}

#[test]
fn the_duration_is_ticks_over_rate() {
    let bytes = [header(2, 10., 4.), bone(&[0., 10.], &[0., 10.], &[0., 10.]), bone(&[], &[], &[])].concat();
    let summary = File::parse(&bytes).unwrap().summary();
    let [clip] = &summary.clips[..] else { panic!("one clip") };
    assert_eq!((clip.name.as_str(), clip.duration_secs, clip.tracks, clip.keys), ("hop", Some(2.5), 1, 6));
    assert_eq!(summary.joints, 2);
}

#[test]
fn a_rate_of_zero_leaves_the_duration_unknown() {
    let bytes = header(0, 10., 0.);
    assert_eq!(File::parse(&bytes).unwrap().summary().clips[0].duration_secs, None);
}

#[test]
fn a_nan_duration_is_kept_bit_by_bit() {
    let mut bytes = header(0, 0., 24.);
    bytes[12..16].copy_from_slice(&0x7fa0_1234u32.to_le_bytes());
    assert_eq!(File::parse(&bytes).unwrap().encode(), bytes);
    assert!(found(&bytes).contains(&"duration-invalid header.duration".into()));
}

#[test]
fn sound_keys_are_not_remarked_upon() {
    let bytes = [header(1, 10., 5.), bone(&[0., 10.], &[0., 4., 10.], &[0., 10.])].concat();
    assert_eq!(found(&bytes), [""; 0]);
}

#[test]
fn a_bone_without_keys_is_one_finding() {
    let bytes = [header(2, 10., 5.), bone(&[], &[], &[]), bone(&[0., 10.], &[0., 10.], &[0., 10.])].concat();
    assert_eq!(found(&bytes), ["bone-without-keys bones[0].counts"]);
}

#[test]
fn the_engine_needs_two_keys_of_each_kind() {
    let bytes = [header(1, 10., 5.), bone(&[0.], &[0., 10.], &[0.])].concat();
    assert_eq!(
        found(&bytes),
        ["too-few-keys bones[0].counts.position_count", "too-few-keys bones[0].counts.scale_count"]
    );
}

#[test]
fn the_engine_counts_scales_by_positions() {
    let short = [header(1, 10., 5.), bone(&[0., 5., 10.], &[0., 10.], &[0., 5.])].concat();
    assert_eq!(found(&short), ["scales-run-out bones[0].counts.scale_count"]);
    let to_the_end = [header(1, 10., 5.), bone(&[0., 5., 10.], &[0., 10.], &[0., 10.])].concat();
    assert_eq!(found(&to_the_end), [""; 0]);
}

#[test]
fn keys_span_the_clip() {
    let bytes = [header(1, 10., 5.), bone(&[1., 10.], &[0., 9.], &[0., 11.])].concat();
    assert_eq!(
        found(&bytes),
        [
            "keys-begin-late bones[0].counts.position_count",
            "keys-end-early bones[0].counts.rotation_count",
            "key-after-end bones[0].counts.scale_count",
        ]
    );
}

#[test]
fn a_key_that_is_out_of_order_is_named() {
    let bytes = [header(1, 10., 5.), bone(&[0., 10.], &[0., 6., 4., 10.], &[0., 10.])].concat();
    assert_eq!(found(&bytes), ["key-times-unsorted bones[0].rotations[2].time"]);
}

#[test]
fn four_billion_keys_are_refused_at_their_table() {
    let bytes = [header(1, 10., 5.), ints(&[0, u32::MAX, 0])].concat();
    assert_eq!(code_and_place(File::parse(&bytes)), ("PANI0002", 27 + 12, "bones[0].rotations".into()));
    let error = File::parse(&bytes).err().unwrap().to_string();
    assert!(error.contains("4294967295 × 20 = 85899345900 bytes"), "{error}");
}

#[test]
fn four_billion_bones_are_refused_before_any_is_read() {
    let bytes = [header(u32::MAX, 10., 5.), bone(&[], &[], &[])].concat();
    assert_eq!(code_and_place(File::parse(&bytes)), ("PANI0002", 27, "bones".into()));
}

#[test]
fn bytes_after_the_last_bone_are_counted() {
    let with = |count| [header(1, 10., 5.), bone(&[], &[], &[]), vec![0; count]].concat();
    assert_eq!(*File::parse(&with(39)).unwrap().trailing, [0; 39]);
    assert_eq!(code_and_place(File::parse(&with(40))), ("PANI0003", 27 + 12, String::new()));
}

proptest! {
    #[test]
    fn any_keys_are_read_checked_and_written_back(
        times in proptest::collection::vec(proptest::collection::vec(any::<f32>(), 0..5), 0..9),
        duration in any::<f32>(),
        rate in any::<f32>(),
    ) {
        let bones = times.as_chunks::<3>().0;
        let bytes = [
            header(bones.len() as u32, duration, rate),
            bones.iter().flat_map(|[positions, rotations, scales]| bone(positions, rotations, scales)).collect(),
        ]
        .concat();
        prop_assert_eq!(&File::parse(&bytes).unwrap().encode(), &bytes);
        found(&bytes);
    }
}
