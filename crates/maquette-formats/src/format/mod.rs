//! The table of formats, and what every format can be asked.
//!
//! A format is its folder, one `mod` line and one entry in [`BUILT_IN`]. Front doors, tests, docs and fuzzing
//! loop over a table of [`Formats`]; nothing else may match on a format. A crate of its own can add a format by putting its
//! [`Format`] into a table together with the built-in ones.
//!
//! | module | what it is for |
//! |---|---|
//! | [`mod@table`] | which formats a program knows; probing and opening |
//! | [`caps`] | what a format can hold |
//! | [`fitted`] | what a writer may rely on, checked |
//! | [`options`] | what readers and writers are told |
//! | [`bundle`] | a file with its companion files |
//! | [`source`] | where companion files come from |
//! | [`error`](mod@error) | why a file could not be read or written |
//! | [`foreign`] | files of other kinds: what they are, and what to do with them |

pub mod bundle;
pub mod caps;
mod dialect;
pub mod error;
pub mod fitted;
pub mod foreign;
pub mod options;
pub mod source;
pub mod table;
#[cfg(test)]
mod tests;

pub use bundle::{Bundle, Fault, Naming, change_at};
pub use caps::{Caps, Space, TextureRoom, TextureStorage};
pub use dialect::DialectInfo;
pub use error::{Error, Result};
pub use fitted::Fitted;
pub use foreign::Foreign;
pub use options::{AnimationMatrices, QuaternionOrder, ReadOptions, Size, WriteOptions};
pub use source::{NoResources, Resources, Source};
pub use table::{BUILT_IN, Formats, Opened};

use crate::summary::Summary;
use crate::walk::{self, Walk};
use maquette_motion::Motion;
use maquette_scene::Scene;
use maquette_scene::diag::{Code, Diagnostic, Report};
use maquette_scene::loss::{LossReport, Lost};
use std::fmt;

/// A file format: what it is called, what it can hold, and how to open, make and break one.
///
/// Fields will be added. A format from another crate bases its own on [`Format::TEMPLATE`], so that it goes on compiling.
#[derive(Clone, Copy)]
pub struct Format {
    /// The name used by every front door: `aem`.
    pub id: &'static str,
    /// The name people use.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// File name endings, without the dot.
    pub extensions: &'static [&'static str],
    /// How sure the first bytes make us.
    pub probe: fn(&[u8]) -> Option<Confidence>,
    /// The layouts in use; the first is written unless another is asked for or loses less.
    pub dialects: &'static [DialectInfo],
    /// What the dialect of this id can hold.
    pub caps: fn(dialect: &str) -> Caps,
    /// Every finding its reader and its check can make.
    pub codes: &'static [&'static Code],
    /// Companion files that go by the name of the file, not by a name in it.
    pub companions: &'static [Naming],
    /// Whether these bytes look like one of those, for whoever names it instead of its model.
    pub is_companion: fn(&[u8]) -> bool,
    /// Parses the whole file, in the dialect of this id or in the one found from the bytes.
    pub open: Open,
    /// Parses what there is of a file that ends too early or goes on for too long, to be looked at alone: see
    /// [`Reader::of_part`](crate::bytes::Reader::of_part).
    pub open_part: Open,
    /// Makes a file of a scene that fits the caps of the dialect. It transforms nothing.
    pub write: Write,
    /// A small model made by code, as rich as the dialect allows.
    pub sample: fn(dialect: &str) -> Bundle,
    /// For each code, a file that raises it.
    pub faults: &'static [Fault],
}

/// Parses a file; the result borrows its bytes.
pub type Open = for<'a> fn(&'a [u8], Option<&str>) -> Result<Box<dyn RawFile + 'a>>;

/// Writes a scene; what the file cannot hold goes into the report.
pub type Write = fn(&Fitted<'_>, &WriteOptions<'_>, &mut LossReport) -> Result<Bundle>;

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.id)
    }
}

impl Format {
    /// A format that knows no file and holds nothing: what a format of one's own is based on.
    pub const TEMPLATE: Format = Format {
        id: "",
        name: "",
        about: "",
        extensions: &[],
        probe: |_| None,
        dialects: &[],
        caps: |_| Caps::NOTHING,
        codes: &[],
        companions: &[],
        is_companion: |_| false,
        open: |_, _| Err(Error::UnknownFormat(None)),
        open_part: |_, _| Err(Error::UnknownFormat(None)),
        write: |_, _, _| Err(Error::CannotHold("the format has no writer".into())),
        sample: |_| Bundle { main: Vec::new(), companions: Vec::new() },
        faults: &[],
    };

