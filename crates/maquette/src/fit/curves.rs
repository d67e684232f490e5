//! Steps and splines as straight curves.
//!
//! A step becomes two keys a moment apart. A spline is halved until every half is as straight as asked.

use maquette_scene::Scene;
use maquette_scene::clip::{Curve, Interpolation, Keys};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::pose;

/// How long a step takes, at most: a tenth of a millisecond.
const STEP_SECS: f32 = 1e-4;
/// How often a span between two keys is halved, at most.
const HALVINGS: u32 = 10;

/// Makes every curve linear.
pub fn straighten(scene: &mut Scene, tolerance: f32, losses: &mut LossReport) {
    for clip in scene.clips.iter_mut() {
        let subject = format!("clip {:?}", clip.name);
        let (mut steps, mut splines, mut error) = (0, 0, 0.0f32);
        for track in &mut clip.tracks {
            match track.curve.interpolation() {
                Interpolation::Linear => continue,
                Interpolation::Step => steps += 1,
                Interpolation::CubicSpline => splines += 1,
            }
            error = error.max(match &mut track.curve {
                Curve::Translation(keys) | Curve::Scale(keys) => {
                    straighten_keys(keys, tolerance, |keys, secs| pose::vector_at(keys, secs).map(|v| v.to_array()))
                }
                Curve::Rotation(keys) => {
                    straighten_keys(keys, tolerance, |keys, secs| pose::rotation_at(keys, secs).map(|q| q.to_array()))
                }
                Curve::MorphWeights(_) => 0.0,
            });
        }
        let kind = LossKind::Approximated { max_error: STEP_SECS };
        losses.push(kind, Lost::Steps, &subject, format!("a jump takes up to {STEP_SECS} s"), steps);
        let detail = format!("followed by straight lines within {error}");
        losses.push(LossKind::Approximated { max_error: error }, Lost::CubicSplines, &subject, detail, splines);
    }
}

/// Replaces the keys by straight ones; the largest error that was measured.
fn straighten_keys<const N: usize>(
    keys: &mut Keys<[f32; N]>,
    tolerance: f32,
    at: impl Fn(&Keys<[f32; N]>, f32) -> Option<[f32; N]>,
) -> f32 {
    let mut straight: Vec<(f32, [f32; N])> = Vec::new();
    let mut error = 0.0f32;
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
            error = error.max(halve(keys, (from, to), tolerance, HALVINGS, &at, &mut straight));
        }
    }
    if let Some((&last, value)) = keys.times_secs.last().and_then(|last| Some((last, at(keys, *last)?))) {
        straight.push((last, value));
    }
    let (times_secs, values) = straight.into_iter().unzip();
    *keys = Keys { times_secs, values, interpolation: Interpolation::Linear };
    error
}

/// Adds the keys inside a span that it takes to be straight enough.
fn halve<const N: usize>(
    keys: &Keys<[f32; N]>,
    (from, to): (f32, f32),
    tolerance: f32,
    halvings: u32,
    at: &impl Fn(&Keys<[f32; N]>, f32) -> Option<[f32; N]>,
    straight: &mut Vec<(f32, [f32; N])>,
) -> f32 {
    let (Some(start), Some(end)) = (at(keys, from), at(keys, to)) else { return 0.0 };
    let error = [0.25, 0.5, 0.75].into_iter().fold(0.0f32, |most, part| {
        let Some(right) = at(keys, from + (to - from) * part) else { return most };
        let line =
            std::array::from_fn::<f32, N, _>(|i| start.get(i).zip(end.get(i)).map_or(0.0, |(a, b)| a + (b - a) * part));
        let distance = right.iter().zip(line).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
        most.max(distance)
    });
    let middle = from + (to - from) / 2.0;
    if error <= tolerance || halvings == 0 || middle <= from || middle >= to {
        return error;
    }
    let first = halve(keys, (from, middle), tolerance, halvings - 1, at, straight);
    straight.extend(at(keys, middle).map(|value| (middle, value)));
    first.max(halve(keys, (middle, to), tolerance, halvings - 1, at, straight))
}
