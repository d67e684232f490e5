//! From file to file: read, changed as asked, written; and an account of what was lost on the way.
//!
//! Within one format and dialect, with nothing asked that changes anything, the bytes come out as they went in, and no scene is made.

use crate::check::{self, OutputFinding};
use crate::clips::ClipRow;
use crate::edit::{self, Edits};
use crate::missing_images::MissingImages;
use crate::note::Note;
use crate::ops::Figure;
use crate::read::ReadOptions;
use crate::target::Target;
use crate::write::{self, Output, WriteOptions};
use crate::{Error, Input, Result, overwrite};
use maquette_formats::companions::{Taken, companion_file, numbered};
use maquette_formats::format::{DialectInfo, Format, Naming, Opened, Source, TextureStorage};
use maquette_scene::Scene;
use maquette_scene::diag::Severity;
use maquette_scene::loss::{Loss, LossKind, LossReport, Lost};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

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
    convert_telling(input, output_name, options, &mut Vec::new())
}

/// The same, with what became of each clip of another file.
pub(crate) fn convert_telling(
    input: &Input,
    output_name: Option<&str>,
    options: &ConvertOptions,
    clips: &mut Vec<ClipRow>,
) -> Result<Output> {
    let opened = input.open(options.read.dialect.as_deref())?;
    let target = match output_name {
        Some(name) => Target::for_file(&options.write, name)?,
        None => Target::without_name(&options.write, opened.format)?,
    };
    let own = opened.format.dialect(opened.file.dialect()).filter(|_| target.format.id == opened.format.id);
    let dialect = target.dialect.or(own);
    if let Some(own) = own.filter(|own| dialect == Some(own) && !options.changes_anything(target.format, own)) {
        return Ok(copy(input, &opened, own, output_name, &options.write));
    }
    if let Some(other) = dialect.filter(|other| own.is_some() && !options.changes_anything(target.format, other))
        && let Some(output) = recast(input, &opened, other, output_name, &options.write)
    {
        return Ok(output);
    }
    let (scene, mut losses, notes) = scene_for(&target, input, &opened, options, clips)?;
    let name = output_name.unwrap_or("model");
    let mut output = encode(input, scene, name, &Target { dialect, ..target }, &options.write)?;
    losses.extend(std::mem::take(&mut output.losses));
    output.losses = losses;
    output.sources = input.sources();
    output.notes = notes;
    Ok(output)
}

/// Converts a file into one for each of its clips: `fox.seanim` becomes `fox.Run.seanim` and so on. What reading lost is told with the first, and so is what else is to be known.
pub fn each_clip(input: &Input, output_name: &str, options: &ConvertOptions) -> Result<Vec<Output>> {
    let opened = input.open(options.read.dialect.as_deref())?;
    let target = Target::for_file(&options.write, output_name)?;
    let (mut scene, mut losses, mut notes) = scene_for(&target, input, &opened, options, &mut Vec::new())?;
    let clips = std::mem::take(&mut scene.clips);
    let extension = output_name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut taken = Taken::default();
    let mut outputs: Vec<Output> = Vec::with_capacity(clips.len());
    for (index, clip) in clips.into_iter().enumerate() {
        let title = if clip.name.is_empty() { format!("clip{index}") } else { clip.name.clone() };
        let name = taken.first_free(|turn| companion_file(output_name, &numbered(&title, turn), extension));
        let scene = Scene { clips: [clip].into_iter().collect(), ..scene.clone() };
        let mut output = encode(input, scene, &name, &target, &options.write)?;
        losses.extend(std::mem::take(&mut output.losses));
        output.losses = std::mem::take(&mut losses);
        output.sources = input.sources();
        output.notes = std::mem::take(&mut notes);
        outputs.push(output);
    }
    match outputs.is_empty() {
        true => Err(Error::NoClip { file: input.label.clone() }),
        false => Ok(outputs),
    }
}

/// The scene of a file, changed as asked for, what was lost so far of what the target can hold at all, and what else is to be known.
fn scene_for(
    target: &Target,
    input: &Input,
    opened: &Opened<'_>,
    options: &ConvertOptions,
    clips: &mut Vec<ClipRow>,
) -> Result<(Scene, LossReport, Vec<Note>)> {
    let _stage = options.write.progress.stage("reading", 0);
    let mut read = input.read_opened(opened, &options.read)?;
    input.release();
    let model = if options.edits.model.is_empty() { input.name() } else { &options.edits.model };
    let edits = Edits { model: model.to_owned(), ..options.edits.clone() };
    let notes = edit::apply_telling(&mut read.scene, &edits, &mut read.losses, clips)?;
    refuse_clip_without_model(input, &read.scene, target.format)?;
    let caps = target.caps();
    // Nobody misses the vertex colours of a mesh that goes as a whole.
    let is_gone = |what: Lost| match what.group() {
        "Shape" => !caps.meshes,
        "Surfaces" => !caps.meshes && !caps.materials,
        _ => false,
    };
    read.losses.retain(|loss| !is_gone(loss.what));
    Ok((read.scene, read.losses, notes))
}

