//! The specimen as an AEM file: uncompressed base colour, BC5 normals, BC7 packed map, three joints, one clip.

use super::raw::{Animation, Dialect, File, Joint, Keyframe, Material, Mesh, Texture, Track, Vertex};
use crate::format::Bundle;
use crate::layout::FixedText;
use crate::specimen;
use std::borrow::Cow;
use zerocopy::little_endian::U32;

/// A small model in the dialect of this id; the document's for an unknown one.
pub fn sample(dialect: &str) -> Bundle {
    model(Dialect::from_id(dialect).unwrap_or(Dialect::Document)).encode().into()
}

/// The specimen, ready to change and encode.
pub fn model(dialect: Dialect) -> File<'static> {
    let (vertices, indices) = specimen::geometry();
    let (image_buffer, textures) = textures(dialect);
    let mut tracks = Vec::new();
    let mut keyframes = Vec::new();
    for joint in specimen::JOINTS {
        tracks.push(Track {
            first_keyframe: U32::new(keyframes.len() as u32),
            translation_count: 1.into(),
            rotation_count: (joint.rotations.len() as u32).into(),
            scale_count: 1.into(),
        });
        let [x, y, z] = joint.translation;
        keyframes.push(key(0.0, [x, y, z, 0.0]));
        keyframes.extend(specimen::KEY_TIMES.iter().zip(joint.rotations).map(|(&time, turn)| key(time, turn)));
        keyframes.push(key(0.0, [1.0, 1.0, 1.0, 0.0]));
    }
    let index_count = U32::new(indices.len() as u32);
    File {
        dialect,
        evidence: "made as such".into(),
        header_padding: 0,
        vertices: vertices.iter().map(vertex).collect(),
        indices: indices.into_iter().map(U32::new).collect(),
        image_buffer: Cow::Owned(image_buffer),
        textures,
        meshes: Cow::Owned(vec![Mesh { first_index: 0.into(), index_count, material_index: 0.into() }]),
        materials: Cow::Owned(vec![Material {
            base_color_texture_index: 0.into(),
            normal_texture_index: 1.into(),
            pbr_texture_index: 2.into(),
            kind: 0.into(),
        }]),
        joints: specimen::JOINTS.iter().map(joint).collect(),
        animations: Cow::Owned(vec![Animation {
            name: name(specimen::CLIP),
            duration: specimen::DURATION_SECS.into(),
        }]),
        tracks: Cow::Owned(tracks),
        keyframes: Cow::Owned(keyframes),
        trailing: Cow::default(),
    }
}

fn name(text: &str) -> FixedText<128> {
    FixedText::new(text).unwrap_or(FixedText([0; 128]))
}

fn key(time: f32, value: [f32; 4]) -> Keyframe {
    Keyframe { time: time.into(), value: value.map(Into::into) }
}

fn vertex(vertex: &specimen::Vertex) -> Vertex {
    Vertex {
        position: vertex.position.map(Into::into),
        normal: vertex.normal.map(Into::into),
        tangent: vertex.tangent.map(Into::into),
        bitangent: vertex.bitangent.map(Into::into),
        uv: vertex.uv.map(Into::into),
        joint_indices: vertex.joints.map(Into::into),
        joint_weights: vertex.weights.map(Into::into),
    }
}

fn joint(joint: &specimen::Joint) -> Joint {
    Joint {
        name: name(joint.name),
        inverse_bind_matrix: joint.inverse_bind().map(Into::into),
        parent: joint.parent.into(),
    }
}

/// Base colour, flat normals, and a rough, unoccluded, non-metal, dark packed map.
fn textures(dialect: Dialect) -> (Vec<u8>, Vec<Texture>) {
    let compressed = dialect != Dialect::WideEarly;
    let size = specimen::TEXTURE_SIZE;
    let mut buffer = Vec::new();
    let mut textures = Vec::new();
    let mut add = |pixels: Vec<u8>, size: usize, channels: u32, compression: u32| {
        let [width, height] = [size as u32; 2];
        textures.push(Texture {
            offset: buffer.len() as u64,
            width,
            height,
            wrap_x: 0,
            wrap_y: 0,
            channels,
            compression,
            padding: 0,
        });
        buffer.extend(pixels);
    };
    let levels = (0..=size.ilog2()).map(|level| size >> level);
    add(levels.flat_map(specimen::checker).map(linear).collect(), size, 4, 0);
    if compressed {
        add(FLAT_NORMAL_BC5.to_vec(), 1, if stores_channels(dialect) { 2 } else { 4 }, 1);
        add(solid_bc7([230, 254, 0, 0]).to_vec(), 1, 4, 2);
    } else {
        add(vec![128, 128, 255, 255], 1, 4, 0);
        add(vec![230, 254, 0, 0], 1, 4, 0);
    }
    (buffer, textures)
}

fn stores_channels(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Channels | Dialect::Wide)
}

/// The specimen's colours from sRGB to linear, which is how AEM stores base colour. 255 (opacity, too) stays 255.
fn linear(srgb: u8) -> u8 {
    match srgb {
        200 => 147,
        90 => 26,
        50 => 8,
        240 => 222,
        228 => 198,
        other => other,
    }
}

/// One BC5 block: both channels 128 everywhere.
const FLAT_NORMAL_BC5: [u8; 16] = [128, 128, 0, 0, 0, 0, 0, 0, 128, 128, 0, 0, 0, 0, 0, 0];

/// One BC7 block of a single colour whose four channels are all even: mode 6, both endpoints equal, all indices 0.
fn solid_bc7(colour: [u8; 4]) -> [u8; 16] {
    let mut block: u128 = 1 << 6;
    for (channel, value) in colour.into_iter().enumerate() {
        let endpoint = u128::from(value >> 1);
        block |= (endpoint | endpoint << 7) << (7 + 14 * channel);
    }
    block.to_le_bytes()
}
