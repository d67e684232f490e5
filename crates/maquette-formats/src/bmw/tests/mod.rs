//! Byte-built cases for what only BMW does: six layouts under one version, a tree nested to any depth, matrices of
//! either order, headers and durations that are not what they should be.

mod companions;
mod meshes;
mod scene;
mod unwritten;
mod written;

use super::raw::{Dialect, File, Matrix};
use super::sample::{bundle, model};
use super::{FORMAT, check};
use crate::format::{Error, Naming, RawFile, Resources, Source};
use maquette_scene::Report;
use proptest::prelude::*;
use std::borrow::Cow;

const HEADER: &[u8; 32] = b"Beo-Model-Wolf Format Version 1\0";
const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
/// Moved by 5, 6, 7, column by column and row by row.
const COLUMNS: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 5., 6., 7., 1.];
const ROWS: [f32; 16] = [1., 0., 0., 5., 0., 1., 0., 6., 0., 0., 1., 7., 0., 0., 0., 1.];

/// A file in the making.
#[derive(Clone)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn new() -> Self {
        Bytes(HEADER.to_vec())
    }

    fn u32s(mut self, numbers: &[u32]) -> Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self
    }

    fn f32s(mut self, numbers: &[f32]) -> Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self
    }

    fn text(mut self, text: &[u8]) -> Self {
        self.0.extend(text);
        self.0.push(0);
        self
    }

    /// One material with one texture.
    fn textures(self) -> Self {
        self.u32s(&[1, 1]).text(b"a.png")
    }

    fn vertices(self, count: u32) -> Self {
        (0..count).fold(self.u32s(&[count]), |bytes, at| {
            let bytes = bytes.f32s(&[at as f32, 0.0, 0.0]).u32s(&[255; 4]);
            bytes.f32s(&[0.5, 0.25, 0.0, 0.0, 1.0])
        })
    }

    /// Vertex 2 follows node 1.
    fn weights(self) -> Self {
        self.u32s(&[1, 2, 1, 1]).f32s(&[1.0])
    }

    fn faces(self) -> Self {
        self.u32s(&[1, 0, 1, 2])
    }

    /// The root with mesh 0, and node 1 below it.
    fn nodes_with_ids(self) -> Self {
        self.u32s(&[0]).f32s(&IDENTITY).u32s(&[1, 0, 1]).u32s(&[1]).f32s(&COLUMNS).u32s(&[0, 0])
    }

    fn nodes_without_ids(self) -> Self {
        self.f32s(&IDENTITY).u32s(&[1, 0, 1]).f32s(&COLUMNS).u32s(&[0, 0])
    }

    /// One animation of node 1 with this many matrices.
    fn animation(self, duration: u32, rate: u32, matrices: usize) -> Self {
        let bytes = self.u32s(&[1, duration, rate, 1, 1]);
        (0..matrices).fold(bytes, |bytes, _| bytes.f32s(&COLUMNS))
    }

    fn meshes(self) -> Self {
        self.u32s(&[1]).weights().vertices(3).faces()
    }
}

fn document(duration: u32, matrices: usize) -> Vec<u8> {
    Bytes::new().textures().meshes().nodes_with_ids().animation(duration, 30, matrices).0
}

fn engine_unnamed() -> Bytes {
    Bytes::new().textures().animation(2, 30, 3).meshes().nodes_with_ids()
}

fn engine() -> Bytes {
    engine_unnamed().u32s(&[2, 0]).text(b"RootNode").u32s(&[1]).text(b"arm")
}

fn failure(bytes: &[u8]) -> (&'static str, u64, String, String) {
    let error = File::parse(bytes).err().expect("an error");
    let found = error.diagnostic().expect("a diagnostic");
    (found.code.id, found.offset.expect("an offset"), found.path.to_string(), found.message.clone())
}

fn codes_of(bytes: &[u8]) -> Vec<&'static str> {
    let mut report = Report::default();
    check::check(&File::parse(bytes).unwrap(), &Source::BARE, &mut report);
    report.items().iter().map(|item| item.code.id).collect()
}

fn dialect_of(bytes: &[u8]) -> Dialect {
    let file = File::parse(bytes).unwrap();
    assert_eq!(file.encode(), bytes);
    file.dialect
}

fn numbers(matrix: &Matrix) -> [f32; 16] {
    matrix.map(|element| element.get())
}

