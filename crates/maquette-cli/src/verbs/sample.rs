//! `maquette sample`: a small model made by code.

use super::{is_standard, print_bytes, refuse_folder, said};
use crate::Verdict;
use crate::args::SampleArgs;
use maquette::formats::format::BUILT_IN;
use maquette::overwrite::{self, Overwrite};
use maquette::write::{by_file_name, by_id};
use maquette::{Error, Result, sample};

pub fn run(args: &SampleArgs) -> Result<Verdict> {
    refuse_folder(&args.output)?;
    let name = maquette::names::file_name(&args.output);
    let format = match &args.format {
        Some(id) => by_id(BUILT_IN, id)?,
        None if is_standard(&args.output) => {
            return Err(Error::Usage("say which format to print: maquette sample - --format aem".into()));
        }
        None => by_file_name(BUILT_IN, &name)?,
    };
    let bundle = match &args.fault {
        Some(code) => sample::broken(format.id, code)?,
        None => {
            let dialect = args.dialect.as_deref().or_else(|| Some(format.dialect_by_ending(&name)?.id));
            sample::make(format.id, dialect)?
        }
    };
    let companions: Vec<_> =
        bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes)).collect();
    let written = match is_standard(&args.output) {
        true => print_bytes(&bundle.main)?,
        false => overwrite::save(&args.output, format, &bundle.main, &companions, &Default::default(), Overwrite::Own)?,
    };
    said(&written);
    Ok(Verdict::Fine)
}
