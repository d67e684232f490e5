//! The options of reading, editing and writing, each taken from the same list wherever they are given: those of `convert` are all of them.

use crate::error::exception;
use crate::keywords::{Keywords, choose};
use crate::scene::store::PyScene;
use crate::source;
use crate::threads::free;
use maquette::edit::{ClipScene, Edits, OwnClips, Up};
use maquette::fit::{FitOptions, Limits, TextureOptions};
use maquette::formats::format::{AnimationMatrices, QuaternionOrder, Size};
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::scene::attach::ModifierScope;
use maquette::scene::loss::{LossKind, LossReport};
use maquette::texture::Quality;
use maquette::{Input, Overwrite, ReadOptions, WriteOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyBool};

/// How a file is read.
pub struct Reading<'py> {
    name: Option<String>,
    companions: Option<Bound<'py, PyAny>>,
    pub options: ReadOptions,
}

/// What the options of a file that is read are called, where another file has some of the same name.
pub struct ReadNames {
    pub name: &'static str,
    pub dialect: &'static str,
}

impl ReadNames {
    pub const ALONE: ReadNames = ReadNames { name: "name", dialect: "dialect" };
    pub const BESIDE_OUTPUT: ReadNames = ReadNames { name: "read_name", dialect: "read_dialect" };
}

