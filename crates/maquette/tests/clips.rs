//! What a clip knows besides its keys, from format to format and back.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use maquette::convert::{ConvertOptions, convert};
use maquette::formats::format::BUILT_IN;
use maquette::formats::seanim;
use maquette::scene::Scene;
use maquette::scene::clip::{Blend, Clip, Curve, Target};
use maquette::scene::glam::{Quat, Vec3};
use maquette::{Input, WriteOptions};
use std::path::{Path, PathBuf};

fn converted(folder: &Path, from: &Path, to: &str, dialect: Option<&str>) -> PathBuf {
    let write = WriteOptions { dialect: dialect.map(str::to_owned), ..WriteOptions::default() };
    let options = ConvertOptions { write, ..ConvertOptions::default() };
    let made = convert(&Input::from_path(from).unwrap(), Some(to), &options).unwrap();
    for (name, bytes) in &made.companions {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    std::fs::write(folder.join(to), made.main).unwrap();
    folder.join(to)
}

fn clip(path: &Path) -> Clip {
    maquette::read(path).unwrap().scene.clips.iter().next().unwrap().clone()
}

fn dialect_of(path: &Path) -> &'static str {
    Input::from_path(path).unwrap().open(None).unwrap().file.dialect()
}

#[test]
fn a_seanim_that_was_a_glb_meanwhile_keeps_events_loop_and_frame_rate() {
    let folder = tempfile::tempdir().unwrap();
    for dialect in seanim::FORMAT.dialects.iter().map(|dialect| dialect.id) {
        let first = folder.path().join("sway.seanim");
        let mut file = seanim::sample::model(seanim::Dialect::from_id(dialect).unwrap());
        file.framerate = 24.0.into();
        file.anim_flags |= seanim::raw::LOOPED;
        std::fs::write(&first, file.encode()).unwrap();
        assert_eq!(dialect_of(&first), dialect);
        for name in ["sway.glb", "sway.gltf"] {
            let meanwhile = converted(folder.path(), &first, name, None);
            let last = converted(folder.path(), &meanwhile, "again.seanim", Some(dialect));
            assert_eq!(dialect_of(&last), dialect, "{name}");
            let (before, after) = (clip(&first), clip(&last));
            assert!(!before.events.is_empty(), "{dialect}: the sample has notes");
            assert_eq!(after.events, before.events, "{dialect} by way of {name}");
            assert_eq!((after.looped, after.frame_rate), (Some(true), Some(24.0)));
            assert_eq!((after.tracks.len(), after.duration_secs), (before.tracks.len(), before.duration_secs));
        }
    }
}

/// The sample with its clip as values of another kind; it moves as before.
fn swaying(blend: Blend) -> Scene {
    let sample = maquette::sample::make("gltf", None).unwrap();
    let mut scene = Input::from_bytes("post.glb", sample.main).read(&Default::default()).unwrap().scene;
    let rests: Vec<_> = scene.nodes.iter().map(|node| node.transform.trs()).collect();
    let clip = scene.clips.iter_mut().next().unwrap();
    clip.blend = blend;
    for track in &mut clip.tracks {
        let Target::Node(node) = track.target else { continue };
        let rest = rests[node.index()];
        match &mut track.curve {
            Curve::Rotation(keys) if blend == Blend::Additive => keys.values.iter_mut().for_each(|value| {
                *value = (rest.rotation.inverse() * Quat::from_array(*value)).to_array();
            }),
            Curve::Translation(keys) if blend != Blend::Absolute => keys.values.iter_mut().for_each(|value| {
                *value = (Vec3::from(*value) - rest.translation).to_array();
            }),
            _ => {}
        }
    }
    scene
}

#[test]
fn clips_of_every_kind_move_alike_in_every_format_of_models() {
    let models = || BUILT_IN.into_iter().filter(|format| (format.caps)(format.dialects[0].id).meshes);
    for blend in [Blend::Absolute, Blend::Relative, Blend::Additive] {
        let before = swaying(blend);
        for format in models() {
            let name = format!("post.{}", format.extensions[0]);
            let options = WriteOptions { format: Some(format.id.into()), ..WriteOptions::default() };
            let made = maquette::write::encode(before.clone(), &name, &options).unwrap();
            let folder = tempfile::tempdir().unwrap();
            for (name, bytes) in made.companions.iter().chain([&(name.clone(), made.main.to_vec())]) {
                std::fs::write(folder.path().join(name), bytes).unwrap();
            }
            let after = maquette::read(folder.path().join(&name)).unwrap().scene;
            assert_eq!(after.clips.len(), 1, "{}", format.id);
            let differences = maquette::diff::diff(&before, &after, 1e-4).unwrap();
            let moved: Vec<_> = differences.iter().filter(|found| found.what == "motion").collect();
            assert!(moved.is_empty(), "{blend:?} as {}: {moved:?}", format.id);
        }
    }
}
