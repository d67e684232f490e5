//! The table of formats, and what every format can be asked.
//!
//! A format is its folder, one `mod` line and one entry in [`ALL`]. Front doors, tests, docs and fuzzing
//! loop over the table; nothing else may match on a format.

use crate::rules::matrices::MatrixOrder;
use crate::summary::Summary;
use crate::walk::{self, Walk};
use maquette_scene::diag::{Code, Diagnostic, Report};
use maquette_scene::loss::LossReport;
use maquette_scene::{Scene, Segment};
use std::borrow::{Borrow, Cow};
use std::fmt;

/// Every format, in the order they are listed and probed.
pub static ALL: &[&Format] = &[
    &crate::aem::FORMAT,
    &crate::nlm::FORMAT,
    &crate::pmdl::FORMAT,
    &crate::pani::FORMAT,
    &crate::pmat::FORMAT,
    &crate::bmw::FORMAT,
    &crate::seanim::FORMAT,
    &crate::gltf::FORMAT,
];

/// A file format: what it is called, what it can hold, and how to open, make and break one.
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
    /// The layouts in use; the first is written unless another is asked for.
    pub dialects: &'static [DialectInfo],
    /// What it can hold.
    pub caps: Caps,
    /// Every finding its reader and its check can make.
    pub codes: &'static [&'static Code],
    /// Files beside it that belong to it.
    pub companions: &'static [Naming],
    /// Parses the whole file, in the dialect of this id or in the one found from the bytes.
    pub open: Open,
    /// To and from the scene; `None` where that does not work yet.
    pub scene: Option<SceneForm>,
    /// A small model made by code, as rich as the dialect allows.
    pub sample: fn(dialect: &str) -> Bundle,
    /// For each code, a file that raises it.
    pub faults: &'static [Fault],
}

/// Parses a file; the result borrows its bytes.
pub type Open = for<'a> fn(&'a [u8], Option<&str>) -> Result<Box<dyn RawFile + 'a>>;

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.id)
    }
}

impl Format {
    /// The dialect of this name.
    pub fn dialect(&self, id: &str) -> Option<&'static DialectInfo> {
        self.dialects.iter().find(|dialect| dialect.id == id)
    }
}

/// The dialect of this id, or the error that lists the known ones. For a format's `open`.
pub fn known_dialect<D>(format: &'static str, id: &str, from_id: fn(&str) -> Option<D>) -> Result<D> {
    from_id(id).ok_or_else(|| Error::UnknownDialect { format, asked: id.into() })
}

/// How sure a probe is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The magic stands where another format may have arbitrary bytes.
    Likely,
    /// The file begins with the format's magic.
    Magic,
}

/// A layout that files of one format and version number are found in.
#[derive(Debug)]
pub struct DialectInfo {
    /// The name used by every front door.
    pub id: &'static str,
    /// What sets it apart, as lines of text.
    pub about_lines: &'static str,
}

