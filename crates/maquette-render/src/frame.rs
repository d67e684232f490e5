//! Everything that the tiles of one picture look at, made once before they are drawn.

use crate::bounds::Bounds;
use crate::depth_map::DepthMap;
use crate::hollows::Hollows;
use crate::light::Lamps;
use crate::lines::{Lines, Mixing};
use crate::mode::Mode;
use crate::overlay::Drawing;
use crate::parts;
use crate::plan::{HollowsMap, Plan, bone, casts, style};
use crate::posed::{Posed, PosedPart};
use crate::raster::{Bins, Lens, Projected, Studio};
use crate::shade::Encoding;
use crate::shadow::ShadowMap;
use crate::shot::Shot;
use crate::srgb::Srgb;
use crate::stage::Material;
use crate::tone_map::ToneMap;
use crate::triangle::material_of;
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::Topology;
use rayon::prelude::*;

/// A picture about to be drawn.
pub(crate) struct Frame<'a> {
    pub posed: &'a Posed<'a>,
    pub mode: Mode,
    pub tone_map: ToneMap,
    pub exposure: f32,
    pub encoding: Encoding,
    pub lens: Lens,
    /// Units of the scene in one of the space in which everything is drawn.
    pub unit: f64,
    /// Every vertex, in that space.
    pub places: Vec<Vec3>,
    pub projected: Vec<Projected>,
    pub bins: Bins,
    pub lines: Vec<Lines>,
    pub lamps: Lamps,
    pub shadow: Option<ShadowMap>,
    pub hollows: Option<Hollows>,
    /// As the picture has colours before they are encoded.
    pub background: Vec3,
    pub background_opacity: f32,
    pub bone: Material,
    bounds: [Vec3; 2],
}

impl<'a> Frame<'a> {
    pub fn new(posed: &'a Posed<'a>, shot: &Shot) -> Frame<'a> {
        let bounds = posed.bounds();
        let studio = Studio::new(bounds);
        let lens = Lens::new(&shot.camera, shot.size, &studio);
        let mut places = vec![Vec3::ZERO; posed.positions().len()];
        places.par_chunks_mut(SHARE).zip(posed.positions().par_chunks(SHARE)).for_each(|(places, positions)| {
            places.iter_mut().zip(positions).for_each(|(place, position)| *place = studio.place(*position));
        });
        let projected = project(&lens, &places);
        let bone = bone();
        let bins = Bins::new(&lens, &projected, &posed.parts, |part| {
            Some(style(shot.mode, material_of(posed.stage(), part, &bone)))
        });
        let materials = posed.parts.iter().map(|part| material_of(posed.stage(), part, &bone));
        let Plan { encoding, exposure, background, background_opacity, lamps, shadow_side, hollows: hollows_map } =
            Plan::new(shot, materials);
        let shadow = shadow_side.map(|side| {
            let casts = |part: &PosedPart<'_>| casts(shot.mode, material_of(posed.stage(), part, &bone));
            ShadowMap::new(posed, &places, lamps.towards_key, side, &bone, casts)
        });
        let hollows =
            hollows_map.map(|map| hollows(posed, shot, map, &studio, &lens, &places, &projected, &bins, &bone));
        let tiles = [bins.tiles_across, bins.tiles_down];
        let lines = lines(posed, shot, bounds, &studio, &lens, tiles, encoding, &bone);
        let corners = bounds.unwrap_or(Bounds::UNIT);
        Frame {
            posed,
            mode: shot.mode,
            tone_map: shot.tone_map,
            exposure,
            encoding,
            lens,
            unit: studio.unit,
            places,
            projected,
            bins,
            lines,
            lamps,
            shadow,
            hollows,
            background,
            background_opacity,
            bone,
            bounds: [studio.place(corners.min), studio.place(corners.max)],
        }
    }

    /// Where a place is within the bounds: 0 to 1 along each axis.
    pub fn within_bounds(&self, place: Vec3) -> Vec3 {
        let [min, max] = self.bounds;
        let part =
            |at: f32, min: f32, max: f32| if max > min { ((at - min) / (max - min)).clamp(0.0, 1.0) } else { 0.5 };
        Vec3::new(part(place.x, min.x, max.x), part(place.y, min.y, max.y), part(place.z, min.z, max.z))
    }
}

