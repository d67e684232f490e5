//! Steps and splines as straight curves.
//!
//! A step becomes two keys a moment apart. A spline is halved until every half is as straight as asked. How straight that is follows
//! from what is seen: an angle at a shoulder moves a hand farther than one at a wrist ([`super::reach`]). Errors of a chain of joints
//! add up, so the result is bounded for all vertices ([`deviation`]), and done again more closely where it is not good enough.

use super::reach::{self, Reach};
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::{Scene, deviation, pose};

/// How long a step takes, at most: a tenth of a millisecond.
const STEP_SECS: f32 = 1e-4;
/// How often a span between two keys is halved, at most.
const HALVINGS: u32 = 10;
/// How often all is done again more closely, at most.
const ATTEMPTS: u32 = 4;

/// Makes every curve linear, so that no vertex is farther than `tolerance` from where it would be.
pub fn linearize(scene: &mut Scene, tolerance: f32, losses: &mut LossReport) {
    let reach = reach::of_nodes(scene);
    // Clips are worked on beside the scene that tells what they move.
    let mut clips = std::mem::take(&mut scene.clips);
    for (index, clip) in clips.iter_mut().enumerate() {
        let subject = subject("clip", index, &clip.name);
        let steps = clip.tracks.iter().filter(|track| track.curve.jumps()).count() as u64;
        let splines = tracks_of(clip, Interpolation::CubicSpline);
        linearize_tracks(clip, Interpolation::Step, &[], tolerance);
        let kind = LossKind::Approximated { max_error: STEP_SECS };
        losses.push(kind, Lost::Steps, &subject, format!("a jump takes up to {STEP_SECS} s"), steps);
        if splines > 0 {
            let error = follow_splines(scene, clip, &reach, tolerance);
            let what = if scene.meshes.is_empty() { "bone" } else { "vertex" };
            let detail = format!("followed by straight lines; no {what} is off by more than {error}");
            losses.push(LossKind::Approximated { max_error: error }, Lost::CubicSplines, &subject, detail, splines);
        }
    }
    scene.clips = clips;
}

fn tracks_of(clip: &Clip, kind: Interpolation) -> u64 {
    clip.tracks.iter().filter(|track| track.curve.interpolation() == kind).count() as u64
}

/// Linearizes as closely as it takes; how far the worst vertex is off, at most.
fn follow_splines(scene: &Scene, clip: &mut Clip, reach: &[Reach], tolerance: f32) -> f32 {
    let curved = clip.clone();
    let mut asked = tolerance;
    let mut error = 0.0;
    for _ in 0..ATTEMPTS {
        clip.tracks.clone_from(&curved.tracks);
        linearize_tracks(clip, Interpolation::CubicSpline, reach, asked);
        error = deviation::of_clips(scene, &curved, clip);
        if error <= tolerance || !error.is_finite() {
            break;
        }
        asked *= (0.8 * tolerance / error).min(0.5);
    }
    error
}

fn linearize_tracks(clip: &mut Clip, kind: Interpolation, reach: &[Reach], tolerance: f32) {
    for track in clip.tracks.iter_mut().filter(|track| track.curve.interpolation() == kind) {
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
            if from < just_before && just_before < to && at(keys, to) != Some(start) {
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