#[test]
fn the_document_is_read_field_by_field() {
    let bytes = document(2, 2);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.dialect, Dialect::Document);
    assert_eq!(file.version(), b"1");
    assert_eq!(file.textures().collect::<Vec<_>>(), [b"a.png"]);
    let mesh = &file.meshes[0];
    assert_eq!((mesh.weights[0].vertex_id, mesh.weights[0].influences[0].node_id.get()), (2, 1));
    assert_eq!(mesh.weights[0].influences[0].weight.get(), 1.0);
    let vertex = &mesh.vertices[2];
    assert_eq!(vertex.position.map(|x| x.get()), [2.0, 0.0, 0.0]);
    assert_eq!(vertex.color.map(|x| x.get()), [255; 4]);
    assert_eq!(vertex.uv.map(|x| x.get()), [0.5, 0.25]);
    assert_eq!(vertex.normal.map(|x| x.get()), [0.0, 0.0, 1.0]);
    assert_eq!(mesh.faces[0].map(|x| x.get()), [0, 1, 2]);
    assert_eq!((file.nodes[0].id, file.nodes[0].mesh_ids[0].get(), file.nodes[0].child_count), (0, 0, 1));
    assert_eq!((file.nodes[1].id, numbers(&file.nodes[1].matrix)), (1, COLUMNS));
    let animation = &file.animations[0];
    assert_eq!((animation.duration, animation.rate, animation.bones[0].node_id), (2, 30, 1));
    assert_eq!(animation.bones[0].matrices.len(), 2);
    assert_eq!(file.encode(), bytes);
}

#[test]
fn bulk_tables_are_borrowed() {
    let bytes = document(2, 2);
    let file = File::parse(&bytes).unwrap();
    assert!(matches!(file.meshes[0].vertices, Cow::Borrowed(_)));
    assert!(matches!(file.meshes[0].faces, Cow::Borrowed(_)));
    assert!(matches!(file.meshes[0].weights[0].influences, Cow::Borrowed(_)));
    assert!(matches!(file.animations[0].bones[0].matrices, Cow::Borrowed(_)));
}

#[test]
fn one_matrix_more_than_the_duration_is_the_converter_of_2019_10_29() {
    assert_eq!(dialect_of(&document(2, 3)), Dialect::Day29);
}

#[test]
fn the_engine_has_animations_first_and_names_last() {
    let bytes = engine().0;
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.dialect, Dialect::Engine);
    assert_eq!(file.animations[0].bones[0].matrices.len(), 3);
    let names: Vec<_> = file.bone_names.iter().map(|bone| (bone.node_id, &*bone.name)).collect();
    assert_eq!(names, [(0, &b"RootNode"[..]), (1, b"arm")]);
    assert_eq!(file.encode(), bytes);
}

#[test]
fn without_the_names_it_is_the_earlier_engine() {
    assert_eq!(dialect_of(&engine_unnamed().0), Dialect::EngineUnnamed);
}

#[test]
fn the_first_layouts_have_no_ids_and_one_of_them_no_faces() {
    let with_faces = Bytes::new().textures().u32s(&[1]).vertices(3).faces().nodes_without_ids().0;
    assert_eq!(dialect_of(&with_faces), Dialect::Day14);
    let without = Bytes::new().textures().u32s(&[1]).vertices(3).nodes_without_ids().0;
    assert_eq!(dialect_of(&without), Dialect::Day09);
    let file = File::parse(&without).unwrap();
    assert_eq!(file.nodes[1].id, 1, "the position stands in for the id");
    assert_eq!(file.summary().triangles, 1);
}

#[test]
fn a_static_document_says_that_2019_10_29_is_the_same() {
    let bytes = Bytes::new().textures().meshes().nodes_with_ids().u32s(&[0]).0;
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.fitting, [Dialect::Document, Dialect::Day29]);
    assert!(file.evidence.contains("2019-10-29"), "{}", file.evidence);
    assert!(!codes_of(&bytes).contains(&"BMW0007"), "both read the same, which is not worth a finding");
}

#[test]
fn a_lone_node_fits_two_orders_and_is_taken_for_the_first() {
    let bytes = Bytes::new().u32s(&[0, 0, 0]).f32s(&IDENTITY).u32s(&[0, 0, 0]).0;
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.fitting, [Dialect::Document, Dialect::EngineUnnamed, Dialect::Day29]);
    assert!(codes_of(&bytes).contains(&"BMW0007"));
    let other = File::parse_as(&bytes, Dialect::EngineUnnamed).unwrap();
    assert_eq!((other.nodes[0].id, other.encode()), (1.0f32.to_bits(), bytes.clone()));
}

