//! What can be typed.

use crate::verbs::clip::ClipArgs;
use crate::verbs::render::args::RenderArgs;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use maquette::fit::Limits;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Read, check, dump and convert game models and animations.
///
/// maquette understands the formats that `maquette formats` lists, in every layout found in the wild. The format and the layout are found from the
/// bytes, never from the file name alone. What is read can be written back without changing a byte.
#[derive(Parser)]
#[command(
    name = "maquette",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 fine, 1 findings, 2 could not do it. `-` as FILE is standard input.\n\
                  Start with: maquette sample post.aem && maquette info post.aem"
)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Verb,
    /// Whether to colour the output; auto does so where a terminal shows it, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_parser = ["auto", "always", "never"], default_value = "auto")]
    pub color: String,
    /// Say nothing but errors: no progress, no summary, no warnings, no list of what was lost. `check` lists errors alone; `diff` and `textures` list nothing, and the exit code
    /// tells. What `info`, `dump`, `explain` and `formats` print stays, and so does JSON
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

#[derive(Subcommand)]
pub enum Verb {
    /// Tell what files are: format, dialect and why, counts, clips, bounds
    Info(InfoArgs),
    /// Check files against the rules of their format
    ///
    /// Exit code 0 if nothing worse than an info is found, 1 if something is, 2 if a file cannot be read.
    Check(CheckArgs),
    /// Show the whole structure of a file: as a tree, as JSON or as an annotated hex map
    Dump(DumpArgs),
    /// Explain a finding's code, a loss, or which field a byte of a file belongs to
    #[command(
        override_usage = "maquette explain [OPTIONS] CODE\n       maquette explain [OPTIONS] LOSS\n       maquette explain [OPTIONS] FILE OFFSET",
        after_help = "Examples:\n  maquette explain AEM0045\n  maquette explain \"rest poses\"\n  maquette explain model.aem 0x1f40"
    )]
    Explain(ExplainArgs),
    /// List the formats, their dialects and what each can hold
    Formats(FormatsArgs),
    /// Make a small model by code: textured, rigged and animated as far as the format can
    Sample(SampleArgs),
    /// Convert a file to another format or dialect, and tell what was lost
    ///
    /// Within one format and dialect the bytes come out identical. Companion files of the output (an NLM's .hash, a BMW's .json, textures) are written with it.
    /// Exit code 1 if --strict forbids a loss, 2 if the conversion is impossible.
    Convert(Box<ConvertArgs>),
    /// Edit clips: the animations of any file, in full precision
    ///
    /// Each command writes to -o: a file, or a folder for many files. What it is not about stays as it was, to the byte in a SEAnim file: modifiers, notes, custom data,
    /// double precision. Exit code 2 if it cannot be done.
    Clip(Box<ClipArgs>),
    /// Draw models: pictures on any machine, without a graphics processor
    ///
    /// One picture, one for each of many files, moments of a clip, a labelled sheet, a turntable, or two models beside each other with where they differ.
    /// Exit code 1 if --compare finds them less alike than --threshold asks, or with --strict if there is a warning, 2 if something cannot be drawn.
    Render(Box<RenderArgs>),
    /// Show a model in a window, or two side by side: turn it, play it, look into it
    ///
    /// Starts maquette-viewer, a program of its own, or tells how to install it. In the window F1 lists all keys. Exit code 2 if no window can be opened or the machine has no graphics
    /// processor that can be used.
    View(ViewArgs),
    /// Take the textures out of a file, each as a file of its own
    ///
    /// Image files come out as they are, pixels and blocks as PNG with their channels as they are stored, or with --dds as DDS with all mip levels.
    /// With --srgb they are as people see them, and named after materials: `fox.fur.base_color.png`.
    /// Exit code 2 if the file cannot be read, or if a file is in the way that holds something else, unless --force overwrites it.
    Textures(TexturesArgs),
    /// Tell what differs in meaning between two files, of one format or of two
    ///
    /// Pictures are compared pixel by pixel, whatever they are encoded as, and their distance is told in dB. Exit code 0 if nothing differs, 1 if something does, 2 if a file
    /// cannot be read.
    Diff(DiffArgs),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write one for each command into a folder
    Man {
        /// The folder for the pages; it is made if it is not there
        #[arg(value_hint = ValueHint::DirPath)]
        folder: Option<PathBuf>,
    },
}

