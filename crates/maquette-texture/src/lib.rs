//! Textures as games keep them: pure functions over pixels, with no files and no scenes.
//!
//! | module | what it is for |
//! |---|---|
//! | [`bc5`], [`bc7`] | pixels to BC5 and BC7 blocks |
//! | [`blocks`] | BC5 and BC7 blocks to pixels |
//! | [`colour`] | sRGB and linear light |
//! | [`compare`] | how far pictures are apart |
//! | [`dds`] | levels to DDS files |
//! | [`decode`] | image files to pixels |
//! | [`mips`] | mip chains |
//! | [`normal`] | normal maps of two channels |
//! | [`pack`] | base colour, normals, and everything else in one map |
//! | [`picture`] | a picture in memory |
//! | [`png`](mod@png) | pixels to PNG files |
//! | [`resize`] | pictures made larger |
//!
//! A picture is `&[[u8; 4]]`, the top row first, with its size beside it.

pub mod bc5;
pub mod bc7;
pub mod blocks;
pub mod colour;
pub mod compare;
pub mod dds;
pub mod decode;
mod lanes;
pub mod mips;
pub mod normal;
pub mod pack;
pub mod picture;
pub mod png;
mod quality;
pub mod resize;
mod tiles;

pub use picture::Picture;
pub use quality::Quality;
