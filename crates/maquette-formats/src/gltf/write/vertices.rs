//! Vertex attributes as glTF takes them: finite, of unit length, colours from 0 to 1. What is so already stays as it is.

use super::buffer::{Bounds, Kind};
use super::meshes::Attributes;
use super::{Draft, Tally, is_unit, length};
use maquette_scene::glam::Vec3;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::mesh::MorphTarget;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// A direction of unit length, and how far its length was from that; `None` where there is no direction.
fn unit(direction: [f32; 3]) -> Option<([f32; 3], f32)> {
    let length = length(&direction);
    match () {
        () if length == 0.0 || !length.is_finite() => None,
        () if is_unit(length) => Some((direction, 0.0)),
        () => Some((direction.map(|x| (f64::from(x) / length) as f32), (length - 1.0).abs() as f32)),
    }
}

/// Unit normals; `None` where none of them has a direction.
pub fn normals<'a>(normals: &'a [[f32; 3]], subject: &str, losses: &mut LossReport) -> Option<Cow<'a, [[f32; 3]]>> {
    if normals.iter().all(|&normal| unit(normal).is_none()) {
        losses.dropped(Lost::Normals, subject, "none of them has a direction", normals.len() as u64);
        return None;
    }
    let (mut scaled, mut made_up) = (Tally::default(), Tally::default());
    let fixed = changed(normals, |normal| match unit(normal) {
        Some((_, 0.0)) => normal,
        Some((fixed, error)) => {
            scaled.note(error);
            fixed
        }
        None => {
            made_up.note(1.0);
            [0.0, 0.0, 1.0]
        }
    });
    scaled.report(losses, Lost::Normals, subject, "brought to unit length");
    made_up.report(losses, Lost::Normals, subject, "without a direction: +Z instead");
    Some(fixed)
}

/// Unit tangents with a sign; `None` where there are no normals, or none of them has a direction.
pub fn tangents<'a>(
    tangents: &'a [[f32; 4]],
    normals: Option<&[[f32; 3]]>,
    subject: &str,
    losses: &mut LossReport,
) -> Option<Cow<'a, [[f32; 4]]>> {
    let Some(normals) = normals else {
        losses.dropped(Lost::Tangents, subject, "glTF has no tangents without normals", tangents.len() as u64);
        return None;
    };
    if tangents.iter().all(|&[x, y, z, _]| unit([x, y, z]).is_none()) {
        losses.dropped(Lost::Tangents, subject, "none of them has a direction", tangents.len() as u64);
        return None;
    }
    let (mut scaled, mut made_up, mut signs) = (Tally::default(), Tally::default(), Tally::default());
    let mut normal = normals.iter().copied();
    let fixed = changed(tangents, |[x, y, z, w]| {
        let normal = normal.next().unwrap_or([0.0, 0.0, 1.0]);
        let [x, y, z] = match unit([x, y, z]) {
            Some((fixed, error)) => {
                if error > 0.0 {
                    scaled.note(error);
                }
                fixed
            }
            None => {
                made_up.note(1.0);
                Vec3::from(normal).normalize().any_orthonormal_vector().to_array()
            }
        };
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        if w != sign {
            signs.note((w - sign).abs());
        }
        [x, y, z, sign]
    });
    scaled.report(losses, Lost::Tangents, subject, "brought to unit length");
    made_up.report(losses, Lost::Tangents, subject, "without a direction: one across the normal instead");
    signs.report(losses, Lost::Tangents, subject, "signs made 1 or -1");
    Some(fixed)
}

/// Colours from 0 to 1.
pub fn colours<'a>(colours: &'a [[f32; 4]], subject: &str, losses: &mut LossReport) -> Cow<'a, [[f32; 4]]> {
    let colours = match finite(colours, Lost::VertexColours, subject, losses) {
        Cow::Borrowed(colours) => colours,
        Cow::Owned(colours) => return Cow::Owned(clamped(&colours, subject, losses).into_owned()),
    };
    clamped(colours, subject, losses)
}

fn clamped<'a>(colours: &'a [[f32; 4]], subject: &str, losses: &mut LossReport) -> Cow<'a, [[f32; 4]]> {
    let mut clamped = Tally::default();
    let fixed = changed(colours, |colour| {
        let fixed = colour.map(|x| x.clamp(0.0, 1.0));
        if fixed != colour {
            let error = colour.iter().zip(fixed).map(|(x, fixed)| (x - fixed).abs()).fold(0.0, f32::max);
            clamped.note(error);
        }
        fixed
    });
    clamped.report(losses, Lost::VertexColours, subject, "kept between 0 and 1");
    fixed
}

/// Zeros instead of NaN and infinities.
pub fn finite<'a, const N: usize>(
    values: &'a [[f32; N]],
    what: Lost,
    subject: &str,
    losses: &mut LossReport,
) -> Cow<'a, [[f32; N]]> {
    let mut count = 0;
    let fixed = changed(values, |value| {
        let fixed = value.map(|x| if x.is_finite() { x } else { 0.0 });
        count += u64::from(value.iter().any(|x| !x.is_finite()));
        fixed
    });
    losses.dropped(what, subject, "not finite: zeros instead", count);
    fixed
}

/// The same values, copied only if one of them changes.
fn changed<const N: usize>(values: &[[f32; N]], mut change: impl FnMut([f32; N]) -> [f32; N]) -> Cow<'_, [[f32; N]]> {
    let mut copy = Cow::Borrowed(values);
    for (index, &value) in values.iter().enumerate() {
        let fixed = change(value);
        if fixed == value {
            continue;
        }
        if let Some(slot) = copy.to_mut().get_mut(index) {
            *slot = fixed;
        }
    }
    copy
}

/// The accessors of a morph target of a primitive with these attributes: those that the primitive lacks cannot be displaced.
pub fn morph(draft: &mut Draft<'_>, target: &MorphTarget, base: &Attributes, subject: &str) -> Map<String, Value> {
    let mut attributes = Attributes::default();
    let streams = [
        ("POSITION", Some(&target.positions), Bounds::Stated, "positions"),
        ("NORMAL", target.normals.as_ref(), Bounds::Unstated, "normals"),
        ("TANGENT", target.tangents.as_ref(), Bounds::Unstated, "tangents"),
    ];
    for (semantic, values, bounds, of_what) in streams {
        let Some(values) = values else { continue };
        if base.0.contains_key(semantic) {
            let values = finite(values, Lost::MorphTargets, subject, draft.losses);
            attributes.add(draft, semantic.into(), Kind::Vec3, values.as_flattened(), bounds);
        } else {
            draft.losses.dropped(
                Lost::MorphTargets,
                subject,
                format!("their {of_what}; the primitive itself has none"),
                1,
            );
        }
    }
    attributes.0
}
