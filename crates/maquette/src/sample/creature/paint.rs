//! Textures. Skin is painted in the space of the model: each texel knows the place that it covers, so that nothing ends where a surface does.

use super::maths::{bump, circle, noise, smooth};
use super::surface::{Place, Window};
use super::{body, face, limbs};
use maquette_scene::glam::DVec3;
use maquette_texture::png;

/// Texels of a side of the skin.
const SIDE: u32 = 256;
/// Texels around a window that are painted like its edge, for mip levels.
const GUTTER: f64 = 3.5 / SIDE as f64;

/// The pictures of the skin.
pub struct Skin {
    pub base_colour: Vec<u8>,
    pub normal: Vec<u8>,
    pub occlusion_roughness_metalness: Vec<u8>,
    pub emissive: Vec<u8>,
}

/// What is painted onto.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Body,
    Leg,
    Toe,
    Lid,
}

struct Canvas {
    window: Window,
    kind: Kind,
    point: fn(Place) -> DVec3,
}

const CANVASES: [Canvas; 5] = [
    Canvas { window: body::PATCH.window, kind: Kind::Body, point: body::point },
    Canvas { window: limbs::FRONT.patch.window, kind: Kind::Leg, point: |place| limbs::FRONT.point(place) },
    Canvas { window: limbs::HIND.patch.window, kind: Kind::Leg, point: |place| limbs::HIND.point(place) },
    Canvas { window: limbs::TOE.window, kind: Kind::Toe, point: |place| limbs::FRONT.toe(0.0, place) },
    Canvas { window: face::LID.window, kind: Kind::Lid, point: |place| face::lid(place, 0.0) },
];

/// A place of the skin.
struct Spot {
    at: DVec3,
    /// From the belly, -1, to the back, 1.
    back: f64,
    kind: Kind,
}

impl Canvas {
    fn spot(&self, place: Place) -> Spot {
        let at = (self.point)(place);
        let back = match self.kind {
            // All sides meet at the tip of the snout: there it is height that counts.
            Kind::Body => {
                let (around, high) = (-circle(place.0).1, (at.y - 0.335) / 0.11);
                around + (high.clamp(-1.0, 1.0) - around) * smooth(0.44, 0.53, at.z)
            }
            Kind::Leg => 0.25 + 0.5 * smooth(0.0, 0.2, at.y),
            Kind::Toe => 0.0,
            Kind::Lid => 0.9,
        };
        Spot { at, back, kind: self.kind }
    }
}

pub fn skin() -> Option<Skin> {
    let canvas = |u: f64, v: f64| {
        CANVASES.iter().find_map(|canvas| {
            let Window { from: [left, top], to: [right, bottom] } = canvas.window;
            let is_near = u > left - GUTTER && u < right + GUTTER && v > top - GUTTER && v < bottom + GUTTER;
            let place = ((u - left) / (right - left), ((v - top) / (bottom - top)).clamp(0.0, 1.0));
            is_near.then_some((canvas, place))
        })
    };
    let painted = |side: u32, paint: &dyn Fn(&Canvas, Place) -> [f64; 3], empty: [f64; 3]| {
        picture(side, side, |u, v| {
            let [r, g, b] = canvas(u, v).map_or(empty, |(canvas, place)| paint(canvas, place));
            [r, g, b, 1.0]
        })
    };
    Some(Skin {
        base_colour: painted(SIDE, &|canvas, place| colour(&canvas.spot(place)), [0.3, 0.4, 0.45])?,
        normal: painted(SIDE / 2, &normal, [0.5, 0.5, 1.0])?,
        occlusion_roughness_metalness: painted(SIDE, &|canvas, place| surface(&canvas.spot(place)), [1.0, 0.6, 0.0])?,
        emissive: painted(SIDE, &|canvas, place| glow(&canvas.spot(place)), [0.0; 3])?,
    })
}

fn mix(from: [f64; 3], to: [f64; 3], part: f64) -> [f64; 3] {
    let [[a, b, c], [d, e, f]] = [from, to];
    [a + (d - a) * part, b + (e - b) * part, c + (f - c) * part]
}