/// Declares a format's dialects: an enum, and the table that names and describes them.
#[macro_export]
macro_rules! dialects {
    (
        $(#[doc = $doc:literal])+
        pub enum $Name:ident { $( $(#[doc = $about:literal])+ $Variant:ident = $id:literal, )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name { $( $(#[doc = $about])+ $Variant, )+ }

        impl $Name {
            /// Every dialect, the default first.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),+];
            /// Names and descriptions, in the same order.
            pub const TABLE: &'static [$crate::format::DialectInfo] = &[$(
                $crate::format::DialectInfo { id: $id, about_lines: concat!($($about, "\n"),+) },
            )+];

            /// The name used by every front door.
            pub fn id(self) -> &'static str {
                match self { $($Name::$Variant => $id),+ }
            }

            /// The dialect of this name.
            pub fn from_id(id: &str) -> Option<$Name> {
                match id { $($id => Some($Name::$Variant),)+ _ => None }
            }
        }
    };
}

/// How a format becomes a scene, and a scene a file of it.
///
/// A reader keeps what the scene can hold and names the rest in the report. A writer transforms nothing: it is given
/// a scene that passes [`maquette_scene::valid::check`] and has been fitted to the format's [`Caps`]. Where
/// [`Caps::space`] is [`Space::Model`], it can rely on this:
///
/// - every mesh is drawn once, at a root node of its own whose place is the identity;
/// - there is one skin at most; its joints come parents first, and the parent of a joint is a joint or nothing;
/// - each part has the streams the caps ask for and no others, and triangles (or lines, where those can be held);
/// - influences have four slots (or as many as the caps allow), and sum up to 1 where the caps say so; a vertex that
///   nothing moves has no used slot;
/// - tracks move joints only, one of each property for a joint at most, with linear interpolation and absolute values;
/// - there are no more clips than the caps allow, and no morph targets.
///
/// Where it is [`Space::Nodes`], meshes stay at their nodes and any number of skins may be there; the rest holds alike.
///
/// Pictures have the form of [`Caps::textures`]: image files or their names, never pixels; or else every part has a material with
/// [packed](maquette_scene::material::Packed) textures, whose images are pixels or blocks with all mip levels. A writer that is given
/// anything else refuses it with [`Error::CannotHold`].
#[derive(Clone, Copy)]
pub struct SceneForm {
    /// A file to a scene.
    pub read: fn(&[u8], &ReadOptions<'_>, &mut LossReport) -> Result<Scene>,
    /// A scene to a file.
    pub write: fn(&Scene, &WriteOptions<'_>, &mut LossReport) -> Result<Bundle>,
}

/// What a reader is told beside the bytes. The overrides replace what is found from the bytes.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// The file's name and what lies beside it.
    pub source: Source<'a>,
    /// The dialect to read it in.
    pub dialect: Option<&'a str>,
    /// How matrices are ordered, for formats that do not say.
    pub matrix_order: Option<MatrixOrder>,
    /// How quaternions are ordered, for formats that do not say.
    pub quaternion_order: Option<QuaternionOrder>,
    /// What animation matrices are, for formats that do not say.
    pub animation_matrices: Option<AnimationMatrices>,
    /// Whether positions that were brought to unit size are given their size back.
    pub size: Size,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            source: Source::BARE,
            dialect: None,
            matrix_order: None,
            quaternion_order: None,
            animation_matrices: None,
            size: Size::AsStored,
        }
    }
}

/// How the four numbers of a quaternion are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuaternionOrder {
    /// The real part first.
    Wxyz,
    /// The real part last.
    Xyzw,
}

impl QuaternionOrder {
    /// The word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            QuaternionOrder::Wxyz => "wxyz",
            QuaternionOrder::Xyzw => "xyzw",
        }
    }
}

/// What the matrices of an animation are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationMatrices {
    /// Node space to parent space.
    Local,
    /// Bind pose to pose, in model space: what a shader multiplies vertices by.
    Skinning,
}

/// Which size positions are read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As they are in the file.
    AsStored,
    /// As they were before they were brought to unit size, where the file tells.
    Original,
}

/// What a writer is told beside the scene.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    /// The dialect to write; one of the format's.
    pub dialect: &'a str,
    /// The name of the file to be written, for names inside it and beside it.
    pub name: &'a str,
}

/// Where the vertices of a format live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In the space of the model: there are no nodes that carry meshes.
    Model,
    /// In the space of the node that carries them.
    Nodes,
}

