//! Scenes made from bytes: every format takes them, or says that it cannot.

use crate::any_scene;
use crate::choices::Choices;
use crate::file::fitting;
use crate::outlets::OUTLETS;
use crate::round_trip::there_and_back;
use maquette::fit::{FitOptions, TextureOptions};
use maquette::ops::optimize;
use maquette::scene::{Scene, valid};
use maquette::texture::Quality;

/// One execution: the first byte chooses what is written, the others make the scene.
pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let Some(mut scene) = sound(bytes) else { return };
    let mut choices = Choices::of(data);
    // Seldom: it draws every part, which takes longer than all the rest.
    if choices.below(32) == 0 {
        optimize(&mut scene);
    }
    there_and_back(scene, OUTLETS[usize::from(first) % OUTLETS.len()], &fitting(&mut choices));
}

/// The scene of these bytes, in every dialect of every format.
pub fn survives_everywhere(bytes: &[u8]) {
    let Some(scene) = sound(bytes) else { return };
    let textures = TextureOptions { quality: Some(Quality::Fast), ..TextureOptions::default() };
    let options = FitOptions { textures, ..FitOptions::default() };
    for &outlet in OUTLETS.iter() {
        there_and_back(scene.clone(), outlet, &options);
    }
}

fn sound(bytes: &[u8]) -> Option<Scene> {
    Some(any_scene::from_bytes(bytes)).filter(|scene| valid::check(scene).is_ok())
}
