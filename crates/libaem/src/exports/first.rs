//! `aem/aem.h`: what is there alone, and what has other types there than later; the header gives these their names.

use super::model::{level_data, list};
use crate::guard::exports;
use crate::handle::{Out, OutMatrices};
use crate::layout::FirstTexture;
use crate::model::Model;
use crate::play;
use maquette_formats::aem::raw;
use std::ffi::c_void;
use std::ptr::NonNull;

exports! {
    fn aem_get_model_image_buffer_v1(model: Option<&Model>) -> Option<NonNull<c_void>> {
        model?.first_images().0
    }

    fn aem_get_model_image_buffer_size_v1(model: Option<&Model>) -> u32 {
        model.map_or(0, |model| model.first_images().1)
    }

    fn aem_get_model_textures_v1(model: Option<&Model>, texture_count: Out<'_, u32>) -> Option<NonNull<FirstTexture>> {
        list(model.and_then(Model::first_textures), texture_count)
    }

    fn aem_get_model_texture_level_data_v1(
        texture: Option<&FirstTexture>,
        level_index: u32,
        level_width: Out<'_, u32>,
        level_height: Out<'_, u32>,
        level_size: Out<'_, u32>,
    ) {
        let texture = texture.map(|&FirstTexture { width, height, compression, .. }| {
            raw::Texture { offset: 0, width, height, wrap_x: 0, wrap_y: 0, channels: 4, compression, padding: 0 }
        });
        level_data(texture.as_ref(), level_index, [level_width, level_height, level_size]);
    }

    fn aem_evaluate_model_animation(
        model: Option<&Model>,
        animation_index: i32,
        time: f32,
        joint_transforms: OutMatrices<'_>,
    ) {
        if let Some(model) = model {
            play::evaluate(model, u32::try_from(animation_index).ok(), time, joint_transforms);
        }
    }
}
