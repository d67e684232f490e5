//! What no program should do and some will: NULL, indexes that lead nowhere, damaged files. Nothing is read or written that should not be, and all memory is freed: valgrind looks.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use maquette_formats::aem::{self, Dialect};
use maquette_scene::Severity;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Link, build, figure, root, run, source, succeeded, values, watched};

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|it| it == "aem")).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn sample(folder: &Path, bytes: &[u8]) -> PathBuf {
    let path = folder.join("sample.aem");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn null_and_indexes_out_of_range_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let file = sample(folder.path(), &aem::sample("wide").main);
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let later = folder.path().join("later.c");
    std::fs::write(&later, format!("#define LATER\n#include \"{}\"\n", source("nothing.c").display())).unwrap();
    for (name, source) in [("first", source("nothing.c")), ("later", later)] {
        let Some(program) = build(folder.path(), name, &[source], Link::Static) else { return };
        run(Command::new(&program).args([&file, &pipe]));
        if let Some(mut watched) = watched(&program) {
            succeeded(&watched.args([&file, &pipe]).output().unwrap());
        }
    }
}

/// Every fault that we have a file for: errors refuse it by code, place and field, all else does not.
#[test]
fn faults_are_refused_and_told_and_warnings_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "survive", &[source("survive.c")], Link::Static) else { return };
    let fixtures = root().join("tests/fixtures/aem");
    let (bad, good) = (files(fixtures.join("bad")), files(fixtures.join("good")));
    let text = run(Command::new(&program).arg("0").args(&bad).args(&good));
    let told = values(&text, "file");
    assert_eq!(told.len(), bad.len() + good.len());
    for (path, told) in bad.iter().zip(&told) {
        let id = path.file_stem().unwrap().to_str().unwrap();
        let findings = std::fs::read_to_string(format!("{}.check.json", path.display())).unwrap();
        let code = aem::check::CODES.iter().find(|code| code.id == id).unwrap();
        assert!(code.severity != Severity::Error || told[1] == id, "{id}: {told:?}");
        let expected = match findings.contains("\"severity\": \"error\"") {
            false => "0",
            true if id == "AEM0002" => "4",
            true => "3",
        };
        assert_eq!(told[0], expected, "{id}");
        if expected != "0" {
            let place = ["code", "path"].into_iter().zip([told[1], told[3].trim_start_matches('-')]);
            assert!(
                place.clone().all(|(key, value)| findings.contains(&format!("\"{key}\": \"{value}\""))),
                "{id} {told:?}"
            );
            assert!(findings.contains(&format!("\"offset\": {}", told[2])), "{id} {told:?}");
        }
    }
    assert!(told[bad.len()..].iter().all(|told| told[0] == "0"), "{told:?}");
    if let Some(mut watched) = watched(&program) {
        succeeded(&watched.arg("0").args(&bad).args(&good).output().unwrap());
    }
}

#[test]
fn files_that_break_off_or_are_changed_anywhere_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "survive", &[source("survive.c")], Link::Static) else { return };
    // Every length and every bit of one, every seventh of the other, and under valgrind some.
    let files = [("sample", aem::sample("channels").main, 1), ("figure", figure::figure(Dialect::Wide).encode(), 7)];
    for (name, bytes, stride) in files {
        let file = sample(folder.path(), &bytes);
        let text = run(Command::new(&program).arg(stride.to_string()).arg(&file));
        let tried = &values(&text, "tried")[0];
        assert_eq!(tried[0].parse(), Ok(bytes.len().div_ceil(stride) + (bytes.len() * 8).div_ceil(stride)), "{name}");
        assert_ne!(tried[2], "0", "{name}: bits of pictures and names may change");
        if let Some(mut watched) = watched(&program) {
            succeeded(&watched.arg("499").arg(&file).output().unwrap());
        }
    }
}

/// Tracks that all claim all keys would take far more memory than the file, and a long time to look at.
#[test]
fn keys_that_are_claimed_too_often_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "survive", &[source("survive.c")], Link::Static) else { return };
    let mut file = aem::sample::model(Dialect::Document);
    let animation = file.animations[0];
    file.animations.to_mut().resize(10_000, animation);
    let key = file.keyframes[0];
    file.keyframes.to_mut().resize(30_000, key);
    let track = aem::raw::Track {
        scale_count: 30_000.into(),
        first_keyframe: 0.into(),
        translation_count: 0.into(),
        rotation_count: 0.into(),
    };
    file.tracks.to_mut().clear();
    file.tracks.to_mut().resize(30_000, track);
    let text = run(Command::new(&program).arg("0").arg(sample(folder.path(), &file.encode())));
    assert_eq!(values(&text, "file")[0][0], "3", "{text}");
}
