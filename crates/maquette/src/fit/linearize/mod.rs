//! Steps and splines as straight curves.
//!
//! A step becomes two keys a moment apart. A spline becomes as many straight pieces as its bends take ([`straighten`]). How straight they
//! have to be follows from what is seen: an angle at a shoulder moves a hand farther than one at a wrist, and what the joints of a
//! chain are off by adds up at its end. So the tracks along each way from a root to a vertex share what is allowed there, and each gets more the
//! more keys it would take: with the power of two thirds the keys of all are fewest.

mod straighten;
#[cfg(test)]
mod tests;

use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::deviation::body::Body;
use maquette_scene::deviation::{Errors, curves};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene};
use std::cell::LazyCell;
use straighten::{How, Otherwise, Straight};

/// How long a step takes, at most: a tenth of a millisecond.
const STEP_SECS: f32 = 1e-4;
/// What is left of the tolerance for rounding.
const USED: f64 = 1.0 - 1e-5;

/// Makes every curve linear, so that no vertex is farther than `tolerance` from where it would be, as far as [`straighten`] lets tracks grow for it.
/// Steps stay where the format has whole frames: its writer knows how long a jump takes.
pub fn linearize(scene: &mut Scene, tolerance: f32, keeps_steps: bool, losses: &mut LossReport) {
    // Clips are worked on beside the scene that tells what they move.
    let mut clips = std::mem::take(&mut scene.clips);
    let body = LazyCell::new(|| Body::of(scene));
    for (index, clip) in clips.iter_mut().enumerate() {
        let subject = subject("clip", index, &clip.name);
        if !keeps_steps {
            let steps = clip.tracks.iter().filter(|track| track.curve.jumps()).count() as u64;
            clip.tracks.iter_mut().for_each(|track| ramp(&mut track.curve));
            let kind = LossKind::Approximated { max_error: STEP_SECS };
            losses.push(kind, Lost::Steps, &subject, format!("a jump takes up to {STEP_SECS} s"), steps);
        }
        let splines = clip.tracks.iter().filter(|track| is_spline(&track.curve)).count() as u64;
        if splines > 0 {
            let Followed { error, limited, sampled } = follow_splines(&body, clip, f64::from(tolerance));
            let what = if body.is_bare() { "bone" } else { "vertex" };
            let rate = straighten::rate(clip);
            let mut some = String::new();
            if limited > 0 {
                some = format!(", {limited} of {splines} by as many as there may be");
            }
            if sampled > 0 {
                some += &format!(", {sampled} of {splines} from samples, up to {rate} a second");
            }
            let detail = format!("followed by straight lines{some}; no {what} is off by more than {error}");
            losses.push(LossKind::Approximated { max_error: error }, Lost::CubicSplines, &subject, detail, splines);
        }
    }
    scene.clips = clips;
}

fn is_spline(curve: &Curve) -> bool {
    curve.interpolation() == Interpolation::CubicSpline && !matches!(curve, Curve::MorphWeights(_))
}

struct Followed {
    /// How far the worst vertex is off, at most.
    error: f32,
    /// Tracks that would have grown too much, and have as many keys as they may.
    limited: u64,
    /// Tracks that would have grown too much, and are sampled.
    sampled: u64,
}

fn follow_splines(body: &Body<'_>, clip: &mut Clip, tolerance: f64) -> Followed {
    let mut errors = Errors::new(body, &[clip]);
    let allowed = allowances(body, clip, &errors, tolerance * USED);
    let otherwise = Otherwise::of(clip);
    let (mut limited, mut sampled) = (0, 0);
    for (track, allowed) in clip.tracks.iter_mut().zip(allowed) {
        if is_spline(&track.curve) {
            let Straight { curve, how } = straighten::straighten(&track.curve, allowed, otherwise);
            errors.add(&track.target, &curve, curves::apart(&track.curve, &curve));
            track.curve = curve;
            limited += u64::from(how == How::Limited);
            sampled += u64::from(how == How::Sampled);
        }
    }
    Followed { error: errors.largest(), limited, sampled }
}

/// How far the curve of each track may be from its own spline.
fn allowances(body: &Body<'_>, clip: &Clip, errors: &Errors<'_>, tolerance: f64) -> Vec<f64> {
    let mut of_nodes = vec![0.0; body.nodes()];
    let weight = |track: &Track| {
        let lever = errors.lever(&track.target, &track.curve)?;
        let weight = (straighten::pieces_for(&track.curve) * lever.sqrt()).powf(2.0 / 3.0);
        let Target::Node(node) = track.target else { return None };
        *of_nodes.get_mut(node.index())? += weight;
        Some((node, weight / lever))
    };
    let weights: Vec<Option<_>> = clip.tracks.iter().map(weight).collect();
    let ways = body.ways(&of_nodes);
    let allowed = |weight: Option<(Handle<Node>, f64)>| match weight {
        Some((node, weight)) => tolerance / body.weight() * weight / ways.get(node.index()).copied().unwrap_or(0.0),
        // Where nothing is known of what it moves, a model of unit size is taken.
        None => tolerance,
    };
    weights.into_iter().map(allowed).collect()
}

/// Replaces a curve that jumps by one that takes a moment for it.
fn ramp(curve: &mut Curve) {
    match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => ramp_keys(keys),
        Curve::Rotation(keys) => ramp_keys(keys),
        Curve::MorphWeights(keys) => ramp_keys(keys),
    }
}

fn ramp_keys<T: Clone + PartialEq>(keys: &mut Keys<T>) {
    if keys.interpolation != Interpolation::Step {
        return;
    }
    let mut ramps = Keys { times_secs: Vec::new(), values: Vec::new(), interpolation: Interpolation::Linear };
    let mut add = |secs: f32, value: &T| {
        ramps.times_secs.push(secs);
        ramps.values.push(value.clone());
    };
    let mut last: Option<(f32, &T)> = None;
    for (&to, value) in keys.times_secs.iter().zip(&keys.values) {
        if let Some((from, held)) = last.filter(|(_, held)| *held != value) {
            let just_before = to - STEP_SECS.min((to - from) / 2.0);
            if from < just_before && just_before < to {
                add(just_before, held);
            }
        }
        add(to, value);
        last = Some((to, value));
    }
    *keys = ramps;
}
