//! What stands in JSON in the place of a report that there is none of.

use maquette::Error;
use serde::Serialize;
use std::path::Path;

/// A file that nothing could be made of, in the place of its report.
#[derive(Serialize)]
pub struct Failed {
    /// The input as it was named.
    input: String,
    /// Why, in words.
    error: String,
}

impl Failed {
    pub fn of(input: &Path, error: &Error) -> Failed {
        Failed { input: input.display().to_string(), error: error.to_string() }
    }
}
