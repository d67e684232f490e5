//! A skin: its joints, each with its inverse bind matrix.

use super::node::matrix_rows;
use super::page::{Page, fact, heading, row, rows};
use super::uses::Uses;
use crate::state::selection::Thing;
use crate::ui::kept::kept;
use eframe::egui::{Id, TextStyle, Ui};
use maquette::scene::Handle;
use maquette::scene::scene::Skin;

/// Shows a skin.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, handle: Handle<Skin>, id: Id) {
    let Some(skin) = page.scene.skins.get(handle) else { return };
    let kept = kept::<Uses>(ui.ctx(), id);
    let uses = &mut *kept.lock();
    uses.update(page.scene, Thing::Skin(handle));
    fact(ui, "Joints", &skin.joints.len().to_string());
    page.links(ui, "Binds", &uses.users);
    heading(ui, "Joints and inverse bind matrices");
    let gap = ui.spacing().item_spacing.y;
    let line = ui.text_style_height(&TextStyle::Monospace);
    let height = ui.spacing().interact_size.y + 4.0 * (line + gap);
    let room = ui.available_height().max(4.0 * height);
    rows(ui, "joints", skin.joints.len(), height, room, |ui, place| {
        let Some(joint) = skin.joints.get(place) else { return };
        ui.push_id(place, |ui| {
            ui.vertical(|ui| {
                ui.set_min_height(height);
                row(ui, &format!("Joint {place}"), |ui| _ = page.link(ui, Thing::Node(*joint)));
                match skin.joint_from_mesh.get(place) {
                    Some(matrix) => matrix_rows(ui, matrix),
                    None => fact(ui, "Inverse bind", "none"),
                }
            });
        });
    });
}
