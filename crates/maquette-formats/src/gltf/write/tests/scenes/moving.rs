//! Clips of every kind.

use super::*;

pub fn interpolations() -> Scene {
    let mut scene = triangle();
    let root = scene.roots[0];
    let mesh = scene.nodes.get(root).unwrap().mesh;
    let turn = |angle: f32| Quat::from_rotation_y(angle).to_array();
    let mut clip = Clip { name: "all".into(), duration_secs: 1.5, ..Clip::default() };
    for interpolation in [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline] {
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let vectors: Vec<[f32; 3]> = (0..3 * each).map(|i| [i as f32, 1.0 - 0.1 * i as f32, 0.3]).collect();
        let mut turns: Vec<[f32; 4]> = (0..3 * each).map(|i| turn(0.3 * i as f32)).collect();
        if each == 3 {
            for (index, value) in turns.iter_mut().enumerate().filter(|(index, _)| index % 3 != 1) {
                *value = [0.1 * index as f32, 0.0, -0.2, 0.05];
            }
        }
        let local = Transform::Trs(Trs {
            translation: Vec3::new(0.1, 0.2, 0.3),
            rotation: Quat::from_rotation_x(0.5),
            scale: Vec3::new(1.0, 2.0, 3.0),
        });
        let node =
            scene.nodes.push(Node { name: format!("{interpolation:?}"), transform: local, mesh, ..Node::default() });
        scene.nodes.get_mut(root).unwrap().children.push(node);
        let times = [0.0, 0.75, 1.5];
        clip.tracks.push(track(node, Curve::Translation(keys(&times, &vectors, interpolation))));
        clip.tracks.push(track(node, Curve::Rotation(keys(&times, &turns, interpolation))));
        clip.tracks.push(track(node, Curve::Scale(keys(&times, &vectors, interpolation))));
    }
    // A track without keys, and one that a later one replaces.
    clip.tracks.insert(0, track(root, Curve::Scale(keys(&[], &[], Interpolation::Linear))));
    let first = keys(&[0.0], &[[9.0; 3]], Interpolation::Linear);
    let second = keys(&[0.25], &[[1.0, 0.0, 0.0]], Interpolation::CubicSpline);
    let second = Keys { values: vec![[7.0; 3], second.values[0], [8.0; 3]], ..second };
    clip.tracks.push(track(root, Curve::Translation(first)));
    clip.tracks.push(track(root, Curve::Translation(second)));
    scene.clips.push(clip);
    scene
}

/// Animation alone.
pub fn names() -> Scene {
    let named = |name: &str, curve: Curve| Track { target: Target::Name(name.into()), curve, blend: None };
    let moved = keys(&[0.0, 0.5], &[[0.0; 3], [1.0, 2.0, 3.0]], Interpolation::Linear);
    let turned = keys(&[0.0], &[[0.0, 0.0, 0.0, 1.0]], Interpolation::Linear);
    let clip = Clip {
        name: "walk".into(),
        duration_secs: 1.0,
        tracks: vec![
            named("spine", Curve::Translation(moved.clone())),
            named("hip", Curve::Rotation(turned)),
            named("spine", Curve::Scale(moved)),
        ],
        events: vec![Event { time_secs: 0.1, name: "step".into() }, Event { time_secs: 0.5, name: "step".into() }],
        looped: Some(true),
        frame_rate: Some(29.97),
        ..Clip::default()
    };
    let mut scene = Scene::default();
    scene.clips.push(clip);
    scene.extras.set("seanim", "reserved1", "[1,2]");
    scene
}

/// Times before zero, an event, a length beyond the last key.
pub fn early() -> Scene {
    let mut scene = triangle();
    let node = scene.roots[0];
    let moved = keys(&[-0.5, 0.0, 1.0], &[[0.0; 3], [1.0; 3], [2.0; 3]], Interpolation::Linear);
    scene.clips.push(Clip {
        name: "early".into(),
        duration_secs: 1.25,
        tracks: vec![track(node, Curve::Translation(moved))],
        events: vec![Event { time_secs: 0.25, name: "bang".into() }],
        ..Clip::default()
    });
    scene
}

/// Quaternions that are not of unit length, one of them of none.
pub fn long_turns() -> Scene {
    let mut scene = triangle();
    let long = keys(&[0.0, 1.0], &[[0.0, 0.0, 0.0, 2.0], [0.0; 4]], Interpolation::Linear);
    let tracks = vec![track(scene.roots[0], Curve::Rotation(long))];
    scene.clips.push(Clip { duration_secs: 1.0, tracks, ..Clip::default() });
    scene
}
