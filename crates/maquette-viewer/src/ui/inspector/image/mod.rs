//! An image: where it comes from, and the picture itself, level by level and channel by channel.

mod channel;
mod decode;
mod decoding;
pub mod thumbs;
mod tiles;
mod view;

use super::numbers::bytes;
use super::page::{Done, Page, fact, row, sentence};
use super::uses::Uses;
use crate::state::selection::Thing;
use crate::ui::kept::kept;
use crate::ui::things;
use channel::Channel;
use decode::Origin;
use decoding::Decoding;
use eframe::egui::{ComboBox, Id, Label, RichText, Ui, vec2};
use maquette::formats::rules::images::image_kind;
use maquette::scene::Handle;
use maquette::scene::image::{ColourSpace, Image, ImageData};
use std::ops::Range;
use view::{STEP, Shown, View};

/// What the page keeps.
#[derive(Default)]
struct Viewer {
    decoding: Decoding,
    level: usize,
    channel: Channel,
    view: View,
}

/// The least room for the picture.
const LEAST: f32 = 160.0;
/// Rows of the page below it that are to be seen with it, where there is room.
const ROWS_BELOW: f32 = 11.0;

/// Shows an image.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, handle: Handle<Image>, id: Id) {
    let Some(image) = page.scene.images.get(handle) else { return };
    let kept_viewer = kept::<Viewer>(ui.ctx(), id);
    let viewer = &mut *kept_viewer.lock();
    let serial = viewer.decoding.serial;
    viewer.decoding.want(&image.data, decode::content(page.scene, handle), ui.ctx());
    if viewer.decoding.serial != serial {
        viewer.level = 0;
        viewer.view.fit();
    }
    picture(ui, viewer, &things::name(page.scene, Thing::Image(handle)), id);
    origin(ui, page, image);
    format(ui, &viewer.decoding, image);
    let kept_uses = kept::<Uses>(ui.ctx(), id);
    let uses = &mut *kept_uses.lock();
    uses.update(page.scene, Thing::Image(handle));
    page.links(ui, "Used by", &uses.users);
}

/// Where it comes from.
fn origin(ui: &mut Ui, page: &mut Page<'_>, image: &Image) {
    let stored: Option<&[u8]> = match &*image.data {
        ImageData::External(name) => {
            return sentence(ui, "Comes from", &format!("the file {name}, which is not there"));
        }
        ImageData::Encoded { bytes, .. } => Some(bytes),
        ImageData::Pixels { levels, .. } => levels.first().map(|level| &**level),
    };
    let file = page.document.input.as_ref().map(|input| input.bytes());
    let Some(place) = stored.and_then(|stored| place_in(file?, stored)) else {
        let companions = page.document.opened.as_ref().map_or(&[][..], |opened| &opened.info.companions);
        let text = match companions.contains(&image.name) {
            true => format!("the file {}", image.name),
            false => "a companion file, or text in the file".to_owned(),
        };
        return sentence(ui, "Comes from", &text);
    };
    row(ui, "Comes from", |ui| {
        let link =
            ui.link(format!("the file, from byte {:#x}", place.start)).accessible_name("Show the bytes of the image");
        if link.on_hover_text("Shows these bytes").clicked() {
            page.done = Some(Done::Bytes(place));
        }
    });
}

/// Where bytes that were borrowed from a file are in it.
fn place_in(file: &[u8], part: &[u8]) -> Option<Range<u64>> {
    let start = part.as_ptr().addr().checked_sub(file.as_ptr().addr())?;
    let there = file.get(start..start.checked_add(part.len())?)?;
    (std::ptr::eq(there, part) && !part.is_empty()).then_some(start as u64..(start + part.len()) as u64)
}

