//! What a clip knows besides its keys, from format to format and back.

#![allow(clippy::unwrap_used, clippy::panic)]

use maquette::Input;
use maquette::convert::{ConvertOptions, convert};
use maquette::scene::Scene;
use maquette::scene::clip::Clip;
use std::path::Path;

fn converted(folder: &Path, from: &Path, to: &str) -> std::path::PathBuf {
    let made = convert(&Input::from_path(from).unwrap(), Some(to), &ConvertOptions::default()).unwrap();
    for (name, bytes) in &made.companions {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    std::fs::write(folder.join(to), made.main).unwrap();
    folder.join(to)
}

fn scene(path: &Path) -> Scene {
    maquette::read(path).unwrap().scene
}

fn clip(scene: &Scene) -> &Clip {
    scene.clips.iter().next().unwrap()
}

#[test]
fn a_seanim_that_was_a_glb_meanwhile_keeps_events_loop_and_frame_rate() {
    let folder = tempfile::tempdir().unwrap();
    for dialect in maquette::formats::seanim::FORMAT.dialects {
        let first = folder.path().join("sway.seanim");
        let mut file = maquette::formats::seanim::sample::model(maquette::formats::seanim::Dialect::Corrected);
        file.framerate = 24.0.into();
        file.anim_flags |= maquette::formats::seanim::raw::LOOPED;
        std::fs::write(&first, file.encode()).unwrap();
        for name in ["sway.glb", "sway.gltf"] {
            let meanwhile = converted(folder.path(), &first, name);
            let last = converted(folder.path(), &meanwhile, "again.seanim");
            let (before, after) = (scene(&first), scene(&last));
            let (before, after) = (clip(&before), clip(&after));
            assert!(!before.events.is_empty(), "{}: the sample has notes", dialect.id);
            assert_eq!(after.events, before.events);
            assert_eq!((after.looped, after.frame_rate), (Some(true), Some(24.0)));
            assert_eq!((after.tracks.len(), after.duration_secs), (before.tracks.len(), before.duration_secs));
        }
    }
}
