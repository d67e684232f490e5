//! Files made by code: a sound one for each dialect, and a broken one for each rule.

use crate::write::by_id;
use crate::{Error, Result, explain};
use maquette_formats::format::{BUILT_IN, Bundle};

/// The specimen in a format, in this dialect or in the default one.
pub fn make(format: &str, dialect: Option<&str>) -> Result<Bundle> {
    let format = by_id(BUILT_IN, format)?;
    let dialect = match dialect {
        None => format.dialects.first().map_or("", |dialect| dialect.id),
        Some(asked) => format.known_dialect(asked).map_err(Error::UnknownDialect)?.id,
    };
    Ok((format.sample)(dialect))
}

/// A file that breaks the rule of this code.
pub fn broken(format: &str, code: &str) -> Result<Bundle> {
    let format = by_id(BUILT_IN, format)?;
    let (_, code) = explain::find(code).ok_or_else(|| explain::unknown(code))?;
    let fault = format.faults.iter().find(|fault| fault.code.id == code.id);
    let fault = fault.ok_or(Error::ForeignCode { code: code.id, format: format.id })?;
    Ok((fault.make)())
}
