//! What a place on a triangle looks like, in each mode.

use crate::frame::Frame;
use crate::light::Reach;
use crate::maths::{at, floor, log2, mix};
use crate::mode::Mode;
use crate::surface::{self, Surface};
use crate::tone_map::ToneMap;
use crate::triangle::{Shares, Triangle};
use maquette_scene::glam::Vec3;
use maquette_scene::material::AlphaMode;
use maquette_scene::mesh::Influences;

/// How numbers become bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Linear light, encoded as sRGB.
    Srgb,
    /// As they are.
    Plain,
}

impl Encoding {
    /// Of the pictures of a mode.
    pub fn of(mode: Mode, tone_map: ToneMap) -> Encoding {
        match mode {
            Mode::Shaded if tone_map == ToneMap::Linear => Encoding::Plain,
            Mode::Shaded | Mode::BaseColour | Mode::Emissive => Encoding::Srgb,
            _ => Encoding::Plain,
        }
    }
}

/// Colour and opacity, the colour not yet times the opacity.
pub(crate) fn shade(frame: &Frame<'_>, triangle: &Triangle<'_>, x: f32, y: f32) -> (Vec3, f32) {
    let shares = triangle.shares(x, y);
    let stage = frame.posed.stage();
    let grey = |value: f32| (Vec3::splat(value), 1.0);
    let whole = || surface::surface(stage, triangle, &shares, &frame.places);
    let axes = || surface::axes(triangle, &shares, surface::corners(triangle, &frame.places), 0);
    let direction = |v: Vec3| (v * 0.5 + Vec3::splat(0.5), 1.0);
    match frame.mode {
        Mode::Shaded => shaded(frame, triangle, &shares, whole(), [x, y]),
        Mode::BaseColour => surface::base_colour(stage, triangle, &shares),
        Mode::Opacity => grey(opacity(triangle, surface::base_colour(stage, triangle, &shares).1)),
        Mode::NormalMap => direction(whole().normal),
        Mode::Roughness => grey(whole().roughness),
        Mode::Occlusion => grey(whole().occlusion),
        Mode::Metalness => grey(whole().metallic),
        Mode::Emissive => (whole().emissive, 1.0),
        Mode::VertexPosition => {
            let place = triangle.mix3(shares.here, surface::corners(triangle, &frame.places));
            (frame.within_bounds(place), 1.0)
        }
        Mode::VertexNormal => direction(axes().normal),
        Mode::VertexTangent => direction(axes().tangent),
        Mode::VertexBitangent => direction(axes().bitangent),
        Mode::UvChecker => (checker(triangle, &shares), 1.0),
        Mode::Weights | Mode::InfluenceCount => (influences(frame.mode, triangle, &shares), 1.0),
        Mode::Wireframe => (frame.background, frame.background_opacity),
        // Drawn by counting.
        Mode::Overdraw => grey(0.0),
        Mode::TexelDensity => (density(frame, triangle), 1.0),
    }
}

fn shaded(frame: &Frame<'_>, triangle: &Triangle<'_>, shares: &Shares, surface: Surface, at: [f32; 2]) -> (Vec3, f32) {
    if triangle.material.unlit {
        return (surface.base_colour.clamp(Vec3::ZERO, Vec3::ONE), surface.opacity);
    }
    let place = triangle.mix3(shares.here, surface::corners(triangle, &frame.places));
    let lit = surface.normal.dot(frame.lamps.towards_key) > 0.0;
    let reach = Reach {
        key: match &frame.shadow {
            Some(shadow) if lit => shadow.reach(place, surface.flat_normal, frame.lamps.towards_key),
            _ => 1.0,
        },
        around: frame.hollows.as_ref().map_or(1.0, |hollows| hollows.reach(at)),
    };
    let light = frame.lamps.shade(&surface, frame.lens.towards_viewer(place), reach);
    (frame.tone_map.apply(light * frame.exposure), surface.opacity)
}

/// What of the alpha of its colours a material lets count.
fn opacity(triangle: &Triangle<'_>, alpha: f32) -> f32 {
    match triangle.material.alpha {
        AlphaMode::Opaque => 1.0,
        AlphaMode::Mask(_) | AlphaMode::Blend => alpha,
    }
}

