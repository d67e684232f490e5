//! From file to file.
//!
//! Within one format and dialect, with nothing asked that changes anything, the bytes come out as they went in. Everything else goes
//! through the scene: read, fitted to what the target can hold, written; and what was lost on the way is in the report.

use crate::fit::{FitOptions, fit};
use crate::ops::optimize::Figure;
use crate::{Error, Input, Result, ops, sample};
use maquette_formats::format::{
    AnimationMatrices, Format, Opened, QuaternionOrder, ReadOptions, Resources, Size, Source, TextureStorage,
    WriteOptions,
};
use maquette_formats::rules::matrices::MatrixOrder;
use maquette_scene::attach::ModifierScope;
use maquette_scene::loss::{Loss, LossReport};
use maquette_scene::{Scene, valid};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is asked of a conversion.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// The format to write; the one that the output's name says by default.
    pub to: Option<String>,
    /// The dialect to write; within one format the input's, else the format's first, by default.
    pub dialect: Option<String>,
    /// The dialect to read the input in.
    pub read_dialect: Option<String>,
    /// How the input's matrices are ordered.
    pub matrix_order: Option<MatrixOrder>,
    /// How the input's quaternions are ordered.
    pub quaternion_order: Option<QuaternionOrder>,
    /// What the input's animation matrices are.
    pub animation_matrices: Option<AnimationMatrices>,
    /// Whether a model that was brought to unit size gets its size back.
    pub size: Option<Size>,
    /// Whether V of the input's texture coordinates runs the other way than its format's usually does.
    pub flip_v: bool,
    /// Files whose clips are put onto the model, by the names of its bones.
    pub clips: Vec<PathBuf>,
    /// Which bones a blend is for that one bone of such a clip has of its own.
    pub modifier_scope: ModifierScope,
    /// Patterns of the meshes and clips to keep; all, if there are none.
    pub select: Vec<String>,
    /// What every length is multiplied by.
    pub scale: Option<f32>,
    /// Which axis points up in the input.
    pub up: Up,
    /// Whether geometry is put into the order that hardware likes best.
    pub optimize: bool,
    /// How the scene is fitted.
    pub fit: FitOptions,
}

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As in every scene.
    #[default]
    Y,
    /// To be turned.
    Z,
}

impl ConvertOptions {
    /// Whether anything is asked that goes beyond the bytes of the input.
    fn changes_anything(&self, target: &Format) -> bool {
        let textures = match target.caps.textures {
            TextureStorage::Pixels => self.fit.textures.changes_anything(),
            _ => self.fit.textures.max_size.is_some(),
        };
        let changes_scene =
            !self.select.is_empty() || !self.clips.is_empty() || self.scale.is_some() || self.up != Up::Y;
        changes_scene || self.optimize || self.overrides_reading() || textures
    }

    /// Whether reading is told anything that the bytes do not say.
    fn overrides_reading(&self) -> bool {
        self.matrix_order.is_some()
            || self.quaternion_order.is_some()
            || self.animation_matrices.is_some()
            || self.size == Some(Size::Original)
            || self.flip_v
            || self.read_dialect.is_some()
    }
}

/// What a conversion gives.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The format that was written.
    pub format: &'static Format,
    /// Its dialect.
    pub dialect: String,
    /// The file itself.
    pub main: Vec<u8>,
    /// Names and bytes of its companions.
    pub companions: Vec<(String, Vec<u8>)>,
    /// What was lost.
    pub losses: LossReport,
    /// What optimizing gained.
    pub figures: Vec<Figure>,
}

/// Converts a file for the output of this name; `None` where it has none, as on standard output.
pub fn convert(input: &Input, output_name: Option<&str>, options: &ConvertOptions) -> Result<Converted> {
    let opened = input.open(options.read_dialect.as_deref())?;
    let target = match (&options.to, output_name) {
        (Some(id), _) => sample::by_id(id)?,
        (None, Some(name)) => sample::by_file_name(name)?,
        (None, None) => opened.format,
    };
    let same_format = target.id == opened.format.id;
    let first = || target.dialects.first().map_or("", |dialect| dialect.id);
    let dialect = match &options.dialect {
        Some(asked) => sample::known_dialect(target, asked)?,
        None if same_format && !asks_for_another(target, output_name, opened.file.dialect()) => opened.file.dialect(),
        None => output_name.and_then(|name| sample::dialect_by_ending(target, name)).unwrap_or_else(first),
    };
    if same_format && dialect == opened.file.dialect() && !options.changes_anything(target) {
        return Ok(copy(input, &opened, output_name));
    }
    let mut losses = LossReport::default();
    let mut scene = read(input, &opened, options, &mut losses)?;
    change(&mut scene, options, &mut losses)?;
    refuse_clip_without_model(input, &scene, target)?;
    let mut fitting = options.fit;
    fitting.textures.quality = fitting.textures.quality.filter(|_| !target.caps.blockless_dialects.contains(&dialect));
    let cannot =
        |why: &dyn std::fmt::Display| Error::request(format!("{} cannot become {}: {why}", input.label, target.name));
    let mut scene = fit(scene, &target.caps, &fitting, &mut losses).map_err(|broken| cannot(&broken))?;
    let figures = if options.optimize { ops::optimize::optimize(&mut scene) } else { Vec::new() };
    debug_assert_eq!(valid::check(&scene), Ok(()));
    let name = output_name.unwrap_or("model");
    let bundle = (scene_form(target)?.write)(&scene, &WriteOptions { dialect, name }, &mut losses)
        .map_err(|source| cannot(&source))?;
    let companions = bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(name), bytes)).collect();
    Ok(Converted { format: target, dialect: dialect.into(), main: bundle.main, companions, losses, figures })
}

