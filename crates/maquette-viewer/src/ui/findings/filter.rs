//! Which findings are listed: by severity and by text.

use super::colour;
use eframe::egui::{Button, RichText, TextEdit, Ui};
use maquette::check::{Checked, Finding};

/// Severities, the worst first, and what several are called.
const SEVERITIES: [(&str, &str); 3] = [("error", "Errors"), ("warning", "Warnings"), ("info", "Infos")];

/// Which findings are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Whether errors, warnings and infos are left out.
    hides: [bool; 3],
    text: String,
}

impl Filter {
    /// Whether a finding is listed.
    pub fn passes(&self, finding: &Finding) -> bool {
        let is_hidden = SEVERITIES.iter().zip(self.hides).any(|((word, _), hides)| hides && *word == finding.severity);
        let wanted = self.text.trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let expected = finding.expected.as_deref().unwrap_or_default();
        let texts = [finding.code, finding.name, &finding.path, &finding.message, expected];
        !is_hidden && (wanted.is_empty() || texts.into_iter().any(has))
    }
}

/// Shows what there is to choose.
pub fn show(ui: &mut Ui, filter: &mut Filter, checked: &Checked) {
    for ((word, name), hides) in SEVERITIES.into_iter().zip(&mut filter.hides) {
        let count = checked.diagnostics.iter().filter(|finding| finding.severity == word).count();
        let colour = match word {
            // What is weak elsewhere cannot be read on a button that is down.
            "info" if !*hides => ui.visuals().selection.stroke.color,
            _ => colour(ui, word),
        };
        let text = RichText::new(format!("{name} ({count})")).color(colour);
        if ui.add(Button::selectable(!*hides, text)).on_hover_text(format!("whether {word}s are listed")).clicked() {
            *hides = !*hides;
        }
    }
    let name = ui.label("Filter");
    ui.add(TextEdit::singleline(&mut filter.text).hint_text("code, path or text").desired_width(180.0))
        .labelled_by(name.id);
}
