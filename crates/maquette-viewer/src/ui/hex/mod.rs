//! The bytes of the file, every one beside the field it belongs to.
//!
//! ```text
//!  rows.rs    offset, bytes and text of the rows that are seen; pointer and keys
//!  line.rs    one row: what is written where
//!  fields.rs  the fields of those rows, and the one that is selected
//!  jump.rs    to an offset or to a path
//! ```

mod fields;
mod jump;
mod line;
mod rows;

use super::kept::kept;
use super::{Desk, nothing};
use crate::state::fields::Field;
use crate::work::chart::Known;
use eframe::egui::{Id, Panel, ScrollArea, Ui};
use maquette::Input;
use std::ops::Range;
use std::sync::{Arc, Weak};

/// Bytes of a row.
const ROW: u64 = 16;

/// What the panel keeps from one picture to the next.
#[derive(Default)]
struct View {
    /// Whose bytes these are.
    of: Weak<Input>,
    /// The first row that is seen.
    top: u64,
    /// How many rows are seen.
    rows: u64,
    /// The byte that keys move.
    cursor: u64,
    /// The bytes that were scrolled to.
    followed: Option<Range<u64>>,
    /// Parts of a row that the wheel has turned.
    turned: f32,
    jump: jump::Jump,
}

impl View {
    /// Scrolls as little as is needed for a byte to be seen; into the middle, if it is far away.
    fn see(&mut self, offset: u64) {
        let row = offset / ROW;
        let rows = self.rows.max(1);
        if row < self.top || row >= self.top + rows {
            let is_near = row + 1 == self.top || row == self.top + rows;
            self.top = match is_near {
                true if row < self.top => row,
                true => row + 1 - rows,
                false => row.saturating_sub(rows / 2),
            };
        }
    }

    fn seen(&self, file: &Input) -> Range<u64> {
        let end = file.bytes().len() as u64;
        let from = (self.top * ROW).min(end);
        from..(from + self.rows.max(1) * ROW).min(end)
    }
}

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(input) = desk.session.document().and_then(|document| document.input.clone()) else {
        let failure = desk
            .session
            .document()
            .and_then(|document| document.failure.as_ref().map(|failure| failure.why().to_owned()));
        return nothing(ui, &failure.unwrap_or_else(|| "no file is open".to_owned()));
    };
    let view = kept::<View>(ui.ctx(), Id::unique("bytes"));
    let mut view = view.lock();
    if !std::ptr::eq(view.of.as_ptr(), Arc::as_ptr(&input)) {
        *view = View { of: Arc::downgrade(&input), rows: view.rows, ..View::default() };
    }
    follow(&mut view, desk, &input);
    let known = desk.session.chart().map(|chart| chart.known).unwrap_or_default();
    ui.horizontal_wrapped(|ui| {
        jump::show(ui, desk, &mut view, &input);
        ui.weak(match known {
            Known::NotYet => "fields are being looked for",
            Known::Whole => "",
            Known::Part => "the file breaks off or goes on for too long: fields as far as they go",
            Known::Nothing => "of no known format: bytes alone",
        });
    });
    let seen = view.seen(&input);
    let around = desk.session.chart().map(|chart| {
        chart.want(&seen);
        Arc::clone(&chart.fields)
    });
    let list: Vec<Field> = around.map(|fields| fields.within(seen)).unwrap_or_default();
    if !list.is_empty() {
        Panel::right("fields of bytes")
            .resizable(true)
            .default_size(360.0)
            .show(ui, |ui| fields::show(ui, desk, &mut view, &input, &list));
    }
    // A narrow panel scrolls sideways.
    ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| rows::show(ui, desk, &mut view, &input, &list));
}

/// Goes where others have selected bytes.
fn follow(view: &mut View, desk: &Desk<'_>, input: &Input) {
    let selected = desk.session.document().and_then(|document| document.selection.bytes.clone());
    if view.followed != selected {
        if let Some(bytes) = &selected {
            view.cursor = bytes.start.min((input.bytes().len() as u64).saturating_sub(1));
            view.see(view.cursor);
        }
        view.followed = selected;
    }
}

/// Selects the field of a byte, or the byte alone.
fn select(desk: &mut Desk<'_>, view: &mut View, offset: u64, fields: &[Field]) {
    view.cursor = offset;
    view.see(offset);
    let listed = fields.iter().find(|field| field.bytes.contains(&offset)).map(|field| field.bytes.clone());
    let kept = || desk.session.document()?.chart.as_ref()?.fields.at(offset).map(|field| field.bytes);
    let bytes = listed.or_else(kept).unwrap_or(offset..offset + 1);
    if let Some(document) = desk.session.document_mut() {
        document.selection.bytes = Some(bytes.clone());
    }
    // It is seen already, wherever the field begins.
    view.followed = Some(bytes);
}
