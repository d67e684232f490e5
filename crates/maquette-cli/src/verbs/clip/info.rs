//! `maquette clip info`: what clips hold, track by track.

use super::super::{print_json, printing};
use crate::complain::complain;
use crate::terminal::output;
use crate::{Verdict, style};
use clap::{Args, ValueHint};
use maquette::clips_seen::{ClipInfo, ClipsInfo, TrackInfo, chosen, see};
use maquette::info::Unreadable;
use maquette::motion::short;
use maquette::{Input, ReadOptions, Result};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Examples:\n  maquette clip info walk.seanim\n  maquette clip info fox.glb --clip Walk --json")]
pub struct InfoArgs {
    /// The files whose clips are shown; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Show the clips of this name, and no others; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB")]
    clip: Vec<String>,
    /// Print one JSON object a line for each file
    #[arg(long)]
    json: bool,
}

pub fn run(args: &InfoArgs) -> Result<Verdict> {
    let mut out = output(args.json);
    let mut worst = Verdict::Fine;
    for file in &args.files {
        match of_file(file, &args.clip) {
            Ok(info) if args.json => print_json(&mut out, &info)?,
            Ok(info) => write_file(&mut out, &info).map_err(printing)?,
            Err(error) => {
                complain(&error);
                if args.json {
                    print_json(&mut out, &Unreadable::of(&file.display().to_string(), &error))?;
                }
                worst = Verdict::Failed;
            }
        }
        out.flush().map_err(printing)?;
    }
    Ok(worst)
}

fn of_file(file: &Path, clips: &[String]) -> Result<ClipsInfo> {
    let input = Input::from_path(file)?;
    let seen = see(&input, &ReadOptions::default())?;
    Ok(ClipsInfo::new(&input, chosen(&input, &seen.motions, clips)?))
}

fn write_file(out: &mut impl Write, info: &ClipsInfo) -> io::Result<()> {
    writeln!(out, "{}", style::bold(&info.file))?;
    info.clips.iter().try_for_each(|clip| write_clip(out, clip))
}

fn write_clip(out: &mut impl Write, clip: &ClipInfo) -> io::Result<()> {
    let name = if clip.clip.is_empty() { "unnamed" } else { &clip.clip };
    let mut facts = vec![format!("{} s", short(clip.duration_secs))];
    if let (Some(frames), Some(rate)) = (clip.frames, clip.frame_rate) {
        facts.push(format!("{} at {} a second", counted(frames, "frame"), short(rate)));
    }
    facts.extend(clip.looped.map(|looped| if looped { "looped" } else { "not looped" }.to_owned()));
    facts.push(clip.blend.to_owned());
    facts.push(counted(clip.keys, "key"));
    facts.push(counted(clip.bones, "bone"));
    writeln!(out, "  {} {}", style::bold(format_args!("{name}:")), facts.join(", "))?;
    let row = |track: &TrackInfo| {
        let blend = track.blend.map_or_else(String::new, |blend| format!(", {blend}"));
        let kind = if track.interpolation == "linear" { String::new() } else { format!(", {}", track.interpolation) };
        let range = track.min.iter().zip(&track.max).map(|(min, max)| match min == max {
            true => digits(*min),
            false => format!("{}..{}", digits(*min), digits(*max)),
        });
        [
            track.bone.clone(),
            format!("{}{kind}{blend}", track.property),
            track.keys.to_string(),
            format!("{}..{} s", digits(track.first_secs), digits(track.last_secs)),
            range.collect::<Vec<_>>().join("  "),
            vector(&track.first),
            vector(&track.last),
        ]
    };
    let head = ["bone", "property", "keys", "time", "range", "first", "last"].map(str::to_owned);
    let rows: Vec<[String; 7]> = clip.tracks.iter().map(|track| row(track).map(cut)).collect();
    if !rows.is_empty() {
        let widths: [usize; 7] = std::array::from_fn(|at| {
            let cells = rows.iter().chain([&head]).filter_map(|row| row.get(at));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        });
        let line = |row: &[String; 7]| {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        writeln!(out, "    {}", style::dim(line(&head)))?;
        rows.iter().try_for_each(|row| writeln!(out, "    {}", line(row)))?;
    }
    for event in &clip.events {
        let frame =
            clip.frame_rate.map_or_else(String::new, |rate| format!(", frame {}", short(event.time_secs * rate)));
        writeln!(out, "    {} {:?} at {} s{frame}", style::dim("event"), event.name, short(event.time_secs))?;
    }
    Ok(())
}

fn vector(numbers: &[f64]) -> String {
    format!("({})", numbers.iter().map(|number| digits(*number)).collect::<Vec<_>>().join(", "))
}

/// As much of a cell as a table has room for.
fn cut(cell: String) -> String {
    const MOST: usize = 72;
    match cell.chars().count() > MOST {
        true => cell.chars().take(MOST - 1).chain(['…']).collect(),
        false => cell,
    }
}

/// A number to four digits after the point.
fn digits(number: f64) -> String {
    match short((number * 1e4).round() / 1e4) {
        zero if zero == "-0" => "0".to_owned(),
        number => number,
    }
}

/// `1 key`, `2 keys`.
fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
