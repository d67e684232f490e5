//! What plays: channels of clips, one of which the timeline shows.
//!
//! One channel alone is a moment of one clip, and posed as such, so that it is to the bit what `maquette render` draws; several are a mix.

use maquette::scene::clip::Clip as SceneClip;
use maquette::scene::scene::Node;
use maquette::scene::{Handle, Scene};
use maquette_anim::clip::{Builder, Clip};
use maquette_anim::mixer::{Channel, Easing, Layer, Mixer};
use maquette_anim::skeleton::Skeleton;
use std::sync::Arc;

/// Channels that the mixer has.
pub const CHANNELS: usize = 4;

/// The clip of a channel that is empty.
const NO_CLIP: usize = usize::MAX;

/// Frames a second of clips that know none.
const USUAL_FRAME_RATE: f32 = 30.0;

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

    /// How long a clip is; one whose length is no number has none.
    pub fn duration_secs(&self, clip: usize) -> f32 {
        let secs = self.sources.get(clip).map_or(0.0, |clip| clip.duration_secs);
        if secs.is_finite() { secs.clamp(0.0, f64::from(f32::MAX)) as f32 } else { 0.0 }
    }

    /// Frames a second of a clip: thirty where it knows none.
    pub fn frame_rate(&self, clip: usize) -> f32 {
        let rate = self.sources.get(clip).and_then(|clip| clip.frame_rate);
        rate.filter(|rate| *rate > 0.0 && rate.is_finite()).unwrap_or(USUAL_FRAME_RATE)
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
    /// Several at once, and so much of the way to the rest pose, from 0 to 1.
    Fading(Vec<Channel>, f32),
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
    /// For each channel, the node that it moves with all that hangs on it; `None` where it moves all.
    masks: [Option<Handle<Node>>; CHANNELS],
    /// The channel that is heard alone, and the weights from before.
    solo: Option<(usize, [f32; CHANNELS])>,
    /// How long it has been going over to the rest pose, in seconds.
    resting_secs: Option<f32>,
}

impl Player {
    /// At rest.
    pub fn new(clips: Clips) -> Player {
        let mixer = mixer(&clips);
        Player {
            clips,
            mixer,
            channel: 0,
            fade_secs: 0.3,
            told: Vec::new(),
            masks: [None; CHANNELS],
            solo: None,
            resting_secs: None,
        }
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
        let joints = |clips: &Clips| clips.skeleton.as_ref().map_or(0, |skeleton| skeleton.joint_count());
        if joints(&clips) != joints(&self.clips) {
            mixer.channels_mut().iter_mut().for_each(|channel| channel.mask = None);
            self.masks = [None; CHANNELS];
        }
        (self.clips, self.mixer, self.solo) = (clips, mixer, None);
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
        self.mixer.channels().get(self.channel).filter(|channel| self.is_filled(channel))
    }

    /// Whether a channel has a clip.
    pub fn is_filled(&self, channel: &Channel) -> bool {
        channel.clip < self.clips.sources.len()
    }

    fn is_heard(&self, channel: &Channel) -> bool {
        channel.weight > 0.0 && self.is_filled(channel)
    }

    /// Whether time goes on in a channel. One that stays at its end does not, nor does a clip without length.
    fn moves(&self, channel: &Channel) -> bool {
        let duration = self.clips.duration_secs(channel.clip);
        let at_end = if channel.speed < 0.0 { channel.time_secs <= 0.0 } else { channel.time_secs >= duration };
        let has_more = duration > 0.0 && (channel.is_looping || !at_end);
        self.is_filled(channel) && channel.is_playing && channel.speed != 0.0 && has_more
    }

    fn current_mut(&mut self) -> Option<&mut Channel> {
        let count = self.clips.sources.len();
        self.mixer.channels_mut().get_mut(self.channel).filter(|channel| channel.clip < count)
    }

    /// The clip that the timeline shows.
    pub fn clip(&self) -> Option<&Arc<SceneClip>> {
        self.clips.sources.get(self.current()?.clip)
    }