fn format(ui: &mut Ui, decoding: &Decoding, image: &Image) {
    match &*image.data {
        ImageData::External(_) => return,
        ImageData::Encoded { mime, bytes: file } => {
            fact(ui, "Format", image_kind(file).unwrap_or(mime));
            fact(ui, "Encoded size", &bytes(file.len() as u64));
        }
        ImageData::Pixels { format, colour_space, levels, .. } => {
            let space = match colour_space {
                ColourSpace::Srgb => "sRGB",
                ColourSpace::Linear => "linear",
            };
            fact(ui, "Format", &format!("{}, {space}", format.word()));
            let size: usize = levels.iter().map(|level| level.len()).sum();
            fact(ui, "Encoded size", &format!("{} in {} levels", bytes(size as u64), levels.len()));
        }
    }
    let size = match (&*image.data, decoding.levels.first()) {
        (_, Some((picture, _))) => format!("{} × {} pixels", picture.width(), picture.height()),
        (ImageData::Pixels { width, height, .. }, None) => format!("{width} × {height} pixels"),
        _ if decoding.failure.is_some() => "not known".to_owned(),
        _ => "being decoded".to_owned(),
    };
    fact(ui, "Pixel size", &size);
    if let Some(damage) = &decoding.damage {
        sentence(ui, "Damaged", damage);
    }
}

fn picture(ui: &mut Ui, viewer: &mut Viewer, name: &str, id: Id) {
    let Viewer { decoding, level, channel, view } = viewer;
    if let Some(why) = &decoding.failure {
        ui.add(Label::new(RichText::new(things::hint(why)).color(ui.visuals().error_fg_color)).wrap());
        return;
    }
    let Some((largest, _)) = decoding.levels.first() else {
        ui.spinner();
        return;
    };
    let whole = [largest.width(), largest.height()];
    channels(ui, channel);
    let height = (ui.available_height() - ROWS_BELOW * ui.spacing().interact_size.y).max(LEAST);
    let size = vec2(ui.available_width().max(1.0), height);
    ui.horizontal_wrapped(|ui| {
        levels(ui, decoding, level);
        if ui.small_button("Fit").clicked() {
            view.fit();
        }
        if ui.small_button("1:1").on_hover_text("A pixel is one of the screen").clicked() {
            view.true_size(ui.ctx().pixels_per_point());
        }
        for (sign, name, times) in [("+", "Enlarge", STEP), ("-", "Reduce", 1.0 / STEP)] {
            if ui.small_button(sign).accessible_name(name).clicked() {
                view.enlarge(times, size, whole);
            }
        }
    });
    *level = (*level).min(decoding.levels.len() - 1);
    let Some((picture, _)) = decoding.levels.get(*level) else { return };
    let shown = Shown { name: &things::line(name), whole, picture, source: (decoding.serial, *level, *channel) };
    let pointed = view.show(ui, id.with("picture"), size, &shown);
    let value = pointed.and_then(|[x, y]| Some(([x, y], picture.row(y as usize).get(x as usize).copied()?)));
    let text = value.map_or_else(
        || "Point at a pixel to see its value.".to_owned(),
        |([x, y], [r, g, b, a])| format!("{x}, {y}: {r} {g} {b} {a}  #{r:02x}{g:02x}{b:02x}{a:02x}"),
    );
    ui.add(Label::new(RichText::new(text).monospace()).truncate());
}

fn channels(ui: &mut Ui, channel: &mut Channel) {
    ui.horizontal_wrapped(|ui| {
        for (which, name) in Channel::ALL {
            let response = ui.selectable_value(channel, which, name);
            _ = response.accessible_name(format!("Channel {name}"));
        }
    });
}

fn levels(ui: &mut Ui, decoding: &Decoding, level: &mut usize) {
    let text = |place: usize| {
        let Some((picture, origin)) = decoding.levels.get(place) else { return String::new() };
        let made = if *origin == Origin::Made { ", made" } else { "" };
        format!("Level {place}: {} × {}{made}", picture.width(), picture.height())
    };
    let combo = ComboBox::from_id_salt("level").selected_text(text(*level)).width(150.0);
    let shown = combo.show_ui(ui, |ui| {
        for place in 0..decoding.levels.len() {
            ui.selectable_value(level, place, text(place));
        }
    });
    _ = shown.response.accessible_name("Mip level");
}
