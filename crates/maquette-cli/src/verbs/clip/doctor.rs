//! `maquette clip doctor`: why clips play wrongly, and what puts them right.

use super::super::{print_json, printing};
use super::skeleton::Skeleton;
use crate::complain::complain;
use crate::terminal::output;
use crate::{Verdict, style};
use clap::{Args, ValueHint};
use maquette::clips_seen::{DoctorOptions, Doctored, doctor};
use maquette::info::Unreadable;
use maquette::motion::listed;
use maquette::{Error, Input, Result};
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "It looks for other units than the model's, another axis up, values that are to be taken in another way than the file says, rotations that are none or change their signs, \
                  numbers of quaternions in another order, keys out of order or on one frame, spikes of one frame, sizes of 0, loops that do not close, frame counts and rates that are \
                  wrong, names that two bones have, and bones that the model does not have. Much of that takes the model. What cannot be told is named as not judged. The exit code is 1 where \
                  anything is found. The commands of a file go on with what the ones before them wrote. In a list, files without clips are passed over.\n\n\
                  Examples:\n  maquette clip doctor walk.seanim --skeleton body.glb\n  maquette clip doctor *.glb --json"
)]
pub struct DoctorArgs {
    /// The files whose clips are looked at; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Print one JSON object a line for each file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub skeleton: Skeleton,
}

pub fn run(args: &DoctorArgs) -> Result<Verdict> {
    let skeleton = args.skeleton.input().map(|path| path.display().to_string());
    let options = DoctorOptions { rig: args.skeleton.rig()?, skeleton, ..DoctorOptions::default() };
    let mut out = output(args.json);
    let (mut found, mut failed) = (false, false);
    for file in &args.files {
        match Input::from_path(file).and_then(|input| doctor(&input, &options)) {
            Ok(doctored) => {
                found |= !doctored.ok;
                match args.json {
                    true => print_json(&mut out, &doctored)?,
                    false => write_file(&mut out, &doctored).map_err(printing)?,
                }
            }
            // `*.glb` means the clips there are.
            Err(Error::NoClip { file }) if args.files.len() > 1 => match args.json {
                true => print_json(&mut out, &Doctored::without_clips(file))?,
                false => writeln!(out, "{} no clip", style::bold(format_args!("{file}:"))).map_err(printing)?,
            },
            Err(error) => {
                complain(&error);
                if args.json {
                    print_json(&mut out, &Unreadable::of(&file.display().to_string(), &error))?;
                }
                failed = true;
            }
        }
        out.flush().map_err(printing)?;
    }
    Ok(if failed {
        Verdict::Failed
    } else if found {
        Verdict::Findings
    } else {
        Verdict::Fine
    })
}

fn write_file(out: &mut impl Write, doctored: &Doctored) -> io::Result<()> {
    let verdict = match doctored.findings.len() {
        0 => "nothing is wrong".to_owned(),
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    };
    writeln!(out, "{} {verdict}", style::bold(format_args!("{}:", doctored.file)))?;
    for row in &doctored.findings {
        let clip = if row.clip.is_empty() { String::new() } else { format!("{}: ", row.clip) };
        writeln!(out, "  {} {clip}{}", style::bold(row.fault), row.why)?;
        if let Some(fix) = &row.fix {
            writeln!(out, "    {fix}")?;
        }
        row.or.iter().try_for_each(|other| writeln!(out, "    or {other}"))?;
    }
    write_doubts(out, doctored)
}

/// A line for each thing that was not judged, with the clips it is about where these are not all.
fn write_doubts(out: &mut impl Write, doctored: &Doctored) -> io::Result<()> {
    let mut told: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for row in &doctored.not_judged {
        match told.iter_mut().find(|(what, why, _)| (*what, *why) == (row.what, &row.why)) {
            Some((_, _, clips)) => clips.push(&row.clip),
            None => told.push((row.what, &row.why, vec![&row.clip])),
        }
    }
    told.into_iter().try_for_each(|(what, why, clips)| {
        let of = if clips.len() as u64 == doctored.clips { String::new() } else { format!(" of {}", listed(&clips)) };
        writeln!(out, "  {} {what}{of}: {why}", style::dim("not judged:"))
    })
}
