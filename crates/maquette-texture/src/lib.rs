//! Textures as games keep them: pure functions over pixels, with no files and no scenes.
//!
//! | module | what it is for |
//! |---|---|
//! | [`blocks`] | BC5 and BC7 blocks to pixels |
//! | [`colour`] | sRGB and linear light |
//! | [`normal`] | normal maps of two channels |
//! | [`png`](mod@png) | pixels to PNG files |
//!
//! A picture is `&[[u8; 4]]`, the top row first, with its size beside it.

pub mod blocks;
pub mod colour;
pub mod normal;
pub mod png;
