//! What the format has no place for, outside of materials and motion.

use super::drawn::Drawn;
use maquette_scene::Scene;
use maquette_scene::image::ImageData;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::Primitive;

/// Reports names, units and whatever is not drawn.
pub fn report(scene: &Scene, drawn: &[Drawn<'_>], losses: &mut LossReport) {
    names(scene, losses);
    let undrawn = scene.meshes.len() - drawn.len();
    losses.dropped(Lost::Meshes, "the model", "they are drawn at no node", undrawn as u64);
    for mesh in drawn {
        let written = mesh.primitives().count();
        let empty = mesh.mesh.primitives.len().max(1) - written;
        losses.dropped(Lost::Primitives, mesh.subject.as_str(), "they have no vertices", empty as u64);
        if written > 1 {
            let detail = "each is a mesh of its own";
            losses.push(LossKind::Baked, Lost::Primitives, mesh.subject.as_str(), detail, written as u64);
        }
    }
}

fn names(scene: &Scene, losses: &mut LossReport) {
    let count = |names: &mut dyn Iterator<Item = &String>| names.filter(|name| !name.is_empty()).count() as u64;
    // What is not there is told with the texture that misses it.
    let images = scene.images.iter().filter(|image| !matches!(&*image.data, ImageData::External(_)));
    let all = [
        (Lost::NodeNames, count(&mut scene.nodes.iter().map(|node| &node.name))),
        (Lost::MeshNames, count(&mut scene.meshes.iter().map(|mesh| &mesh.name))),
        (Lost::MeshNames, count(&mut scene.skins.iter().map(|skin| &skin.name))),
        (Lost::MaterialNames, count(&mut scene.materials.iter().map(|material| &material.name))),
        (Lost::ImageNames, count(&mut images.map(|image| &image.name))),
        (Lost::ClipNames, count(&mut scene.clips.iter().map(|clip| &clip.name))),
    ];
    for (what, count) in all {
        losses.dropped(what, "the model", "nothing in the format has a name", count);
    }
}

/// Reports what is lost of the vertices of a part.
pub fn of_streams(primitive: &Primitive, mesh: &Drawn<'_>, texture: &[u8], losses: &mut LossReport) {
    let mut gone = |what, detail: &str, count: usize| losses.dropped(what, mesh.subject.as_str(), detail, count as u64);
    let streams = &primitive.streams;
    if let Some(colours) = streams.colours.first() {
        let transparent = colours.iter().filter(|[.., alpha]| *alpha != 1.0).count();
        gone(Lost::VertexColours, "colours have three channels", transparent);
        let white = colours.iter().all(|[r, g, b, _]| [r, g, b] == [&1.0; 3]);
        gone(Lost::VertexColours, "all are white, as without any", if white { colours.len() } else { 0 });
    }
    gone(
        Lost::VertexColours,
        "only the first set has a place",
        streams.colours.len().saturating_sub(1) * streams.len(),
    );
    let is_corner = |uv: &[f32; 2]| [uv[0], 1.0 - uv[1]] == [0.0; 2];
    let meaningless = texture.is_empty() && streams.uvs.first().is_some_and(|uvs| uvs.iter().all(is_corner));
    gone(Lost::TextureCoordinates, "all are 0, as without any", if meaningless { streams.len() } else { 0 });
    let zero = streams.normals.as_ref().is_some_and(|normals| normals.iter().all(|normal| *normal == [0.0; 3]));
    gone(Lost::Normals, "all are 0, as without any", if zero { streams.len() } else { 0 });
    if let Some(influences) = streams.influences.as_ref().filter(|_| !mesh.skinned) {
        let moved = (0..streams.len()).filter(|&vertex| influences.of(vertex).next().is_some()).count();
        gone(Lost::Influences, "the mesh has no skin", moved);
    }
}
