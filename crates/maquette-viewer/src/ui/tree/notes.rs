//! What is written beside a name: what a node carries, how large a mesh is, how long a clip lasts.

use super::counts::Counts;
use super::rows::{Key, Section};
use crate::state::bones;
use crate::state::selection::Thing;
use maquette::Scene;
use maquette::scene::image::ImageData;
use maquette::scene::material::{AlphaMode, Surface};
use maquette::scene::mesh::{Primitive, Topology};

/// A few words about what a row stands for; a row has room for no more.
pub fn of(scene: &Scene, key: Key, counts: &Counts) -> String {
    match key {
        Key::Section(section) => section_count(scene, section),
        Key::Part(mesh, part) => {
            let part = scene.meshes.get(mesh).and_then(|mesh| mesh.primitives.get(part));
            part.map(|part| size(std::slice::from_ref(part))).unwrap_or_default()
        }
        Key::Thing(Thing::Node(node)) => {
            let Some(data) = scene.nodes.get(node) else { return String::new() };
            let keys = counts.of_node(node).map(|keys| format!("{keys} keys"));
            let words = [
                counts.is_joint(node).then(|| "joint".to_owned()),
                data.mesh.map(|_| "mesh".to_owned()),
                data.skin.map(|_| "skin".to_owned()),
                keys,
            ];
            words.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
        Key::Thing(Thing::Mesh(mesh)) => scene.meshes.get(mesh).map(|mesh| size(&mesh.primitives)).unwrap_or_default(),
        Key::Thing(Thing::Skin(skin)) => {
            scene.skins.get(skin).map(|skin| format!("{} joints", skin.joints.len())).unwrap_or_default()
        }
        Key::Thing(Thing::Material(material)) => {
            let Some(material) = scene.materials.get(material) else { return String::new() };
            let words = [
                matches!(material.surface, Surface::Packed(_)).then_some("packed"),
                match material.alpha {
                    AlphaMode::Opaque => None,
                    AlphaMode::Mask(_) => Some("cut out"),
                    AlphaMode::Blend => Some("blended"),
                },
                material.unlit.then_some("unlit"),
            ];
            words.into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
        Key::Thing(Thing::Image(image)) => match scene.images.get(image).map(|image| &*image.data) {
            Some(ImageData::Encoded { mime, .. }) => mime.strip_prefix("image/").unwrap_or(mime).to_owned(),
            Some(ImageData::Pixels { format, width, height, .. }) => format!("{} {width} × {height}", format.word()),
            Some(ImageData::External(_)) => "missing".to_owned(),
            None => String::new(),
        },
        Key::Thing(Thing::Clip(clip)) => {
            let clip = scene.clips.as_slice().get(clip);
            clip.map(|clip| format!("{:.2} s", clip.duration_secs)).unwrap_or_default()
        }
        Key::Thing(Thing::Bone { clip, track }) => {
            let own = scene.clips.as_slice().get(clip).zip(bones::name(scene, clip, track));
            let tracks = own.into_iter().flat_map(|(clip, name)| bones::tracks_of(clip, name));
            format!("{} keys", tracks.map(|track| track.curve.times_secs().len()).sum::<usize>())
        }
        Key::Thing(Thing::Nothing) => String::new(),
    }
}

fn section_count(scene: &Scene, section: Section) -> String {
    section.count(scene).to_string()
}

/// Vertices, and triangles or lines.
fn size(parts: &[Primitive]) -> String {
    let vertices: usize = parts.iter().map(|part| part.streams.len()).sum();
    let drawn = |topology: Topology| -> usize {
        let parts = parts.iter().filter(|part| part.topology == topology);
        parts.map(|part| part.indices.len() / topology.corners()).sum()
    };
    let (triangles, lines) = (drawn(Topology::Triangles), drawn(Topology::Lines));
    let mut words = format!("{vertices} v, {triangles} t");
    if lines > 0 {
        words.push_str(&format!(", {lines} l"));
    }
    words
}
