//! What pages of the inspector are made of: facts, links to other things, and lists of any length.

use crate::state::document::Document;
use crate::state::selection::Thing;
use crate::ui::things;
use eframe::egui::{Align, Label, Layout, Link, Response, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};
use maquette::Scene;
use maquette::scene::extras::Extras;
use std::ops::Range;
use std::sync::Arc;

/// What the user did.
#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Selected another thing.
    Choose(Thing),
    /// Wants to see a clip.
    Play(usize),
    /// Wants to see a moment of a clip.
    Seek {
        /// Which.
        clip: usize,
        /// When.
        secs: f32,
    },
    /// Wants to see bytes of the file.
    Bytes(Range<u64>),
}

/// A page about one thing.
pub struct Page<'a> {
    /// The file it is of.
    pub document: &'a Document,
    /// What that holds.
    pub scene: &'a Arc<Scene>,
    /// What the user did.
    pub done: Option<Done>,
}

/// How wide what facts are called is.
const LABEL: f32 = 112.0;
/// Longer lists are scrolled by themselves.
const SHORT: usize = 24;
/// Rows of one that are seen.
const SEEN: f32 = 12.0;

impl Page<'_> {
    /// A link to another thing.
    pub fn link(&mut self, ui: &mut Ui, thing: Thing) -> Response {
        let name = things::name(self.scene, thing);
        let response = ui.add(Link::new(things::line(&name)));
        let (kind, index) = (things::kind(thing), things::index(thing));
        let response = response.accessible_name(format!("Select {kind} {}", things::line(&name)));
        if response.clicked() {
            self.done = Some(Done::Choose(thing));
        }
        response.on_hover_text(format!("{kind} {index}: {}", things::hint(&name)))
    }

    /// A fact that is a link.
    pub fn linked(&mut self, ui: &mut Ui, label: &str, thing: Option<Thing>) {
        match thing {
            Some(thing) => row(ui, label, |ui| _ = self.link(ui, thing)),
            None => fact(ui, label, "none"),
        }
    }

    /// Links to many things, with a heading; nothing where there are none.
    pub fn links(&mut self, ui: &mut Ui, title: &str, things: &[Thing]) {
        if things.is_empty() {
            return;
        }
        heading(ui, &format!("{title} ({})", things.len()));
        list(ui, title, things.len(), |ui, place| {
            let Some(thing) = things.get(place) else { return };
            row(ui, things::kind(*thing), |ui| _ = self.link(ui, *thing));
        });
    }

    /// What only the format it came from understands.
    pub fn extras(&self, ui: &mut Ui, extras: &Extras) {
        if extras.is_empty() {
            return;
        }
        heading(ui, "Extras");
        let count = extras.iter().count();
        list(ui, "extras", count, |ui, place| {
            if let Some((key, value)) = extras.iter().nth(place) {
                fact(ui, key, value);
            }
        });
    }
}

/// A heading.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    ui.add(Label::new(RichText::new(text).strong()).truncate());
}

/// Something with what it is called.
pub fn fact(ui: &mut Ui, label: &str, value: &str) {
    row(ui, label, |ui| _ = said(ui, label, value));
}

/// A text of a fact; one that is cut is whole in its hint.
fn said(ui: &mut Ui, label: &str, value: &str) -> Response {
    let line = things::line(value);
    let is_cut = line != value;
    let response = ui.add(Label::new(&*line).truncate());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label}: {line}")));
    if is_cut { response.on_hover_text(things::hint(value)) } else { response }
}

/// A fact that may be a sentence: it goes on in the next line.
pub fn sentence(ui: &mut Ui, label: &str, value: &str) {
    ui.horizontal_top(|ui| {
        called(ui, label, Align::Min);
        let text = things::hint(value);
        let response = ui.add(Label::new(&*text).wrap());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label}: {text}")));
    });
}

/// Whatever a fact is, behind what it is called.
pub fn row(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        called(ui, label, Align::Center);
        add(ui);
    });
}

fn called(ui: &mut Ui, label: &str, align: Align) {
    let size = vec2(LABEL, ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(align), |ui| {
        ui.set_min_size(size);
        ui.add(Label::new(RichText::new(things::line(label)).weak()).truncate());
    });
}

/// Rows of one height: all of a short list, those that are seen of a long one.
pub fn list(ui: &mut Ui, salt: &str, count: usize, add: impl FnMut(&mut Ui, usize)) {
    let height = ui.spacing().interact_size.y;
    rows(ui, salt, count, height, SEEN * height, add);
}

/// The same for rows of another height, with so much room.
pub fn rows(ui: &mut Ui, salt: &str, count: usize, height: f32, room: f32, mut add: impl FnMut(&mut Ui, usize)) {
    if is_short(count) {
        ui.push_id(salt, |ui| (0..count).for_each(|place| add(ui, place)));
        return;
    }
    let area = ScrollArea::vertical().id_salt(salt).max_height(room).min_scrolled_height(room).auto_shrink(false);
    area.show_rows(ui, height, count, |ui, range| range.for_each(|place| add(ui, place)));
}

/// Whether all rows of a list are laid out, and may be of any height.
pub fn is_short(count: usize) -> bool {
    count <= SHORT
}
