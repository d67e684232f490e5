//! Where joints are at a moment of a clip.

use super::timeline::Place;
use super::{Clip, Track, Tracks};
use crate::slerp::slerp_four;
use crate::transform::Transform;
use glam::{Quat, Vec3A, Vec4};

/// Where a player is in a clip. It belongs to one clip; used with another it is as good as new.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    places: Vec<Place>,
}

impl Cursor {
    /// At the start of a clip. What it needs while playing is allocated here.
    pub fn new(clip: &Clip) -> Cursor {
        Cursor { places: vec![Place::default(); clip.timelines.len()] }
    }

    /// With room for any of these clips.
    pub fn for_any(clips: &[Clip]) -> Cursor {
        let most = clips.iter().map(|clip| clip.timelines.len()).max().unwrap_or(0);
        Cursor { places: vec![Place::default(); most] }
    }

    /// Moves to a moment of a clip; allocates only if that has more timelines than any before.
    fn seek(&mut self, clip: &Clip, secs: f32) {
        self.places.resize(clip.timelines.len(), Place::default());
        for (place, timeline) in self.places.iter_mut().zip(&clip.timelines) {
            let (first, count) = (timeline.first as usize, timeline.key_count as usize);
            let times = clip.times.get(first..).and_then(|times| times.get(..=count)).unwrap_or_default();
            place.seek(timeline, times, secs);
        }
    }
}

impl Clip {
    /// Moves the joints of a pose that the clip moves; the others stay as they are. Joints that the pose does not have are left out.
    ///
    /// Going on from where the cursor was takes constant time for each track, going anywhere else logarithmic time. Nothing is allocated.
    pub fn sample(&self, cursor: &mut Cursor, secs: f32, pose: &mut [Transform]) {
        cursor.seek(self, secs);
        let places = cursor.places.as_slice();
        for &(joint, value) in &self.translations.still {
            if let Some(transform) = pose.get_mut(joint as usize) {
                transform.translation = Vec3A::from_vec4(value);
            }
        }
        for &(joint, value) in &self.rotations.still {
            if let Some(transform) = pose.get_mut(joint as usize) {
                transform.rotation = Quat::from_vec4(value);
            }
        }
        for &(joint, value) in &self.scales.still {
            if let Some(transform) = pose.get_mut(joint as usize) {
                transform.scale = Vec3A::from_vec4(value);
            }
        }
        self.sample_runs(places, pose);
        for track in &self.translations.single {
            let value = self.straight(track, places);
            if let Some(transform) = pose.get_mut(track.joint as usize) {
                transform.translation = Vec3A::from_vec4(value);
            }
        }
        for track in &self.scales.single {
            let value = self.straight(track, places);
            if let Some(transform) = pose.get_mut(track.joint as usize) {
                transform.scale = Vec3A::from_vec4(value);
            }
        }
        for tracks in self.rotations.single.as_chunks().0 {
            self.turn_four(tracks, places, pose);
        }
        self.sample_splines(places, pose);
    }

