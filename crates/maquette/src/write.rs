//! A scene into any format: in memory, or to a file with its companion files.
//!
//! ```
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("post.glb");
//! # let scene = maquette::Input::from_bytes("post.aem", maquette::sample::make("aem", None)?.main)
//! #     .read(&Default::default())?.scene;
//! let written = maquette::write(&scene, &path)?;
//! assert_eq!(written.output.format.id, "gltf");
//! for loss in &written.output.losses {
//!     println!("{loss}");
//! }
//! # Ok::<(), maquette::Error>(())
//! ```

use crate::check::{self, OutputFinding};
use crate::contents::Contents;
use crate::fit::pictures::too_large;
use crate::fit::{FitOptions, fit_with, limits};
use crate::input::Sources;
use crate::note::Note;
use crate::ops::{self, Figure};
use crate::overwrite::{self, Beside, Overwrite};
use crate::progress::Progress;
use crate::save::Pending;
use crate::target::Target;
use crate::{Error, Result, names};
use maquette_formats::format::{self, Bundle, Caps, DialectInfo, Fitted, Format, Formats};
use maquette_scene::Scene;
use maquette_scene::loss::{LossReport, Lost};
use maquette_texture::decode::MOST_PIXELS;
use std::path::{Path, PathBuf};

/// How a scene is written.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// The id of the format, or an ending of its files: `gltf`, `glb`; what the name of the file says by default.
    pub format: Option<String>,
    /// The dialect; by default the format's first, unless another of its dialects loses less of the scene.
    pub dialect: Option<String>,
    /// How the scene is brought into the form that the format needs.
    pub fit: FitOptions,
    /// Whether geometry is put into the order that hardware likes best.
    pub optimize: bool,
    /// Names, without endings, of other files that lie or will lie in the same folder. No companion file is named as one of theirs.
    pub others: Vec<String>,
    /// What lies beside the output, where somebody has looked already; by default it is looked for when a report is made.
    pub beside: Option<Beside>,
    /// The formats there are.
    pub formats: Formats<'static>,
    /// Who is told how far the work is.
    pub progress: Progress,
}

/// A file in memory with its companion files, and what was lost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Output {
    /// The format it was written in.
    pub format: &'static Format,
    /// The dialect that was asked for, or else the one that loses least.
    pub dialect: &'static DialectInfo,
    /// The name of the file.
    pub name: String,
    /// The file itself.
    pub main: Contents,
    /// Names and bytes of its companion files.
    pub companions: Vec<(String, Vec<u8>)>,
    /// What the file does not hold of the scene.
    pub losses: LossReport,
    /// What else is to be known about it.
    pub notes: Vec<Note>,
    /// What optimizing gained.
    pub figures: Vec<Figure>,
    /// The files it was made from.
    pub sources: Sources,
    /// What the format's first dialect would have lost besides, where another was chosen for it.
    pub avoided: Vec<Lost>,
    /// What is found in the file itself, where that was looked for while it was made.
    pub(crate) found: Option<Vec<OutputFinding>>,
    /// What lies beside it, where somebody has looked already.
    pub(crate) beside: Option<Beside>,
    /// Who is told how far the writing is.
    pub(crate) progress: Progress,
}

/// An output that is on disk.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Written {
    /// What was written.
    pub output: Output,
    /// The files, the main one first.
    pub paths: Vec<PathBuf>,
}

/// Writes a scene to a file whose ending names the format, and its companion files with it.
pub fn write(scene: &Scene, path: impl AsRef<Path>) -> Result<Written> {
    write_with(scene, path, &WriteOptions::default(), Overwrite::default())
}

/// As [`write()`], with options.
pub fn write_with(
    scene: &Scene,
    path: impl AsRef<Path>,
    options: &WriteOptions,
    overwrite: Overwrite,
) -> Result<Written> {
    let path = path.as_ref();
    let mut options = options.clone();
    options.others.extend(overwrite::neighbours(path, options.formats));
    let name = names::file_name(path);
    let output = encode(scene.clone(), &name, &options)?;
    let paths = output.save(path, overwrite)?;
    Ok(Written { output, paths })
}

/// Makes a file of this name, and its companion files, in memory.
pub fn encode(scene: Scene, name: &str, options: &WriteOptions) -> Result<Output> {
    let target = Target::for_file(options, name)?;
    encode_as(scene, name, &target, options)
}

