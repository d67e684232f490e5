//! A spline as straight pieces: as many as its bends take, each as long as it may be. Every key stays, so that a curve passes where it passed.

use maquette_scene::clip::{Curve, Interpolation, Keys};
use maquette_scene::deviation::curves::{part, span, value};
use maquette_scene::deviation::space::{Rotations, Scales, Space, Span, Translations};
use std::cmp::Ordering;

/// The shortest piece: a microsecond, ..
pub const SHORTEST_SECS: f64 = 1e-6;
/// .. or this part of a span, where that is shorter.
const SHORTEST: f64 = 1.0 / 4096.0;

/// Whether no key is put between two that are so close: what a curve does there is a jump.
pub fn is_a_moment(from: f32, to: f32) -> bool {
    // Times that singles hold are not just so far apart.
    f64::from(to) - f64::from(from) <= 1.75 * SHORTEST_SECS || to <= from.next_up()
}

/// About how many pieces a spline takes beside its keys, times the square root of what is allowed.
pub fn pieces_for(curve: &Curve) -> f64 {
    fn of_keys<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>) -> f64 {
        let halves = |span: Span<N>| S::bend(&span, 0.0, 0.5).sqrt() + S::bend(&span, 0.5, 1.0).sqrt();
        (0..keys.times_secs.len()).filter_map(|key| span(keys, key)).map(halves).sum()
    }
    match curve {
        _ if curve.interpolation() != Interpolation::CubicSpline => 0.0,
        Curve::Translation(keys) => of_keys::<Translations, 3>(keys),
        Curve::Scale(keys) => of_keys::<Scales, 3>(keys),
        Curve::Rotation(keys) => of_keys::<Rotations, 4>(keys),
        Curve::MorphWeights(_) => 0.0,
    }
}

/// A spline by the fewest pieces that are no farther off than allowed, as far as singles are fine enough; none if that takes more keys than this.
pub fn follow(curve: &Curve, allowed: f64, most: usize) -> Option<Curve> {
    Some(match curve {
        Curve::Translation(keys) => Curve::Translation(follow_keys::<Translations, 3>(keys, allowed, most)?),
        Curve::Scale(keys) => Curve::Scale(follow_keys::<Scales, 3>(keys, allowed, most)?),
        Curve::Rotation(keys) => Curve::Rotation(follow_keys::<Rotations, 4>(keys, allowed, most)?),
        Curve::MorphWeights(_) => curve.clone(),
    })
}

/// A spline at even moments between its keys, so many a second or a few more.
pub fn sample(curve: &Curve, rate: f64) -> Curve {
    match curve {
        Curve::Translation(keys) => Curve::Translation(sample_keys::<Translations, 3>(keys, rate)),
        Curve::Scale(keys) => Curve::Scale(sample_keys::<Scales, 3>(keys, rate)),
        Curve::Rotation(keys) => Curve::Rotation(sample_keys::<Rotations, 4>(keys, rate)),
        Curve::MorphWeights(_) => curve.clone(),
    }
}

/// How many keys [`sample`] makes, at most.
pub fn samples(curve: &Curve, rate: f64) -> f64 {
    1.0 + curve.times_secs().windows(2).map(|ends| even_pieces(ends, rate)).sum::<f64>()
}

/// Between two keys.
fn even_pieces(ends: &[f32], rate: f64) -> f64 {
    let secs = ends.last().zip(ends.first()).map_or(0.0, |(to, from)| f64::from(*to) - f64::from(*from));
    // A little more than a whole number of pieces is that number.
    (secs * rate - 1e-3).ceil().max(1.0)
}

/// A spline at the frames that are nearest to some moments, so many a second.
pub fn on_frames(curve: &Curve, moments: &[f32], rate: f64) -> Curve {
    match curve {
        Curve::Translation(keys) => Curve::Translation(keys_on_frames::<Translations, 3>(keys, moments, rate)),
        Curve::Scale(keys) => Curve::Scale(keys_on_frames::<Scales, 3>(keys, moments, rate)),
        Curve::Rotation(keys) => Curve::Rotation(keys_on_frames::<Rotations, 4>(keys, moments, rate)),
        Curve::MorphWeights(_) => curve.clone(),
    }
}

