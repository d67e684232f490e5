//! The fields of the rows that are seen, and what the selected one is.

use super::{View, select};
use crate::state::fields::Field;
use crate::ui::Desk;
use eframe::egui::{Button, Panel, RichText, ScrollArea, Ui};
use maquette::Input;
use maquette::scene::path::shortened;

/// Shows the list.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>, view: &mut View, input: &Input, fields: &[Field]) {
    let selected = desk.session.document().and_then(|document| document.selection.bytes.clone());
    let chosen = fields.iter().find(|field| Some(&field.bytes) == selected.as_ref());
    let chosen = chosen.or_else(|| fields.iter().find(|field| field.bytes.contains(&view.cursor)));
    if let Some(field) = chosen {
        let most = ui.available_height() * 0.6;
        Panel::bottom("selected field")
            .resizable(true)
            .default_size(96.0_f32.min(most))
            .max_size(most)
            .show(ui, |ui| describe(ui, field, input));
    }
    let height = ui.spacing().interact_size.y;
    ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0).show_rows(
        ui,
        height,
        fields.len(),
        |ui, shown| {
            for field in fields.get(shown).unwrap_or_default() {
                let is_selected = Some(&field.bytes) == selected.as_ref();
                let text = format!("{} = {}", shortened(&field.path.to_string()), field.value(input.bytes()));
                let line = Button::selectable(is_selected, text).truncate();
                if ui.add(line).clicked() {
                    select(desk, view, field.bytes.start, fields);
                }
            }
        },
    );
}

fn describe(ui: &mut Ui, field: &Field, input: &Input) {
    ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
        ui.label(RichText::new(field.path.to_string()).strong());
        let bytes = field.bytes.end - field.bytes.start;
        ui.label(format!("{}, {bytes} bytes at {:#x} ({})", field.ty.name(), field.bytes.start, field.bytes.start));
        ui.label(RichText::new(field.value(input.bytes())).monospace());
        let about = field.about();
        if !about.is_empty() {
            ui.label(about);
        }
    });
}