/// What a format can hold.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// Where vertices live.
    pub space: Space,
    /// Morph targets.
    pub morph_targets: bool,
    /// Curves other than straight ones.
    pub curves: bool,
    /// Whether every part must have normals.
    pub needs_normals: bool,
    /// Geometry at all.
    pub meshes: bool,
    /// Line segments beside triangles.
    pub lines: bool,
    /// Sets of texture coordinates.
    pub uv_sets: u32,
    /// Vertex colours.
    pub colours: bool,
    /// Tangents.
    pub tangents: bool,
    /// Materials.
    pub materials: bool,
    /// How textures are kept.
    pub textures: TextureStorage,
    /// The dialects that keep textures as pixels only, never as blocks.
    pub blockless_dialects: &'static [&'static str],
    /// A hierarchy of nodes.
    pub nodes: bool,
    /// A skeleton.
    pub joints: bool,
    /// Joints that move one vertex.
    pub influences: Option<u32>,
    /// Whether the weights of a vertex must sum up to 1.
    pub unit_weights: bool,
    /// Clips in one file; `None` for any number.
    pub clips: Option<u32>,
    /// Named events in a clip.
    pub events: bool,
    /// The longest name, in bytes; `None` for any length.
    pub name_bytes: Option<u32>,
}

impl Caps {
    /// Nothing at all: what a format's own list is based on.
    pub const NOTHING: Caps = Caps {
        space: Space::Model,
        morph_targets: false,
        curves: false,
        needs_normals: false,
        meshes: false,
        lines: false,
        uv_sets: 0,
        colours: false,
        tangents: false,
        materials: false,
        textures: TextureStorage::None,
        blockless_dialects: &[],
        nodes: false,
        joints: false,
        influences: Some(0),
        unit_weights: false,
        clips: Some(0),
        events: false,
        name_bytes: None,
    };
}

/// How a format keeps textures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureStorage {
    /// Not at all.
    #[default]
    None,
    /// As image files inside the file.
    EncodedImages,
    /// As pixels or blocks ready for a GPU, with their mip levels.
    Pixels,
    /// As the names of files beside it.
    FileNames,
}

impl TextureStorage {
    /// The word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            TextureStorage::None => "none",
            TextureStorage::EncodedImages => "encoded images",
            TextureStorage::Pixels => "pixels with mip levels",
            TextureStorage::FileNames => "file names",
        }
    }
}

/// A file made by code, with the files that belong beside it.
#[derive(Clone, Debug, Default)]
pub struct Bundle {
    /// The file itself.
    pub main: Vec<u8>,
    /// Files beside it.
    pub companions: Vec<(Naming, Vec<u8>)>,
}

impl From<Vec<u8>> for Bundle {
    fn from(main: Vec<u8>) -> Self {
        Bundle { main, companions: Vec::new() }
    }
}

