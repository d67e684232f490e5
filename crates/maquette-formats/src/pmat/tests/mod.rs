//! Byte-built cases for PMAT: where each number stands, which paths are fit to follow, and error places.

mod scene;

use super::raw::File;
use crate::format::{Error, RawFile, Resources, Source};
use maquette_scene::Report;
use std::borrow::Cow;

/// A material named "clay" with these textures.
fn material(textures: &[(u32, &[u8])]) -> Vec<u8> {
    let mut bytes = b"PMAT\0\0\0\0".to_vec();
    bytes.extend((textures.len() as u32).to_le_bytes());
    bytes.extend([4, 0, 0, 0]);
    bytes.extend(b"clay");
    for (texture_type, path) in textures {
        bytes.extend(texture_type.to_le_bytes());
        bytes.extend((path.len() as u32).to_le_bytes());
        bytes.extend(*path);
    }
    bytes
}

/// A folder that holds one image of this name.
struct OneImage(&'static str);

impl Resources for OneImage {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (name == self.0).then_some(Cow::Borrowed(b"\x89PNG\r\n\x1a\n"))
    }
}

fn found_in(bytes: &[u8], source: &Source<'_>) -> Vec<String> {
    let file = File::parse(bytes).unwrap();
    assert_eq!(file.encode(), bytes);
    let mut report = Report::default();
    file.check(source, &mut report);
    report.items().iter().map(|finding| format!("{} {}", finding.code.name, finding.path)).collect()
}

fn found(bytes: &[u8]) -> Vec<String> {
    found_in(bytes, &Source::BARE)
}

fn code_and_place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

#[test]
fn a_material_is_a_name_and_textures() {
    let bytes = material(&[(1, b"a.png"), (4, b"folder/b.jpg")]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!(*file.name, *b"clay");
    let textures: Vec<_> = file.textures.iter().map(|texture| (texture.texture_type, &*texture.path)).collect();
    assert_eq!(textures, [(1, &b"a.png"[..]), (4, b"folder/b.jpg")]);
    assert_eq!((file.summary().materials, file.summary().textures), (1, 2));
    assert_eq!(found(&bytes), [""; 0]);
}

#[test]
fn an_unknown_type_is_kept_and_reported() {
    let bytes = material(&[(1, b"a.png"), (0xdead_beef, b"b.png")]);
    assert_eq!(File::parse(&bytes).unwrap().textures[1].texture_type, 0xdead_beef);
    assert_eq!(found(&bytes), ["texture-type-unknown textures[1].header.texture_type"]);
}

#[test]
fn the_second_texture_of_a_type_is_reported() {
    let bytes = material(&[(3, b"n.png"), (1, b"a.png"), (3, b"m.png")]);
    assert_eq!(found(&bytes), ["texture-type-duplicate textures[2].header.texture_type"]);
}

#[test]
fn paths_are_judged_by_where_they_lead() {
    let judged = |path: &[u8]| found(&material(&[(1, path)])).join(", ");
    for sound in [&b"a.png"[..], b"./a.png", b"x/../a.png", b"x/..a.png", b"*.png", b"x/a:b.png"] {
        assert_eq!(judged(sound), "", "{}", String::from_utf8_lossy(sound));
    }
    for absolute in [&b"/a.png"[..], b"C:/a.png", b"c:a.png"] {
        assert_eq!(judged(absolute), "path-absolute textures[0].path");
    }
    for leaving in [&b"../a.png"[..], b"x/../../a.png", b"./../a.png"] {
        assert_eq!(judged(leaving), "path-leaves-folder textures[0].path");
    }
    assert_eq!(judged(b"x\\..\\..\\a.png"), "path-backslash textures[0].path, path-leaves-folder textures[0].path");
    assert_eq!(judged(b"\\\\server\\a.png"), "path-backslash textures[0].path, path-absolute textures[0].path");
    assert_eq!(judged(b"*12"), "path-of-embedded-image textures[0].path");
    assert_eq!(judged(b""), "path-empty textures[0].header.path_bytes");
}

#[test]
fn images_are_looked_for_at_the_path_from_the_material() {
    let source = Source { name: "clay.pmat", resources: &OneImage("textures/a.png"), ..Source::BARE };
    assert_eq!(found_in(&material(&[(1, b"textures/a.png")]), &source), [""; 0]);
    assert_eq!(found_in(&material(&[(1, b"a.png")]), &source), ["texture-missing textures[0].path"]);
}

#[test]
fn images_are_not_looked_for_outside_the_folder() {
    struct Never;
    impl Resources for Never {
        fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
            panic!("asked for {name}")
        }
    }
    let source = Source { name: "clay.pmat", resources: &Never, ..Source::BARE };
    for path in [&b"/etc/passwd"[..], b"../a.png", b"C:\\a.png", b"*0", b"", b"a\0b"] {
        found_in(&material(&[(1, path)]), &source);
    }
}

#[test]
fn a_path_longer_than_the_file_is_refused_at_its_place() {
    let mut bytes = material(&[(1, b"a.png")]);
    bytes[20 + 4] = 6;
    assert_eq!(code_and_place(File::parse(&bytes)), ("PMAT0002", 28, "textures[0].path".into()));
}

#[test]
fn four_billion_textures_are_refused_before_any_is_read() {
    let mut bytes = material(&[(1, b"a.png")]);
    bytes[8..12].copy_from_slice(&[0xff; 4]);
    assert_eq!(code_and_place(File::parse(&bytes)), ("PMAT0002", 20, "textures".into()));
}

#[test]
fn bytes_after_the_last_texture_are_counted() {
    let mut bytes = material(&[]);
    bytes.resize(40, 0);
    assert_eq!(*File::parse(&bytes).unwrap().trailing, [0; 20]);
    bytes.push(0);
    assert_eq!(code_and_place(File::parse(&bytes)), ("PMAT0003", 20, String::new()));
}
