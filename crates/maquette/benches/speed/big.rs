//! Sound files of a given size, made by repeating the specimen's parts.

use maquette::formats::{aem, nlm};
use std::borrow::Cow;

/// A file of about this many bytes; `None` for formats that are never large.
pub fn make(format: &str, bytes: usize) -> Option<Vec<u8>> {
    Some(match format {
        "aem" => aem(bytes),
        "nlm" => nlm(bytes),
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
