//! A file with its companion files, in memory.

use crate::companions::{companion_file, stem_of};
use maquette_scene::diag::Code;
use std::borrow::Cow;

/// A file in memory with its companion files.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// The file itself.
    pub main: Vec<u8>,
    /// Its companion files.
    pub companions: Vec<(Naming, Vec<u8>)>,
}

impl Bundle {
    /// The file under this name and its companion files under theirs, the file first.
    pub fn into_files(self, name: &str) -> Vec<(String, Vec<u8>)> {
        let companions = self.companions.into_iter().map(|(naming, bytes)| (naming.apply(name), bytes));
        [(name.to_owned(), self.main)].into_iter().chain(companions).collect()
    }
}

impl From<Vec<u8>> for Bundle {
    fn from(main: Vec<u8>) -> Self {
        Bundle { main, companions: Vec::new() }
    }
}

/// How the name of a companion follows from the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Naming {
    /// The whole name and this: `cube.nlm` to `cube.nlm.hash`.
    Append(&'static str),
    /// Another extension: `cube.bmw` to `cube.json`.
    Extension(&'static str),
    /// The same name for every file.
    Fixed(&'static str),
    /// The name of the file, then that of what is in the companion: `fox.pmdl` and `fur` to `fox.fur.pmat`.
    After {
        /// What is in it: a material, a clip.
        name: String,
        /// The ending of its kind of files.
        extension: &'static str,
    },
    /// The name that the file itself gives it: an image's.
    Named(String),
}

impl Naming {
    /// The companion's name.
    pub fn apply(&self, file_name: &str) -> String {
        match self {
            Naming::Append(suffix) => format!("{file_name}{suffix}"),
            Naming::Extension(extension) => {
                format!("{}.{extension}", stem_of(file_name))
            }
            Naming::Fixed(name) => (*name).into(),
            Naming::After { name, extension } => companion_file(file_name, name, extension),
            Naming::Named(name) => name.clone(),
        }
    }
}

/// A file that breaks one rule.
pub struct Fault {
    /// The rule it breaks; reading or checking the file raises this code.
    pub code: &'static Code,
    /// Makes the file.
    pub make: fn() -> Bundle,
}

/// Declares a format's `FAULTS`: for each code, an expression that makes a file raising it.
#[doc(hidden)]
#[macro_export]
macro_rules! faults {
    ($( $code:ident: $make:expr; )+) => {
        /// One file for each code.
        pub static FAULTS: &[$crate::format::Fault] = &[$($crate::format::Fault { code: &$code, make: || $make }),+];
    };
}

/// Changes one item of a table, if it is there.
pub fn change_at<T: Clone>(table: &mut Cow<'_, [T]>, index: usize, change: impl FnOnce(&mut T)) {
    if let Some(item) = table.to_mut().get_mut(index) {
        change(item);
    }
}
