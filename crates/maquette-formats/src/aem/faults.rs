//! For each AEM code, the smallest change to the specimen that raises it.

use super::check::*;
use super::raw::{Dialect, File};
use super::sample::model;
use crate::format::{Bundle, change_at as at};
use crate::layout::FixedText;
use crate::{faults, trailing};
use zerocopy::little_endian::{F32, U32};

/// The specimen with one thing changed.
fn with(change: fn(&mut File<'_>)) -> Bundle {
    with_dialect(Dialect::Document, change)
}

fn with_dialect(dialect: Dialect, change: fn(&mut File<'_>)) -> Bundle {
    let mut file = model(dialect);
    change(&mut file);
    file.encode().into()
}

/// The specimen's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = model(Dialect::Document).encode();
    change(&mut bytes);
    bytes.into()
}

const NAN: F32 = F32::new(f32::NAN);

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(..3, *b"MEA").for_each(drop));
    UNSUPPORTED_VERSION: with_bytes(|bytes| bytes.splice(3..4, [2]).for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);

    INDEX_OUT_OF_RANGE: with(|file| at(&mut file.indices, 4, |index| *index = U32::new(28)));
    MESH_RANGE: with(|file| at(&mut file.meshes, 0, |mesh| mesh.first_index = 3.into()));
    MESH_NOT_TRIANGLES: with(|file| at(&mut file.meshes, 0, |mesh| mesh.index_count = 52.into()));
    MESH_MATERIAL: with(|file| at(&mut file.meshes, 0, |mesh| mesh.material_index = 1.into()));
    INDICES_SHARED: with(|file| {
        let meshes = file.meshes.repeat(400);
        file.meshes.to_mut().extend(meshes);
    });
    MESH_EMPTY: with(|file| at(&mut file.meshes, 0, |mesh| mesh.index_count = 0.into()));
    INDICES_UNUSED: with(|file| at(&mut file.meshes, 0, |mesh| mesh.index_count = 51.into()));
    TRIANGLE_DEGENERATE: with(|file| at(&mut file.indices, 1, |index| *index = U32::new(0)));

    MATERIAL_TEXTURE: with(|file| at(&mut file.materials, 0, |material| material.pbr_texture_index = 3.into()));
    MATERIAL_TYPE_UNKNOWN: with(|file| at(&mut file.materials, 0, |material| material.kind = 2.into()));
    TEXTURE_WRAP: with(|file| file.textures.iter_mut().take(1).for_each(|texture| texture.wrap_y = 3));
    TEXTURE_COMPRESSION: with(|file| file.textures.iter_mut().take(1).for_each(|texture| texture.compression = 3));
    TEXTURE_CHANNELS: with_dialect(Dialect::Channels, |file| {
        file.textures.iter_mut().take(1).for_each(|texture| texture.channels = 3);
    });
    TEXTURE_CHANNELS_MISMATCH: with_dialect(Dialect::Wide, |file| {
        file.textures.iter_mut().skip(1).take(1).for_each(|texture| texture.channels = 4);
    });
    TEXTURE_EMPTY: with(|file| file.textures.iter_mut().skip(2).for_each(|texture| texture.width = 0));
    MIP_CHAIN_OVERRUN: with(|file| file.textures.iter_mut().skip(2).for_each(|texture| texture.width = 5));
    MIP_CHAIN_OVERLAP: with(|file| file.textures.iter_mut().skip(1).take(1).for_each(|texture| texture.offset = 336));
    IMAGE_BYTES_UNOWNED: with(|file| file.image_buffer.to_mut().extend([0; 16]));
    TEXTURE_UNUSED: with(|file| at(&mut file.materials, 0, |material| material.pbr_texture_index = 0.into()));
    TEXTURE_TWO_CHANNELS: with(|file| {
        // The normal map as the reference once wrote it: one pixel of two bytes.
        file.image_buffer.to_mut().drain(340..354);
        for (texture, [offset, compression]) in file.textures.iter_mut().zip([[0, 0], [340, 0], [342, 2]]) {
            texture.offset = offset;
            texture.compression = compression as u32;
        }
    });

    NAME_UNTERMINATED: with(|file| at(&mut file.joints, 0, |joint| joint.name = FixedText([b'x'; 128])));
    NAME_NOT_UTF8: with(|file| at(&mut file.joints, 0, |joint| if let Some(byte) = joint.name.0.first_mut() { *byte = 0xff }));
    NAME_EMPTY: with(|file| at(&mut file.joints, 0, |joint| joint.name = FixedText([0; 128])));
    NAME_DUPLICATE: with(|file| {
        let first = file.joints.first().map(|joint| joint.name);
        at(&mut file.joints, 2, |joint| joint.name = first.unwrap_or(joint.name));
    });
    NAME_GARBAGE: with(|file| at(&mut file.animations, 0, |animation| {
        if let Some(last) = animation.name.0.last_mut() { *last = 0xcd }
    }));
    PARENT_OUT_OF_RANGE: with(|file| at(&mut file.joints, 2, |joint| joint.parent = 3.into()));
    PARENT_CYCLE: with(|file| at(&mut file.joints, 0, |joint| joint.parent = 2.into()));
    PARENT_AFTER_CHILD: with(|file| {
        at(&mut file.joints, 0, |joint| joint.parent = 1.into());
        at(&mut file.joints, 1, |joint| joint.parent = (-1).into());
    });
    BIND_NOT_FINITE: with(|file| at(&mut file.joints, 1, |joint| joint.inverse_bind_matrix = [NAN; 16]));
    BIND_NOT_AFFINE: with(|file| at(&mut file.joints, 1, |joint| {
        joint.inverse_bind_matrix = crate::specimen::transposed(joint.inverse_bind_matrix.map(F32::get)).map(F32::new);
    }));
    BIND_DEGENERATE: with(|file| at(&mut file.joints, 1, |joint| {
        if let Some(scale_x) = joint.inverse_bind_matrix.first_mut() { *scale_x = 0.0.into() }
    }));

    VERTEX_NOT_FINITE: with(|file| at(&mut file.vertices, 3, |vertex| vertex.position = [0.0.into(), NAN, 0.0.into()]));
    NORMAL_NOT_UNIT: with(|file| at(&mut file.vertices, 3, |vertex| vertex.normal = [0.0.into(); 3]));
    TANGENT_NOT_UNIT: with(|file| at(&mut file.vertices, 3, |vertex| vertex.bitangent = [1.0.into(); 3]));
    INFLUENCE_JOINT: with(|file| at(&mut file.vertices, 3, |vertex| vertex.joint_indices = [0, 3, -1, -1].map(Into::into)));
    WEIGHT_SUM: with(|file| at(&mut file.vertices, 3, |vertex| vertex.joint_weights = [0.5, 0.25, 0.0, 0.0].map(Into::into)));
    WEIGHT_RANGE: with(|file| at(&mut file.vertices, 3, |vertex| vertex.joint_weights = [1.5, -0.5, 0.0, 0.0].map(Into::into)));
    INFLUENCE_UNUSED: with(|file| at(&mut file.vertices, 3, |vertex| vertex.joint_indices = [0, 1, 0, 0].map(Into::into)));
    INFLUENCE_WITHOUT_JOINT: with(|file| at(&mut file.vertices, 3, |vertex| vertex.joint_indices = [0, -1, -1, -1].map(Into::into)));

    TRACK_COUNT: with(|file| file.tracks.to_mut().truncate(2));
    TRACK_RANGE: with(|file| at(&mut file.tracks, 2, |track| track.scale_count = 2.into()));
    KEYS_SHARED: with(|file| {
        let animations = file.animations.repeat(300);
        file.animations.to_mut().extend(animations);
        let tracks = file.tracks.repeat(300);
        file.tracks.to_mut().extend(tracks);
        let all = file.keyframes.len() as u32;
        file.tracks.to_mut().iter_mut().for_each(|track| {
            track.first_keyframe = 0.into();
            (track.translation_count, track.rotation_count, track.scale_count) = (all.into(), 0.into(), 0.into());
        });
    });
    TRACK_EMPTY: with(|file| at(&mut file.tracks, 2, |track| track.scale_count = 0.into()));
    KEYS_UNUSED: with(|file| { let again = file.keyframes.to_vec(); file.keyframes.to_mut().extend(again); });
    KEY_NOT_FINITE: with(|file| at(&mut file.keyframes, 2, |key| key.value = [NAN; 4]));
    KEY_TIME_NEGATIVE: with(|file| at(&mut file.keyframes, 1, |key| key.time = (-0.25).into()));
    KEY_TIMES_UNSORTED: with(|file| at(&mut file.keyframes, 3, |key| key.time = 0.25.into()));
    KEY_TIMES_DUPLICATE: with(|file| at(&mut file.keyframes, 3, |key| key.time = 0.5.into()));
    ROTATION_NOT_UNIT: with(|file| at(&mut file.keyframes, 3, |key| key.value = [0.0, 0.0, 0.0, 2.0].map(Into::into)));
    KEY_W_NOT_ZERO: with(|file| at(&mut file.keyframes, 0, |key| key.value = [0.0, 0.0, 0.0, 1.0].map(Into::into)));
    SCALE_ZERO: with(|file| at(&mut file.keyframes, 6, |key| key.value = [0.0.into(); 4]));
    DURATION_SHORT: with(|file| at(&mut file.animations, 0, |animation| animation.duration = 1.0.into()));
    DURATION_INVALID: with(|file| at(&mut file.animations, 0, |animation| animation.duration = (-1.0).into()));
    ANIMATION_WITHOUT_JOINTS: with(|file| { file.joints.to_mut().clear(); file.tracks.to_mut().clear(); });

    PADDING_NOT_ZERO: with_dialect(Dialect::Wide, |file| file.header_padding = 0xabad_1dea);

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
