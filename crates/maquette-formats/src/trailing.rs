//! A few bytes too many at the end of a file.
//!
//! Tools that copy, pack and download leave them: a line feed, zeros up to the end of a page. Engines read as much as the counts
//! say and never see them. Here such a file is read with a warning, and its bytes are kept for writing it back.
//!
//! Four formats tell their dialects apart by where the file ends, so the end may not be taken lightly. A dialect that ends exactly with the
//! file comes first, always. Only where none does, one may leave a few bytes ([`are_few`]), and only if no other makes sense: neither
//! by leaving some itself, nor as a file that was cut short ([`only_near`]).

use crate::format::Error;
use crate::walk::Walker;
use maquette_scene::diag::{Code, Diagnostic, Report};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::{Path, path};

/// The most bytes that are taken for leavings: what filling up a page of memory or a block of a disk adds. What real layouts put
/// behind one another (a table of textures, a skeleton, the names of bones) is rarely less.
pub const MOST_BYTES: u64 = 4096;

/// Whether bytes after the `end` of what was read are few: no more than [`MOST_BYTES`], and no more than were read.
pub fn are_few(bytes: u64, end: u64) -> bool {
    bytes <= MOST_BYTES.min(end)
}

/// How far the end of one reading is from the end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Bytes that the file lacks.
    pub missing: u64,
    /// Bytes that it has too many.
    pub left: u64,
}

/// The one way to read a file of this size that leaves a few bytes, if there is no other that leaves any number of them, or that the file may have been
/// cut short of. Ways that leave equally many are one, and the first of them stands for it.
///
/// `gap` is `None` for what makes no sense. A file may have been cut short of no more than it has.
pub fn only_near<W: Copy>(file_bytes: u64, ways: &[W], gap: impl Fn(W) -> Option<Gap>) -> Option<W> {
    let mut only: Option<(W, u64)> = None;
    for &way in ways {
        match (gap(way), only) {
            (Some(Gap { missing: 0, left }), None) => only = Some((way, left)),
            (Some(Gap { missing: 0, left }), Some((_, other))) if left == other => {}
            (Some(Gap { missing, .. }), _) if missing <= file_bytes.saturating_add(MOST_BYTES) => return None,
            _ => {}
        }
    }
    only.filter(|&(_, left)| are_few(left, file_bytes.saturating_sub(left))).map(|(way, _)| way)
}

/// The error for a file that leaves a few bytes in this dialect, where others end near as well.
pub fn unclear(code: &'static Code, dialect: &str, bytes: &[u8], trailing: &[u8]) -> Error {
    let (left, end) = (trailing.len(), bytes.len() - trailing.len());
    let message =
        format!("{left} bytes follow the last field if this is {dialect}, and other dialects would do as well");
    let finding = Diagnostic::new(code, Path::default(), message).at_offset(end as u64);
    Error::Malformed(Box::new(finding.expected(format!("{end} bytes, or a dialect that is asked for"))))
}

/// What is said about a file's dialect when bytes are left behind it.
pub fn evidence(trailing: &[u8]) -> String {
    match trailing.len() {
        0 => String::new(),
        left => format!("; {left} bytes are left over after that"),
    }
}

/// Names the bytes, if there are any.
pub fn walk(walker: &mut Walker<'_>, trailing: &[u8]) {
    if !trailing.is_empty() {
        walker.blob(
            "trailing",
            trailing,
            "Bytes after the last field, which readers do not look at. [described nowhere]",
        );
    }
}

/// Reports the bytes, if there are any.
pub fn check(trailing: &[u8], code: &'static Code, report: &mut Report) {
    if !trailing.is_empty() {
        let message = format!("{} bytes follow the end of the data", trailing.len());
        report.push(Diagnostic::new(code, path!("trailing"), message).expected("nothing"));
    }
}

/// Reports that a scene does not hold the bytes.
pub fn lose(trailing: &[u8], losses: &mut LossReport) {
    if !trailing.is_empty() {
        losses.dropped(Lost::FormatDetails, "the file", format!("{} bytes after its last field", trailing.len()), 1);
    }
}

/// Makes a file too long to be read.
pub(crate) fn append_too_many(bytes: &mut Vec<u8>) {
    let few = MOST_BYTES.min(bytes.len() as u64) as usize;
    bytes.resize(bytes.len() + few + 1, b'.');
}
