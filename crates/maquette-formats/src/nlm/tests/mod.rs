//! Byte-built cases for what only NLM does: its four headers, its lists in lists, its side file and its foreign twin.

mod losing;
mod reading;
mod refusing;
mod writing;

use super::check::{self, PositionScale};
use super::hash::{FNV_BASIS, side_hash, source_hash};
use super::hierarchy::{Link, Links};
use super::raw::{Dialect, File, Topology};
use super::sample::model;
use super::texture::{End, end};
use super::{FORMAT, probe};
use crate::format::QuaternionOrder;
use crate::format::{self, Confidence, Error, Fitted, RawFile, Resources, Source, WriteOptions};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, Scene};
use proptest::prelude::*;
use std::borrow::Cow;
use zerocopy::little_endian::I32;

fn write(scene: &Scene, dialect: &str) -> format::Result<(format::Bundle, LossReport)> {
    let mut losses = LossReport::default();
    let fitted = Fitted::check(scene, &(FORMAT.caps)(dialect))?;
    let options = WriteOptions { dialect, name: "a.nlm", others: &[] };
    Ok(((FORMAT.write)(&fitted, &options, &mut losses)?, losses))
}

/// Bytes put together number by number.
#[derive(Clone, Debug, Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    /// A 16-byte header with a hash of 5.
    fn with_hash(magic: &[u8; 4], flag: u32) -> Bytes {
        Bytes::default().u32s([5]).raw(magic).u32s([2, flag])
    }

    /// A 12-byte header.
    fn without_hash(magic: &[u8; 4], flag: u32) -> Bytes {
        Bytes::default().raw(magic).u32s([2, flag])
    }

    fn raw(mut self, bytes: &[u8]) -> Bytes {
        self.0.extend(bytes);
        self
    }

    fn u32s<const N: usize>(self, numbers: [u32; N]) -> Bytes {
        numbers.into_iter().fold(self, |bytes, number| bytes.raw(&number.to_le_bytes()))
    }

    fn i32s<const N: usize>(self, numbers: [i32; N]) -> Bytes {
        self.u32s(numbers.map(|number| number as u32))
    }

    fn f32s<const N: usize>(self, numbers: [f32; N]) -> Bytes {
        self.u32s(numbers.map(f32::to_bits))
    }

    /// A box of two units around the origin.
    fn aabb(self) -> Bytes {
        self.f32s([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0])
    }

    fn vertex(self, position: [f32; 3], normal: [f32; 3], bones: [i32; 4], weights: [f32; 4]) -> Bytes {
        self.f32s(position).f32s([1.0; 3]).f32s(normal).f32s([0.25, 0.75]).i32s(bones).f32s(weights)
    }

    /// A mesh whose vertices lie alternately at the two corners of the box, without normals, bones or texture.
    fn mesh<const N: usize>(self, vertex_count: u32, indices: [u32; N]) -> Bytes {
        let mut bytes = self.u32s([vertex_count, N as u32]);
        for vertex in 0..vertex_count {
            bytes = bytes.vertex([if vertex % 2 == 0 { -1.0 } else { 1.0 }; 3], [0.0; 3], [-1; 4], [0.0; 4]);
        }
        bytes.u32s(indices).u32s([0])
    }

    /// A node without rotation at (0, 1, 0).
    fn node<const N: usize>(self, id: i32, children: [i32; N]) -> Bytes {
        let matrix = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 1., 0., 1.];
        self.i32s([id]).f32s(matrix).u32s([N as u32]).i32s(children)
    }

    /// An animation of one second with one node, no bones and no keys.
    fn still(self) -> Bytes {
        self.f32s([30.0]).i32s([30]).u32s([0, 0, 1]).node(0, [])
    }
}

fn code_and_place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

/// The findings as "code place".
fn findings(file: &File<'_>, source: &Source<'_>) -> Vec<String> {
    let mut report = Report::default();
    format::check(file, source, &mut report);
    report.items().iter().map(|item| format!("{} {}", item.code.id, item.path)).collect()
}

