//! Textures in memory: all mip levels of a picture, and what a surface sees of it.
//!
//! Where a pixel covers many texels, levels are chosen for the shorter side of what it covers and several places along the longer side are averaged, so that
//! floors stay sharp towards the horizon.

use crate::maths::{at, floor, log2};
use crate::srgb::Srgb;
use maquette_scene::material::Wrap;

/// A texture with all its mip levels, the largest first; never without any.
pub struct Texture {
    /// Each half as wide and high as the one before, and never less than one.
    pub levels: Vec<Level>,
    /// What its bytes are.
    pub values: Values,
}

/// One mip level.
pub struct Level {
    /// In texels.
    pub width: u32,
    /// In texels.
    pub height: u32,
    /// Row by row: red, green, blue and opacity.
    pub pixels: Vec<[u8; 4]>,
}

/// How a texture lies on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Its place in the list of textures.
    pub texture: usize,
    /// Which set of coordinates.
    pub uv_set: usize,
    /// What is beyond its edges, along u and v.
    pub wrap: [Wrap; 2],
    /// What is between texels that are larger than a pixel.
    pub magnify: Magnify,
    /// What its bytes are.
    pub values: Values,
    /// `u' = a·u + b·v + c`, and the same for v.
    pub transform: Option<[[f32; 3]; 2]>,
}

/// What is between texels that are larger than a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Magnify {
    /// A mixture of them.
    Smooth,
    /// The nearer one.
    Squares,
}

/// What the bytes of a texture are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Colours in sRGB, and opacity.
    Srgb,
    /// Parts of 255.
    Linear,
}

/// Places along the longer side of what a pixel covers, at most.
pub(crate) const MOST_TAPS: f32 = 8.0;

/// A place on a texture, and how it moves from pixel to pixel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Footprint {
    pub uv: [f32; 2],
    /// For a step to the right.
    pub dx: [f32; 2],
    /// For a step down.
    pub dy: [f32; 2],
}

impl Footprint {
    fn moved(&self, [u, v]: [[f32; 3]; 2]) -> Footprint {
        let along = |d: [f32; 2]| [u[0] * d[0] + u[1] * d[1], v[0] * d[0] + v[1] * d[1]];
        let uv = along(self.uv);
        Footprint { uv: [uv[0] + u[2], uv[1] + v[2]], dx: along(self.dx), dy: along(self.dy) }
    }
}

impl Texture {
    /// What a pixel sees: red, green, blue and opacity from 0 to 1.
    pub(crate) fn sample(&self, sampler: &Sampler, footprint: &Footprint) -> [f32; 4] {
        let footprint = sampler.transform.map_or(*footprint, |transform| footprint.moved(transform));
        let Some(first) = self.levels.first() else { return [1.0; 4] };
        let size = [first.width as f32, first.height as f32];
        let texels = |d: [f32; 2]| {
            let [x, y] = [d[0] * size[0], d[1] * size[1]];
            x * x + y * y
        };
        let (across, down) = (texels(footprint.dx), texels(footprint.dy));
        let (longer, shorter, step) =
            if across >= down { (across, down, footprint.dx) } else { (down, across, footprint.dy) };
        if !(longer > 1.0 && longer < 1e30) {
            let smooth = sampler.magnify == Magnify::Smooth || longer > 1.0;
            return if smooth { first.smooth(sampler, footprint.uv) } else { first.square(sampler, footprint.uv) };
        }
        let (longer, shorter) = (longer.sqrt(), shorter.sqrt().max(1.0));
        let taps = (longer / shorter + 0.4).clamp(1.0, MOST_TAPS) as u32;
        let level = log2(longer / taps as f32).max(0.0);
        let mut sum = [0.0; 4];
        for tap in 0..taps {
            let along = (tap as f32 + 0.5) / taps as f32 - 0.5;
            let uv = [footprint.uv[0] + step[0] * along, footprint.uv[1] + step[1] * along];
            let seen = self.between(sampler, uv, level);
            for (sum, seen) in sum.iter_mut().zip(seen) {
                *sum += seen;
            }
        }
        let part = 1.0 / taps as f32;
        [sum[0] * part, sum[1] * part, sum[2] * part, sum[3] * part]
    }

