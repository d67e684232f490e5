//! `maquette diff`: what differs in meaning.

use super::{output, print_json, printing};
use crate::args::DiffArgs;
use crate::{Verdict, style};
use maquette::Result;
use maquette::diff::{Difference, diff};
use std::io::{self, Write};

pub fn run(args: &DiffArgs) -> Result<Verdict> {
    // What a reader could not keep differs from nothing; only what both scenes hold is compared.
    let (a, b) = (maquette::read(&args.a)?.scene, maquette::read(&args.b)?.scene);
    let found = diff(&a, &b, args.tolerance);
    let mut out = output();
    for difference in &found {
        match args.json {
            true => print_json(&mut out, difference)?,
            false => write_text(&mut out, difference).map_err(printing)?,
        }
    }
    out.flush().map_err(printing)?;
    Ok(if found.is_empty() { Verdict::Fine } else { Verdict::Findings })
}

fn write_text(out: &mut impl Write, difference: &Difference) -> io::Result<()> {
    let Difference { what, subject, a, b, .. } = difference;
    write!(out, "{}", style::bold(what))?;
    if !subject.is_empty() {
        write!(out, " of {subject}")?;
    }
    match a.is_empty() {
        true => writeln!(out, ": {b}"),
        false => writeln!(out, ": {a} | {b}"),
    }
}
