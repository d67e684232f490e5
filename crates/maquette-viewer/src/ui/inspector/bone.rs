//! A bone of a clip alone: the keys that move it.

use super::page::{Page, fact, heading, row};
use crate::state::bones;
use crate::state::selection::Thing;
use eframe::egui::{Label, Ui};
use maquette::scene::clip::Curve;

/// Shows a bone.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, place: usize, track: usize) {
    let Some(clip) = page.scene.clips.as_slice().get(place) else { return };
    let Some(name) = bones::name(page.scene, place, track) else { return };
    row(ui, "Clip", |ui| _ = page.link(ui, Thing::Clip(place)));
    heading(ui, "Keys");
    for track in bones::tracks_of(clip, name) {
        let property = match track.curve {
            Curve::Translation(_) => "Translation",
            Curve::Rotation(_) => "Rotation",
            Curve::Scale(_) => "Scale",
            Curve::MorphWeights(_) => "Morph weights",
        };
        fact(ui, property, &track.curve.times_secs().len().to_string());
    }
    ui.add(Label::new("Where it is from is for a model to say: the file has clips alone.").wrap());
}
