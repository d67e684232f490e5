//! What plays: channels of clips, one of which the timeline shows.
//!
//! One channel alone is a moment of one clip, and posed as such, so that it is to the bit what `maquette render` draws; several are a mix.

use maquette::Scene;
use maquette::scene::clip::Clip as SceneClip;
use maquette_anim::clip::{Builder, Clip};
use maquette_anim::mixer::{Channel, Easing, Layer, Mixer};
use maquette_anim::skeleton::Skeleton;
use std::sync::Arc;

/// Channels that the mixer has.
pub const CHANNELS: usize = 4;

/// Clips made ready to be played.
#[derive(Clone)]
pub struct Clips {
    /// Every node as a joint; `None` where nodes do not hang together as joints must.
    pub skeleton: Option<Arc<Skeleton>>,
    /// One for each clip of the scene.
    pub packed: Arc<Vec<Clip>>,
    /// As the scene has them: frame rates, tracks, events.
    pub sources: Vec<Arc<SceneClip>>,
}

impl Clips {
    /// The clips of a scene. One that cannot be packed is played by itself all the same; in a mix it moves nothing.
    pub fn of(scene: &Scene) -> Clips {
        let packed = scene.clips.iter().filter_map(|clip| {
            let empty = || Builder::new(clip.name.clone(), clip.duration_secs as f32).build();
            maquette_anim::scene::clip(scene, clip).or_else(|_| empty()).or_else(|_| Builder::new("", 0.0).build()).ok()
        });
        Clips {
            skeleton: maquette_anim::scene::skeleton(scene).ok().map(Arc::new),
            packed: Arc::new(packed.collect()),
            sources: scene.clips.iter().cloned().map(Arc::new).collect(),
        }
    }

    /// How long a clip is.
    pub fn duration_secs(&self, clip: usize) -> f32 {
        self.sources.get(clip).map_or(0.0, |clip| clip.duration_secs as f32)
    }

    /// What a clip is called where it must be called something.
    pub fn name(&self, clip: usize) -> String {
        match self.sources.get(clip) {
            Some(source) if !source.name.is_empty() => source.name.clone(),
            _ => format!("clip {clip}"),
        }
    }
}

/// What is to be posed.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Moment {
    /// Nothing moves.
    #[default]
    Rest,
    /// One clip at one time.
    Clip {
        /// Which.
        clip: usize,
        /// When.
        secs: f32,
    },
    /// Several at once.
    Mix(Vec<Channel>),
}

/// Something that a clip told while it played.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// What.
    pub name: String,
    /// How long ago, in seconds.
    pub age_secs: f32,
}

/// How long an event is shown.
const TOLD_SECS: f32 = 1.5;

/// What plays.
#[derive(Clone)]
pub struct Player {
    clips: Clips,
    mixer: Mixer,
    /// The channel that the timeline shows.
    pub channel: usize,
    /// How long it takes from one clip to the next, in seconds.
    pub fade_secs: f32,
    /// What happened lately, the newest last.
    pub told: Vec<Told>,
}

impl Player {
    /// At rest.
    pub fn new(clips: Clips) -> Player {
        let mixer = mixer(&clips);
        Player { clips, mixer, channel: 0, fade_secs: 0.3, told: Vec::new() }
    }

    /// The clips there are.
    pub fn clips(&self) -> &Clips {
        &self.clips
    }

    /// The same with other clips; what plays goes on where its clip is still there.
    pub fn set_clips(&mut self, clips: Clips) {
        let mut mixer = mixer(&clips);
        for (new, old) in mixer.channels_mut().iter_mut().zip(self.mixer.channels()) {
            if clips.name(old.clip) == self.clips.name(old.clip) {
                *new = old.clone();
            }
        }
        (self.clips, self.mixer) = (clips, mixer);
    }

    /// Every channel.
    pub fn channels(&self) -> &[Channel] {
        self.mixer.channels()
    }

    /// Every channel, to be changed.
    pub fn channels_mut(&mut self) -> &mut [Channel] {
        self.mixer.channels_mut()
    }

    /// The channel that the timeline shows, if a clip is in it.
    pub fn current(&self) -> Option<&Channel> {
        self.mixer.channels().get(self.channel).filter(|channel| self.has(channel))
    }

    fn has(&self, channel: &Channel) -> bool {
        channel.weight > 0.0 && channel.clip < self.clips.sources.len()
    }

    fn current_mut(&mut self) -> Option<&mut Channel> {
        let count = self.clips.sources.len();
        let channel = self.mixer.channels_mut().get_mut(self.channel)?;
        (channel.weight > 0.0 && channel.clip < count).then_some(channel)
    }

