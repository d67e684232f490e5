//! Several clips at once: channels that play, each with a weight, and fades from one to another.
//!
//! Channels on the base share a joint by their weights: twice the weight is twice the influence, whatever the sum. A joint that no channel
//! moves stays at rest. Additive channels come after, in their order, each adding its part. A mask gives each joint a part of the weight.
//!
//! All that playing needs is allocated when the mixer is made.

mod fade;
#[cfg(test)]
mod tests;

pub use fade::Easing;

use crate::clip::{Clip, Cursor};
use crate::events::{Event, Stretch};
use crate::skeleton::Skeleton;
use crate::transform::Transform;
use fade::Fade;

/// How a channel comes to a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// It shares the pose with the others on the base.
    #[default]
    Base,
    /// Its clip holds differences, which are added to what is there: see [`Transform::with_added`].
    Additive,
}

/// What plays: set these fields at any time.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Which of the clips.
    pub clip: usize,
    /// Whether time goes on.
    pub is_playing: bool,
    /// Whether it begins anew at its end; otherwise it stays there.
    pub is_looping: bool,
    /// Where it is, in seconds.
    pub time_secs: f32,
    /// Seconds of the clip for each second; backwards below 0.
    pub speed: f32,
    /// How much of it; 0 or less is nothing.
    pub weight: f32,
    /// How it comes to the pose.
    pub layer: Layer,
    /// How much of its weight each joint gets; joints beyond its end get none. Without one all get all.
    pub mask: Option<Vec<f32>>,
}

impl Default for Channel {
    fn default() -> Self {
        Channel {
            clip: 0,
            is_playing: false,
            is_looping: false,
            time_secs: 0.0,
            speed: 1.0,
            weight: 0.0,
            layer: Layer::Base,
            mask: None,
        }
    }
}

impl Channel {
    /// Lets time go on, and tells what was played.
    fn advance(&mut self, clip: &Clip, delta_secs: f32, told_to: &mut Option<f32>) -> Option<Stretch> {
        let (from_secs, duration) = (self.time_secs, clip.duration_secs());
        let step = delta_secs * self.speed;
        let moves = self.is_playing && step.is_finite() && step != 0.0;
        if !moves {
            return None;
        }
        let reached = from_secs + step;
        let mut seams = 0;
        self.time_secs = if !self.is_looping || duration <= 0.0 {
            reached.clamp(0.0, duration.max(0.0))
        } else if (0.0..=duration).contains(&reached) {
            reached
        } else {
            seams = (reached / duration).floor().abs().min(u32::MAX as f32) as u32;
            reached.rem_euclid(duration)
        };
        let has_start = told_to.replace(self.time_secs) != Some(from_secs);
        Some(Stretch { from_secs, to_secs: self.time_secs, seams, is_backwards: step < 0.0, has_start })
    }

    /// How much a joint gets.
    fn weight_of(&self, joint: usize) -> f32 {
        let part = self.mask.as_ref().map_or(1.0, |mask| mask.get(joint).copied().unwrap_or(0.0));
        self.weight * part
    }
}

/// Channels of clips for one skeleton.
#[derive(Clone, Debug)]
pub struct Mixer {
    channels: Vec<Channel>,
    cursors: Vec<Cursor>,
    played: Vec<Option<Stretch>>,
    /// Up to where the events of each channel have been told; what begins elsewhere begins anew.
    told_to: Vec<Option<f32>>,
    fade: Option<Fade>,
    sampled: Vec<Transform>,
    /// For each joint the sum of the weights so far.
    totals: Vec<f32>,
    /// Of morph targets: at rest, and in one channel.
    rest_weights: Vec<f32>,
    sampled_weights: Vec<f32>,
}

