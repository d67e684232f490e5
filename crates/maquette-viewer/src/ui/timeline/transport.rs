//! Buttons, the choice of the clip, speed and time.

use super::super::clip_choice::{self, NoClip};
use super::super::named::{named, number};
use super::super::signs::{self, Face, Sign};
use super::super::{Desk, keys};
use crate::actions::Action;
use crate::state::player::Player;
use eframe::egui::{Response, Ui};

/// As fast as the keys can make it.
const FASTEST: f64 = 16.0;

/// Shows them, in a row.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(player) = desk.session.document().and_then(|document| document.player.as_ref()) else { return };
    let is_playing = player.current().is_some_and(|channel| channel.is_playing);
    let is_looping = player.current().is_some_and(|channel| channel.is_looping);
    button(ui, desk, Sign::Start, Action::Start, Face::Raised);
    button(ui, desk, Sign::Back, Action::PreviousFrame, Face::Raised);
    button(ui, desk, if is_playing { Sign::Pause } else { Sign::Play }, Action::Play, Face::pressed_while(is_playing));
    button(ui, desk, Sign::On, Action::NextFrame, Face::Raised);
    button(ui, desk, Sign::End, Action::End, Face::Raised);
    button(ui, desk, Sign::Loop, Action::ToggleLoop, Face::pressed_while(is_looping));
    ui.separator();
    if let Some(player) = desk.session.player_mut() {
        choice(ui, player);
        time(ui, player);
        speed(ui, player);
    }
    for (text, action) in [("×½", Action::Slower), ("×2", Action::Faster)] {
        let response = named(ui.button(text), action.label());
        done(ui, desk, response, action);
    }
}

fn button(ui: &mut Ui, desk: &mut Desk<'_>, sign: Sign, action: Action, face: Face) {
    let response = signs::button(ui, sign, face, action.label());
    done(ui, desk, response, action);
}

fn done(ui: &Ui, desk: &mut Desk<'_>, response: Response, action: Action) {
    let hint = match keys::shown(ui.ctx(), action) {
        Some(key) => format!("{} ({key})", action.label()),
        None => action.label().to_owned(),
    };
    if response.on_hover_text(hint).clicked() {
        desk.done.push(action);
    }
}

fn choice(ui: &mut Ui, player: &mut Player) {
    let here = player.current().map(|channel| channel.clip);
    match clip_choice::show(ui, "Clip", player.clips(), here, NoClip("rest pose")) {
        Some(Some(clip)) => player.fade_to(clip),
        Some(None) => player.rest(),
        None => {}
    }
    let range = 0.0..=10.0;
    let fade = number(ui, "Fade from clip to clip", f64::from(player.fade_secs), |value| {
        value.range(range).speed(0.01).max_decimals(2).prefix("fade ").suffix(" s")
    });
    if let Some(secs) = fade {
        player.fade_secs = secs as f32;
    }
}

/// Seconds and frames of how many, to be dragged or typed.
fn time(ui: &mut Ui, player: &mut Player) {
    let Some(channel) = player.current() else { return };
    let clips = player.clips();
    let (secs, duration) = (f64::from(channel.time_secs), f64::from(clips.duration_secs(channel.clip)));
    let rate = f64::from(clips.frame_rate(channel.clip));
    let knows_frames = player.clip().is_some_and(|clip| clip.frame_rate == Some(rate as f32));
    let to = number(ui, "Time in seconds", secs, |value| {
        value.range(0.0..=duration).speed(1.0 / rate).fixed_decimals(3).suffix(" s")
    });
    ui.weak(format!("/ {duration:.3} s"));
    // A frame a little before the next is that one: 0.1 s is not a whole number of floats.
    let frame = (secs * rate + 1e-3).floor();
    let last = (duration * rate + 1e-3).floor();
    let to_frame = number(ui, "Time in frames", frame, |value| {
        value.range(0.0..=last).speed(0.2).fixed_decimals(0).prefix("frame ")
    });
    let whose = if knows_frames { "" } else { " (the clip knows no frame rate)" };
    ui.weak(format!("/ {last}")).on_hover_text(format!("{rate} frames a second{whose}"));
    if let Some(secs) = to.or(to_frame.map(|frame| frame / rate)) {
        player.seek(secs as f32);
    }
}

fn speed(ui: &mut Ui, player: &mut Player) {
    let here = player.channel;
    let Some(channel) = player.current().is_some().then(|| player.channels_mut().get_mut(here)).flatten() else {
        return;
    };
    let speed = number(ui, "Speed", f64::from(channel.speed), |value| {
        value.range(-FASTEST..=FASTEST).speed(0.02).max_decimals(3).prefix("× ")
    });
    if let Some(speed) = speed {
        channel.speed = speed as f32;
    }
    let face = Face::pressed_while(channel.speed < 0.0);
    if signs::button(ui, Sign::Turn, face, "Backwards").on_hover_text("Backwards").clicked() {
        channel.speed = -channel.speed;
    }
}