/// How the name of a companion follows from the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Naming {
    /// The whole name and this: `cube.nlm` to `cube.nlm.hash`.
    Append(&'static str),
    /// Another extension: `cube.bmw` to `cube.json`.
    Extension(&'static str),
    /// The same name for every file.
    Fixed(&'static str),
    /// The name that the file itself gives it: an image's, a material's.
    Named(String),
}

impl Naming {
    /// The companion's name.
    pub fn apply(&self, file_name: &str) -> String {
        match self {
            Naming::Append(suffix) => format!("{file_name}{suffix}"),
            Naming::Extension(extension) => {
                let stem = match file_name.rsplit_once('.') {
                    Some((stem, _)) if !stem.is_empty() => stem,
                    _ => file_name,
                };
                format!("{stem}.{extension}")
            }
            Naming::Fixed(name) => (*name).into(),
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

/// Where files beside the one being read come from.
pub trait Resources {
    /// The bytes of the file of this name beside the one being read.
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>>;
}

/// Nothing beside the file: bytes alone never touch the disk.
pub struct NoResources;

impl Resources for NoResources {
    fn get(&self, _: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// The surroundings of a file while it is checked.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Its file name without folders; empty when unknown.
    pub name: &'a str,
    /// What lies beside it.
    pub resources: &'a dyn Resources,
}

impl Source<'_> {
    /// Bytes from nowhere.
    pub const BARE: Source<'static> = Source { name: "", resources: &NoResources };

    /// The companion named so, and its name.
    pub fn companion(&self, naming: impl Borrow<Naming>) -> Option<(String, Cow<'_, [u8]>)> {
        let name = naming.borrow().apply(self.name);
        (!self.name.is_empty()).then(|| self.resources.get(&name).map(|bytes| (name, bytes)))?
    }
}

/// A parsed file, whatever its format.
pub trait RawFile: Walk {
    /// The id of the dialect it is in.
    fn dialect(&self) -> &'static str;
    /// Why it is taken for that dialect.
    fn evidence(&self) -> &str;
    /// What it holds, in numbers.
    fn summary(&self) -> Summary;
    /// Applies the format's rules. Findings name places by path; [`check`] fills in the offsets.
    fn check(&self, source: &Source<'_>, report: &mut Report);
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
    let mut report = Report::default();
    report.push(finding.clone());
    crate::locate::resolve(file, &mut report);
    let offset = report.items().first().and_then(|found| found.offset);
    Error::Malformed(Box::new(Diagnostic { offset, ..finding }))
}

/// Why a file could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Its bytes contradict the format.
    Malformed(Box<Diagnostic>),
    /// It is legal, but beyond what is read here: another version, more items than any real file has.
    Unsupported(Box<Diagnostic>),
    /// The scene has nothing that the format could hold, or something that it cannot do without is missing.
    CannotHold(String),
    /// No format claims its first bytes.
    UnknownFormat,
    /// The format has no dialect of this name.
    UnknownDialect {
        /// The format.
        format: &'static str,
        /// The dialect asked for.
        asked: String,
    },
}

/// The result of reading a file.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The same error seen from one step further out.
    #[cold]
    pub(crate) fn inside(mut self, segment: Segment) -> Error {
        if let Error::Malformed(diagnostic) | Error::Unsupported(diagnostic) = &mut self {
            diagnostic.path.prepend(segment);
        }
        self
    }

    /// The finding that stopped the read, if the bytes did.
    pub fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Error::Malformed(diagnostic) | Error::Unsupported(diagnostic) => Some(diagnostic),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed(diagnostic) | Error::Unsupported(diagnostic) => diagnostic.fmt(f),
            Error::CannotHold(why) => f.write_str(why),
            Error::UnknownFormat => f.write_str("not a known format; `maquette formats` lists what is understood"),
            Error::UnknownDialect { format, asked } => {
                let known = by_id(format).map(|format| format.dialects.iter().map(|d| d.id).collect::<Vec<_>>());
                write!(f, "{format} has no dialect `{asked}`; it has {}", known.unwrap_or_default().join(", "))
            }
        }
    }
}

impl std::error::Error for Error {}

/// The format of this id.
pub fn by_id(id: &str) -> Option<&'static Format> {
    ALL.iter().copied().find(|format| format.id == id)
}

/// The format whose files have this extension, in any case.
pub fn by_extension(extension: &str) -> Option<&'static Format> {
    let known = |format: &&Format| format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension));
    ALL.iter().copied().find(known)
}

/// The formats that claim these bytes, the surest first.
pub fn probe(bytes: &[u8]) -> Vec<&'static Format> {
    let mut claims: Vec<_> =
        ALL.iter().filter_map(|&format| (format.probe)(bytes).map(|confidence| (confidence, format))).collect();
    claims.sort_by_key(|&(confidence, _)| std::cmp::Reverse(confidence));
    claims.into_iter().map(|(_, format)| format).collect()
}

/// Finds the format from the bytes and parses the file.
///
/// Where several formats claim it, the first that reads it to the end wins; where none does, the error is
/// that of the surest.
pub fn open<'a>(
    bytes: &'a [u8],
    dialect: Option<&str>,
) -> std::result::Result<Opened<'a>, (Option<&'static Format>, Error)> {
    let mut first_error = None;
    for format in probe(bytes) {
        match (format.open)(bytes, dialect) {
            Ok(file) => return Ok(Opened { format, file }),
            Err(error) => first_error = first_error.or(Some((Some(format), error))),
        }
    }
    Err(first_error.unwrap_or((None, Error::UnknownFormat)))
}

/// A file with its format.
pub struct Opened<'a> {
    /// What it is.
    pub format: &'static Format,
    /// What it holds.
    pub file: Box<dyn RawFile + 'a>,
}
