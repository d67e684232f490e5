//! Rules about chunks, lengths and padding.

use super::super::raw::{BIN, Dialect, File, JSON};
use super::super::text::BYTE_ORDER_MARK;
use super::{
    CHUNK_ALIGNMENT, CHUNK_ORDER, CHUNK_REPEATED, CHUNK_UNKNOWN, JSON_BOM, JSON_PADDING, LENGTH_MISMATCH,
    TRAILING_BYTES,
};
use crate::trailing;
use maquette_scene::{Diagnostic, Report, path};

pub fn check(file: &File<'_>, report: &mut Report) {
    text(file, report);
    trailing::check(&file.trailing, &TRAILING_BYTES, report);
    if file.dialect == Dialect::Text {
        return;
    }
    if let Some(length) = file.length {
        let finding = Diagnostic::new(&LENGTH_MISMATCH, path!("header", "length"), format!("the length is {length}"));
        report.push(finding.expected("the size of the file"));
    }
    chunks(file, report);
}

fn text(file: &File<'_>, report: &mut Report) {
    if file.json.starts_with(BYTE_ORDER_MARK) {
        let finding = Diagnostic::new(&JSON_BOM, path!("json"), "the text begins with a byte order mark");
        report.push(finding.expected("a brace"));
    }
    if file.json.ends_with(b"\0") {
        let finding = Diagnostic::new(&JSON_PADDING, path!("json"), "the text ends with zeros");
        report.push(finding.expected("spaces"));
    }
}

fn chunks(file: &File<'_>, report: &mut Report) {
    let aligned = |report: &mut Report, length: usize, at| {
        if !length.is_multiple_of(4) {
            let message = format!("the length of the chunk is {length}");
            report.push(Diagnostic::new(&CHUNK_ALIGNMENT, at, message).expected("a multiple of 4"));
        }
    };
    aligned(report, file.json.len(), path!("json_header", "length"));
    let bin = file.chunks.iter().position(|chunk| chunk.kind == BIN);
    for (index, chunk) in file.chunks.iter().enumerate() {
        let kind = path!("chunks", index, "header", "kind");
        aligned(report, chunk.data.len(), path!("chunks", index, "header", "length"));
        match chunk.kind {
            BIN if bin != Some(index) => {
                report.push(Diagnostic::new(&CHUNK_REPEATED, kind, "this is another binary chunk").expected("one"));
            }
            BIN if index > 0 => {
                let message = format!("the binary chunk is chunk {}", index + 2);
                report.push(Diagnostic::new(&CHUNK_ORDER, kind, message).expected("the second chunk"));
            }
            BIN => {}
            JSON => report.push(Diagnostic::new(&CHUNK_REPEATED, kind, "this is another JSON chunk").expected("one")),
            other => {
                report.push(Diagnostic::new(&CHUNK_UNKNOWN, kind, format!("the kind of the chunk is {other:#010x}")))
            }
        }
    }
}