fn bare_findings(bytes: &[u8]) -> Vec<String> {
    findings(&File::parse(bytes).unwrap(), &Source::BARE)
}

/// A folder with one file in it.
struct OneFile(&'static str, &'static str);

impl Resources for OneFile {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (name == self.0).then_some(Cow::Borrowed(self.1.as_bytes()))
    }
}

#[test]
fn the_place_and_the_spelling_of_the_magic_tell_the_dialect() {
    let cases = [
        (Bytes::with_hash(b"MODL", 0), Dialect::Document, 44),
        (Bytes::with_hash(b"LDOM", 0), Dialect::Engine, 44),
        (Bytes::without_hash(b"LDOM", 0), Dialect::Engine12, 40),
        (Bytes::without_hash(b"MODL", 0), Dialect::Document12, 40),
    ];
    for (header, dialect, size) in cases {
        let bytes = header.aabb().u32s([0]).0;
        let file = File::parse(&bytes).unwrap();
        assert_eq!((file.dialect, bytes.len()), (dialect, size), "{}", file.evidence);
        assert_eq!(file.encode(), bytes);
    }
}

#[test]
fn a_hash_that_spells_the_magic_is_still_a_hash() {
    for magic in [b"LDOM", b"MODL"] {
        let bytes = Bytes::default().raw(magic).raw(b"LDOM").u32s([2, 0]).aabb().u32s([0]).0;
        let file = File::parse(&bytes).unwrap();
        assert_eq!((file.dialect, file.hash), (Dialect::Engine, u32::from_le_bytes(*magic)));
        assert_eq!(file.encode(), bytes);
    }
}

#[test]
fn the_probe_is_surer_of_a_magic_that_comes_first() {
    assert_eq!(probe(&Bytes::without_hash(b"LDOM", 0).0), Some(Confidence::Magic));
    assert_eq!(probe(&Bytes::with_hash(b"MODL", 0).0), Some(Confidence::Likely));
    assert_eq!(probe(b"MODE"), None);
    assert_eq!(probe(b"1234MOD"), None);
}

#[test]
fn every_version_but_2_is_unsupported() {
    for version in [0, 1, 3, 0x0200_0000] {
        let bytes = Bytes::default().u32s([5]).raw(b"MODL").u32s([version, 0]).aabb().u32s([0]).0;
        let error = File::parse(&bytes).err().unwrap();
        assert!(matches!(error, Error::Unsupported(_)), "{error}");
        assert_eq!(code_and_place(Err(error)), ("NLM0002", 8, "header.version".into()));
        assert_eq!(code_and_place(File::parse(&bytes[4..])), ("NLM0002", 4, "header.version".into()));
    }
}

#[test]
fn any_flag_but_0_means_an_animation_and_is_kept() {
    let bytes = Bytes::with_hash(b"MODL", 0x8000_0000).aabb().u32s([0]).still().0;
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.animation.as_ref().unwrap().nodes.len(), 1);
    assert_eq!(file.encode(), bytes);
    assert!(findings(&file, &Source::BARE).contains(&"NLM0007 header.has_animation".into()));
}

#[test]
fn the_flag_that_is_written_agrees_with_the_animation() {
    let bytes = Bytes::with_hash(b"MODL", 1).aabb().u32s([0]).still().0;
    let mut file = File::parse(&bytes).unwrap();
    let animation = file.animation.take();
    assert_eq!(file.encode(), Bytes::with_hash(b"MODL", 0).aabb().u32s([0]).0);
    file.animation_flag = 0;
    file.animation = animation;
    assert_eq!(file.encode(), bytes);
}

#[test]
fn a_flag_of_0_before_an_animation_is_the_error() {
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([0]).still().0;
    assert_eq!(code_and_place(File::parse(&bytes)), ("NLM0006", 12, "header.has_animation".into()));
    let bytes = Bytes::without_hash(b"LDOM", 0).aabb().u32s([0]).still().0;
    assert_eq!(code_and_place(File::parse(&bytes)), ("NLM0006", 8, "header.has_animation".into()));
}

