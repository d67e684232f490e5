//! A mesh: its parts, what their vertices have, and its morph targets.

use super::numbers::number;
use super::page::{Page, fact, heading, is_short, list, rows, sentence};
use super::uses::Uses;
use crate::state::selection::Thing;
use crate::ui::kept::kept;
use eframe::egui::{Id, Ui};
use maquette::scene::Handle;
use maquette::scene::mesh::{Mesh, Primitive, Topology};

/// Rows of a part.
const ROWS: usize = 6;

/// Tells a fact, in one line or in more.
type Tell = fn(&mut Ui, &str, &str);

/// Shows a mesh.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, handle: Handle<Mesh>, id: Id) {
    let Some(mesh) = page.scene.meshes.get(handle) else { return };
    let parts = mesh.primitives.as_slice();
    let vertices: usize = parts.iter().map(|part| part.streams.len()).sum();
    fact(ui, "Vertices", &vertices.to_string());
    fact(ui, "Triangles", &drawn(parts, Topology::Triangles).to_string());
    let lines = drawn(parts, Topology::Lines);
    if lines > 0 {
        fact(ui, "Lines", &lines.to_string());
    }
    morph_targets(ui, mesh);
    heading(ui, &format!("Primitives ({})", parts.len()));
    let (each, gap) = (ui.spacing().interact_size.y, ui.spacing().item_spacing.y);
    let height = ROWS as f32 * (each + gap) - gap;
    // In a long list, rows are of one height.
    let told: Tell = if is_short(parts.len()) { sentence } else { fact };
    rows(ui, "primitives", parts.len(), height, 4.0 * height, |ui, place| {
        if let Some(part) = parts.get(place) {
            ui.push_id(place, |ui| primitive(ui, page, place, part, told));
        }
    });
    let kept = kept::<Uses>(ui.ctx(), id);
    let uses = &mut *kept.lock();
    uses.update(page.scene, Thing::Mesh(handle));
    page.links(ui, "Drawn by", &uses.users);
    page.extras(ui, &mesh.extras);
}

fn drawn(parts: &[Primitive], topology: Topology) -> usize {
    let parts = parts.iter().filter(|part| part.topology == topology);
    parts.map(|part| part.indices.len() / topology.corners()).sum()
}

fn primitive(ui: &mut Ui, page: &mut Page<'_>, place: usize, part: &Primitive, told: Tell) {
    ui.vertical(|ui| {
        let (word, count) = match part.topology {
            Topology::Triangles => ("triangles", part.indices.len() / 3),
            Topology::Lines => ("lines", part.indices.len() / 2),
        };
        fact(ui, &format!("Primitive {place}"), &format!("{count} {word}"));
        fact(ui, "Vertices", &part.streams.len().to_string());
        fact(ui, "Indices", &part.indices.len().to_string());
        told(ui, "Streams", &streams(part));
        fact(ui, "Morph targets", &part.morph_targets.len().to_string());
        match part.material {
            Some(material) => page.linked(ui, "Material", Some(Thing::Material(material))),
            None => fact(ui, "Material", "none: glTF's default"),
        }
    });
}

fn streams(part: &Primitive) -> String {
    let streams = &part.streams;
    let sets = |count: usize, word: &str| match count {
        0 => None,
        1 => Some(word.to_owned()),
        count => Some(format!("{count} × {word}")),
    };
    let slots = streams.influences.as_ref().map(|influences| format!("{} influences", influences.slots));
    let all = [
        Some("positions".to_owned()),
        streams.normals.as_ref().map(|_| "normals".to_owned()),
        streams.tangents.as_ref().map(|_| "tangents".to_owned()),
        sets(streams.uvs.len(), "uv"),
        sets(streams.colours.len(), "colours"),
        slots,
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn morph_targets(ui: &mut Ui, mesh: &Mesh) {
    let in_parts = mesh.primitives.iter().map(|part| part.morph_targets.len()).max().unwrap_or(0);
    let count = in_parts.max(mesh.morph_names.len()).max(mesh.morph_weights.len());
    if count == 0 {
        return;
    }
    heading(ui, &format!("Morph targets ({count})"));
    list(ui, "morph targets", count, |ui, place| {
        let name = mesh.morph_names.get(place).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("target {place}"), Clone::clone);
        let weight = mesh.morph_weights.get(place).copied().unwrap_or(0.0);
        fact(ui, &name, &format!("{} at rest", number(weight)));
    });
}