fn keys_on_frames<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>, moments: &[f32], rate: f64) -> Keys<[f32; N]> {
    let mut line = Line::new();
    let (mut before, mut key) = (None, 0);
    for moment in moments {
        let frame = (f64::from(*moment) * rate).round();
        if before.replace(frame) == Some(frame) {
            continue;
        }
        let secs = (frame / rate) as f32;
        while keys.times_secs.get(key + 1).is_some_and(|next| *next <= secs) {
            key += 1;
        }
        let ends = keys.times_secs.get(key).copied().zip(keys.times_secs.get(key + 1).copied());
        // Before its first key and after its last a spline rests.
        match (ends, span(keys, key)) {
            (Some((from, to)), Some(span)) if secs > from => line.add::<S>(secs, span.at(part(from, to, secs))),
            _ => value(keys, key).into_iter().for_each(|value| line.add::<S>(secs, value)),
        }
    }
    line.0
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

fn follow_keys<S: Space<N>, const N: usize>(
    keys: &Keys<[f32; N]>,
    allowed: f64,
    most: usize,
) -> Option<Keys<[f32; N]>> {
    let mut line = Line::new();
    line.add_key::<S>(keys, 0);
    for (key, ends) in keys.times_secs.windows(2).enumerate() {
        let (&[from, to], Some(span)) = (ends, span(keys, key)) else { continue };
        // Closer than singles show there is nothing to follow.
        let rounding = S::rounding(&span);
        let allowed = (allowed - rounding).max(rounding);
        let shortest = SHORTEST.min(SHORTEST_SECS / (f64::from(to) - f64::from(from)));
        let mut pieces = Pieces { span: &span, from, to, allowed, shortest, at: 0.0, secs: from, step: 1.0 };
        while let Some((secs, at)) = pieces.next::<S>() {
            line.add::<S>(secs, span.at(at));
            let ahead = keys.times_secs.len() - key - 1;
            if line.0.times_secs.len() + ahead > most {
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
    /// The shortest piece, as a part of the span.
    shortest: f64,
    /// How far it has come, as a part of the span and in seconds.
    at: f64,
    secs: f32,
    /// How long a piece may be, as a part of the span.
    step: f64,
}

impl<const N: usize> Pieces<'_, N> {
    /// Where the next piece is to end, as a part of the span. Short ones end where whole numbers of the shortest do: so where a curve jumps,
    /// the keys around it are the same for every tolerance.
    fn end(&self) -> f64 {
        let [at, end] = [self.at, self.at + self.step].map(|part| part / self.shortest);
        if self.step < 16.0 * self.shortest {
            end.round().max((at + 1.0).round()) * self.shortest
        } else {
            self.at + self.step
        }
    }

    /// Where the next piece ends; none where that is the next key.
    fn next<S: Space<N>>(&mut self) -> Option<(f32, f64)> {
        loop {
            let rest = 1.0 - self.at;
            // Pieces of one length rather than a short one at the end.
            self.step = rest / (rest / self.step).ceil().max(1.0);
            let secs = f64::from(self.from) + self.end() * (f64::from(self.to) - f64::from(self.from));
            let secs = if self.step < rest { (secs as f32).max(self.secs.next_up()) } else { self.to };
            let is_last = secs.partial_cmp(&self.to) != Some(Ordering::Less);
            let at = if is_last { 1.0 } else { part(self.from, self.to, secs) };
            let bend = S::bend(self.span, self.at, at);
            let fits = (self.allowed / bend).sqrt() * 0.95;
            let is_bent = bend > self.allowed && self.step > self.shortest && secs > self.secs.next_up();
            if !is_bent {
                (self.at, self.secs) = (at, secs);
                self.step *= fits.clamp(1.0, 4.0);
                return (!is_last).then_some((secs, at));
            }
            self.step *= fits.clamp(0.25, 0.9);
        }
    }
}

fn sample_keys<S: Space<N>, const N: usize>(keys: &Keys<[f32; N]>, rate: f64) -> Keys<[f32; N]> {
    let mut line = Line::new();
    line.add_key::<S>(keys, 0);
    for (key, ends) in keys.times_secs.windows(2).enumerate() {
        let (&[from, to], Some(span)) = (ends, span(keys, key)) else { continue };
        let pieces = even_pieces(ends, rate);
        let mut last = from;
        for piece in 1..pieces as usize {
            let secs = f64::from(to) - f64::from(from);
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