impl Verb {
    /// Every file that is read.
    pub fn inputs(&self) -> Vec<&Path> {
        match self {
            Verb::Info(args) => args.files.iter().map(PathBuf::as_path).collect(),
            Verb::Check(args) => args.files.iter().map(PathBuf::as_path).collect(),
            Verb::Dump(args) => vec![&args.file],
            Verb::Explain(args) => vec![&args.subject],
            Verb::Render(args) => {
                args.files.iter().chain(&args.on).chain(&args.compare).map(PathBuf::as_path).collect()
            }
            Verb::View(args) => args.files.iter().map(PathBuf::as_path).collect(),
            Verb::Textures(args) => vec![&args.file],
            Verb::Diff(args) => vec![&args.a, &args.b],
            Verb::Convert(args) => {
                let inputs = args.paths.split_last().map_or(&[][..], |(_, inputs)| inputs);
                args.clips.clip.iter().chain(&args.list).chain(inputs).map(PathBuf::as_path).collect()
            }
            Verb::Clip(args) => args.command.inputs(),
            Verb::Formats(_) | Verb::Sample(_) | Verb::Completions { .. } | Verb::Man { .. } => Vec::new(),
        }
    }
}

#[derive(Args)]
pub struct Reading {
    /// Read the file in this dialect instead of the one its bytes show
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
}

#[derive(Args)]
pub struct InfoArgs {
    /// The files; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Print one JSON object a line for each file
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Args)]
pub struct ViewArgs {
    /// The model, and one to be shown beside it
    #[arg(value_name = "FILE", num_args = 0..=2, value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
}

#[derive(Args)]
pub struct CheckArgs {
    /// The files; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Print one JSON object a line for each file
    #[arg(long)]
    pub json: bool,
    /// List every place of a finding instead of the first with a count
    #[arg(long)]
    pub each: bool,
    /// List at most this many findings of a file
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole, allow_negative_numbers = true)]
    pub most: u64,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Args)]
pub struct DumpArgs {
    /// The file; `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// As one JSON document with every field
    #[arg(long, conflicts_with = "hex")]
    pub json: bool,
    /// As a hex map: every byte, and the name and value of the field it belongs to
    #[arg(long)]
    pub hex: bool,
    /// Only this part, such as `joints[12]` or `meshes[0].vertices[3].position`
    #[arg(long, value_name = "PATH")]
    pub section: Option<String>,
    /// Show all items of long tables; the tree shows eight
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Args)]
pub struct ExplainArgs {
    /// A code such as AEM0045 or its name, a loss in the words of a report, or a file; `-` for standard input
    #[arg(value_name = "SUBJECT", value_hint = ValueHint::FilePath)]
    pub subject: PathBuf,
    /// A byte of the file, decimal or hexadecimal with 0x
    #[arg(value_parser = offset, allow_negative_numbers = true)]
    pub offset: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Args)]
pub struct FormatsArgs {
    /// Print a JSON array
    #[arg(long)]
    pub json: bool,
}

/// A model that code makes.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum SampleModel {
    Post,
    Creature,
}

