//! What a caller adds: lines, hidden nodes and tints.

use crate::hold::{renderer, taken};
use crate::scenes::{flat_shot, material, pixel, quad};
use maquette_gpu::{Extras, Pen, Target};
use maquette_render::{Mode, Picture, Shot, Stage, StageOptions};
use maquette_scene::Scene;
use maquette_scene::glam::Vec3;

/// A green square before a red one.
fn squares() -> Scene {
    let mut scene = Scene::default();
    quad(&mut scene, [2.0, 2.0], [14.0, 14.0], 0.0, material([1.0, 0.0, 0.0, 1.0]));
    quad(&mut scene, [4.0, 4.0], [12.0, 12.0], 1.0, material([0.0, 1.0, 0.0, 1.0]));
    scene
}

fn with(extras: &Extras, mode: Mode) -> Option<Picture> {
    let renderer = renderer()?;
    let scene = squares();
    let stage = Stage::new(&scene, &StageOptions::default());
    let model = renderer.load(&stage);
    let pose = renderer.pose(&model, &stage.pose(None));
    let shot = Shot { mode, ..flat_shot(16) };
    let mut target = Target::new(renderer, shot.size);
    renderer.draw_with(&model, &pose, &shot, extras, &mut target);
    let picture = renderer.read(&target).unwrap();
    if *extras == Extras::default() {
        assert_eq!(picture, taken(renderer, &model, &pose, &shot));
    }
    Some(picture)
}

#[test]
fn hidden_nodes_are_not_drawn() {
    let hidden = Extras { hidden: [1].into(), ..Extras::default() };
    for mode in [Mode::BaseColour, Mode::Shaded] {
        let (Some(all), Some(less)) = (with(&Extras::default(), mode), with(&hidden, mode)) else { return };
        assert_eq!([pixel(&all, 8, 8), pixel(&all, 3, 8)], [[0, 255, 0, 255], [255, 0, 0, 255]]);
        assert_eq!(pixel(&less, 8, 8), [255, 0, 0, 255]);
    }
    let Some(counted) = with(&hidden, Mode::Overdraw) else { return };
    assert_eq!(pixel(&counted, 8, 8), pixel(&counted, 3, 8), "one triangle");
    let Some(wire) = with(&Extras { hidden: [0, 1].into(), ..Extras::default() }, Mode::Wireframe) else { return };
    assert_eq!(wire.constant(), Some([0; 4]));
}

#[test]
fn tinted_nodes_are_nearer_their_tint() {
    let tints = [(1, [0.0, 0.0, 1.0, 1.0]), (0, [1.0, 1.0, 1.0, 0.5])].into();
    let Some(picture) = with(&Extras { tints, ..Extras::default() }, Mode::BaseColour) else { return };
    assert_eq!(pixel(&picture, 8, 8), [0, 0, 255, 255]);
    // Half of white light over red: 188 is half of 255 in sRGB.
    assert_eq!(pixel(&picture, 3, 8), [255, 188, 188, 255]);
}

#[test]
fn lines_are_drawn_over_and_faint_behind() {
    let pen = Pen { colour: Vec3::ONE, opacity: 1.0, hidden: 0.5, width: 3.0 };
    let line = |z: f32| ([Vec3::new(0.0, 8.5, z), Vec3::new(16.0, 8.5, z)], pen);
    let before = Extras { lines: vec![line(2.0)], ..Extras::default() };
    let between = Extras { lines: vec![line(0.5)], ..Extras::default() };
    let (Some(before), Some(between)) = (with(&before, Mode::BaseColour), with(&between, Mode::BaseColour)) else {
        return;
    };
    assert_eq!(pixel(&before, 8, 7), [255; 4]);
    assert_eq!(pixel(&between, 3, 7), [255; 4], "before the red one");
    assert_eq!(pixel(&between, 8, 7), [188, 255, 188, 255], "behind the green one");
    assert_eq!(pixel(&before, 8, 12), pixel(&between, 8, 12));
}
