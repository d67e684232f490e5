//! A question before something is overwritten. Nothing is, unless that is chosen.

use crate::ui::keys_of_ones_own;
use eframe::egui::{Context, EventFilter, Id, Key, Modal, Modifiers};

/// What was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It may be replaced.
    Yes,
    /// It may not.
    No,
}

/// Asks; `None` while it is not answered.
pub fn show(context: &Context, text: &str, yes: &str) -> Option<Answer> {
    let mut answer = None;
    let is_left = context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    let modal = Modal::new(Id::unique("question")).show(context, |ui| {
        ui.set_max_width(460.0);
        ui.label(text);
        ui.horizontal(|ui| {
            let no = ui.button("Leave them as they are");
            let replace = ui.button(yes);
            for button in [&no, &replace] {
                keys_of_ones_own(ui.ctx(), button.id, EventFilter { escape: true, ..EventFilter::default() });
            }
            if !no.has_focus() && !replace.has_focus() {
                no.request_focus();
            }
            if no.clicked() {
                answer = Some(Answer::No);
            }
            if replace.clicked() {
                answer = Some(Answer::Yes);
            }
        });
    });
    if is_left || modal.backdrop_response.clicked() {
        answer = Some(Answer::No);
    }
    answer
}
