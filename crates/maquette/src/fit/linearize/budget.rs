//! How many keys a clip may have for its splines, and how close that lets them be followed.
//!
//! A clip may have [`GROWTH`] keys for each that its splines had; a short one [`SHORT_GROWTH`] for each, as long as they are no more than [`SHORT`]. So keys, memory and
//! time are in proportion to what was read, whatever is asked for. What the tolerance takes beyond that is not cut off anywhere: the tolerance of the whole clip
//! is wider, by about the least that is enough. So there is no cliff, and a closer tolerance is no larger error.

use super::straighten;
use maquette_scene::clip::Curve;

/// The part of the keys that there may be which is taken for all of them, ..
const ENOUGH: f64 = 0.95;
/// .. and how often it is tried to come there, in clips where a try is quick.
const MORE_TRIES: usize = 8;

/// The keys that a clip may have in the place of each, ..
pub const GROWTH: usize = 4;
/// .. and while it is short.
pub const SHORT_GROWTH: usize = 256;
/// The most keys of a clip that is short.
pub const SHORT: usize = 131_072;

/// The most keys that splines of so many may become.
pub fn most_keys(keys: usize) -> usize {
    (SHORT_GROWTH * keys).min(SHORT).max(GROWTH * keys)
}

/// A spline, and its share of the tolerance.
pub struct Spline<'c> {
    pub curve: &'c Curve,
    /// About how many pieces it takes, times the square root of what it may be off by.
    pub pieces: f64,
    /// What it may be off by, where the tolerance is 1.
    pub share: f64,
}

/// Splines that were followed.
pub struct Followed {
    pub curves: Vec<Curve>,
    /// Whether the tolerance that was asked for takes too many keys.
    pub is_wider: bool,
}

/// Follows all splines of a clip, within the tolerance or within about the least that so many keys are enough for.
pub fn follow(splines: &[Spline<'_>], tolerance: f64, most: usize) -> Followed {
    let keys: usize = splines.iter().map(|spline| spline.curve.times_secs().len()).sum();
    let room = most.saturating_sub(keys);
    // Whole pieces take about a third of one more for each span.
    let affordable = affordable(splines, room as f64 - keys as f64 / 3.0);
    let follow = |within: f64| follow_within(splines, within, room).map(|curves| Tried { within, curves });
    let mut too_close = 0.0;
    if affordable < 2.0 * tolerance {
        match follow(tolerance) {
            Some(Tried { curves, .. }) => return Followed { curves, is_wider: false },
            None => too_close = tolerance,
        }
    }
    // It is an estimate: whether less is enough can only be tried.
    let (mut within, mut more) = (affordable, 1.0);
    let mut best = loop {
        if within > too_close || too_close == 0.0 {
            match follow(within) {
                Some(tried) => break tried,
                None => too_close = within,
            }
        }
        more *= 1.1;
        within = (within * more).max(f64::MIN_POSITIVE);
    };
    for _ in 0..if most <= SHORT { MORE_TRIES } else { 0 } {
        let added = best.keys().saturating_sub(keys) as f64;
        if best.within <= tolerance || added >= ENOUGH * room as f64 {
            break;
        }
        // Keys grow with the root of what is allowed, unless they are where a curve jumps.
        let closer = best.within * (added / room as f64).powi(2).clamp(1e-3, ENOUGH);
        let closer = if closer > too_close { closer } else { (best.within * too_close).sqrt() };
        match follow(closer.max(tolerance)) {
            Some(tried) => best = tried,
            None => too_close = closer.max(tolerance),
        }
    }
    // Where keys are left, what is asked for may take no more than those.
    if most <= SHORT && best.within > tolerance && too_close < tolerance.max(f64::MIN_POSITIVE) {
        best = follow(tolerance).unwrap_or(best);
    }
    Followed { is_wider: best.within > tolerance, curves: best.curves }
}

/// Splines that were followed within some tolerance.
struct Tried {
    within: f64,
    curves: Vec<Curve>,
}

impl Tried {
    fn keys(&self) -> usize {
        self.curves.iter().map(|curve| curve.times_secs().len()).sum()
    }
}

/// About the least tolerance that takes no more than so many pieces, whole or not, beside one for each span.
fn affordable(splines: &[Spline<'_>], room: f64) -> f64 {
    let bent = splines.iter().filter(|spline| spline.pieces > 0.0);
    (bent.map(|spline| spline.pieces / spline.share.sqrt()).sum::<f64>() / room).powi(2)
}

/// None if that takes more than so many keys beside those that there are.
fn follow_within(splines: &[Spline<'_>], tolerance: f64, mut room: usize) -> Option<Vec<Curve>> {
    let follow = |spline: &Spline<'_>| {
        let most = spline.curve.times_secs().len() + room;
        let curve = straighten::follow(spline.curve, spline.share * tolerance, most)?;
        room = most.saturating_sub(curve.times_secs().len());
        Some(curve)
    };
    splines.iter().map(follow).collect()
}

/// All splines of a clip at so many samples a second; none where these are too many.
pub fn sample(splines: &[Spline<'_>], rate: f32, most: usize) -> Option<Vec<Curve>> {
    let rate = f64::from(rate);
    let samples: f64 = splines.iter().map(|spline| straighten::samples(spline.curve, rate)).sum();
    (samples <= most as f64).then(|| splines.iter().map(|spline| straighten::sample(spline.curve, rate)).collect())
}