#[test]
fn a_flag_of_1_before_the_end_of_the_file_is_the_error() {
    let bytes = Bytes::with_hash(b"LDOM", 1).aabb().u32s([0]).0;
    assert_eq!(code_and_place(File::parse(&bytes)), ("NLM0006", 12, "header.has_animation".into()));
}

#[test]
fn a_vertex_has_76_bytes_in_the_documents_order() {
    let numbers: [u32; 19] = std::array::from_fn(|number| number as u32 + 1);
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1, 1, 0]).u32s(numbers).u32s([0]).0;
    let file = File::parse(&bytes).unwrap();
    let vertex = &file.meshes[0].vertices[0];
    let bits = |values: &[zerocopy::little_endian::F32]| values.iter().map(|x| x.get().to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&vertex.position), [1, 2, 3]);
    assert_eq!(bits(&vertex.color), [4, 5, 6]);
    assert_eq!(bits(&vertex.normal), [7, 8, 9]);
    assert_eq!(bits(&vertex.uv), [10, 11]);
    assert_eq!(vertex.bone_ids.map(I32::get), [12, 13, 14, 15]);
    assert_eq!(bits(&vertex.bone_weights), [16, 17, 18, 19]);
}

/// A file with one bone that has one rotation key of 1, 2, 3, 4.
fn one_rotation(header: Bytes) -> Vec<u8> {
    let clip = header.aabb().u32s([0]).f32s([30.0]).i32s([30]).u32s([0, 1]);
    clip.i32s([0, 0]).u32s([0, 1, 0]).f32s([0.5, 1.0, 2.0, 3.0, 4.0]).u32s([1]).node(0, []).0
}

/// That key with its real part last, in the order of the file's dialect.
fn turn(file: &File<'_>) -> [f32; 4] {
    file.animation.as_ref().unwrap().bones[0].rotations[0].xyzw(file.dialect.quaternion_order())
}

#[test]
fn rotation_keys_begin_with_w_in_the_documents_spelling_and_end_with_it_in_the_engines() {
    let bytes = one_rotation(Bytes::with_hash(b"MODL", 1));
    assert_eq!(turn(&File::parse(&bytes).unwrap()), [2.0, 3.0, 4.0, 1.0]);
    let bytes = one_rotation(Bytes::without_hash(b"LDOM", 1));
    assert_eq!(turn(&File::parse(&bytes).unwrap()), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn a_forced_dialect_changes_the_order_and_keeps_the_magic() {
    let bytes = one_rotation(Bytes::with_hash(b"LDOM", 1));
    let file = File::parse_as(&bytes, Dialect::Document).unwrap();
    assert_eq!(file.dialect.quaternion_order(), QuaternionOrder::Wxyz);
    assert_eq!(turn(&file), [2.0, 3.0, 4.0, 1.0]);
    assert_eq!(file.encode(), bytes);
}

#[test]
fn a_forced_header_needs_the_magic_in_its_place() {
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([0]).0;
    let (code, offset, path) = code_and_place(File::parse_as(&bytes, Dialect::Engine12));
    assert_eq!((code, offset, path.as_str()), ("NLM0001", 0, "header.magic"));
}

#[test]
fn a_file_too_short_for_a_magic_is_spoken_of_at_its_end() {
    assert_eq!(code_and_place(File::parse(b"NLM")), ("NLM0001", 3, "header.magic".into()));
}

#[test]
fn a_cut_file_is_refused_at_the_table_that_does_not_fit() {
    let whole = Bytes::with_hash(b"LDOM", 0).aabb().u32s([2]).mesh(1, [0, 0, 0]).mesh(2, [0, 1, 0]).0;
    let cut = &whole[..whole.len() - 17];
    let second_vertices = (16 + 24 + 4 + (8 + 76 + 12 + 4) + 8) as u64;
    let (code, offset, path) = code_and_place(File::parse(cut));
    assert_eq!((code, offset, path.as_str()), ("NLM0003", second_vertices, "meshes[1].vertices"));
}

#[test]
fn a_cut_animation_is_refused_at_the_keys_that_do_not_fit() {
    let bytes = one_rotation(Bytes::with_hash(b"MODL", 1));
    let keys = 16 + 24 + 4 + 16 + 20;
    let (code, offset, path) = code_and_place(File::parse(&bytes[..keys + 19]));
    assert_eq!((code, offset, path.as_str()), ("NLM0003", keys as u64, "animation.bones[0].rotations"));
}

#[test]
fn counts_that_wrap_in_32_bits_do_not_fit() {
    // 0x4000_0001 indices are 4 bytes to a loader with 32-bit products.
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1, 0, 0x4000_0001, 7, 0]).0;
    assert_eq!(code_and_place(File::parse(&bytes)), ("NLM0003", 52, "meshes[0].indices".into()));
}

