//! What every fuzz target does: parse, write back, check, sum up, in the dialect found and in every dialect forced.
//!
//! A target fails on a panic, on a hang, on memory, on an error without a place, and on an accepted file that does not come back
//! byte for byte.

use maquette_formats::format::{self, RawFile, ReadOptions, Source, WriteOptions};
use maquette_scene::loss::LossReport;
use maquette_scene::{Report, valid};

/// One format: detection, and every dialect by force.
pub fn one(id: &str, data: &[u8]) {
    let format = format::by_id(id).expect("a format of the table");
    let dialects = format.dialects.iter().map(|dialect| Some(dialect.id));
    for dialect in std::iter::once(None).chain(dialects) {
        match (format.open)(data, dialect) {
            Ok(file) => look(&*file, data),
            Err(error) => {
                let diagnostic = error.diagnostic().expect("a finding for every file that is refused");
                assert!(diagnostic.offset.is_some_and(|offset| offset <= data.len() as u64), "{error}");
            }
        }
    }
}

/// Whatever format the bytes show.
pub fn any(data: &[u8]) {
    if let Ok(opened) = format::open(data, None) {
        look(&*opened.file, data);
    }
}

fn look(file: &dyn RawFile, data: &[u8]) {
    assert!(file.encode() == data, "the file does not come back");
    let mut report = Report::default();
    format::check(file, &Source::BARE, &mut report);
    for finding in report.items() {
        let companions = finding.path.to_string().starts_with("beside");
        assert!(companions || finding.path.segments().is_empty() || finding.offset.is_some(), "{finding}");
    }
    file.summary();
    let middle = data.len() as u64 / 2;
    maquette_formats::locate::field_at(file, middle);
}

/// A file that becomes a scene holds together, and what is written of it is read again.
pub fn scene(id: &str, data: &[u8]) {
    let format = format::by_id(id).expect("a format of the table");
    let form = format.scene.expect("a format with scenes");
    let read = |bytes: &[u8]| (form.read)(bytes, &ReadOptions::default(), &mut LossReport::default());
    let Ok(scene) = read(data) else { return };
    assert_eq!(valid::check(&scene), Ok(()));
    let dialect = format.dialects.first().map_or("", |dialect| dialect.id);
    let options = WriteOptions { dialect, name: "fuzz" };
    if let Ok(bundle) = (form.write)(&scene, &options, &mut LossReport::default()) {
        read(&bundle.main).expect("what was written is read");
    }
}