    /// The clip that the timeline shows.
    pub fn clip(&self) -> Option<&Arc<SceneClip>> {
        self.clips.sources.get(self.current()?.clip)
    }

    /// Whether anything goes on by itself.
    pub fn is_playing(&self) -> bool {
        let moves = |channel: &Channel| self.has(channel) && channel.is_playing && channel.speed != 0.0;
        self.mixer.channels().iter().any(moves) || self.mixer.is_fading() || !self.told.is_empty()
    }

    /// Plays one clip alone, from its start, in the channel of the timeline.
    pub fn play(&mut self, clip: usize) {
        if clip >= self.clips.sources.len() {
            return;
        }
        for (place, channel) in self.mixer.channels_mut().iter_mut().enumerate() {
            if place == self.channel {
                *channel = started(clip, channel.speed);
            } else {
                channel.weight = 0.0;
            }
        }
        let channel = self.channel;
        self.mixer.cut_to(channel);
    }

    /// Goes over to a clip while what plays fades away.
    pub fn fade_to(&mut self, clip: usize) {
        if clip >= self.clips.sources.len() {
            return;
        }
        if self.current().is_none() || self.fade_secs <= 0.0 {
            self.play(clip);
            return;
        }
        let next = (self.channel + 1) % CHANNELS;
        if let Some(channel) = self.mixer.channels_mut().get_mut(next) {
            *channel = Channel { weight: 0.0, ..started(clip, 1.0) };
        }
        self.channel = next;
        self.mixer.fade_to(next, self.fade_secs, Easing::Smooth);
        // A fade begins with a little, so that the timeline has it at once.
        if let Some(channel) = self.mixer.channels_mut().get_mut(next) {
            channel.weight = channel.weight.max(f32::MIN_POSITIVE);
        }
    }

    /// No clip: everything at rest.
    pub fn rest(&mut self) {
        self.mixer.channels_mut().iter_mut().for_each(|channel| *channel = Channel::default());
        let channel = self.channel;
        self.mixer.cut_to(channel);
        self.mixer.channels_mut().iter_mut().for_each(|channel| channel.weight = 0.0);
    }

    /// Plays on or stops. At its end it begins anew; with nothing in the channel, the first clip begins.
    pub fn toggle(&mut self) {
        let Some(duration) = self.current().map(|channel| self.clips.duration_secs(channel.clip)) else {
            self.play(0);
            return;
        };
        let Some(channel) = self.current_mut() else { return };
        channel.is_playing = !channel.is_playing;
        let at_end = if channel.speed < 0.0 { channel.time_secs <= 0.0 } else { channel.time_secs >= duration };
        if channel.is_playing && at_end && !channel.is_looping {
            channel.time_secs = if channel.speed < 0.0 { duration } else { 0.0 };
        }
    }

    /// Goes to a time of the clip.
    pub fn seek(&mut self, secs: f32) {
        let Some(duration) = self.current().map(|channel| self.clips.duration_secs(channel.clip)) else { return };
        if let Some(channel) = self.current_mut() {
            channel.time_secs = if secs.is_finite() { secs.clamp(0.0, duration) } else { 0.0 };
        }
    }

    /// Goes so many frames on, and stops. A clip that knows no frames has thirty a second.
    pub fn step(&mut self, frames: i32) {
        let Some(clip) = self.clip() else { return };
        let rate = clip.frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite()).unwrap_or(30.0);
        let duration = clip.duration_secs as f32;
        let Some(channel) = self.current_mut() else { return };
        channel.is_playing = false;
        // Onto the frame: what is between two goes to the next one.
        let at = channel.time_secs * rate;
        let nearest = at.round();
        let from = if (at - nearest).abs() < 1e-3 {
            nearest
        } else if frames > 0 {
            at.floor()
        } else {
            at.ceil()
        };
        channel.time_secs = ((from + frames as f32) / rate).clamp(0.0, duration);
    }

    /// Time goes on.
    pub fn advance(&mut self, delta_secs: f32) {
        self.mixer.advance(&self.clips.packed, delta_secs);
        self.told.iter_mut().for_each(|told| told.age_secs += delta_secs);
        let new =
            self.mixer.events(&self.clips.packed).map(|(_, event)| Told { name: event.name.clone(), age_secs: 0.0 });
        let new: Vec<Told> = new.take(16).collect();
        self.told.extend(new);
        self.told.retain(|told| told.age_secs < TOLD_SECS);
    }

    /// What is to be posed now.
    pub fn moment(&self) -> Moment {
        let channels = self.mixer.channels();
        let active: Vec<&Channel> = channels.iter().filter(|channel| self.has(channel)).collect();
        match active.as_slice() {
            [] => Moment::Rest,
            [one] if one.layer == Layer::Base && one.mask.is_none() => {
                Moment::Clip { clip: one.clip, secs: one.time_secs }
            }
            _ => Moment::Mix(channels.to_vec()),
        }
    }
}