#[test]
fn four_billion_meshes_are_refused_before_memory_is_taken() {
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([u32::MAX]).0;
    assert_eq!(code_and_place(File::parse(&bytes)), ("NLM0003", 44, "meshes".into()));
}

#[test]
fn bytes_after_the_last_field_are_kept_if_few_and_refused_where_they_begin_if_not() {
    let mut bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1]).mesh(1, [0, 0, 0]).0;
    let few = [&bytes[..], b"more"].concat();
    let file = File::parse(&few).unwrap();
    assert_eq!((&*file.trailing, file.encode()), (&b"more"[..], few.clone()));
    let end = bytes.len() as u64;
    crate::trailing::append_too_many(&mut bytes);
    let (code, offset, _) = code_and_place(File::parse(&bytes));
    assert_eq!((code, offset), ("NLM0004", end));
}

/// One mesh without its texture size, after which the Dog engine's records can follow.
fn before_textures(flag: u32) -> Bytes {
    let mut bytes = Bytes::with_hash(b"LDOM", flag).aabb().u32s([1]).mesh(1, [0, 0, 0]);
    bytes.0.truncate(bytes.0.len() - 4);
    bytes
}

#[test]
fn the_dog_engines_files_are_named_as_such() {
    let named = before_textures(0).raw(&[9; 48]).u32s([0, 5]).raw(b"a.png").u32s([0; 10]);
    let embedded = before_textures(0).raw(&[9; 48]).u32s([1, 3]).raw(b"m_0").u32s([2]).raw(b"\xff\xd8").u32s([0; 10]);
    let bone = before_textures(1).raw(&[0; 48]).u32s([0; 12]).u32s([1, 4]).raw(b"hips").i32s([0]).f32s([1.0; 10]);
    let nothing = before_textures(0).raw(&[0; 48]).u32s([0; 12]);
    for file in [named, embedded, bone, nothing] {
        let error = File::parse(&file.0).err().unwrap();
        assert!(matches!(error, Error::Unsupported(_)), "{error}");
        let after_indices = 16 + 24 + 4 + 8 + 76 + 12;
        assert_eq!(code_and_place(Err(error)), ("NLM0005", after_indices, "meshes[0].texture_bytes".into()));
    }
}

#[test]
fn other_bytes_after_the_indices_are_not_taken_for_the_dog_engines() {
    let control_characters = before_textures(0).raw(&[9; 48]).u32s([0, 5]).raw(b"a\0\x01\x02\x03").u32s([0; 10]);
    let third_kind = before_textures(0).raw(&[9; 48]).u32s([2, 5]).raw(b"a.png").u32s([0; 10]);
    let one_too_many = before_textures(0).raw(&[0; 48]).u32s([0; 12]).raw(&[0]);
    for file in [control_characters, third_kind] {
        assert_eq!(code_and_place(File::parse(&file.0)).0, "NLM0003");
    }
    assert_eq!(*File::parse(&one_too_many.0).unwrap().trailing, [0; 93]);
}

