//! `maquette clip plot`: the curves of a clip as a picture.

use super::super::{printing, refuse_folder, said};
use crate::Verdict;
use crate::terminal::notes;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueHint};
use maquette::clips_seen::{chosen, see};
use maquette::plot::{MOST_PANELS, PlotOptions, plot};
use maquette::{Error, Input, ReadOptions, Result, save};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "A panel for each property of each bone: x red, y green, z blue, w violet; keys are dots where there is room for them, events are lines across. \
                  Rotations are drawn with the signs of the key before.\n\n\
                  Examples:\n  maquette clip plot walk.seanim -o curves.png\n  \
                  maquette clip plot fox.glb --clip Run --bone '*Leg*' --property rotation -o legs.svg"
)]
pub struct PlotArgs {
    /// The file whose clip is drawn; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The picture to write; its ending, png or svg, names the format
    #[arg(short, long, value_name = "PICTURE", value_hint = ValueHint::FilePath)]
    output: PathBuf,
    /// Draw the clip of this name, where the file has several; `*` and `?` stand for any text and character
    #[arg(long, value_name = "GLOB")]
    clip: Option<String>,
    /// Draw the bones of this name, and no others; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB")]
    bone: Vec<String>,
    /// Draw this property, and no other. May be given again
    #[arg(long, value_name = "PROPERTY", value_parser = PossibleValuesParser::new(["translation", "rotation", "scale", "weights"]))]
    property: Vec<String>,
    /// The most panels
    #[arg(long, value_name = "COUNT", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=MOST_PANELS as i64))]
    most: u32,
    /// Overwrite a file that is not a picture of this kind
    #[arg(long)]
    force: bool,
}

pub fn run(args: &PlotArgs) -> Result<Verdict> {
    let ending = args.output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_png = match ending.as_deref() {
        Some("png") => true,
        Some("svg") => false,
        _ => return Err(Error::Usage(format!("{} ends neither in .png nor in .svg", args.output.display()))),
    };
    refuse_folder(&args.output)?;
    let input = Input::from_path(&args.file)?;
    let seen = see(&input, &ReadOptions::default())?;
    let patterns: Vec<String> = args.clip.iter().cloned().collect();
    let motion = match chosen(&seen.motions, &patterns)?.as_slice() {
        [motion] => *motion,
        several => {
            let names: Vec<String> = several.iter().map(|motion| format!("{:?}", motion.name)).collect();
            return Err(Error::Usage(format!("a picture is of one clip; name one with --clip: {}", names.join(", "))));
        }
    };
    let options =
        PlotOptions { bones: args.bone.clone(), properties: args.property.clone(), most: args.most as usize, is_png };
    let Some(plotted) = plot(motion, &options) else {
        let mut bones: Vec<String> = motion.bones.iter().take(12).map(|bone| format!("{:?}", bone.name)).collect();
        if motion.bones.len() > bones.len() {
            bones.push(format!("and {} more", motion.bones.len() - bones.len()));
        }
        return Err(Error::Usage(format!("no track is asked for that has keys; its bones are {}", bones.join(", "))));
    };
    if !args.force && !is_own(&args.output, is_png)? {
        return Err(Error::Usage(format!(
            "{} is there and is no such picture; --force overwrites it",
            args.output.display()
        )));
    }
    save::write(&args.output, &plotted.bytes)?;
    let mut told = notes();
    said(&mut told, std::slice::from_ref(&args.output));
    let left_out = match plotted.left_out {
        0 => String::new(),
        count => format!("; {count} are left out, --most or --bone shows others"),
    };
    writeln!(told, "{}: {} tracks drawn{left_out}", args.output.display(), plotted.drawn).map_err(printing)?;
    told.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}

/// Whether a file may be overwritten: there is none, or it begins as a picture of this kind.
fn is_own(path: &std::path::Path, is_png: bool) -> Result<bool> {
    let start: &[u8] = if is_png { b"\x89PNG" } else { b"<svg" };
    match std::fs::read(path) {
        Ok(bytes) => Ok(bytes.is_empty() || bytes.starts_with(start)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(Error::Io { file: path.display().to_string(), doing: "read", source }),
    }
}
