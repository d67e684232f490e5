//! Keys for what is worked out of several curves: at every key of theirs, and as many between as straight lines take.

use crate::curve::{Curve, Keys};
use crate::value::Value;
use crate::{Motion, with_keys};
use maquette_scene::clip::Interpolation;
use maquette_scene::glam::{DQuat, DVec3};

/// How far straight lines may be off: in radians, and for distances as a part of how far a curve goes.
const TOLERANCE: f64 = 1e-4;
/// Pieces shorter than this, in seconds, are jumps.
const SHORTEST_SECS: f64 = 1e-6;
/// How often a piece may be cut in two: 64 keys may come of one.
const MOST_CUTS: u32 = 6;
/// Where in a piece it is looked at how far a straight line is off.
const PARTS: [f64; 3] = [0.25, 0.5, 0.75];

/// A value of which two can be compared.
pub(super) trait Measured: Value {
    fn distance(&self, other: &Self) -> f64;
    /// What is off by less than this needs no key, for values that are this far from each other.
    fn tolerance(extent: f64) -> f64;
}

impl Measured for DVec3 {
    fn distance(&self, other: &DVec3) -> f64 {
        (*self - *other).length()
    }

    fn tolerance(extent: f64) -> f64 {
        TOLERANCE * extent
    }
}

impl Measured for DQuat {
    fn distance(&self, other: &DQuat) -> f64 {
        let near = if self.dot(*other) < 0.0 { -*other } else { *other };
        4.0 * (*self - near).length().atan2((*self + near).length())
    }

    fn tolerance(_: f64) -> f64 {
        TOLERANCE
    }
}

/// Whether a curve has one value all the time.
pub(super) fn is_still(curve: &Curve) -> bool {
    with_keys!(curve, keys => still(keys).is_some() || keys.times_secs.is_empty())
}

/// The one value that a curve has all the time.
pub(super) fn still<T: Value>(keys: &Keys<T>) -> Option<&T> {
    let first = keys.value(0)?;
    let goes_on = keys.iter().all(|(_, value)| value == first);
    let is_flat = |tangent: &T| *tangent == T::sum([(first, 0.0); 4]);
    let flat = keys.interpolation != Interpolation::CubicSpline
        || keys.times_secs.len() == 1
        || keys.values.chunks(3).all(|key| matches!(key, [before, _, after] if is_flat(before) && is_flat(after)));
    (goes_on && flat).then_some(first)
}

/// The moments at which several curves have keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    pub times_secs: Vec<f64>,
    /// Whether all of them jump from key to key.
    is_step: bool,
    /// Frames a second, where keys can lie on frames only.
    rate: Option<f64>,
}

impl Pace {
    /// Of those curves that move; the first key of all where none does.
    pub fn of(curves: &[&Curve], motion: &Motion) -> Pace {
        let rate = motion.frame_rate.filter(|rate| motion.on_frames && *rate > 0.0);
        let moving: Vec<&&Curve> = curves.iter().filter(|curve| !is_still(curve)).collect();
        if moving.is_empty() {
            let first =
                curves.iter().filter_map(|curve| curve.times_secs().first()).copied().fold(f64::INFINITY, f64::min);
            return Pace { times_secs: Vec::from_iter(first.is_finite().then_some(first)), is_step: false, rate };
        }
        let is_step = moving.iter().all(|curve| curve.interpolation() == Interpolation::Step);
        let mut times_secs: Vec<f64> = Vec::with_capacity(moving.iter().map(|curve| curve.len()).sum());
        for curve in moving {
            let times = curve.times_secs();
            times_secs.extend(times);
            if curve.interpolation() == Interpolation::Step && !is_step {
                let before = |secs: &f64| rate.map_or(secs.next_down(), |rate| secs - 1.0 / rate);
                times_secs.extend(times.iter().skip(1).map(before));
            }
        }
        if let Some(rate) = rate {
            times_secs.iter_mut().for_each(|secs| *secs = on_frame(*secs, rate));
        }
        times_secs.sort_by(f64::total_cmp);
        let apart = rate.map_or(0.0, |rate| 1e-3 / rate);
        times_secs.dedup_by(|later, earlier| *later - *earlier <= apart);
        Pace { times_secs, is_step, rate }
    }

    /// Keys of this value, and how far straight lines between them are from it at the most, as far as that was looked at: at three moments of each piece.
    pub fn follow<T: Measured>(&self, value: impl Fn(f64) -> T) -> (Keys<T>, f64) {
        let at = |secs: f64| (secs, value(secs));
        if self.is_step || self.times_secs.len() < 2 {
            let interpolation = if self.is_step { Interpolation::Step } else { Interpolation::Linear };
            return (Keys { interpolation, ..Keys::straight(self.times_secs.iter().copied().map(at)) }, 0.0);
        }
        let wanted: Vec<(f64, T)> = self.times_secs.iter().copied().map(at).collect();
        let tolerance = T::tolerance(self.extent(&wanted, &value)).max(1e-12);
        let (mut keys, mut largest): (Vec<(f64, T)>, f64) = (Vec::with_capacity(wanted.len()), 0.0);
        // What is still to come, the next last, each with how often its piece may be cut in two.
        let mut to_come: Vec<((f64, T), u32)> = wanted.into_iter().rev().map(|key| (key, MOST_CUTS)).collect();
        keys.extend(to_come.pop().map(|(key, _)| key));
        while let (Some((start, from)), Some(((end, to), cuts))) = (keys.last(), to_come.last_mut()) {
            let length = *end - start;
            let off = |part: f64| value(start + length * part).distance(&from.between(to, part));
            let error = if length > SHORTEST_SECS { PARTS.into_iter().map(off).fold(0.0, f64::max) } else { 0.0 };
            let middle = f64::midpoint(*start, *end);
            let middle = self.rate.map_or(middle, |rate| on_frame(middle, rate));
            let apart = self.rate.map_or(SHORTEST_SECS, |rate| 0.5 / rate);
            if error > tolerance && *cuts > 0 && middle - start > apart && *end - middle > apart {
                *cuts -= 1;
                let left = *cuts;
                to_come.push((at(middle), left));
                continue;
            }
            largest = largest.max(error);
            keys.extend(to_come.pop().map(|(key, _)| key));
        }
        (Keys::straight(keys), largest)
    }