#[test]
fn an_even_count_of_indices_that_is_no_multiple_of_3_is_lines() {
    let topology = |count: usize| {
        let header = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1, 0, count as u32]).raw(&vec![0; 4 * count]).u32s([0]);
        File::parse(&header.0).unwrap().meshes[0].topology()
    };
    for lines in [2, 4, 8, 10, 26, 286] {
        assert_eq!(topology(lines), Topology::Lines, "{lines}");
    }
    for triangles in [0, 1, 3, 5, 6, 7, 9, 12] {
        assert_eq!(topology(triangles), Topology::Triangles, "{triangles}");
    }
}

#[test]
fn the_summary_counts_triangles_and_lines_apart() {
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([3]);
    let bytes = bytes.mesh(2, [0, 1, 1, 0]).mesh(2, [0, 1, 0, 1, 0, 1]).mesh(2, [0, 1, 0, 1, 0]).0;
    let summary = File::parse(&bytes).unwrap().summary();
    assert_eq!((summary.lines, summary.triangles), (2, 2 + 1));
    assert_eq!((summary.meshes, summary.vertices, summary.indices, summary.textures), (3, 6, 15, 0));
}

#[test]
fn lines_need_no_normals_and_triangles_do() {
    let lines = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1]).mesh(2, [0, 1]).0;
    assert_eq!(bare_findings(&lines), ["NLM0032 meshes[0].index_count"]);
    let triangle = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1]).mesh(3, [0, 1, 2]).0;
    assert_eq!(bare_findings(&triangle), ["NLM0041 meshes[0].vertices[0].normal"]);
}

#[test]
fn a_clip_lasts_its_ticks_over_their_rate() {
    let duration = |ticks: f32, rate: i32| {
        let clip = Bytes::with_hash(b"LDOM", 1).aabb().u32s([0]).f32s([ticks]).i32s([rate]).u32s([0, 0, 0]).0;
        File::parse(&clip).unwrap().summary().clips[0].duration_secs
    };
    assert_eq!(duration(800.0, 1000), Some(0.8));
    assert_eq!(duration(800.0, 0), None);
    assert_eq!(duration(0.0, 0), None);
    assert_eq!(duration(f32::INFINITY, 30), None);
}

#[test]
fn vertices_fill_the_box_or_the_box_scaled_to_1() {
    let scale = |min: [f32; 3], max: [f32; 3], from: [f32; 3], to: [f32; 3]| {
        let mesh = Bytes::with_hash(b"LDOM", 0).f32s(min).f32s(max).u32s([1, 2, 0]);
        let mesh = mesh.vertex(from, [0.0; 3], [-1; 4], [0.0; 4]).vertex(to, [0.0; 3], [-1; 4], [0.0; 4]).u32s([0]);
        let file = File::parse(&mesh.0).unwrap();
        check::position_scale(&file, &file.bounds().unwrap())
    };
    let (min, max) = ([-500.0, 0.0, 0.0], [1000.0, 2000.0, 500.0]);
    assert_eq!(scale(min, max, [-0.375, -0.5, -0.125], [0.375, 0.5, 0.125]), Some(PositionScale::Normalised));
    assert_eq!(scale(min, max, min, max), Some(PositionScale::Original));
    assert_eq!(scale(min, max, [-0.375, 0.0, -0.125], [0.375, 0.5, 0.125]), Some(PositionScale::Unrelated));
    assert_eq!(scale([0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3]), None);
    assert_eq!(scale(max, min, min, max), None);
}

