//! Programs in C and C++, built against the headers and the library of this build, and run.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "not every test needs all of it"
)]

#[path = "../../../../tests/c_programs/mod.rs"]
pub mod c_programs;
pub mod figure;
#[path = "../../../../tests/needs/mod.rs"]
pub mod needs;
pub mod reference;

#[allow(unused_imports, reason = "not every test needs all of it")]
pub use c_programs::{Link, run, succeeded, values};

use c_programs::Library;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A C program of these tests.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name)
}

/// Builds a program against this library; `None` where there is no compiler.
pub fn build(folder: &Path, name: &str, sources: &[PathBuf], link: Link) -> Option<PathBuf> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    Library { include, name: "aem" }.build(folder, name, sources, link)
}

/// The same command under valgrind; nothing at all may be left behind.
pub fn watched(program: &Path) -> Option<Command> {
    c_programs::watched(program, "all")
}
