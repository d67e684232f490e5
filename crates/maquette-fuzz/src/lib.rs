//! What the fuzz targets do with bytes, and what they start from.
//!
//! A target takes any bytes and panics where a promise is broken: a file that does not come back byte for byte, an error without a place,
//! a scene that does not hold together, a file that its own reader does not take. libFuzzer drives them from `fuzz/`
//! (`cargo xtask fuzz`), a test runs each over all its seeds, and `cargo xtask fuzz --again` runs one over a file.
//!
//! An execution is to be short, so that there are thousands a second. Where there is a choice, such as the dialect to
//! write, the bytes decide, and a fuzzer that has many bytes to try makes every choice in time.

// A panic is how a target tells of a finding.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod any_scene;
mod choices;
mod companion;
pub mod dictionary;
mod file;
mod front_door;
mod motion;
mod outlets;
mod picture;
mod round_trip;
pub mod scene;
pub mod seeds;

use maquette::formats::format::{BUILT_IN, Format};

/// Something to fuzz.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Files of one format.
    File(&'static Format),
    /// Files of any format, through what the command calls.
    Any,
    /// Scenes made from bytes, written in every format.
    Scene,
    /// Companion files of a sound one.
    Companion,
    /// Scenes made from bytes, drawn.
    Picture,
}

impl Target {
    /// Every target, one for each format first.
    pub fn all() -> impl Iterator<Item = Target> {
        let formats = BUILT_IN.into_iter().map(Target::File);
        formats.chain([Target::Any, Target::Scene, Target::Companion, Target::Picture])
    }

    /// The target of this name.
    pub fn by_name(name: &str) -> Option<Target> {
        Target::all().find(|target| target.name() == name)
    }

    /// What it is called: a format's by its id.
    pub fn name(self) -> &'static str {
        match self {
            Target::File(format) => format.id,
            Target::Any => "any",
            Target::Scene => "scene",
            Target::Companion => "companion",
            Target::Picture => "picture",
        }
    }

    /// Runs the target on these bytes once; panics on a finding.
    pub fn run(self, data: &[u8]) {
        match self {
            Target::File(format) => file::run(format, data),
            Target::Any => front_door::run(data),
            Target::Scene => scene::run(data),
            Target::Companion => companion::run(data),
            Target::Picture => picture::run(data),
        }
    }
}