fn encode(input: &Input, scene: Scene, name: &str, target: &Target, options: &WriteOptions) -> Result<Output> {
    let missing = MissingImages::of(&scene);
    let mut output = write::encode_as(scene, name, target, options).map_err(|error| match error {
        Error::Fit { format, source, .. } => Error::Fit { file: input.label.clone(), format, source },
        Error::Write { format, source, .. } => Error::Write { file: input.label.clone(), format, source },
        other => other,
    })?;
    missing.forget_repeats(&mut output.losses);
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
fn copy(
    input: &Input,
    opened: &Opened<'_>,
    dialect: &'static DialectInfo,
    output_name: Option<&str>,
    options: &WriteOptions,
) -> Output {
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
            None => {
                let why = match source.obstacle(naming) {
                    Some(why) => format!("the file cannot be read: {why}"),
                    None if matches!(naming, Naming::Named(_)) => "the file is not there to be copied".to_owned(),
                    None => continue,
                };
                losses.dropped(Lost::CompanionFiles, format!("{from:?}"), why, 1);
            }
        }
    }
    Output {
        format: opened.format,
        dialect,
        name: output_name.unwrap_or(source.name).to_owned(),
        main: input.contents(),
        companions,
        losses,
        notes: Vec::new(),
        figures: Vec::new(),
        sources: input.sources(),
        avoided: Vec::new(),
        found: None,
        beside: options.beside.clone(),
        progress: options.progress.clone(),
    }
}

/// The same tables behind the header of another dialect, where that is all they differ in; `None` where a scene has to be made. That is
/// so for a file with errors, too: reading it tells what is wrong.
fn recast(
    input: &Input,
    opened: &Opened<'_>,
    dialect: &'static DialectInfo,
    output_name: Option<&str>,
    options: &WriteOptions,
) -> Option<Output> {
    let file = opened.file.in_dialect(dialect.id)?;
    let name = output_name.unwrap_or(input.name());
    let found = check::found_in(&*file, &Source { name, ..input.source() });
    let is_sound = found.iter().all(|found| found.finding.severity != Severity::Error.word());
    is_sound.then(|| Output {
        main: input.contents_of(&*file),
        found: Some(found),
        ..copy(input, opened, dialect, output_name, options)
    })
}

/// A loss as JSON: the fields of `convert --json` and `--report`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct ConversionReport {
    /// The input as it was named.
    pub input: String,
    /// The output as it was named.
    pub output: String,
    /// The format that was written.
    pub format: &'static str,
    /// The id of the dialect that was written.
    pub dialect: String,
    /// Which programs read it.
    pub read_by: &'static str,
    /// What the format's first dialect would have lost besides, where another was chosen for it.
    pub avoided: Vec<&'static str>,
    /// Whether anything was written; not if only a prediction was asked for, or a loss was not allowed.
    pub written: bool,
    /// What was lost.
    pub losses: Vec<LossRow>,
    /// What the rules of the format say against the files that are written: warnings and errors, as `check` tells them.
    pub findings: Vec<OutputFinding>,
    /// What else is to be known: clips that were skipped, lines of a bone map that no clip uses, what a selection left out.
    pub notes: Vec<Note>,
    /// Files that are named as companion files of the output are, were there before, and are none of it: an earlier conversion may have left them.
    pub left_behind: Vec<String>,
    /// What optimizing gained; empty unless it was asked for.
    pub figures: Vec<Figure>,
}

impl ConversionReport {
    /// The report of an output that is written, to this file; made before it is, while what was there before can be told.
    pub fn of(input: &Input, file: &Path, output: &Output) -> ConversionReport {
        let left = overwrite::left_behind(file, output.format, &output.companions, output.beside.as_ref());
        ConversionReport {
            input: input.label.clone(),
            output: file.display().to_string(),
            format: output.format.id,
            dialect: output.dialect.id.into(),
            read_by: output.dialect.read_by,
            avoided: output.avoided.iter().map(|lost| lost.word()).collect(),
            written: true,
            losses: output.losses.iter().map(LossRow::from).collect(),
            findings: output.findings(),
            notes: output.notes.clone(),
            left_behind: left.iter().map(|path| path.display().to_string()).collect(),
            figures: output.figures.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn in_dialect(dialect: &str, bytes: Vec<u8>) -> Result<Output> {
        let write = WriteOptions { dialect: Some(dialect.into()), ..WriteOptions::default() };
        let options = ConvertOptions { write, ..ConvertOptions::default() };
        convert(&Input::from_bytes("a.aem", bytes), Some("b.aem"), &options)
    }

    #[test]
    fn a_change_of_dialect_alone_loses_nothing_and_tells_what_is_found() {
        // A texture that repeats in no known way: a scene would not hold it.
        let output = in_dialect("wide", sample::broken("aem", "AEM0022").unwrap().main).unwrap();
        assert!(output.losses.is_empty(), "{}", output.losses);
        let found: Vec<_> = output.findings().into_iter().map(|found| (found.file, found.finding.code)).collect();
        assert_eq!(found, [("b.aem".to_owned(), "AEM0022")]);
        let made = Input::from_bytes("b.aem", output.main.into());
        assert_eq!(made.open(None).unwrap().file.dialect(), "wide");
    }

    #[test]
    fn a_file_with_errors_is_refused_in_any_dialect() {
        for code in ["AEM0010", "AEM0013", "AEM0045"] {
            let error = in_dialect("wide", sample::broken("aem", code).unwrap().main).unwrap_err();
            assert!(error.to_string().contains(code), "{error}");
        }
    }
}
