//! A spline as straight pieces: as many as its bends take, each as long as it may be.
//!
//! Every key stays, so that a curve passes where it passed. A track may grow to [`SPARSE_GROWTH`] keys for each that it had as long as these are no more
//! than [`SPARSE`], and to [`GROWTH`] for each beyond. What would take more is followed as closely as that many allow in a clip of few keys
//! ([`SMALL_CLIP`]), and sampled at the rate of its clip in others, as far as that is fewer. So keys, memory and time are in proportion to what was
//! read, whatever is asked for.

use maquette_scene::clip::{Clip, Curve, Interpolation, Keys};
use maquette_scene::deviation::curves::{part, span, value};
use maquette_scene::deviation::space::{Rotations, Space, Span, Vectors};
use std::cmp::Ordering;

/// The keys that a track may have in the place of each, ..
pub const GROWTH: usize = 4;
/// .. and while they are few.
pub const SPARSE_GROWTH: usize = 256;
/// How many keys are few.
pub const SPARSE: usize = 4096;
/// How many keys a small clip has in all its tracks.
pub const SMALL_CLIP: usize = 256;
/// Samples a second of clips that have no rate.
const USUAL_RATE: f32 = 60.0;
/// The shortest piece, as a part of a span.
const SHORTEST: f64 = 1.0 / 4096.0;

/// A curve that follows another by straight pieces.
pub struct Straight {
    pub curve: Curve,
    pub how: How,
}

/// How a curve was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As closely as asked.
    Followed,
    /// By as many pieces as there may be.
    Limited,
    /// At even moments, because it would have grown too much.
    Sampled,
}

/// What becomes of a track that would grow too much.
#[derive(Clone, Copy)]
pub enum Otherwise {
    /// As many pieces as there may be.
    AsCloselyAsMayBe,
    /// So many samples a second.
    Samples(f32),
}

impl Otherwise {
    /// For the tracks of a clip.
    pub fn of(clip: &Clip) -> Otherwise {
        let keys = clip.tracks.iter().map(|track| track.curve.times_secs().len()).sum::<usize>();
        if keys <= SMALL_CLIP { Otherwise::AsCloselyAsMayBe } else { Otherwise::Samples(rate(clip)) }
    }
}

/// Samples a second, where that is asked for.
pub fn rate(clip: &Clip) -> f32 {
    clip.frame_rate.filter(|rate| rate.is_finite() && *rate > 0.0).unwrap_or(USUAL_RATE)
}

/// The most keys that a track of so many may grow to.
pub fn most_keys(keys: usize) -> usize {
    (SPARSE_GROWTH * keys).min(SPARSE).max(GROWTH * keys)
}

/// Follows a spline; no moment is off by more than what is allowed, unless singles are too coarse or the curve is sampled.
pub fn straighten(curve: &Curve, allowed: f64, otherwise: Otherwise) -> Straight {
    let (curve, how) = match curve {
        Curve::Translation(keys) => of_keys::<Vectors, 3>(keys, allowed, otherwise, Curve::Translation),
        Curve::Scale(keys) => of_keys::<Vectors, 3>(keys, allowed, otherwise, Curve::Scale),
        Curve::Rotation(keys) => of_keys::<Rotations, 4>(keys, allowed, otherwise, Curve::Rotation),
        Curve::MorphWeights(_) => (curve.clone(), How::Followed),
    };
    Straight { curve, how }
}

/// About how many pieces a spline takes beside its keys, times the square root of what is allowed.
pub fn pieces_for(curve: &Curve) -> f64 {
    fn of_keys<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>) -> f64 {
        let halves = |span: Span<N>| S::bend(&span, 0.0, 0.5).sqrt() + S::bend(&span, 0.5, 1.0).sqrt();
        (0..keys.times_secs.len()).filter_map(|key| span(keys, key)).map(halves).sum()
    }
    match curve {
        _ if curve.interpolation() != Interpolation::CubicSpline => 0.0,
        Curve::Translation(keys) | Curve::Scale(keys) => of_keys::<Vectors, 3>(keys),
        Curve::Rotation(keys) => of_keys::<Rotations, 4>(keys),
        Curve::MorphWeights(_) => 0.0,
    }
}

fn of_keys<S: Space<N>, const N: usize>(
    keys: &Keys<[f32; N]>,
    allowed: f64,
    otherwise: Otherwise,
    curve: fn(Keys<[f32; N]>) -> Curve,
) -> (Curve, How) {
    let most = most_keys(keys.times_secs.len());
    if let Some(followed) = follow::<S, N>(keys, allowed, most) {
        return (curve(followed), How::Followed);
    }
    let rate = match otherwise {
        Otherwise::Samples(rate) => rate,
        Otherwise::AsCloselyAsMayBe => match follow_by::<S, N>(keys, allowed, most) {
            Some(limited) => return (curve(limited), How::Limited),
            None => USUAL_RATE,
        },
    };
    (curve(sample::<S, N>(keys, rate.into(), most)), How::Sampled)
}

