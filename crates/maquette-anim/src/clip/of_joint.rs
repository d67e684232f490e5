//! What moves one joint, taken out of a clip.

use super::{Clip, Interpolation, Track, Tracks};
use glam::Vec4;

impl Clip {
    /// What moves one joint, as a clip of joint 0 alone; without events and morph weights.
    pub fn of_joint(&self, joint: u32) -> Clip {
        let mut own = Clip { name: self.name.clone(), duration_secs: self.duration_secs, ..Clip::default() };
        own.translations = self.tracks_of_joint(&self.translations, joint, &mut own);
        own.rotations = self.tracks_of_joint(&self.rotations, joint, &mut own);
        if let [only] = *own.rotations.single {
            own.rotations.single = vec![only; 4];
        }
        own.scales = self.tracks_of_joint(&self.scales, joint, &mut own);
        own
    }

    /// The track of one property, its keys added to another clip.
    fn tracks_of_joint(&self, tracks: &Tracks, joint: u32, own: &mut Clip) -> Tracks {
        let mut found = Tracks::default();
        if let Some((_, value)) = tracks.still.iter().find(|(moved, _)| *moved == joint) {
            found.still.push((0, *value));
        }
        if let Some(track) = self.run_tracks(tracks).chain(tracks.single.iter().copied()).find(|it| it.joint == joint) {
            found.single.extend(self.copied(&track, own));
        }
        if let Some(track) = tracks.splines.iter().find(|track| track.joint == joint) {
            found.splines.extend(self.copied(track, own));
        }
        found
    }

    /// The tracks of all runs, one by one.
    fn run_tracks<'c>(&'c self, tracks: &'c Tracks) -> impl Iterator<Item = Track> + 'c {
        let places = tracks.runs.iter().flat_map(|run| (0..run.count).map(|slot| (run.timeline, run.first + slot)));
        places.zip(&tracks.joints).map(|((timeline, first), &joint)| Track { joint, timeline, first })
    }

    fn copied(&self, track: &Track, own: &mut Clip) -> Option<Track> {
        let timeline = *self.timelines.get(track.timeline as usize)?;
        let times = self.times.get(timeline.first as usize..)?.get(..=timeline.key_count as usize)?;
        let per_key = if timeline.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let copy = Track { joint: 0, timeline: own.timelines.len() as u32, first: own.values.len() as u32 };
        own.timelines.push(super::Timeline { first: own.times.len() as u32, stride: per_key, ..timeline });
        own.times.extend_from_slice(times);
        let rows = self.values.get(track.first as usize..)?.chunks(timeline.stride.max(1) as usize);
        let values: Vec<&[Vec4]> = rows.filter_map(|row| row.get(..per_key as usize)).collect();
        own.values.extend(values.into_iter().take(timeline.key_count as usize).flatten());
        Some(copy)
    }
}
