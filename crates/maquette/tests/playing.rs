//! What plays is what the file says: packed clips against the slow pose that conversions are measured by, over our samples and real files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../../tests/needs/mod.rs"]
mod needs;

use glam::{Mat4, Vec3};
use maquette::Input;
use maquette::scene::{Scene, pose};
use maquette_anim::clip::Cursor;
use maquette_anim::scene as build;
use std::path::{Path, PathBuf};

/// Compares all nodes at moments of all clips, going on, back and beyond the ends; how many clips there were.
fn compare(name: &str, scene: &Scene) -> usize {
    let skeleton = build::skeleton(scene).unwrap();
    let at_rest = scene.nodes.iter().zip(skeleton.rest());
    let has_shear = at_rest.clone().any(|(node, rest)| !node.transform.matrix().abs_diff_eq(rest.matrix(), 1e-4));
    for clip in scene.clips.iter().filter(|_| !has_shear) {
        let packed = build::clip(scene, clip).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut cursor = Cursor::new(&packed);
        let duration = packed.duration_secs();
        for part in [-0.1, 0.0, 0.13, 0.2, 0.21, 0.5, 0.9, 1.0, 1.1, 0.3, 0.77] {
            let secs = duration * part;
            let mut locals = skeleton.rest().to_vec();
            packed.sample(&mut cursor, secs, &mut locals);
            let mut model = vec![Mat4::IDENTITY; locals.len()];
            skeleton.model_from_joints(&locals, &mut model);
            let expected = scene.world_from_node(&pose::locals(scene, clip, secs));
            let size = expected.iter().map(|world| world.w_axis.truncate().length()).fold(1.0, f32::max);
            for (joint, (seen, expected)) in model.iter().zip(&expected).enumerate() {
                for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                    let off = seen.transform_point3(point).distance(expected.transform_point3(point));
                    let reach = expected.transform_point3(point).length().max(size);
                    assert!(
                        off <= 1e-4 * reach,
                        "{name}: joint {joint} of {:?} is off by {off} at {secs} s",
                        clip.name
                    );
                }
            }
        }
    }
    if has_shear { 0 } else { scene.clips.len() }
}

fn read(input: &Input) -> Option<Scene> {
    input.read(&Default::default()).ok().map(|read| read.scene)
}

#[test]
fn our_samples_play_as_they_are_posed() {
    let mut clips = 0;
    for format in maquette::formats::format::BUILT_IN {
        let sample = (format.sample)(format.dialects[0].id);
        let name = format!("sample.{}", format.extensions[0]);
        clips += read(&Input::from_bytes(&name, sample.main)).map_or(0, |scene| compare(&name, &scene));
    }
    assert!(clips >= 2, "{clips}");
}

#[test]
fn real_files_play_as_they_are_posed() {
    let Some(corpus) = needs::corpus() else { return };
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    let mut clips = 0;
    for path in paths {
        let Ok(input) = Input::from_path(&path) else { continue };
        clips += read(&input).map_or(0, |scene| compare(&path.display().to_string(), &scene));
    }
    assert!(clips >= 30, "{clips}");
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}