    /// Mixed from two levels.
    fn between(&self, sampler: &Sampler, uv: [f32; 2], level: f32) -> [f32; 4] {
        let last = self.levels.len().saturating_sub(1);
        let lower = (level as usize).min(last);
        let part = level - lower as f32;
        let Some(fine) = self.levels.get(lower) else { return [1.0; 4] };
        let fine = fine.smooth(sampler, uv);
        let coarse = if part > 0.01 { self.levels.get(lower + 1) } else { None };
        let Some(coarse) = coarse else { return fine };
        let coarse = coarse.smooth(sampler, uv);
        let mut mixed = fine;
        for (mixed, coarse) in mixed.iter_mut().zip(coarse) {
            *mixed += (coarse - *mixed) * part;
        }
        mixed
    }
}

impl Level {
    #[inline]
    fn texel(&self, x: u32, y: u32) -> [u8; 4] {
        at(&self.pixels, y as usize * self.width as usize + x as usize)
    }

    /// Mixed from the four texels around a place.
    #[inline]
    fn smooth(&self, sampler: &Sampler, uv: [f32; 2]) -> [f32; 4] {
        let (x0, x1, fx) = neighbours(uv[0], self.width, sampler.wrap[0]);
        let (y0, y1, fy) = neighbours(uv[1], self.height, sampler.wrap[1]);
        let texels = [self.texel(x0, y0), self.texel(x1, y0), self.texel(x0, y1), self.texel(x1, y1)];
        let weights = [(1.0 - fx) * (1.0 - fy), fx * (1.0 - fy), (1.0 - fx) * fy, fx * fy];
        let mut sum = [0.0; 4];
        match sampler.values {
            Values::Linear => {
                for (texel, weight) in texels.into_iter().zip(weights) {
                    for (sum, byte) in sum.iter_mut().zip(texel) {
                        *sum += f32::from(byte) * weight;
                    }
                }
                let part = 1.0 / 255.0;
                [sum[0] * part, sum[1] * part, sum[2] * part, sum[3] * part]
            }
            Values::Srgb => {
                let light = &Srgb::tables().light;
                for ([r, g, b, a], weight) in texels.into_iter().zip(weights) {
                    sum[0] += at(light, usize::from(r)) * weight;
                    sum[1] += at(light, usize::from(g)) * weight;
                    sum[2] += at(light, usize::from(b)) * weight;
                    sum[3] += f32::from(a) * (weight * (1.0 / 255.0));
                }
                sum
            }
        }
    }

    /// The texel at a place.
    fn square(&self, sampler: &Sampler, uv: [f32; 2]) -> [f32; 4] {
        let place =
            |along: f32, side: u32, wrap| ((wrapped(along, wrap) * side as f32) as u32).min(side.saturating_sub(1));
        let texel = self.texel(place(uv[0], self.width, sampler.wrap[0]), place(uv[1], self.height, sampler.wrap[1]));
        let parts = texel.map(|byte| f32::from(byte) * (1.0 / 255.0));
        match sampler.values {
            Values::Linear => parts,
            Values::Srgb => {
                let [r, g, b, _] = texel.map(|byte| at(&Srgb::tables().light, usize::from(byte)));
                [r, g, b, parts[3]]
            }
        }
    }
}

/// A coordinate brought into the texture: from 0 to 1.
#[inline]
fn wrapped(along: f32, wrap: Wrap) -> f32 {
    match wrap {
        Wrap::Repeat => along - floor(along),
        Wrap::Mirror => {
            let twice = along * 0.5;
            let along = (twice - floor(twice)) * 2.0;
            if along > 1.0 { 2.0 - along } else { along }
        }
        Wrap::Clamp => along.clamp(0.0, 1.0),
    }
}

