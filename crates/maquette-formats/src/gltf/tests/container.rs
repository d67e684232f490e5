//! Chunks, lengths, text, and the paths and offsets of errors.

use super::super::raw::{BIN, Dialect, File};
use super::super::sample::model;
use super::{glb, refused};
use crate::format::{self, Error, RawFile, Source};
use crate::locate;
use maquette_scene::Report;

const LEAST: &[u8] = br#"{"asset":{"version":"2.0"}} "#;

fn place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.expect_err("an error");
    let finding = error.diagnostic().expect("a finding");
    (finding.code.id, finding.offset.expect("an offset"), finding.path.to_string())
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let file = File::parse(bytes).unwrap();
    let mut report = Report::default();
    format::check(&file, &Source::BARE, &mut report);
    report.items().iter().map(|finding| finding.code.id).collect()
}

#[test]
fn the_least_file_is_a_header_and_the_json() {
    let bytes = glb(&[(b"JSON", LEAST)]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.dialect, bytes.len()), (Dialect::Binary, 12 + 8 + 28));
    assert_eq!(file.encode(), bytes);
    assert_eq!(locate::field_at(&file, 20).unwrap().path.to_string(), "json");
    assert_eq!(locate::field_at(&file, 8).unwrap().path.to_string(), "header.length");
    assert!(codes(&bytes).is_empty());
}

#[test]
fn text_is_read_as_text() {
    let file = File::parse(b" \n{\"asset\":{\"version\":\"2.0\"}}").unwrap();
    assert_eq!((file.dialect, file.document.asset.version.as_str()), (Dialect::Text, "2.0"));
}

