//! Where the end of a clip meets its start.

use super::errors::Errors;
use super::join::whole;
use super::limit::must_fit;
use super::rate;
use crate::value::{Value, slerp};
use crate::{Curve, Did, Interpolation, Keys, Motion, Refusal, short, with_keys};
use maquette_scene::glam::{DQuat, DVec3};

/// How far the end of a clip is from its start.
pub(super) struct Seam {
    pub errors: Errors,
    /// The bones that are furthest off: in translation, in rotation.
    furthest: [String; 2],
}

impl Seam {
    /// Counts how far off a curve of a bone is.
    pub fn add(&mut self, curve: &Curve, bone: &str, error: f64) {
        let before = self.errors;
        self.errors.add(curve, error);
        let [far, turned] = &mut self.furthest;
        if self.errors.translation > before.translation {
            *far = bone.to_owned();
        }
        if self.errors.rotation > before.rotation {
            *turned = bone.to_owned();
        }
    }

    /// `0.3 units ("hip") and 0.1 rad ("arm") off`, in words.
    pub fn told(&self) -> String {
        let [far, turned] = &self.furthest;
        let mut parts = Vec::new();
        if self.errors.translation > 0.0 {
            parts.push(format!("{} units off ({far:?})", short(self.errors.translation)));
        }
        if self.errors.rotation > 0.0 {
            parts.push(format!("{} rad off ({turned:?})", short(self.errors.rotation)));
        }
        if parts.is_empty() {
            parts.push(format!("{} off", short(self.errors.largest())));
        }
        parts.join(" and ")
    }
}

/// The seam of those bones that this says yes to. Curves that jump do so there, too.
pub(super) fn seam_of(motion: &Motion, wanted: &dyn Fn(&str) -> bool) -> Seam {
    let mut seam = Seam { errors: Errors::default(), furthest: Default::default() };
    for track in &motion.tracks {
        let Some(bone) = motion.bone(track).filter(|bone| wanted(&bone.name)) else { continue };
        if track.curve.interpolation() == Interpolation::Step {
            continue;
        }
        let error = with_keys!(&track.curve, keys => keys.at(0.0).zip(keys.at(motion.duration_secs)).map(|(start, end)| end.far_from(&start)));
        seam.add(&track.curve, &bone.name, error.unwrap_or(0.0));
    }
    seam
}

/// Leads the last seconds of a clip to its start, so that it can repeat without a jump: what it does there goes on, moved by a growing part of the way. It is marked as looped. Bones that
/// `wanted` says no to, such as a root that walks on, stay as they are, and so do curves that jump.
pub fn close_seam(motion: &mut Motion, blend_secs: f64, wanted: &dyn Fn(&str) -> bool) -> Result<Did, Refusal> {
    let (end, rate) = (motion.duration_secs, rate::of(motion));
    if !(blend_secs > 0.0 && blend_secs <= end + 1e-9) {
        return Err(Refusal(format!(
            "it lasts {} s, and its last {} s cannot be blended; take a time above 0 and no longer than that",
            short(end),
            short(blend_secs)
        )));
    }
    must_fit(blend_secs * rate * motion.tracks.len() as f64, "blend a shorter time")?;
    let frames = (blend_secs * rate).round().max(1.0);
    let from = if motion.on_frames { rate::nearest((end - frames / rate).max(0.0), rate) } else { end - blend_secs };
    let seam = seam_of(motion, wanted);
    let before = motion.key_count();
    let is_wanted: Vec<bool> = motion.bones.iter().map(|bone| wanted(&bone.name)).collect();
    let (mut led, mut jumping) = (0, 0);
    for track in &mut motion.tracks {
        if is_wanted.get(track.bone) != Some(&true) {
            continue;
        }
        if track.curve.interpolation() == Interpolation::Step {
            jumping += u32::from(track.curve.len() > 1);
            continue;
        }
        let window = Window { from: from.max(0.0), end, rate };
        led += u32::from(match &mut track.curve {
            Curve::Translation(keys) | Curve::Scale(keys) => window.lead(keys),
            Curve::Rotation(keys) => window.lead(keys),
            Curve::MorphWeights(keys) => window.lead(keys),
        });
    }
    motion.looped = Some(true);
    let words = match led {
        0 => "ends where it starts, and is marked as looped".to_owned(),
        _ => format!(
            "is led from {} to its start, in its last {} s, and marked as looped",
            seam.told(),
            short(end - from)
        ),
    };
    let mut did = Did::new(words)
        .with("curves led to their start", f64::from(led), "")
        .with("seam of translations", seam.errors.translation, "units")
        .with("seam of rotations", seam.errors.rotation, "rad")
        .with("keys before", before as f64, "")
        .with("keys after", motion.key_count() as f64, "");
    if jumping > 0 {
        did = did.with("curves left that jump", f64::from(jumping), "");
    }
    Ok(did)
}

