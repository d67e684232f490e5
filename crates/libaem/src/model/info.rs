//! What `aem_print_model_info` prints.

use maquette_formats::aem::File;
use maquette_formats::aem::raw::Track;
use maquette_formats::summary::shown;
use std::fmt::Write;

/// A line for each table, and one for each animation.
pub fn of(file: &File<'_>) -> String {
    let counts = [
        ("Vertex count", file.vertices.len()),
        ("Index count", file.indices.len()),
        ("Image buffer size", file.image_buffer.len()),
        ("Texture count", file.textures.len()),
        ("Mesh count", file.meshes.len()),
        ("Material count", file.materials.len()),
        ("Joint count", file.joints.len()),
        ("Animation count", file.animations.len()),
        ("Track count", file.tracks.len()),
        ("Keyframe count", file.keyframes.len()),
    ];
    let mut text = format!("Layout: {}", file.dialect.id());
    for (what, count) in counts {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{what}: {count}");
    }
    for (index, animation) in file.animations.iter().enumerate() {
        let keys: u64 = file.tracks_of(index).iter().map(Track::key_count).sum();
        let name = shown(animation.name.text());
        let _ = write!(text, "\nAnimation {index}: {name:?}, {} s, {keys} keyframes", animation.duration.get());
    }
    text
}
