//! Every dialect that a scene can be written in.

use maquette::formats::format::{BUILT_IN, Format};
use std::fmt;
use std::sync::LazyLock;

/// A dialect of a format.
#[derive(Clone, Copy, Debug)]
pub struct Outlet {
    /// The format.
    pub format: &'static Format,
    /// The dialect's id.
    pub dialect: &'static str,
}

/// All of them.
pub static OUTLETS: LazyLock<Vec<Outlet>> = LazyLock::new(|| BUILT_IN.into_iter().flat_map(Outlet::of).collect());

impl Outlet {
    /// Those of one format.
    pub fn of(format: &'static Format) -> impl Iterator<Item = Outlet> {
        format.dialects.iter().map(move |dialect| Outlet { format, dialect: dialect.id })
    }

    /// What a file in it is called.
    pub fn file_name(&self) -> String {
        format!("model.{}", self.format.ending_of(self.dialect))
    }
}

impl fmt::Display for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.format.id, self.dialect)
    }
}
