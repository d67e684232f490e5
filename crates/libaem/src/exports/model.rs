//! `aem/model.h`, and what `aem/aem.h` has in common with it.

use crate::failure::{self, Failure};
use crate::guard::exports;
use crate::handle::{InText, Out, print};
use crate::layout::{Joint, LoadResult, Material, Mesh, Name, Texture};
use crate::lent::Lent;
use crate::model::Model;
use maquette_formats::aem::{mips, raw};
use std::ffi::{CString, c_void};
use std::ptr::NonNull;

/// Hands a model over, or NULL, and remembers why.
pub(super) fn hand_over(to: Out<'_, Option<Box<Model>>>, load: impl FnOnce() -> Result<Model, Failure>) -> LoadResult {
    if to.is_null() {
        let nowhere =
            Failure::new(LoadResult::InvalidFileType, "there is no room for the model: the pointer to it is NULL");
        failure::remember(Err(&nowhere));
        return nowhere.result;
    }
    to.put(None);
    // This stays if nothing comes of it.
    failure::remember(Err(&Failure::new(LoadResult::InvalidFileType, "a mistake of the library")));
    let loaded = load();
    failure::remember(loaded.as_ref().map(drop));
    match loaded {
        Ok(model) => {
            to.put(Some(Box::new(model)));
            LoadResult::Success
        }
        Err(failure) => failure.result,
    }
}

/// Where the first of some elements is, and how many there are.
pub(super) fn list<T: zerocopy::FromBytes + Copy>(list: Option<&Lent<T>>, count: Out<'_, u32>) -> Option<NonNull<T>> {
    count.put(list.map_or(0, Lent::len) as u32);
    list?.pointer(0)
}

/// The size of a level of a texture; nothing where there is no such level.
pub(super) fn level_data(texture: Option<&raw::Texture>, level: u32, out: [Out<'_, u32>; 3]) {
    let size = texture.filter(|texture| level < mips::level_count(texture.width, texture.height)).map(|texture| {
        let bytes = mips::level_bytes(texture, texture.channels, level).and_then(|bytes| u32::try_from(bytes).ok());
        [(texture.width >> level).max(1), (texture.height >> level).max(1), bytes.unwrap_or(0)]
    });
    for (out, value) in out.into_iter().zip(size.unwrap_or_default()) {
        out.put(value);
    }
}

exports! {
    fn aem_load_model(filename: InText<'_>, model: Out<'_, Option<Box<Model>>>) -> LoadResult {
        let nameless = || Err(Failure::new(LoadResult::FileNotFound, "the file name is NULL"));
        hand_over(model, || filename.get().map_or_else(nameless, Model::open))
    }

    fn aem_finish_loading_model(model: Option<&mut Model>) {
        if let Some(model) = model {
            model.finish_loading();
        }
    }

    fn aem_free_model(model: Option<Box<Model>>) {
        drop(model);
    }

    fn aem_print_model_info(model: Option<&Model>) {
        // Names are shown so that no NUL is among them.
        if let Some(Ok(info)) = model.map(|model| CString::new(model.info())) {
            print(&info);
        }
    }

    fn aem_get_model_vertex_buffer(model: Option<&Model>) -> Option<NonNull<c_void>> {
        model?.vertices().0
    }

    fn aem_get_model_vertex_count(model: Option<&Model>) -> u32 {
        model.map_or(0, |model| model.vertices().1)
    }

    fn aem_get_model_index_buffer(model: Option<&Model>) -> Option<NonNull<c_void>> {
        model?.indices().0
    }

    fn aem_get_model_index_count(model: Option<&Model>) -> u32 {
        model.map_or(0, |model| model.indices().1)
    }

    fn aem_get_model_image_buffer(model: Option<&Model>) -> Option<NonNull<c_void>> {
        model?.images().0
    }

    fn aem_get_model_image_buffer_size(model: Option<&Model>) -> u64 {
        model.map_or(0, |model| model.images().1)
    }

    fn aem_get_model_textures(model: Option<&Model>, texture_count: Out<'_, u32>) -> Option<NonNull<Texture>> {
        list(model.and_then(Model::textures), texture_count)
    }

    fn aem_get_model_texture_level_count(base_width: u32, base_height: u32) -> u32 {
        mips::level_count(base_width, base_height)
    }

    fn aem_get_model_texture_level_data(
        texture: Option<&Texture>,
        level_index: u32,
        level_width: Out<'_, u32>,
        level_height: Out<'_, u32>,
        level_size: Out<'_, u32>,
    ) {
        let texture = texture.map(|&Texture { width, height, compression, channel_count: channels, .. }| {
            raw::Texture { offset: 0, width, height, wrap_x: 0, wrap_y: 0, channels, compression, padding: 0 }
        });
        level_data(texture.as_ref(), level_index, [level_width, level_height, level_size]);
    }

    fn aem_get_model_mesh_count(model: Option<&Model>) -> u32 {
        model.map_or(0, |model| model.meshes().len() as u32)
    }

    fn aem_get_model_mesh(model: Option<&Model>, mesh_index: u32) -> Option<NonNull<Mesh>> {
        model?.meshes().pointer(mesh_index as usize)
    }

    fn aem_get_model_material(model: Option<&Model>, material_index: u32) -> Option<NonNull<Material>> {
        model?.materials().pointer(material_index as usize)
    }

    fn aem_get_model_joint_count(model: Option<&Model>) -> u32 {
        model.map_or(0, |model| model.joints().len() as u32)
    }

    fn aem_get_model_joints(model: Option<&Model>) -> Option<NonNull<Joint>> {
        model?.joints().pointer(0)
    }

    fn aem_get_model_animation_count(model: Option<&Model>) -> u32 {
        model.map_or(0, |model| model.names().len() as u32)
    }

    fn aem_get_model_animation_name(model: Option<&Model>, animation_index: u32) -> Option<NonNull<Name>> {
        model?.names().pointer(animation_index as usize)
    }

    fn aem_get_model_animation_duration(model: Option<&Model>, animation_index: u32) -> f32 {
        model.and_then(|model| model.duration_secs(animation_index)).unwrap_or_default()
    }

    fn aem_get_model_joint_translation_keyframe_count(
        model: Option<&Model>,
        animation_index: u32,
        joint_index: u32,
    ) -> u32 {
        let track = model.and_then(|model| model.track(animation_index, joint_index));
        track.map_or(0, |track| track.translation_count.get())
    }

    fn aem_get_model_joint_rotation_keyframe_count(
        model: Option<&Model>,
        animation_index: u32,
        joint_index: u32,
    ) -> u32 {
        let track = model.and_then(|model| model.track(animation_index, joint_index));
        track.map_or(0, |track| track.rotation_count.get())
    }

    fn aem_get_model_joint_scale_keyframe_count(
        model: Option<&Model>,
        animation_index: u32,
        joint_index: u32,
    ) -> u32 {
        let track = model.and_then(|model| model.track(animation_index, joint_index));
        track.map_or(0, |track| track.scale_count.get())
    }
}
