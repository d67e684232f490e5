//! Poses are those of `maquette_scene::pose`.

use crate::{Stage, StageOptions};
use maquette_scene::pose;
use std::path::{Path, PathBuf};

fn corpus() -> Vec<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("MAQUETTE_CORPUS").map_or(beside, PathBuf::from);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let list = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    list(folder.join("glb"))
        .chain(list(folder.join("aem")))
        .chain(list(examples))
        .filter(|path| path.is_file())
        .collect()
}

#[test]
fn vertices_are_where_the_yardstick_has_them() {
    let mut seen = 0;
    for path in corpus() {
        let Ok(model) = maquette::read(&path) else { continue };
        let scene = model.scene;
        let stage = Stage::new(&scene, &StageOptions { only: Some(crate::Mode::VertexNormal) });
        let compare = |ours: &[maquette_scene::glam::Vec3], theirs: Vec<maquette_scene::glam::Vec3>, what: &str| {
            if theirs.is_empty() {
                return;
            }
            assert_eq!(ours.len(), theirs.len(), "{} {what}", path.display());
            let largest = theirs.iter().fold(1.0_f32, |most, point| most.max(point.abs().max_element()));
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert!((*ours - *theirs).length() <= largest * 2e-5, "{} {what}: {ours} {theirs}", path.display());
            }
        };
        compare(stage.pose(None).positions(), pose::positions_at_rest(&scene), "at rest");
        for clip in scene.clips.iter() {
            for moment in 0..5 {
                let secs = clip.duration_secs as f32 * moment as f32 / 4.0;
                let posed = stage.pose(Some((clip, secs)));
                compare(posed.positions(), pose::positions_at(&scene, clip, secs), &clip.name);
            }
        }
        seen += 1;
    }
    assert!(seen > 0, "no models to look at");
}