impl Mixer {
    /// Channels that are still: nothing plays and nothing has weight.
    pub fn new(skeleton: &Skeleton, clips: &[Clip], channel_count: usize) -> Mixer {
        let most_targets = clips.iter().map(Clip::morph_target_count).max().unwrap_or(0);
        Mixer {
            channels: vec![Channel::default(); channel_count],
            cursors: vec![Cursor::for_any(clips); channel_count],
            played: vec![None; channel_count],
            told_to: vec![None; channel_count],
            fade: None,
            sampled: skeleton.rest().to_vec(),
            totals: vec![0.0; skeleton.joint_count()],
            rest_weights: Vec::with_capacity(most_targets),
            sampled_weights: Vec::with_capacity(most_targets),
        }
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The channels, to be set.
    pub fn channels_mut(&mut self) -> &mut [Channel] {
        &mut self.channels
    }

    /// Gives a channel of the base all weight at once, and ends a fade.
    pub fn cut_to(&mut self, channel: usize) {
        self.fade = None;
        for (index, other) in self.channels.iter_mut().enumerate().filter(|(_, other)| other.layer == Layer::Base) {
            other.weight = if index == channel { 1.0 } else { 0.0 };
        }
    }

    /// Gives a channel of the base all weight, little by little, and takes it from the others.
    pub fn fade_to(&mut self, channel: usize, fade_secs: f32, easing: Easing) {
        if let Some(target) = self.channels.get(channel) {
            self.fade = Some(Fade::new(channel, target.weight, fade_secs, easing));
        }
    }

    /// Whether a fade goes on.
    pub fn is_fading(&self) -> bool {
        self.fade.is_some()
    }

    /// Lets time go on and makes the pose.
    pub fn update(&mut self, skeleton: &Skeleton, clips: &[Clip], delta_secs: f32, pose: &mut [Transform]) {
        self.advance(clips, delta_secs);
        self.pose(skeleton, clips, pose);
    }

    /// Lets time go on.
    pub fn advance(&mut self, clips: &[Clip], delta_secs: f32) {
        for ((channel, played), told_to) in self.channels.iter_mut().zip(&mut self.played).zip(&mut self.told_to) {
            *played = clips.get(channel.clip).and_then(|clip| channel.advance(clip, delta_secs, told_to));
        }
        if let Some(fade) = &mut self.fade
            && !fade.advance(delta_secs, &mut self.channels)
        {
            self.fade = None;
        }
    }

    /// Makes the pose of now.
    pub fn pose(&mut self, skeleton: &Skeleton, clips: &[Clip], pose: &mut [Transform]) {
        let rest = skeleton.rest();
        pose.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.sampled.resize(rest.len(), Transform::IDENTITY);
        self.totals.resize(rest.len(), 0.0);
        self.totals.fill(0.0);
        for layer in [Layer::Base, Layer::Additive] {
            let own = self.channels.iter().zip(&mut self.cursors).filter(|(channel, _)| channel.layer == layer);
            for (channel, cursor) in own.filter(|(channel, _)| channel.weight > 0.0) {
                let Some(clip) = clips.get(channel.clip) else { continue };
                match layer {
                    Layer::Base => {
                        self.sampled.copy_from_slice(rest);
                        clip.sample(cursor, channel.time_secs, &mut self.sampled);
                        share(channel, &self.sampled, &mut self.totals, pose);
                    }
                    Layer::Additive => {
                        self.sampled.fill(Transform::IDENTITY);
                        clip.sample(cursor, channel.time_secs, &mut self.sampled);
                        add(channel, &self.sampled, pose);
                    }
                }
            }
        }
    }

    /// Mixes how much there is of each morph target of a mesh into what is there, which is the rest: channels of the base share by their weights, one that does not move the mesh rests; additive ones
    /// add theirs. Clips are where [`Mixer::pose`] left them.
    pub fn morph_weights(&mut self, clips: &[Clip], mesh: u32, weights: &mut [f32]) {
        let mut total = 0.0;
        self.rest_weights.clear();
        self.rest_weights.extend_from_slice(weights);
        for layer in [Layer::Base, Layer::Additive] {
            let own = self.channels.iter().zip(&self.cursors).filter(|(channel, _)| channel.layer == layer);
            for (channel, cursor) in own.filter(|(channel, _)| channel.weight > 0.0) {
                let Some(clip) = clips.get(channel.clip) else { continue };
                self.sampled_weights.clear();
                match layer {
                    Layer::Base => self.sampled_weights.extend_from_slice(&self.rest_weights),
                    Layer::Additive => self.sampled_weights.resize(weights.len(), 0.0),
                }
                clip.morph_weights(cursor, mesh, &mut self.sampled_weights);
                let part = match layer {
                    Layer::Base => {
                        total += channel.weight;
                        channel.weight / total
                    }
                    Layer::Additive => channel.weight,
                };
                for (weight, sampled) in weights.iter_mut().zip(&self.sampled_weights) {
                    *weight += match layer {
                        Layer::Base => (sampled - *weight) * part,
                        Layer::Additive => sampled * part,
                    };
                }
            }
        }
    }

    /// What happened in the last step, channel by channel, each in the order of its time; only in channels that can be seen.
    pub fn events<'m>(&'m self, clips: &'m [Clip]) -> impl Iterator<Item = (usize, &'m Event)> {
        let channels = self.channels.iter().zip(&self.played).enumerate();
        channels.filter(|(_, (channel, _))| channel.weight > 0.0).flat_map(|(index, (channel, played))| {
            let played = clips.get(channel.clip).zip(*played);
            played.into_iter().flat_map(|(clip, stretch)| clip.events_in(stretch)).map(move |event| (index, event))
        })
    }

    /// What a channel played in the last step.
    pub fn played(&self, channel: usize) -> Option<Stretch> {
        self.played.get(channel).copied().flatten()
    }
}

/// Gives a channel its share of each joint.
fn share(channel: &Channel, sampled: &[Transform], totals: &mut [f32], pose: &mut [Transform]) {
    let joints = sampled.iter().zip(totals).zip(pose).enumerate();
    for (joint, ((sampled, total), pose)) in joints {
        let weight = channel.weight_of(joint);
        if weight > 0.0 {
            *total += weight;
            *pose = if *total == weight { *sampled } else { pose.between(sampled, weight / *total) };
        }
    }
}

fn add(channel: &Channel, differences: &[Transform], pose: &mut [Transform]) {
    for (joint, (difference, pose)) in differences.iter().zip(pose).enumerate() {
        let weight = channel.weight_of(joint);
        if weight > 0.0 && *difference != Transform::IDENTITY {
            *pose = pose.with_added(difference, weight);
        }
    }
}
