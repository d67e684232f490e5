//! What a code or a loss means, and which field a byte belongs to.

use crate::dump::value;
use crate::{Error, Input, Result};
use maquette_formats::format::BUILT_IN;
use maquette_formats::layout::Meaning;
use maquette_formats::locate;
use maquette_formats::walk::Walk;
use maquette_motion::nearest;
use maquette_scene::diag::{Code, paragraph};
use maquette_scene::loss::Lost;
use serde::Serialize;

/// A code in words.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CodeMeaning {
    /// `AEM0045`
    pub code: &'static str,
    /// `joint-parent-out-of-range`
    pub name: &'static str,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// The format it belongs to.
    pub format: &'static str,
    /// What the rule is, why it matters, and what to do.
    pub why: String,
}

/// The meaning of a code, by id or by name, in any case.
pub fn code(asked: &str) -> Result<CodeMeaning> {
    find(asked)
        .map(|(format, code)| CodeMeaning {
            code: code.id,
            name: code.name,
            severity: code.severity.word(),
            format,
            why: code.why(),
        })
        .ok_or_else(|| unknown(asked))
}

pub(crate) fn find(asked: &str) -> Option<(&'static str, &'static Code)> {
    let all = || BUILT_IN.iter().flat_map(|format| format.codes.iter().map(|&code| (format.id, code)));
    all()
        .find(|(_, code)| code.id.eq_ignore_ascii_case(asked))
        .or_else(|| all().find(|(_, code)| code.name.eq_ignore_ascii_case(asked)))
}

pub(crate) fn unknown(asked: &str) -> Error {
    let known =
        BUILT_IN.iter().filter_map(|format| Some((format.codes.first()?.id, format.codes.last()?.id))).collect();
    let codes = BUILT_IN.iter().flat_map(|format| format.codes.iter().flat_map(|code| [code.id, code.name]));
    let near = nearest(asked, codes.chain(Lost::all().map(Lost::word)));
    Error::UnknownCode { asked: asked.to_owned(), known, near }
}

/// A loss in words.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LossMeaning {
    /// `vertex colours`
    pub what: &'static str,
    /// What it means for the result.
    pub why: String,
}

/// The meaning of a loss, by the words of a report, in any case; `None` where nothing is called so.
pub fn loss(asked: &str) -> Option<LossMeaning> {
    Lost::by_word(asked).map(|lost| LossMeaning { what: lost.word(), why: lost.why() })
}

/// Of a longer field, this many bytes are shown, and their value.
pub const SHOWN_BYTES: usize = 128;

/// So many bytes of a field are shown on either side of the one that is asked about.
pub const AROUND_BYTES: usize = 16;

/// A byte of a file in words.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ByteMeaning {
    /// The file as it was named.
    pub file: String,
    /// The byte asked about.
    pub offset: u64,
    /// What it is.
    pub byte: u8,
    /// The field it belongs to.
    pub path: String,
    /// Where the field begins.
    pub field_offset: u64,
    /// How long the field is.
    pub field_bytes: u64,
    /// The field's type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The field's bytes in hexadecimal, the first [`SHOWN_BYTES`] of them.
    pub hex: String,
    /// Where `around` begins.
    pub around_offset: u64,
    /// The byte among its neighbours in the field, in hexadecimal: up to [`AROUND_BYTES`] before it and behind it.
    pub around: String,
    /// The field's value; of a long text as much as those bytes hold, and how many more there are.
    pub value: String,
    /// What the field is, and where that is known from.
    pub about: String,
}

/// The field that the byte at `offset` belongs to, in the file that was read from this input or in what there is of it.
pub fn byte(input: &Input, file: &dyn Walk, offset: u64) -> Result<ByteMeaning> {
    let found = locate::field_at(file, offset).ok_or_else(|| Error::NoSuchByte {
        file: input.label.clone(),
        offset,
        bytes: input.bytes().len() as u64,
    })?;
    let meaning = found.field.map_or(Meaning::Plain, |field| field.meaning);
    // The walk names the bytes of the file in order, so that they need not be copied out of it.
    let from = usize::try_from(found.offset).unwrap_or(usize::MAX);
    let bytes = usize::try_from(found.bytes).ok().and_then(|bytes| input.bytes().get(from..)?.get(..bytes));
    let bytes = bytes.unwrap_or_default();
    let within = usize::try_from(offset.saturating_sub(found.offset)).unwrap_or_default();
    let around = within.saturating_sub(AROUND_BYTES)..bytes.len().min(within.saturating_add(AROUND_BYTES + 1));
    Ok(ByteMeaning {
        file: input.label.clone(),
        offset,
        byte: bytes.get(within).copied().unwrap_or_default(),
        path: found.path.to_string(),
        field_offset: found.offset,
        field_bytes: found.bytes,
        ty: found.ty.name(),
        hex: hex(bytes.get(..SHOWN_BYTES).unwrap_or(bytes)),
        around_offset: found.offset + around.start as u64,
        around: hex(bytes.get(around).unwrap_or_default()),
        value: value::brief(found.ty, bytes, meaning, SHOWN_BYTES),
        about: paragraph(found.field.map_or(found.doc, |field| field.doc)),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
