//! Where files end: exactly, too early, or a few bytes too late. Samples, and real files where they lie beside the project.
//!
//! A dialect is told from the end of the file, so a wrong end must never make another dialect of it.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use maquette_formats::format::{BUILT_IN, Opened, ReadOptions};
use maquette_formats::trailing::MOST_BYTES;
use maquette_formats::walk::{self, Container, Leaf, Visit, Walk, Walker};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::{Path as Place, Report, Segment};
use std::path::{Path, PathBuf};

/// A file with the name it goes by and its dialect.
struct Known {
    name: String,
    format: &'static str,
    dialect: &'static str,
    bytes: Vec<u8>,
}

fn samples() -> Vec<Known> {
    let each = BUILT_IN.iter().flat_map(|format| format.dialects.iter().map(move |dialect| (format, dialect.id)));
    each.map(|(format, dialect)| Known {
        name: format!("{} {dialect}", format.id),
        format: format.id,
        dialect,
        bytes: (format.sample)(dialect).main,
    })
    .collect()
}

/// Real files, in the dialects they are found to be in; none where there are none.
fn real_files() -> Vec<Known> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { collect(&path, found) } else { found.push(path) }
        }
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let mut paths = Vec::new();
    collect(&std::env::var_os("MAQUETTE_CORPUS").map_or(beside, PathBuf::from), &mut paths);
    let is_ours = |path: &&PathBuf| BUILT_IN.by_file_name(&path.to_string_lossy()).is_some();
    let known = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        let opened = BUILT_IN.open(&bytes, None).unwrap_or_else(|(_, error)| panic!("{}: {error}", path.display()));
        assert!(opened.file.trailing().is_empty(), "{}", path.display());
        let (format, dialect) = (opened.format.id, opened.file.dialect());
        drop(opened);
        Known { name: path.display().to_string(), format, dialect, bytes }
    };
    paths.iter().filter(is_ours).map(known).collect()
}

/// Lengths to cut a file at: all of a small file, of a large one those near its ends and some between.
fn cuts(bytes: usize) -> Vec<usize> {
    let is_wanted =
        |length: &usize| bytes < 6000 || *length < 200 || bytes - length < 300 || length % (bytes / 150) == 7;
    (0..bytes).filter(is_wanted).collect()
}

/// What may stand at the end of a file that should not: blanks, zeros, noise, text, and more of the same.
fn leavings(bytes: &[u8], count: usize) -> [Vec<u8>; 5] {
    let noise = (0..count as u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
    let text = b"downloaded from a place that adds a line ".iter().cycle().take(count).copied().collect();
    let again = bytes.iter().rev().cycle().take(count).copied().collect();
    [vec![0; count], vec![b'\n'; count], noise, text, again]
}

#[test]
fn a_file_that_was_cut_is_never_taken_for_one_with_bytes_too_many() {
    for file in samples().into_iter().chain(real_files()) {
        for length in cuts(file.bytes.len()) {
            if let Ok(opened) = BUILT_IN.open(&file.bytes[..length], None) {
                let left = opened.file.trailing().len();
                assert_eq!(left, 0, "{} cut at {length} is read as {}", file.name, opened.file.dialect());
            }
        }
    }
}

/// The file with bytes behind it, if it is read with them left over: then in its own dialect, and unchanged.
fn opened_with<'a>(file: &Known, longer: &'a [u8]) -> Option<Opened<'a>> {
    let opened = BUILT_IN.open(longer, None).ok()?;
    assert!(opened.file.encode() == longer, "{} does not come back", file.name);
    // Zeros may make another dialect of it that ends exactly there: an empty list, say.
    let left = opened.file.trailing();
    if left.is_empty() {
        return None;
    }
    let found = (opened.format.id, opened.file.dialect());
    let more = &longer[file.bytes.len()..];
    if is_same_with_no_names(file, found.1, more) {
        return None;
    }
    assert_eq!(found, (file.format, file.dialect), "{}: {}", file.name, opened.file.evidence());
    // Blanks belong to JSON.
    let blanks =
        if (file.format, file.dialect) == ("gltf", "text") { more.len() - more.trim_ascii_start().len() } else { 0 };
    assert_eq!(left, &more[blanks..], "{}", file.name);
    Some(opened)
}

/// Four zeros behind a BMW file without names say that there are none, which is the same file in the engine's newer dialect.
fn is_same_with_no_names(file: &Known, found: &str, more: &[u8]) -> bool {
    more.starts_with(&[0; 4]) && (file.format, file.dialect, found) == ("bmw", "engine-unnamed", "engine")
}

#[test]
fn bytes_too_many_make_no_other_dialect_of_a_file() {
    let (mut tried, mut read) = (0, 0);
    for file in samples().into_iter().chain(real_files()) {
        for count in [1, 2, 3, 4, 5, 8, 12, 15, 16, 31, 64, 100, 511, 1000, 2048, 4000, 4096] {
            for more in leavings(&file.bytes, count) {
                let longer = [&file.bytes[..], &more].concat();
                tried += 1;
                read += u32::from(opened_with(&file, &longer).is_some());
            }
        }
    }
    assert!(read * 10 > tried * 8, "only {read} of {tried} are read");
}

