//! `aem/animation_mixer.h`.

use crate::guard::exports;
use crate::handle::{Out, OutMatrices};
use crate::layout::{Channel, MixerResult};
use crate::mixer::Mixer;
use crate::model::Model;
use std::ptr::NonNull;

exports! {
    fn aem_load_animation_mixer(
        joint_count: u32,
        channel_count: u32,
        mixer: Out<'_, Option<Box<Mixer>>>,
    ) -> MixerResult {
        if mixer.is_null() {
            return MixerResult::OutOfMemory;
        }
        let made = Mixer::new(joint_count, channel_count).map(Box::new);
        let result = if made.is_some() { MixerResult::Success } else { MixerResult::OutOfMemory };
        mixer.put(made);
        result
    }

    fn aem_free_animation_mixer(mixer: Option<Box<Mixer>>) {
        drop(mixer);
    }

    fn aem_get_animation_mixer_enabled(mixer: Option<&Mixer>) -> bool {
        mixer.is_some_and(|mixer| mixer.is_enabled)
    }

    fn aem_set_animation_mixer_enabled(mixer: Option<&mut Mixer>, enabled: u8) {
        if let Some(mixer) = mixer {
            mixer.is_enabled = enabled != 0;
        }
    }

    fn aem_get_animation_mixer_blend_speed(mixer: Option<&Mixer>) -> f32 {
        mixer.map_or(0.0, |mixer| mixer.blend_speed)
    }

    fn aem_set_animation_mixer_blend_speed(mixer: Option<&mut Mixer>, blend_speed: f32) {
        if let Some(mixer) = mixer {
            mixer.blend_speed = blend_speed;
        }
    }

    fn aem_get_animation_mixer_blend_mode(mixer: Option<&Mixer>) -> u32 {
        mixer.map_or(0, |mixer| mixer.blend_mode)
    }

    fn aem_set_animation_mixer_blend_mode(mixer: Option<&mut Mixer>, blend_mode: u32) {
        if let Some(mixer) = mixer {
            mixer.blend_mode = blend_mode;
        }
    }

    fn aem_get_animation_mixer_channel(mixer: Option<&Mixer>, channel_index: u32) -> Option<NonNull<Channel>> {
        mixer?.channels().pointer(channel_index as usize)
    }

    fn aem_get_animation_mixer_joint_transform(
        model: Option<&Model>,
        mixer: Option<&Mixer>,
        joint_index: u32,
        transform: OutMatrices<'_>,
    ) {
        if let (Some(model), Some(mixer)) = (model, mixer) {
            transform.put(std::iter::once(mixer.joint_transform(model, joint_index).to_cols_array()));
        }
    }

    fn aem_cut_to_animation_mixer_channel(mixer: Option<&mut Mixer>, channel_index: u32) {
        if let Some(mixer) = mixer {
            mixer.cut_to(channel_index);
        }
    }

    fn aem_blend_to_animation_mixer_channel(mixer: Option<&mut Mixer>, channel_index: u32) {
        if let Some(mixer) = mixer {
            mixer.blend_to(channel_index);
        }
    }

    fn aem_update_animation(
        model: Option<&Model>,
        mixer: Option<&mut Mixer>,
        delta_time: f32,
        joint_transforms: OutMatrices<'_>,
    ) {
        if let (Some(model), Some(mixer)) = (model, mixer) {
            mixer.update(model, delta_time, joint_transforms);
        }
    }
}
