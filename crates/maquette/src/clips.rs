//! The clips of a file, changed one by one.
//!
//! A file that holds one clip and nothing else, and becomes one of its own kind, is edited as it is: in all its precision, with all that a scene has no place for. Any other goes
//! through a scene, and is what converting it to its own format would make of it, with what that changes told; where no clip changes, it is copied.
//!
//! ```
//! # let folder = tempfile::tempdir().expect("a folder");
//! # std::env::set_current_dir(&folder).expect("it is there");
//! # maquette::sample::save("walk.seanim")?;
//! use maquette::{Input, clips, motion::ops};
//!
//! let input = Input::from_path("walk.seanim")?;
//! let half = |mut motion: clips::Motion| {
//!     let end = motion.duration_secs / 2.0;
//!     ops::trim(&mut motion, 0.0, end).map(|did| (vec![motion], did))
//! };
//! let edited = clips::edit(&input, Some("step.seanim"), &Default::default(), &|motion, _| half(motion))?;
//! println!("{}", edited.clips[0].did);
//! edited.outputs[0].save("step.seanim", Default::default())?;
//! # assert!(maquette::read("step.seanim")?.scene.clips.iter().next().is_some());
//! # Ok::<(), maquette::Error>(())
//! ```

mod base;
mod length;
mod looping;
mod merge;
mod moment;
mod propose;
mod rename;
mod root_axes;
mod wanted;

pub use base::{Bases, Pose};
pub use length::Length;
pub use looping::{Going, Looping, Seam};
pub use merge::{Merge, merge};
pub use moment::Moment;
pub use propose::{MapRow, Proposed};
pub use rename::rename;
pub use root_axes::{Axes, root_axes};
pub use wanted::Wanted;

use crate::check::{self, Finding};
use crate::convert::{self, ConversionReport, ConvertOptions};
use crate::drop_nodes::drop_idle;
use crate::note::{Note, NoteKind};
use crate::read::ReadOptions;
use crate::rename_nodes::rename_nodes;
use crate::target::Target;
use crate::write::{Output, WriteOptions, encode_as};
use crate::{Error, Input, Result};
use maquette_formats::companions::{Taken, companion_file, numbered, stem_of};
use maquette_formats::format::{DialectInfo, Opened};
use maquette_motion::ops::{self, Renaming};
pub use maquette_motion::{Did, Motion, Refusal, Rig};
use maquette_motion::{Figure, OfClip};
use maquette_scene::clip::{Clip, Target as Moved};
use maquette_scene::diag::{ReportOptions, Severity};
use maquette_scene::loss::{LossReport, subject};
use maquette_scene::scene::Node;
use maquette_scene::{Arena, Scene};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How clips are read and written, and which.
#[derive(Clone, Debug, Default)]
pub struct EditOptions {
    /// How the input is read.
    pub read: ReadOptions,
    /// How the output is written. Its format is the input's, if neither it nor a name says.
    pub write: WriteOptions,
    /// Names of the clips that are changed, `*` and `?` for any text and character; all of them by default.
    pub clips: Vec<String>,
    /// Other names for the nodes of the file, where it has some.
    pub nodes: Renaming,
    /// The model that the clips are written with, where they are no longer for that of the file: without its own clips, and without those that are not changed.
    pub onto: Option<Arc<Scene>>,
}

/// Makes one or several clips of one. The rig is that of the file, where it has one.
pub type Operation<'o> = dyn Fn(Motion, Option<&Rig>) -> std::result::Result<(Vec<Motion>, Did), Refusal> + Sync + 'o;

/// The same, with the model whose clip it is, where the file holds one.
pub type ModelOperation<'o> =
    dyn Fn(Motion, Option<&Rig>, Option<&Scene>) -> std::result::Result<(Vec<Motion>, Did), Refusal> + Sync + 'o;

/// Files with edited clips, and what was done to each.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Edited {
    /// One file; or one for each clip, where several come of one and a file holds one.
    pub outputs: Vec<Output>,
    /// What was done, clip by clip.
    pub clips: Vec<ClipRow>,
}

/// What was done to a clip: a part of what `clip --json` prints.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ClipRow {
    /// Its name before.
    pub clip: String,
    /// What was done, in words.
    pub did: String,
    /// The same in numbers.
    pub figures: Vec<FigureRow>,
}

