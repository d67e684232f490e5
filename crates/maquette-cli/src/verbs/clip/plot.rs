//! `maquette clip plot`: the curves of clips as pictures.

use crate::Verdict;
use crate::complain::complain_about;
use crate::progress::Many;
use crate::terminal::{notes, output};
use crate::verbs::failed::Failed;
use crate::verbs::{overwriting, print_json, printing, said};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use maquette::batch::{self, Entry};
use maquette::clips_seen::{chosen, see};
use maquette::formats::companions::{Taken, companion_file, numbered};
use maquette::formats::format::WriteOptions;
use maquette::motion::Motion;
use maquette::plot::{MOST_PANELS, PlotOptions, Plotted, plot};
use maquette::target::is_folder;
use maquette::{Error, Input, ReadOptions, Result, names};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(
    after_help = "A panel for each property of each bone: x red, y green, z blue, w violet; keys are dots where there is room for them, events are lines across. \
                  Rotations are drawn with the signs of the key before.\n\n\
                  Examples:\n  maquette clip plot walk.seanim -o curves.png\n  \
                  maquette clip plot fox.glb --clip Run --bone '*Leg*' --property rotation -o legs.svg\n  \
                  maquette clip plot *.seanim -o pictures/"
)]
pub struct PlotArgs {
    /// The files whose clips are drawn; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// The picture to write, its ending, png or svg, naming the format; or the folder for a picture of every clip
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    output: PathBuf,
    /// What pictures in a folder are
    #[arg(long, value_name = "FORMAT", default_value = "png")]
    format: Kind,
    /// Draw the clips of this name, and no others; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB")]
    clip: Vec<String>,
    /// Draw the bones of this name, and no others; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB")]
    bone: Vec<String>,
    /// Draw this property, and no other. May be given again
    #[arg(long, value_name = "PROPERTY", value_parser = PossibleValuesParser::new(["translation", "rotation", "scale", "weights"]))]
    property: Vec<String>,
    /// The most panels of a picture
    #[arg(long, value_name = "COUNT", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=MOST_PANELS as i64))]
    most: u32,
    /// Overwrite files that are no pictures of this kind
    #[arg(long)]
    force: bool,
    /// Print one JSON object a line for each picture
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Kind {
    Png,
    Svg,
}

impl Kind {
    fn by_ending(path: &Path) -> Option<Kind> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        [Kind::Png, Kind::Svg].into_iter().find(|kind| kind.ending() == ending)
    }

    fn ending(self) -> &'static str {
        match self {
            Kind::Png => "png",
            Kind::Svg => "svg",
        }
    }

    /// How files of this kind begin.
    fn start(self) -> &'static [u8] {
        match self {
            Kind::Png => b"\x89PNG",
            Kind::Svg => b"<svg",
        }
    }
}

/// A picture of a clip.
#[derive(Serialize)]
struct Plot {
    /// The input as it was named.
    input: String,
    /// The clip; empty where it has no name.
    clip: String,
    /// The picture.
    output: String,
    /// How many tracks are drawn.
    drawn: usize,
    /// How many more would be, if the picture had more panels.
    left_out: usize,
}

pub fn run(args: &PlotArgs) -> Result<Verdict> {
    let (kind, entries) = match (Kind::by_ending(&args.output), args.files.as_slice()) {
        (Some(kind), [file]) if !is_folder(&args.output) => return one(args, kind, file),
        (None, [_]) if !is_folder(&args.output) && args.output.extension().is_some() => {
            let output = args.output.display();
            return Err(Error::Usage(format!("{output} ends neither in .png nor in .svg; end a folder in /")));
        }
        (Some(_), files) if !is_folder(&args.output) => {
            let (count, output) = (files.len(), args.output.display());
            return Err(Error::Usage(format!("{count} files cannot become one, {output}: name a folder with -o")));
        }
        (_, files) => (args.format, batch::plan_files(files, &args.output, args.format.ending())?),
    };
    many(args, kind, &entries)
}

/// The picture of one clip.
fn one(args: &PlotArgs, kind: Kind, file: &Path) -> Result<Verdict> {
    let input = Input::from_path(file)?;
    let seen = see(&input, &ReadOptions::default())?;
    let motion = match chosen(&input, &seen.motions, &args.clip)?.as_slice() {
        [motion] => *motion,
        several => {
            let names: Vec<String> = several.iter().map(|motion| format!("{:?}", motion.name)).collect();
            return Err(Error::Usage(format!(
                "a picture is of one clip; name one with --clip, or a folder with -o: {}",
                names.join(", ")
            )));
        }
    };
    let plotted = drawn(args, kind, motion)?;
    tell(args, &[save(args, kind, &input, motion, plotted, args.output.clone())?])?;
    Ok(Verdict::Fine)
}

