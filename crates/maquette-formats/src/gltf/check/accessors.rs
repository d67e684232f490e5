//! Rules about buffer views and accessors, and about the values in them.

use super::super::accessor::{Accessors, Component, Elements};
use super::super::schema::Accessor;
use super::{ACCESSOR_ALIGNMENT, BOUNDS_MISSING, BOUNDS_WRONG, NOT_FINITE, STRIDE, needed};
use crate::rules::numbers::all_finite;
use maquette_scene::{Diagnostic, Path, Report, path};
use zerocopy::little_endian::F32;

pub fn check(accessors: &Accessors<'_>, report: &mut Report) {
    let document = accessors.document;
    for (index, view) in document.buffer_views.iter().enumerate() {
        needed(report, accessors.buffers.view(document, index));
        if let Some(stride) = view.byte_stride.filter(|stride| !(4..=252).contains(stride) || stride % 4 != 0) {
            let at = path!("json", "bufferViews", index, "byteStride");
            let finding = Diagnostic::new(&STRIDE, at, format!("the stride is {stride}"));
            report.push(finding.expected("a multiple of 4 from 4 to 252"));
        }
    }
    let mut must_state_bounds = vec![false; document.accessors.len()];
    let positions = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let positions = positions.filter_map(|primitive| primitive.attributes.get("POSITION")?.as_u64());
    let times =
        document.animations.iter().flat_map(|animation| &animation.samplers).map(|sampler| sampler.input as u64);
    for accessor in positions.chain(times) {
        if let Some(must) = usize::try_from(accessor).ok().and_then(|accessor| must_state_bounds.get_mut(accessor)) {
            *must = true;
        }
    }
    for (index, (accessor, must)) in document.accessors.iter().zip(must_state_bounds).enumerate() {
        let at = || path!("json", "accessors", index);
        let stated = accessor.min.is_some() && accessor.max.is_some();
        if must && !stated {
            let finding = Diagnostic::new(&BOUNDS_MISSING, at(), "min or max is missing");
            report.push(finding.expected("both, as for all positions and key times"));
        }
        let Some(elements) = needed(report, accessors.elements(index)) else { continue };
        aligned(accessors, accessor, &elements, at, report);
        let bytes = elements.count.saturating_mul(elements.width).saturating_mul(4) as u64;
        if elements.is_backed() && needed(report, accessors.spend(bytes, at)).is_some() {
            values(accessor, &elements, at, report);
        }
    }
}

fn aligned(
    accessors: &Accessors<'_>,
    accessor: &Accessor,
    elements: &Elements<'_>,
    at: impl Fn() -> Path,
    report: &mut Report,
) {
    let Some(view) = accessor.buffer_view.and_then(|view| accessors.document.buffer_views.get(view)) else { return };
    let within = accessor.byte_offset.unwrap_or(0);
    let begins = view.byte_offset.unwrap_or(0).saturating_add(within);
    let each = elements.component.bytes();
    if !begins.is_multiple_of(each) || !within.is_multiple_of(each) {
        let message = format!("it begins at byte {begins} of the buffer, and its components have {each} bytes");
        report.push(Diagnostic::new(&ACCESSOR_ALIGNMENT, at(), message).expected(format!("a multiple of {each}")));
    }
}

fn values(accessor: &Accessor, elements: &Elements<'_>, at: impl Fn() -> Path, report: &mut Report) {
    let finite = match elements.packed_floats() {
        Some(floats) => all_finite(floats),
        None if elements.component == Component::F32 => {
            flattened(elements).is_none_or(|values| values.iter().all(|x| x.is_finite()))
        }
        None => true,
    };
    if !finite {
        let finding = Diagnostic::new(&NOT_FINITE, at(), "the data holds a NaN or an infinity");
        return report.push(finding.expected("finite numbers"));
    }
    if (accessor.min.is_some() || accessor.max.is_some()) && accessor.normalized != Some(true) {
        bounds(accessor, elements, at, report);
    }
}

/// Every component of the elements, one after another.
fn flattened(elements: &Elements<'_>) -> Option<Vec<f32>> {
    Some(match elements.width {
        1 => elements.floats::<1>()?.into_flattened(),
        2 => elements.floats::<2>()?.into_flattened(),
        3 => elements.floats::<3>()?.into_flattened(),
        4 => elements.floats::<4>()?.into_flattened(),
        9 => elements.floats::<9>()?.into_flattened(),
        16 => elements.floats::<16>()?.into_flattened(),
        _ => return None,
    })
}

fn bounds(accessor: &Accessor, elements: &Elements<'_>, at: impl Fn() -> Path, report: &mut Report) {
    let found = match (elements.packed_floats(), elements.width) {
        (Some(floats), width) => extent(floats.iter().copied().map(F32::get), width),
        (None, width) => match flattened(elements) {
            Some(floats) => extent(floats.into_iter(), width),
            None => return,
        },
    };
    let Some((least, most)) = found else { return };
    for (field, stated, found) in [("min", &accessor.min, &least), ("max", &accessor.max, &most)] {
        let Some(stated) = stated else { continue };
        // Writers print numbers with six digits or so.
        let near = |(stated, found): (&f32, &f32)| (stated - found).abs() <= 1e-5 * found.abs().max(1e-3);
        if stated.len() != found.len() || !stated.iter().zip(found).all(near) {
            let message = format!("{stated:?} is stated, the data has {found:?}");
            report.push(Diagnostic::new(&BOUNDS_WRONG, at().join(field), message).expected("those of the data"));
        }
    }
}

/// The smallest and the largest of each component.
fn extent(values: impl Iterator<Item = f32>, width: usize) -> Option<(Vec<f32>, Vec<f32>)> {
    let mut least = vec![f32::INFINITY; width];
    let mut most = vec![f32::NEG_INFINITY; width];
    let mut component = 0;
    let mut any = false;
    for value in values {
        if let (Some(least), Some(most)) = (least.get_mut(component), most.get_mut(component)) {
            *least = least.min(value);
            *most = most.max(value);
        }
        component = if component + 1 == width { 0 } else { component + 1 };
        any = true;
    }
    any.then_some((least, most))
}