#[derive(Args)]
pub struct SampleArgs {
    /// The file to write, its ending naming the format; `-` for standard output
    #[arg(value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// The dialect to write; the format's first by default
    #[arg(long, value_name = "NAME", conflicts_with = "fault")]
    pub dialect: Option<String>,
    /// The format, where the file name does not tell: its id, or an ending of its files
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// Which model: a post that every format holds as it is, or a creature to look at
    #[arg(long, value_name = "MODEL", default_value = "post")]
    pub model: SampleModel,
    /// Make a file that breaks the rule of this code instead
    #[arg(long, value_name = "CODE", conflicts_with = "model")]
    pub fault: Option<String>,
    /// Overwrite companion files that may belong to others
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
#[command(
    override_usage = "maquette convert [OPTIONS] INPUT OUTPUT\n       maquette convert [OPTIONS] --to FORMAT INPUT... FOLDER\n       maquette convert [OPTIONS] --list FILE FOLDER"
)]
pub struct ConvertArgs {
    /// The files to read, and last the file to write, its ending naming the format, or the folder to write into. `-` for standard input and output
    #[arg(required = true, value_name = "INPUT... OUTPUT", value_hint = ValueHint::FilePath)]
    pub paths: Vec<PathBuf>,
    /// Convert all files that this one names into a folder: paths relative to it, apart by blanks, quoted if they hold some, `#` for comments, or apart by NULs as `find -print0` prints them; `-` for standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub list: Option<PathBuf>,
    /// The format to write, where no file name tells: its id, or an ending of its files such as glb; for lists, AEM by default. What is written to is a folder then,
    /// unless it is a file or ends like one
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// The dialect to write; the input's within one format, else the format's first, unless another of them loses less. A file name that ends as another dialect does is refused
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// Keep the meshes and clips of this name, and no others; `*` and `?` stand for any text and character. May be given again. If it names meshes alone, all
    /// clips stay, and if it names clips alone, all meshes do; a mesh goes by its own name and by those of the nodes that draw it
    #[arg(long, value_name = "GLOB")]
    pub select: Vec<String>,
    /// Multiply every length: vertices, bones and keys; a factor that leaves a model smaller than 1e-12 or larger than 1e18 is refused
    #[arg(long, value_name = "X", value_parser = factor, allow_negative_numbers = true)]
    pub scale: Option<f32>,
    /// The axis that points up in the input; if it is z, the model is turned so that y does
    #[arg(long, value_name = "AXIS", value_parser = ["y", "z"], default_value = "y")]
    pub up: String,
    /// Tell what would be lost and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Write nothing if anything is lost, or anything of these kinds: dropped, truncated, approximated, baked, renamed
    #[arg(long, value_name = "KINDS", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "dropped,truncated,approximated,baked,renamed",
          value_parser = ["dropped", "truncated", "approximated", "baked", "renamed"])]
    pub strict: Option<Vec<String>>,
    /// Overwrite files that may belong to others: companion files that are not named after the output, and any where a model of another format has the same name
    #[arg(long)]
    pub force: bool,
    /// Write the report of losses to this file, as JSON; `-` for standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
    /// Print the report of losses as JSON
    #[arg(long)]
    pub json: bool,
    /// Order triangles and vertices for fast drawing, and tell what that gains
    #[arg(long)]
    pub optimize: bool,
    /// How closely straight lines follow splines, in units of the model; where that takes more keys than a clip may have they follow as closely as those allow, in formats with frames or ticks as closely as these are, and the report says how far that is off, and why
    #[arg(long, value_name = "X", default_value_t = 1e-4, value_parser = tolerance::<f32>, allow_negative_numbers = true)]
    pub tolerance: f32,
    /// The most vertices that meshes which many nodes draw may come to in formats that have a mesh for each
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.vertices, value_parser = whole, allow_negative_numbers = true)]
    pub max_vertices: u64,
    /// The most pixels that textures may come to in formats that have some of their own for each material, or where packed maps are taken apart
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.pixels, value_parser = whole, allow_negative_numbers = true)]
    pub max_pixels: u64,
    /// The most tracks that clips may come to in formats that have one for each joint in each clip
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.tracks, value_parser = whole, allow_negative_numbers = true)]
    pub max_tracks: u64,
    /// How well textures are compressed where the format holds BC7 and BC5 blocks; none leaves them as pixels
    #[arg(long, value_name = "QUALITY", value_parser = ["none", "fast", "default", "high"], default_value = "default")]
    pub textures: String,
    /// Halve textures until no side is longer than this many pixels
    #[arg(long, value_name = "N", value_parser = side, allow_negative_numbers = true)]
    pub max_size: Option<u32>,
    #[command(flatten)]
    pub clips: Clips,
    #[command(flatten)]
    pub overrides: Overrides,
}

