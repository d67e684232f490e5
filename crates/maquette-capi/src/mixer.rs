//! Mixers, which play several clips at once.

use crate::error::{MaquetteStatus, Why, argument};
use crate::guard::{done, guarded, status};
use crate::model::{MaquetteModel, Playing};
use crate::play::write_palette;
use crate::pointers::{give, hand_out, handle, handle_mut, nth, numbers_mut, put, take};
use crate::text;
use crate::tracks::MaquetteEvent;
use maquette::scene::glam::Mat4;
use maquette_anim::Transform;
use maquette_anim::mixer::{Channel, Easing, Layer, Mixer};

/// Plays clips of a model, several at once. For one thread at a time.
pub struct MaquetteMixer {
    pub(crate) model: *const MaquetteModel,
    pub(crate) mixer: Mixer,
    pose: Vec<Transform>,
    joints: Vec<Mat4>,
}

/// What plays in a channel: read it, change it, and write it back.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteChannel {
    /// Which of the clips.
    pub clip: u32,
    /// Whether time goes on.
    pub is_playing: bool,
    /// Whether it begins anew at its end, backwards at its beginning; otherwise it stays there.
    pub is_looping: bool,
    /// Whether it adds to what is there; its clip holds differences then.
    pub is_additive: bool,
    /// Where it is, in seconds.
    pub time: f32,
    /// Seconds of the clip for each second; backwards below 0.
    pub speed: f32,
    /// How much of it, 0 or more. Channels of the base share the pose by their weights, whatever the sum of these is; an additive channel adds so much of its differences.
    pub weight: f32,
}

/// How a fade goes from one clip to another.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteEasing {
    /// At an even pace.
    Linear = 0,
    /// Slowly at both ends.
    Smooth = 1,
    /// More so.
    Smoother = 2,
}

/// The most channels that a mixer has.
const MOST_CHANNELS: usize = 1024;

impl MaquetteMixer {
    /// What it plays.
    fn playing<'m>(&self) -> Result<&'m Playing, Why> {
        // SAFETY: the model outlives the mixer, as the library's page asks for.
        unsafe { handle(self.model, "the model") }?.playing()
    }

    fn channel_mut(&mut self, at: usize) -> Result<&mut Channel, Why> {
        let channels = self.mixer.channels_mut();
        nth(channels, at, "channel")?;
        channels.get_mut(at).ok_or_else(|| argument("there is no such channel"))
    }
}

/// Makes a mixer with so many channels, 1024 at most, none of which plays: everything is at rest. The model must outlive it. Where it fails, `mixer` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer(
    model: *const MaquetteModel,
    channel_count: usize,
    mixer: *mut *mut MaquetteMixer,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let playing = unsafe {
            give(mixer, std::ptr::null_mut())?;
            handle(model, "the model")?.playing()?
        };
        if channel_count > MOST_CHANNELS {
            return Err(argument(format!("`channel_count` is {channel_count}; a mixer has at most {MOST_CHANNELS}")));
        }
        let pose = playing.skeleton.rest().to_vec();
        let mut joints = vec![Mat4::IDENTITY; pose.len()];
        playing.skeleton.model_from_joints(&pose, &mut joints);
        let mixed = Mixer::new(&playing.skeleton, &playing.clips, channel_count);
        // SAFETY: as above.
        unsafe { give(mixer, hand_out(MaquetteMixer { model, mixer: mixed, pose, joints })) }
    })
}

/// Frees a mixer; null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_free_mixer(mixer: *mut MaquetteMixer) {
    // SAFETY: what the library's page asks for.
    guarded((), || drop(unsafe { take(mixer) }));
}

/// Writes what a channel plays; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_channel(mixer: *const MaquetteMixer, at: usize, out: *mut MaquetteChannel) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let channel = nth(unsafe { handle(mixer, "the mixer") }?.mixer.channels(), at, "channel")?;
        let made = MaquetteChannel {
            clip: u32::try_from(channel.clip).unwrap_or(u32::MAX),
            is_playing: channel.is_playing,
            is_looping: channel.is_looping,
            is_additive: channel.layer == Layer::Additive,
            time: channel.time_secs,
            speed: channel.speed,
            weight: channel.weight,
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// Sets what a channel plays; false beyond the last, where there is no such clip or it cannot be played, and where time, speed or weight are not finite or the weight is below 0. The channel stays as
/// it was then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_set_channel(
    mixer: *mut MaquetteMixer,
    at: usize,
    channel: *const MaquetteChannel,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (mixer, asked) = unsafe { (handle_mut(mixer, "the mixer")?, handle(channel, "the channel")?) };
        for (what, value) in [("time", asked.time), ("speed", asked.speed), ("weight", asked.weight)] {
            if !value.is_finite() {
                return Err(argument(format!("`{what}` is {value}; it must be finite")));
            }
        }
        if asked.weight < 0.0 {
            return Err(argument(format!("`weight` is {}; it must be 0 or more", asked.weight)));
        }
        mixer.playing()?.clip(asked.clip as usize)?;
        let channel = mixer.channel_mut(at)?;
        channel.clip = asked.clip as usize;
        (channel.is_playing, channel.is_looping) = (asked.is_playing, asked.is_looping);
        channel.layer = if asked.is_additive { Layer::Additive } else { Layer::Base };
        (channel.time_secs, channel.speed, channel.weight) = (asked.time, asked.speed, asked.weight);
        Ok(())
    })
}

