//! `maquette dump`: the whole structure.

use super::{look_at, printing};
use crate::Verdict;
use crate::args::DumpArgs;
use crate::terminal::output;
use maquette::dump::{Form, dump};
use maquette::scene::Path;
use maquette::{Error, Input, Result};
use std::io::Write;

/// Items of a table that the tree shows unless all are asked for.
const ITEMS_SHOWN: usize = 8;

pub fn run(args: &DumpArgs) -> Result<Verdict> {
    let section = args.section.as_deref().map(str::parse::<Path>).transpose();
    let section = section.map_err(|error| Error::Usage(error.to_string()))?;
    let form = match (args.json, args.hex) {
        (true, _) => Form::Json,
        (_, true) => Form::Hex,
        _ => Form::Tree { most: (!args.all).then_some(ITEMS_SHOWN) },
    };
    let input = Input::from_path(&args.file)?;
    look_at(&input, args.reading.dialect.as_deref(), |file| {
        let mut out = output(args.json);
        dump(file, form, section.as_ref(), &mut out)?;
        out.flush().map_err(printing)
    })
}