/// One number about what was done.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FigureRow {
    /// The bone or event it is about; empty for the clip.
    pub subject: String,
    /// What it counts or measures: `keys removed`.
    pub what: &'static str,
    /// The number.
    pub value: f64,
    /// `s`, `rad`, `units`; empty for a count.
    pub unit: &'static str,
}

impl From<Figure> for FigureRow {
    fn from(figure: Figure) -> FigureRow {
        FigureRow { subject: figure.subject, what: figure.what, value: figure.value, unit: figure.unit }
    }
}

impl ClipRow {
    /// About the clip of this name.
    pub fn new(clip: String, did: Did) -> ClipRow {
        ClipRow { clip, did: did.words, figures: did.figures.into_iter().map(FigureRow::from).collect() }
    }
}

/// A whole edit as JSON: the fields of `clip --json`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct EditReport {
    /// The input as it was named.
    pub input: String,
    /// What was done, clip by clip.
    pub clips: Vec<ClipRow>,
    /// The files that were written, each as `convert --json` tells it.
    pub outputs: Vec<ConversionReport>,
}

impl EditReport {
    /// Of clips of this file, written to these files.
    pub fn new(input: &Input, clips: Vec<ClipRow>, outputs: Vec<ConversionReport>) -> EditReport {
        EditReport { input: input.label.clone(), clips, outputs }
    }
}

/// Does something with the clips of a file, for the output of this name; `None` where it has none, as on standard output.
pub fn edit(
    input: &Input,
    output_name: Option<&str>,
    options: &EditOptions,
    operation: &Operation<'_>,
) -> Result<Edited> {
    edit_on_model(input, output_name, options, &|motion, rig, _| operation(motion, rig))
}

/// As [`edit`], for what has to look at the model too.
pub fn edit_on_model(
    input: &Input,
    output_name: Option<&str>,
    options: &EditOptions,
    operation: &ModelOperation<'_>,
) -> Result<Edited> {
    let opened = input.open(options.read.dialect.as_deref())?;
    let target = match output_name {
        Some(name) => Target::for_file(&options.write, name)?,
        None => Target::without_name(&options.write, opened.format)?,
    };
    let own = opened.format.dialect(opened.file.dialect()).filter(|_| target.format.id == opened.format.id);
    let editing = Editing { input, options, operation, output_name, name: output_name.unwrap_or(input.name()) };
    if let Some(own) = own.filter(|own| target.dialect.is_none_or(|dialect| dialect.id == own.id))
        && let Some(edited) = editing.as_it_is(&opened, own)
    {
        return edited;
    }
    editing.as_scene(&opened, &Target { dialect: target.dialect.or(own), ..target })
}

/// The clips of a file, in all its precision, and its skeleton where it has one.
pub fn motions(input: &Input, options: &EditOptions) -> Result<(Vec<Motion>, Option<Rig>)> {
    let opened = input.open(options.read.dialect.as_deref())?;
    let editing = Editing {
        input,
        options,
        operation: &|motion, _, _| Ok((vec![motion], Did::default())),
        output_name: None,
        name: "",
    };
    let failed = |source| Error::Read { file: input.label.clone(), format: Some(opened.format), source };
    if let Some(motion) = opened.file.motion(&mut LossReport::default()) {
        let motion = Motion { name: stem_of(input.name()).to_owned(), ..motion.map_err(failed)? };
        editing.must_name([&motion.name].into_iter())?;
        return Ok((vec![motion], None));
    }
    let scene = input.read_opened(&opened, &options.read)?.scene;
    if scene.clips.is_empty() {
        return Err(Error::NoClip { file: input.label.clone() });
    }
    editing.must_name(scene.clips.iter().map(|clip| &clip.name))?;
    let chosen = scene.clips.iter().filter(|clip| editing.is_chosen(&clip.name));
    let rig = Some(Rig::of_scene(&scene)).filter(|rig| !rig.joints.is_empty());
    Ok((chosen.map(|clip| OfClip::new(&scene, clip).motion).collect(), rig))
}