#[test]
fn bone_indices_need_not_be_the_positions_of_the_bones() {
    let identity = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let with_bone = |bone: i32| {
        let mesh = Bytes::with_hash(b"LDOM", 1).aabb().u32s([1, 2, 0]);
        let mesh = mesh.vertex([-1.0; 3], [1.0, 0.0, 0.0], [bone, -1, -1, -1], [1.0, 0.0, 0.0, 0.0]);
        let mesh = mesh.vertex([1.0; 3], [1.0, 0.0, 0.0], [7, -1, -1, -1], [1.0, 0.0, 0.0, 0.0]).u32s([0]);
        let clip = mesh.f32s([30.0]).i32s([30]).u32s([1]).i32s([0]).f32s(identity).i32s([7]);
        bare_findings(&clip.u32s([0, 1]).node(0, []).0)
    };
    let unknown = "NLM0043 meshes[0].vertices[0].bone_ids[0]".to_string();
    assert!(!with_bone(7).iter().any(|finding| finding.starts_with("NLM0043")));
    assert!(with_bone(0).contains(&unknown), "no bone has index 0");
    assert!(with_bone(i32::MAX).contains(&unknown));
    assert!(with_bone(-2).contains(&unknown));
}

/// A clip whose nodes are a chain of this many, the last of which has these children.
fn chain<const N: usize>(length: i32, last: [i32; N]) -> Vec<u8> {
    let head = Bytes::with_hash(b"LDOM", 1).aabb().u32s([0]).f32s([30.0]).i32s([30]).u32s([0, 0, length as u32]);
    (0..length - 1).fold(head, |bytes, index| bytes.node(index, [index + 1])).node(length - 1, last).0
}

const OF_ANY_CHAIN: [&str; 2] = ["NLM0030 mesh_count", "NLM0062 animation.bone_count"];

#[test]
fn a_chain_of_200_000_nodes_is_followed_to_its_end() {
    let bytes = chain(200_000, []);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(findings(&file, &Source::BARE), OF_ANY_CHAIN);
    assert_eq!(file.encode().len(), bytes.len());
}

#[test]
fn a_cycle_is_reported_where_it_closes() {
    let found = bare_findings(&chain(100_000, [50_000]));
    assert!(found.contains(&"NLM0105 animation.nodes[99999].children[0]".into()), "{found:?}");
    let found = bare_findings(&chain(3, [2]));
    assert!(found.contains(&"NLM0105 animation.nodes[2].children[0]".into()), "{found:?}");
}

#[test]
fn nodes_that_only_lead_to_each_other_are_unreachable_and_a_cycle() {
    let head = Bytes::with_hash(b"LDOM", 1).aabb().u32s([0]).f32s([30.0]).i32s([30]).u32s([0, 0, 3]);
    let found = bare_findings(&head.node(0, []).node(1, [2]).node(2, [1]).0);
    assert_eq!(found[2..], ["NLM0106 animation.nodes[1]", "NLM0105 animation.nodes[2].children[0]"]);
}

#[test]
fn a_child_is_a_position_before_it_is_an_id() {
    let head = Bytes::with_hash(b"LDOM", 1).aabb().u32s([0]).f32s([30.0]).i32s([30]).u32s([0, 0, 3]);
    let bytes = head.node(2, [1, 40]).node(-7, []).node(40, []).0;
    let file = File::parse(&bytes).unwrap();
    let links = Links::of(&file.animation.as_ref().unwrap().nodes);
    assert_eq!(links.child(2), Link::Position(2), "though nodes[0] has this id");
    assert_eq!(links.child(40), Link::Id(2));
    assert_eq!(links.child(-7), Link::Id(1));
    assert_eq!(links.child(3), Link::Nowhere);
    assert_eq!(links.child(i32::MIN), Link::Nowhere);
}

#[test]
fn the_companion_hash_of_a_short_header_is_looked_at() {
    let bytes = Bytes::without_hash(b"LDOM", 0).aabb().u32s([1]).mesh(2, [0, 1]).0;
    let file = File::parse(&bytes).unwrap();
    let companions = |name, text| {
        let mut found = findings(&file, &Source { name: "a.nlm", resources: &OneFile(name, text), ..Source::BARE });
        found.retain(|finding| finding.contains("companions"));
        found
    };
    assert_eq!(companions("a.nlm.hash", "2166136261"), [""; 0], "what every file of the engine has is no finding");
    assert!(companions("a.nlm.hash", "17\n").is_empty());
    assert_eq!(companions("a.nlm.hash", "4294967296"), ["NLM0012 companions.hash"]);
    assert_eq!(companions("a.hash", "17"), ["NLM0011 companions.hash"]);
    assert!(
        !findings(&file, &Source::BARE).iter().any(|finding| finding.contains("companions")),
        "bytes have no folder"
    );
}

