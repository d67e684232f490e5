//! A clip: how long it is, how its values are taken, its tracks and its events.

use super::numbers::number;
use super::page::{Done, Page, fact, heading, list, row};
use super::uses::Uses;
use crate::state::selection::Thing;
use crate::ui::kept::kept;
use crate::ui::things;
use eframe::egui::{Id, Label, Ui};
use maquette::scene::clip::{Blend, Clip, Interpolation, Target, Track};

/// Shows a clip.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, place: usize, id: Id) {
    let Some(clip) = page.scene.clips.as_slice().get(place) else { return };
    if ui.button("Play").on_hover_text("Goes over to it").clicked() {
        page.done = Some(Done::Play(place));
    }
    fact(ui, "Duration", &format!("{:.4} s", clip.duration_secs));
    match clip.frame_rate {
        Some(rate) => {
            let frames = clip.duration_secs * f64::from(rate);
            fact(ui, "Frame rate", &format!("{} a second, {frames:.1} frames", number(rate)));
        }
        None => fact(ui, "Frame rate", "it has no frames"),
    }
    fact(ui, "Blend", blend(clip.blend));
    if let Some(before) = clip.composed_from {
        fact(ui, "Made from", blend(before));
    }
    let looped = match clip.looped {
        Some(true) => "yes",
        Some(false) => "no",
        None => "the file does not say",
    };
    fact(ui, "Looped", looped);
    fact(ui, "Tracks", &clip.tracks.len().to_string());
    let kept = kept::<Uses>(ui.ctx(), id);
    let uses = &mut *kept.lock();
    uses.update(page.scene, Thing::Clip(place));
    fact(ui, "Keys", &uses.clip_keys.to_string());
    events(ui, page, place, clip);
    tracks(ui, page, clip);
    page.extras(ui, &clip.extras);
}

fn blend(blend: Blend) -> &'static str {
    match blend {
        Blend::Absolute => "absolute: replaces the rest pose",
        Blend::Relative => "relative: translations are added to the rest pose",
        Blend::Additive => "additive: added to the rest pose",
        Blend::Delta => "delta: as relative, the root carries the motion",
    }
}

fn events(ui: &mut Ui, page: &mut Page<'_>, place: usize, clip: &Clip) {
    if clip.events.is_empty() {
        return fact(ui, "Events", "none");
    }
    heading(ui, &format!("Events ({})", clip.events.len()));
    list(ui, "events", clip.events.len(), |ui, event| {
        let Some(event) = clip.events.get(event) else { return };
        row(ui, &format!("{:.3} s", event.time_secs), |ui| {
            let line = things::line(&event.name);
            let response = ui.link(&*line).accessible_name(format!("Go to event {line} at {:.3} s", event.time_secs));
            if response.clicked() {
                page.done = Some(Done::Seek { clip: place, secs: event.time_secs });
            }
            response.on_hover_text(format!("{}\nGoes to this moment.", things::hint(&event.name)));
        });
    });
}

fn tracks(ui: &mut Ui, page: &mut Page<'_>, clip: &Clip) {
    if clip.tracks.is_empty() {
        return;
    }
    heading(ui, &format!("Tracks ({})", clip.tracks.len()));
    list(ui, "tracks", clip.tracks.len(), |ui, place| {
        let Some(track) = clip.tracks.get(place) else { return };
        ui.push_id(place, |ui| {
            ui.horizontal(|ui| {
                ui.add(Label::new(words(track)).truncate());
                match &track.target {
                    Target::Node(node) => _ = page.link(ui, Thing::Node(*node)),
                    Target::Name(name) => {
                        let label = ui.add(Label::new(&*things::line(name)).truncate());
                        label.on_hover_text(things::hint(name));
                    }
                }
            });
        });
    });
}

fn words(track: &Track) -> String {
    let way = match track.curve.interpolation() {
        Interpolation::Step => ", step",
        Interpolation::Linear => "",
        Interpolation::CubicSpline => ", spline",
    };
    let own = track.blend.map(|own| match own {
        Blend::Absolute => ", absolute",
        Blend::Relative => ", relative",
        Blend::Additive => ", additive",
        Blend::Delta => ", delta",
    });
    let keys = track.curve.times_secs().len();
    format!("{} ({keys} keys{way}{})", track.curve.property(), own.unwrap_or_default())
}