impl<'py> Reading<'py> {
    pub fn take(keywords: &mut Keywords<'py>, names: &ReadNames) -> PyResult<Reading<'py>> {
        let orders = [("column-major", MatrixOrder::ColumnMajor), ("row-major", MatrixOrder::RowMajor)];
        let quaternions = [("xyzw", QuaternionOrder::Xyzw), ("wxyz", QuaternionOrder::Wxyz)];
        let matrices = [("local", AnimationMatrices::Local), ("skinning", AnimationMatrices::Skinning)];
        let sizes = [("as-stored", Size::AsStored), ("original", Size::Original)];
        Ok(Reading {
            name: keywords.text(names.name)?,
            companions: keywords.object("companions"),
            options: ReadOptions {
                dialect: keywords.text(names.dialect)?,
                matrix_order: keywords.word("matrix_order", &orders)?,
                quaternion_order: keywords.word("quaternion_order", &quaternions)?,
                animation_matrices: keywords.word("animation_matrices", &matrices)?,
                size: keywords.word("size", &sizes)?.unwrap_or_default(),
            },
        })
    }

    /// The file that is read.
    pub fn input(self, source: &Bound<'py, PyAny>) -> PyResult<(Input, ReadOptions)> {
        let input = source::input(source, self.name, self.companions.as_ref())?;
        Ok((input, self.options))
    }
}

/// What is done to a scene on the way.
pub fn edits(keywords: &mut Keywords<'_>) -> PyResult<Edits> {
    let own = [("kept", OwnClips::Kept), ("replaced", OwnClips::Replaced), ("left-out", OwnClips::LeftOut)];
    let mut edits = Edits {
        select: keywords.texts("select")?,
        clip_names: keywords.texts("clip_names")?,
        own_clips: keywords.word("own_clips", &own)?.unwrap_or_default(),
        flip_v: keywords.flag("flip_v")?,
        up: keywords.word("up", &[("y", Up::Y), ("z", Up::Z)])?.unwrap_or_default(),
        scale: factor(keywords)?,
        ..Edits::default()
    };
    attach(keywords, &mut edits)?;
    for other in keywords.objects("clips")? {
        take_clips(&other, &mut edits)?;
    }
    Ok(edits)
}

/// Takes the clips of a file, of the files in a folder, or of a scene.
pub fn take_clips(other: &Bound<'_, PyAny>, edits: &mut Edits) -> PyResult<()> {
    let py = other.py();
    if let Ok(scene) = other.cast::<PyScene>() {
        let scene = scene.get();
        let name = scene.origin().map_or("scene", |origin| &origin.name).to_owned();
        edits.clip_scenes.push(ClipScene { name, scene: scene.snapshot(), losses: LossReport::default() });
    } else if let Some(path) = source::path_of(other)? {
        edits.clips.push(path);
    } else {
        let input = source::input(other, None, None)?;
        let read = free(py, || input.read(&ReadOptions::default())).map_err(|error| exception(py, error))?;
        let name = if input.name().is_empty() { "clip" } else { input.name() }.to_owned();
        edits.clip_scenes.push(ClipScene { name, scene: read.scene, losses: read.losses });
    }
    Ok(())
}

/// How the bones of clips are matched with those of a model.
pub fn attach(keywords: &mut Keywords<'_>, edits: &mut Edits) -> PyResult<()> {
    let scopes =
        [("self", ModifierScope::SelfOnly), ("children", ModifierScope::Descendants), ("both", ModifierScope::Both)];
    edits.attach.prefixes = keywords.texts("strip_prefix")?;
    edits.attach.ignore_namespaces = keywords.flag("ignore_namespace")?;
    edits.attach.scope = keywords.word("modifier_scope", &scopes)?.unwrap_or_default();
    if let Some(map) = keywords.object("bone_map") {
        match source::path_of(&map)? {
            Some(path) => edits.bone_map = Some(path),
            None => {
                let wrong =
                    |_| PyTypeError::new_err("bone_map is a dict of bones and nodes, or the path of a file of them");
                edits.attach.map = map.extract().map_err(wrong)?;
            }
        }
    }
    Ok(())
}

fn factor(keywords: &mut Keywords<'_>) -> PyResult<Option<f32>> {
    let factor: Option<f32> = keywords.value("scale", "a number")?;
    match factor {
        Some(factor) if !factor.is_finite() || factor <= 0.0 => {
            Err(PyValueError::new_err(format!("scale is {factor}; it must be above 0 and finite")))
        }
        factor => Ok(factor),
    }
}

/// How a file is written.
pub struct Writing {
    pub name: Option<String>,
    pub options: WriteOptions,
    pub overwrite: Overwrite,
    /// Kinds of losses that forbid it.
    pub strict: Vec<&'static str>,
    pub progress: Option<Py<PyAny>>,
}

impl Writing {
    pub fn take(keywords: &mut Keywords<'_>) -> PyResult<Writing> {
        let fit = FitOptions::default();
        let qualities = [
            ("none", None),
            ("fast", Some(Quality::Fast)),
            ("default", Some(Quality::Default)),
            ("high", Some(Quality::High)),
        ];
        let textures = TextureOptions {
            quality: keywords.word("textures", &qualities)?.unwrap_or(fit.textures.quality),
            max_size: side(keywords)?,
            ..fit.textures
        };
        let most = |keywords: &mut Keywords<'_>, name, default| {
            Ok::<u64, PyErr>(keywords.value(name, "a whole number, 0 or more")?.unwrap_or(default))
        };
        let limits = Limits {
            vertices: most(keywords, "max_vertices", fit.limits.vertices)?,
            pixels: most(keywords, "max_pixels", fit.limits.pixels)?,
            tracks: most(keywords, "max_tracks", fit.limits.tracks)?,
        };
        let tolerance = keywords.measure("tolerance")?.map_or(fit.tolerance, |tolerance| tolerance as f32);
        Ok(Writing {
            name: keywords.text("name")?,
            options: WriteOptions {
                format: keywords.text("format")?,
                dialect: keywords.text("dialect")?,
                fit: FitOptions { tolerance, textures, limits },
                optimize: keywords.flag("optimize")?,
                ..WriteOptions::default()
            },
            overwrite: overwrite(keywords)?,
            strict: strict(keywords)?,
            progress: keywords.object("progress").map(Bound::unbind),
        })
    }
}

/// Which files may be replaced.
pub fn overwrite(keywords: &mut Keywords<'_>) -> PyResult<Overwrite> {
    Ok(if keywords.flag("force")? { Overwrite::All } else { Overwrite::Own })
}

fn side(keywords: &mut Keywords<'_>) -> PyResult<Option<u32>> {
    let side: Option<u32> = keywords.value("max_size", "a whole number of pixels, 1 or more")?;
    match side {
        Some(0) => Err(PyValueError::new_err("max_size is 0; it must be a whole number of pixels, 1 or more")),
        side => Ok(side),
    }
}

/// `True` forbids every kind.
fn strict(keywords: &mut Keywords<'_>) -> PyResult<Vec<&'static str>> {
    let given = keywords.objects("strict")?;
    if let [all] = given.as_slice()
        && let Ok(all) = all.cast::<PyBool>()
    {
        return Ok(if all.is_true() { LossKind::WORDS.to_vec() } else { Vec::new() });
    }
    let words = LossKind::WORDS.map(|word| (word, word));
    given.iter().map(|kind| choose("strict", &kind.extract::<String>()?, &words)).collect()
}