fn checker(triangle: &Triangle<'_>, shares: &Shares) -> Vec3 {
    if triangle.uvs(0).is_none() {
        return Vec3::splat(0.5);
    }
    let [u, v] = triangle.footprint(shares, 0).uv;
    let [in_u, in_v] = [u - floor(u), v - floor(v)];
    let [column, row] = [in_u * 8.0, in_v * 8.0].map(|place| place as i32);
    let light = if (column + row) % 2 == 0 { 1.0 } else { 0.62 };
    Vec3::new(mix(0.25, 1.0, in_u), mix(0.25, 1.0, in_v), mix(1.0, 0.35, in_u.max(in_v))) * light
}

/// Colours that differ from one joint to the next.
fn joint_colour(joint: u32) -> Vec3 {
    // Steps of the golden ratio around the circle of colours.
    let around = joint as f32 * 0.618_034;
    let around = (around - floor(around)) * 6.0;
    let channel = |shift: f32| {
        let place = around + shift;
        let place = if place >= 6.0 { place - 6.0 } else { place };
        ((place - 3.0).abs() - 1.0).clamp(0.0, 1.0)
    };
    let value = if joint.is_multiple_of(2) { 1.0 } else { 0.72 };
    (Vec3::new(channel(0.0), channel(4.0), channel(2.0)) * 0.8 + Vec3::splat(0.2)) * value
}

fn influences(mode: Mode, triangle: &Triangle<'_>, shares: &Shares) -> Vec3 {
    let Some(influences) = triangle.part.streams.and_then(|streams| streams.influences.as_ref()) else {
        return UNBOUND;
    };
    triangle.mix3(shares.here, triangle.corners.map(|corner| influence_colour(mode, influences, corner)))
}

/// What nothing is known of.
pub(crate) const UNBOUND: Vec3 = Vec3::splat(0.45);

/// The colour of a vertex by its joints: which they are, or in any other mode than [`Mode::Weights`] how many.
pub(crate) fn influence_colour(mode: Mode, influences: &Influences, vertex: usize) -> Vec3 {
    let mut count = 0;
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for (joint, weight) in influences.of(vertex) {
        count += 1;
        sum += joint_colour(joint) * weight;
        total += weight;
    }
    match mode {
        Mode::Weights if total > 0.0 => sum / total,
        Mode::Weights => UNBOUND,
        _ => at(&COUNTS, count.min(COUNTS.len() - 1)),
    }
}

/// None, one, two, three, four, more.
const COUNTS: [Vec3; 6] = [
    Vec3::new(0.45, 0.45, 0.45),
    Vec3::new(0.2, 0.4, 0.95),
    Vec3::new(0.15, 0.75, 0.3),
    Vec3::new(0.95, 0.85, 0.2),
    Vec3::new(0.95, 0.25, 0.15),
    Vec3::new(0.7, 0.2, 0.85),
];

/// From few to many.
pub(crate) const HEAT: [Vec3; 6] = [
    Vec3::new(0.05, 0.1, 0.45),
    Vec3::new(0.1, 0.45, 0.95),
    Vec3::new(0.1, 0.8, 0.4),
    Vec3::new(0.95, 0.85, 0.15),
    Vec3::new(0.95, 0.25, 0.1),
    Vec3::new(1.0, 1.0, 1.0),
];

/// A colour of a scale, from 0 to 1.
pub(crate) fn heat(part: f32) -> Vec3 {
    let place = part.clamp(0.0, 1.0) * (HEAT.len() - 1) as f32;
    let first = (place as usize).min(HEAT.len() - 2);
    at(&HEAT, first).lerp(at(&HEAT, first + 1), place - first as f32)
}

/// As many texels as there are across a model, were it all as this triangle: from 32, each colour for four times as many.
fn density(frame: &Frame<'_>, triangle: &Triangle<'_>) -> Vec3 {
    let nothing = UNBOUND;
    let sampler = triangle.material.base_texture.as_ref();
    let texture = sampler.and_then(|sampler| frame.posed.stage().textures.get(sampler.texture)?.as_ref());
    let (Some(sampler), Some(texture)) = (sampler, texture) else { return nothing };
    let (Some([p, q, r]), Some(level)) = (triangle.uvs(sampler.uv_set), texture.levels.first()) else { return nothing };
    let [a, b, c] = surface::corners(triangle, &frame.places);
    let area = (b - a).cross(c - a).length();
    let covered = ((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])).abs();
    let texels = covered * level.width as f32 * level.height as f32;
    if !(area > 0.0 && texels > 0.0) {
        return nothing;
    }
    // A model is two units across.
    let across = (texels / area).sqrt() * 2.0;
    heat((log2(across) - 5.0) / 10.0)
}