/// A spline by nearly as many pieces as there may be, because as straight as allowed they would be too many.
fn follow_by<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>, allowed: f64, most: usize) -> Option<Keys<[f32; N]>> {
    /// How often more is allowed, each time twice as much.
    const ATTEMPTS: i32 = 64;
    (1..ATTEMPTS).find_map(|doublings| follow::<S, N>(keys, allowed * 2f64.powi(doublings), most))
}

/// Straight keys as they are made, in time.
struct Line<const N: usize>(Keys<[f32; N]>);

impl<const N: usize> Line<N> {
    fn new() -> Line<N> {
        Line(Keys { times_secs: Vec::new(), values: Vec::new(), interpolation: Interpolation::Linear })
    }

    fn add<S: Space<N>>(&mut self, secs: f32, value: [f64; N]) {
        let single = |number: f64| (number as f32).clamp(f32::MIN, f32::MAX);
        self.0.times_secs.push(secs);
        self.0.values.push(S::value(value).map(single));
    }

    /// Adds the first key of a spline or the last.
    fn add_key<S: Space<N>>(&mut self, keys: &Keys<[f32; N]>, key: usize) {
        if let (Some(&secs), Some(value)) = (keys.times_secs.get(key), value(keys, key)) {
            self.add::<S>(secs, value);
        }
    }
}

/// A spline by the fewest pieces that are as straight as allowed; none if these are too many.
fn follow<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>, allowed: f64, most: usize) -> Option<Keys<[f32; N]>> {
    let mut line = Line::new();
    line.add_key::<S>(keys, 0);
    for (key, ends) in keys.times_secs.windows(2).enumerate() {
        let (&[from, to], Some(span)) = (ends, span(keys, key)) else { continue };
        // Closer than singles show there is nothing to follow.
        let rounding = S::rounding(&span);
        let allowed = (allowed - rounding).max(rounding);
        let mut pieces = Pieces { span: &span, from, to, allowed, at: 0.0, secs: from, step: 1.0 };
        while let Some((secs, at)) = pieces.next::<S>() {
            line.add::<S>(secs, span.at(at));
            if line.0.times_secs.len() + keys.times_secs.len() > most + key + 1 {
                return None;
            }
        }
        line.add_key::<S>(keys, key + 1);
    }
    Some(line.0)
}

/// The pieces of a span, one after another.
struct Pieces<'s, const N: usize> {
    span: &'s Span<N>,
    from: f32,
    to: f32,
    allowed: f64,
    /// How far it has come, as a part of the span and in seconds.
    at: f64,
    secs: f32,
    /// How long a piece may be, as a part of the span.
    step: f64,
}

impl<const N: usize> Pieces<'_, N> {
    /// Where the next piece ends; none where that is the next key.
    fn next<S: Space<N>>(&mut self) -> Option<(f32, f64)> {
        loop {
            let rest = 1.0 - self.at;
            // Pieces of one length rather than a short one at the end.
            self.step = rest / (rest / self.step).ceil().max(1.0);
            let secs = f64::from(self.from) + (self.at + self.step) * (f64::from(self.to) - f64::from(self.from));
            let secs = if self.step < rest { (secs as f32).max(self.secs.next_up()) } else { self.to };
            let is_last = secs.partial_cmp(&self.to) != Some(Ordering::Less);
            let at = if is_last { 1.0 } else { part(self.from, self.to, secs) };
            let bend = S::bend(self.span, self.at, at);
            let fits = (self.allowed / bend).sqrt() * 0.95;
            let is_bent = bend > self.allowed && self.step > SHORTEST && secs > self.secs.next_up();
            if !is_bent {
                (self.at, self.secs) = (at, secs);
                self.step *= fits.clamp(1.0, 4.0);
                return (!is_last).then_some((secs, at));
            }
            self.step *= fits.clamp(0.25, 0.9);
        }
    }
}

/// A spline at even moments between its keys: so many a second, as long as all of them are no more than what it may grow to.
fn sample<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>, rate: f64, most: usize) -> Keys<[f32; N]> {
    let mut line = Line::new();
    line.add_key::<S>(keys, 0);
    let times = &keys.times_secs;
    let whole = times.first().zip(times.last()).map_or(0.0, |(first, last)| f64::from(*last) - f64::from(*first));
    let rate = rate.min((most - times.len().min(most)) as f64 / whole);
    for (key, ends) in times.windows(2).enumerate() {
        let (&[from, to], Some(span)) = (ends, span(keys, key)) else { continue };
        let secs = f64::from(to) - f64::from(from);
        // A little more than a whole number of pieces is that number.
        let pieces = (secs * rate - 1e-3).ceil().max(1.0);
        let mut last = from;
        for piece in 1..pieces as usize {
            let secs = (f64::from(from) + secs * piece as f64 / pieces) as f32;
            if last < secs && secs < to {
                line.add::<S>(secs, span.at(part(from, to, secs)));
                last = secs;
            }
        }
        line.add_key::<S>(keys, key + 1);
    }
    line.0
}