/// The last seconds, in which a curve is led to its start.
struct Window {
    from: f64,
    end: f64,
    rate: f64,
}

impl Window {
    /// How much of the way is gone at a moment, and how fast: from 0 to 1, gently at both ends.
    fn part(&self, secs: f64) -> (f64, f64) {
        let length = self.end - self.from;
        let part = ((secs - self.from) / length).clamp(0.0, 1.0);
        (part * part * (3.0 - 2.0 * part), 6.0 * part * (1.0 - part) / length)
    }

    /// Whether there was anything to lead.
    fn lead<T: Led>(&self, keys: &mut Keys<T>) -> bool {
        let (Some(start), Some(end)) = (keys.at(0.0), keys.at(self.end)) else { return false };
        if start == end || start.far_from(&end) < 1e-12 {
            return false;
        }
        *keys = match keys.interpolation {
            Interpolation::CubicSpline => self.spline(keys, &start, &end),
            _ => self.straight(keys, &start, &end),
        };
        true
    }

    fn straight<T: Led>(&self, keys: &Keys<T>, start: &T, end: &T) -> Keys<T> {
        let first = keys.times_secs.partition_point(|secs| *secs < self.from);
        let frames = (self.from * self.rate).ceil() as i64..=(self.end * self.rate).floor() as i64;
        let mut times: Vec<f64> =
            keys.times_secs.iter().skip(first).copied().filter(|secs| *secs <= self.end).collect();
        times.extend(frames.map(|frame| frame as f64 / self.rate));
        times.extend([self.from, self.end]);
        times.retain(|secs| (self.from..=self.end).contains(secs));
        times.sort_by(f64::total_cmp);
        // Of two that are one but for rounding the second is kept: the end is the last.
        let apart = 1e-6 / self.rate;
        times.reverse();
        times.dedup_by(|later, sooner| *sooner - *later < apart);
        times.reverse();
        let led = times.iter().filter_map(|&secs| match secs < self.end {
            true => Some((secs, keys.at(secs)?.led(end, start, self.part(secs).0))),
            false => Some((secs, start.clone())),
        });
        let near = times.first().map_or(self.from, |secs| secs - apart);
        let before =
            keys.iter().take(first).filter(|(secs, _)| *secs < near).map(|(secs, value)| (secs, value.clone()));
        Keys::straight(before.chain(led))
    }

    /// A spline stays one: the way is a cubic, and so is the sum.
    fn spline<T: Led>(&self, keys: &Keys<T>, start: &T, end: &T) -> Keys<T> {
        let whole = whole(keys, self.end);
        let first = whole.times_secs.partition_point(|secs| *secs < self.from);
        let mut led = Keys {
            times_secs: whole.times_secs.get(..first).unwrap_or_default().to_vec(),
            values: whole.values.get(..3 * first).unwrap_or_default().to_vec(),
            interpolation: whole.interpolation,
        };
        if whole.times_secs.get(first).is_none_or(|secs| *secs > self.from) {
            led.times_secs.push(self.from);
            led.values.extend(whole.key_at(self.from));
        }
        let keys = whole.times_secs.iter().zip(whole.values.chunks_exact(3)).skip(first);
        for (&secs, key) in keys {
            let [into, value, out] = key else { continue };
            let (part, pace) = self.part(secs);
            let tangent = |tangent: &T| value.led_slope(tangent, end, start, part, pace);
            led.times_secs.push(secs);
            led.values.extend([tangent(into), value.led(end, start, part), tangent(out)]);
        }
        led
    }
}