#[test]
fn a_header_may_end_with_a_newline_instead_of_a_nul() {
    let mut bytes = document(2, 2);
    bytes[31] = b'\n';
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.dialect, file.version(), file.header.len()), (Dialect::Document, &b"1"[..], 32));
    assert_eq!(file.encode(), bytes);
    assert!(codes_of(&bytes).contains(&"BMW0006"));
}

#[test]
fn a_header_may_end_with_a_newline_and_a_nul() {
    let mut bytes = document(2, 2);
    bytes.insert(31, b'\n');
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.header.len(), file.version()), (33, &b"1"[..]));
    assert_eq!(file.encode(), bytes);
    assert!(codes_of(&bytes).contains(&"BMW0006"));
}

#[test]
fn another_version_in_a_known_layout_is_read_and_reported() {
    let mut bytes = document(2, 2);
    bytes.splice(30..31, *b"2.1 beta");
    assert_eq!(File::parse(&bytes).unwrap().version(), b"2.1 beta");
    assert_eq!(File::parse(&bytes).unwrap().encode(), bytes);
    assert!(codes_of(&bytes).contains(&"BMW0002"));
}

#[test]
fn a_header_without_end_is_truncated_and_another_text_is_no_header() {
    let (code, offset, path, _) = failure(b"Beo-Model-Wolf Format Version 1");
    assert_eq!((code, offset, path.as_str()), ("BMW0003", 0, "header"));
    assert_eq!(failure(b"Beo-Model-Wolf").0, "BMW0001");
    assert_eq!(failure(b"").0, "BMW0001");
    assert!((FORMAT.probe)(HEADER).is_some() && (FORMAT.probe)(b"Beo-Model-Wolf").is_none());
}

#[test]
fn a_lost_duration_is_found_from_the_end_of_the_file() {
    let bytes = Bytes::new().textures().meshes().nodes_with_ids().animation(0, 0, 5).0;
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.dialect, file.animations[0].bones[0].matrices.len()), (Dialect::Day29, 5));
    assert_eq!(file.encode(), bytes);
    assert!(file.evidence.contains("not from the duration"), "{}", file.evidence);
    assert_eq!(file.summary().clips[0].duration_secs, None);
    assert!(codes_of(&bytes).contains(&"BMW0061"));
}

#[test]
fn a_lost_duration_is_not_guessed_where_an_id_is_of_no_node() {
    let bytes = Bytes::new().textures().meshes().nodes_with_ids().u32s(&[1, 0, 0, 2, 1]);
    let bytes = bytes.f32s(&COLUMNS).f32s(&COLUMNS).u32s(&[9]).f32s(&COLUMNS).f32s(&COLUMNS).0;
    assert!(File::parse(&bytes).is_err());
}

#[test]
fn lost_durations_of_two_animations_are_not_guessed() {
    let bytes = Bytes::new().textures().meshes().nodes_with_ids().u32s(&[2, 0, 0, 1, 1]).f32s(&COLUMNS).f32s(&COLUMNS);
    let bytes = bytes.u32s(&[0, 0, 1, 1]).f32s(&COLUMNS).f32s(&COLUMNS).0;
    assert!(File::parse(&bytes).is_err());
}

#[test]
fn a_duration_of_zero_is_one_pose_or_none() {
    assert_eq!(dialect_of(&document(0, 0)), Dialect::Document);
    assert_eq!(dialect_of(&document(0, 1)), Dialect::Day29);
}

#[test]
fn a_cut_file_is_spoken_of_in_its_own_dialect() {
    let cases = [
        (document(4, 4), "document", "animations[0].bones"),
        (engine().0, "engine", "bone_names[1].name"),
        (engine_unnamed().0, "engine", "nodes[0].child_count"),
    ];
    for (mut bytes, dialect, place) in cases {
        bytes.pop();
        let (code, _, path, message) = failure(&bytes);
        assert_eq!((code, path.as_str()), ("BMW0003", place));
        assert!(
            message.ends_with(&format!("read as {dialect}, the layout that fits the file for longest")),
            "{message}"
        );
    }
}

