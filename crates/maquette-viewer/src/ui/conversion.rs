//! What a conversion to each format would lose, and the way to it.

use super::notices::wrong;
use super::{Desk, nothing};
use crate::actions::Action;
use crate::work::export::Conversion;
use crate::work::losses::{Kept, Preview};
use eframe::egui::collapsing_header::CollapsingState;
use eframe::egui::{Label, RichText, ScrollArea, Ui};
use maquette::texture::Quality;

/// How well textures are packed, in the words of the command.
const QUALITIES: [(&str, Option<Quality>, &str); 4] = [
    ("none", None, "plain pixels in the place of blocks"),
    ("fast", Some(Quality::Fast), "for trying things out"),
    ("default", Some(Quality::Default), "blocks that are hard to encode are tried in more ways"),
    ("high", Some(Quality::High), "for the final files: many ways for every block"),
];

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(previews) = desk.session.previews() else {
        let is_open = desk.session.document().is_some();
        return nothing(ui, if is_open { "there is nothing to convert yet" } else { "no file is open" });
    };
    let (done, is_complete) = (previews.done.clone(), previews.is_complete());
    ui.horizontal_wrapped(|ui| {
        options(ui, &mut desk.session.conversion);
        if !is_complete {
            ui.spinner();
            ui.weak("formats are being tried");
        }
    });
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        for preview in &done {
            row(ui, desk, preview);
        }
    });
}

fn options(ui: &mut Ui, conversion: &mut Conversion) {
    ui.label("Textures");
    for (word, quality, hint) in QUALITIES {
        ui.selectable_value(&mut conversion.quality, quality, word).on_hover_text(hint);
    }
    ui.checkbox(&mut conversion.optimize, "Optimize")
        .on_hover_text("geometry in the order that hardware likes best; what is the same is joined");
}

fn row(ui: &mut Ui, desk: &mut Desk<'_>, preview: &Preview) {
    let id = ui.make_persistent_id(("conversion", preview.ending));
    let losses: &[String] = preview.outcome.as_ref().map_or(&[], |kept| &kept.losses);
    let head = |ui: &mut Ui| {
        if ui.button(format!("Export as {}…", preview.ending)).clicked() {
            desk.session.export_ending = preview.ending;
            desk.done.push(Action::Export);
        }
        ui.strong(preview.format);
        match &preview.outcome {
            Ok(kept) => told(ui, kept),
            Err(why) => {
                let text = RichText::new(format!("cannot be written: {why}")).color(wrong(ui.visuals().dark_mode));
                ui.add(Label::new(text).wrap());
            }
        }
    };
    if losses.is_empty() {
        ui.horizontal_wrapped(head);
        return;
    }
    CollapsingState::load_with_default_open(ui.ctx(), id, false).show_header(ui, head).body(|ui| {
        let height = ui.text_style_height(&eframe::egui::TextStyle::Body);
        ScrollArea::vertical().id_salt(id).max_height(12.0 * height).show_rows(
            ui,
            height,
            losses.len(),
            |ui, shown| {
                for loss in losses.get(shown).unwrap_or_default() {
                    ui.add(Label::new(loss).truncate()).on_hover_text(loss);
                }
            },
        );
    });
}

fn told(ui: &mut Ui, kept: &Kept) {
    ui.weak(kept.dialect);
    ui.label(match kept.bytes {
        Some(bytes) => size(bytes),
        None => "…".to_owned(),
    });
    match kept.losses.len() {
        0 => ui.label(RichText::new("nothing is lost").strong()),
        1 => ui.colored_label(ui.visuals().warn_fg_color, "1 loss"),
        count => ui.colored_label(ui.visuals().warn_fg_color, format!("{count} losses")),
    };
}

/// How many bytes, as people say it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