#[test]
fn a_line_of_text_behind_a_sample_is_read_over() {
    for file in samples() {
        let longer = [&file.bytes[..], b"\r\nbye"].concat();
        let opened = opened_with(&file, &longer).unwrap_or_else(|| panic!("{} is refused", file.name));
        let evidence = opened.file.evidence();
        let left = opened.file.trailing().len();
        assert!(file.format == "gltf" || evidence.contains("5 bytes"), "{}: {evidence}", file.name);
        let mut report = Report::default();
        maquette_formats::format::check(&*opened.file, &maquette_formats::format::Source::BARE, &mut report);
        let found = report.items().iter().find(|finding| finding.path.to_string() == "trailing");
        let found = found.unwrap_or_else(|| panic!("{}: nothing is said", file.name));
        let place = (Some((longer.len() - left) as u64), "warning");
        assert_eq!((found.offset, found.severity().word()), place, "{}", file.name);
        let mut losses = LossReport::default();
        opened.file.read(&ReadOptions::default(), &mut losses).unwrap();
        let detail = format!("{left} bytes after");
        let lost = losses.iter().find(|loss| loss.what == Lost::FormatDetails && loss.detail.starts_with(&detail));
        assert!(lost.is_some(), "{}: {losses}", file.name);
    }
}

#[test]
fn a_dialect_that_is_asked_for_is_read_with_bytes_too_many() {
    for file in samples() {
        for more in leavings(&file.bytes, 16) {
            let longer = [&file.bytes[..], &more].concat();
            let opened = BUILT_IN.open(&longer, Some(file.dialect));
            let opened = opened.unwrap_or_else(|(_, error)| panic!("{}: {error}", file.name));
            assert!(opened.file.encode() == longer, "{}", file.name);
            assert_eq!(opened.file.dialect(), file.dialect);
        }
    }
}

#[test]
fn more_than_a_few_bytes_are_refused_where_they_begin() {
    // The header of a GLB says where it ends.
    for file in samples().iter().filter(|file| file.name != "gltf binary") {
        let few = file.bytes.len().min(MOST_BYTES as usize);
        for more in leavings(&file.bytes, few + 1) {
            let longer = [&file.bytes[..], &more].concat();
            match BUILT_IN.open(&longer, None) {
                Ok(opened) if is_same_with_no_names(file, opened.file.dialect(), &more) => {}
                Ok(opened) => assert!(opened.file.trailing().is_empty(), "{} is read", file.name),
                Err((_, error)) => {
                    let offset = error.diagnostic().unwrap().offset;
                    assert!(offset.is_some_and(|offset| offset <= longer.len() as u64), "{}: {error}", file.name);
                }
            }
        }
    }
}

/// Each leaf of a walk: its path and its bytes, which must follow one another.
fn leaves(file: &dyn Walk) -> Vec<(String, u64, Vec<u8>)> {
    #[derive(Default)]
    struct Leaves(Place, Vec<(String, u64, Vec<u8>)>);
    impl Visit for Leaves {
        fn open(&mut self, name: &Segment, _: Container, _: u64) {
            self.0.push(name.clone());
        }
        fn close(&mut self) {
            self.0.pop();
        }
        fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
            let end = self.1.last().map_or(0, |(_, offset, bytes)| offset + bytes.len() as u64);
            assert_eq!(leaf.offset, end, "{} {name:?}", self.0);
            let whole = leaf.ty.bytes() * leaf.count.unwrap_or(1);
            assert_eq!(leaf.bytes.len(), whole, "{} {name:?} is not complete", self.0);
            self.1.push((self.0.join(name.clone()).to_string(), leaf.offset, leaf.bytes.to_vec()));
        }
    }
    let mut leaves = Leaves::default();
    file.walk(&mut Walker::new(&mut leaves));
    assert_eq!(leaves.0, Place::default(), "all is closed");
    leaves.1
}

#[test]
fn what_there_is_of_a_cut_file_is_named_as_in_the_whole_file() {
    for file in samples() {
        let whole = leaves(&BUILT_IN.open(&file.bytes, None).unwrap());
        for length in cuts(file.bytes.len()) {
            let bytes = &file.bytes[..length];
            let Some(part) = BUILT_IN.open_part(bytes, Some(file.dialect)) else {
                assert!(BUILT_IN.probe(bytes).is_empty(), "{} cut at {length} shows nothing", file.name);
                continue;
            };
            let part = leaves(&part);
            for (path, offset, _) in part.iter().filter(|(_, _, bytes)| !bytes.is_empty()) {
                let at = whole.partition_point(|(_, begin, bytes)| begin + bytes.len() as u64 <= *offset);
                let named = &whole[at].0;
                assert!(path.starts_with(named), "{} cut at {length}: {path} at {offset:#x} is {named}", file.name);
            }
            let told: Vec<u8> = part.into_iter().flat_map(|(_, _, bytes)| bytes).collect();
            assert!(told == bytes, "{} cut at {length}: {} bytes are told", file.name, told.len());
        }
    }
}

#[test]
fn whatever_is_told_of_a_broken_file_is_every_byte_of_it() {
    let faults = BUILT_IN.iter().flat_map(|format| format.faults).map(|fault| (fault.make)().main);
    let files = faults.chain(samples().into_iter().chain(real_files()).map(|file| file.bytes));
    let mut shown = 0;
    for file in files {
        let step = (file.len() / 7).max(1);
        let longer = [&file[..], &vec![7; 5000]].concat();
        for bytes in (0..=file.len()).step_by(step).map(|length| &file[..length]).chain([&longer[..]]) {
            let Some(part) = BUILT_IN.open_part(bytes, None) else { continue };
            assert!(walk::encode(&part) == bytes);
            shown += 1;
        }
    }
    assert!(shown > 1000, "only {shown}");
}