    /// Whether anything goes on by itself.
    pub fn is_playing(&self) -> bool {
        let shown = |place, channel| place == self.channel || self.is_heard(channel);
        let mut channels = self.mixer.channels().iter().enumerate();
        channels.any(|(place, channel)| shown(place, channel) && self.moves(channel))
            || self.mixer.is_fading()
            || self.resting_secs.is_some()
            || !self.told.is_empty()
    }

    /// Plays one clip alone, from its start, in the channel of the timeline.
    pub fn play(&mut self, clip: usize) {
        if clip >= self.clips.sources.len() {
            return;
        }
        let new = self.started(clip);
        for (place, channel) in self.mixer.channels_mut().iter_mut().enumerate() {
            if place == self.channel {
                *channel = new.clone();
            } else {
                channel.weight = 0.0;
            }
        }
        self.forget_mask(self.channel);
        self.cut_to(self.channel);
    }

    /// A clip from its start, at the speed of what the timeline shows, and looping as that does.
    fn started(&self, clip: usize) -> Channel {
        let (speed, is_looping) = self.current().map_or((1.0, true), |channel| (channel.speed, channel.is_looping));
        let time_secs = if speed < 0.0 { self.clips.duration_secs(clip) } else { 0.0 };
        Channel { clip, is_playing: true, is_looping, weight: 1.0, speed, time_secs, ..Channel::default() }
    }

    fn cut_to(&mut self, channel: usize) {
        (self.solo, self.resting_secs) = (None, None);
        self.mixer.cut_to(channel);
    }

    fn forget_mask(&mut self, channel: usize) {
        if let Some(mask) = self.masks.get_mut(channel) {
            *mask = None;
        }
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
        let next = self.next_channel();
        let new = Channel { weight: 0.0, ..self.started(clip) };
        if let Some(channel) = self.mixer.channels_mut().get_mut(next) {
            *channel = new;
        }
        self.forget_mask(next);
        self.cross_fade(next);
    }

    /// The channel that a clip comes into: the next one that does nothing, or the next at all.
    fn next_channel(&self) -> usize {
        let after = (1..CHANNELS).map(|steps| (self.channel + steps) % CHANNELS);
        let is_free = |place: &usize| self.channels().get(*place).is_some_and(|channel| !self.is_heard(channel));
        after.clone().find(is_free).or(after.clone().next()).unwrap_or(self.channel)
    }

    /// Goes over to a channel of the base, while the others on it fade away; the timeline shows it.
    pub fn cross_fade(&mut self, place: usize) {
        let Some(channel) = self.mixer.channels_mut().get_mut(place) else { return };
        if channel.clip >= self.clips.sources.len() || channel.layer != Layer::Base {
            return;
        }
        (self.channel, self.solo, self.resting_secs) = (place, None, None);
        channel.is_playing = true;
        if self.fade_secs > 0.0 {
            self.mixer.fade_to(place, self.fade_secs, Easing::Smooth);
        } else {
            self.mixer.cut_to(place);
        }
    }

    /// Puts a clip into a channel, or empties it. What the channel is set to stays; the first that is filled is heard at once. While all others stand still, so does it.
    pub fn fill(&mut self, place: usize, clip: Option<usize>) {
        self.resting_secs = None;
        let nothing_is_heard = !self.channels().iter().any(|channel| self.is_heard(channel));
        let filled = clip.filter(|clip| *clip < self.clips.sources.len()).map(|clip| self.started(clip));
        let count = self.clips.sources.len();
        let mut others = self.channels().iter().filter(|channel| self.is_filled(channel)).peekable();
        let is_playing = others.peek().is_none() || others.any(|channel| channel.is_playing);
        let Some(channel) = self.mixer.channels_mut().get_mut(place) else { return };
        match filled {
            Some(new) if channel.clip < count => {
                *channel = Channel { clip: new.clip, time_secs: new.time_secs, ..channel.clone() };
            }
            Some(new) => {
                *channel = Channel { weight: if nothing_is_heard { 1.0 } else { 0.0 }, is_playing, ..new };
            }
            None => {
                *channel = Channel { clip: NO_CLIP, ..Channel::default() };
                self.forget_mask(place);
            }
        }
        if self.current().is_none() {
            let filled = self.channels().iter().position(|channel| self.is_filled(channel));
            self.channel = filled.unwrap_or(self.channel);
        }
    }

