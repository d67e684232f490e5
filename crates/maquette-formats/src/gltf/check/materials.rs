//! Rules about images.

use super::super::accessor::Accessors;
use super::super::buffers::{fetch, lacks, shortened};
use super::super::images::kind_of_mime;
use super::super::uri::{self, Location};
use super::{DATA_URI, IMAGE_KIND, IMAGE_MISSING, IMAGE_SOURCE, needed};
use crate::format::Source;
use crate::rules::images::image_kind;
use maquette_scene::{Diagnostic, Report, path};
use std::borrow::Cow;

pub fn check(accessors: &Accessors<'_>, source: &Source<'_>, report: &mut Report) {
    let document = accessors.document;
    for (index, image) in document.images.iter().enumerate() {
        let at = || path!("json", "images", index);
        let bytes = match (&image.uri, image.buffer_view) {
            (None, Some(view)) => {
                if image.mime_type.is_none() {
                    let finding = Diagnostic::new(&IMAGE_SOURCE, at(), "the image is in a view and states no type");
                    report.push(finding.expected("a mimeType"));
                }
                needed(report, accessors.buffers.view(document, view)).map(Cow::Borrowed)
            }
            (Some(uri), view) => {
                if view.is_some() {
                    let finding = Diagnostic::new(&IMAGE_SOURCE, at(), "the image is both a file and in a view");
                    report.push(finding.expected("one or the other"));
                }
                behind(uri, index, source, report)
            }
            (None, None) => {
                // An extension may hold the image instead.
                if image.extensions.is_none() {
                    let finding = Diagnostic::new(&IMAGE_SOURCE, at(), "the image is neither a file nor in a view");
                    report.push(finding.expected("one or the other"));
                }
                None
            }
        };
        let Some(bytes) = bytes else { continue };
        let stated = image.mime_type.as_deref().and_then(kind_of_mime);
        let found = image_kind(&bytes);
        if !matches!(found, Some("PNG" | "JPEG")) || stated.is_some_and(|stated| Some(stated) != found) {
            let message = match (stated, found) {
                (Some(stated), Some(found)) => format!("the type says {stated}, the bytes are {found}"),
                (_, found) => format!("the bytes are {}", found.unwrap_or("no image that is known")),
            };
            report.push(Diagnostic::new(&IMAGE_KIND, at(), message).expected("PNG or JPEG, as the type says"));
        }
    }
}

fn behind<'a>(uri: &str, index: usize, source: &Source<'a>, report: &mut Report) -> Option<Cow<'a, [u8]>> {
    let at = path!("json", "images", index, "uri");
    let missing = |message: String| Diagnostic::new(&IMAGE_MISSING, at.clone(), message);
    match uri::resolve(uri) {
        Location::Data(Ok((_, bytes))) => return Some(Cow::Owned(bytes)),
        Location::Data(Err(why)) => {
            let finding = Diagnostic::new(&DATA_URI, at, format!("the data URI cannot be read: {why}"));
            report.push(finding.expected("data:image/png;base64, and base64"));
        }
        Location::Remote => report.push(missing(format!("{} is not fetched", shortened(uri)))),
        Location::File(name) => match fetch(source, &name, uri) {
            Some(bytes) => return Some(bytes),
            None => report.push(missing(lacks(source, &name, uri))),
        },
    }
    None
}
