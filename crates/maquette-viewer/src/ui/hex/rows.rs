//! The rows that are seen. Rows are counted, not measured: a scrolled length in pixels would not be exact for gigabytes.

use super::line::{self, Look};
use super::{ROW, View, select};
use crate::state::fields::Field;
use crate::ui::{Desk, keys_of_ones_own};
use eframe::egui::{
    EventFilter, Id, Key, Modifiers, Pos2, Rect, Response, Role, Sense, TextStyle, Ui, WidgetInfo, vec2,
};
use maquette::Input;

/// The width of the bar at the right.
const BAR: f32 = 10.0;

/// Shows the rows.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>, view: &mut View, input: &Input, fields: &[Field]) {
    let font = TextStyle::Monospace.resolve(ui.style());
    let (width, height) = ui.ctx().fonts_mut(|fonts| (fonts.glyph_width(&font, '0'), fonts.row_height(&font)));
    let size = input.bytes().len() as u64;
    let space = ui.available_size();
    view.rows = ((space.y / height).floor() as u64).max(1);
    let all_rows = size.div_ceil(ROW);
    let last_top = all_rows.saturating_sub(view.rows);
    let wanted = vec2(line::columns(size) as f32 * width + BAR + 8.0, space.y);
    let response = ui.allocate_response(wanted, Sense::click_and_drag());
    let id = response.id;
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    keys_of_ones_own(ui.ctx(), id, filter);
    let rect = Rect::from_min_max(response.rect.min, response.rect.max - vec2(BAR, 0.0));
    let offset_at = |view: &View, pos: Pos2| {
        let row = view.top + ((pos.y - rect.top()).max(0.0) / height) as u64;
        let byte = line::byte_at(((pos.x - rect.left()).max(0.0) / width) as usize, size)?;
        Some(row * ROW + byte).filter(|offset| *offset < size)
    };
    scroll(ui, view, &response, height);
    bar(ui, view, &response, all_rows, id);
    if response.clicked() {
        response.request_focus();
        let at = response.interact_pointer_pos().and_then(|pos| offset_at(view, pos));
        at.into_iter().for_each(|offset| select(desk, view, offset, fields));
    }
    if response.has_focus() {
        keys(ui, desk, view, size, fields);
    }
    view.top = view.top.min(last_top);
    let selected = desk.session.document().and_then(|document| document.selection.bytes.clone()).unwrap_or_default();
    let cursor = response.has_focus().then_some(view.cursor);
    let look = Look { visuals: ui.visuals(), font, fields, selected: &selected, cursor };
    paint(ui, view, input, &look, Rect::from_min_size(rect.min, vec2(rect.width(), height)));
    let hovered = response.hover_pos().and_then(|pos| offset_at(view, pos));
    let told = fields.iter().find(|field| field.bytes.contains(&hovered.unwrap_or(view.cursor)));
    let told = told.map(|field| format!("{} = {}", field.path, field.value(input.bytes())));
    let label = format!("bytes of the file, at {:#x} {}", view.cursor, told.as_deref().unwrap_or_default());
    response.widget_info(|| WidgetInfo::labeled(Role::Document, true, label.trim_end()));
    if let (Some(offset), Some(told)) = (hovered, told) {
        response.on_hover_text_at_pointer(format!("{offset:#x} ({offset})\n{told}"));
    }
}

fn scroll(ui: &Ui, view: &mut View, response: &Response, height: f32) {
    if !response.contains_pointer() {
        return;
    }
    view.turned -= ui.input(|input| input.smooth_scroll_delta().y) / height;
    let rows = view.turned.trunc();
    view.turned -= rows;
    view.top = match rows < 0.0 {
        true => view.top.saturating_sub(-rows as u64),
        false => view.top + rows as u64,
    };
}

/// The bar at the right: where the rows are in the file.
fn bar(ui: &Ui, view: &mut View, response: &Response, all_rows: u64, id: Id) {
    let place = Rect::from_min_max(response.rect.right_top() - vec2(BAR, 0.0), response.rect.right_bottom());
    if all_rows <= view.rows {
        return;
    }
    let part = (view.rows as f64 / all_rows as f64) as f32;
    let length = (place.height() * part).max(16.0);
    let room = (place.height() - length).max(1.0);
    let last_top = all_rows - view.rows;
    let dragged = ui.interact(place, id.with("bar"), Sense::drag());
    if let Some(pos) = dragged.interact_pointer_pos() {
        let share = f64::from(((pos.y - place.top() - length * 0.5) / room).clamp(0.0, 1.0));
        view.top = (share * last_top as f64).round() as u64;
    }
    let from = place.top() + room * (view.top.min(last_top) as f64 / last_top as f64) as f32;
    let handle = Rect::from_min_size(Pos2::new(place.left() + 2.0, from), vec2(BAR - 4.0, length));
    let visuals = ui.style().interact(&dragged);
    ui.painter().rect_filled(place, 2.0, ui.visuals().extreme_bg_color);
    ui.painter().rect_filled(handle, 2.0, visuals.fg_stroke.color.gamma_multiply(0.5));
}

fn keys(ui: &Ui, desk: &mut Desk<'_>, view: &mut View, size: u64, fields: &[Field]) {
    let page = view.rows.max(1) * ROW;
    let last = size.saturating_sub(1);
    let mut cursor = view.cursor;
    ui.input_mut(|input| {
        let mut pressed = |key: Key| input.consume_key(Modifiers::NONE, key);
        let steps = [
            (Key::ArrowLeft, -1),
            (Key::ArrowRight, 1),
            (Key::ArrowUp, -(ROW as i64)),
            (Key::ArrowDown, ROW as i64),
            (Key::PageUp, -(page as i64)),
            (Key::PageDown, page as i64),
        ];
        for (key, step) in steps {
            if pressed(key) {
                cursor = cursor.saturating_add_signed(step).min(last);
            }
        }
        if pressed(Key::Home) {
            cursor = 0;
        }
        if pressed(Key::End) {
            cursor = last;
        }
    });
    if cursor != view.cursor && size > 0 {
        select(desk, view, cursor, fields);
    }
}

/// Paints the rows, the first of them here.
fn paint(ui: &Ui, view: &View, input: &Input, look: &Look<'_>, first: Rect) {
    let size = input.bytes().len() as u64;
    let seen = crate::state::fields::slice(input.bytes(), &view.seen(input));
    for (row, bytes) in seen.chunks(ROW as usize).enumerate() {
        let job = look.row((view.top + row as u64) * ROW, bytes, size);
        let galley = ui.ctx().fonts_mut(|fonts| fonts.layout_job(job));
        let at = first.min + vec2(0.0, row as f32 * first.height());
        ui.painter().galley(at, galley, ui.visuals().text_color());
    }
}
