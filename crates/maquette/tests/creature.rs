//! The creature: it is what `examples/creature.glb` holds, sound, and every format takes it with losses that have names.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod accounting;

use accounting::{laid_out, scene_of, unnamed};
use maquette::formats::format::BUILT_IN;
use maquette::scene::clip::Curve;
use maquette::scene::glam::Vec3;
use maquette::scene::material::AlphaMode;
use maquette::scene::pose;
use maquette::{WriteOptions, encode, sample};
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn glb() -> Vec<u8> {
    encode(sample::creature(), "creature.glb", &WriteOptions::default()).unwrap().main.into()
}

#[test]
fn the_examples_are_what_the_code_makes() {
    let made = [
        ("creature.glb", glb()),
        ("post.glb", sample::make("gltf", Some("binary")).unwrap().main),
        ("post.aem", sample::make("aem", None).unwrap().main),
    ];
    for (name, bytes) in made {
        if std::env::var_os("MAQUETTE_UPDATE_FIXTURES").is_some() {
            std::fs::write(example(name), &bytes).unwrap();
        }
        let there = std::fs::read(example(name)).unwrap_or_default();
        assert!(there == bytes, "examples/{name} is not what the code makes now; run `cargo xtask fixtures`");
    }
}

#[test]
fn it_is_small_and_has_something_of_everything() {
    let scene = sample::creature();
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    assert!(primitives().map(|primitive| primitive.indices.len() / 3).sum::<usize>() < 6000);
    assert!(glb().len() < 400_000, "{}", glb().len());
    assert!((15..=30).contains(&scene.skins.iter().next().unwrap().joints.len()));
    let influences = primitives().filter_map(|primitive| primitive.streams.influences.as_ref());
    assert_eq!(influences.map(|influences| influences.slots).max(), Some(4));
    let has = |alpha: fn(&AlphaMode) -> bool| scene.materials.iter().any(|material| alpha(&material.alpha));
    assert!(has(|alpha| *alpha == AlphaMode::Blend) && has(|alpha| matches!(alpha, AlphaMode::Mask(_))));
    let moves_shapes = |curve: &Curve| matches!(curve, Curve::MorphWeights(_));
    assert!(scene.clips.iter().any(|clip| clip.tracks.iter().any(|track| moves_shapes(&track.curve))));
}

#[test]
fn the_file_holds_all_of_it_and_nothing_is_found_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let input = laid_out(folder.path(), "creature.glb", &glb(), &[]);
    let checked = maquette::check::check(&input, None, Default::default());
    assert!(checked.ok && checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    assert!(encode(sample::creature(), "creature.glb", &WriteOptions::default()).unwrap().losses.is_empty());
    let found = maquette::diff::diff(&sample::creature(), &scene_of(&input), 1e-6).unwrap();
    assert_eq!(found.iter().map(|found| found.what).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn it_becomes_every_format_and_every_loss_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let input = laid_out(folder.path(), "creature.glb", &glb(), &[]);
    let before = scene_of(&input);
    let into = |target: &'static maquette::Format| {
        target.dialects.iter().flat_map(|dialect| unnamed(&input, &before, target, dialect.id)).collect::<Vec<_>>()
    };
    // The report tells emission in light, where the difference is as it is seen: near black the same error is a larger one there.
    let is_seen_glow = |line: &String| line.contains(": pixels of") && line.contains("emissive image/png");
    let failures: Vec<String> = BUILT_IN.into_iter().flat_map(into).filter(|line| !is_seen_glow(line)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Nothing goes through the ground, or leaves it but to jump.
#[test]
fn it_stands_on_the_ground_in_every_clip() {
    let scene = sample::creature();
    let lowest = |positions: Vec<Vec3>| positions.iter().map(|position| position.y).fold(f32::INFINITY, f32::min);
    assert!(lowest(pose::positions_at_rest(&scene)).abs() < 1e-6);
    for clip in &scene.clips {
        for step in 0..=60 {
            let secs = clip.duration_secs as f32 * step as f32 / 60.0;
            let low = lowest(pose::positions_at(&scene, clip, secs));
            let flies = clip.name == "jump" && (0.36..0.89).contains(&secs);
            assert!(low > -0.012 && (flies || low < 0.004), "{} at {secs} s: {low}", clip.name);
        }
    }
}
