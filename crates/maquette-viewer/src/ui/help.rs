//! The page of keys.

use super::keys;
use crate::actions::{Action, Section};
use crate::state::session::Session;
use eframe::egui::{Align2, Context, Grid, RichText, ScrollArea, Window};

/// Shows it, where it is asked for.
pub fn show(context: &Context, session: &mut Session) {
    let mut is_open = session.shows_help;
    let room = context.content_rect().height() - 120.0;
    Window::new("Keys")
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(context, |ui| {
            ScrollArea::vertical().max_height(room.max(200.0)).min_scrolled_height(room.max(200.0)).show(ui, |ui| {
                ui.horizontal_top(|ui| {
                    let columns: [&[Section]; 4] = [
                        &[Section::File, Section::Window],
                        &[Section::Camera, Section::Select],
                        &[Section::Show],
                        &[Section::Play],
                    ];
                    for column in columns {
                        ui.vertical(|ui| column.iter().for_each(|section| list(ui, *section)));
                        ui.add_space(16.0);
                    }
                });
                ui.add_space(8.0);
                ui.horizontal_top(|ui| {
                    for (title, rows) in [("Pointer", keys::POINTER), ("Held", keys::HELD)] {
                        ui.vertical(|ui| {
                            ui.strong(title);
                            Grid::new(title).num_columns(2).show(ui, |ui| {
                                for (key, what) in rows {
                                    ui.monospace(*key);
                                    ui.label(*what);
                                    ui.end_row();
                                }
                            });
                        });
                        ui.add_space(16.0);
                    }
                });
            });
        });
    session.shows_help = is_open;
}

fn list(ui: &mut eframe::egui::Ui, section: Section) {
    ui.add_space(6.0);
    ui.strong(section.title());
    Grid::new(section.title()).num_columns(2).show(ui, |ui| {
        for (_, action) in Action::LISTED.iter().filter(|(there, _)| *there == section) {
            let key = keys::shown(ui.ctx(), *action).unwrap_or_default();
            ui.label(RichText::new(key).monospace());
            ui.label(action.label());
            ui.end_row();
        }
    });
}