/// Gives each node a part of the weight of a channel, by the order of nodes; `weights` of null takes the mask away. False beyond the last channel, and where a weight is not finite or below 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_set_mask(mixer: *mut MaquetteMixer, at: usize, weights: *const f32) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let mixer = unsafe { handle_mut(mixer, "the mixer") }?;
        let count = mixer.joints.len();
        // SAFETY: the caller gives a number for each node.
        let mask = (!weights.is_null()).then(|| unsafe { std::slice::from_raw_parts(weights, count) });
        let wrong = mask.into_iter().flatten().position(|weight| !(weight.is_finite() && *weight >= 0.0));
        if let Some(node) = wrong {
            return Err(argument(format!("the weight of node {node} must be finite and 0 or more")));
        }
        mixer.channel_mut(at)?.mask = mask.map(<[f32]>::to_vec);
        Ok(())
    })
}

/// Gives a channel all weight at once, and takes it from the others of the base. False beyond the last channel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_cut_to(mixer: *mut MaquetteMixer, channel: usize) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let mixer = unsafe { handle_mut(mixer, "the mixer") }?;
        mixer.channel_mut(channel)?;
        mixer.mixer.cut_to(channel);
        Ok(())
    })
}

/// Gives a channel all weight within so many seconds, and takes it from the others of the base. `easing` is a `MaquetteEasing`. False beyond the last channel, where there is no such easing, and where
/// the seconds are not finite or below 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_fade_to(
    mixer: *mut MaquetteMixer,
    channel: usize,
    seconds: f32,
    easing: i32,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let mixer = unsafe { handle_mut(mixer, "the mixer") }?;
        let easing = match easing {
            it if it == MaquetteEasing::Linear as i32 => Easing::Linear,
            it if it == MaquetteEasing::Smooth as i32 => Easing::Smooth,
            it if it == MaquetteEasing::Smoother as i32 => Easing::Smoother,
            it => return Err(argument(format!("`easing` is {it}, which is no MaquetteEasing: 0 to 2"))),
        };
        if !(seconds.is_finite() && seconds >= 0.0) {
            return Err(argument(format!("`seconds` is {seconds}; it must be finite and 0 or more")));
        }
        mixer.channel_mut(channel)?;
        mixer.mixer.fade_to(channel, seconds, easing);
        Ok(())
    })
}

/// Lets time go on, and places all joints. Seconds that are not finite are a mistake, and nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_update(mixer: *mut MaquetteMixer, seconds: f32) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let mixer = unsafe { handle_mut(mixer, "the mixer") }?;
        if !seconds.is_finite() {
            return Err(argument(format!("`seconds` is {seconds}; it must be finite")));
        }
        let playing = mixer.playing()?;
        mixer.mixer.update(&playing.skeleton, &playing.clips, seconds, &mut mixer.pose);
        playing.skeleton.model_from_joints(&mixer.pose, &mut mixer.joints);
        Ok(())
    })
}

/// Writes the palette of a skin as the last `maquette_update` left it, before the first at rest: 16 numbers for each joint of the skin, column by column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_palette(
    mixer: *const MaquetteMixer,
    skin: usize,
    palette: *mut f32,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for; the model outlives the mixer.
        let mixer = unsafe { handle(mixer, "the mixer") }?;
        // SAFETY: as above.
        unsafe { write_palette(handle(mixer.model, "the model")?, skin, &mixer.joints, palette) }
    })
}

/// Writes where a node is, as the last `maquette_update` left it, before the first at rest: node space to model space, 16 numbers, column by column. For what a hand holds. False beyond the last node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_node(mixer: *const MaquetteMixer, node: usize, matrix: *mut f32) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let mixer = unsafe { handle(mixer, "the mixer") }?;
        let placed = nth(&mixer.joints, node, "node")?;
        // SAFETY: the caller gives room for 16.
        unsafe { numbers_mut(matrix, 16) }?.copy_from_slice(&placed.to_cols_array());
        Ok(())
    })
}

/// Writes an event that the last `maquette_update` passed, in channels that can be seen, and the channel; false beyond the last. `channel` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mixer_event(
    mixer: *const MaquetteMixer,
    at: usize,
    channel: *mut usize,
    out: *mut MaquetteEvent,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let mixer = unsafe { handle(mixer, "the mixer") }?;
        let playing = mixer.playing()?;
        let passed = mixer.mixer.events(&playing.clips).nth(at);
        let (of, event) = passed.ok_or_else(|| argument(format!("no event {at} was passed")))?;
        let clip = nth(mixer.mixer.channels(), of, "channel")?.clip;
        let known = nth(&playing.clips, clip, "clip")?.events();
        let place = known.iter().position(|known| std::ptr::eq(known, event));
        let names = nth(&playing.event_names, clip, "clip")?;
        let name = place.map_or(std::ptr::null(), |place| text::at(names, place));
        // SAFETY: as above.
        unsafe {
            put(channel, of);
            give(out, MaquetteEvent { time: event.time_secs, name })
        }
    })
}