/// As [`encode`], in this format and dialect.
pub(crate) fn encode_as(scene: Scene, name: &str, target: &Target, options: &WriteOptions) -> Result<Output> {
    let Target { format: target, dialect: asked } = *target;
    let Some(dialect) = asked.or_else(|| target.dialect_for(&scene)) else {
        return Err(Error::UnknownDialect(format::Error::unknown_dialect(target.id, target.dialects, "")));
    };
    let caps = (target.caps)(dialect.id);
    let avoided = if asked.is_none() { avoided(&scene, target, &caps) } else { Vec::new() };
    let mut losses = LossReport::default();
    let not_fitting = |source| Error::Fit { file: name.to_owned(), format: target, source };
    if let Some((image, [width, height])) = too_large(&scene, &caps, &options.fit.textures) {
        return Err(Error::LargeImage { image, width, height, most: MOST_PIXELS });
    }
    limits::check(&scene, &caps, &options.fit)?;
    let not_written = |source| Error::Write { file: name.to_owned(), format: target, source };
    limits::check_texture_room(&scene, &caps, &options.fit).map_err(not_written)?;
    let mut scene = fit_with(scene, &caps, &options.fit, &options.progress, &mut losses);
    limits::check_fitted(&scene, &caps, &options.fit)?;
    let figures = if options.optimize { ops::optimize_with(&mut scene, &options.progress) } else { Vec::new() };
    let fitted = Fitted::check(&scene, &caps).map_err(not_fitting)?;
    let _stage = options.progress.stage("encoding", 0);
    let writing = format::WriteOptions { dialect: dialect.id, name, others: &options.others };
    let bundle = (target.write)(&fitted, &writing, &mut losses).map_err(not_written)?;
    Ok(Output {
        losses,
        figures,
        avoided,
        beside: options.beside.clone(),
        progress: options.progress.clone(),
        ..Output::of(bundle, name, target, dialect)
    })
}

/// What the first dialect of a format would lose of a scene and one with these caps does not.
fn avoided(scene: &Scene, target: &Format, caps: &Caps) -> Vec<Lost> {
    let lost = caps.lacks(scene);
    let first = target.dialects.first().map(|first| (target.caps)(first.id).lacks(scene)).unwrap_or_default();
    first.into_iter().filter(|what| !lost.contains(what)).collect()
}

/// The format of this id, or the error that lists them.
pub fn by_id(formats: Formats<'_>, id: &str) -> Result<&'static Format> {
    formats.by_id(id).ok_or_else(|| Error::UnknownFormat {
        asked: id.to_owned(),
        known: formats.iter().map(|format| format.id).collect(),
    })
}

/// The format of files with this name, or the error that lists the endings.
pub fn by_file_name(formats: Formats<'_>, name: &str) -> Result<&'static Format> {
    formats.by_file_name(name).ok_or_else(|| Error::UnknownEnding {
        name: name.to_owned(),
        known: formats.iter().flat_map(|format| format.extensions).copied().collect(),
    })
}

impl Output {
    /// What a format made, under this name.
    pub(crate) fn of(bundle: Bundle, name: &str, format: &'static Format, dialect: &'static DialectInfo) -> Output {
        let companions = bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(name), bytes)).collect();
        Output {
            format,
            dialect,
            name: name.to_owned(),
            main: bundle.main.into(),
            companions,
            losses: LossReport::default(),
            notes: Vec::new(),
            figures: Vec::new(),
            sources: Sources::default(),
            avoided: Vec::new(),
            found: None,
            beside: None,
            progress: Progress::default(),
        }
    }

    /// Writes it to disk, all files or none, making the folders that are missing; the files that were written. Its own file and the companion files that are named after
    /// it replace what is there; other files are protected, as `overwrite` says.
    pub fn save(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<Vec<PathBuf>> {
        let pending = self.begin_saving(path, overwrite)?;
        let written = pending.paths().to_vec();
        pending.finish()?;
        Ok(written)
    }

    /// As [`Output::save`], up to where the files are written and wait for the disk: for programs that have other work meanwhile.
    pub fn begin_saving(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<Pending> {
        let main = self.main.pieces().collect();
        overwrite::begin(path.as_ref(), self.format, main, &self.companions, &self.sources, overwrite, &self.progress)
    }

    /// The files that [`Output::save`] writes for this path, the main one first.
    pub fn paths(&self, path: &Path) -> Vec<PathBuf> {
        let companions = self.companions.iter().map(|(name, _)| overwrite::companion_path(path, self.format, name));
        [path.to_path_buf()].into_iter().chain(companions).collect()
    }

    /// Warnings and errors of the format's own rules about what is written: what was wrong with the scene already, and limits of the engine
    /// that the model goes beyond.
    pub fn findings(&self) -> Vec<OutputFinding> {
        let _stage = self.progress.stage("checking", 0);
        check::warnings(self)
    }

    /// Every file with its name, the main one first: what [`crate::Input::from_files`] takes.
    pub fn into_files(self) -> Vec<(String, Vec<u8>)> {
        [(self.name, self.main.into())].into_iter().chain(self.companions).collect()
    }

    /// Fails if standard output, which takes one file, would lose companion files.
    pub fn must_be_one_file(&self) -> Result<()> {
        if self.companions.is_empty() {
            return Ok(());
        }
        let is_alone = |dialect: &&DialectInfo| !(self.format.caps)(dialect.id).companions;
        Err(Error::SeveralFiles {
            format: self.format,
            dialect: self.dialect.id,
            companions: self.companions.iter().map(|(name, _)| name.clone()).collect(),
            instead: self.format.dialects.iter().find(is_alone).map(|dialect| dialect.id),
        })
    }
}
