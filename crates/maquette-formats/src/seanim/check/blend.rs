//! The rules for the blend-shape trailer.

use super::*;
use crate::rules::numbers;
use crate::seanim::raw::blend::{BlendShape, Trailer};

pub(super) fn trailer(file: &File<'_>, report: &mut Report) {
    match &file.trailer {
        Trailer::None => {}
        Trailer::Damaged { problem, .. } => {
            let finding = Diagnostic::new(&BLEND_DAMAGED, path!("blend_trailer"), problem.as_str());
            report.push(
                finding.expected("a count, as many names, and the keys of each shape, up to the end of the file"),
            );
        }
        Trailer::Blend(shapes) => {
            let message = format!("a trailer with {} blend shapes", shapes.len());
            report.push(Diagnostic::new(&BLEND_TRAILER, path!("blend_header"), message));
            blend_names(shapes, report);
            blend_keys(file, shapes, report);
        }
    }
}

fn blend_names(shapes: &[BlendShape<'_>], report: &mut Report) {
    let at = |index: usize| path!("blend_shape_names", index);
    for (index, shape) in shapes.iter().enumerate() {
        if shape.name.is_empty() {
            names::not_empty(report, &BLEND_NAME, at(index), &shape.name);
        }
        if !shape.name.is_ascii() {
            names::utf8(report, &BLEND_NAME, at(index), &shape.name);
        }
    }
    names::unique(report, &BLEND_NAME_DUPLICATE, shapes.iter().map(|shape| &*shape.name), at);
}

fn blend_keys(file: &File<'_>, shapes: &[BlendShape<'_>], report: &mut Report) {
    let [mut not_finite, mut unsorted, mut beyond] = [Tally::default(), Tally::default(), Tally::default()];
    for (index, shape) in shapes.iter().enumerate() {
        let mut before = None;
        for (at, key) in shape.keys.iter().enumerate() {
            let place = |field: &'static str| path!("blend_shapes", index, "keys", at, field);
            let frame = key.frame.get();
            if !numbers::all_finite(&key.value) {
                not_finite.hit(report, || {
                    Diagnostic::new(&BLEND_KEY_NOT_FINITE, place("value"), "the value is not finite")
                        .expected("finite numbers")
                });
            }
            if let Some(before) = before.filter(|&before| frame <= before) {
                unsorted.hit(report, || {
                    let message = format!("the frame is {frame}, after a key on frame {before}");
                    Diagnostic::new(&BLEND_KEYS_UNSORTED, place("frame"), message).expected("rising frames")
                });
            }
            before = Some(frame);
            if frame >= file.frame_count {
                beyond.hit(report, || {
                    let message = format!("the frame is {frame}, the frame count {}", file.frame_count);
                    Diagnostic::new(&BLEND_BEYOND_END, place("frame"), message)
                        .expected("a frame below the frame count")
                });
            }
        }
    }
    for tally in [not_finite, unsorted, beyond] {
        tally.finish(report);
    }
}