/// Puts the clips of other files onto the model of this one, as [`convert`](crate::convert::convert) does, and tells how many bones of it each moves.
pub fn apply(input: &Input, output_name: Option<&str>, options: &ConvertOptions) -> Result<Edited> {
    let mut clips = Vec::new();
    let output = convert::convert_telling(input, output_name, options, &mut clips)?;
    Ok(Edited { outputs: vec![output], clips })
}

/// The skeleton of a model; the label is what messages call it.
pub fn skeleton(scene: &Scene, label: &str) -> Result<Rig> {
    let rig = Rig::of_scene(scene);
    match rig.joints.is_empty() {
        true => Err(Error::Usage(format!("{label} holds no skeleton: name a model with nodes, not animation alone"))),
        false => Ok(rig),
    }
}

struct Editing<'e> {
    input: &'e Input,
    options: &'e EditOptions,
    operation: &'e ModelOperation<'e>,
    output_name: Option<&'e str>,
    /// The name of the output, or else of the input.
    name: &'e str,
}

impl Editing<'_> {
    /// A file that holds one clip alone; `None` where it takes a scene.
    fn as_it_is(&self, opened: &Opened<'_>, dialect: &'static DialectInfo) -> Option<Result<Edited>> {
        let mut losses = LossReport::default();
        let failed = |source| Error::Read { file: self.input.label.clone(), format: Some(opened.format), source };
        let motion = opened.file.motion(&mut losses)?.map_err(failed);
        Some(motion.and_then(|motion| self.replaced(opened, dialect, motion, losses)))
    }

    fn replaced(
        &self,
        opened: &Opened<'_>,
        dialect: &'static DialectInfo,
        mut motion: Motion,
        mut losses: LossReport,
    ) -> Result<Edited> {
        motion.name = stem_of(self.input.name()).to_owned();
        self.must_name([&motion.name].into_iter())?;
        let title = motion.name.clone();
        let (motions, did) = self.operate(motion, None, None)?;
        let failed = |source| Error::Write { file: self.input.label.clone(), format: opened.format, source };
        let several = motions.len() > 1;
        let mut taken = Taken::default();
        let mut outputs = Vec::with_capacity(motions.len());
        for motion in motions {
            let main = opened.file.with_motion(&motion, &mut losses).map_err(failed)?;
            // The file is called like the clip, and once is enough.
            let part = motion.name.strip_prefix(&title).map(|part| part.trim_start_matches(['_', '.', '-', ' ']));
            let part = part.filter(|part| !part.is_empty()).unwrap_or(&motion.name);
            let name = if several { self.name_for(part, &mut taken) } else { self.name.to_owned() };
            outputs.push(Output {
                format: opened.format,
                dialect,
                name,
                main: main.into(),
                companions: Vec::new(),
                losses: std::mem::take(&mut losses),
                notes: Vec::new(),
                figures: Vec::new(),
                sources: self.input.sources(),
                avoided: Vec::new(),
                found: None,
                beside: self.options.write.beside.clone(),
                progress: self.options.write.progress.clone(),
            });
        }
        outputs.iter().try_for_each(|output| self.must_be_sound(output, &title))?;
        Ok(Edited { outputs, clips: vec![ClipRow::new(title, did)] })
    }

    /// What was made breaks no rule that the input did not break: numbers may have become too large for the file, or infinite.
    fn must_be_sound(&self, output: &Output, clip: &str) -> Result<()> {
        let is_error = |finding: &Finding| finding.severity == Severity::Error.word();
        let found = output.findings().into_iter().map(|found| found.finding).filter(is_error);
        let mut before = None;
        for error in found {
            let before = before.get_or_insert_with(|| {
                let dialect = self.options.read.dialect.as_deref();
                check::check(self.input, dialect, ReportOptions::default()).diagnostics
            });
            if !before.iter().any(|finding| finding.code == error.code) {
                let why = format!("what comes of it would break {} {}: {}", error.code, error.name, error.message);
                let (file, clip) = (self.input.label.clone(), clip.to_owned());
                return Err(Error::Clip { file, clip, why: Refusal(why) });
            }
        }
        Ok(())
    }

    fn as_scene(&self, opened: &Opened<'_>, target: &Target) -> Result<Edited> {
        let read = self.input.read_opened(opened, &self.options.read)?;
        let (mut scene, mut losses) = (read.scene, read.losses);
        let before = std::mem::take(&mut scene.clips);
        if before.is_empty() {
            return Err(Error::NoClip { file: self.input.label.clone() });
        }
        self.must_name(before.iter().map(|clip| &clip.name))?;
        let renamed = rename_nodes(&mut scene, &before, &self.options.nodes).map_err(|why| Error::Clip {
            file: self.input.label.clone(),
            clip: String::new(),
            why,
        })?;
        let rig = Some(Rig::of_scene(&scene)).filter(|rig| !rig.joints.is_empty());
        let (mut clips, mut rows): (Arena<Clip>, Vec<ClipRow>) = Default::default();
        let (mut notes, mut left, mut changes) = (Vec::new(), HashSet::new(), renamed.is_some());
        let names: Vec<String> = before.iter().map(|clip| clip.name.clone()).collect();
        let mut room = Room::beside(before.iter());
        // Where each clip is a file, those that are not named need none.
        let keeps_others = self.options.onto.is_none() && target.caps().clips != Some(1);
        // The scene that the clips are of, where they are written with another.
        let source = self.options.onto.as_ref().map(|onto| {
            // A format for animation alone knows bones by name, and takes nothing else of the model.
            let onto = if target.caps().meshes { (**onto).clone() } else { Scene::default() };
            std::mem::replace(&mut scene, Scene { clips: Arena::default(), ..onto })
        });
        for (index, clip) in before.into_iter().enumerate() {
            if !self.is_chosen(&clip.name) {
                match keeps_others {
                    true => _ = clips.push(clip),
                    false => notes.push(Note::new(
                        NoteKind::Unselected,
                        subject("clip", index, &clip.name),
                        "--clip does not name it",
                    )),
                }
                continue;
            }
            let model = source.as_ref().unwrap_or(&scene);
            let of_clip = OfClip::new(model, &clip);
            let (motions, mut did) = self.operate(of_clip.motion.clone(), rig.as_ref(), Some(model))?;
            room.take(&motions).map_err(|why| Error::Clip {
                file: self.input.label.clone(),
                clip: clip.name.clone(),
                why,
            })?;
            self.must_be_free(&clip.name, &motions, &names)?;
            changes |= motions.as_slice() != [of_clip.motion.clone()];
            left.extend(of_clip.left(motions.iter()));
            if let Some(count) = renamed.filter(|_| rows.is_empty()) {
                did = did.with("nodes renamed", count as f64, "");
            }
            for motion in motions {
                for (node, name) in of_clip.renamed(&motion, &scene) {
                    scene.nodes.get_mut(node).into_iter().for_each(|node| node.name.clone_from(&name));
                }
                let mut made = of_clip.clip(&motion, &scene, &clip);
                give_nodes(&mut scene, &mut made);
                clips.push(made);
            }
            rows.push(ClipRow::new(clip.name, did));
        }
        if source.is_none() {
            drop_idle(&mut scene, &mut clips, &left);
        }
        let holds_one = target.caps().clips == Some(1) && clips.len() > 1;
        if !changes && !holds_one && source.is_none() && notes.is_empty() {
            return self.unchanged(rows);
        }
        let parts: Vec<Arena<Clip>> = match holds_one {
            true => clips.into_iter().map(|clip| [clip].into_iter().collect()).collect(),
            false => vec![clips],
        };
        let mut taken = Taken::default();
        let mut outputs: Vec<Output> = Vec::with_capacity(parts.len());
        for clips in parts {
            let title = clips.iter().next().map(|clip| clip.name.clone()).unwrap_or_default();
            let name = if holds_one { self.name_for(&title, &mut taken) } else { self.name.to_owned() };
            let mut output = encode_as(Scene { clips, ..scene.clone() }, &name, target, &self.options.write)?;
            losses.extend(std::mem::take(&mut output.losses));
            output.losses = std::mem::take(&mut losses);
            output.sources = self.input.sources();
            output.notes = std::mem::take(&mut notes);
            outputs.push(output);
        }
        Ok(Edited { outputs, clips: rows })
    }

    /// The file as converting it makes it: within its own format, as it is.
    fn unchanged(&self, clips: Vec<ClipRow>) -> Result<Edited> {
        let EditOptions { read, write, .. } = self.options.clone();
        let options = ConvertOptions { read, write, ..ConvertOptions::default() };
        Ok(Edited { outputs: vec![convert::convert(self.input, self.output_name, &options)?], clips })
    }

    /// A clip that gets another name may not get that of another clip.
    fn must_be_free(&self, clip: &str, motions: &[Motion], names: &[String]) -> Result<()> {
        match motions.iter().find(|motion| motion.name != clip && names.contains(&motion.name)) {
            None => Ok(()),
            Some(motion) => Err(Error::Clip {
                file: self.input.label.clone(),
                clip: clip.to_owned(),
                why: Refusal(format!(
                    "another clip is called {:?} already; give it another name, or rename that one first",
                    motion.name
                )),
            }),
        }
    }

    fn operate(&self, motion: Motion, rig: Option<&Rig>, model: Option<&Scene>) -> Result<(Vec<Motion>, Did)> {
        let clip = motion.name.clone();
        (self.operation)(motion, rig, model).map_err(|why| Error::Clip { file: self.input.label.clone(), clip, why })
    }

    fn is_chosen(&self, clip: &str) -> bool {
        let asked = &self.options.clips;
        asked.is_empty() || asked.iter().any(|pattern| crate::ops::matches(pattern, clip))
    }

    /// Somebody who names a clip that is not there made a mistake.
    fn must_name<'n>(&self, clips: impl Iterator<Item = &'n String> + Clone) -> Result<()> {
        match clips.clone().any(|clip| self.is_chosen(clip)) {
            true => Ok(()),
            false => Err(Error::NoSuchClip {
                file: self.input.label.clone(),
                patterns: self.options.clips.clone(),
                names: clips.cloned().collect(),
            }),
        }
    }

    /// The name of the file of one of several clips: `walk.part 1.seanim`.
    fn name_for(&self, clip: &str, taken: &mut Taken) -> String {
        let extension = self.name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let title = if clip.is_empty() { "clip" } else { clip };
        taken.first_free(|turn| companion_file(self.name, &numbered(title, turn), extension))
    }
}

