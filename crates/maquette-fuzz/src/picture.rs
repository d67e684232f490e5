//! Pictures of scenes made from bytes: whatever the numbers, there is one, and no number of threads changes it.

use crate::any_scene;
use maquette::Scene;
use maquette::scene::valid;
use maquette_render::{Framing, Mode, Overlays, Picture, Samples, Shot, Stage, StageOptions, View, draw};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;

/// In pixels, across and down: four tiles, so that threads have something to share.
const SIZE: [u32; 2] = [36, 40];

static ONE: LazyLock<ThreadPool> = LazyLock::new(|| threads(1));
static TWO: LazyLock<ThreadPool> = LazyLock::new(|| threads(2));

fn threads(count: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(count).build().expect("threads")
}

/// The first byte chooses the mode, the second all else about the picture; the rest is the scene.
pub fn run(data: &[u8]) {
    let [mode, how, bytes @ ..] = data else { return };
    let scene = any_scene::from_bytes(bytes);
    if valid::check(&scene).is_err() {
        return;
    }
    let mode = Mode::ALL[usize::from(*mode) % Mode::ALL.len()];
    let [one, two] = [&ONE, &TWO].map(|pool| pool.install(|| taken(&scene, mode, *how)));
    assert!(one == two, "{} differs between one thread and two", mode.word());
}

/// A picture of a moment of the first clip, or at rest.
fn taken(scene: &Scene, mode: Mode, how: u8) -> Picture {
    let is_set = |bit: u8| how >> bit & 1 == 1;
    let stage = Stage::new(scene, &StageOptions { only: is_set(0).then_some(mode), ..StageOptions::default() });
    let clip = scene.clips.iter().next().filter(|_| is_set(1));
    let posed = stage.pose(clip.map(|clip| (clip, 0.4 * clip.duration_secs as f32)));
    let view = if is_set(2) { View::Top } else { Framing::default().view };
    let fov_y_radians = Framing::default().fov_y_radians.filter(|_| !is_set(3));
    let shot = Shot {
        size: SIZE,
        camera: posed.camera(&Framing { view, fov_y_radians, ..Framing::default() }, SIZE),
        mode,
        overlays: Overlays { skeleton: is_set(4), grid: is_set(5), bounds: is_set(6), axes: is_set(6) },
        samples: if is_set(7) { Samples::One } else { Samples::Four },
        ..Shot::default()
    };
    draw(&posed, &shot).expect("a size that can be drawn")
}
