//! The choice of a clip, however many there are.

use super::things;
use crate::state::player::Clips;
use eframe::egui::{ComboBox, ScrollArea, Ui};

/// What no clip is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoClip(pub &'static str);

/// Shows a list of clips that opens, called so; what was chosen just now, if it is another: a clip, or none.
pub fn show(ui: &mut Ui, label: &str, clips: &Clips, here: Option<usize>, none: NoClip) -> Option<Option<usize>> {
    let name = |clip: Option<usize>| match clip {
        Some(clip) => things::line(&clips.name(clip)).into_owned(),
        None => none.0.to_owned(),
    };
    let combo = ComboBox::from_id_salt(label).selected_text(name(here)).width(120.0).truncate();
    let shown = combo.show_ui(ui, |ui| {
        let height = ui.spacing().interact_size.y;
        let rows = clips.sources.len() + 1;
        let mut chosen = None;
        ScrollArea::vertical().show_rows(ui, height, rows, |ui, rows| {
            for row in rows {
                let clip = row.checked_sub(1);
                if ui.selectable_label(clip == here, name(clip)).clicked() {
                    chosen = Some(clip);
                }
            }
        });
        chosen
    });
    let response = shown.response;
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(label));
    shown.inner.flatten().filter(|chosen| *chosen != here)
}
