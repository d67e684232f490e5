//! Files made by code: a sound one for each dialect, and a broken one for each rule.

use crate::{Error, Result, explain};
use maquette_formats::format::{self, Bundle, Format};

/// The specimen in a format, in this dialect or in the default one.
pub fn make(format: &str, dialect: Option<&str>) -> Result<Bundle> {
    let format = by_id(format)?;
    let dialect = match dialect {
        None => format.dialects.first().map_or("", |dialect| dialect.id),
        Some(asked) => known_dialect(format, asked)?,
    };
    Ok((format.sample)(dialect))
}

/// The dialect of this name, or the error that lists them.
pub fn known_dialect(format: &'static Format, asked: &str) -> Result<&'static str> {
    format.dialect(asked).map(|dialect| dialect.id).ok_or_else(|| {
        Error::request(format::Error::UnknownDialect { format: format.id, asked: asked.into() }.to_string())
    })
}

/// The dialect that the ending of a name asks for, where endings and dialects of a format go together.
pub fn dialect_by_ending(format: &'static Format, name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let at = format.extensions.iter().position(|known| known.eq_ignore_ascii_case(ending))?;
    let go_together = format.extensions.len() > 1 && format.extensions.len() == format.dialects.len();
    format.dialects.get(at).filter(|_| go_together).map(|dialect| dialect.id)
}

/// A file that breaks the rule of this code.
pub fn broken(format: &str, code: &str) -> Result<Bundle> {
    let format = by_id(format)?;
    let (_, code) = explain::find(code).ok_or_else(|| explain::unknown(code))?;
    let fault = format.faults.iter().find(|fault| fault.code.id == code.id);
    let fault = fault.ok_or_else(|| Error::request(format!("{} is no finding about {} files", code.id, format.id)))?;
    Ok((fault.make)())
}

/// The format of this id, or the error that lists them.
pub fn by_id(id: &str) -> Result<&'static Format> {
    format::by_id(id).ok_or_else(|| {
        let known: Vec<_> = format::ALL.iter().map(|format| format.id).collect();
        Error::request(format!("`{id}` is no format; the formats are {}", known.join(", ")))
    })
}

/// The format of files with this name, or the error that lists the endings.
pub fn by_file_name(name: &str) -> Result<&'static Format> {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.and_then(format::by_extension).ok_or_else(|| {
        let known: Vec<_> = format::ALL.iter().flat_map(|f| f.extensions).map(|e| format!(".{e}")).collect();
        Error::request(format!("the ending of `{name}` names no format; known are {}", known.join(", ")))
    })
}
