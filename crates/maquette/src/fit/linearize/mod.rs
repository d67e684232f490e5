//! Steps and splines as straight curves.
//!
//! A step becomes two keys a moment apart. A spline becomes as many straight pieces as its bends take ([`straighten`]), as far as the clip has keys
//! for it ([`budget`]). How straight they have to be follows from what is seen: an angle at a shoulder moves a hand farther than one at a wrist, and
//! what the joints of a chain are off by adds up at its end. So the tracks along each way from a root to a vertex share what is allowed there, and
//! each gets more the more keys it would take: with the power of two thirds the keys of all are fewest.

mod budget;
mod straighten;
#[cfg(test)]
mod tests;

use budget::Spline;
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::deviation::body::Body;
use maquette_scene::deviation::{Errors, curves};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use std::cell::LazyCell;
use std::fmt;

/// How long a step takes, at most: a tenth of a millisecond.
const STEP_SECS: f32 = 1e-4;
/// What is left of the tolerance for rounding.
const USED: f64 = 1.0 - 1e-5;
/// Samples a second of clips that have no rate.
const USUAL_RATE: f32 = 60.0;
/// Samples that are off by no more than so many times as much are as close.
const AS_CLOSE: f32 = 1.01;

/// Makes every curve linear, so that no vertex is farther than `tolerance` from where it would be, as far as the keys of its clip are enough for that.
/// Where the format has whole frames, splines are taken at those, and steps stay: its writer knows how long a jump takes.
pub fn linearize(scene: &mut Scene, tolerance: f32, has_frames: bool, losses: &mut LossReport) {
    // Clips are worked on beside the scene that tells what they move.
    let mut clips = std::mem::take(&mut scene.clips);
    let body = LazyCell::new(|| Body::of(scene));
    for (index, clip) in clips.iter_mut().enumerate() {
        let subject = subject("clip", index, &clip.name);
        if !has_frames {
            let steps = clip.tracks.iter().filter(|track| track.curve.jumps()).count() as u64;
            clip.tracks.iter_mut().for_each(|track| ramp(&mut track.curve));
            let kind = LossKind::Approximated { max_error: STEP_SECS };
            losses.push(kind, Lost::Steps, &subject, format!("a jump takes up to {STEP_SECS} s"), steps);
        }
        let splines = clip.tracks.iter().filter(|track| is_spline(&track.curve)).count() as u64;
        if splines > 0 {
            let straight = straighten_splines(&body, clip, f64::from(tolerance), has_frames);
            let error = straight.off.error;
            let what = if body.is_bare() { "bone" } else { "vertex" };
            let detail =
                format!("followed by straight lines{}; no {what} is off by more than {}", straight.how, straight.off);
            losses.push(LossKind::Approximated { max_error: error }, Lost::CubicSplines, &subject, detail, splines);
        }
    }
    scene.clips = clips;
}

fn is_spline(curve: &Curve) -> bool {
    curve.interpolation() == Interpolation::CubicSpline && !matches!(curve, Curve::MorphWeights(_))
}

struct Straight {
    off: Off,
    how: How,
}

/// How far the worst vertex is off, at most.
struct Off {
    error: f32,
    /// But for moments in which a curve jumps, where that makes a difference.
    mostly: f32,
}

impl Off {
    /// Whether one is off by more, at jumps or elsewhere.
    fn is_beyond(&self, other: &Off) -> bool {
        self.error > other.error * AS_CLOSE || self.mostly > other.mostly * AS_CLOSE
    }
}

impl fmt::Display for Off {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        if self.mostly < self.error {
            let secs = straighten::SHORTEST_SECS;
            write!(
                f,
                ", which is where a curve turns around within {secs} s; elsewhere by no more than {}",
                self.mostly
            )?;
        }
        Ok(())
    }
}

/// How the splines of a clip became straight.
enum How {
    /// Within the tolerance, but for jumps.
    AsAsked,
    /// As closely as so many keys allow, which are too few for the tolerance.
    Wider { most: usize },
    /// As closely as the times and values of keys can be told.
    Rounded,
    /// From so many samples a second, which are closer than that.
    Sampled { rate: f32 },
    /// At whole frames, so many a second.
    OnFrames { rate: f32 },
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::AsAsked => Ok(()),
            How::Wider { most } => write!(f, ", as closely as {most} keys allow"),
            How::Rounded => write!(f, ", as closely as single precision allows"),
            How::Sampled { rate } => write!(f, " from {rate} samples a second"),
            How::OnFrames { rate } => write!(f, " between frames at {rate} a second"),
        }
    }
}

/// The frames a second of a clip that is to have its keys at frames: its own, or the first of the usual rates that has a frame for every key.
fn frames_a_second(clip: &Clip) -> f32 {
    const RATES: [f32; 4] = [USUAL_RATE, 50.0, 120.0, 240.0];
    const NEAR_SECS: f32 = 1e-4;
    let times = || clip.tracks.iter().flat_map(|track| track.curve.times_secs());
    let has_all = |rate: &f32| times().all(|secs| ((secs * rate).round() / rate - secs).abs() <= NEAR_SECS);
    let own = clip.frame_rate.filter(|rate| rate.is_finite() && *rate > 0.0);
    own.or_else(|| RATES.into_iter().find(has_all)).unwrap_or(USUAL_RATE)
}

