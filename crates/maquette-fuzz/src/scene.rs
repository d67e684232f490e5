//! Scenes made from bytes: every format takes them, or says that it cannot.

use crate::any_scene;
use crate::choices::Choices;
use crate::file::fitting;
use crate::round_trip::{fitted, written_and_read};
use maquette::fit::FitOptions;
use maquette::formats::format::{ALL, Format};
use maquette::ops::optimize::optimize;
use maquette::scene::{Scene, valid};

/// One execution: the first byte chooses what is written, the others make the scene.
pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let Some(mut scene) = sound(bytes) else { return };
    let (format, dialect) = outlets().nth(usize::from(first) % outlets().count()).expect("as many as were counted");
    let mut choices = Choices::of(data);
    // Seldom: it draws every part, which takes as long as all the rest.
    if choices.below(32) == 0 {
        optimize(&mut scene);
    }
    let Some(fitted) = fitted(scene, format, &fitting(&mut choices)) else { return };
    written_and_read(&fitted, format, dialect);
}

/// The scene of these bytes, in every dialect of every format.
pub fn survives_everywhere(bytes: &[u8]) {
    let Some(scene) = sound(bytes) else { return };
    for &format in ALL {
        let Some(fitted) = fitted(scene.clone(), format, &FitOptions::default()) else { continue };
        for dialect in format.dialects {
            written_and_read(&fitted, format, dialect.id);
        }
    }
}

fn sound(bytes: &[u8]) -> Option<Scene> {
    Some(any_scene::from_bytes(bytes)).filter(|scene| valid::check(scene).is_ok())
}

/// Every dialect that can be written.
pub fn outlets() -> impl Iterator<Item = (&'static Format, &'static str)> {
    ALL.iter().flat_map(|&format| format.dialects.iter().map(move |dialect| (format, dialect.id)))
}