#[test]
fn ids_between_the_matrices_tell_which_cut_animation_it_is() {
    for (dialect, matrices) in [("document", 4), ("2019-10-29", 5)] {
        let mut bytes = Bytes::new().textures().meshes().nodes_with_ids().u32s(&[2]);
        for _ in 0..2 {
            bytes = bytes.u32s(&[4, 30, 2]);
            for id in [0, 1] {
                bytes = (0..matrices).fold(bytes.u32s(&[id]), |bytes, _| bytes.f32s(&COLUMNS));
            }
        }
        bytes.0.pop();
        let (_, _, path, message) = failure(&bytes.0);
        assert_eq!(path, "animations[1].bones");
        assert!(message.contains(&format!("read as {dialect},")), "{message}");
    }
}

#[test]
fn bytes_after_the_end_are_named_where_they_begin() {
    let mut bytes = engine().0;
    let end = bytes.len() as u64;
    let few = [&bytes[..], &[7, 7, 7]].concat();
    let file = File::parse(&few).unwrap();
    assert_eq!((file.dialect, &*file.trailing, file.encode()), (Dialect::Engine, &[7, 7, 7][..], few.clone()));
    crate::trailing::append_too_many(&mut bytes);
    let (code, offset, _, message) = failure(&bytes);
    assert_eq!((code, offset), ("BMW0004", end));
    assert!(message.contains("bytes follow") && message.contains("read as engine,"), "{message}");
}

#[test]
fn a_damaged_child_count_is_named_where_it_stands() {
    let mut bytes = document(2, 2);
    // Header, textures, meshes (weights, vertices, faces), then id, matrix, one mesh id and the root's child count.
    let nodes = 32 + 14 + 4 + 20 + (4 + 3 * 48) + 16;
    let at = nodes + 4 + 64 + 8;
    assert_eq!(bytes[at..at + 4], [1, 0, 0, 0]);
    bytes[at + 3] = 0x7f;
    let (code, offset, path, message) = failure(&bytes);
    assert_eq!((code, offset, path.as_str()), ("BMW0003", at as u64, "nodes[0].child_count"));
    assert!(message.starts_with("2130706433 children are claimed"), "{message}");
}

#[test]
fn textures_are_bounded_over_all_materials_together() {
    let most = crate::bytes::MAX_SMALL_ITEMS;
    let mut bytes = Bytes::new().u32s(&[2, most as u32]);
    bytes.0.resize(bytes.0.len() + most as usize, 0);
    let (code, _, path, message) = failure(&bytes.u32s(&[1]).text(b"a").0);
    assert_eq!((code, path.as_str()), ("BMW0005", "materials[1].textures"));
    assert!(message.starts_with(&format!("{} textures", most + 1)), "{message}");
}

#[test]
fn texts_are_counted_before_they_are_kept() {
    let bytes = Bytes::new().u32s(&[1, 5]).text(b"a").text(b"b").0;
    let (code, offset, path, message) = failure(&bytes);
    assert_eq!((code, offset, path.as_str()), ("BMW0003", 40, "materials[0].textures"));
    assert!(message.starts_with("5 texts are claimed, and only 2 end before the file does"), "{message}");
}

/// A tree as a file of the first layout with ids: `shape` gives each node's number of children.
fn tree(shape: &[u32]) -> Vec<u8> {
    let nodes = shape.iter().enumerate().fold(Bytes::new().u32s(&[0, 0]), |bytes, (id, &children)| {
        bytes.u32s(&[id as u32]).f32s(&IDENTITY).u32s(&[0, children])
    });
    nodes.u32s(&[0]).0
}

#[test]
fn parents_and_depths_follow_the_nesting() {
    //          0
    //      1       4
    //    2   3     5 - 6
    let bytes = tree(&[2, 2, 0, 0, 1, 1, 0]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.parents(), [None, Some(0), Some(1), Some(1), Some(0), Some(4), Some(5)]);
    assert_eq!(file.depths(), [0, 1, 2, 2, 1, 2, 3]);
}

