//! What was said lately, over the lower right of the window.

use crate::state::session::{NoticeKind, Session};
use eframe::egui::{Align2, Area, Color32, Context, Frame, Id, Label, RichText};

/// Shows notices, the newest last.
pub fn show(context: &Context, session: &mut Session) {
    if session.notices.is_empty() {
        return;
    }
    let mut gone = None;
    Area::new(Id::unique("notices")).anchor(Align2::RIGHT_BOTTOM, [-12.0, -12.0]).show(context, |ui| {
        for (place, notice) in session.notices.iter().enumerate() {
            Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(520.0);
                let mut text = RichText::new(&notice.text);
                if notice.kind == NoticeKind::Wrong {
                    text = text.color(wrong(ui.visuals().dark_mode));
                }
                if ui
                    .add(Label::new(text).wrap().sense(eframe::egui::Sense::click()))
                    .on_hover_text("click to close")
                    .clicked()
                {
                    gone = Some(place);
                }
            });
        }
    });
    if let Some(place) = gone {
        session.notices.remove(place);
    }
}

/// The colour of what went wrong, to be read on light and on dark.
pub fn wrong(is_dark: bool) -> Color32 {
    if is_dark { Color32::from_rgb(255, 140, 120) } else { Color32::from_rgb(170, 30, 20) }
}
