//! The scene between all formats, and what is said about it.
//!
//! This crate is the bottom of the workspace: no I/O and no format names. It holds the model of a scene
//! ([`Scene`], its meshes, materials, skins and clips), what must hold in one ([`valid`]), and the one vocabulary in
//! which every reader, checker and front door speaks: findings ([`diag`]) with a place ([`Path`]), and losses ([`loss`]).

pub mod arena;
pub mod attach;
pub mod clip;
pub mod compose;
pub mod diag;
pub mod extras;
pub mod image;
pub mod loss;
pub mod material;
pub mod mesh;
pub mod path;
pub mod pose;
pub mod scene;
pub mod valid;

pub use arena::{Arena, Handle};
pub use diag::{Code, Diagnostic, Report, Severity};
pub use glam;
pub use path::{Path, Segment};
pub use scene::Scene;
