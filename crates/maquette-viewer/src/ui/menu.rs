//! The bar at the top: menus of all actions, the mode, and what is open.

use super::{Desk, keys};
use crate::actions::{Action, Section};
use crate::state::document::Progress;
use eframe::egui::{Button, ComboBox, MenuBar, RichText, Ui};
use maquette_render::{Mode, ToneMap};
use std::path::PathBuf;

/// What is chosen in a menu that is no action by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A file that was opened lately.
    Recent(PathBuf),
}

/// Shows the bar.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) -> Option<Chosen> {
    let mut chosen = None;
    MenuBar::new().ui(ui, |ui| {
        for section in Section::ALL {
            ui.menu_button(section.title(), |ui| {
                for (_, action) in Action::LISTED.iter().filter(|(there, _)| *there == section) {
                    item(ui, desk, *action);
                    if *action == Action::Open {
                        chosen = recent(ui, desk).or(chosen.take());
                    }
                }
            });
        }
        ui.separator();
        let look = &desk.session.look;
        let (mode, tone_map) = (look.mode, look.tone_map);
        let name = ui.label("Mode").id;
        let modes = ComboBox::from_id_salt("mode").selected_text(mode.word()).height(600.0).show_ui(ui, |ui| {
            for other in Mode::ALL {
                if ui.selectable_label(other == mode, other.word()).clicked() {
                    desk.done.push(Action::SetMode(other));
                }
            }
        });
        modes.response.labelled_by(name);
        let name = ui.label("Tone map").id;
        let tone_maps = ComboBox::from_id_salt("tone map").selected_text(tone_map.word()).show_ui(ui, |ui| {
            for other in ToneMap::ALL {
                if ui.selectable_label(other == tone_map, other.word()).clicked() {
                    desk.done.push(Action::SetToneMap(other));
                }
            }
        });
        tone_maps.response.labelled_by(name);
        ui.separator();
        for place in 0..desk.session.documents.len() {
            let Some(document) = desk.session.documents.get(place) else { continue };
            let name = match document.progress() {
                Progress::Reading => format!("{} (reading)", document.name()),
                Progress::Staging => format!("{} (textures)", document.name()),
                Progress::Ready | Progress::Failed => document.name(),
            };
            let path = document.path.display().to_string();
            if ui.selectable_label(place == desk.session.active, name).on_hover_text(path).clicked() {
                desk.session.active = place;
            }
        }
    });
    chosen
}

fn recent(ui: &mut Ui, desk: &Desk<'_>) -> Option<Chosen> {
    let mut chosen = None;
    ui.menu_button("Open recent", |ui| {
        let mut any = false;
        for path in desk.session.recent.iter() {
            any = true;
            if ui.button(path.display().to_string()).clicked() {
                chosen = Some(Chosen::Recent(path.clone()));
                ui.close();
            }
        }
        if !any {
            ui.weak("nothing was opened yet");
        }
    });
    chosen
}

fn item(ui: &mut Ui, desk: &mut Desk<'_>, action: Action) {
    let is_on = desk.session.is_on(action);
    let mut button = match is_on {
        Some(is_on) => Button::selectable(is_on, action.label()),
        None => Button::new(action.label()),
    };
    if let Some(key) = keys::shown(ui.ctx(), action) {
        let mut key = RichText::new(key);
        if is_on == Some(true) {
            // What is weak elsewhere cannot be read on it.
            key = key.color(ui.visuals().selection.stroke.color);
        }
        button = button.shortcut_text(key);
    }
    if ui.add_enabled(desk.session.can(action), button).clicked() {
        desk.done.push(action);
        ui.close();
    }
}