#[test]
fn the_companion_hash_of_a_header_with_its_own_must_agree() {
    let bytes = Bytes::with_hash(b"LDOM", 0).aabb().u32s([1]).mesh(2, [0, 1]).0;
    let file = File::parse(&bytes).unwrap();
    let companions = |text| {
        let mut found =
            findings(&file, &Source { name: "a.nlm", resources: &OneFile("a.nlm.hash", text), ..Source::BARE });
        found.retain(|finding| finding.contains("companions"));
        found
    };
    assert_eq!(companions("5"), ["NLM0014 companions.hash"]);
    assert_eq!(companions("6"), ["NLM0013 companions.hash"]);
}

#[test]
fn a_hash_file_holds_one_decimal_number() {
    for (text, number) in [("0", 0), ("2166136261", FNV_BASIS), (" 17\r\n", 17), ("4294967295", u32::MAX)] {
        assert_eq!(side_hash(text.as_bytes()), Some(number), "{text:?}");
    }
    for text in ["", " ", "+5", "-5", "0x5", "5.0", "5 6", "4294967296", "5\0"] {
        assert_eq!(side_hash(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn the_source_hash_is_fnv_1a_of_the_text_without_its_layout() {
    // The published test vectors of FNV-1a.
    assert_eq!([source_hash(b""), source_hash(b"a"), source_hash(b"foobar")], [0x811c_9dc5, 0xe40c_292c, 0xbf9c_f968]);
    assert_eq!(source_hash(b"\t foo  \tbar\r\n  baz"), source_hash(b"foo bar\nbaz"));
    assert_ne!(source_hash(b"foo bar"), source_hash(b"foobar"));
    assert_ne!(source_hash(b"foo\n"), source_hash(b"foo"));
}

#[test]
fn a_png_ends_with_its_last_chunk() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x04IDATIEND....\0\0\0\0IEND\xaeB`\x82";
    assert_eq!(end(png, "PNG"), End::At(png.len()));
    assert_eq!(end(&[png, &b"xyz"[..]].concat(), "PNG"), End::At(png.len()));
    for length in 8..png.len() {
        assert_eq!(end(&png[..length], "PNG"), End::Missing, "{length}");
    }
    assert_eq!(end(b"\x89PNG\r\n\x1a\n\xff\xff\xff\xffIEND", "PNG"), End::Missing);
}

#[test]
fn a_jpeg_ends_with_its_own_end_and_not_with_that_of_its_thumbnail() {
    let jpeg = b"\xff\xd8\xff\xe1\0\x06\xff\xd8\xff\xd9\xff\xda\0\x02\x12\xff\0\xff\xd3\x34\xff\xff\xd9";
    assert_eq!(end(jpeg, "JPEG"), End::At(jpeg.len()));
    assert_eq!(end(&[jpeg, &b"\xff\xd9"[..]].concat(), "JPEG"), End::At(jpeg.len()));
    for length in 2..jpeg.len() {
        assert_eq!(end(&jpeg[..length], "JPEG"), End::Missing, "{length}");
    }
    assert_eq!(end(b"GIF89a", "GIF"), End::Unknown);
}

#[test]
fn the_other_order_of_quaternions_is_doubted_in_both_spellings() {
    for (dialect, forced) in [(Dialect::Document, Dialect::Engine), (Dialect::Engine, Dialect::Document)] {
        let bytes = model(dialect).encode();
        let doubted = |file: File<'_>| findings(&file, &Source::BARE).contains(&"NLM0096 header.magic".into());
        assert!(!doubted(File::parse(&bytes).unwrap()));
        assert!(doubted(File::parse_as(&bytes, forced).unwrap()));
    }
}

#[test]
fn only_short_headers_come_with_a_hash_file() {
    for dialect in Dialect::ALL {
        let companions = (FORMAT.sample)(dialect.id()).companions;
        let texts: Vec<_> = companions.iter().map(|(naming, text)| (naming.apply("a.nlm"), &text[..])).collect();
        match dialect {
            Dialect::Document | Dialect::Engine => assert!(texts.is_empty()),
            _ => assert_eq!(texts, [("a.nlm.hash".to_string(), &b"2166136261"[..])]),
        }
    }
}

fn any_mesh() -> impl Strategy<Value = Bytes> {
    let sizes = (0..4u32, 0..7u32, 0..20u32);
    sizes.prop_flat_map(|(vertices, indices, texture)| {
        let tables = prop::collection::vec(any::<u8>(), (76 * vertices + 4 * indices) as usize);
        let texture = prop::collection::vec(any::<u8>(), texture as usize);
        (tables, texture).prop_map(move |(tables, texture)| {
            Bytes::default().u32s([vertices, indices]).raw(&tables).u32s([texture.len() as u32]).raw(&texture)
        })
    })
}

fn any_animation() -> impl Strategy<Value = Bytes> {
    let noise = |bytes: usize| prop::collection::vec(any::<u8>(), bytes);
    let bone = (noise(8), 0..3u32, 0..3u32, 0..3u32).prop_flat_map(move |(ids, positions, rotations, scales)| {
        noise((16 * positions + 20 * rotations + 16 * scales) as usize)
            .prop_map(move |keys| Bytes::default().raw(&ids).u32s([positions, rotations, scales]).raw(&keys))
    });
    let node = (noise(68), prop::collection::vec(-1..4i32, 0..4)).prop_map(|(head, children)| {
        let node = Bytes::default().raw(&head).u32s([children.len() as u32]);
        children.into_iter().fold(node, |node, child| node.i32s([child]))
    });
    let bone_info = (0..3u32).prop_flat_map(move |count| {
        noise(72 * count as usize).prop_map(move |table| Bytes::default().u32s([count]).raw(&table))
    });
    let list = |items: Vec<Bytes>| {
        let count = Bytes::default().u32s([items.len() as u32]);
        items.iter().fold(count, |list, item| list.raw(&item.0))
    };
    let lists = (prop::collection::vec(bone, 0..4), prop::collection::vec(node, 0..5));
    (noise(8), bone_info, lists).prop_map(move |(head, bone_info, (bones, nodes))| {
        Bytes::default().raw(&head).raw(&bone_info.0).raw(&list(bones).0).raw(&list(nodes).0)
    })
}

proptest! {
    #[test]
    fn whatever_stands_in_the_fields_a_file_is_written_back_unchanged(
        dialect in prop::sample::select(Dialect::ALL),
        hash in any::<u32>(),
        flag in any::<u32>(),
        aabb in any::<[u8; 24]>(),
        meshes in prop::collection::vec(any_mesh(), 0..4),
        animation in prop::option::of(any_animation()),
    ) {
        let flag = animation.as_ref().map_or(0, |_| flag.max(1));
        let magic = dialect.magic().bytes();
        let header = match dialect {
            Dialect::Document | Dialect::Engine => Bytes::default().u32s([hash]).raw(&magic),
            _ => Bytes::default().raw(&magic),
        };
        let head = header.u32s([2, flag]).raw(&aabb).u32s([meshes.len() as u32]);
        let bytes = meshes.iter().chain(&animation).fold(head, |file, primitive| file.raw(&primitive.0)).0;
        let file = File::parse(&bytes).unwrap();
        prop_assert_eq!(file.dialect, dialect);
        prop_assert_eq!((file.meshes.len(), file.animation.is_some()), (meshes.len(), animation.is_some()));
        prop_assert_eq!(file.encode(), &bytes[..]);
        findings(&file, &Source::BARE);
        file.summary();
    }
}
