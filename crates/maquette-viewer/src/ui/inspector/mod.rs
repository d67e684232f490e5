//! What is selected, with all that is known of it: a page a kind of thing, and one for the file itself.

mod bone;
mod clip;
mod file;
mod image;
mod material;
mod mesh;
mod node;
mod numbers;
mod page;
mod skin;
mod uses;

use super::{Desk, nothing, things};
use crate::state::document::{Document, Progress};
use crate::state::selection::Thing;
use crate::work::Failure;
use eframe::egui::{Id, Label, RichText, ScrollArea, TextWrapMode, Ui};
use page::{Done, Page};
use std::sync::Arc;

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let place = desk.session.active;
    let Some(document) = desk.session.document_mut() else { return nothing(ui, "No file is open.") };
    let Some(scene) = document.scene().map(Arc::clone) else { return unread(ui, document) };
    let mut page = Page { document, scene: &scene, done: None };
    ui.style_mut().wrap_mode = Some(TextWrapMode::Truncate);
    show_page(ui, &mut page, place);
    if let Some(done) = page.done.take() {
        act(document, done);
        ui.ctx().request_repaint();
    }
}

fn show_page(ui: &mut Ui, page: &mut Page<'_>, place: usize) {
    let thing = page.document.selection.thing;
    // Another page begins at its top.
    let area = ScrollArea::vertical().id_salt((place, thing)).auto_shrink(false);
    area.show(ui, |ui| {
        if !things::is_in(page.scene, thing) {
            ui.add(Label::new("What was selected is no longer in the file.").wrap());
            return;
        }
        title(ui, page, thing);
        let id = Id::unique(("inspector", place));
        match thing {
            Thing::Nothing => file::show(ui, page),
            Thing::Node(node) => node::show(ui, page, node, id),
            Thing::Mesh(mesh) => mesh::show(ui, page, mesh, id),
            Thing::Skin(skin) => skin::show(ui, page, skin, id),
            Thing::Material(material) => material::show(ui, page, material, id),
            Thing::Image(image) => image::show(ui, page, image, id),
            Thing::Clip(clip) => clip::show(ui, page, clip, id),
            Thing::Bone { clip, track } => bone::show(ui, page, clip, track),
        }
    });
}

fn title(ui: &mut Ui, page: &Page<'_>, thing: Thing) {
    let name = match thing {
        Thing::Nothing => page.document.name(),
        thing => things::name(page.scene, thing).into_owned(),
    };
    let response = ui.add(Label::new(RichText::new(things::line(&name)).heading()).truncate());
    response.on_hover_text(things::hint(&name));
    if thing != Thing::Nothing {
        page::fact(ui, things::kind(thing), &things::index(thing).to_string());
    }
}

/// A file that is not read yet, or cannot be.
fn unread(ui: &mut Ui, document: &Document) {
    if document.progress() != Progress::Failed {
        return nothing(ui, document.without_scene());
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add(Label::new(RichText::new(things::line(&document.name())).heading()).truncate());
        let why = document.failure.as_ref().map_or("", Failure::why);
        ui.add(Label::new(RichText::new(things::hint(why)).color(ui.visuals().error_fg_color)).wrap());
    });
}

fn act(document: &mut Document, done: Done) {
    match done {
        Done::Choose(thing) => document.selection.choose(thing),
        Done::Bytes(bytes) => document.selection.bytes = Some(bytes),
        Done::Play(clip) => document.player.iter_mut().for_each(|player| player.fade_to(clip)),
        Done::Seek { clip, secs } => {
            let Some(player) = &mut document.player else { return };
            let here = player.current().map(|channel| channel.clip);
            if here != Some(clip) {
                player.play(clip);
                // From rest there is nothing that goes on: the moment is what is wanted.
                if here.is_none() {
                    player.toggle();
                }
            }
            player.seek(secs);
        }
    }
}
