//! `maquette convert`: from file to file.

use super::{is_standard, write_files};
use crate::Verdict;
use crate::args::ConvertArgs;
use maquette::convert::convert;
use maquette::{Input, Result};

pub fn run(args: &ConvertArgs) -> Result<Verdict> {
    let input = Input::from_path(&args.input)?;
    let opened = input.open(None)?;
    let name = args.output.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|_| !is_standard(&args.output));
    let converted = convert(&input, &opened, name.as_deref())?;
    write_files(&args.output, &converted.main, &converted.beside)?;
    Ok(Verdict::Fine)
}