impl Encoding {
    /// A colour in sRGB as the picture has it before it is encoded.
    pub(crate) fn of_srgb(self, colour: Vec3) -> Vec3 {
        match self {
            Encoding::Plain => colour.clamp(Vec3::ZERO, Vec3::ONE),
            Encoding::Srgb => Vec3::from(colour.to_array().map(Srgb::linear)),
        }
    }

    /// A linear colour as the picture has it before it is encoded.
    pub(crate) fn of_linear(self, colour: [f32; 4]) -> Vec3 {
        let srgb = Srgb::tables();
        match self {
            Encoding::Srgb => Vec3::new(colour[0], colour[1], colour[2]).clamp(Vec3::ZERO, Vec3::ONE),
            Encoding::Plain => {
                Vec3::from([colour[0], colour[1], colour[2]].map(|light| f32::from(srgb.byte(light)) / 255.0))
            }
        }
    }
}

/// Vertices that one core takes at a time.
const SHARE: usize = 1 << 14;

/// Where places are in a picture.
pub(crate) fn project(lens: &Lens, places: &[Vec3]) -> Vec<Projected> {
    let mut projected = vec![Projected::default(); places.len()];
    projected.par_chunks_mut(SHARE).zip(places.par_chunks(SHARE)).for_each(|(projected, places)| {
        projected.iter_mut().zip(places).for_each(|(projected, place)| *projected = lens.project(*place));
    });
    projected
}

#[expect(clippy::too_many_arguments, reason = "what a frame is made of, on its way into one")]
fn hollows(
    posed: &Posed<'_>,
    shot: &Shot,
    map: HollowsMap,
    studio: &Studio,
    lens: &Lens,
    places: &[Vec3],
    projected: &[Projected],
    bins: &Bins,
    bone: &Material,
) -> Hollows {
    if map.scale == 1.0 {
        return Hollows::new(DepthMap::new(posed, lens, projected, bins, bone), lens, 1.0);
    }
    let small = Lens::new(&shot.camera, map.size, studio);
    let projected = project(&small, places);
    let bins = Bins::new(&small, &projected, &posed.parts, |part| {
        Some(style(shot.mode, material_of(posed.stage(), part, bone)))
    });
    Hollows::new(DepthMap::new(posed, &small, &projected, &bins, bone), &small, map.scale)
}

#[expect(clippy::too_many_arguments, reason = "what a frame is made of, on its way into one")]
fn lines(
    posed: &Posed<'_>,
    shot: &Shot,
    bounds: Option<Bounds>,
    studio: &Studio,
    lens: &Lens,
    tiles: [usize; 2],
    encoding: Encoding,
    bone: &Material,
) -> Vec<Lines> {
    let place = |segments: Vec<([Vec3; 2], u32)>| -> Vec<_> {
        segments.into_iter().map(|(ends, pen)| (ends.map(|end| studio.place(end)), pen)).collect()
    };
    let mut lists = Vec::new();
    let mut of_scene = Drawing::default();
    for part in posed.parts.iter().filter(|part| part.topology == Topology::Lines) {
        let material = material_of(posed.stage(), part, bone);
        let ends = part.indices.as_chunks::<2>().0.iter().filter_map(|pair| corners(posed, part, *pair));
        of_scene.add(parts::line_pen(encoding, material), ends);
    }
    if !of_scene.segments.is_empty() {
        lists.push(Lines::new(lens, tiles, &place(of_scene.segments), of_scene.pens, Mixing::Over));
    }
    if shot.mode == Mode::Wireframe {
        let mut wire = Drawing::default();
        let triangles = posed.parts.iter().filter(|part| part.topology == Topology::Triangles);
        let edges = triangles.flat_map(|part| {
            let pairs = part.indices.as_chunks::<3>().0.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
            pairs.filter_map(|pair| corners(posed, part, pair))
        });
        wire.add(parts::wire_pen(encoding, shot.background), edges);
        lists.push(Lines::new(lens, tiles, &place(wire.segments), wire.pens, Mixing::Most));
    }
    let overlays = parts::overlays(shot, bounds, || posed.skeleton().edges());
    if !overlays.segments.is_empty() {
        lists.push(Lines::new(lens, tiles, &place(overlays.segments), overlays.pens, Mixing::Over));
    }
    lists
}

/// The ends of a line of a part; `None` where it has not so many vertices.
fn corners(posed: &Posed<'_>, part: &PosedPart<'_>, pair: [u32; 2]) -> Option<[Vec3; 2]> {
    let vertices = posed.vertices(part);
    Some([*vertices.get(pair[0] as usize)?, *vertices.get(pair[1] as usize)?])
}
