//! Panels: one a file. Each takes the session, shows widgets, and gives back what the user did as actions.

pub mod arrangement;
pub mod clip_choice;
pub mod conversion;
pub mod curves;
pub mod findings;
pub mod fitting;
pub mod help;
pub mod hex;
pub mod inspector;
pub mod kept;
pub mod keys;
pub mod layout;
pub mod look;
pub mod marks;
pub mod menu;
pub mod mixer;
pub mod named;
pub mod notices;
pub mod picture;
pub mod signs;
pub mod things;
pub mod timeline;
pub mod tree;

use crate::actions::Action;
use crate::state::session::Session;
use eframe::egui;

/// What panels show and change, and what the user did in them.
pub struct Desk<'a> {
    /// What is shown.
    pub session: &'a mut Session,
    /// What the user did, to be acted upon once all panels are shown.
    pub done: &'a mut Vec<Action>,
}

impl Desk<'_> {
    /// A button that does something, with its key as a hint.
    pub fn button(&mut self, ui: &mut egui::Ui, text: &str, action: Action) {
        let hint = match keys::shown(ui.ctx(), action) {
            Some(key) => format!("{} ({key})", action.label()),
            None => action.label().to_owned(),
        };
        if ui.button(text).on_hover_text(hint).clicked() {
            self.done.push(action);
        }
    }
}

/// Said where there is nothing to show.
pub fn nothing(ui: &mut egui::Ui, text: &str) {
    ui.centered_and_justified(|ui| ui.weak(text));
}

/// Lets a widget have all keys while it is focused, as a text that is edited does.
pub fn keys_of_ones_own(context: &egui::Context, id: egui::Id, filter: egui::EventFilter) {
    use egui::text_edit::TextEditState;
    if TextEditState::load(context, id).is_none() {
        TextEditState::default().store(context, id);
    }
    context.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}
