//! Steps and splines as straight curves.
//!
//! A step becomes two keys a moment apart. A spline is halved until every half is as straight as asked. How straight that is follows
//! from what is seen: an angle at a shoulder moves a hand farther than one at a wrist ([`super::reach`]). Errors of a chain of joints
//! add up, so the result is measured on the vertices, and done again more closely where it is not good enough.

use super::deviation::{largest_move, moving_part_of};
use super::reach::{self, Reach};
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::pose;

/// How long a step takes, at most: a tenth of a millisecond.
const STEP_SECS: f32 = 1e-4;
/// How often a span between two keys is halved, at most.
const HALVINGS: u32 = 10;
/// How often all is done again more closely, at most.
const ATTEMPTS: u32 = 4;

/// Makes every curve linear, so that no vertex is farther than `tolerance` from where it would be.
pub fn linearize(scene: &mut Scene, tolerance: f32, losses: &mut LossReport) {
    let count = |scene: &Scene, kind: Interpolation| -> Vec<u64> {
        let of_kind = |clip: &Clip| clip.tracks.iter().filter(|track| track.curve.interpolation() == kind).count();
        scene.clips.iter().map(|clip| of_kind(clip) as u64).collect()
    };
    let (steps, splines) = (count(scene, Interpolation::Step), count(scene, Interpolation::CubicSpline));
    linearize_all(scene, Interpolation::Step, &[], tolerance);
    let error = if splines.iter().any(|&count| count > 0) { follow_splines(scene, tolerance) } else { 0.0 };
    for ((index, clip), (steps, splines)) in scene.clips.iter().enumerate().zip(steps.into_iter().zip(splines)) {
        let subject = subject("clip", index, &clip.name);
        let kind = LossKind::Approximated { max_error: STEP_SECS };
        losses.push(kind, Lost::Steps, &subject, format!("a jump takes up to {STEP_SECS} s"), steps);
        let detail = format!("followed by straight lines; no vertex is off by more than {error}");
        losses.push(LossKind::Approximated { max_error: error }, Lost::CubicSplines, &subject, detail, splines);
    }
}

/// Linearizes as closely as it takes; how far the worst vertex is off.
fn follow_splines(scene: &mut Scene, tolerance: f32) -> f32 {
    let curved = moving_part_of(scene);
    let reach = reach::of_nodes(scene);
    let mut asked = tolerance;
    let mut error = 0.0;
    for _ in 0..ATTEMPTS {
        scene.clips = curved.clips.clone();
        linearize_all(scene, Interpolation::CubicSpline, &reach, asked);
        error = largest_move(&curved, scene);
        if error <= tolerance || !error.is_finite() {
            break;
        }
        asked *= (0.8 * tolerance / error).min(0.5);
    }
    error
}

fn linearize_all(scene: &mut Scene, kind: Interpolation, reach: &[Reach], tolerance: f32) {
    let tracks = scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
    for track in tracks.filter(|track| track.curve.interpolation() == kind) {
        let known = match track.target {
            Target::Node(node) => reach.get(node.index()).copied().filter(|reach| reach.rotation > 0.0),
            Target::Name(_) => None,
        };
        // Where nothing is known of what it moves, a model of unit size is taken.
        let reach = known.unwrap_or(Reach { translation: 1.0, rotation: 1.0 });
        let vector = |keys: &Keys<[f32; 3]>, secs| pose::vector_at(keys, secs).map(|v| v.to_array());
        match &mut track.curve {
            Curve::Translation(keys) => linearize_keys(keys, tolerance / reach.translation, vector),
            Curve::Scale(keys) => linearize_keys(keys, tolerance / reach.rotation, vector),
            // Half the angle is how far apart two near quaternions are.
            Curve::Rotation(keys) => linearize_keys(keys, tolerance / reach.rotation / 2.0, |keys, secs| {
                pose::rotation_at(keys, secs).map(|q| q.to_array())
            }),
            Curve::MorphWeights(_) => {}
        }
    }
}

/// Replaces the keys by straight ones.
fn linearize_keys<const N: usize>(
    keys: &mut Keys<[f32; N]>,
    tolerance: f32,
    at: impl Fn(&Keys<[f32; N]>, f32) -> Option<[f32; N]>,
) {
    let mut straight: Vec<(f32, [f32; N])> = Vec::new();
    for span in keys.times_secs.windows(2) {
        let [from, to] = *span else { continue };
        let Some(start) = at(keys, from) else { continue };
        straight.push((from, start));
        if keys.interpolation == Interpolation::Step {
            let just_before = to - STEP_SECS.min((to - from) / 2.0);
            if from < just_before && just_before < to {
                straight.push((just_before, start));
            }
        } else {
            halve(keys, (from, to), tolerance, HALVINGS, &at, &mut straight);
        }
    }
    if let Some((&last, value)) = keys.times_secs.last().and_then(|last| Some((last, at(keys, *last)?))) {
        straight.push((last, value));
    }
    let (times_secs, values) = straight.into_iter().unzip();
    *keys = Keys { times_secs, values, interpolation: Interpolation::Linear };
}

/// Adds the keys inside a span that it takes to be straight enough.
fn halve<const N: usize>(
    keys: &Keys<[f32; N]>,
    (from, to): (f32, f32),
    tolerance: f32,
    halvings: u32,
    at: &impl Fn(&Keys<[f32; N]>, f32) -> Option<[f32; N]>,
    straight: &mut Vec<(f32, [f32; N])>,
) {
    let (Some(start), Some(end)) = (at(keys, from), at(keys, to)) else { return };
    let is_straight = |fraction: f32| {
        let Some(right) = at(keys, from + (to - from) * fraction) else { return true };
        let line = start.iter().zip(end).map(|(a, b)| a + (b - a) * fraction);
        right.iter().zip(line).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt() <= tolerance
    };
    let middle = from + (to - from) / 2.0;
    if [0.25, 0.5, 0.75].into_iter().all(is_straight) || halvings == 0 || middle <= from || middle >= to {
        return;
    }
    halve(keys, (from, middle), tolerance, halvings - 1, at, straight);
    straight.extend(at(keys, middle).map(|value| (middle, value)));
    halve(keys, (middle, to), tolerance, halvings - 1, at, straight);
}
