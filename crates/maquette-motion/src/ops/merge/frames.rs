//! One frame rate for clips of several: one on whose frames all their keys lie, where there is one.

use super::super::rate;
use super::super::resample::resample;
use crate::{Did, Figure, Motion, Refusal};

/// Rates beyond this are no frames that anybody has.
const MOST: f64 = 1000.0;

/// What became of the frames of the clips that are merged.
#[derive(Default)]
pub(super) struct Frames {
    /// The new rate, where it is another one than that of the first clip.
    rate: Option<f64>,
    /// Clips whose keys are at other moments now.
    resampled: u32,
    /// How far off these are, at most.
    errors: Vec<Figure>,
}

/// Gives all clips the lowest multiple of the rate of the first on whose frames the keys of all lie. Where there is none, and the first is on frames, the others are resampled to its rate; where
/// it need not be, it has no frames any longer.
pub(super) fn share(first: &mut Motion, others: &mut [Motion]) -> Result<Frames, Refusal> {
    let mut shared = Frames::default();
    let Some(own) = first.frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite()) else { return Ok(shared) };
    let multiples = (1..).map(|times| own * f64::from(times)).take_while(|rate| *rate <= MOST || *rate == own);
    let all_on = |rate: &f64| others.iter().all(|other| is_on_frames(other, *rate));
    let common = multiples.into_iter().find(all_on).map(rate::stored).transpose()?;
    match common {
        Some(rate) => {
            shared.rate = Some(rate).filter(|_| rate != own);
            first.frame_rate = Some(rate);
        }
        None if first.on_frames => {
            for other in others.iter_mut().filter(|other| !is_on_frames(other, own)) {
                other.on_frames = true;
                let did = resample(other, own)?;
                shared.resampled += 1;
                did.figures
                    .into_iter()
                    .filter(|figure| figure.what.starts_with("largest"))
                    .for_each(|figure| shared.add(figure));
            }
        }
        None => first.frame_rate = None,
    }
    Ok(shared)
}

fn is_on_frames(motion: &Motion, rate: f64) -> bool {
    let keys = motion.tracks.iter().flat_map(|track| track.curve.times_secs());
    let moments = keys.copied().chain(motion.events.iter().map(|event| event.time_secs)).chain([motion.duration_secs]);
    moments.into_iter().all(|secs| rate::frame_before(secs, rate) == rate::frame_after(secs, rate))
}

impl Frames {
    fn add(&mut self, figure: Figure) {
        match self.errors.iter_mut().find(|known| known.what == figure.what) {
            Some(known) => known.value = known.value.max(figure.value),
            None => self.errors.push(figure),
        }
    }

    /// Says so.
    pub fn tell(self, mut did: Did) -> Did {
        if let Some(rate) = self.rate {
            did.words += &format!("; has {}, on which all keys lie", rate::shown(rate));
        }
        if self.resampled > 0 {
            did = did.with("clips resampled to its frame rate", f64::from(self.resampled), "");
        }
        did.figures.extend(self.errors);
        did
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Curve, Keys};
    use maquette_scene::glam::DVec3;

    fn clip(rate: f64, frames: &[f64]) -> Motion {
        let end = frames.last().unwrap() / rate;
        let mut motion = Motion { frame_rate: Some(rate), on_frames: true, duration_secs: end, ..Motion::default() };
        let keys = frames.iter().map(|frame| (frame / rate, DVec3::X * *frame * *frame));
        motion.push("hip", Curve::Translation(Keys::straight(keys)));
        motion
    }

    #[test]
    fn a_multiple_that_holds_all_keys_is_taken() {
        for (own, other, wanted) in
            [(24.0, 120.0, 120.0), (30.0, 24.0, 120.0), (29.97, 59.94, 59.94), (60.0, 30.0, 60.0)]
        {
            let (mut first, mut others) = (clip(own, &[0.0, 7.0]), vec![clip(other, &[0.0, 1.0, 3.0])]);
            let (before, times) = (others.clone(), first.tracks.clone());
            let told = share(&mut first, &mut others).unwrap().tell(Did::default());
            assert_eq!((first.frame_rate, &others, first.tracks), (Some(wanted), &before, times), "{own} {other}");
            assert!(told.figures.is_empty(), "{told:?}");
        }
    }

    #[test]
    fn what_no_multiple_holds_is_resampled_and_told() {
        let (mut first, mut others) = (clip(30.0, &[0.0, 7.0]), vec![clip(23.976, &[0.0, 1.0, 3.0, 4.0])]);
        let told = share(&mut first, &mut others).unwrap().tell(Did::default());
        let whats: Vec<_> = told.figures.iter().map(|figure| figure.what).collect();
        assert_eq!(whats, ["clips resampled to its frame rate", "largest error of a translation"]);
        assert!(is_on_frames(&others[0], 30.0));
        let (mut free, mut others) =
            (Motion { on_frames: false, ..clip(30.0, &[0.0, 7.0]) }, vec![clip(23.976, &[0.0, 1.0])]);
        let before = others.clone();
        share(&mut free, &mut others).unwrap();
        assert_eq!((free.frame_rate, others), (None, before), "keys may lie anywhere");
    }
}