#[test]
fn unknown_chunks_are_kept_and_the_buffer_is_found_behind_them() {
    let bytes = glb(&[(b"JSON", LEAST), (b"ACME", b"abc"), (b"BIN\0", b"data"), (b"JSON", b"{}  ")]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(file.encode(), bytes);
    assert_eq!(file.bin(), Some(&b"data"[..]));
    assert_eq!(locate::field_at(&file, 48 + 8).unwrap().path.to_string(), "chunks[0].data");
    assert_eq!(codes(&bytes), ["GLTF0008", "GLTF0009", "GLTF0007", "GLTF0010"]);
}

#[test]
fn a_wrong_length_is_survived_where_the_chunks_tell_the_end() {
    for length in [0u32, 47, 49, u32::MAX] {
        let mut bytes = glb(&[(b"JSON", LEAST)]);
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        assert_eq!(File::parse(&bytes).unwrap().encode(), bytes);
        assert_eq!(codes(&bytes), ["GLTF0004"], "{length}");
    }
}

#[test]
fn bytes_after_the_length_are_kept() {
    let mut bytes = glb(&[(b"JSON", LEAST)]);
    bytes.extend(b"\xff\xff\xff\xffrest");
    let file = File::parse(&bytes).unwrap();
    assert_eq!((&*file.trailing, file.chunks.len()), (&b"\xff\xff\xff\xffrest"[..], 0));
    assert_eq!(file.encode(), bytes);
    assert_eq!(codes(&bytes), ["GLTF0005"]);
}

#[test]
fn a_chunk_of_four_billion_bytes_is_refused_at_the_chunk() {
    let mut bytes = glb(&[(b"JSON", LEAST), (b"BIN\0", b"data")]);
    bytes[48..52].copy_from_slice(&[0xff; 4]);
    assert_eq!(place(File::parse(&bytes)), ("GLTF0003", 56, "chunks[0].data".into()));
}

#[test]
fn errors_in_the_json_have_the_place_of_the_value() {
    let wrong_type = br#"{"asset":{"version":"2.0"},"nodes":[{},{"children":[0,-1]}]}"#;
    let at = wrong_type.iter().position(|&byte| byte == b'-').unwrap() as u64;
    assert_eq!(place(File::parse(wrong_type)), ("GLTF0023", at + 1, "json.nodes[1].children[1]".into()));
    let bytes = glb(&[(b"JSON", wrong_type)]);
    assert_eq!(place(File::parse(&bytes)).1, 20 + at + 1);
    let short_matrix = br#"{"asset":{"version":"2.0"},"nodes":[{"matrix":[1,2]}]}"#;
    assert_eq!(place(File::parse(short_matrix)).2, "json.nodes[0].matrix");
    let cut = br#"{"asset":{"version":"2.0"},"nodes":[{"mesh":1"#;
    assert_eq!(place(File::parse(cut)).0, "GLTF0022");
    let second_line = b"{\n \"asset\":{\"version\":\"2.0\"},\n \"scene\" 1}";
    assert_eq!(place(File::parse(second_line)), ("GLTF0022", 39, "json.scene".into()));
    assert_eq!(place(File::parse(b"{\"asset\":\"\xc3\x28\"}")), ("GLTF0020", 10, "json.asset".into()));
}

#[test]
fn findings_have_the_place_of_their_value() {
    let text = br#"{"asset":{"version":"2.0"},"nodes":[{"children":[7]}]}"#;
    let file = File::parse(text).unwrap();
    let mut report = Report::default();
    format::check(&file, &Source::BARE, &mut report);
    assert_eq!(report.items()[0].path.to_string(), "json.nodes[0].children[0]");
    assert_eq!(report.items()[0].offset, text.iter().position(|&byte| byte == b'7').map(|at| at as u64));
}

#[test]
fn other_versions_are_named_with_the_tool_that_converts_them() {
    let (code, path, message) = refused(br#"{"asset":{"version":"1.0"},"nodes":{"a":{}}}"#);
    assert_eq!((code.as_str(), path.as_str()), ("GLTF0025", "json.asset.version"));
    assert!(message.contains("gltf-pipeline"), "{message}");
    assert_eq!(refused(br#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#).1, "json.asset.minVersion");
    assert!(File::parse(br#"{"asset":{"version":"2.1"}}"#).is_ok(), "2.1 without minVersion is readable");
}

#[test]
fn hostile_json_is_refused_before_it_takes_memory_or_stack() {
    let deep = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(200_000));
    assert_eq!(place(File::parse(deep.as_bytes())).0, "GLTF0022");
    let many = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}{{}}]}}", "{},".repeat(1 << 20));
    let (code, path, message) = refused(many.as_bytes());
    assert_eq!((code.as_str(), path.as_str()), ("GLTF0024", "json"), "{message}");
    let braces_in_text = format!("{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"{}\"}}}}", "{,".repeat(1 << 21));
    assert!(File::parse(braces_in_text.as_bytes()).is_ok(), "braces in text are no objects");
}

#[test]
fn rewritten_json_is_padded_and_says_the_same() {
    let mut file = model(Dialect::Binary);
    file.document.asset.copyright = Some("someone".into());
    file.rewrite_json();
    assert_eq!(file.json.len() % 4, 0);
    let bytes = file.encode();
    let again = File::parse(&bytes).unwrap();
    assert_eq!(again.document, file.document);
    assert_eq!((again.length, again.chunks[0].kind), (None, BIN));
}

#[test]
fn the_summary_counts_what_is_stored() {
    let summary = model(Dialect::Binary).summary();
    assert_eq!(
        [summary.vertices, summary.indices, summary.triangles, summary.joints, summary.nodes],
        [28, 54, 18, 3, 1]
    );
    assert_eq!((summary.clips[0].duration_secs, summary.clips[0].tracks, summary.clips[0].keys), (Some(2.0), 3, 15));
    // Each of its joints has one channel; another channel of one of them is no other joint.
    let mut file = model(Dialect::Binary);
    let mut again = file.document.animations[0].channels[0].clone();
    again.target.path = "scale".into();
    file.document.animations[0].channels.push(again);
    assert_eq!(file.summary().clips[0].tracks, 3);
    assert_eq!(summary.bounds.map(|b| [b.min, b.max]), Some([[-0.25, 0.0, -0.25], [0.25, 2.0, 0.25]]));
}
