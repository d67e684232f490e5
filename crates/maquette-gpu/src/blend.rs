//! Triangles that are mixed with what is behind them, sorted for a camera: the furthest first.

use maquette_render::parts::Lens;
use maquette_scene::glam::Vec3;
use std::ops::Range;

/// A triangle that may be mixed with what is behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BlendTriangle {
    pub middle: Vec3,
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
}

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
        for key in keys {
            let Some(triangle) = triangles.get(key as u32 as usize) else { continue };
            let end = sorted.indices.len() as u32 + 3;
            sorted.indices.extend(triangle.indices);
            match sorted.stretches.last_mut() {
                Some((part, stretch)) if *part == triangle.part => stretch.end = end,
                _ => sorted.stretches.push((triangle.part, end - 3..end)),
            }
        }
        sorted
    }
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
            indices: [first, first + 1, first + 2],
            part,
        };
        let triangles = [triangle(0.5, 0, 0), triangle(-0.5, 3, 0), triangle(0.0, 6, 1), triangle(-0.7, 9, 0)];
        let sorted = Sorted::new(&lens, &triangles, |_| true);
        assert_eq!(sorted.indices, [9, 10, 11, 3, 4, 5, 6, 7, 8, 0, 1, 2]);
        assert_eq!(sorted.stretches, [(0, 0..6), (1, 6..9), (0, 9..12)]);
        let one = Sorted::new(&lens, &triangles, |part| part == 1);
        assert_eq!(one.stretches, [(1, 0..3)]);
    }

    #[test]
    fn numbers_keep_their_order() {
        let values = [f32::NEG_INFINITY, -2.0, -0.0, 0.0, 1e-30, 3.0, f32::INFINITY];
        assert!(values.windows(2).all(|pair| ordered(pair[0]) < ordered(pair[1])));
    }
}