/// How many keys the clips of one file may still be made of.
struct Room(f64);

impl Room {
    /// Twice what one clip may have, and however many there were before.
    fn beside<'c>(clips: impl Iterator<Item = &'c Clip>) -> Room {
        let keys = clips.flat_map(|clip| &clip.tracks).map(|track| track.curve.times_secs().len() as f64).sum::<f64>();
        Room((2.0 * ops::MOST_KEYS).max(keys))
    }

    fn take(&mut self, motions: &[Motion]) -> std::result::Result<(), Refusal> {
        self.0 -= motions.iter().map(|motion| motion.key_count() as f64).sum::<f64>();
        match self.0 >= 0.0 {
            true => Ok(()),
            false => Err(Refusal(
                "with it, the clips of the file have more keys than anybody wants; choose some of them with --clip"
                    .into(),
            )),
        }
    }
}

/// Bones that were added get nodes, where the scene has some.
fn give_nodes(scene: &mut Scene, clip: &mut Clip) {
    if scene.nodes.is_empty() {
        return;
    }
    let mut added = HashMap::new();
    for track in &mut clip.tracks {
        let Moved::Name(name) = &track.target else { continue };
        let node = *added.entry(name.clone()).or_insert_with(|| {
            let node = scene.nodes.push(Node { name: name.clone(), ..Node::default() });
            scene.roots.push(node);
            node
        });
        track.target = Moved::Node(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_motion::{Curve, Keys};
    use maquette_scene::glam::DVec3;

    #[test]
    fn clips_of_one_file_share_their_room() {
        let mut motion = Motion::default();
        motion.push("a", Curve::Translation(Keys::straight((0..6).map(|at| (f64::from(at), DVec3::X)))));
        let mut room = Room(10.0);
        assert!(room.take(std::slice::from_ref(&motion)).is_ok());
        assert!(room.take(&[motion]).unwrap_err().0.contains("--clip"));
        assert!(Room::beside([].into_iter()).0 >= 2.0 * ops::MOST_KEYS);
    }
}
