//! A node: where it is, what it carries, and what it is to skins and clips.

use super::numbers::{number, numbers, rows};
use super::page::{Page, fact, heading, list, row};
use super::uses::{ClipKeys, Uses};
use crate::state::selection::Thing;
use crate::ui::kept::kept;
use eframe::egui::{Id, Label, RichText, TextStyle, TextWrapMode, Ui, WidgetText};
use maquette::scene::Handle;
use maquette::scene::glam::{EulerRot, Mat4};
use maquette::scene::scene::{Node, Transform, Trs};

/// Shows a node.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, handle: Handle<Node>, id: Id) {
    let Some(node) = page.scene.nodes.get(handle) else { return };
    let kept = kept::<Uses>(ui.ctx(), id);
    let uses = &mut *kept.lock();
    uses.update(page.scene, Thing::Node(handle));
    page.linked(ui, "Parent", uses.parent.map(Thing::Node));
    page.linked(ui, "Mesh", node.mesh.map(Thing::Mesh));
    page.linked(ui, "Skin", node.skin.map(Thing::Skin));
    materials(ui, page, node);
    transform(ui, &node.transform);
    world(ui, page, handle);
    morph_weights(ui, page, node);
    joint(ui, page, uses);
    keys(ui, page, &uses.keys);
    children(ui, page, node);
    page.extras(ui, &node.extras);
}

fn materials(ui: &mut Ui, page: &mut Page<'_>, node: &Node) {
    let Some(mesh) = node.mesh.and_then(|mesh| page.scene.meshes.get(mesh)) else { return };
    let count = mesh.primitives.len();
    list(ui, "materials", count, |ui, place| {
        let material = mesh.primitives.get(place).and_then(|primitive| primitive.material);
        let label = if count == 1 { "Material".to_owned() } else { format!("Material {place}") };
        page.linked(ui, &label, material.map(Thing::Material));
    });
}

fn transform(ui: &mut Ui, transform: &Transform) {
    match transform {
        Transform::Trs(trs) => {
            heading(ui, "At rest, from its parent");
            parts(ui, trs);
        }
        Transform::Matrix(matrix) => {
            heading(ui, "At rest, from its parent, as a matrix");
            matrix_rows(ui, matrix);
            heading(ui, "Its parts; shear is not among them");
            parts(ui, &Trs::from_matrix(*matrix));
        }
    }
}

fn parts(ui: &mut Ui, trs: &Trs) {
    fact(ui, "Translation", &numbers(&trs.translation.to_array()));
    fact(ui, "Rotation xyzw", &numbers(&trs.rotation.to_array()));
    let (x, y, z) = trs.rotation.to_euler(EulerRot::XYZ);
    let degrees = [x, y, z].map(|angle| format!("{}°", number(angle.to_degrees()))).join("  ");
    fact(ui, "about x, y, z", &degrees);
    fact(ui, "Scale", &numbers(&trs.scale.to_array()));
}

fn world(ui: &mut Ui, page: &Page<'_>, handle: Handle<Node>) {
    heading(ui, "In the scene, now");
    let world = page.document.placed.as_ref().and_then(|placed| placed.world_from_node.get(handle.index()));
    let text = world.map_or_else(|| "not known yet".to_owned(), |world| numbers(&world.w_axis.truncate().to_array()));
    fact(ui, "Position", &text);
}

fn morph_weights(ui: &mut Ui, page: &Page<'_>, node: &Node) {
    let Some(mesh) = node.mesh.and_then(|mesh| page.scene.meshes.get(mesh)) else { return };
    let (of, weights) = match node.morph_weights.as_slice() {
        [] => ("its mesh", mesh.morph_weights.as_slice()),
        own => ("its own", own),
    };
    if weights.is_empty() {
        return;
    }
    heading(ui, &format!("Morph weights, {of} ({})", weights.len()));
    list(ui, "morph weights", weights.len(), |ui, place| {
        let name = mesh.morph_names.get(place).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("target {place}"), Clone::clone);
        fact(ui, &name, &weights.get(place).copied().map(number).unwrap_or_default());
    });
}

fn joint(ui: &mut Ui, page: &mut Page<'_>, uses: &Uses) {
    for (place, (skin, joint)) in uses.places.iter().take(16).enumerate() {
        heading(ui, &format!("As joint {joint} of"));
        ui.push_id(place, |ui| {
            row(ui, "Skin", |ui| _ = page.link(ui, Thing::Skin(*skin)));
            let matrix = page.scene.skins.get(*skin).and_then(|skin| skin.joint_from_mesh.get(*joint));
            match matrix {
                Some(matrix) => {
                    fact(ui, "Inverse bind", "from the mesh to the joint");
                    matrix_rows(ui, matrix);
                }
                None => fact(ui, "Inverse bind", "none"),
            }
        });
    }
    if uses.places.len() > 16 {
        let others: Vec<Thing> = uses.places.iter().skip(16).map(|(skin, _)| Thing::Skin(*skin)).collect();
        page.links(ui, "And of", &others);
    }
}

/// Four rows, columns under each other.
pub fn matrix_rows(ui: &mut Ui, matrix: &Mat4) {
    let text = |text: &str| RichText::new(text).monospace();
    let digits = WidgetText::from(text("0123456789"));
    let digits = digits.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Monospace);
    let letters = (ui.available_width() * 10.0 / digits.size().x.max(1.0)) as usize;
    for (shown, whole) in rows(matrix, letters).iter().zip(rows(matrix, usize::MAX)) {
        ui.add(Label::new(text(shown)).extend()).on_hover_text(text(&whole));
    }
}

fn keys(ui: &mut Ui, page: &mut Page<'_>, keys: &[ClipKeys]) {
    if keys.is_empty() {
        return;
    }
    heading(ui, &format!("Keys, in {} of {} clips", keys.len(), page.scene.clips.len()));
    list(ui, "keys", keys.len(), |ui, place| {
        let Some(keys) = keys.get(place) else { return };
        ui.horizontal(|ui| {
            let all = [
                ("translation", keys.translation),
                ("rotation", keys.rotation),
                ("scale", keys.scale),
                ("morph weights", keys.morph_weights),
            ];
            let words = all.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{count} {word}"));
            let words = words.collect::<Vec<_>>().join(", ");
            page.link(ui, Thing::Clip(keys.clip));
            ui.add(Label::new(if words.is_empty() { "none".to_owned() } else { words }).truncate());
        });
    });
}

fn children(ui: &mut Ui, page: &mut Page<'_>, node: &Node) {
    if node.children.is_empty() {
        return fact(ui, "Children", "none");
    }
    heading(ui, &format!("Children ({})", node.children.len()));
    list(ui, "children", node.children.len(), |ui, place| {
        let Some(child) = node.children.get(place) else { return };
        ui.horizontal(|ui| page.link(ui, Thing::Node(*child)));
    });
}
