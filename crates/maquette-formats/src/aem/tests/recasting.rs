//! A file in another dialect: the same scene, the same tables, and nothing where the pixels would have to change.

use crate::aem::raw::{Dialect, File, Texture};
use crate::aem::recast::recast;
use crate::aem::sample::model;
use crate::format::{RawFile, ReadOptions};
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use std::borrow::Cow;

fn scene_of(file: &File<'_>) -> Scene {
    let mut losses = LossReport::default();
    file.read(&ReadOptions::default(), &mut losses).unwrap_or_else(|error| panic!("{error}"))
}

/// A model in this dialect with one texture of 2 × 2 pixels for all its maps.
fn with_texture(dialect: Dialect, compression: u32, channels: u32) -> File<'static> {
    let mut file = model(dialect);
    let bytes = if compression == 0 { 5 * channels as usize } else { 32 };
    file.image_buffer = Cow::Owned((0..bytes as u8).collect());
    let texture = Texture { offset: 0, width: 2, height: 2, wrap_x: 1, wrap_y: 2, channels, compression, padding: 0 };
    file.textures = vec![texture];
    for material in file.materials.to_mut() {
        material.base_color_texture_index = 0.into();
        material.normal_texture_index = 0.into();
        material.pbr_texture_index = 0.into();
    }
    file
}

#[test]
fn every_dialect_that_can_hold_the_pixels_holds_the_same_scene() {
    let has_channels = |dialect| matches!(dialect, Dialect::Channels | Dialect::Wide);
    for &from in Dialect::ALL {
        for &to in Dialect::ALL {
            for (compression, channels) in [(0, 4), (0, 2), (1, 2), (2, 4)] {
                // What a dialect cannot tell is not asked of it.
                if !has_channels(from) && channels == 2 && compression == 0
                    || from == Dialect::WideEarly && compression > 0
                {
                    continue;
                }
                let file = with_texture(from, compression, channels);
                let label = format!("{from:?} to {to:?}, compression {compression}, {channels} channels");
                let fits = match compression {
                    0 => channels == 4 || has_channels(to),
                    _ => to != Dialect::WideEarly,
                };
                let made = recast(&file, to);
                assert_eq!(made.is_some(), fits, "{label}");
                let Some(made) = made else { continue };
                assert!(matches!(made.image_buffer, Cow::Borrowed(_)) && matches!(made.vertices, Cow::Borrowed(_)));
                let bytes = made.encode();
                let read = File::parse(&bytes).unwrap();
                assert_eq!(read.dialect, to, "{label}");
                assert_eq!(scene_of(&read), scene_of(&file), "{label}");
                assert!(recast(&read, from).is_some_and(|back| back.encode() == file.encode()), "{label}, and back");
            }
        }
    }
}

#[test]
fn two_channels_that_only_the_room_shows_are_stated() {
    // The reference wrote normal maps so, in a dialect that means four.
    let mut file = with_texture(Dialect::Document, 0, 2);
    file.textures[0].channels = 4;
    let made = recast(&file, Dialect::Wide).unwrap();
    assert_eq!(made.textures[0].channels, 2);
    assert!(recast(&file, Dialect::WideCompression).is_none(), "which means four, too");
}

#[test]
fn what_has_no_place_is_left_to_others() {
    let mut file = with_texture(Dialect::Wide, 0, 4);
    file.trailing = Cow::Borrowed(b"x");
    assert!(recast(&file, Dialect::Document).is_none());
    for (compression, channels) in [(7, 4), (0, 3)] {
        let mut file = with_texture(Dialect::Wide, 0, 4);
        (file.textures[0].compression, file.textures[0].channels) = (compression, channels);
        assert!(recast(&file, Dialect::Channels).is_none());
    }
}

#[test]
fn padding_is_no_part_of_what_is_said() {
    let mut file = with_texture(Dialect::WideCompression, 2, 4);
    (file.header_padding, file.textures[0].padding) = (1, 2);
    let made = recast(&file, Dialect::Wide).unwrap();
    assert_eq!((made.header_padding, made.textures[0].padding), (0, 0));
}