fn mixer(clips: &Clips) -> Mixer {
    match &clips.skeleton {
        Some(skeleton) => Mixer::new(skeleton, &clips.packed, CHANNELS),
        None => Mixer::new(&Skeleton::default(), &clips.packed, CHANNELS),
    }
}

fn started(clip: usize, speed: f32) -> Channel {
    Channel { clip, is_playing: true, is_looping: true, weight: 1.0, speed, ..Channel::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::scene::clip::Event;

    fn clip(name: &str, duration_secs: f64, frame_rate: Option<f32>) -> SceneClip {
        let events = vec![Event { time_secs: 0.5, name: "step".into() }];
        SceneClip { name: name.into(), duration_secs, frame_rate, events, ..SceneClip::default() }
    }

    fn player() -> Player {
        let mut scene = Scene::default();
        scene.clips.push(clip("walk", 2.0, Some(10.0)));
        scene.clips.push(clip("run", 1.0, None));
        Player::new(Clips::of(&scene))
    }

    #[test]
    fn nothing_plays_until_something_is_played() {
        let mut player = player();
        assert_eq!(player.moment(), Moment::Rest);
        assert!(!player.is_playing());
        player.advance(1.0);
        assert_eq!(player.moment(), Moment::Rest);
        player.toggle();
        player.advance(0.25);
        assert_eq!(player.moment(), Moment::Clip { clip: 0, secs: 0.25 });
        player.rest();
        assert_eq!(player.moment(), Moment::Rest);
    }

    #[test]
    fn it_goes_round_or_stays_at_its_end_and_begins_anew() {
        let mut player = player();
        player.play(0);
        player.advance(2.5);
        assert_eq!(player.moment(), Moment::Clip { clip: 0, secs: 0.5 });
        player.channels_mut()[0].is_looping = false;
        player.advance(9.0);
        assert_eq!(player.moment(), Moment::Clip { clip: 0, secs: 2.0 });
        player.toggle();
        player.toggle();
        assert_eq!(player.moment(), Moment::Clip { clip: 0, secs: 0.0 });
    }

    #[test]
    fn steps_are_frames_and_stop_it() {
        let mut player = player();
        player.play(0);
        player.seek(0.33);
        for (frames, secs) in [(1, 0.4), (1, 0.5), (-1, 0.4), (-9, 0.0), (100, 2.0)] {
            player.step(frames);
            let Moment::Clip { secs: at, .. } = player.moment() else { panic!() };
            assert!((at - secs).abs() < 1e-5, "{at} {secs}");
        }
        assert!(!player.channels()[0].is_playing);
        player.play(1);
        player.step(1);
        assert_eq!(player.moment(), Moment::Clip { clip: 1, secs: 1.0 / 30.0 });
    }

    #[test]
    fn clips_fade_into_each_other_and_the_timeline_follows() {
        let mut player = player();
        player.play(0);
        player.advance(0.1);
        player.fade_to(1);
        assert_eq!(player.clip().unwrap().name, "run");
        player.advance(0.15);
        let Moment::Mix(channels) = player.moment() else { panic!("both play") };
        let weights: Vec<f32> = channels.iter().map(|channel| channel.weight).collect();
        assert!(weights[0] > 0.1 && weights[1] > 0.1, "{weights:?}");
        player.advance(0.2);
        assert!(matches!(player.moment(), Moment::Clip { clip: 1, .. }));
    }

    #[test]
    fn events_are_told_and_forgotten() {
        let mut player = player();
        player.play(0);
        player.advance(0.6);
        assert_eq!(player.told.len(), 1);
        assert_eq!(player.told[0].name, "step");
        player.advance(1.0);
        assert_eq!(player.told.len(), 1);
        player.advance(0.6);
        assert!(player.told.is_empty());
    }

    #[test]
    fn other_clips_keep_what_plays() {
        let mut player = player();
        player.play(1);
        player.advance(0.5);
        let mut scene = Scene::default();
        scene.clips.push(clip("walk", 2.0, None));
        scene.clips.push(clip("run", 1.0, None));
        scene.clips.push(clip("jump", 1.0, None));
        player.set_clips(Clips::of(&scene));
        assert_eq!(player.moment(), Moment::Clip { clip: 1, secs: 0.5 });
        player.play(99);
        assert_eq!(player.moment(), Moment::Clip { clip: 1, secs: 0.5 }, "there is no such clip");
    }
}
