//! Several clips at once: the channels of the player, a row each.

use super::clip_choice::{self, NoClip};
use super::named::{named, number};
use super::signs::{self, Face, Sign};
use super::{Desk, nothing, things, timeline};
use crate::state::player::{CHANNELS, Player};
use crate::state::selection::Thing;
use eframe::egui::{Button, ComboBox, Grid, ScrollArea, Slider, Ui};
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::scene::Node;
use maquette_anim::mixer::{Channel, Layer};

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(document) = desk.session.document_mut() else { return nothing(ui, "Nothing is open.") };
    let selected = document.selection.node();
    let scene = document.scene().cloned();
    let (Some(player), Some(scene)) = (document.player.as_mut(), scene) else {
        return nothing(ui, document.without_scene());
    };
    if player.clips().sources.is_empty() {
        return timeline::without_clips(ui, desk);
    }
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        whole(ui, player);
        if player.clips().skeleton.is_none() {
            ui.weak("Nodes do not hang together as joints must: clips play one at a time, a mix of them rests.");
        }
        let mask = Masks { scene: &scene, selected };
        Grid::new("channels").num_columns(10).striped(true).show(ui, |ui| {
            for heading in ["", "Clip", "Weight", "Time", "Speed", "Play", "Loop", "Layer", "Moves", ""] {
                ui.weak(heading);
            }
            ui.end_row();
            for place in 0..CHANNELS {
                row(ui, player, place, &mask);
                ui.end_row();
            }
        });
    });
}

/// What concerns all channels.
fn whole(ui: &mut Ui, player: &mut Player) {
    ui.horizontal_wrapped(|ui| {
        let fade = number(ui, "Seconds of a cross-fade", f64::from(player.fade_secs), |value| {
            value.range(0.0..=10.0).speed(0.01).max_decimals(2).prefix("cross-fade ").suffix(" s")
        });
        if let Some(secs) = fade {
            player.fade_secs = secs as f32;
        }
        ui.separator();
        let (base, added) = (player.weight_sum(Layer::Base), player.weight_sum(Layer::Additive));
        ui.label(format!("Sum of weights {base:.2}"))
            .on_hover_text("Channels of the base share the pose by their weights, whatever the sum.");
        if added > 0.0 {
            ui.label(format!("+ {added:.2} additive"));
        }
    });
}

fn row(ui: &mut Ui, player: &mut Player, place: usize, masks: &Masks<'_>) {
    let nth = place + 1;
    let is_shown = player.channel == place;
    let choice = ui.selectable_label(is_shown, format!("{nth}"));
    let hint = if is_shown { "The timeline shows this channel" } else { "Show this channel in the timeline" };
    if named(choice, &format!("Channel {nth}")).on_hover_text(hint).clicked() {
        player.channel = place;
    }
    let Some(here) = player.channels().get(place).cloned() else { return };
    let clip = Some(here.clip).filter(|_| player.is_filled(&here));
    if let Some(clip) = clip_choice::show(ui, &format!("Clip of channel {nth}"), player.clips(), clip, NoClip("empty"))
    {
        player.fill(place, clip);
    }
    let Some(clip) = clip else { return };
    let duration = player.clips().duration_secs(clip);
    let mut new = here.clone();
    settings(ui, &mut new, nth, duration);
    if new != here
        && let Some(channel) = player.channels_mut().get_mut(place)
    {
        *channel = new;
    }
    masks.choice(ui, player, place);
    ui.horizontal(|ui| ways(ui, player, place, here.layer));
}

/// Weight, time, speed, loop and layer.
fn settings(ui: &mut Ui, channel: &mut Channel, nth: usize, duration: f32) {
    let weight = ui.add(Slider::new(&mut channel.weight, 0.0..=1.0).max_decimals(2).show_value(true));
    named(weight, &format!("Weight of channel {nth}"));
    let time = number(ui, &format!("Time of channel {nth}"), f64::from(channel.time_secs), |value| {
        value.range(0.0..=f64::from(duration)).speed(1.0 / 30.0).fixed_decimals(3).suffix(" s")
    });
    channel.time_secs = time.map_or(channel.time_secs, |secs| secs as f32);
    let speed = number(ui, &format!("Speed of channel {nth}"), f64::from(channel.speed), |value| {
        value.range(-16.0..=16.0).speed(0.02).max_decimals(3).prefix("× ")
    });
    channel.speed = speed.map_or(channel.speed, |speed| speed as f32);
    let sign = if channel.is_playing { Sign::Pause } else { Sign::Play };
    let face = Face::pressed_while(channel.is_playing);
    let play = signs::button(ui, sign, face, &format!("Play channel {nth}"));
    if play.on_hover_text("Play or pause").clicked() {
        channel.is_playing = !channel.is_playing;
    }
    named(ui.checkbox(&mut channel.is_looping, ""), &format!("Loop channel {nth}"));
    ui.horizontal(|ui| {
        for (layer, name, hint) in [
            (Layer::Base, "base", "Shares the pose with the other channels of the base"),
            (Layer::Additive, "additive", "Adds what it differs by from the rest pose"),
        ] {
            let response = ui.selectable_label(channel.layer == layer, name);
            if named(response, &format!("Channel {nth} {name}")).on_hover_text(hint).clicked() {
                channel.layer = layer;
            }
        }
    });
}

/// Which nodes a channel moves.
struct Masks<'s> {
    scene: &'s Scene,
    selected: Option<Handle<Node>>,
}

impl Masks<'_> {
    fn choice(&self, ui: &mut Ui, player: &mut Player, place: usize) {
        let here = player.mask(place);
        let name = |node: Option<Handle<Node>>| match node {
            Some(node) => {
                let name = things::name(self.scene, Thing::Node(node));
                format!("{} and below", things::line(&name))
            }
            None => "all nodes".to_owned(),
        };
        let label = format!("Nodes of channel {}", place + 1);
        let combo = ComboBox::from_id_salt(&label).selected_text(name(here)).width(120.0).truncate();
        let mut chosen = None;
        let shown = combo.show_ui(ui, |ui| {
            let mut offered = vec![None];
            offered.extend(here.map(Some));
            offered.extend(self.selected.filter(|node| Some(*node) != here).map(Some));
            for node in offered {
                if ui.selectable_label(node == here, name(node)).clicked() {
                    chosen = Some(node);
                }
            }
            if self.selected.is_none() {
                ui.weak("Select a node to move it alone, and what hangs on it.");
            }
        });
        named(shown.response, &label);
        if let Some(node) = chosen.filter(|node| *node != here) {
            player.set_mask(place, node);
        }
    }
}

/// Alone, and over to it.
fn ways(ui: &mut Ui, player: &mut Player, place: usize, layer: Layer) {
    let nth = place + 1;
    let solo = ui.add(Button::new("solo").selected(player.solo() == Some(place)));
    let hint = "This channel alone; again, and the others have their weights back";
    if named(solo, &format!("Solo channel {nth}")).on_hover_text(hint).clicked() {
        player.toggle_solo(place);
    }
    let fade = ui.add_enabled(layer == Layer::Base, Button::new("fade to"));
    let fade = fade.on_disabled_hover_text("What is additive is not faded to: it has nothing to share");
    let hint = format!("Fade over to this channel within {:.2} s", player.fade_secs);
    if named(fade, &format!("Fade to channel {nth}")).on_hover_text(hint).clicked() {
        player.cross_fade(place);
    }
}