/// A picture of every clip of every file.
fn many(args: &PlotArgs, kind: Kind, entries: &[Entry]) -> Result<Verdict> {
    let progress = Many::new(entries.len());
    let results = batch::each(entries, |entry| {
        drop(progress.begin(&entry.input));
        let result = of_file(args, kind, entry);
        progress.end(&entry.input, &[if result.is_ok() { Verdict::Fine } else { Verdict::Failed }]);
        result
    });
    progress.finish();
    let mut worst = Verdict::Fine;
    for (entry, result) in entries.iter().zip(results) {
        match result {
            Ok(plots) => tell(args, &plots)?,
            Err(error) => {
                worst = Verdict::Failed;
                complain_about(&entry.input, &error);
                if args.json {
                    print_json(&mut output(true), &Failed::of(&entry.input, &error))?;
                }
            }
        }
    }
    Ok(worst)
}

fn of_file(args: &PlotArgs, kind: Kind, entry: &Entry) -> Result<Vec<Plot>> {
    let input = Input::from_path(&entry.input)?;
    let seen = see(&input, &ReadOptions::default())?;
    let motions = chosen(&input, &seen.motions, &args.clip)?;
    let name = names::file_name(&entry.output);
    let mut taken = Taken::by_neighbours(&WriteOptions { dialect: "", name: &name, others: &entry.others });
    let own = |motion: &Motion| match motions.len() {
        1 => entry.output.clone(),
        _ => {
            let clip = if motion.name.is_empty() { "clip" } else { &motion.name };
            let of_turn = |turn| companion_file(&name, &numbered(clip, turn), kind.ending());
            entry.output.with_file_name(taken.first_free(of_turn))
        }
    };
    let paths: Vec<PathBuf> = motions.iter().copied().map(own).collect();
    let each = motions.iter().zip(paths);
    each.map(|(motion, path)| save(args, kind, &input, motion, drawn(args, kind, motion)?, path)).collect()
}

fn drawn(args: &PlotArgs, kind: Kind, motion: &Motion) -> Result<Plotted> {
    let options = PlotOptions {
        bones: args.bone.clone(),
        properties: args.property.clone(),
        most: args.most as usize,
        is_png: kind == Kind::Png,
    };
    plot(motion, &options).ok_or_else(|| {
        let with_keys = || motion.tracks.iter().filter(|track| !track.curve.is_empty());
        let mut tracks: Vec<String> = with_keys()
            .take(8)
            .map(|track| format!("{:?} {}", motion.bone(track).map_or("", |bone| &bone.name), track.curve.property()))
            .collect();
        let more = with_keys().count() - tracks.len();
        tracks.extend((more > 0).then(|| format!("and {more} more")));
        Error::Usage(match tracks.is_empty() {
            true => "it has no keys to be drawn".to_owned(),
            false => format!("none of its tracks is asked for; it has {}", tracks.join(", ")),
        })
    })
}

fn save(args: &PlotArgs, kind: Kind, input: &Input, motion: &Motion, plotted: Plotted, path: PathBuf) -> Result<Plot> {
    maquette::save::write_picture(&path, &plotted.bytes, kind.start(), overwriting(args.force))?;
    Ok(Plot {
        input: input.label.clone(),
        clip: motion.name.clone(),
        output: path.display().to_string(),
        drawn: plotted.drawn,
        left_out: plotted.left_out,
    })
}

fn tell(args: &PlotArgs, plots: &[Plot]) -> Result<()> {
    if args.json {
        let mut out = output(true);
        plots.iter().try_for_each(|plot| print_json(&mut out, plot))?;
        return out.flush().map_err(printing);
    }
    let mut told = notes();
    for plot in plots {
        said(&mut told, &[PathBuf::from(&plot.output)]);
        let left_out = match plot.left_out {
            0 => String::new(),
            count => format!("; {count} are left out, --most or --bone shows others"),
        };
        let tracks = if plot.drawn == 1 { "track" } else { "tracks" };
        writeln!(told, "{}: {} {tracks} drawn{left_out}", plot.output, plot.drawn).map_err(printing)?;
    }
    told.flush().map_err(printing)
}
