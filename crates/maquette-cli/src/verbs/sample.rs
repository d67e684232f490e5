//! `maquette sample`: a small model made by code.

use super::{beside, is_standard, refuse_folder, refuse_terminal, said, write_files};
use crate::Verdict;
use crate::args::SampleArgs;
use maquette::{Error, Result, sample};

pub fn run(args: &SampleArgs) -> Result<Verdict> {
    refuse_folder(&args.output)?;
    let name = args.output.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let format = match &args.format {
        Some(id) => sample::by_id(id)?,
        None if is_standard(&args.output) => {
            return Err(Error::Request("say which format to print: maquette sample - --format aem".into()));
        }
        None => sample::by_file_name(&name)?,
    };
    let bundle = match &args.fault {
        Some(code) => sample::broken(format.id, code)?,
        None => {
            let dialect = args.dialect.as_deref().or_else(|| sample::dialect_by_ending(format, &name));
            sample::make(format.id, dialect)?
        }
    };
    refuse_terminal(&args.output, &bundle.main)?;
    let companions = bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes)).collect();
    said(&write_files(&args.output, &bundle.main, &beside(&args.output, format, companions))?);
    Ok(Verdict::Fine)
}
