//! From file to file: read, changed as asked, written; and an account of what was lost on the way.
//!
//! Within one format and dialect, with nothing asked that changes anything, the bytes come out as they went in, and no scene is made.

use crate::edit::{self, Edits};
use crate::ops::optimize::Figure;
use crate::read::ReadOptions;
use crate::write::{self, Output, WriteOptions};
use crate::{Error, Input, Result};
use maquette_formats::format::{DialectInfo, Format, Naming, Opened, TextureStorage};
use maquette_scene::Scene;
use maquette_scene::loss::{Loss, LossKind, LossReport, Lost};
use serde::Serialize;
use std::collections::BTreeSet;

/// What is asked of a conversion.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// How the input is read.
    pub read: ReadOptions,
    /// What is done to the scene.
    pub edits: Edits,
    /// How the output is written. Its format is the input's, if neither it nor a name says.
    pub write: WriteOptions,
}

impl ConvertOptions {
    /// Whether anything is asked that goes beyond the bytes of the input.
    fn changes_anything(&self, target: &Format, dialect: &DialectInfo) -> bool {
        let textures = &self.write.fit.textures;
        let textures = match (target.caps)(dialect.id).textures {
            TextureStorage::Pixels => textures.changes_anything(),
            _ => textures.max_size.is_some(),
        };
        self.read.overrides_anything() || self.edits.change_anything() || self.write.optimize || textures
    }
}

/// Converts a file for the output of this name; `None` where it has none, as on standard output.
pub fn convert(input: &Input, output_name: Option<&str>, options: &ConvertOptions) -> Result<Output> {
    let opened = input.open(options.read.dialect.as_deref())?;
    let formats = options.write.formats;
    let target = match (&options.write.format, output_name) {
        (Some(id), _) => write::by_id(formats, id)?,
        (None, Some(name)) => write::by_file_name(formats, name)?,
        (None, None) => opened.format,
    };
    let asked = match &options.write.dialect {
        Some(asked) => Some(target.known_dialect(asked).map_err(Error::UnknownDialect)?),
        None => output_name.and_then(|name| target.dialect_by_ending(name)),
    };
    let own = opened.format.dialect(opened.file.dialect()).filter(|_| target.id == opened.format.id);
    let dialect = asked.or(own);
    if let Some(own) = own.filter(|own| dialect == Some(own) && !options.changes_anything(target, own)) {
        return Ok(copy(input, &opened, own, output_name));
    }
    let mut read = input.read_opened(&opened, &options.read)?;
    edit::apply(&mut read.scene, &options.edits, &mut read.losses)?;
    refuse_clip_without_model(input, &read.scene, target)?;
    let name = output_name.unwrap_or("model");
    let named = |error| match error {
        Error::Fit { format, source, .. } => Error::Fit { file: input.label.clone(), format, source },
        Error::Write { format, source, .. } => Error::Write { file: input.label.clone(), format, source },
        other => other,
    };
    let mut output = write::encode_as(read.scene, name, target, dialect, &options.write).map_err(named)?;
    let written = std::mem::replace(&mut output.losses, read.losses);
    output.losses.extend(written);
    Ok(output)
}

/// A model format has no use for an animation without a model, unless it can hold a skeleton that is made up for it.
fn refuse_clip_without_model(input: &Input, scene: &Scene, target: &'static Format) -> Result<()> {
    let alone = scene.meshes.is_empty() && scene.nodes.is_empty() && !scene.clips.is_empty();
    let caps = target.dialects.first().map(|dialect| (target.caps)(dialect.id));
    match caps.filter(|caps| alone && caps.meshes && !caps.curves) {
        Some(_) => Err(Error::ClipAlone { file: input.label.clone(), format: target }),
        None => Ok(()),
    }
}

/// The same bytes, with their companion files: those that go by the name of the file get that of the output, and whatever the file
/// names keeps its own. No scene is made for it.
fn copy(input: &Input, opened: &Opened<'_>, dialect: &'static DialectInfo, output_name: Option<&str>) -> Output {
    let source = input.source();
    let mut losses = LossReport::default();
    let mut companions = Vec::new();
    let mut seen = BTreeSet::new();
    let references = opened.file.references(&source);
    for naming in opened.format.companions.iter().chain(&references) {
        let from = naming.apply(source.name);
        if !seen.insert(from.clone()) {
            continue;
        }
        match source.companion(naming) {
            Some((_, bytes)) => companions.push((naming.apply(output_name.unwrap_or(source.name)), bytes.into_owned())),
            None if matches!(naming, Naming::Named(_)) => {
                losses.dropped(Lost::CompanionFiles, format!("{from:?}"), "the file is not there to be copied", 1);
            }
            None => {}
        }
    }
    Output {
        format: opened.format,
        dialect,
        name: output_name.unwrap_or(source.name).to_owned(),
        main: opened.file.encode(),
        companions,
        losses,
        figures: Vec::new(),
    }
}

/// A loss as JSON: the fields of `convert --json` and `--report`.
#[derive(Clone, Debug, Serialize)]
pub struct LossRow {
    /// `dropped`, `truncated`, `approximated`, `baked` or `renamed`.
    pub kind: &'static str,
    /// In the words of `docs/losses.md`: `vertex colours`.
    pub what: &'static str,
    /// Whose: `mesh "body"`.
    pub subject: String,
    /// Why, and what stands in its place.
    pub detail: String,
    /// How many objects, vertices or keys it is about.
    pub count: u64,
    /// The largest error of an approximation; null otherwise.
    pub max_error: Option<f32>,
}

impl From<&Loss> for LossRow {
    fn from(loss: &Loss) -> Self {
        let max_error = match loss.kind {
            LossKind::Approximated { max_error } => Some(max_error).filter(|error| error.is_finite()),
            _ => None,
        };
        LossRow {
            kind: loss.kind.word(),
            what: loss.what.word(),
            subject: loss.subject.clone(),
            detail: loss.detail.clone(),
            count: loss.count,
            max_error,
        }
    }
}

/// A whole conversion as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ConversionReport {
    /// The input as it was named.
    pub input: String,
    /// The output as it was named.
    pub output: String,
    /// The format that was written.
    pub format: &'static str,
    /// Its dialect.
    pub dialect: String,
    /// Whether anything was written; not if only a prediction was asked for, or a loss was not allowed.
    pub written: bool,
    /// What was lost.
    pub losses: Vec<LossRow>,
    /// What optimizing gained; empty unless it was asked for.
    pub figures: Vec<Figure>,
}