    /// How far a value goes from where it begins.
    fn extent<T: Measured>(&self, wanted: &[(f64, T)], value: impl Fn(f64) -> T) -> f64 {
        let Some((_, first)) = wanted.first() else { return 0.0 };
        let between = self.times_secs.windows(2).filter_map(|pair| Some(f64::midpoint(*pair.first()?, *pair.last()?)));
        let at_keys = wanted.iter().map(|(_, value)| value.distance(first));
        between.map(|secs| value(secs).distance(first)).chain(at_keys).fold(0.0, f64::max)
    }
}

/// The nearest whole frame; what is on it by all but rounding stays.
fn on_frame(secs: f64, rate: f64) -> f64 {
    let frame = (secs * rate).round();
    if (secs * rate - frame).abs() < 1e-6 { secs } else { frame / rate }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(times: &[f64]) -> Curve {
        Curve::Translation(Keys::straight(times.iter().map(|secs| (*secs, DVec3::splat(*secs)))))
    }

    #[test]
    fn what_bends_gets_as_many_keys_as_it_takes() {
        let pace = Pace::of(&[&line(&[0.0, 1.0]), &line(&[0.5, 2.0])], &Motion::default());
        assert_eq!(pace.times_secs, [0.0, 0.5, 1.0, 2.0]);
        let (straight, error) = pace.follow(|secs| DVec3::X * secs);
        assert_eq!((straight.times_secs.len(), error < 1e-15), (4, true));
        let (bent, error) = pace.follow(|secs| DVec3::X * secs * secs);
        assert!(error <= TOLERANCE * 4.0 && error > 0.0, "{error}");
        for step in 0..=2000 {
            let secs = f64::from(step) / 1000.0;
            assert!((bent.at(secs).unwrap().x - secs * secs).abs() <= error + 1e-12);
        }
        let wild = pace.follow(|secs| DVec3::X * (secs * 1e9).sin()).0;
        assert!(wild.times_secs.len() <= (4 << MOST_CUTS) + 1, "{}", wild.times_secs.len());
        assert!(wild.times_secs.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn frames_are_kept_where_keys_lie_on_them() {
        let motion = Motion { frame_rate: Some(29.97), on_frames: true, ..Motion::default() };
        let pace = Pace::of(
            &[&line(&[0.0, 0.5 / 29.97 + 0.001, 30.0 / 29.97]), &line(&[30.0 / 29.97, 60.1 / 29.97])],
            &motion,
        );
        let frames = |keys: &[f64]| keys.iter().map(|secs| secs * 29.97).collect::<Vec<_>>();
        assert!(
            frames(&pace.times_secs)
                .iter()
                .zip([0.0, 1.0, 30.0, 60.0])
                .all(|(found, frame)| (found - frame).abs() < 1e-9)
        );
        let (bent, error) = pace.follow(|secs| DQuat::from_rotation_y(secs * secs));
        assert!(frames(&bent.times_secs).iter().all(|frame| (frame - frame.round()).abs() < 1e-9));
        assert!(error < 1e-3);
    }

    #[test]
    fn jumps_stay_jumps() {
        let mut jump = line(&[0.0, 1.0]);
        with_keys!(&mut jump, keys => keys.interpolation = Interpolation::Step);
        let alone = Pace::of(&[&jump], &Motion::default());
        assert_eq!(alone.follow(|secs| DVec3::X * secs).0.interpolation, Interpolation::Step);
        let Curve::Translation(stepping) = &jump else { panic!() };
        let with_line = Pace::of(&[&jump, &line(&[0.0, 2.0])], &Motion::default());
        let value = |secs: f64| stepping.at(secs).unwrap() + DVec3::X * secs;
        let (keys, error) = with_line.follow(value);
        assert!(error < 1e-12, "{error}");
        assert_eq!(keys.times_secs.len(), 4);
        assert!([0.5, 0.999, 1.001, 1.5].iter().all(|secs| (keys.at(*secs).unwrap() - value(*secs)).length() < 1e-9));
    }

    #[test]
    fn still_is_what_no_tangent_moves() {
        let spline = |tangent: f64| Keys {
            times_secs: vec![0.0, 1.0],
            values: [0.0, 1.0, tangent, 0.0, 1.0, 0.0].map(DVec3::splat).into(),
            interpolation: Interpolation::CubicSpline,
        };
        assert_eq!((still(&spline(0.0)), still(&spline(0.1))), (Some(&DVec3::ONE), None));
        assert!(DQuat::IDENTITY.distance(&DQuat::from_rotation_x(0.3)) - 0.3 < 1e-15);
        assert!((DQuat::IDENTITY.distance(&-DQuat::from_rotation_x(0.3)) - 0.3).abs() < 1e-15);
    }
}
