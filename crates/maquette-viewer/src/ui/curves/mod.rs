//! The keys and the curves of the selected node in the clip that the timeline shows.

mod plot;
mod sampled;

use super::timeline::clip_keys::ClipKeys;
use super::timeline::without_clips;
use super::{Desk, nothing, things};
use crate::state::bones;
use crate::state::selection::Thing;
use eframe::egui::{Color32, Id, RichText, Ui, Visuals, epaint::Hsva};
use maquette::scene::clip::{Blend, Clip, Curve, Track};
use plot::Wanted;
use sampled::{Part, Property, Turn};
use std::collections::{BTreeMap, HashSet};

/// What is to be shown of curves; the same for all nodes and clips.
#[derive(Clone, Debug, Default, PartialEq)]
struct Choice {
    turn: Turn,
    hidden: HashSet<Part>,
}

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(document) = desk.session.document_mut() else { return nothing(ui, "Nothing is open.") };
    let (selected, scene) = (document.selection.thing, document.scene().cloned());
    let (Some(player), Some(scene)) = (document.player.as_mut(), scene) else {
        return nothing(ui, document.without_scene());
    };
    if player.clips().sources.is_empty() {
        return without_clips(ui, desk);
    }
    if !matches!(selected, Thing::Node(_) | Thing::Bone { .. }) {
        let what =
            if scene.nodes.is_empty() { "a bone, in the scene" } else { "a node, in the picture or in the scene" };
        return nothing(ui, &format!("Select {what}: its keys are shown here."));
    }
    let Some(clip) = player.clip().cloned() else {
        return nothing(ui, "Rest pose: choose a clip in the timeline, and its curves are shown here.");
    };
    let Some(keys) = ClipKeys::of(ui.ctx(), &clip) else { return nothing(ui, "Keys are being counted.") };
    let name = things::name(&scene, selected);
    let tracks: Vec<&Track> = match selected {
        Thing::Node(node) => keys.tracks_of(node).filter_map(|track| clip.tracks.get(track)).take(8).collect(),
        _ => bones::tracks_of(&clip, &name).take(8).collect(),
    };
    let name = things::line(&name);
    if tracks.iter().all(|track| track.curve.times_secs().is_empty()) {
        let clip_name = things::line(&clip.name);
        return nothing(
            ui,
            &format!("{name:?} has no keys in {clip_name:?}: select another node, or choose another clip."),
        );
    }
    let id = Id::unique("curves");
    let mut choice: Choice = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let mut shows_all = false;
    ui.horizontal_wrapped(|ui| {
        ui.strong(name.as_ref());
        switches(ui, &tracks, &mut choice);
        said(ui, &clip, &tracks);
        shows_all = ui.button("Show all").on_hover_text("All of the clip and of its values (double click)").clicked();
    });
    let curves: Vec<&Curve> = tracks.iter().map(|track| &track.curve).collect();
    let wanted = Wanted { clip: &clip, thing: selected, curves: &curves, choice: &choice, name: &name };
    let range = if shows_all { plot::Range::All } else { plot::Range::Kept };
    plot::show(ui, id, player, &wanted, range);
    ui.data_mut(|data| data.insert_temp(id, choice));
}

/// What is shown, each by itself or all of a property.
fn switches(ui: &mut Ui, tracks: &[&Track], choice: &mut Choice) {
    let mut own: BTreeMap<Property, Vec<Part>> = BTreeMap::new();
    for track in tracks {
        let parts = sampled::parts(&track.curve, choice.turn);
        own.entry(Property::of(&track.curve)).or_default().extend(parts);
    }
    for (property, mut parts) in own {
        parts.sort_unstable();
        parts.dedup();
        ui.separator();
        let mut is_shown = parts.iter().any(|part| !choice.hidden.contains(part));
        if ui.checkbox(&mut is_shown, property.name()).changed() {
            for part in &parts {
                if is_shown {
                    choice.hidden.remove(part)
                } else {
                    choice.hidden.insert(*part)
                };
            }
        }
        for part in parts {
            let is_shown = !choice.hidden.contains(&part);
            let letter = RichText::new(part.letter()).color(colour(part, ui.visuals())).strong();
            let response = ui.selectable_label(is_shown, letter);
            let response = super::named::named(response, &format!("{} {}", property.name(), part.letter()));
            if response.clicked() {
                if is_shown {
                    choice.hidden.insert(part)
                } else {
                    choice.hidden.remove(&part)
                };
            }
        }
        if property == Property::Rotation {
            ui.selectable_value(&mut choice.turn, Turn::Euler, "degrees")
                .on_hover_text("Euler angles: X, Y, Z in turn, going on where they pass 180");
            ui.selectable_value(&mut choice.turn, Turn::Quaternion, "quaternion");
        }
    }
    ui.separator();
}

/// What is to be known of the values: those of most clips stand for themselves.
fn said(ui: &mut Ui, clip: &Clip, tracks: &[&Track]) {
    let added = tracks.iter().any(|track| track.blend.unwrap_or(clip.blend) != Blend::Absolute);
    if added {
        ui.weak("on top of the rest pose")
            .on_hover_text("The clip holds differences: what it says is added to the rest pose.");
    }
}

/// X, Y and Z as red, green and blue, a little otherwise for each property; others by turns. Readable on what is behind.
fn colour(part: Part, visuals: &Visuals) -> Color32 {
    let (saturation, value) = if visuals.dark_mode { (0.65, 1.0) } else { (0.95, 0.62) };
    let base = match part.place {
        0 => 0.0,
        1 => 0.33,
        2 => 0.6,
        _ => 0.8,
    };
    let hue = match part.property {
        Property::Translation => base,
        Property::Rotation => base + 0.07,
        Property::Scale => base + 0.14,
        Property::Weights => (part.place as f32 * 0.618_034) % 1.0,
    };
    Hsva::new(hue, saturation, value, 1.0).into()
}
