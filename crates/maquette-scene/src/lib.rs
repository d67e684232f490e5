//! What is said about a model, independent of any file format.
//!
//! This crate is the bottom of the workspace: no I/O, no format names, no dependencies. It holds the
//! one vocabulary in which every reader, checker and front door speaks about problems:
//! a [`Code`] with a meaning, a [`Path`] to the value, a byte offset, a message.

pub mod diag;
pub mod path;

pub use diag::{Code, Diagnostic, Report, Severity};
pub use path::{Path, Segment};
