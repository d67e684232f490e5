//! What happens between two moments of a clip: footsteps, sounds, hits.

use crate::clip::Clip;

/// Something that happens at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// In seconds from the start of the clip.
    pub time_secs: f32,
    /// What the program is to do or to show: `footstep`.
    pub name: String,
}

/// A stretch of a clip that was played: from a moment, not including it, to another, including it. Backwards where the second is earlier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Where it began.
    pub from_secs: f32,
    /// Where it ended.
    pub to_secs: f32,
    /// How often the end of the clip was passed between, and its start (backwards: the start, and its end).
    pub seams: u32,
    /// Whether time ran backwards.
    pub is_backwards: bool,
    /// Whether the moment where it began belongs to it: nothing was played up to there before.
    pub has_start: bool,
}

/// More rounds of a clip than this in one step tell nothing new, and are told as this many.
pub const MAX_ROUNDS: u32 = 64;

impl Clip {
    /// What happens in a stretch, in the order in which it does.
    pub fn events_in(&self, stretch: Stretch) -> impl Iterator<Item = &Event> {
        let duration = self.duration_secs();
        let last = stretch.seams.min(MAX_ROUNDS);
        (0..=last).flat_map(move |round| {
            let (first_edge, last_edge) = match stretch.is_backwards {
                false => (0.0, duration),
                true => (duration, 0.0),
            };
            let (from, has_from) = match round {
                0 => (stretch.from_secs, stretch.has_start),
                _ => (first_edge, true),
            };
            let to = if round < last { last_edge } else { stretch.to_secs };
            self.events_of_round(from, has_from, to, stretch.is_backwards)
        })
    }

    /// Those from one moment to another, which belongs to them.
    fn events_of_round(&self, from: f32, has_from: bool, to: f32, is_backwards: bool) -> impl Iterator<Item = &Event> {
        let (low, has_low, high, has_high) =
            if is_backwards { (to, true, from, has_from) } else { (from, has_from, to, true) };
        let events = self.events();
        let first = events.partition_point(|event| event.time_secs < low || (!has_low && event.time_secs == low));
        let end = events.partition_point(|event| event.time_secs < high || (has_high && event.time_secs == high));
        let some = events.get(first..end).unwrap_or_default();
        let (forwards, backwards) = match is_backwards {
            false => (Some(some.iter()), None),
            true => (None, Some(some.iter().rev())),
        };
        forwards.into_iter().flatten().chain(backwards.into_iter().flatten())
    }
}
