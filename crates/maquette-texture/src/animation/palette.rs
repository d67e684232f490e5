//! 256 colours for all pictures of a film, so that nothing flickers.
//!
//! Boxes of colours are cut in two until there are enough, always the one whose colours are furthest from its mean, and the means are moved to the colours nearest to them. A
//! colour counts by the root of how often it is there: what is small and far from all else, such as a red lamp on a grey model, keeps its colour.

use crate::Picture;
use std::collections::HashMap;

/// Colours that differ in less than this many lower bits are looked for together, where there are more than a palette holds.
const LOWER_BITS: u32 = 2;
/// How often means are moved.
const TURNS: usize = 4;
/// Colours besides the one that is not there.
const MOST: usize = 255;

/// The colours of pictures, and which of them each pixel has.
pub struct Palette {
    colours: Vec<[u8; 3]>,
    /// The place of each colour of the pictures, by its upper bits.
    places: HashMap<[u8; 3], u8>,
    lower_bits: u32,
}

/// A colour of the pictures.
#[derive(Clone, Copy)]
struct Shade {
    key: [u8; 3],
    mean: [f32; 3],
    weight: f32,
}

impl Palette {
    /// The palette of all pixels that are there: half opacity is all or nothing.
    pub fn of(pictures: &[Picture]) -> Palette {
        let pixels = || pictures.iter().flat_map(|picture| picture.pixels()).filter(|pixel| is_there(pixel));
        for lower_bits in [0, LOWER_BITS] {
            let mut sums: HashMap<[u8; 3], ([u64; 3], u64)> = HashMap::new();
            for &[r, g, b, _] in pixels() {
                let (sum, count) = sums.entry(upper([r, g, b], lower_bits)).or_default();
                sum.iter_mut().zip([r, g, b]).for_each(|(sum, part)| *sum += u64::from(part));
                *count += 1;
                if lower_bits == 0 && sums.len() > MOST {
                    break;
                }
            }
            if lower_bits == 0 && sums.len() > MOST {
                continue;
            }
            let mut shades: Vec<Shade> = sums
                .into_iter()
                .map(|(key, (sum, count))| Shade {
                    key,
                    mean: sum.map(|sum| sum as f32 / count as f32),
                    weight: (count as f32).sqrt(),
                })
                .collect();
            // In an order of their own, so that files are the same.
            shades.sort_unstable_by_key(|shade| shade.key);
            return Palette::of_shades(&mut shades, lower_bits);
        }
        Palette { colours: Vec::new(), places: HashMap::new(), lower_bits: 0 }
    }

    fn of_shades(shades: &mut [Shade], lower_bits: u32) -> Palette {
        let mut means =
            if shades.len() <= MOST { shades.iter().map(|shade| shade.mean).collect() } else { cut(shades) };
        if shades.len() > MOST {
            for _ in 0..TURNS {
                means = moved(shades, &means);
            }
        }
        let places = shades.iter().map(|shade| (shade.key, nearest(&means, shade.mean) as u8)).collect();
        let colours = means.iter().map(|mean| mean.map(|part| (part + 0.5) as u8)).collect();
        Palette { colours, places, lower_bits }
    }

    /// Red, green and blue of each colour; the last is that of pixels that are not there.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.iter().copied().chain([[0; 3]]).collect::<Vec<_>>().into_flattened()
    }

    /// The place of what is not there.
    pub fn nothing(&self) -> u8 {
        self.colours.len() as u8
    }

    /// The place of each pixel.
    pub fn places(&self, picture: &Picture) -> Vec<u8> {
        let place = |&[r, g, b, a]: &[u8; 4]| match is_there(&[r, g, b, a]) {
            true => self.places.get(&upper([r, g, b], self.lower_bits)).copied().unwrap_or_default(),
            false => self.nothing(),
        };
        picture.pixels().iter().map(place).collect()
    }
}

fn is_there(&[.., a]: &[u8; 4]) -> bool {
    a >= 128
}

fn upper(colour: [u8; 3], lower_bits: u32) -> [u8; 3] {
    colour.map(|part| part >> lower_bits)
}

/// Shades in a box.
struct Group<'s> {
    shades: &'s mut [Shade],
    mean: [f32; 3],
    /// How far they are from it along each axis, squared and weighed.
    apart: [f32; 3],
}