/// What can be led along.
trait Led: Value {
    /// Moved by a part of the way from one value to another.
    fn led(&self, from: &Self, to: &Self, part: f64) -> Self;

    /// How fast that changes, if this does so at `slope` and the part at `pace`.
    fn led_slope(&self, slope: &Self, from: &Self, to: &Self, part: f64, pace: f64) -> Self;
}

impl Led for DVec3 {
    fn led(&self, from: &DVec3, to: &DVec3, part: f64) -> DVec3 {
        *self + (*to - *from) * part
    }

    fn led_slope(&self, slope: &DVec3, from: &DVec3, to: &DVec3, _: f64, pace: f64) -> DVec3 {
        *slope + (*to - *from) * pace
    }
}

impl Led for Vec<f64> {
    fn led(&self, from: &Vec<f64>, to: &Vec<f64>, part: f64) -> Vec<f64> {
        self.iter().zip(from.iter().zip(to)).map(|(value, (from, to))| value + (to - from) * part).collect()
    }

    fn led_slope(&self, slope: &Vec<f64>, from: &Vec<f64>, to: &Vec<f64>, _: f64, pace: f64) -> Vec<f64> {
        slope.led(from, to, pace)
    }
}

/// The turn from one rotation to another, the short way round.
fn turn(from: &DQuat, to: &DQuat) -> DQuat {
    let turn = to.finished() * from.finished().conjugate();
    if turn.w < 0.0 { -turn } else { turn }
}

impl Led for DQuat {
    fn led(&self, from: &DQuat, to: &DQuat, part: f64) -> DQuat {
        slerp(DQuat::IDENTITY, turn(from, to), part) * *self
    }

