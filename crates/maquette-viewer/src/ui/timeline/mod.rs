//! The clip that plays: buttons, the choice of the clip, and a scrubber with keys and events.

pub mod clip_keys;
mod flags;
pub mod hold;
pub mod marks;
mod ruler;
pub mod scrubber;
mod transport;
pub mod view;

use super::{Desk, nothing};
use crate::actions::Action;
use crate::state::document::Document;
use eframe::egui::Ui;

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(document) = desk.session.document() else { return nothing(ui, "Nothing is open.") };
    let Some(player) = &document.player else {
        return nothing(ui, document.without_scene());
    };
    if player.clips().sources.is_empty() {
        return without_clips(ui, desk);
    }
    ui.horizontal_wrapped(|ui| {
        // One row, in a window of usual width.
        ui.spacing_mut().item_spacing.x *= 0.5;
        transport::show(ui, desk);
    });
    scrubber::show(ui, desk);
}

/// Says that there are no clips, and how to come by some.
pub fn without_clips(ui: &mut Ui, desk: &mut Desk<'_>) {
    let scene = desk.session.document().and_then(Document::scene);
    if scene.is_some_and(|scene| scene.nodes.is_empty()) {
        return nothing(ui, "There is nothing in it that a clip could move.");
    }
    let key = super::keys::shown(ui.ctx(), Action::AddClips).unwrap_or_default();
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.3).min(60.0));
        ui.weak("This model has no clips.");
        ui.weak(format!("Drop a SEAnim file onto it, or choose one with {key}."));
        desk.button(ui, Action::AddClips.label(), Action::AddClips);
    });
}