const BACK: [f64; 3] = [0.13, 0.45, 0.58];
const DARK: [f64; 3] = [0.13, 0.25, 0.50];
const FLANK: [f64; 3] = [0.30, 0.72, 0.70];
const BELLY: [f64; 3] = [0.96, 0.82, 0.66];
const BLUSH: [f64; 3] = [0.93, 0.47, 0.42];
const LINE: [f64; 3] = [0.16, 0.12, 0.20];

fn colour(spot: &Spot) -> [f64; 3] {
    let Spot { at, back, kind } = *spot;
    if kind == Kind::Toe {
        return mix(BLUSH, BELLY, 0.25);
    }
    let ragged = back + 0.30 * (noise(at * 14.0) - 0.5);
    let mut colour = mix(FLANK, BACK, smooth(0.1, 0.85, ragged));
    let blotches = smooth(0.56, 0.66, noise(at * 9.0 + DVec3::splat(3.0))) * smooth(-0.1, 0.3, back);
    colour = mix(colour, DARK, 0.75 * blotches);
    if kind == Kind::Body {
        colour = mix(BELLY, colour, smooth(-0.58, -0.30, ragged));
        colour = mix(colour, BLUSH, 0.75 * (0..2).map(|side| cheek(at, side)).sum::<f64>());
        colour = mix(colour, BLUSH, smooth(0.36, 0.47, at.y) * smooth(-0.6, -0.75, at.z));
        let (spots, rims) = glowing(at);
        colour = mix(mix(colour, DARK, 0.8 * rims), [0.55, 0.95, 0.80], spots);
        colour = mix(colour, LINE, 0.9 * mouth(at).max(nostrils(at)));
    } else if kind == Kind::Leg {
        colour = mix(colour, mix(BLUSH, BELLY, 0.25), 0.8 * smooth(0.075, 0.03, at.y));
    }
    colour
}

fn cheek(at: DVec3, side: u32) -> f64 {
    let x = if side == 0 { 0.205 } else { -0.205 };
    bump(0.0, 0.075, at.distance(DVec3::new(x, 0.322, 0.392)))
}

/// A line around the snout that rises to its ends.
fn mouth(at: DVec3) -> f64 {
    let back = (0.56 - at.z).max(0.0);
    let high = 0.300 + 3.2 * back * back;
    bump(0.0, 0.012, at.y - high) * smooth(0.195, 0.165, back)
}

fn nostrils(at: DVec3) -> f64 {
    [0.046, -0.046].iter().map(|x| bump(0.0, 0.014, at.distance(DVec3::new(*x, 0.374, 0.528)))).fold(0.0, f64::max)
}

/// Spots of the left side that glow: around the body, along it, and how large.
const GLOWING: [[f64; 3]; 11] = [
    [0.37, 9.5, 0.030],
    [0.30, 10.5, 0.022],
    [0.38, 11.4, 0.036],
    [0.30, 12.3, 0.023],
    [0.37, 13.3, 0.031],
    [0.31, 14.3, 0.020],
    [0.37, 15.3, 0.024],
    [0.33, 16.6, 0.019],
    [0.34, 18.0, 0.015],
    [0.44, 5.9, 0.024],
    [0.41, 6.8, 0.017],
];

/// How much of a glowing spot is here, and how much of the rim around one.
fn glowing(at: DVec3) -> (f64, f64) {
    let here = DVec3::new(at.x.abs(), at.y, at.z);
    let mut most = (0.0_f64, 0.0_f64);
    for [u, ring, large] in GLOWING {
        let far = here.distance(body::on_ring(u, ring));
        let spot = smooth(large, large * 0.62, far);
        most = (most.0.max(spot), most.1.max(bump(large, 0.014, far)));
    }
    most
}

/// Spots glow in their own colour.
fn glow(spot: &Spot) -> [f64; 3] {
    let (spots, _) = if spot.kind == Kind::Body { glowing(spot.at) } else { (0.0, 0.0) };
    glowing_by(colour(spot), 0.8 * spots * spots)
}

/// So much of the light that a colour in sRGB stands for, in sRGB.
fn glowing_by(colour: [f64; 3], part: f64) -> [f64; 3] {
    colour.map(|channel| {
        let light = part * libm::pow((channel + 0.055) / 1.055, 2.4);
        if light <= 0.003 { 0.0 } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 }
    })
}

