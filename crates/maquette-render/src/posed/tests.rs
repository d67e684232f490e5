//! Poses are those of `maquette_scene::pose`.

use crate::{NodePose, Stage, StageOptions};
use maquette_scene::clip::{Curve, Target};
use maquette_scene::glam::Vec3;
use maquette_scene::pose;
use maquette_scene::scene::Trs;
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
        let stage =
            Stage::new(&scene, &StageOptions { only: Some(crate::Mode::VertexNormal), ..StageOptions::default() });
        let compare = |ours: &[Vec3], theirs: Vec<Vec3>, what: &str| {
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

#[test]
fn nodes_and_shapes_that_are_given_are_taken_and_all_else_is_at_rest() {
    let scene = maquette::sample::creature();
    let stage = Stage::new(&scene, &StageOptions { only: Some(crate::Mode::VertexNormal), ..StageOptions::default() });
    let clip = scene.clips.iter().next().expect("a clip");
    let secs = clip.duration_secs as f32 * 0.3;
    let mut locals = vec![None; scene.nodes.len()];
    let mut morph_weights = vec![Vec::new(); scene.nodes.len()];
    for track in &clip.tracks {
        let Target::Node(node) = track.target else { continue };
        if let Curve::MorphWeights(keys) = &track.curve {
            morph_weights[node.index()] = pose::weights_at(keys, secs).expect("keys");
        } else {
            locals[node.index()] = Some(Trs::from_matrix(pose::locals(&scene, clip, secs)[node.index()]));
        }
    }
    let given = stage.pose_nodes(&NodePose { locals, morph_weights });
    let of_clip = stage.pose(Some((clip, secs)));
    let far = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
    assert!(far(given.positions(), of_clip.positions()) < 1e-4);
    let rest = stage.pose(None);
    assert!(far(given.positions(), rest.positions()) > 1e-2, "the clip moves something");
    assert_eq!(stage.pose_nodes(&NodePose::default()).positions(), rest.positions());
}
