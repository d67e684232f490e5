//! Textures as games keep them: pure functions over pixels, with no files and no scenes.
//!
//! | module | what it is for |
//! |---|---|
//! | [`bc5`], [`bc7`] | pixels to BC5 and BC7 blocks |
//! | [`blocks`] | BC5 and BC7 blocks to pixels |
//! | [`colour`] | sRGB and linear light |
//! | [`compare`] | how far pictures are apart |
//! | [`normal`] | normal maps of two channels |
//! | [`png`](mod@png) | pixels to PNG files |
//!
//! A picture is `&[[u8; 4]]`, the top row first, with its size beside it.

pub mod bc5;
pub mod bc7;
pub mod blocks;
pub mod colour;
pub mod compare;
mod lanes;
pub mod normal;
pub mod png;
mod quality;
mod tiles;

pub use quality::Quality;
