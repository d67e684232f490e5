//! The file itself: what it is, what it holds, what is beside it, and what of it is not shown.

use super::numbers::{bytes, number, numbers};
use super::page::{Page, fact, heading, list, sentence};
use crate::state::selection::Thing;
use crate::ui::things;
use eframe::egui::{Label, RichText, Ui};
use maquette::formats::format::BUILT_IN;
use maquette::formats::summary::{Bounds, ClipSummary, Summary};
use maquette::info::Info;

/// Lists of sentences that are longer are cut to lines.
const FEW: usize = 24;

/// Shows the file.
pub fn show(ui: &mut Ui, page: &mut Page<'_>) {
    let Some(opened) = &page.document.opened else { return };
    let info = &opened.info;
    let format = BUILT_IN.iter().find(|format| format.id == info.format).map_or(info.format, |format| format.name);
    fact(ui, "Format", format);
    fact(ui, "Dialect", info.dialect);
    sentence(ui, "Why", &info.evidence);
    fact(ui, "Size", &bytes(info.bytes));
    sentence(ui, "File", &info.file);
    counts(ui, &info.summary);
    bounds(ui, "Bounds as stored", info.summary.bounds.as_ref());
    bounds(ui, "Bounds as drawn", info.drawn_bounds.as_ref());
    clips(ui, page, &info.summary.clips);
    conventions(ui, &info.summary);
    companions(ui, info);
    let missing = page.document.staged.as_ref().map_or(&[][..], |staged| &staged.missing);
    wrong(ui, "Images that are missing", missing);
    wrong(ui, "What the scene does not hold", &opened.losses);
    page.extras(ui, &page.scene.extras);
}

fn counts(ui: &mut Ui, summary: &Summary) {
    heading(ui, "Holds");
    for (label, count) in [
        ("Meshes", summary.meshes),
        ("Vertices", summary.vertices),
        ("Indices", summary.indices),
        ("Triangles", summary.triangles),
        ("Lines", summary.lines),
        ("Materials", summary.materials),
        ("Textures", summary.textures),
        ("Nodes", summary.nodes),
        ("Joints", summary.joints),
        ("Clips", summary.clips.len() as u64),
    ] {
        fact(ui, label, &count.to_string());
    }
}

fn bounds(ui: &mut Ui, title: &str, bounds: Option<&Bounds>) {
    heading(ui, title);
    let Some(bounds) = bounds else { return fact(ui, "Box", "none") };
    fact(ui, "From", &numbers(&bounds.min));
    fact(ui, "To", &numbers(&bounds.max));
    let [[a, b, c], [x, y, z]] = [bounds.min, bounds.max];
    fact(ui, "Size", &numbers(&[x - a, y - b, z - c]));
}

fn clips(ui: &mut Ui, page: &mut Page<'_>, clips: &[ClipSummary]) {
    if clips.is_empty() {
        return;
    }
    heading(ui, "Clips as stored");
    list(ui, "clips", clips.len(), |ui, place| {
        let Some(clip) = clips.get(place) else { return };
        ui.horizontal(|ui| {
            let thing = Thing::Clip(place);
            match things::is_in(page.scene, thing) {
                true => _ = page.link(ui, thing),
                false => _ = ui.label(things::line(&clip.name)),
            }
            ui.add(Label::new(clip_words(clip)).truncate());
        });
    });
}

fn clip_words(clip: &ClipSummary) -> String {
    let secs = clip.duration_secs.map_or_else(|| "of unknown length".to_owned(), |secs| format!("{secs:.3} s"));
    let mut words = format!("{secs}, {} tracks, {} keys", clip.tracks, clip.keys);
    if clip.events > 0 {
        words.push_str(&format!(", {} events", clip.events));
    }
    if let Some(frames) = clip.frames {
        words.push_str(&format!(", {frames} frames"));
    }
    if let Some(rate) = clip.frame_rate {
        words.push_str(&format!(" at {} a second", number(rate)));
    }
    words
}

fn conventions(ui: &mut Ui, summary: &Summary) {
    if summary.conventions.is_empty() {
        return;
    }
    heading(ui, "How its numbers are read");
    for convention in &summary.conventions {
        let name = convention.name.replace('_', " ");
        sentence(ui, &name, &format!("{}: {}", convention.value, convention.why));
    }
}

fn companions(ui: &mut Ui, info: &Info) {
    named(ui, "Companion files", &info.companions);
    wrong(ui, "Companion files that are missing", &info.missing_companions);
    let unreadable = info.unreadable_companions.iter().flatten();
    let lines: Vec<String> = unreadable.take(FEW).map(|file| format!("{}: {}", file.name, file.why)).collect();
    wrong(ui, "Why they cannot be read", &lines);
}

fn named(ui: &mut Ui, title: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    heading(ui, &format!("{title} ({})", names.len()));
    list(ui, title, names.len(), |ui, place| {
        let Some(name) = names.get(place) else { return };
        ui.horizontal(|ui| ui.add(Label::new(&*things::line(name)).truncate()).on_hover_text(things::hint(name)));
    });
}

/// Sentences that say what is not as it should be.
fn wrong(ui: &mut Ui, title: &str, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    heading(ui, &format!("{title} ({})", sentences.len()));
    let colour = ui.visuals().warn_fg_color;
    let text = |sentence: &str| RichText::new(sentence).color(colour);
    if sentences.len() <= FEW {
        for sentence in sentences {
            ui.add(Label::new(text(&things::hint(sentence))).wrap());
        }
        return;
    }
    list(ui, title, sentences.len(), |ui, place| {
        let Some(sentence) = sentences.get(place) else { return };
        ui.horizontal(|ui| {
            let label = ui.add(Label::new(text(&things::line(sentence))).truncate());
            label.on_hover_text(things::hint(sentence))
        });
    });
}