/// How far the skin stands out, in metres: pebbles on the back, folds across the belly.
fn height(spot: &Spot) -> f64 {
    let Spot { at, back, kind } = *spot;
    let pebbles = 0.026 * noise(at * 22.0) + 0.016 * noise(at * 12.0);
    let folds = 0.004 * circle(at.z * 17.0).0;
    let belly = if kind == Kind::Body { smooth(-0.35, -0.7, back) } else { 0.0 };
    let (spots, _) = if kind == Kind::Body { glowing(at) } else { (0.0, 0.0) };
    let groove = if kind == Kind::Body { 0.006 * mouth(at) } else { 0.0 };
    pebbles * (1.0 - 0.8 * belly) * (1.0 - spots) + folds * belly * smooth(0.3, 0.1, at.z) + 0.004 * spots - groove
}

/// The normal map: the slope of the height along both coordinates.
fn normal(canvas: &Canvas, (u, v): Place) -> [f64; 3] {
    let Window { from: [left, top], to: [right, bottom] } = canvas.window;
    let step = [1.0 / (f64::from(SIDE) * (right - left)), 1.0 / (f64::from(SIDE) * (bottom - top))];
    let slope = |one: Place, other: Place| {
        let (one, other) = (canvas.spot(one), canvas.spot(other));
        (height(&other) - height(&one)) / one.at.distance(other.at).max(2e-3)
    };
    let across = slope((u - step[0], v), (u + step[0], v));
    let up = slope((u, (v + step[1]).min(1.0)), (u, (v - step[1]).max(0.0)));
    let normal = DVec3::new(-across, -up, 1.0).normalize();
    (normal * 0.5 + 0.5).to_array()
}

/// Occlusion, roughness and metalness.
fn surface(spot: &Spot) -> [f64; 3] {
    let Spot { at, back, kind } = *spot;
    // Where legs begin, and below.
    let legs = match kind {
        Kind::Body => [DVec3::new(0.17, 0.25, 0.03), DVec3::new(0.165, 0.26, -0.29)],
        _ => [DVec3::splat(9.0); 2],
    };
    let here = DVec3::new(at.x.abs(), at.y, at.z);
    let hollow = legs.iter().map(|leg| bump(0.06, 0.09, here.distance(*leg))).fold(0.0, f64::max);
    let below = if kind == Kind::Body { 0.25 * smooth(-0.4, -1.0, back) } else { 0.0 };
    let occlusion = (1.0 - 0.45 * hollow) * (1.0 - below);
    let (spots, _) = if kind == Kind::Body { glowing(at) } else { (0.0, 0.0) };
    let rough = 0.42 + 0.16 * noise(at * 6.0) + 0.16 * smooth(0.0, -0.7, back);
    [occlusion, rough * (1.0 - 0.5 * spots), 0.0]
}

/// Hammered metal, as a normal map that repeats.
pub fn hammered() -> Option<Vec<u8>> {
    const DENTS: [[f64; 3]; 7] = [
        [0.15, 0.2, 0.24],
        [0.62, 0.1, 0.2],
        [0.4, 0.48, 0.25],
        [0.85, 0.42, 0.22],
        [0.12, 0.72, 0.22],
        [0.6, 0.82, 0.25],
        [0.9, 0.9, 0.17],
    ];
    picture(32, 32, |u, v| {
        let mut slope = [0.0; 2];
        for [x, y, large] in DENTS {
            let away = |here: f64, there: f64| here - there - libm::round(here - there);
            let (dx, dy) = (away(u, x), away(v, y));
            let far = libm::sqrt(dx * dx + dy * dy) / large;
            let steep = if far < 1.0 { 1.1 * far * (1.0 - far) } else { 0.0 };
            let unit = libm::sqrt(dx * dx + dy * dy).max(1e-9);
            slope = [slope[0] + steep * dx / unit, slope[1] + steep * dy / unit];
        }
        let normal = DVec3::new(-slope[0], slope[1], 1.0).normalize() * 0.5 + 0.5;
        [normal.x, normal.y, normal.z, 1.0]
    })
}