    /// The channel that is heard alone.
    pub fn solo(&self) -> Option<usize> {
        self.solo.map(|(channel, _)| channel)
    }

    /// Lets one channel alone be heard, and the timeline show it; the same channel again gives the others their weights back.
    pub fn toggle_solo(&mut self, place: usize) {
        let mut weights = [0.0; CHANNELS];
        weights.iter_mut().zip(self.channels()).for_each(|(weight, channel)| *weight = channel.weight);
        self.resting_secs = None;
        let before = self.solo.take();
        // Ends a fade, which would go on with the others.
        self.mixer.cut_to(place);
        let kept = before.map_or(weights, |(_, weights)| weights);
        let ends = before.is_some_and(|(channel, _)| channel == place);
        for (index, (channel, weight)) in self.mixer.channels_mut().iter_mut().zip(kept).enumerate() {
            channel.weight = match (ends, index == place) {
                (true, _) => weight,
                (false, true) if weight > 0.0 => weight,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
        }
        if !ends {
            (self.solo, self.channel) = (Some((place, kept)), place);
        }
    }

    /// The node that a channel moves, with all that hangs on it; `None` where it moves all.
    pub fn mask(&self, place: usize) -> Option<Handle<Node>> {
        self.masks.get(place).copied().flatten()
    }

    /// Lets a channel move one node and all that hangs on it alone, or everything again.
    pub fn set_mask(&mut self, place: usize, node: Option<Handle<Node>>) {
        let Some(mask) = self.masks.get_mut(place) else { return };
        *mask = node;
        let joints = self.clips.skeleton.as_deref();
        let parts = node.zip(joints).map(|(node, skeleton)| below(skeleton, node.index()));
        if let Some(channel) = self.mixer.channels_mut().get_mut(place) {
            channel.mask = parts;
        }
    }

    /// The sum of the weights of a layer.
    pub fn weight_sum(&self, layer: Layer) -> f32 {
        let heard = self.channels().iter().filter(|channel| channel.layer == layer && self.is_heard(channel));
        heard.map(|channel| channel.weight).sum()
    }

    /// Goes over to no clip, everything at rest, while what plays fades away.
    pub fn rest(&mut self) {
        let is_heard = self.channels().iter().any(|channel| self.is_heard(channel));
        if is_heard && self.fade_secs > 0.0 && self.clips.skeleton.is_some() {
            self.resting_secs.get_or_insert(0.0);
        } else {
            self.empty();
        }
    }

    fn empty(&mut self) {
        self.cut_to(self.channel);
        let empty = Channel { clip: NO_CLIP, ..Channel::default() };
        self.mixer.channels_mut().iter_mut().for_each(|channel| *channel = empty.clone());
        self.masks = [None; CHANNELS];
    }

    /// Plays on or stops. At its end it begins anew; with nothing in the channel, the first clip begins.
    pub fn toggle(&mut self) {
        let Some(duration) = self.current().map(|channel| self.clips.duration_secs(channel.clip)) else {
            self.play(0);
            return;
        };
        self.resting_secs = None;
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
        let Some(clip) = self.current().map(|channel| channel.clip) else { return };
        let (rate, duration) = (f64::from(self.clips.frame_rate(clip)), self.clips.duration_secs(clip));
        let Some(channel) = self.current_mut() else { return };
        channel.is_playing = false;
        // Onto the frame: what is between two goes to the next one.
        let at = f64::from(channel.time_secs) * rate;
        let nearest = at.round();
        let from = if (at - nearest).abs() < 1e-3 {
            nearest
        } else if frames > 0 {
            at.floor()
        } else {
            at.ceil()
        };
        let mut to = ((from + f64::from(frames)) / rate) as f32;
        if to == channel.time_secs {
            // So late in a clip that a frame is less than what times can tell apart.
            to = if frames > 0 { to.next_up() } else { to.next_down() };
        }
        channel.time_secs = to.clamp(0.0, duration);
    }

    /// Time goes on.
    pub fn advance(&mut self, delta_secs: f32) {
        let moved = self.mixer.channels().iter().map(|channel| self.moves(channel)).collect::<Vec<bool>>();
        self.mixer.advance(&self.clips.packed, delta_secs);
        for (place, moved) in moved.into_iter().enumerate() {
            let has_ended = moved && self.mixer.channels().get(place).is_some_and(|channel| !self.moves(channel));
            if let Some(channel) = self.mixer.channels_mut().get_mut(place).filter(|_| has_ended) {
                channel.is_playing = false;
            }
        }
        self.resting_secs = self.resting_secs.map(|secs| secs + delta_secs);
        if self.resting_secs.is_some_and(|secs| secs >= self.fade_secs) {
            self.empty();
        }
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
        let active: Vec<&Channel> = channels.iter().filter(|channel| self.is_heard(channel)).collect();
        if let Some(secs) = self.resting_secs.filter(|_| !active.is_empty()) {
            let part = (secs / self.fade_secs).clamp(0.0, 1.0);
            // As clips fade: slowly at both ends.
            return Moment::Fading(channels.to_vec(), part * part * (3.0 - 2.0 * part));
        }
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
    let mut mixer = match &clips.skeleton {
        Some(skeleton) => Mixer::new(skeleton, &clips.packed, CHANNELS),
        None => Mixer::new(&Skeleton::default(), &clips.packed, CHANNELS),
    };
    mixer.channels_mut().iter_mut().for_each(|channel| channel.clip = NO_CLIP);
    mixer
}

/// All of a joint and what hangs on it, none of the others.
fn below(skeleton: &Skeleton, joint: usize) -> Vec<f32> {
    let mut parts = vec![0.0; skeleton.joint_count()];
    for (here, parent) in skeleton.in_order() {
        let hangs = parent.and_then(|parent| parts.get(parent).copied()).unwrap_or(0.0);
        if let Some(part) = parts.get_mut(here) {
            *part = if here == joint { 1.0 } else { hangs };
        }
    }
    parts
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
        player.advance(player.fade_secs);
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
    fn what_plays_fades_into_the_rest_pose_even_while_it_stands_still() {
        let mut player = player();
        player.play(0);
        player.channels_mut()[0].is_playing = false;
        player.rest();
        let mut parts = vec![];
        while let Moment::Fading(_, part) = player.moment() {
            assert!(player.is_playing(), "pictures are asked for");
            parts.push(part);
            player.advance(0.1);
        }
        assert!(parts.len() == 3 && parts[0] == 0.0 && parts.is_sorted() && parts[2] > 0.5, "{parts:?}");
        assert_eq!((player.moment(), player.is_playing()), (Moment::Rest, false));
        player.play(0);
        player.rest();
        player.advance(0.1);
        player.play(1);
        assert!(matches!(player.moment(), Moment::Clip { clip: 1, .. }), "something else was wanted");
        player.fade_secs = 0.0;
        player.rest();
        assert_eq!(player.moment(), Moment::Rest, "at once");
    }

    #[test]
    fn a_clip_that_has_ended_stops_and_asks_for_no_more_pictures() {
        let mut player = player();
        player.play(1);
        player.channels_mut()[0].is_looping = false;
        player.advance(5.0);
        player.advance(5.0);
        assert!(!player.channels()[0].is_playing && !player.is_playing());
        player.toggle();
        assert_eq!(player.moment(), Moment::Clip { clip: 1, secs: 0.0 });
        assert!(player.is_playing());
    }

    #[test]
    fn lengths_that_are_no_numbers_break_nothing() {
        for duration in [f64::NAN, f64::INFINITY, -1.0, 1e300, 0.0, 1e6] {
            let mut scene = Scene::default();
            scene.clips.push(clip("odd", duration, Some(f32::NAN)));
            let mut player = Player::new(Clips::of(&scene));
            player.play(0);
            for secs in [0.5, f32::NAN, f32::MAX, -1.0] {
                player.seek(secs);
                player.step(1);
                player.step(-1);
                player.toggle();
                player.advance(0.1);
            }
            assert!(player.channels()[0].time_secs.is_finite(), "{duration}");
        }
        let mut scene = Scene::default();
        scene.clips.push(clip("long", 1e6, None));
        let mut player = Player::new(Clips::of(&scene));
        player.play(0);
        player.seek(9e5);
        player.step(1);
        assert!(player.channels()[0].time_secs > 9e5, "a frame is less than a float can tell there");
    }

    #[test]
    fn channels_are_filled_heard_alone_and_faded_to() {
        let mut player = player();
        player.fill(2, Some(1));
        assert_eq!((player.channel, player.channels()[2].weight), (2, 1.0), "the first is heard at once");
        player.fill(0, Some(0));
        assert_eq!((player.channel, player.channels()[0].weight), (2, 0.0));
        player.channels_mut()[0].weight = 0.25;
        assert_eq!(player.weight_sum(Layer::Base), 1.25);
        player.toggle_solo(0);
        assert_eq!((player.solo(), player.channel), (Some(0), 0));
        assert_eq!(player.moment(), Moment::Clip { clip: 0, secs: 0.0 });
        player.toggle_solo(2);
        assert_eq!(player.moment(), Moment::Clip { clip: 1, secs: 0.0 });
        player.toggle_solo(2);
        let weights: Vec<f32> = player.channels().iter().map(|channel| channel.weight).collect();
        assert_eq!(weights, [0.25, 0.0, 1.0, 0.0], "as before");
        player.cross_fade(0);
        player.advance(1.0);
        assert!(matches!(player.moment(), Moment::Clip { clip: 0, .. }), "{:?}", player.moment());
        player.fill(0, None);
        assert_eq!((player.moment(), player.channel), (Moment::Rest, 2));
        player.cross_fade(0);
        assert_eq!(player.channel, 2, "nothing is in it");
    }

    #[test]
    fn a_mask_is_a_node_and_what_hangs_on_it() {
        let scene = maquette::sample::creature();
        let mut player = Player::new(Clips::of(&scene));
        player.play(0);
        let node = scene.nodes.handles().find(|node| !scene.nodes[*node].children.is_empty()).unwrap();
        player.set_mask(0, Some(node));
        let mask = player.channels()[0].mask.clone().unwrap();
        let child = scene.nodes[node].children[0];
        assert_eq!((mask[node.index()], mask[child.index()]), (1.0, 1.0));
        let parents = scene.parents();
        let hangs = |mut here: usize| loop {
            if here == node.index() {
                return 1.0;
            }
            match parents[here] {
                Some(parent) => here = parent.index(),
                None => return 0.0,
            }
        };
        assert!(mask.iter().enumerate().all(|(joint, part)| *part == hangs(joint)));
        assert!(matches!(player.moment(), Moment::Mix(_)), "one clip, but not all of it");
        player.set_mask(0, None);
        assert!(matches!(player.moment(), Moment::Clip { .. }));
    }

    #[test]
    fn what_is_chosen_next_goes_on_as_fast_and_as_often() {
        let mut player = player();
        player.play(0);
        (player.channels_mut()[0].speed, player.channels_mut()[0].is_looping) = (-2.0, false);
        player.fade_to(1);
        let channel = player.current().unwrap();
        assert_eq!((channel.speed, channel.is_looping, channel.time_secs), (-2.0, false, 1.0), "from its end");
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
