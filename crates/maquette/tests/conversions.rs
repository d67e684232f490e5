//! Real files into every format and back.
//!
//! What comes back differs only where the loss report says so. That holds for motion too: the corners of the triangles at many
//! moments of every clip, and at its keys, are within a ten-thousandth of the model's size.

#![allow(clippy::unwrap_used, clippy::panic)]

mod accounting;
#[path = "../../../tests/needs/mod.rs"]
mod needs;

use accounting::{encoded, laid_out, scene_of, unnamed};
use maquette::Input;
use maquette::diff::diff;
use maquette::formats::format::{BUILT_IN, Format};
use maquette::scene::loss::Lost;
use std::path::{Path, PathBuf};

/// What every file becomes: the documents' dialects, and those that engines read.
const TARGETS: [(&str, &str); 12] = [
    ("aem", "document"),
    ("aem", "wide"),
    ("nlm", "document"),
    ("nlm", "engine"),
    ("pmdl", "document"),
    ("pmdl", "engine"),
    ("pani", "document"),
    ("pmat", "document"),
    ("bmw", "document"),
    ("bmw", "engine"),
    ("seanim", "1.0.2"),
    ("gltf", "binary"),
];

fn format(id: &str) -> &'static Format {
    BUILT_IN.by_id(id).unwrap()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The files of the corpus in formats of this kind.
fn corpus(is_wanted: fn(&Format) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Some(folder) = needs::corpus() else { return found };
    files(&folder, &mut found);
    let ending = |path: &PathBuf| path.extension().unwrap_or_default().to_string_lossy().into_owned();
    found.retain(|path| BUILT_IN.by_extension(&ending(path)).is_some_and(is_wanted));
    found.sort();
    assert!(!found.is_empty(), "{} holds none of the files", folder.display());
    found
}

#[test]
fn files_become_every_format_and_every_loss_is_named() {
    let paths = corpus(|_| true);
    let check = |path: &PathBuf| {
        let input = Input::from_path(path).unwrap();
        let before = scene_of(&input);
        let unnamed = |(id, dialect): (&str, &str)| unnamed(&input, &before, format(id), dialect);
        TARGETS.into_iter().flat_map(unnamed).collect::<Vec<_>>()
    };
    let half = |first: usize| paths.iter().skip(first).step_by(2).flat_map(check).collect::<Vec<_>>();
    let failures = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        [half(0), other.join().unwrap()].concat()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn animations_alone_go_to_gltf_and_back_key_by_key() {
    for path in corpus(|format| format.id == "seanim") {
        let input = Input::from_path(&path).unwrap();
        let before = scene_of(&input);
        let folder = tempfile::tempdir().unwrap();
        let glb = encoded(&before, "out.glb", format("gltf"), "binary").unwrap_or_else(|error| panic!("{error}"));
        if glb.losses.names(Lost::Clips) {
            assert!(before.clips.iter().all(|clip| clip.tracks.is_empty()), "{}", path.display());
            continue;
        }
        let between = scene_of(&laid_out(folder.path(), "out.glb", &glb.main, &glb.companions));
        let stem = path.file_name().unwrap().to_str().unwrap();
        let back = encoded(&between, stem, format("seanim"), "1.0.2").unwrap_or_else(|error| panic!("{error}"));
        let after = scene_of(&laid_out(folder.path(), stem, &back.main, &back.companions));
        // Values relative to a rest pose that is not known come back as absolute ones, and are the same.
        let told = glb.losses.names(Lost::Blending);
        let mut differences = diff(&before, &after, 1e-5).unwrap();
        differences.retain(|found| !(told && found.what == "blending"));
        assert!(differences.is_empty(), "{}: {differences:?}", path.display());
    }
}
