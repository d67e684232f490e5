//! Files made by code: a sound one for each dialect, a broken one for each rule, and a model to look at.

mod creature;

pub use creature::creature;

use crate::overwrite::Overwrite;
use crate::target::Target;
use crate::write::by_id;
use crate::{Error, Input, Output, Result, WriteOptions, encode, explain, names};
use maquette_formats::format::{self, BUILT_IN, Bundle, DialectInfo};
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
    post(&names::file_name(path), &WriteOptions::default())?.save(path, Overwrite::Own)
}

/// The specimen as a file of this name, in the format and dialect that it or the options ask for.
pub fn post(name: &str, options: &WriteOptions) -> Result<Output> {
    let target = Target::for_file(options, name)?;
    let dialect = dialect(&target)?;
    Ok(Output::of((target.format.sample)(dialect.id), name, target.format, dialect))
}

/// A file of this name that breaks the rule of this code.
pub fn fault(name: &str, options: &WriteOptions, code: &str) -> Result<Output> {
    let target = Target::for_file(options, name)?;
    let bundle = broken(target.format.id, code)?;
    let dialect = dialect(&target)?;
    Ok(Output::of(bundle, name, target.format, dialect))
}

/// The creature as a GLB file, which becomes every other as any model does.
pub fn creature_file() -> Result<Input> {
    let glb = encode(creature(), "creature.glb", &WriteOptions::default())?;
    Ok(Input::from_bytes("creature.glb", Vec::from(glb.main)))
}

fn dialect(target: &Target) -> Result<&'static DialectInfo> {
    let Target { format, dialect } = target;
    let unknown = || Error::UnknownDialect(format::Error::unknown_dialect(format.id, format.dialects, ""));
    dialect.or_else(|| format.dialects.first()).ok_or_else(unknown)
}

/// A file that breaks the rule of this code.
pub fn broken(format: &str, code: &str) -> Result<Bundle> {
    let format = by_id(BUILT_IN, format)?;
    let (_, code) = explain::find(code).ok_or_else(|| explain::unknown(code))?;
    let fault = format.faults.iter().find(|fault| fault.code.id == code.id);
    let fault = fault.ok_or(Error::ForeignCode { code: code.id, format: format.id })?;
    Ok((fault.make)())
}
