//! The scene as a tree: nodes, meshes, skins, materials, images and clips. What is selected anywhere is shown here.

mod counts;
mod hierarchy;
mod notes;
mod panel;
mod row;
mod rows;
mod steer;

use super::kept::kept;
use super::{Desk, nothing, things};
use crate::actions::Action;
use crate::state::document::Document;
use crate::state::selection::Thing;
use eframe::egui::{Id, ScrollArea, TextEdit, Ui};
use maquette::Scene;
use panel::Panel;
use row::{Text, Weight};
use rows::{Branch, Key, Row, Section};
use std::sync::Arc;
use steer::{Asked, row_id};

/// What the user did.
enum Done {
    Choose(Key),
    Toggle(Key),
    Play(usize),
    Focus(Key),
}

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let place = desk.session.active;
    let Some(document) = desk.session.document_mut() else { return nothing(ui, "No file is open.") };
    let Some(scene) = document.scene().map(Arc::clone) else {
        return nothing(ui, document.without_scene());
    };
    let kept = kept::<Panel>(ui.ctx(), Id::unique(("scene tree", place)));
    let panel = &mut *kept.lock();
    // A file that was opened while a filter was typed begins without one, before it is shown.
    panel.update(document, &scene);
    filter(ui, panel);
    let asked = steer::asked(ui, panel, place);
    let mut done = asked.and_then(|asked| answer(ui, panel, place, asked));
    if let Some(done) = done.take() {
        act(panel, document, desk.done, done);
    }
    panel.update(document, &scene);
    if panel.rows.is_empty() {
        return nothing(ui, if panel.is_filtered() { "Nothing is called that." } else { "There is nothing in it." });
    }
    let selected = document.selection.thing;
    if let Some(done) = list(ui, panel, &scene, place, selected) {
        act(panel, document, desk.done, done);
        ui.ctx().request_repaint();
    }
}

fn filter(ui: &mut Ui, panel: &mut Panel) {
    let edit = TextEdit::singleline(&mut panel.filter).hint_text("Filter by name").desired_width(f32::INFINITY);
    if ui.add(edit).accessible_name("Filter by name").changed() {
        panel.filter_changed();
    }
}

fn answer(ui: &Ui, panel: &mut Panel, place: usize, asked: Asked) -> Option<Done> {
    match asked {
        Asked::Toggle(key) => Some(Done::Toggle(key)),
        Asked::Enter(Key::Thing(Thing::Clip(clip))) => Some(Done::Play(clip)),
        Asked::Enter(key @ Key::Section(_)) => Some(Done::Toggle(key)),
        Asked::Enter(key) => Some(Done::Choose(key)),
        Asked::Go(row) => {
            let key = panel.rows.get(row)?.key;
            panel.focused = Some(key);
            panel.wanted = Some(row);
            ui.memory_mut(|memory| memory.request_focus(row_id(place, key)));
            match key {
                Key::Section(_) => None,
                key => Some(Done::Choose(key)),
            }
        }
    }
}

fn list(ui: &mut Ui, panel: &mut Panel, scene: &Scene, place: usize, selected: Thing) -> Option<Done> {
    ui.spacing_mut().item_spacing.y = 0.0;
    let row_height = ui.spacing().interact_size.y;
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if let Some(offset) = panel.scroll_to(row_height, ui.available_height()) {
        area = area.vertical_scroll_offset(offset);
    }
    let count = panel.rows.len();
    let mut done = None;
    let mut focused = None;
    let output = area.show_rows(ui, row_height, count, |ui, range| {
        for row in panel.rows.get(range).unwrap_or_default() {
            let id = row_id(place, row.key);
            let shown = show_row(ui, panel, scene, id, row, selected);
            if shown.response.has_focus() {
                focused = Some(row.key);
            }
            done = deed(&shown, row).or(done.take());
        }
    });
    panel.focused = focused.or(panel.focused);
    panel.viewport = Some((output.state.clamped_offset().y, output.inner_rect.height()));
    done
}

fn show_row(ui: &mut Ui, panel: &Panel, scene: &Scene, id: Id, row: &Row, selected: Thing) -> row::Shown {
    let name = Panel::name(scene, row.key);
    let weight = match row.key {
        Key::Section(_) => Weight::Heading,
        Key::Thing(thing) if thing == selected => Weight::Selected,
        _ => Weight::Plain,
    };
    let kind = match row.key {
        Key::Section(_) | Key::Part(..) => String::new(),
        Key::Thing(thing) => format!("{} ", things::kind(thing)),
    };
    let notes = match (row.key, panel.found) {
        (Key::Section(section), Some(found)) => {
            let place = Section::ALL.iter().position(|there| *there == section).unwrap_or_default();
            format!("{} of {}", found.get(place).copied().unwrap_or_default(), section.count(scene))
        }
        _ => notes::of(scene, row.key, &panel.counts),
    };
    let line = things::line(&name);
    let spoken = format!("{kind}{line}");
    let hint = hint(panel, scene, row, &name);
    row::show(ui, id, row, &Text { name: &line, spoken: &spoken, notes: &notes, hint: &hint }, weight)
}

/// The whole name, and what the numbers beside it are.
fn hint(panel: &Panel, scene: &Scene, row: &Row, name: &str) -> String {
    let mut hint = things::hint(name).into_owned();
    match row.key {
        Key::Section(_) => return String::new(),
        Key::Thing(Thing::Node(node)) => {
            if let (Some(keys), Some(clip)) = (panel.counts.of_node(node), panel.counts.clip()) {
                hint.push_str(&format!("\n{keys} keys in {}", things::line(&things::name(scene, Thing::Clip(clip)))));
            }
        }
        Key::Thing(Thing::Clip(_)) => hint.push_str("\nDouble click or Enter plays it."),
        Key::Thing(Thing::Mesh(_)) | Key::Part(..) => hint.push_str("\nv: vertices, t: triangles, l: lines"),
        Key::Thing(_) => {}
    }
    hint
}

fn deed(shown: &row::Shown, row: &Row) -> Option<Done> {
    let is_double = shown.response.double_clicked();
    match row.key {
        key if shown.is_toggled => Some(Done::Toggle(key)),
        Key::Thing(Thing::Clip(clip)) if is_double => Some(Done::Play(clip)),
        key @ Key::Thing(Thing::Node(_)) if is_double => Some(Done::Focus(key)),
        key @ Key::Section(_) if shown.response.clicked() => (row.branch != Branch::Leaf).then_some(Done::Toggle(key)),
        key => shown.response.clicked().then_some(Done::Choose(key)),
    }
}

fn act(panel: &mut Panel, document: &mut Document, actions: &mut Vec<Action>, done: Done) {
    let thing = |key: Key| match key {
        Key::Section(_) => None,
        Key::Thing(thing) => Some(thing),
        Key::Part(mesh, _) => Some(Thing::Mesh(mesh)),
    };
    match done {
        Done::Choose(key) => thing(key).into_iter().for_each(|thing| document.selection.choose(thing)),
        Done::Toggle(key) => panel.toggle(key),
        Done::Play(clip) => {
            document.selection.choose(Thing::Clip(clip));
            if let Some(player) = &mut document.player {
                player.fade_to(clip);
            }
        }
        Done::Focus(key) => {
            thing(key).into_iter().for_each(|thing| document.selection.choose(thing));
            actions.push(Action::Focus);
        }
    }
}
