//! `maquette sample`: a small model made by code.

use super::convert::summary;
use super::{is_standard, print_pieces, printing, refuse_folder, said};
use crate::Verdict;
use crate::args::{SampleArgs, SampleModel};
use crate::terminal::notes;
use maquette::convert::{ConversionReport, ConvertOptions, convert};
use maquette::{Error, Overwrite, Result, WriteOptions, sample};
use std::io::Write;

pub fn run(args: &SampleArgs) -> Result<Verdict> {
    refuse_folder(&args.output)?;
    let is_printed = is_standard(&args.output);
    if is_printed && args.format.is_none() {
        return Err(Error::Usage("say which format to print: maquette sample - --format aem".into()));
    }
    let name = if is_printed { String::new() } else { maquette::names::file_name(&args.output) };
    let asked = WriteOptions { format: args.format.clone(), dialect: args.dialect.clone(), ..WriteOptions::default() };
    let overwrite = if args.force { Overwrite::All } else { Overwrite::Own };
    if args.model == SampleModel::Creature {
        return creature(args, &name, &asked, overwrite);
    }
    let made = match &args.fault {
        Some(code) => sample::fault(&name, &asked, code)?,
        None => sample::post(&name, &asked)?,
    };
    match is_printed {
        true => print_pieces(made.main.pieces())?,
        false => said(&mut notes(), &made.save(&args.output, overwrite)?),
    }
    Ok(Verdict::Fine)
}

/// The creature is a GLB file, and becomes every other as any model does: what the format has no place for is told.
fn creature(args: &SampleArgs, name: &str, asked: &WriteOptions, overwrite: Overwrite) -> Result<Verdict> {
    let input = sample::creature_file()?;
    let options = ConvertOptions { write: asked.clone(), ..ConvertOptions::default() };
    let made = convert(&input, Some(name).filter(|name| !name.is_empty()), &options)?;
    let mut told = notes();
    if is_standard(&args.output) {
        made.must_be_one_file()?;
        print_pieces(made.main.pieces())?;
    } else {
        said(&mut told, &made.save(&args.output, overwrite)?);
    }
    if !made.losses.is_empty() {
        summary::write(&mut told, &ConversionReport::of(&input, &args.output, &made), false).map_err(printing)?;
    }
    told.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}
