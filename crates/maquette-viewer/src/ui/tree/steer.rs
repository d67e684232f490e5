//! The tree by keys: up and down selects, right and left opens and closes or goes to what is below and above.

use super::panel::Panel;
use super::rows::{Branch, Key};
use eframe::egui::{EventFilter, Id, Key as Button, Modifiers, Ui};

/// What keys ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To go to a row.
    Go(usize),
    /// To open or close a branch.
    Toggle(Key),
    /// What Enter does.
    Enter(Key),
}

/// The id of a row.
pub fn row_id(place: usize, key: Key) -> Id {
    Id::unique(("scene row", place, key))
}

/// What keys ask for while a row has them.
pub fn asked(ui: &Ui, panel: &Panel, document: usize) -> Option<Asked> {
    let key = panel.focused?;
    let id = row_id(document, key);
    if ui.memory(|memory| memory.focused()) != Some(id) {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let here = panel.place(key)?;
    let branch = panel.rows.get(here)?.branch;
    let pressed = |button| ui.input_mut(|input| input.consume_key(Modifiers::NONE, button));
    if pressed(Button::ArrowDown) {
        return (here + 1 < panel.rows.len()).then_some(Asked::Go(here + 1));
    }
    if pressed(Button::ArrowUp) {
        return here.checked_sub(1).map(Asked::Go);
    }
    if pressed(Button::ArrowRight) {
        return match branch {
            Branch::Closed => Some(Asked::Toggle(key)),
            _ => panel.child_row(here).map(Asked::Go),
        };
    }
    if pressed(Button::ArrowLeft) {
        return match branch {
            Branch::Open => Some(Asked::Toggle(key)),
            _ => panel.parent_row(here).map(Asked::Go),
        };
    }
    pressed(Button::Enter).then_some(Asked::Enter(key))
}