impl<'s> Group<'s> {
    fn new(shades: &'s mut [Shade]) -> Group<'s> {
        let weight: f32 = shades.iter().map(|shade| shade.weight).sum();
        let mut mean = [0.0; 3];
        for shade in &*shades {
            mean.iter_mut().zip(shade.mean).for_each(|(mean, part)| *mean += part * shade.weight / weight);
        }
        let mut apart = [0.0; 3];
        for shade in &*shades {
            let parts = apart.iter_mut().zip(shade.mean.iter().zip(mean));
            parts.for_each(|(apart, (part, mean))| *apart += (part - mean) * (part - mean) * shade.weight);
        }
        Group { shades, mean, apart }
    }
}

/// The means of so many boxes.
fn cut(shades: &mut [Shade]) -> Vec<[f32; 3]> {
    let mut groups = vec![Group::new(shades)];
    while groups.len() < MOST {
        let far = |group: &Group<'_>| group.apart.iter().sum::<f32>();
        let worst = groups.iter().enumerate().max_by(|(_, one), (_, other)| far(one).total_cmp(&far(other)));
        let Some((at, _)) = worst.filter(|(_, group)| far(group) > 0.0) else { break };
        let Group { shades, mean, apart } = groups.swap_remove(at);
        let axis = apart.iter().enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other)).map_or(0, |(at, _)| at);
        let along = |shade: &Shade| shade.mean.get(axis).copied().unwrap_or_default();
        shades.sort_by(|one, other| along(one).total_cmp(&along(other)));
        let middle = mean.get(axis).copied().unwrap_or_default();
        let place = shades.partition_point(|shade| along(shade) <= middle).clamp(1, shades.len().max(2) - 1);
        let (low, high) = shades.split_at_mut(place.min(shades.len()));
        groups.extend([Group::new(low), Group::new(high)]);
    }
    groups.into_iter().map(|group| group.mean).collect()
}

/// Each mean in the middle of the shades that are nearest to it.
fn moved(shades: &[Shade], means: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let mut sums = vec![([0.0_f32; 3], 0.0_f32); means.len()];
    for shade in shades {
        if let Some((sum, weight)) = sums.get_mut(nearest(means, shade.mean)) {
            sum.iter_mut().zip(shade.mean).for_each(|(sum, part)| *sum += part * shade.weight);
            *weight += shade.weight;
        }
    }
    let mean = |((sum, weight), before): (([f32; 3], f32), &[f32; 3])| {
        if weight > 0.0 { sum.map(|sum| sum / weight) } else { *before }
    };
    sums.into_iter().zip(means).map(mean).collect()
}

fn nearest(means: &[[f32; 3]], [r, g, b]: [f32; 3]) -> usize {
    let apart = |&[x, y, z]: &[f32; 3]| (x - r) * (x - r) + (y - g) * (y - g) + (z - b) * (z - b);
    let mut best = (f32::INFINITY, 0);
    for (at, mean) in means.iter().enumerate() {
        let apart = apart(mean);
        if apart < best.0 {
            best = (apart, at);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_that_have_room_stay_as_they_are() {
        let picture = Picture::new(16, 15, (0..240).map(|at| [at, 255 - at, at / 2, 255]).collect()).unwrap();
        let palette = Palette::of(std::slice::from_ref(&picture));
        let bytes = palette.bytes();
        for (pixel, place) in picture.pixels().iter().zip(palette.places(&picture)) {
            assert_eq!(pixel[..3], bytes[3 * usize::from(place)..][..3]);
        }
    }

    #[test]
    fn a_rare_colour_far_from_all_others_is_kept() {
        // Greys and blues of every shade, and seven red pixels among sixty thousand.
        let mut pixels: Vec<[u8; 4]> =
            (0..60_000_u32).map(|at| [(at % 251) as u8, (at % 241) as u8, (at % 256) as u8, 255]).collect();
        pixels[30_000..30_007].fill([250, 10, 10, 255]);
        let picture = Picture::new(300, 200, pixels).unwrap();
        let palette = Palette::of(std::slice::from_ref(&picture));
        let bytes = palette.bytes();
        assert!(bytes.len() <= 768);
        let place = palette.places(&picture)[30_003];
        let apart = [250_u8, 10, 10].iter().zip(&bytes[3 * usize::from(place)..]).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(apart.unwrap() <= 24, "{apart:?}");
    }

    #[test]
    fn what_is_not_there_has_a_place_of_its_own() {
        let picture = Picture::new(3, 1, vec![[9, 9, 9, 127], [9, 9, 9, 128], [0, 0, 0, 0]]).unwrap();
        let palette = Palette::of(std::slice::from_ref(&picture));
        assert_eq!((palette.places(&picture), palette.nothing()), (vec![1, 0, 1], 1));
        assert_eq!(Palette::of(&[]).places(&picture), [0, 0, 0]);
    }
}