#[test]
fn a_million_nested_nodes_are_no_burden() {
    let started = std::time::Instant::now();
    let mut shape = vec![1; 1_000_000];
    shape[999_999] = 0;
    let bytes = tree(&shape);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(
        (file.nodes.len(), file.depths()[999_999], file.parents()[999_999]),
        (1_000_000, 999_999, Some(999_998))
    );
    assert!(file.encode() == bytes);
    let mut report = Report::default();
    crate::format::check(&file, &Source::BARE, &mut report);
    let deep = report.items().iter().find(|item| item.code.id == "BMW0051").unwrap();
    assert_eq!((deep.path.to_string(), deep.offset), ("nodes[257]".into(), Some(32 + 8 + 257 * 76)));
    assert_eq!(file.summary().nodes, 1_000_000);
    drop(file);
    assert!(started.elapsed().as_secs() < 60, "took {:?}", started.elapsed());
}

#[test]
fn translations_tell_the_order_of_matrices() {
    let with = |matrix: [f32; 16]| Bytes::new().u32s(&[0, 0, 0]).f32s(&matrix).u32s(&[0, 0, 0]).0;
    let order = |bytes: &[u8]| File::parse(bytes).unwrap().matrix_order().0.word();
    assert_eq!(order(&with(COLUMNS)), "column-major");
    assert_eq!(order(&with(ROWS)), "row-major");
    assert!(codes_of(&with(ROWS)).iter().all(|code| *code != "BMW0049"), "rows are affine when read as rows");
}

#[test]
fn silent_matrices_are_rows_in_the_documents_order_and_columns_in_the_engines() {
    let order = |bytes: &[u8], dialect| File::parse_as(bytes, dialect).unwrap().matrix_order().0.word();
    let document = Bytes::new().u32s(&[0, 0, 0]).f32s(&IDENTITY).u32s(&[0, 0, 0]).0;
    let engine = Bytes::new().u32s(&[0, 0, 0, 0]).f32s(&IDENTITY).u32s(&[0, 0, 0]).0;
    assert_eq!(order(&document, Dialect::Document), "row-major");
    assert_eq!(order(&engine, Dialect::Engine), "column-major");
}

#[test]
fn the_meaning_of_animation_matrices_follows_the_dialect() {
    let meaning = |bytes: &[u8]| {
        let conventions = File::parse(bytes).unwrap().summary().conventions;
        conventions.into_iter().find(|convention| convention.name == "animation_matrices").map(|found| found.value)
    };
    assert_eq!(meaning(&document(2, 2)).as_deref(), Some("local"));
    assert_eq!(meaning(&engine().0).as_deref(), Some("skinning"));
}

#[test]
fn joints_are_nodes_with_weights_or_motion() {
    let bytes = Bytes::new().textures().meshes().nodes_with_ids().u32s(&[1, 1, 30, 2, 0]).f32s(&COLUMNS).u32s(&[1]);
    let summary = File::parse(&bytes.f32s(&COLUMNS).0).unwrap().summary();
    assert_eq!((summary.nodes, summary.joints), (1, 2), "one joint draws a mesh, and is a node besides");
    let clip = &summary.clips[0];
    assert_eq!((clip.duration_secs, clip.tracks, clip.keys), (Some(1.0 / 30.0), 2, 2));
}

#[test]
fn the_specimen_of_the_engine_rests_at_its_first_tick_and_bends_at_its_third() {
    let file = model(Dialect::Engine);
    let bones = &file.animations[0].bones;
    for bone in bones {
        assert_eq!((bone.matrices.len(), numbers(&bone.matrices[0])), (9, IDENTITY));
    }
    // The tip is turned back upright; the middle joint, a metre below, leans 30 degrees to the left.
    let tip = numbers(&bones[2].matrices[2]);
    let expected = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -0.5, 0.866_025_4 - 1.0, 0., 1.];
    assert!(tip.iter().zip(expected).all(|(found, right)| (found - right).abs() < 1e-6), "{tip:?}");
}

#[test]
fn the_specimen_of_the_document_holds_local_transforms() {
    let file = model(Dialect::Document);
    let middle = &file.animations[0].bones[1].matrices;
    assert_eq!(middle.len(), 8);
    let turned = numbers(&middle[2]);
    assert_eq!((turned[0], turned[1], turned[12], turned[13]), (0.866_025_4, 0.5, 0.0, 1.0));
}

#[test]
fn texture_coordinates_of_the_specimen_count_from_the_bottom() {
    let file = model(Dialect::Document);
    let lowest = &file.meshes[0].vertices[0];
    assert_eq!((lowest.position[1].get(), lowest.uv[1].get()), (0.0, 0.0));
}

