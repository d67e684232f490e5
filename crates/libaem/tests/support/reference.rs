//! What the document says a model looks like at a moment, worked out in double precision from the records of the file, and nothing else.

use glam::{DMat4, DQuat, DVec3};
use maquette_formats::aem::File;
use maquette_formats::aem::raw::Keyframe;

/// Where a joint is in its parent.
#[derive(Clone, Copy)]
pub struct Trs {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
}

/// All joints of an animation at a moment.
pub fn pose(file: &File<'_>, animation: usize, secs: f64) -> Vec<Trs> {
    file.tracks_of(animation)
        .iter()
        .map(|track| {
            let first = track.first_keyframe.get() as usize;
            let [moved, turned, scaled] =
                [track.translation_count, track.rotation_count, track.scale_count].map(|count| count.get() as usize);
            let run = |from: usize, count: usize| &file.keyframes[first + from..first + from + count];
            let vector = |keys: &[Keyframe], otherwise: DVec3| {
                between(keys, secs).map_or(otherwise, |(from, to, part)| xyz(from).lerp(xyz(to), part))
            };
            Trs {
                translation: vector(run(0, moved), DVec3::ZERO),
                rotation: between(run(moved, turned), secs)
                    .map_or(DQuat::IDENTITY, |(from, to, part)| slerp(xyzw(from), xyzw(to), part)),
                scale: vector(run(moved + turned, scaled), DVec3::ONE),
            }
        })
        .collect()
}

/// The keys around a moment; both the same before the first and after the last.
fn between(keys: &[Keyframe], secs: f64) -> Option<(&Keyframe, &Keyframe, f64)> {
    let time = |key: &Keyframe| f64::from(key.time.get());
    match keys.iter().position(|key| time(key) >= secs) {
        Some(0) => Some((keys.first()?, keys.first()?, 0.0)),
        Some(next) => {
            let (from, to) = (&keys[next - 1], &keys[next]);
            Some((from, to, (secs - time(from)) / (time(to) - time(from))))
        }
        None => Some((keys.last()?, keys.last()?, 0.0)),
    }
}

fn xyz(key: &Keyframe) -> DVec3 {
    xyzw(key).xyz()
}

fn xyzw(key: &Keyframe) -> DQuat {
    DQuat::from_array(key.value.map(|number| f64::from(number.get())))
}

/// Along the shorter arc at an even speed, by sines.
fn slerp(from: DQuat, to: DQuat, part: f64) -> DQuat {
    let (from, to) = (from.normalize(), to.normalize());
    let to = if from.dot(to) < 0.0 { -to } else { to };
    let angle = from.dot(to).clamp(-1.0, 1.0).acos();
    if angle.sin() < 1e-9 {
        return from;
    }
    (from * ((1.0 - part) * angle).sin() + to * (part * angle).sin()) * (1.0 / angle.sin())
}

/// Between two poses.
pub fn mix(from: &[Trs], to: &[Trs], part: f64) -> Vec<Trs> {
    let both = from.iter().zip(to).map(|(from, to)| Trs {
        translation: from.translation.lerp(to.translation, part),
        rotation: slerp(from.rotation, to.rotation, part),
        scale: from.scale.lerp(to.scale, part),
    });
    both.collect()
}

/// Where joints are in the model: each within its parents, up to the root.
pub fn model_from_joints(file: &File<'_>, pose: &[Trs]) -> Vec<DMat4> {
    let local = |joint: usize| {
        let Trs { translation, rotation, scale } = pose[joint];
        DMat4::from_scale_rotation_translation(scale, rotation, translation)
    };
    (0..pose.len())
        .map(|joint| {
            let (mut placed, mut parent) = (local(joint), file.joints[joint].parent.get());
            while parent >= 0 {
                placed = local(parent as usize) * placed;
                parent = file.joints[parent as usize].parent.get();
            }
            placed
        })
        .collect()
}

/// What moves vertices, 16 numbers for each joint.
pub fn palette(file: &File<'_>, pose: &[Trs]) -> Vec<f64> {
    let bound = file.joints.iter().map(|joint| joint.inverse_bind_matrix.map(|number| f64::from(number.get())));
    let placed = model_from_joints(file, pose).into_iter().zip(bound);
    placed.flat_map(|(placed, bound)| (placed * DMat4::from_cols_array(&bound)).to_cols_array()).collect()
}

/// Fails where numbers that were printed are further from what they should be than the promise.
#[track_caller]
pub fn assert_close(printed: &[&str], expected: &[f64], what: &str) {
    assert_eq!(printed.len(), expected.len(), "{what}");
    for (at, (printed, expected)) in printed.iter().zip(expected).enumerate() {
        let printed: f64 = printed.parse().unwrap();
        assert!(
            (printed - expected).abs() <= 1e-4 * expected.abs().max(1.0),
            "{what}, {at}: {printed}, not {expected}"
        );
    }
}
