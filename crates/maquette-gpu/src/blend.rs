//! Triangles that are mixed with what is behind them, sorted for a camera: the furthest first.
//!
//! Nothing hides them from each other, so thousands may cover a whole picture. They come in shares that each cover a bounded number of pixels: whoever draws may stop after each.

use maquette_render::parts::{Lens, LensKind};
use maquette_scene::glam::Vec3;
use std::ops::Range;

/// A triangle that may be mixed with what is behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlendTriangle {
    pub middle: Vec3,
    /// Where everything is drawn.
    pub area: f32,
    pub indices: [u32; 3],
    /// Its place among the parts of the geometry.
    pub part: u32,
}

/// Triangles in the order in which they are drawn.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sorted {
    pub indices: Vec<u32>,
    /// Which part each stretch of them belongs to.
    pub stretches: Vec<(u32, Range<u32>)>,
    /// Which stretches are drawn at once.
    pub shares: Vec<Range<usize>>,
}

/// What is drawn at once: so many pixels, about.
const SHARE: f32 = (1_u32 << 20) as f32;
/// What a triangle and a stretch take besides their pixels, in pixels.
const TRIANGLE: f32 = 16.0;
const STRETCH: f32 = 1024.0;

impl Sorted {
    pub fn new(lens: &Lens, triangles: &[BlendTriangle], is_drawn: impl Fn(u32) -> bool) -> Sorted {
        let drawn = (0_u32..).zip(triangles).filter(|(_, triangle)| is_drawn(triangle.part));
        let mut keys: Vec<u64> = drawn
            .map(|(number, triangle)| {
                let near = (triangle.middle - lens.eye).dot(lens.back);
                u64::from(ordered(near)) << 32 | u64::from(number)
            })
            .collect();
        keys.sort_unstable();
        let mut sorted = Sorted::default();
        let (mut taken, mut first) = (0.0, 0);
        for key in keys {
            let Some(triangle) = triangles.get(key as u32 as usize) else { continue };
            let end = sorted.indices.len() as u32 + 3;
            sorted.indices.extend(triangle.indices);
            let takes = TRIANGLE + pixels(lens, triangle);
            if taken > 0.0 && taken + takes > SHARE {
                sorted.shares.push(first..sorted.stretches.len());
                (taken, first) = (0.0, sorted.stretches.len());
            }
            taken += takes;
            match sorted.stretches.get_mut(first..).and_then(<[_]>::last_mut) {
                Some((part, stretch)) if *part == triangle.part => stretch.end = end,
                _ => {
                    sorted.stretches.push((triangle.part, end - 3..end));
                    taken += STRETCH;
                }
            }
        }
        sorted.shares.push(first..sorted.stretches.len());
        sorted
    }
}

/// How many pixels a triangle covers, about: as many as it would if it faced the camera.
fn pixels(lens: &Lens, triangle: &BlendTriangle) -> f32 {
    let away = match lens.kind {
        LensKind::Perspective => (lens.eye - triangle.middle).dot(lens.back).max(lens.near),
        LensKind::Orthographic => 1.0,
    };
    let [width, height] = lens.size.map(|side| side as f32);
    // What is no number covers nothing.
    (triangle.area * (lens.scale / away).powi(2)).max(0.0).min(width * height)
}

/// Whole numbers in the order of these.
fn ordered(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_render::parts::Studio;
    use maquette_render::{Camera, Framing};

    #[test]
    fn the_furthest_is_first_and_stretches_are_of_one_part() {
        let bounds = maquette_render::Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE };
        let framing = Framing { view: maquette_render::View::Front, ..Framing::default() };
        let camera: Camera = framing.camera(&bounds, [1, 1]);
        let lens = Lens::new(&camera, [8, 8], &Studio::new(Some(bounds)));
        let triangle = |z: f32, first: u32, part: u32| BlendTriangle {
            middle: Vec3::new(0.0, 0.0, z),
            area: 0.1,
            indices: [first, first + 1, first + 2],
            part,
        };
        let triangles = [triangle(0.5, 0, 0), triangle(-0.5, 3, 0), triangle(0.0, 6, 1), triangle(-0.7, 9, 0)];
        let sorted = Sorted::new(&lens, &triangles, |_| true);
        assert_eq!(sorted.indices, [9, 10, 11, 3, 4, 5, 6, 7, 8, 0, 1, 2]);
        assert_eq!(sorted.stretches, [(0, 0..6), (1, 6..9), (0, 9..12)]);
        let one = Sorted::new(&lens, &triangles, |part| part == 1);
        assert_eq!(one.stretches, [(1, 0..3)]);
        assert_eq!((one.shares.len(), one.shares.first()), (1, Some(&(0..1))));
    }

    #[test]
    fn shares_cover_about_as_many_pixels_however_many_triangles_there_are() {
        let bounds = maquette_render::Bounds { min: Vec3::NEG_ONE, max: Vec3::ONE };
        let lens = Lens::new(&Framing::default().camera(&bounds, [1, 1]), [700, 700], &Studio::new(Some(bounds)));
        let stacked = |count: u32, area: f32| {
            let triangle = |part| BlendTriangle { middle: Vec3::ZERO, area, indices: [0, 1, 2], part: part / 2 };
            Sorted::new(&lens, &(0..count).map(triangle).collect::<Vec<_>>(), |_| true)
        };
        let shares = |count: u32| stacked(count, 1e9).shares.len();
        assert_eq!((shares(100), shares(400)), (50, 200), "two whole pictures at once");
        assert_eq!(stacked(400, 1e-9).shares.len(), 1, "what is small is drawn at once");
        assert_eq!(stacked(400, f32::NAN).shares.len(), 1);
        let sorted = stacked(99, 1e9);
        let joined: Vec<_> = sorted.shares.iter().flat_map(|share| sorted.stretches[share.clone()].iter()).collect();
        assert_eq!(joined.iter().map(|(_, stretch)| stretch.len()).sum::<usize>(), 99 * 3);
        assert!(joined.windows(2).all(|pair| pair[0].1.end == pair[1].1.start), "one behind the other");
    }

    #[test]
    fn numbers_keep_their_order() {
        let values = [f32::NEG_INFINITY, -2.0, -0.0, 0.0, 1e-30, 3.0, f32::INFINITY];
        assert!(values.windows(2).all(|pair| ordered(pair[0]) < ordered(pair[1])));
    }
}
