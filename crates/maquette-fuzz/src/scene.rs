//! Scenes made from bytes: every format takes them, or says that it cannot.

use crate::choices::Choices;
use crate::file::fitting;
use crate::outlets::{OUTLETS, Outlet};
use crate::round_trip::{Returned, there_and_back};
use crate::{any_scene, motion};
use maquette::fit::{FitOptions, TextureOptions};
use maquette::ops::optimize;
use maquette::scene::{Scene, valid};
use maquette::texture::Quality;
use std::collections::BTreeMap;

/// One execution: the first byte chooses what is written, the others make the scene.
pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let Some(mut scene) = Some(any_scene::from_bytes(bytes)).filter(is_sound) else { return };
    let mut choices = Choices::of(data);
    // Seldom: it draws every part, which takes longer than all the rest.
    if choices.below(32) == 0 {
        optimize(&mut scene);
    }
    let outlet = OUTLETS[usize::from(first) % OUTLETS.len()];
    soundly(scene, outlet, &fitting(&mut choices));
    let calm = Some(any_scene::calm_from_bytes(bytes)).filter(is_sound);
    if let Some(returned) = calm.and_then(|scene| soundly(scene, outlet, &fitting(&mut choices))) {
        motion::moves_alike(&returned, &outlet.to_string());
    }
}

/// What became of the scenes of many bytes in one dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many were written and read again.
    pub through: usize,
    /// How many of these were seen to move as before.
    pub moving: usize,
}

/// The scene of these bytes in every dialect of every format; counts where it gets through.
pub fn survives_everywhere(bytes: &[u8], tallies: &mut BTreeMap<String, Tally>) {
    let wild = Some(any_scene::from_bytes(bytes)).filter(is_sound);
    let calm = Some(any_scene::calm_from_bytes(bytes)).filter(is_sound);
    let textures = TextureOptions { quality: Some(Quality::Fast), ..TextureOptions::default() };
    let options = FitOptions { textures, ..FitOptions::default() };
    for &outlet in OUTLETS.iter() {
        let tally = tallies.entry(outlet.to_string()).or_default();
        let wild = wild.clone().and_then(|scene| soundly(scene, outlet, &options));
        tally.through += usize::from(wild.is_some());
        let calm = calm.clone().and_then(|scene| soundly(scene, outlet, &options));
        let moves_alike = |calm| motion::moves_alike(calm, &outlet.to_string());
        tally.moving += usize::from(calm.as_ref().is_some_and(moves_alike));
    }
}

/// There and back through a file that `check` has no error about.
fn soundly(scene: Scene, outlet: Outlet, options: &FitOptions) -> Option<Returned> {
    there_and_back(scene, outlet, options).map(|returned| returned.expect_sound(outlet))
}

fn is_sound(scene: &Scene) -> bool {
    valid::check(scene).is_ok()
}
