//! Four animations at once: channels that a program sets as it likes, mixed by their weights in pairs, and fades from one to another.
//!
//! The rules are the reference's: channels 0 and 1 are mixed by the ratio of their weights, channels 2 and 3, and then both mixtures; a channel beyond the fourth goes on in time and is not seen.
//! Whatever is in a channel, an update ends: numbers that are none count as 0.

mod channel;
mod fade;

use crate::handle::OutMatrices;
use crate::layout::Channel;
use crate::lent::Lent;
use crate::model::Model;
use crate::play::{inverse_bind, place, put_bind_pose, put_palette};
use channel::{advance, weight};
use fade::Fade;
use glam::Mat4;
use maquette_anim::Transform;
use maquette_anim::clip::Cursor;

/// As many are mixed.
const SEEN: usize = 4;
/// The most channels; more than anybody uses.
const MOST_CHANNELS: u32 = 1 << 16;

/// Plays one instance of a model.
pub struct Mixer {
    joint_count: usize,
    channels: Lent<Channel>,
    pub is_enabled: bool,
    pub blend_speed: f32,
    /// As C said it; what is unknown is linear.
    pub blend_mode: u32,
    fade: Option<Fade>,
    cursors: [Cursor; SEEN],
    /// The first mixture, the second, and what is mixed into one.
    poses: [Vec<Transform>; 3],
    /// Of the last update; nothing before the first.
    model_from_joint: Vec<Mat4>,
}

impl Mixer {
    /// Disabled, and set to show the first animation; `None` for more channels than there is memory for.
    pub fn new(joint_count: u32, channel_count: u32) -> Option<Mixer> {
        let mut channels = Vec::new();
        channels.try_reserve_exact(Some(channel_count).filter(|count| *count <= MOST_CHANNELS)? as usize).ok()?;
        channels.extend((0..channel_count).map(channel::at_first));
        Some(Mixer {
            joint_count: joint_count as usize,
            channels: Lent::new(channels),
            is_enabled: false,
            blend_speed: 1.0,
            blend_mode: fade::SMOOTH,
            fade: None,
            cursors: Default::default(),
            poses: Default::default(),
            model_from_joint: Vec::new(),
        })
    }

    pub fn channels(&self) -> &Lent<Channel> {
        &self.channels
    }

    /// Gives a channel all weight at once, and ends a fade.
    pub fn cut_to(&mut self, channel: u32) {
        if (channel as usize) < self.channels.len() {
            self.fade = None;
            fade::give_all_to(channel as usize, &self.channels);
        }
    }

    /// Gives a channel all weight, little by little.
    pub fn blend_to(&mut self, channel: u32) {
        if let Some(target) = self.channels.get(channel as usize) {
            self.fade = Some(Fade::new(channel as usize, weight(&target)));
        }
    }

    /// Lets time go on and writes the palette; the bind pose while disabled.
    pub fn update(&mut self, model: &Model, delta_secs: f32, out: OutMatrices<'_>) {
        let joint_count = self.joint_count.min(model.joints().len());
        if !self.is_enabled {
            return put_bind_pose(joint_count, out);
        }
        for (index, mut channel) in self.channels.iter().enumerate() {
            if let Some(duration_secs) = model.duration_secs(channel.animation_index) {
                advance(&mut channel, duration_secs, delta_secs);
                self.channels.set(index, channel);
            }
        }
        if let Some(fade) = &mut self.fade
            && !fade.advance(delta_secs * self.blend_speed, self.blend_mode, &self.channels)
        {
            self.fade = None;
        }
        if !self.mix(model) {
            self.model_from_joint.clear();
            return put_bind_pose(joint_count, out);
        }
        let [pose, ..] = &self.poses;
        place(model, pose, &mut self.model_from_joint);
        put_palette(model, self.model_from_joint.get(..joint_count).unwrap_or_default(), out);
    }

    /// Where a joint was in the last update; where it was bound, before any and while disabled.
    pub fn joint_transform(&self, model: &Model, joint: u32) -> Mat4 {
        let placed = self.model_from_joint.get(joint as usize).filter(|_| self.is_enabled);
        let bound = || {
            let inverse = inverse_bind(&model.joints().get(joint as usize)?);
            Some(inverse.inverse()).filter(|bound| bound.is_finite())
        };
        placed.copied().or_else(bound).unwrap_or(Mat4::IDENTITY)
    }

    /// Mixes the pose of now into the first of the poses; `false` where no channel has an animation that exists. Where none has weight, the first that has one is
    /// seen.
    fn mix(&mut self, model: &Model) -> bool {
        let seen = [0, 1, 2, 3].map(|index| {
            let channel = self.channels.get(index)?;
            model.duration_secs(channel.animation_index).map(|_| channel)
        });
        let Some(known) = seen.iter().position(Option::is_some) else { return false };
        let [a, b, c, d] = seen.each_ref().map(|channel| channel.as_ref().map_or(0.0, weight));
        let (first, second) = (a + b, c + d);
        let mut player = Player { model, seen: &seen, cursors: &mut self.cursors };
        let [result, other, work] = &mut self.poses;
        match (first > 0.0, second > 0.0) {
            (false, false) => player.sample(known, result),
            (true, false) => player.pair([0, 1], b / first, result, work),
            (false, true) => player.pair([2, 3], d / second, result, work),
            (true, true) => {
                player.pair([0, 1], b / first, result, work);
                player.pair([2, 3], d / second, other, work);
                blend(result, other, second / (first + second));
            }
        }
        true
    }
}

/// The channels that are seen, and where they are in their clips.
struct Player<'m> {
    model: &'m Model,
    seen: &'m [Option<Channel>; SEEN],
    cursors: &'m mut [Cursor; SEEN],
}

impl Player<'_> {
    /// Where joints are in one channel.
    fn sample(&mut self, channel: usize, pose: &mut Vec<Transform>) {
        pose.clear();
        pose.resize(self.model.joints().len(), Transform::IDENTITY);
        let (Some(Some(seen)), Some(cursor)) = (self.seen.get(channel), self.cursors.get_mut(channel)) else { return };
        if let Some(clip) = self.model.clip(seen.animation_index) {
            clip.sample(cursor, seen.time, pose);
        }
    }

    /// Between two channels.
    fn pair(&mut self, [from, to]: [usize; 2], part: f32, pose: &mut Vec<Transform>, work: &mut Vec<Transform>) {
        if part >= 1.0 {
            return self.sample(to, pose);
        }
        self.sample(from, pose);
        if part > 0.0 {
            self.sample(to, work);
            blend(pose, work, part);
        }
    }
}

fn blend(pose: &mut [Transform], to: &[Transform], part: f32) {
    for (pose, to) in pose.iter_mut().zip(to) {
        *pose = pose.between(to, part);
    }
}