/// Clips of other files, and clips in files of their own.
#[derive(Args)]
#[command(next_help_heading = "Clips")]
pub struct Clips {
    /// Put the clips of this file, or of the files in this folder, onto the model, by the names of its bones. May be given again. A clip of a folder that moves no bone of
    /// the model is skipped with a warning, as long as another does. A clip without a name is called by its file: `Run` of `Run.seanim`, and of `fox.Run.seanim` for `fox.glb`
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub clip: Vec<PathBuf>,
    /// Which bone of such a clip is which of the model: a file of lines `clip bone = model bone`; nothing behind the sign leaves the bone out
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "clip")]
    pub bone_map: Option<PathBuf>,
    /// Pass over this beginning of bone names, in clips and model alike. May be given again
    #[arg(long, value_name = "TEXT", requires = "clip")]
    pub strip_prefix: Vec<String>,
    /// Pass over namespaces of bone names: `mixamorig:Hips` is `Hips`
    #[arg(long, requires = "clip")]
    pub ignore_namespace: bool,
    /// Where one bone of such a clip is blended in a way of its own: which bones that is for
    #[arg(long, value_name = "SCOPE", value_parser = ["self", "children", "both"], default_value = "both", requires = "clip")]
    pub modifier_scope: String,
    /// Write a file for each clip, named after it: `fox.glb fox.seanim` makes `fox.Run.seanim` and so on
    #[arg(long)]
    pub each_clip: bool,
}

/// What is read otherwise than the bytes suggest.
#[derive(Args)]
#[command(next_help_heading = "Reading the input otherwise than its bytes suggest")]
pub struct Overrides {
    /// Read the input in this dialect
    #[arg(long, value_name = "NAME")]
    pub read_dialect: Option<String>,
    /// How matrices are ordered
    #[arg(long, value_name = "ORDER", value_parser = ["column-major", "row-major"])]
    pub matrix_order: Option<String>,
    /// How quaternions are ordered
    #[arg(long, value_name = "ORDER", value_parser = ["xyzw", "wxyz"])]
    pub quat_order: Option<String>,
    /// What animation matrices are
    #[arg(long, value_name = "KIND", value_parser = ["local", "skinning"])]
    pub anim_matrices: Option<String>,
    /// Turn V of texture coordinates around, for files that have it the other way than their format's usually do
    #[arg(long)]
    pub flip_v: bool,
    /// Give a model that was brought to unit size its size back
    #[arg(long)]
    pub denormalise: bool,
}

#[derive(Args)]
pub struct TexturesArgs {
    /// The file; `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The folder to write into; it is made if it is not there
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
    /// Overwrite files that are there with other contents
    #[arg(long)]
    pub force: bool,
    /// Write pixels and blocks as DDS files, with all mip levels
    #[arg(long)]
    pub dds: bool,
    /// Write pixels and blocks as people see them: colours in sRGB, normals with all three channels, packed maps without the emission in their alpha channel, emission as a colour. A file for each way a texture is used,
    /// named after the model, the material and that way
    #[arg(long, conflicts_with = "dds")]
    pub srgb: bool,
    /// Print one JSON object a line for each texture
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: Reading,
}

#[derive(Args)]
pub struct DiffArgs {
    /// The first file; `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub a: PathBuf,
    /// The second file; `-` for standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub b: PathBuf,
    /// Print one JSON object a line for each difference
    #[arg(long)]
    pub json: bool,
    /// The largest difference that is none: a part of the model's size for lengths, seconds for times, a part of full strength for pixels
    #[arg(long, value_name = "X", default_value_t = 1e-4, value_parser = tolerance::<f64>, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// The most pixels that textures may come to which are made of packed maps, to be compared
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.pixels, value_parser = whole, allow_negative_numbers = true)]
    pub max_pixels: u64,
}

/// A distance that something may be off by.
fn tolerance<N: FromStr + Copy + Into<f64>>(text: &str) -> Result<N, String> {
    let tolerance: N = text.parse().map_err(|_| "write a number such as 0.001".to_owned())?;
    if tolerance.into().is_finite() && tolerance.into() >= 0.0 {
        Ok(tolerance)
    } else {
        Err("the tolerance must be 0 or more, and finite".into())
    }
}

/// How many there may be.
fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more".into())
}

/// The length of a side in pixels.
fn side(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|&side| side > 0).ok_or_else(|| "write a whole number of pixels, 1 or more".into())
}

fn factor(text: &str) -> Result<f32, String> {
    let factor: f32 = text.parse().map_err(|_| "write a number such as 0.01".to_owned())?;
    if factor.is_finite() && factor > 0.0 { Ok(factor) } else { Err("the factor must be above 0 and finite".into()) }
}

fn offset(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "write a byte offset as 8000 or 0x1f40".into())
}
