//! Byte-built cases for what only AEM does: telling its dialects apart, and its mip chains.

use super::mips;
use super::raw::{Dialect, File, Texture};
use super::sample::model;
use crate::format::{Error, RawFile};

/// A header of 44 bytes with these ten counts.
fn header(counts: [u32; 10]) -> Vec<u8> {
    let mut bytes = b"AEM\x01".to_vec();
    bytes.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    bytes
}

fn code_and_place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

#[test]
fn an_empty_model_is_a_header() {
    let bytes = header([0; 10]);
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.dialect, bytes.len()), (Dialect::Document, 44));
    assert_eq!(file.encode(), bytes);
}

#[test]
fn four_billion_vertices_in_44_bytes_are_refused_at_the_vertices() {
    let bytes = header([u32::MAX, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(code_and_place(File::parse(&bytes)), ("AEM0003", 44, "vertices".into()));
    let error = File::parse(&bytes).err().unwrap().to_string();
    assert!(error.contains("4294967295 × 88 = 377957121960 bytes"), "{error}");
}

#[test]
fn counts_that_wrap_in_32_bits_do_not_fit() {
    // 48 806 447 × 88 is 40 modulo 2^32: a loader with 32-bit products takes the file for complete.
    let mut bytes = header([48_806_447, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0; 40]);
    assert_eq!(48_806_447u32.wrapping_mul(88), 40);
    assert_eq!(code_and_place(File::parse(&bytes)).0, "AEM0003");
}

#[test]
fn a_cut_wide_file_is_spoken_of_as_wide() {
    let mut bytes = model(Dialect::Wide).encode();
    bytes.truncate(bytes.len() - 20);
    let (code, _, path) = code_and_place(File::parse(&bytes));
    assert_eq!((code, path.as_str()), ("AEM0003", "keyframes"));
}

#[test]
fn equal_sizes_are_told_apart_by_the_mip_chains() {
    for dialect in [Dialect::Wide, Dialect::WideCompression] {
        let bytes = model(dialect).encode();
        let file = File::parse(&bytes).unwrap();
        assert_eq!(file.dialect, dialect, "{}", file.evidence());
        assert!(file.evidence.contains("wide, wide-compression"), "{}", file.evidence);
    }
}

#[test]
fn the_chain_of_a_texture_runs_down_to_one_pixel() {
    let texture = |width, height, compression| Texture {
        offset: 0,
        width,
        height,
        wrap_x: 0,
        wrap_y: 0,
        channels: 4,
        compression,
        padding: 0,
    };
    let chain = |texture: Texture| {
        let mut file = model(Dialect::Document);
        file.textures = vec![texture];
        mips::chains(&file)[0].map(|chain| chain.bytes)
    };
    assert_eq!(chain(texture(8, 8, 0)), Some((64 + 16 + 4 + 1) * 4));
    assert_eq!(chain(texture(5, 3, 0)), Some((15 + 2 + 1) * 4), "5 × 3, 2 × 1, 1 × 1");
    assert_eq!(chain(texture(8, 8, 2)), Some((4 + 1 + 1 + 1) * 16));
    assert_eq!(chain(texture(5, 3, 1)), Some((2 + 1 + 1) * 16));
    assert_eq!(chain(texture(0, 3, 0)), Some(0));
    assert_eq!(chain(texture(1, 1, 7)), None);
    assert!(chain(texture(u32::MAX, u32::MAX, 0)) > Some(1 << 65), "no wrap for the largest sizes");
}

#[test]
fn tracks_belong_to_an_animation_by_position() {
    let file = model(Dialect::Document);
    assert_eq!(file.tracks_of(0).len(), 3);
    assert!(file.tracks_of(1).is_empty());
    assert!(file.tracks_of(usize::MAX).is_empty());
}