    fn led_slope(&self, slope: &DQuat, from: &DQuat, to: &DQuat, part: f64, pace: f64) -> DQuat {
        let turn = turn(from, to);
        let gone = slerp(DQuat::IDENTITY, turn, part);
        let axis = turn.xyz();
        let half_angle = axis.length().atan2(turn.w);
        let rate = axis.normalize_or_zero() * half_angle * pace;
        DQuat::from_xyzw(rate.x, rate.y, rate.z, 0.0) * gone * *self + gone * *slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drifting(interpolation: Interpolation) -> Motion {
        let vectors = |x: &[f64]| x.iter().map(|x| DVec3::new(*x, 1.0, 0.0)).collect::<Vec<_>>();
        let turns = |x: &[f64]| x.iter().map(|x| DQuat::from_rotation_y(*x)).collect::<Vec<_>>();
        let (x, times_secs): (&[f64], _) = (&[0.0, 1.0, 0.5, 0.75], vec![0.0, 1.0, 1.6, 2.0]);
        let spline = |x: &[f64]| x.iter().flat_map(|x| [0.3, *x, 0.3]).collect::<Vec<_>>();
        let mut motion = Motion { duration_secs: 2.0, frame_rate: Some(10.0), ..Motion::default() };
        let (translations, rotations) = match interpolation {
            Interpolation::CubicSpline => (
                vectors(&spline(x)),
                x.iter()
                    .flat_map(|x| {
                        [
                            DQuat::from_xyzw(0.0, 0.1, 0.0, 0.0),
                            DQuat::from_rotation_y(*x),
                            DQuat::from_xyzw(0.0, 0.1, 0.0, 0.0),
                        ]
                    })
                    .collect(),
            ),
            _ => (vectors(x), turns(x)),
        };
        motion.push(
            "root",
            Curve::Translation(Keys { times_secs: times_secs.clone(), values: translations, interpolation }),
        );
        motion.push("arm", Curve::Rotation(Keys { times_secs, values: rotations, interpolation }));
        motion
    }

    #[test]
    fn the_end_meets_the_start_and_the_rest_is_as_it_was() {
        for interpolation in [Interpolation::Linear, Interpolation::CubicSpline] {
            let before = drifting(interpolation);
            let mut after = before.clone();
            let did = close_seam(&mut after, 0.5, &|_| true).unwrap();
            assert_eq!(after.looped, Some(true));
            assert_eq!(did.figures[1].value, 0.75, "{did:?}");
            assert!((did.figures[2].value - 0.75).abs() < 1e-12, "{did:?}");
            assert!(did.words.contains("0.75 units off (\"root\") and 0.75 rad off (\"arm\")"), "{}", did.words);
            for (was, is) in before.tracks.iter().zip(&after.tracks) {
                assert!(is.curve.times_secs().windows(2).all(|pair| pair[0] < pair[1]), "{:?}", is.curve.times_secs());
                assert_eq!(is.curve.interpolation(), interpolation);
                match (&was.curve, &is.curve) {
                    (Curve::Translation(was), Curve::Translation(is)) => {
                        assert!(is.at(2.0).unwrap().far_from(&is.at(0.0).unwrap()) < 1e-12);
                        for step in 0..150 {
                            let secs = f64::from(step) / 100.0;
                            assert!(was.at(secs).unwrap().far_from(&is.at(secs).unwrap()) < 1e-9, "{secs}");
                        }
                        // In the window it is moved by a part of the way.
                        let part: f64 = 0.5;
                        let moved = was.at(1.75).unwrap().x - 0.75 * part * part * (3.0 - 2.0 * part);
                        let off = if interpolation == Interpolation::Linear { 0.02 } else { 1e-9 };
                        assert!((is.at(1.75).unwrap().x - moved).abs() < off, "{interpolation:?}");
                    }
                    (Curve::Rotation(was), Curve::Rotation(is)) => {
                        assert!(is.at(2.0).unwrap().far_from(&is.at(0.0).unwrap()) < 1e-7);
                        for step in 0..150 {
                            let secs = f64::from(step) / 100.0;
                            assert!(was.at(secs).unwrap().far_from(&is.at(secs).unwrap()) < 2e-3, "{secs}");
                        }
                    }
                    _ => panic!(),
                }
            }
        }
    }

    #[test]
    fn slopes_of_turns_are_those_of_what_is_led() {
        let (from, to) =
            (DQuat::from_rotation_x(0.4), DQuat::from_euler(maquette_scene::glam::EulerRot::XYZ, 0.1, 0.9, -0.4));
        let value = |secs: f64| DQuat::from_rotation_z(0.7 * secs);
        let led = |secs: f64| value(secs).led(&from, &to, 0.3 + 0.5 * secs);
        let step = 1e-6;
        let slope = (value(step) - value(-step)) * (0.5 / step);
        let wanted = (led(step) - led(-step)) * (0.5 / step);
        let told = value(0.0).led_slope(&slope, &from, &to, 0.3, 0.5);
        assert!((told - wanted).length() < 1e-8, "{told} {wanted}");
    }

    #[test]
    fn bones_can_be_left_and_frames_are_kept() {
        let mut motion = Motion { on_frames: true, ..drifting(Interpolation::Linear) };
        let before = motion.clone();
        close_seam(&mut motion, 0.33, &|bone| bone != "root").unwrap();
        assert_eq!(motion.tracks[0], before.tracks[0]);
        let frames = motion.tracks[1].curve.times_secs().iter().map(|secs| secs * 10.0);
        assert!(frames.clone().all(|frame| (frame - frame.round()).abs() < 1e-9));
        assert_eq!(frames.map(|frame| frame.round()).collect::<Vec<_>>(), [0.0, 10.0, 16.0, 17.0, 18.0, 19.0, 20.0]);
        for secs in [0.0, -1.0, 2.5, f64::NAN, f64::INFINITY] {
            assert!(close_seam(&mut motion, secs, &|_| true).is_err(), "{secs}");
        }
    }
}
