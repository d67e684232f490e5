//! Programs of others judge what is written here. `cargo xtask judge` gets them and runs this.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod bench;
mod blender;
mod khronos;
#[path = "../../../../tests/needs/mod.rs"]
mod needs;