    /// Tracks whose values lie side by side, with the widest vectors the processor has.
    fn sample_runs(&self, places: &[Place], pose: &mut [Transform]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has what the function asks for.
            return unsafe { avx::sample_runs(self, places, pose) };
        }
        self.sample_runs_with(places, pose, slerp_eight);
    }

    #[inline(always)]
    fn sample_runs_with(
        &self,
        places: &[Place],
        pose: &mut [Transform],
        slerp_eight: impl Fn(&[Vec4; 8], &[Vec4; 8], f32) -> [Vec4; 8],
    ) {
        for (joints, from, to, fraction) in self.runs(&self.translations, places) {
            let moved = |from: &[Vec4; 4], to: &[Vec4; 4]| straight_four(from, to, fraction);
            put(pose, joints, from, to, moved, |joint, value| joint.translation = Vec3A::from_vec4(value));
        }
        for (joints, from, to, fraction) in self.runs(&self.scales, places) {
            let scaled = |from: &[Vec4; 4], to: &[Vec4; 4]| straight_four(from, to, fraction);
            put(pose, joints, from, to, scaled, |joint, value| joint.scale = Vec3A::from_vec4(value));
        }
        for (joints, from, to, fraction) in self.runs(&self.rotations, places) {
            let turn = |joint: &mut Transform, value| joint.rotation = Quat::from_vec4(value);
            let eights = joints.len() / 8 * 8;
            let (Some((joints, last)), Some((from, last_from)), Some((to, last_to))) =
                (joints.split_at_checked(eights), from.split_at_checked(eights), to.split_at_checked(eights))
            else {
                continue;
            };
            put(pose, joints, from, to, |from, to| slerp_eight(from, to, fraction), turn);
            let fractions = Vec4::splat(fraction);
            put(pose, last, last_from, last_to, |from: &[Vec4; 4], to| slerp_four(*from, *to, fractions), turn);
        }
    }

    /// The joints of each run, their keys before and after the moment, and how far it is between them. Of rotations, what is beyond whole groups
    /// of four is among the single tracks.
    fn runs<'c>(
        &'c self,
        tracks: &'c Tracks,
        places: &'c [Place],
    ) -> impl Iterator<Item = (&'c [u32], &'c [Vec4], &'c [Vec4], f32)> {
        let mut joints = tracks.joints.as_slice();
        tracks.runs.iter().filter_map(move |run| {
            let (own, rest) = joints.split_at_checked(run.count as usize)?;
            joints = rest;
            let place = places.get(run.timeline as usize)?;
            let values = |at: u32| self.values.get((run.first + at) as usize..)?.get(..own.len());
            Some((own, values(place.from)?, values(place.to)?, place.fraction))
        })
    }

    /// The two keys around the moment, and how far it is between them.
    #[inline(always)]
    fn keys(&self, track: &Track, places: &[Place]) -> (Vec4, Vec4, f32) {
        let Some(place) = places.get(track.timeline as usize) else { return (Vec4::W, Vec4::W, 0.0) };
        let first = track.first as usize;
        let from = self.values.get(first + place.from as usize);
        let to = self.values.get(first + place.to as usize);
        let (Some(&from), Some(&to)) = (from, to) else { return (Vec4::W, Vec4::W, 0.0) };
        (from, to, place.fraction)
    }

    #[inline(always)]
    fn straight(&self, track: &Track, places: &[Place]) -> Vec4 {
        let (from, to, fraction) = self.keys(track, places);
        from + (to - from) * fraction
    }

    #[inline(always)]
    fn turn_four(&self, tracks: &[Track; 4], places: &[Place], pose: &mut [Transform]) {
        let [a, b, c, d] = tracks;
        let (a_from, a_to, a_part) = self.keys(a, places);
        let (b_from, b_to, b_part) = self.keys(b, places);
        let (c_from, c_to, c_part) = self.keys(c, places);
        let (d_from, d_to, d_part) = self.keys(d, places);
        let fractions = Vec4::new(a_part, b_part, c_part, d_part);
        let turned = slerp_four([a_from, b_from, c_from, d_from], [a_to, b_to, c_to, d_to], fractions);
        for (track, rotation) in tracks.iter().zip(turned) {
            if let Some(transform) = pose.get_mut(track.joint as usize) {
                transform.rotation = Quat::from_vec4(rotation);
            }
        }
    }

    fn sample_splines(&self, places: &[Place], pose: &mut [Transform]) {
        for track in &self.translations.splines {
            if let (Some(value), Some(transform)) = (self.curved(track, places), pose.get_mut(track.joint as usize)) {
                transform.translation = Vec3A::from_vec4(value);
            }
        }
        for track in &self.scales.splines {
            if let (Some(value), Some(transform)) = (self.curved(track, places), pose.get_mut(track.joint as usize)) {
                transform.scale = Vec3A::from_vec4(value);
            }
        }
        for track in &self.rotations.splines {
            let value = self.curved(track, places).and_then(Vec4::try_normalize);
            if let (Some(value), Some(transform)) = (value, pose.get_mut(track.joint as usize)) {
                transform.rotation = Quat::from_vec4(value);
            }
        }
    }

    fn curved(&self, track: &Track, places: &[Place]) -> Option<Vec4> {
        let place = places.get(track.timeline as usize)?;
        let first = track.first as usize;
        let [_, from, leaving] = *self.values.get(first + place.from as usize..)?.first_chunk()?;
        let [arriving, to, _] = *self.values.get(first + place.to as usize..)?.first_chunk()?;
        let [from_part, leaving_part, to_part, arriving_part] = hermite(place.fraction, place.span_secs);
        Some(from * from_part + leaving * leaving_part + to * to_part + arriving * arriving_part)
    }

    /// The weights of the morph targets of a mesh, as many as there is room for; `false` where the clip does not morph it, and nothing is changed.
    /// The cursor is where [`Clip::sample`] left it.
    pub fn morph_weights(&self, cursor: &Cursor, mesh: u32, weights: &mut [f32]) -> bool {
        let Some(morphs) = self.morphs.iter().find(|morphs| morphs.mesh == mesh) else { return false };
        let Some(place) = cursor.places.get(morphs.timeline as usize) else { return false };
        let Some(timeline) = self.timelines.get(morphs.timeline as usize) else { return false };
        let targets = morphs.target_count as usize;
        let values = |at: u32, nth: usize| {
            let start = morphs.first as usize + at as usize + nth * targets;
            self.morph_weights.get(start..).and_then(|rest| rest.get(..targets)).unwrap_or_default()
        };
        if timeline.stride as usize == 3 * targets {
            let [from_part, leaving_part, to_part, arriving_part] = hermite(place.fraction, place.span_secs);
            let (from, leaving) = (values(place.from, 1), values(place.from, 2));
            let (arriving, to) = (values(place.to, 0), values(place.to, 1));
            let all = weights.iter_mut().zip(from).zip(leaving).zip(to).zip(arriving);
            for ((((weight, from), leaving), to), arriving) in all {
                *weight = from * from_part + leaving * leaving_part + to * to_part + arriving * arriving_part;
            }
        } else {
            for ((weight, from), to) in weights.iter_mut().zip(values(place.from, 0)).zip(values(place.to, 0)) {
                *weight = from + (to - from) * place.fraction;
            }
        }
        true
    }
}

