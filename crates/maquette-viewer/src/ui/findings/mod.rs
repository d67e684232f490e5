//! What `check` finds in the file, and what it means.
//!
//! ```text
//!  filter.rs   which findings are listed
//!  table.rs    the list
//!  meaning.rs  the code of the selected one in words, and what it is about
//! ```

mod filter;
mod meaning;
mod table;

use super::kept::kept;
use super::notices::wrong;
use super::{Desk, nothing};
use eframe::egui::{Color32, Id, Panel, ScrollArea, Ui};
use filter::Filter;
use maquette::check::Checked;
use std::sync::{Arc, Weak};

/// What the panel keeps from one picture to the next.
#[derive(Default)]
struct View {
    filter: Filter,
    /// Whose findings are listed, and under which filter.
    of: (Weak<Checked>, Filter),
    /// Those that are, by their places.
    listed: Vec<usize>,
    /// The finding whose field and object were selected.
    applied: Option<usize>,
    /// The finding that was scrolled to.
    followed: Option<usize>,
}

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(document) = desk.session.document() else { return nothing(ui, "no file is open") };
    let failure = document.failure.as_ref().map(|failure| failure.why().to_owned());
    let Some(checked) = document.checked.clone() else {
        return match failure {
            // Without bytes there is nothing to be checked.
            Some(why) if document.input.is_none() => failed(ui, &why),
            _ => nothing(ui, "still checking"),
        };
    };
    let view = kept::<View>(ui.ctx(), Id::unique("findings"));
    let mut view = view.lock();
    apply(&mut view, desk, &checked);
    if checked.diagnostics.is_empty() {
        return match checked.error.as_ref().or(failure.as_ref()) {
            Some(why) => failed(ui, why),
            None => nothing(ui, "nothing was found"),
        };
    }
    ui.horizontal_wrapped(|ui| {
        filter::show(ui, &mut view.filter, &checked);
        if checked.left_out > 0 {
            ui.weak(format!("{} more are left out", checked.left_out));
        }
        if !checked.readable {
            ui.colored_label(wrong(ui.visuals().dark_mode), "the file cannot be read");
        }
    });
    let selected = desk.session.document().and_then(|document| document.selection.finding);
    if let Some(finding) = selected.and_then(|place| checked.diagnostics.get(place)) {
        Panel::right("meaning of a finding")
            .resizable(true)
            .default_size(320.0)
            .show(ui, |ui| meaning::show(ui, desk, finding));
    }
    list(&mut view, &checked);
    if view.listed.is_empty() {
        return nothing(ui, "nothing is left by the filter");
    }
    // A narrow panel scrolls sideways.
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| table::show(ui, desk, &mut view, &checked));
}

/// A file of which there is nothing but an error.
fn failed(ui: &mut Ui, why: &str) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| ui.colored_label(wrong(ui.visuals().dark_mode), why));
}

/// Lists findings anew, if they are others or the filter is another.
fn list(view: &mut View, checked: &Arc<Checked>) {
    let is_same = std::ptr::eq(view.of.0.as_ptr(), Arc::as_ptr(checked)) && view.of.1 == view.filter;
    if !is_same {
        let found = checked.diagnostics.iter().enumerate().filter(|(_, finding)| view.filter.passes(finding));
        view.listed = found.map(|(place, _)| place).collect();
        view.of = (Arc::downgrade(checked), view.filter.clone());
    }
}

/// Selects the field and the object of the selected finding, once they are known.
fn apply(view: &mut View, desk: &mut Desk<'_>, checked: &Arc<Checked>) {
    let selected = desk.session.document().and_then(|document| document.selection.finding);
    if view.applied == selected {
        return;
    }
    let Some(finding) = selected else {
        view.applied = None;
        return;
    };
    let scene = desk.session.document().and_then(|document| document.scene().cloned());
    let about = desk.session.chart().and_then(|chart| chart.about(finding, checked, scene.as_ref()).cloned());
    if let (Some(about), Some(document)) = (about, desk.session.document_mut()) {
        document.selection.bytes = about.bytes;
        document.selection.thing = about.thing.unwrap_or_default();
        view.applied = Some(finding);
    }
}

/// The colour of a severity, to be read on light and on dark.
fn colour(ui: &Ui, severity: &str) -> Color32 {
    match severity {
        "error" => wrong(ui.visuals().dark_mode),
        "warning" => ui.visuals().warn_fg_color,
        _ => ui.visuals().weak_text_color(),
    }
}
