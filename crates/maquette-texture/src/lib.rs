//! Textures as games keep them: image files to pixels, mip chains, BC5 and BC7 blocks, and back. Pure functions over pixels, in plain Rust, with no
//! files and no scenes.
//!
//! ```
//! use maquette_texture::mips::Content;
//! use maquette_texture::{Quality, bc7, blocks, dds, decode, mips};
//!
//! # let file = maquette_texture::png::encode(8, 8, &[[200, 120, 40, 255]; 64]).ok_or("no picture")?;
//! let picture = decode::decode(&file)?; // the bytes of a PNG, JPEG or WebP file
//! let levels: Option<Vec<Vec<u8>>> = std::iter::once(picture.clone())
//!     .chain(mips::below(&picture, Content::SrgbColour))
//!     .map(|level| bc7::encode(level.width() as usize, level.height() as usize, level.pixels(), Quality::Default))
//!     .collect();
//! let levels = levels.ok_or("too large")?;
//! let texture = dds::encode(dds::Format::Bc7, picture.width(), picture.height(), &levels); // what other tools take
//!
//! let decoded = blocks::decode_bc7(8, 8, &levels[0]).ok_or("too short")?;
//! println!("{} bytes, {:.1} dB", texture.len(), maquette_texture::compare::psnr(&decoded, picture.pixels(), &[0, 1, 2]));
//! # assert_eq!((levels.len(), decoded.len()), (4, 64));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The bytes of blocks are the same for any number of threads and any width of the processor's vectors.
//!
//! | module | what it is for |
//! |---|---|
//! | [`animation`] | pictures to files that move |
//! | [`bc5`], [`bc7`] | pixels to BC5 and BC7 blocks |
//! | [`blocks`] | BC5 and BC7 blocks to pixels |
//! | [`colour`] | sRGB and linear light |
//! | [`compare`] | how far pictures are apart |
//! | [`dds`] | levels to DDS files |
//! | [`decode`] | image files to pixels |
//! | [`error`] | what blocks change of a picture |
//! | [`letters`] | words on pictures |
//! | [`mips`] | mip chains |
//! | [`normal`] | normal maps of two channels |
//! | [`pack`] | base colour, normals, and everything else in one map |
//! | [`picture`] | a picture in memory |
//! | [`png`](mod@png) | pixels to PNG files |
//! | [`resize`] | pictures made larger |
//!
//! A picture is `&[[u8; 4]]`, the top row first, with its size beside it.

pub mod animation;
pub mod bc5;
pub mod bc7;
pub mod blocks;
pub mod colour;
pub mod compare;
pub mod dds;
pub mod decode;
pub mod error;
mod lanes;
pub mod letters;
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