/// Files in one folder.
struct Folder(Vec<(&'static str, Vec<u8>)>);

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
    }
}

fn companion_findings(json: &str) -> Vec<String> {
    let sample = bundle(&model(Dialect::Engine));
    let texture = sample.companions.iter().find(|(naming, _)| matches!(naming, Naming::Fixed(_))).unwrap().1.clone();
    let folder = Folder(vec![
        ("post.json", json.as_bytes().to_vec()),
        ("maquette-checker.png", texture),
        ("clips/run.bmw", Vec::new()),
    ]);
    let mut report = Report::default();
    let file = File::parse(&sample.main).unwrap();
    check::check(&file, &Source { name: "post.bmw", resources: &folder, ..Source::BARE }, &mut report);
    report.items().iter().map(|item| format!("{} {}", item.code.id, item.path)).collect()
}

#[test]
fn a_clip_may_use_every_matrix_and_no_more() {
    let clip = |end: u32| format!(r#"{{ "clips": [{{ "name": "a", "start": 0, "end": {end} }}] }}"#);
    assert!(companion_findings(&clip(8)).is_empty());
    assert_eq!(companion_findings(&clip(9)), ["BMW0087 companions.json.clips[0].end"]);
}

#[test]
fn a_clip_of_another_file_is_looked_for_with_either_slash() {
    for file in ["clips/run.bmw", r"clips\\run.bmw"] {
        let json = format!(r#"{{ "clips": [{{ "name": "a", "start": 0, "end": 900, "file": "{file}" }}] }}"#);
        assert!(companion_findings(&json).is_empty(), "its range is that of the other file");
    }
}

#[test]
fn an_overriding_texture_is_looked_for() {
    let json = r#"{ "textureOverrides": [{ "texture": "other.png" }] }"#;
    assert_eq!(companion_findings(json), ["BMW0016 companions.json.textureOverrides[0].texture"]);
}

#[test]
fn the_default_clip_of_a_model_that_does_not_move_is_no_mistake() {
    let bytes = Bytes::new().textures().meshes().nodes_with_ids().u32s(&[0]).0;
    let mut report = Report::default();
    let folder = Folder(vec![("tree.json", br#"{ "defaultAnim": "idle" }"#.to_vec())]);
    check::check(
        &File::parse(&bytes).unwrap(),
        &Source { name: "tree.bmw", resources: &folder, ..Source::BARE },
        &mut report,
    );
    assert!(report.items().iter().all(|item| item.code.id != "BMW0090"));
}

/// The parents of a tree by the obvious recursion.
fn parents_by_recursion(shape: &[u32], at: &mut usize, parent: Option<usize>, parents: &mut Vec<Option<usize>>) {
    let index = *at;
    *at += 1;
    parents.push(parent);
    for _ in 0..shape[index] {
        parents_by_recursion(shape, at, Some(index), parents);
    }
}

/// Child counts of a random tree, in file order.
fn shapes() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..4u32, 1..60).prop_map(|mut counts| {
        let mut awaited = 1;
        let mut end = 0;
        for count in &counts {
            end += 1;
            awaited += count;
            awaited -= 1;
            if awaited == 0 {
                break;
            }
        }
        counts.truncate(end);
        counts.extend(std::iter::repeat_n(0, awaited as usize));
        counts
    })
}

proptest! {
    #[test]
    fn any_tree_is_read_like_a_recursion_would(shape in shapes()) {
        let bytes = tree(&shape);
        let file = File::parse_as(&bytes, Dialect::Document).unwrap();
        let mut expected = Vec::new();
        parents_by_recursion(&shape, &mut 0, None, &mut expected);
        prop_assert_eq!(file.parents(), expected);
        prop_assert_eq!(file.encode(), bytes);
    }

    #[test]
    fn whatever_follows_a_header_is_survived(
        words in prop::collection::vec(prop_oneof![0..4u32, any::<u32>()], 0..200),
        dialect in prop::sample::select(Dialect::ALL),
    ) {
        let bytes = Bytes::new().u32s(&words).0;
        for result in [File::parse(&bytes), File::parse_as(&bytes, dialect)] {
            match result {
                Ok(file) => prop_assert_eq!(file.encode(), bytes.clone()),
                Err(Error::Malformed(found) | Error::Unsupported(found)) => {
                    prop_assert!(found.offset.is_some_and(|offset| offset <= bytes.len() as u64));
                }
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }
}
