//! Textures as games keep them: pure functions over pixels, with no files and no scenes.
//!
//! | module | what it is for |
//! |---|---|
//! | [`bc5`], [`bc7`] | pixels to blocks |
//! | [`blocks`] | BC5 and BC7 blocks to pixels |
//! | [`colour`] | sRGB and linear light |
//! | [`dds`] | levels to DDS files |
//! | [`decode`] | image files to pixels |
//! | [`mips`] | mip chains |
//! | [`normal`] | normal maps of two channels |
//! | [`pack`] | base colour, normals, and everything else in one map |
//! | [`picture`] | a picture in memory |
//! | [`png`](mod@png) | pixels to PNG files |
//! | [`quality`] | how much work a picture is worth |
//! | [`resize`] | pictures made larger |
//!
//! A picture is `&[[u8; 4]]`, the top row first, with its size beside it.

#[path = "stand_in_bc5.rs"]
pub mod bc5;
#[path = "stand_in_bc7.rs"]
pub mod bc7;
pub mod blocks;
pub mod colour;
pub mod dds;
pub mod decode;
pub mod mips;
pub mod normal;
pub mod pack;
pub mod picture;
pub mod png;
pub mod quality;
pub mod resize;
mod stand_in_blocks;

pub use picture::Picture;
pub use quality::Quality;
