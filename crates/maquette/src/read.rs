//! Any file into a scene.
//!
//! ```
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("post.aem");
//! # std::fs::write(&path, maquette::sample::make("aem", None)?.main).expect("a file");
//! let read = maquette::read(&path)?;
//! println!("{} in {}: {} meshes", read.format.name, read.dialect, read.scene.meshes.len());
//! for loss in &read.losses {
//!     println!("{loss}");
//! }
//! # Ok::<(), maquette::Error>(())
//! ```

use crate::{Error, Input, Result, missing_images};
use maquette_formats::format::{self, AnimationMatrices, Format, Opened, QuaternionOrder, Size};
use maquette_formats::rules::matrices::MatrixOrder;
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use std::path::Path;

/// What is told about a file besides its bytes. Everything has a default: the bytes say.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The dialect to read it in.
    pub dialect: Option<String>,
    /// How its matrices are ordered.
    pub matrix_order: Option<MatrixOrder>,
    /// How its quaternions are ordered.
    pub quaternion_order: Option<QuaternionOrder>,
    /// What its animation matrices are.
    pub animation_matrices: Option<AnimationMatrices>,
    /// Whether a model that was brought to unit size gets its size back.
    pub size: Size,
}

impl ReadOptions {
    /// Whether anything is told that the bytes do not say.
    pub(crate) fn overrides_anything(&self) -> bool {
        self.dialect.is_some()
            || self.matrix_order.is_some()
            || self.quaternion_order.is_some()
            || self.animation_matrices.is_some()
            || self.size != Size::AsStored
    }
}

/// A scene, and what it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Read {
    /// What the file holds, in glTF's conventions.
    pub scene: Scene,
    /// The format of the file.
    pub format: &'static Format,
    /// The id of the dialect it was read in.
    pub dialect: &'static str,
    /// What of the file the scene does not hold.
    pub losses: LossReport,
}

/// Reads a file of any format.
pub fn read(path: impl AsRef<Path>) -> Result<Read> {
    Input::from_path(path)?.read(&ReadOptions::default())
}

impl Input {
    /// Reads it into a scene.
    pub fn read(&self, options: &ReadOptions) -> Result<Read> {
        let opened = self.open(options.dialect.as_deref())?;
        self.read_opened(&opened, options)
    }

    /// As [`Input::read`], without parsing it again.
    pub fn read_opened(&self, opened: &Opened<'_>, options: &ReadOptions) -> Result<Read> {
        let reading = format::ReadOptions {
            source: self.source(),
            matrix_order: options.matrix_order,
            quaternion_order: options.quaternion_order,
            animation_matrices: options.animation_matrices,
            size: options.size,
        };
        let mut losses = LossReport::default();
        let scene = opened.file.read(&reading, &mut losses).map_err(|source| Error::Read {
            file: self.label.clone(),
            format: Some(opened.format),
            source,
        })?;
        missing_images::report(&scene, &self.source(), &mut losses);
        Ok(Read { scene, format: opened.format, dialect: opened.file.dialect(), losses })
    }
}