fn straighten_splines(body: &Body<'_>, clip: &mut Clip, tolerance: f64, has_frames: bool) -> Straight {
    let errors = Errors::new(body, &[clip]);
    let splines = shares(body, clip, &errors);
    let most = budget::most_keys(splines.iter().map(|spline| spline.curve.times_secs().len()).sum());
    let followed = budget::follow(&splines, tolerance * USED, most);
    let mut curves = followed.curves;
    let (off, how);
    if has_frames {
        let rate = frames_a_second(clip);
        let at_frames = |(spline, curve): (&Spline<'_>, &Curve)| {
            straighten::on_frames(spline.curve, curve.times_secs(), f64::from(rate))
        };
        curves = splines.iter().zip(&curves).map(at_frames).collect();
        let error = error_of(errors, clip, &curves, &|_, _| true);
        (off, how) = (Off { error, mostly: error }, How::OnFrames { rate });
    } else {
        let followed_off = off_by(&errors, clip, &curves, tolerance);
        let rate = clip.frame_rate.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(USUAL_RATE);
        let sampled = followed.is_wider.then(|| budget::sample(&splines, rate, most)).flatten();
        let sampled = sampled.map(|curves| (off_by(&errors, clip, &curves, tolerance), curves));
        match sampled.filter(|(sampled_off, _)| !sampled_off.is_beyond(&followed_off)) {
            Some((sampled_off, sampled)) => {
                curves = sampled;
                (off, how) = (sampled_off, How::Sampled { rate });
            }
            None => {
                how = match followed.is_wider {
                    true => How::Wider { most },
                    false if f64::from(followed_off.mostly) > tolerance => How::Rounded,
                    false => How::AsAsked,
                };
                off = followed_off;
            }
        }
    }
    let tracks = clip.tracks.iter_mut().filter(|track| is_spline(&track.curve));
    tracks.zip(curves).for_each(|(track, curve)| track.curve = curve);
    Straight { off, how }
}

/// How far the worst vertex is off, at most, with these curves for the splines of a clip.
fn off_by(errors: &Errors<'_>, clip: &Clip, curves: &[Curve], tolerance: f64) -> Off {
    let error = error_of(errors.clone(), clip, curves, &|_, _| true);
    let jumps = || {
        let mut spans = curves.iter().flat_map(|curve| curve.times_secs().windows(2));
        spans.any(|ends| matches!(ends, [from, to] if straighten::is_a_moment(*from, *to)))
    };
    let mostly = match f64::from(error) > tolerance && jumps() {
        true => error_of(errors.clone(), clip, curves, &|from, to| !straighten::is_a_moment(from, to)),
        false => error,
    };
    Off { error, mostly }
}

/// The same, where this says so of the times of two keys that no other is between.
fn error_of(mut errors: Errors<'_>, clip: &Clip, curves: &[Curve], looks: &dyn Fn(f32, f32) -> bool) -> f32 {
    let splines = clip.tracks.iter().filter(|track| is_spline(&track.curve));
    for (track, curve) in splines.zip(curves) {
        errors.add(&track.target, curve, curves::apart_where(&track.curve, curve, looks));
    }
    errors.largest()
}

/// The splines of a clip, with what each may be off by.
fn shares<'c>(body: &Body<'_>, clip: &'c Clip, errors: &Errors<'_>) -> Vec<Spline<'c>> {
    let tracks = || clip.tracks.iter().filter(|track| is_spline(&track.curve));
    let lever = |track: &Track| match track.target {
        Target::Node(node) => errors.lever(&track.target, &track.curve).map(|lever| (node, lever)),
        Target::Name(_) => None,
    };
    let mut of_nodes = vec![0.0; body.nodes()];
    let mut splines = Vec::new();
    for track in tracks() {
        let pieces = straighten::pieces_for(&track.curve);
        // Where nothing is known of what it moves, a model of unit size is taken.
        let mut share = 1.0;
        if let Some((node, lever)) = lever(track) {
            let weight = (pieces * lever.sqrt()).powf(2.0 / 3.0);
            share = weight / lever;
            of_nodes.get_mut(node.index()).into_iter().for_each(|of_node| *of_node += weight);
        }
        splines.push(Spline { curve: &track.curve, pieces, share });
    }
    let ways = body.ways(&of_nodes);
    for (track, spline) in tracks().zip(&mut splines) {
        if let Some((node, _)) = lever(track) {
            spline.share /= body.weight() * ways.get(node.index()).copied().unwrap_or(0.0);
        }
        spline.share = spline.share.max(f64::MIN_POSITIVE);
    }
    splines
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
