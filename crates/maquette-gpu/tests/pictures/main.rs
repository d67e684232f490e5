//! Pictures of the device held against those of the software renderer, in one program: pipelines are made once for all tests.
//!
//! How much they may differ is said at each: SSIM at least, the mean of all channels at most, and what 99 of 100 channels do not exceed, in parts of 255. The bounds are what a
//! software driver was measured to do, with little to spare.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod corpus;
mod creature;
mod extras;
mod hold;
mod limits;
mod odd;
mod shares;
mod surfaces;

#[path = "../../../../tests/needs/mod.rs"]
mod needs;
#[path = "../../../maquette-render/tests/scenes/mod.rs"]
mod scenes;
