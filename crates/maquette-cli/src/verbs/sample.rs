//! `maquette sample`: a small model made by code.

use super::{is_standard, print_pieces, refuse_folder, said};
use crate::Verdict;
use crate::args::SampleArgs;
use crate::terminal::notes;
use maquette::overwrite::{self, Overwrite};
use maquette::target::Target;
use maquette::{Error, Result, WriteOptions, sample};

pub fn run(args: &SampleArgs) -> Result<Verdict> {
    refuse_folder(&args.output)?;
    let is_printed = is_standard(&args.output);
    if is_printed && args.format.is_none() {
        return Err(Error::Usage("say which format to print: maquette sample - --format aem".into()));
    }
    let name = if is_printed { String::new() } else { maquette::names::file_name(&args.output) };
    let asked = WriteOptions { format: args.format.clone(), dialect: args.dialect.clone(), ..WriteOptions::default() };
    let target = Target::for_file(&asked, &name)?;
    let format = target.format;
    let bundle = match &args.fault {
        Some(code) => sample::broken(format.id, code)?,
        None => sample::make(format.id, target.dialect.map(|dialect| dialect.id))?,
    };
    let companions: Vec<_> =
        bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes)).collect();
    let overwrite = if args.force { Overwrite::All } else { Overwrite::Own };
    if is_printed {
        print_pieces([&*bundle.main].into_iter())?;
    } else {
        let written = overwrite::save(&args.output, format, &bundle.main, &companions, &Default::default(), overwrite)?;
        said(&mut notes(), &written);
    }
    Ok(Verdict::Fine)
}
