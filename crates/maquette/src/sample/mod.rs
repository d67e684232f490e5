//! Files made by code: a sound one for each dialect, a broken one for each rule, and a model to look at.

mod creature;

pub use creature::creature;

use crate::input::Sources;
use crate::overwrite::{self, Overwrite};
use crate::write::{by_file_name, by_id};
use crate::{Error, Result, explain, names};
use maquette_formats::format::{BUILT_IN, Bundle};
use std::path::{Path, PathBuf};

/// The specimen in a format, in this dialect or in the default one.
pub fn make(format: &str, dialect: Option<&str>) -> Result<Bundle> {
    let format = by_id(BUILT_IN, format)?;
    let dialect = match dialect {
        None => format.dialects.first().map_or("", |dialect| dialect.id),
        Some(asked) => format.known_dialect(asked).map_err(Error::UnknownDialect)?.id,
    };
    Ok((format.sample)(dialect))
}

/// Writes the specimen to a file whose ending names the format, and its companion files with it; the files that were written.
pub fn save(path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let path = path.as_ref();
    let name = names::file_name(path);
    let format = by_file_name(BUILT_IN, &name)?;
    let bundle = make(format.id, format.dialect_by_ending(&name).map(|dialect| dialect.id))?;
    let companions: Vec<_> =
        bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes)).collect();
    overwrite::save(path, format, &bundle.main, &companions, &Sources::default(), Overwrite::Own)
}

/// A file that breaks the rule of this code.
pub fn broken(format: &str, code: &str) -> Result<Bundle> {
    let format = by_id(BUILT_IN, format)?;
    let (_, code) = explain::find(code).ok_or_else(|| explain::unknown(code))?;
    let fault = format.faults.iter().find(|fault| fault.code.id == code.id);
    let fault = fault.ok_or(Error::ForeignCode { code: code.id, format: format.id })?;
    Ok((fault.make)())
}