    /// The dialect of this id.
    pub fn dialect(&self, id: &str) -> Option<&'static DialectInfo> {
        self.dialects.iter().find(|dialect| dialect.id == id)
    }

    /// The dialect of this id, or the error that lists the known ones.
    pub fn known_dialect(&self, id: &str) -> Result<&'static DialectInfo> {
        self.dialect(id).ok_or_else(|| Error::unknown_dialect(self.id, self.dialects, id))
    }

    /// The dialect that the ending of a file name asks for, where endings and dialects go together, as `.glb` and `.gltf` do.
    pub fn dialect_by_ending(&self, file_name: &str) -> Option<&'static DialectInfo> {
        let (_, ending) = file_name.rsplit_once('.')?;
        let at = self.extensions.iter().position(|known| known.eq_ignore_ascii_case(ending))?;
        self.dialects.get(at).filter(|_| self.endings_are_dialects())
    }

    /// The ending of files in the dialect of this id.
    pub fn ending_of(&self, dialect: &str) -> &'static str {
        let at = self.dialects.iter().position(|known| known.id == dialect).filter(|_| self.endings_are_dialects());
        self.extensions.get(at.unwrap_or(0)).copied().unwrap_or_default()
    }

    fn endings_are_dialects(&self) -> bool {
        self.extensions.len() > 1 && self.extensions.len() == self.dialects.len()
    }

    /// The dialect that loses least of a scene: the first, unless another loses less that moves, or else less that is seen, or else less of
    /// anything.
    pub fn dialect_for(&self, scene: &Scene) -> Option<&'static DialectInfo> {
        self.dialects.iter().min_by_key(|dialect| weight(&(self.caps)(dialect.id).lacks(scene)))
    }
}

/// How much it is to lose these, to be compared: what stands still without them, what looks otherwise, all of them. A model that no longer moves is
/// worse than one that lacks any number of other things, and names are missed least.
fn weight(lost: &[Lost]) -> [usize; 3] {
    let moves = |what: &&Lost| matches!(what, Lost::Influences | Lost::Clips);
    let is_seen = |what: &&Lost| matches!(what.group(), "Shape" | "Surfaces");
    [lost.iter().filter(moves).count(), lost.iter().filter(is_seen).count(), lost.len()]
}

/// How sure a probe is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The magic stands where another format may have arbitrary bytes.
    Likely,
    /// The file begins with the format's magic.
    Magic,
}

/// A parsed file, whatever its format.
pub trait RawFile: Walk {
    /// The id of the dialect it is in.
    fn dialect(&self) -> &'static str;
    /// Why it is taken for that dialect.
    fn evidence(&self) -> &str;
    /// What follows its end, where it should not: see [`trailing`](crate::trailing).
    fn trailing(&self) -> &[u8] {
        &[]
    }
    /// What it holds, in numbers.
    fn summary(&self) -> Summary;
    /// Applies the format's rules. Findings name places by path; [`check`] fills in the offsets.
    fn check(&self, source: &Source<'_>, report: &mut Report);
    /// Makes a scene of it; what the scene cannot hold goes into the report.
    fn read(&self, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene>;
    /// The companion files that it names, and those that a companion file of it names, whether they are there or not. Those that every
    /// file of the format may have are in [`Format::companions`].
    fn references(&self, _source: &Source<'_>) -> Vec<Naming> {
        Vec::new()
    }
    /// The same file in the dialect of this id, where that differs in no more than how records are laid out; `None` where it takes a scene.
    fn in_dialect(&self, _dialect: &str) -> Option<Box<dyn RawFile + '_>> {
        None
    }
    /// The clip of a file that holds one and nothing else, to be edited in all its precision; `None` where that takes a scene.
    fn motion(&self, _losses: &mut LossReport) -> Option<Result<Motion>> {
        None
    }
    /// The bytes of the same file with another motion in it. Only for files that have one.
    fn with_motion(&self, _motion: &Motion, _losses: &mut LossReport) -> Result<Vec<u8>> {
        Err(Error::CannotHold("it holds more than one clip, which is edited as a scene".into()))
    }
    /// The bytes of the file, identical to what was parsed.
    fn encode(&self) -> Vec<u8> {
        walk::encode(self)
    }
}

/// Checks a parsed file and finds the byte offset of everything found.
pub fn check(file: &dyn RawFile, source: &Source<'_>, report: &mut Report) {
    file.check(source, report);
    crate::locate::resolve(file, report);
}

/// Refuses a file for a finding, with the byte offset of its path.
pub fn refuse(file: &(impl Walk + ?Sized), finding: Diagnostic) -> Error {
    Error::Malformed(Box::new(crate::locate::located(file, finding)))
}
