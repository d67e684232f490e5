//! Real files into every format and back, where they lie beside the project. Nothing here fails where they do not.
//!
//! What comes back differs only where the loss report says so. That holds for motion too: the corners of the triangles at many
//! moments of every clip, and at its keys, are within a ten-thousandth of the model's size.

#![allow(clippy::unwrap_used, clippy::panic)]

mod accounting;

use accounting::{converted, laid_out, scene_of, unnamed};
use maquette::Input;
use maquette::formats::format::{BUILT_IN, Format};
use maquette::scene::Scene;
use maquette::scene::clip::{Curve, Target};
use maquette::scene::loss::Lost;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What every model becomes: the documents' dialects, and those that engines read.
const TARGETS: [(&str, &str); 9] = [
    ("aem", "document"),
    ("aem", "wide"),
    ("nlm", "document"),
    ("nlm", "engine"),
    ("pmdl", "document"),
    ("pmdl", "engine"),
    ("bmw", "document"),
    ("bmw", "engine"),
    ("gltf", "binary"),
];

fn format(id: &str) -> &'static Format {
    BUILT_IN.by_id(id).unwrap()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The files of the corpus that hold models, or those that hold animation alone.
fn corpus(holds: fn(&Format) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let companions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    files(&std::env::var_os("MAQUETTE_CORPUS").map_or(companions, PathBuf::from), &mut found);
    let ending = |path: &PathBuf| path.extension().unwrap_or_default().to_string_lossy().into_owned();
    found.retain(|path| BUILT_IN.by_extension(&ending(path)).is_some_and(holds));
    found.sort();
    found
}

#[test]
fn models_become_every_format_and_every_loss_is_named() {
    let paths = corpus(|format| (format.caps)(format.dialects.first().unwrap().id).meshes);
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

/// The name of a bone and the property that moves.
type Moved = (String, &'static str);
/// Times and values.
type Numbers = (Vec<f32>, Vec<f32>);

/// The keys of a scene's only clip.
fn keys(scene: &Scene) -> BTreeMap<Moved, Numbers> {
    let clip = scene.clips.iter().next().unwrap();
    let tracks = clip.tracks.iter().map(|track| {
        let name = match &track.target {
            Target::Node(node) => scene.nodes.get(*node).unwrap().name.clone(),
            Target::Name(name) => name.clone(),
        };
        let (times, values) = match &track.curve {
            Curve::Translation(keys) | Curve::Scale(keys) => (&keys.times_secs, keys.values.as_flattened().to_vec()),
            Curve::Rotation(keys) => (&keys.times_secs, keys.values.as_flattened().to_vec()),
            Curve::MorphWeights(keys) => (&keys.times_secs, keys.values.concat()),
        };
        ((name, track.curve.property()), (times.clone(), values))
    });
    tracks.collect()
}

#[test]
fn animations_alone_go_to_gltf_and_back_key_by_key() {
    for path in corpus(|format| format.id == "seanim") {
        let input = Input::from_path(&path).unwrap();
        let before = scene_of(&input);
        let folder = tempfile::tempdir().unwrap();
        let glb = converted(&input, format("gltf"), "binary").unwrap_or_else(|error| panic!("{error}"));
        if glb.losses.names(Lost::Clips) {
            assert!(before.clips.iter().all(|clip| clip.tracks.is_empty()), "{}", path.display());
            continue;
        }
        let glb = laid_out(folder.path(), "out.glb", &glb.main, &glb.companions);
        let back = converted(&glb, format("seanim"), "1.0.2").unwrap_or_else(|error| panic!("{error}"));
        let back = laid_out(folder.path(), "back.seanim", &back.main, &back.companions);
        let (before, after) = (keys(&before), keys(&scene_of(&back)));
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>(), "{}", path.display());
        for (of, (times, values)) in &before {
            let (other_times, other_values) = &after[of];
            let near = |a: &[f32], b: &[f32]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
            assert!(near(times, other_times), "{}: {of:?}: {times:?} | {other_times:?}", path.display());
            assert!(near(values, other_values), "{}: {of:?}: {values:?} | {other_values:?}", path.display());
        }
    }
}