/// The two texels that a coordinate lies between, and how far it is on the way from the first to the second.
#[inline]
fn neighbours(along: f32, side: u32, wrap: Wrap) -> (u32, u32, f32) {
    // What is no number is 0 when it becomes a whole one.
    let place = wrapped(along, wrap) * side as f32 - 0.5;
    let first = floor(place);
    let part = if place - first >= 0.0 { place - first } else { 0.0 };
    let first = first as i32;
    let last = side as i32 - 1;
    let second = first + 1;
    let (first, second) = match wrap {
        Wrap::Repeat => (if first < 0 { last } else { first }, if second > last { 0 } else { second }),
        Wrap::Mirror | Wrap::Clamp => (first.max(0), second.min(last)),
    };
    (first.min(last).max(0) as u32, second.max(0) as u32, part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture() -> Texture {
        let grey = |value: u8| [value, value, value, 255];
        let top = Level { width: 4, height: 1, pixels: [0, 100, 200, 40].map(grey).to_vec() };
        let half = Level { width: 2, height: 1, pixels: [50, 120].map(grey).to_vec() };
        Texture {
            levels: vec![top, half, Level { width: 1, height: 1, pixels: vec![grey(85)] }],
            values: Values::Linear,
        }
    }

    fn sampler(wrap: Wrap) -> Sampler {
        Sampler {
            texture: 0,
            uv_set: 0,
            wrap: [wrap; 2],
            magnify: Magnify::Smooth,
            values: Values::Linear,
            transform: None,
        }
    }

    fn red(wrap: Wrap, u: f32, du: f32) -> f32 {
        // The texture is four times as wide as high.
        let footprint = Footprint { uv: [u, 0.5], dx: [du, 0.0], dy: [0.0, du * 4.0] };
        (texture().sample(&sampler(wrap), &footprint)[0] * 255.0 * 64.0).round() / 64.0
    }

    #[test]
    fn texels_are_at_their_middle_and_mixed_between() {
        for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
            assert_eq!([0.125, 0.375, 0.5, 0.625].map(|u| red(wrap, u, 0.0)), [0.0, 100.0, 150.0, 200.0]);
        }
        assert_eq!([0.0, 1.0, -0.125, 1.375].map(|u| red(Wrap::Repeat, u, 0.0)), [20.0, 20.0, 40.0, 100.0]);
        assert_eq!([0.0, 1.0, -0.125, 1.375].map(|u| red(Wrap::Clamp, u, 0.0)), [0.0, 40.0, 0.0, 40.0]);
        assert_eq!([0.0, 1.0, -0.375, 1.375].map(|u| red(Wrap::Mirror, u, 0.0)), [0.0, 40.0, 100.0, 200.0]);
    }

    #[test]
    fn a_level_is_chosen_by_how_many_texels_a_pixel_covers() {
        assert_eq!(red(Wrap::Clamp, 0.25, 0.25), 50.0, "a texel a pixel: between the first two");
        assert_eq!(red(Wrap::Clamp, 0.25, 0.5), 50.0, "two: the second level");
        assert_eq!(red(Wrap::Clamp, 0.75, 0.5), 120.0);
        assert_eq!(red(Wrap::Clamp, 0.75, 1.0), 85.0);
        assert_eq!(red(Wrap::Clamp, 0.75, 64.0), 85.0, "no level beyond the last");
    }

    #[test]
    fn places_that_are_none_are_somewhere() {
        for u in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
            for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp] {
                for du in [0.0, 1.0, f32::NAN, f32::INFINITY] {
                    let footprint = Footprint { uv: [u, u], dx: [du, 0.0], dy: [0.0, du] };
                    _ = texture().sample(&sampler(wrap), &footprint);
                }
            }
        }
    }
}