/// Does to the scene what was asked for.
fn change(scene: &mut Scene, options: &ConvertOptions, losses: &mut LossReport) -> Result<()> {
    for path in &options.clips {
        let input = Input::from_path(path)?;
        let other = load(&input, &ConvertOptions::default(), losses)?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if other.clips.is_empty() {
            return Err(Error::request(format!("{} holds no clip", input.label)));
        }
        ops::clips::add(scene, &other, &name, options.modifier_scope, losses);
    }
    if !options.select.is_empty() {
        ops::select::select(scene, &options.select)?;
    }
    if options.flip_v {
        ops::coordinates::flip_v(scene);
    }
    if options.up == Up::Z {
        ops::space::z_up_to_y_up(scene);
    }
    if let Some(factor) = options.scale {
        ops::space::rescale(scene, factor);
    }
    Ok(())
}

/// A model format has no use for an animation without a model, unless it can hold a skeleton that is made up for it.
fn refuse_clip_without_model(input: &Input, scene: &Scene, target: &Format) -> Result<()> {
    let alone = scene.meshes.is_empty() && scene.nodes.is_empty() && !scene.clips.is_empty();
    if alone && target.caps.meshes && !target.caps.curves {
        return Err(Error::request(format!(
            "{} holds animation alone; convert the model it is for, with --clip {0}",
            input.label
        )));
    }
    Ok(())
}

/// Whether the ending of a name asks for another dialect than this one.
fn asks_for_another(format: &'static Format, name: Option<&str>, dialect: &str) -> bool {
    name.and_then(|name| sample::dialect_by_ending(format, name)).is_some_and(|asked| asked != dialect)
}

/// What lies beside the input, noting what is taken of it.
struct Noted<'r> {
    resources: &'r dyn Resources,
    taken: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl Resources for Noted<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let bytes = self.resources.get(name)?;
        self.taken.borrow_mut().insert(name.to_owned(), bytes.to_vec());
        Some(bytes)
    }
}

/// The same bytes, with what belongs to them: companions go by the output's name, and whatever the file names keeps its own.
fn copy(input: &Input, opened: &Opened<'_>, output_name: Option<&str>) -> Converted {
    let source = input.source();
    let noted = Noted { resources: source.resources, taken: RefCell::default() };
    if let (Some(_), Some(form)) = (output_name, opened.format.scene) {
        let source = Source { resources: &noted, ..source };
        let reading = ReadOptions { source, dialect: Some(opened.file.dialect()), ..ReadOptions::default() };
        // A file that cannot be understood can still be copied, with the companions alone.
        drop((form.read)(input.bytes(), &reading, &mut LossReport::default()));
        for naming in opened.format.companions {
            source.companion(naming.clone());
        }
    }
    let companion = |name: &str| {
        let naming = opened.format.companions.iter().find(|naming| naming.apply(source.name) == name)?;
        Some(naming.apply(output_name?))
    };
    let taken = noted.taken.into_inner().into_iter();
    let companions = taken.map(|(name, bytes)| (companion(&name).unwrap_or(name), bytes)).collect();
    Converted {
        format: opened.format,
        dialect: opened.file.dialect().into(),
        main: opened.file.encode(),
        companions,
        losses: LossReport::default(),
        figures: Vec::new(),
    }
}

fn read(input: &Input, opened: &Opened<'_>, options: &ConvertOptions, losses: &mut LossReport) -> Result<Scene> {
    let reading = ReadOptions {
        source: input.source(),
        dialect: Some(opened.file.dialect()),
        matrix_order: options.matrix_order,
        quaternion_order: options.quaternion_order,
        animation_matrices: options.animation_matrices,
        size: options.size.unwrap_or(Size::AsStored),
    };
    let failed = |source| Error::Read { file: input.label.clone(), format: Some(opened.format), source };
    (scene_form(opened.format)?.read)(input.bytes(), &reading, losses).map_err(failed)
}

/// Reads a file into a scene.
pub fn load(input: &Input, options: &ConvertOptions, losses: &mut LossReport) -> Result<Scene> {
    let opened = input.open(options.read_dialect.as_deref())?;
    read(input, &opened, options, losses)
}

fn scene_form(format: &'static Format) -> Result<maquette_formats::format::SceneForm> {
    format.scene.ok_or_else(|| Error::request(format!("converting {} files does not work yet", format.name)))
}

/// A loss as JSON: the fields of `convert --json` and `--report`.
#[derive(Clone, Debug, Serialize)]
pub struct LossRow {
    /// `dropped`, `truncated`, `approximated`, `baked` or `renamed`.
    pub kind: &'static str,
    /// What: `vertex colours`, ..
    pub what: &'static str,
    /// Whose.
    pub subject: String,
    /// The particulars.
    pub detail: String,
    /// How many.
    pub count: u64,
    /// The largest error of an approximation; null otherwise.
    pub max_error: Option<f32>,
}

impl From<&Loss> for LossRow {
    fn from(loss: &Loss) -> Self {
        let max_error = match loss.kind {
            maquette_scene::loss::LossKind::Approximated { max_error } => Some(max_error).filter(|e| e.is_finite()),
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
    /// Whether nothing was written because only a prediction was asked for, or a loss was not allowed.
    pub written: bool,
    /// What was lost.
    pub losses: Vec<LossRow>,
    /// What optimizing gained; empty unless it was asked for.
    pub figures: Vec<Figure>,
}
