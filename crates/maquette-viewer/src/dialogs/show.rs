//! The browser of the window. What is typed has the focus all the time: arrows mark, Enter chooses, Tab completes, Backspace goes up.

use super::browser::Browser;
use super::question;
use crate::ui::notices::wrong;
use eframe::egui::{
    Align, Button, ComboBox, Context, EventFilter, Id, Key, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui,
};
use std::path::PathBuf;

/// What became of it.
pub enum Outcome {
    /// It is still open.
    Goes,
    /// It was left.
    Left,
    /// A file was chosen.
    Chosen(PathBuf),
}

/// What keys have asked for.
#[derive(Default)]
struct Keys {
    chooses: bool,
    leaves: bool,
    moved: bool,
}

/// Shows it.
pub fn show(context: &Context, browser: &mut Browser) -> Outcome {
    if browser.listing.update(context) {
        browser.list();
    }
    if let Some(path) = browser.in_the_way.clone() {
        let text =
            format!("{} is there already. It would be replaced, with the files that belong to it.", path.display());
        match question::show(context, &text, "Overwrite") {
            None => {}
            Some(question::Answer::No) => browser.in_the_way = None,
            Some(question::Answer::Yes) => return Outcome::Chosen(path),
        }
        return Outcome::Goes;
    }
    let mut outcome = Outcome::Goes;
    let keys = keys(context, browser);
    let modal = Modal::new(Id::unique("files")).show(context, |ui| {
        ui.set_width(560.0);
        ui.heading(browser.asked.title());
        place(ui, browser);
        name(ui, browser);
        if list(ui, browser, &keys) || keys.chooses {
            outcome = choose(browser);
        }
        if let Some(why) = browser.wrong.as_ref().or(browser.listing.wrong.as_ref()) {
            ui.colored_label(wrong(ui.visuals().dark_mode), why);
        }
        ui.horizontal(|ui| {
            let verb = if browser.asked.writes() { "Save" } else { "Open" };
            if ui.button(verb).clicked() {
                outcome = choose(browser);
            }
            if ui.button("Cancel").clicked() {
                outcome = Outcome::Left;
            }
            ui.weak("arrows mark, Enter chooses, Tab completes, Backspace goes up");
        });
    });
    if keys.leaves || modal.backdrop_response.clicked() {
        outcome = Outcome::Left;
    }
    outcome
}

fn choose(browser: &mut Browser) -> Outcome {
    browser.choose().map_or(Outcome::Goes, Outcome::Chosen)
}

/// Takes keys before the field does.
fn keys(context: &Context, browser: &mut Browser) -> Keys {
    let mut keys = Keys::default();
    let mut completes = false;
    let mut goes_up = false;
    context.input_mut(|input| {
        let mut pressed = |key: Key| input.consume_key(Modifiers::NONE, key);
        for (key, rows) in [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, 10), (Key::PageUp, -10)] {
            if pressed(key) {
                browser.step(rows);
                keys.moved = true;
            }
        }
        completes = pressed(Key::Tab);
        goes_up = browser.typed.is_empty() && pressed(Key::Backspace);
        keys.chooses = pressed(Key::Enter);
        keys.leaves = pressed(Key::Escape);
    });
    if completes {
        browser.complete();
    }
    if goes_up {
        browser.go_up();
    }
    keys
}

fn place(ui: &mut Ui, browser: &mut Browser) {
    ui.horizontal(|ui| {
        if ui.button("Up").on_hover_text("the folder above (Backspace)").clicked() {
            browser.go_up();
        }
        ui.label(RichText::new(browser.folder.display().to_string()).monospace());
        if browser.listing.is_coming() {
            ui.spinner();
        }
    });
}

fn name(ui: &mut Ui, browser: &mut Browser) {
    ui.horizontal(|ui| {
        let label = ui.label(if browser.asked.writes() { "Name" } else { "Find" });
        let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        let edit = TextEdit::singleline(&mut browser.typed).hint_text("a name, a part of it, or a path");
        let field = ui.add(edit.desired_width(360.0).event_filter(filter)).labelled_by(label.id);
        // Asked for again, the focus would forget the filter.
        if !field.has_focus() {
            field.request_focus();
        }
        if field.changed() {
            browser.take_typed();
        }
        let endings = browser.asked.endings();
        if browser.asked.writes() && endings.len() > 1 {
            let current = browser.current_ending();
            let label = ui.label("Format");
            let formats = ComboBox::from_id_salt("format").selected_text(current).show_ui(ui, |ui| {
                for ending in endings {
                    if ui.selectable_label(ending == current, ending).clicked() {
                        browser.set_ending(ending);
                    }
                }
            });
            formats.response.labelled_by(label.id);
        }
    });
}

/// Shows what lies there; whether something was chosen.
fn list(ui: &mut Ui, browser: &mut Browser, keys: &Keys) -> bool {
    let mut is_chosen = false;
    let height = ui.spacing().interact_size.y;
    let rows = browser.shown.len();
    let mut area = ScrollArea::vertical().max_height(300.0).min_scrolled_height(300.0).auto_shrink(false);
    if let Some(row) = browser.marked.filter(|_| keys.moved) {
        // The marked row in the middle: it may be far from what is made.
        let step = height + ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset((row as f32 * step - 150.0).max(0.0));
    }
    area.show_rows(ui, height, rows, |ui, shown| {
        for row in shown {
            let Some(entry) = browser.entry(row) else { continue };
            let text = if entry.is_folder { format!("{}/", entry.name) } else { entry.name.clone() };
            let is_marked = browser.marked == Some(row);
            let line = Button::selectable(is_marked, text).min_size([ui.available_width(), 0.0].into());
            let response = ui.with_layout(eframe::egui::Layout::top_down(Align::LEFT), |ui| ui.add(line)).inner;
            if response.clicked() {
                let is_folder = browser.entry(row).is_some_and(|entry| entry.is_folder);
                browser.marked = Some(row);
                // A folder is gone into at once; a file is opened by a second click, as elsewhere.
                is_chosen |= is_folder || response.double_clicked();
                if !is_folder && browser.asked.writes() {
                    browser.typed = browser.entry(row).map(|entry| entry.name.clone()).unwrap_or_default();
                }
            }
        }
    });
    if rows == 0 && !browser.listing.is_coming() {
        ui.weak("nothing here goes with it");
    }
    is_chosen
}
