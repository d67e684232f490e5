//! Goes to an offset, in decimal or as 0x…, or to a path.

use super::{View, select};
use crate::ui::Desk;
use crate::ui::notices::wrong;
use eframe::egui::{Key, TextEdit, Ui};
use maquette::Input;

/// What is typed, and what became of it.
#[derive(Default)]
pub struct Jump {
    typed: String,
    /// A path that was asked for.
    asked: Option<String>,
    wrong: Option<String>,
}

/// Shows the field.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>, view: &mut View, input: &Input) {
    let name = ui.label("Go to");
    let edit = TextEdit::singleline(&mut view.jump.typed).hint_text("0x1f0, 496 or meshes[0].vertices[3]");
    let field = ui.add(edit.desired_width(240.0)).labelled_by(name.id);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if ui.button("Go").clicked() || is_entered {
        go(desk, view, input);
    }
    answer(desk, view);
    if let Some(why) = &view.jump.wrong {
        ui.colored_label(wrong(ui.visuals().dark_mode), why);
    }
}

fn go(desk: &mut Desk<'_>, view: &mut View, input: &Input) {
    view.jump.wrong = None;
    let typed = view.jump.typed.trim().to_owned();
    let size = input.bytes().len() as u64;
    match offset(&typed) {
        Some(offset) if offset < size => select(desk, view, offset, &[]),
        Some(offset) => view.jump.wrong = Some(format!("there is no byte {offset}: the file has {size}")),
        None if typed.is_empty() => {}
        None => {
            if let Some(chart) = desk.session.chart() {
                chart.find(typed.clone());
                view.jump.asked = Some(typed);
            }
        }
    }
}

/// Takes where a path leads, once that is known.
fn answer(desk: &mut Desk<'_>, view: &mut View) {
    let Some(asked) = &view.jump.asked else { return };
    let found = desk.session.chart().and_then(|chart| chart.found.clone());
    let Some(found) = found.filter(|found| found.asked == *asked) else { return };
    view.jump.asked = None;
    match found.bytes {
        Ok(bytes) => {
            if let Some(document) = desk.session.document_mut() {
                document.selection.bytes = Some(bytes);
            }
        }
        Err(why) => view.jump.wrong = Some(why),
    }
}

/// A number as people type it.
fn offset(typed: &str) -> Option<u64> {
    let digits = typed.replace('_', "");
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}
