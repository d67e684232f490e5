//! `maquette diff`: what differs in meaning.

use super::{print_json, printing};
use crate::args::DiffArgs;
use crate::terminal::{listing, notes};
use crate::{Verdict, style};
use maquette::Result;
use maquette::diff::{Difference, beyond, diff_with};
use maquette::fit::Limits;
use std::io::{self, Write};

pub fn run(args: &DiffArgs) -> Result<Verdict> {
    let (a, b) = (maquette::read(&args.a)?, maquette::read(&args.b)?);
    let limits = Limits { pixels: args.max_pixels, ..Limits::DEFAULT };
    let mut found = diff_with(&a.scene, &b.scene, args.tolerance, &limits)?;
    let beyond = beyond(&a, &b);
    found.extend(beyond.differences);
    let mut out = listing(args.json);
    for difference in &found {
        match args.json {
            true => print_json(&mut out, difference)?,
            false => write_text(&mut out, difference).map_err(printing)?,
        }
    }
    out.flush().map_err(printing)?;
    let mut told = notes();
    for both in beyond.not_compared {
        writeln!(told, "not compared, because both have as much: {both}").map_err(printing)?;
    }
    told.flush().map_err(printing)?;
    Ok(if found.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

fn write_text(out: &mut impl Write, difference: &Difference) -> io::Result<()> {
    let Difference { what, subject, a, b, .. } = difference;
    let of = if subject.is_empty() { String::new() } else { format!(" of {subject}") };
    let both = match (a.as_str(), b.as_str()) {
        ("", b) => b.to_owned(),
        (a, "") => format!("{a} |"),
        (a, b) => format!("{a} | {b}"),
    };
    writeln!(out, "{}{of}: {both}", style::bold(what))
}