/// Gives joints their values, some at once. Joints that follow each other are gone through as they lie.
#[inline(always)]
fn put<const N: usize>(
    pose: &mut [Transform],
    joints: &[u32],
    from: &[Vec4],
    to: &[Vec4],
    between: impl Fn(&[Vec4; N], &[Vec4; N]) -> [Vec4; N],
    put: impl Fn(&mut Transform, Vec4),
) {
    let groups = from.as_chunks().0.iter().zip(to.as_chunks().0);
    match row(pose, joints) {
        Some(row) => {
            for (transforms, (from, to)) in row.as_chunks_mut::<N>().0.iter_mut().zip(groups) {
                transforms.iter_mut().zip(between(from, to)).for_each(|(transform, value)| put(transform, value));
            }
        }
        None => {
            for (joints, (from, to)) in joints.as_chunks::<N>().0.iter().zip(groups) {
                for (&joint, value) in joints.iter().zip(between(from, to)) {
                    pose.get_mut(joint as usize).into_iter().for_each(|transform| put(transform, value));
                }
            }
        }
    }
}

/// The transforms of joints that follow each other, if they do; the joints of a run rise.
#[inline(always)]
fn row<'p>(pose: &'p mut [Transform], joints: &[u32]) -> Option<&'p mut [Transform]> {
    let (first, last) = (*joints.first()? as usize, *joints.last()? as usize);
    (last - first + 1 == joints.len()).then(|| pose.get_mut(first..=last))?
}

#[inline(always)]
fn straight_four(from: &[Vec4; 4], to: &[Vec4; 4], fraction: f32) -> [Vec4; 4] {
    let [a, b, c, d] = *from;
    let [e, f, g, h] = *to;
    [a + (e - a) * fraction, b + (f - b) * fraction, c + (g - c) * fraction, d + (h - d) * fraction]
}

#[inline(always)]
fn slerp_eight(from: &[Vec4; 8], to: &[Vec4; 8], fraction: f32) -> [Vec4; 8] {
    let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) = (*from, *to);
    let fractions = Vec4::splat(fraction);
    let [q, r, s, t] = slerp_four([a, b, c, d], [i, j, k, l], fractions);
    let [u, v, w, x] = slerp_four([e, f, g, h], [m, n, o, p], fractions);
    [q, r, s, t, u, v, w, x]
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Clip, Place, Transform};
    use crate::slerp::avx::slerp_eight;
    use glam::Vec4;

    #[target_feature(enable = "avx")]
    pub fn sample_runs(clip: &Clip, places: &[Place], pose: &mut [Transform]) {
        let slerp = |from: &[Vec4; 8], to: &[Vec4; 8], fraction: f32| slerp_eight(from, to, fraction);
        clip.sample_runs_with(places, pose, slerp);
    }
}

/// What each of the value before, the tangent leaving it, the value after and the tangent arriving there counts.
fn hermite(fraction: f32, span_secs: f32) -> [f32; 4] {
    let (t, t2) = (fraction, fraction * fraction);
    let t3 = t2 * t;
    [2.0 * t3 - 3.0 * t2 + 1.0, (t3 - 2.0 * t2 + t) * span_secs, 3.0 * t2 - 2.0 * t3, (t3 - t2) * span_secs]
}
