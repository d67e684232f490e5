//! Sound files of a given size, made by repeating the specimen's parts.

use maquette::formats::{aem, bmw, nlm, pani, pmdl, seanim};
use std::borrow::Cow;

/// A file of about this many bytes; `None` for formats that are never large.
pub fn make(format: &str, bytes: usize) -> Option<Vec<u8>> {
    Some(match format {
        "aem" => aem(bytes),
        "nlm" => nlm(bytes),
        "pmdl" => pmdl(bytes),
        "pani" => pani(bytes),
        "bmw" => bmw(bytes),
        "seanim" => seanim(bytes),
        _ => return None,
    })
}

/// Items over and over, `count` of them.
fn repeat<T: Clone>(items: &[T], count: usize) -> Cow<'static, [T]> {
    items.iter().cycle().take(count).cloned().collect()
}

/// Two thirds vertices, a sixth indices, a sixth keys: little that need not be looked at.
fn aem(bytes: usize) -> Vec<u8> {
    let mut file = aem::sample::model(aem::Dialect::Document);
    file.vertices = repeat(&file.vertices, bytes * 4 / 6 / 88);
    let indices = bytes / 6 / 4 / 3 * 3;
    file.indices = repeat(&file.indices, indices);
    if let Some(mesh) = file.meshes.to_mut().first_mut() {
        mesh.index_count = (indices as u32).into();
    }
    let rotations = bytes / 6 / 20 - 2 * file.tracks.len();
    let each = rotations / file.tracks.len();
    let mut keyframes = Vec::new();
    let sample = file.keyframes.into_owned();
    for (track, keys) in file.tracks.to_mut().iter_mut().zip(sample.chunks(7)) {
        track.first_keyframe = (keyframes.len() as u32).into();
        track.rotation_count = (each as u32).into();
        keyframes.extend(keys.first());
        keyframes.extend((0..each).filter_map(|index| {
            let mut key = *keys.get(1 + index % 5)?;
            key.time = (index as f32 * 0.01).into();
            Some(key)
        }));
        keyframes.extend(keys.last());
    }
    if let Some(animation) = file.animations.to_mut().first_mut() {
        animation.duration = (each as f32 * 0.01).into();
    }
    file.keyframes = Cow::Owned(keyframes);
    file.encode()
}

/// Nine tenths vertices and indices of one mesh, the rest keys.
fn nlm(bytes: usize) -> Vec<u8> {
    let mut file = nlm::sample::model(nlm::Dialect::Document);
    if let Some(mesh) = file.meshes.first_mut() {
        mesh.vertices = repeat(&mesh.vertices, bytes * 7 / 10 / 76);
        mesh.indices = repeat(&mesh.indices, bytes * 2 / 10 / 12 * 3);
    }
    if let Some(animation) = &mut file.animation {
        let each = bytes / 10 / 20 / animation.bones.len();
        for bone in &mut animation.bones {
            bone.rotations = repeat(&bone.rotations, each);
            for (index, key) in bone.rotations.to_mut().iter_mut().enumerate() {
                key.time = (index as f32 * 0.01).into();
            }
        }
        animation.duration = (each as f32 * 0.01).into();
    }
    file.encode()
}

/// Four fifths skinned vertices, a fifth indices.
fn pmdl(bytes: usize) -> Vec<u8> {
    let mut file = pmdl::sample::model(pmdl::Dialect::Engine);
    if let Some(mesh) = file.meshes.first_mut() {
        if let pmdl::raw::Vertices::Type3(vertices) = &mut mesh.vertices {
            *vertices = repeat(vertices, bytes * 4 / 5 / 76);
        }
        if let pmdl::raw::Indices::U32(indices) = &mut mesh.indices {
            *indices = repeat(indices, bytes / 5 / 12 * 3);
        }
    }
    file.encode()
}

/// Rotation keys.
fn pani(bytes: usize) -> Vec<u8> {
    let mut file = pani::sample::clip();
    let each = bytes / 20 / file.bones.len();
    for bone in &mut file.bones {
        bone.rotations = repeat(&bone.rotations, each);
        for (index, key) in bone.rotations.to_mut().iter_mut().enumerate() {
            key.time = (index as f32).into();
        }
    }
    file.duration = (each as f32).into();
    file.encode()
}

/// Half vertices and faces, a quarter weights, a quarter animation matrices.
fn bmw(bytes: usize) -> Vec<u8> {
    let mut file = bmw::sample::model(bmw::Dialect::Document);
    if let Some(mesh) = file.meshes.first_mut() {
        let count = bytes / 100;
        mesh.vertices = repeat(&mesh.vertices, count);
        mesh.faces = repeat(&mesh.faces, count / 2);
        let sample = std::mem::take(&mut mesh.weights);
        mesh.weights = sample.iter().cycle().take(count).cloned().collect();
        for (index, weights) in mesh.weights.iter_mut().enumerate() {
            weights.vertex_id = index as u32;
        }
    }
    for animation in &mut file.animations {
        let ticks = bytes / 4 / 64 / animation.bones.len();
        animation.duration = ticks as u32;
        for bone in &mut animation.bones {
            bone.matrices = repeat(&bone.matrices, ticks);
        }
    }
    file.encode()
}

/// Rotation keys of three bones, single precision.
fn seanim(bytes: usize) -> Vec<u8> {
    let mut file = seanim::sample::model(seanim::Dialect::Corrected);
    let each = bytes / 20 / file.bones.len();
    file.frame_count = each as u32;
    let shape = file.shape(seanim::raw::Channel::Rot);
    for bone in &mut file.bones {
        let sample: Vec<_> = bone.rot.iter().collect();
        let mut keys = seanim::raw::keys::Keys::new(shape);
        for (frame, key) in sample.iter().cycle().take(each).enumerate() {
            keys.push(seanim::raw::keys::Key { frame: frame as u32, ..*key });
        }
        bone.rot = keys;
    }
    file.encode()
}