/// The eye as a disc around the middle of the pupil: its colour, how smooth it is, and what of it glows.
pub fn eye() -> Option<[Vec<u8>; 3]> {
    let far = |x: f64, y: f64| libm::sqrt(x * x + y * y);
    let iris = |x: f64, y: f64| {
        let fibres = 0.65 + 0.35 * noise(DVec3::new(x, y, 0.0) * 9.0 / far(x, y).max(0.1));
        smooth(0.27, 0.31, far(x, y)) * smooth(0.54, 0.49, far(x, y)) * fibres
    };
    // Where a lamp would be seen in it.
    let spark = |x: f64, y: f64| smooth(0.085, 0.06, far(x - 0.10, y + 0.14));
    let amber = |x: f64, y: f64| mix([0.95, 0.45, 0.20], [1.0, 0.80, 0.32], smooth(0.5, 0.3, far(x, y)));
    let colour = |x: f64, y: f64| mix(mix([0.07, 0.06, 0.09], amber(x, y), iris(x, y)), [1.0; 3], spark(x, y));
    let glow = |x: f64, y: f64| 0.7 * spark(x, y).max(smooth(0.35, 1.0, iris(x, y)) * smooth(0.56, 0.30, far(x, y)));
    let disc = |texel: &dyn Fn(f64, f64) -> [f64; 3]| {
        picture(64, 64, |u, v| {
            let [r, g, b] = texel(2.0 * u - 1.0, 2.0 * v - 1.0);
            [r, g, b, 1.0]
        })
    };
    Some([
        disc(&colour)?,
        disc(&|x, y| [1.0, 0.05 + 0.25 * smooth(0.5, 0.8, far(x, y)), 0.0])?,
        disc(&|x, y| glowing_by(colour(x, y), glow(x, y)))?,
    ])
}

/// A web between rays, thinner towards its edge.
pub fn fin() -> Option<Vec<u8>> {
    picture(64, 64, |u, v| {
        let ray = bump(0.0, 0.13, u * 2.0 - libm::round(u * 2.0));
        let [r, g, b] =
            mix(mix([0.98, 0.62, 0.50], [0.90, 0.36, 0.42], smooth(0.0, 0.8, v)), [0.75, 0.22, 0.36], 0.7 * ray);
        let opacity = 0.30 + 0.35 * smooth(0.2, 1.0, v) + 0.28 * ray + 0.15 * smooth(0.10, 0.0, v);
        [r, g, b, opacity.min(1.0)]
    })
}

/// A stalk with fringes on both sides.
pub fn gill() -> Option<Vec<u8>> {
    picture(64, 128, |u, v| {
        let side = (2.0 * u - 1.0).abs();
        let stalk = smooth(0.22, 0.14, side + 0.10 * v);
        // Fringes slant towards the tip and are thinner at their ends.
        let along = (v - 0.16 * side) * 11.0;
        let fringe = bump(0.0, 0.46 - 0.20 * side, along - libm::round(along));
        let reach = smooth(0.98, 0.90, side) * smooth(0.02, 0.12, v) * smooth(1.0, 0.97, v);
        let opacity = stalk.max(smooth(0.15, 0.5, fringe) * reach);
        let [r, g, b] =
            mix(mix([0.80, 0.16, 0.30], [0.98, 0.48, 0.44], side), [1.0, 0.78, 0.66], smooth(0.6, 1.0, v) * 0.6);
        [r, g, b, opacity]
    })
}

/// A PNG file, each channel of which is from 0 to 1 by the middle of a texel.
fn picture(width: u32, height: u32, texel: impl Fn(f64, f64) -> [f64; 4]) -> Option<Vec<u8>> {
    let middle = |at: u32, of: u32| (f64::from(at) + 0.5) / f64::from(of);
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| (middle(x, width), middle(y, height))));
    let pixels: Vec<[u8; 4]> =
        rows.map(|(u, v)| texel(u, v).map(|part| libm::round(part.clamp(0.0, 1.0) * 255.0) as u8)).collect();
    png::encode_small(width, height, &pixels)
}
