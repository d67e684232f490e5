//! When keys are, and where a moment lies between them.
//!
//! Tracks whose keys are at the same moments share a timeline, so that a moment is looked for once for all of them. Their values lie
//! together, key by key: all that is needed of one moment are two stretches of memory.

use super::Interpolation;

/// The moments of the keys of some tracks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeline {
    /// The first of its moments among those of the clip.
    pub first: u32,
    /// How many moments there are; at least one. After the last comes infinity.
    pub key_count: u32,
    /// Values between one key of a track and its next.
    pub stride: u32,
    /// How to get from one key to the next.
    pub interpolation: Interpolation,
}

/// Where a moment is on a timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    /// The key before it, or the first.
    key: u32,
    /// Values from the first key to that one.
    pub from: u32,
    /// Values from the first key to the one after it.
    pub to: u32,
    /// From 0 at the key before to 1 at the key after it.
    pub fraction: f32,
    /// Seconds between the two; 0 at the ends.
    pub span_secs: f32,
}

impl Place {
    /// Moves to another moment: in constant time if that is where it was or a little later, else in logarithmic time; constant, too, where
    /// keys are about equally far apart. After the times comes infinity.
    #[inline(always)]
    pub fn seek(&mut self, timeline: &Timeline, times: &[f32], secs: f32) {
        let key = self.key as usize;
        // Whether a key was passed is anybody's guess, the processor's too: no branch hangs on it.
        let is_passed = times.get(key + 1).is_some_and(|&next| secs >= next);
        self.key += u32::from(is_passed);
        let around = times.get(self.key as usize..).and_then(|rest| rest.first_chunk());
        match around {
            Some(&[here, next]) if here <= secs && secs < next => self.between(timeline, here, next, secs),
            _ => self.search(timeline, times, secs),
        }
    }

    #[inline(always)]
    fn between(&mut self, timeline: &Timeline, here: f32, next: f32, secs: f32) {
        let last = (timeline.key_count - 1) * timeline.stride;
        self.from = self.key * timeline.stride;
        self.to = (self.from + timeline.stride).min(last);
        let span_secs = next - here;
        let fraction = (secs - here) / span_secs;
        self.span_secs = if span_secs < f32::INFINITY { span_secs } else { 0.0 };
        self.fraction = if timeline.interpolation == Interpolation::Step { 0.0 } else { fraction };
    }

    #[inline(never)]
    fn search(&mut self, timeline: &Timeline, times: &[f32], secs: f32) {
        let [keys @ .., _] = times else { return };
        let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return };
        // No moment at all is the first, too.
        if secs.is_nan() || secs < first {
            self.key = 0;
            return self.between(timeline, first, f32::INFINITY, first);
        }
        let guess = ((secs - first) / (last - first) * (keys.len() - 1) as f32) as usize;
        let key = last_not_after(keys, guess.min(keys.len() - 1), secs);
        self.key = key as u32;
        if let Some(&[here, next]) = times.get(key..).and_then(|rest| rest.first_chunk()) {
            self.between(timeline, here, next, secs.min(f32::MAX));
        }
    }
}

/// The last key that is not after a moment, which is not before the first; looked for around a guess in growing steps.
fn last_not_after(times: &[f32], guess: usize, secs: f32) -> usize {
    let is_not_after = |key: usize| times.get(key).is_some_and(|&time| time <= secs);
    let (mut low, mut high, mut step) = (guess, guess, 1);
    while low > 0 && !is_not_after(low) {
        high = low;
        low = low.saturating_sub(step);
        step *= 2;
    }
    step = 1;
    while is_not_after(high) {
        low = high;
        high += step;
        step *= 2;
    }
    let high = high.min(times.len());
    let between = times.get(low..high).unwrap_or_default();
    low + between.partition_point(|&time| time <= secs).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seen(times: &[f32], place: &mut Place, secs: f32) -> (u32, f32) {
        let timeline =
            Timeline { first: 0, key_count: times.len() as u32, stride: 3, interpolation: Interpolation::Linear };
        let times: Vec<f32> = times.iter().copied().chain([f32::INFINITY]).collect();
        place.seek(&timeline, &times, secs);
        assert_eq!(place.from, place.key * 3);
        assert!(place.to == place.from || place.to == place.from + 3);
        (place.key, place.fraction)
    }

    #[test]
    fn a_moment_is_between_two_keys_or_at_an_end() {
        let times = [1.0, 2.0, 4.0];
        let expected = [
            (0.0, (0, 0.0)),
            (1.0, (0, 0.0)),
            (1.5, (0, 0.5)),
            (2.0, (1, 0.0)),
            (3.0, (1, 0.5)),
            (4.0, (2, 0.0)),
            (9.0, (2, 0.0)),
        ];
        for (from, _) in expected {
            for (secs, there) in expected {
                let mut place = Place::default();
                seen(&times, &mut place, from);
                assert_eq!(seen(&times, &mut place, secs), there, "{from} to {secs}");
            }
        }
        assert_eq!(seen(&times, &mut Place::default(), f32::NAN), (0, 0.0));
        assert_eq!(seen(&times, &mut Place::default(), f32::INFINITY), (2, 0.0));
        assert_eq!(seen(&times, &mut Place::default(), f32::NEG_INFINITY), (0, 0.0));
        assert_eq!(seen(&[5.0], &mut Place::default(), 7.0), (0, 0.0));
        assert_eq!(seen(&[5.0, 5.0, 6.0], &mut Place::default(), 5.0), (1, 0.0));
    }

    proptest! {
        #[test]
        fn from_anywhere_to_anywhere(mut times in prop::collection::vec(0.0f32..10.0, 1..40), moments in prop::collection::vec(-1.0f32..11.0, 1..20)) {
            times.sort_by(f32::total_cmp);
            times.dedup();
            let mut place = Place::default();
            for secs in moments {
                let (key, _) = seen(&times, &mut place, secs);
                let expected = times.partition_point(|&time| time <= secs).saturating_sub(1);
                prop_assert_eq!(key as usize, expected);
            }
        }
    }
}
