//! How much of textures is held: all of it, unless all together have more pixels than are asked for.
//!
//! Files say their size in their first bytes, so this is known before any is decoded. Beyond the bound all textures have one bound each, so that the largest give way first; they are decoded a
//! few at a time, and what is held and what is being decoded have about as many pixels as the bound together.

use maquette_scene::image::{Image, ImageData};
use maquette_texture::decode::{self, MOST_PIXELS};
use std::ops::Range;

/// How much of textures is held.
pub(super) struct Budget {
    /// Pixels of the largest level of a texture.
    most_each: u64,
    /// Pixels that are decoded at once, unless one image has more.
    at_once: u64,
}

impl Budget {
    /// For pictures of these sizes, with so many pixels at most.
    pub fn new(sizes: &[[u32; 2]], most: u64) -> Budget {
        let total = |most_each: u64| {
            sizes.iter().map(|size| pixels(halved(*size, skipped(*size, most_each)))).fold(0, u64::saturating_add)
        };
        let mut most_each = sizes.iter().copied().map(pixels).max().unwrap_or(0);
        if total(most_each) <= most {
            return Budget { most_each, at_once: u64::MAX };
        }
        let at_once = most_each.max(most / 8);
        let room = most.saturating_sub(at_once).max(most / 4);
        while most_each > 1 && total(most_each) > room {
            most_each /= 2;
        }
        Budget { most_each, at_once }
    }

    /// Levels of a picture of this size that are not held.
    pub fn skipped(&self, size: [u32; 2]) -> usize {
        skipped(size, self.most_each)
    }

    /// Which pictures are decoded together, one lot after the other.
    pub fn lots(&self, sizes: &[[u32; 2]]) -> Vec<Range<usize>> {
        let mut lots = Vec::new();
        let (mut first, mut held) = (0, 0_u64);
        for (place, size) in sizes.iter().copied().enumerate() {
            if place > first && held.saturating_add(pixels(size)) > self.at_once {
                lots.push(first..place);
                (first, held) = (place, 0);
            }
            held = held.saturating_add(pixels(size));
        }
        lots.push(first..sizes.len());
        lots
    }
}

/// The size of an image that is decoded; nothing where that cannot be told or is more than is decoded.
pub(super) fn size(image: &Image) -> [u32; 2] {
    let stated = match &*image.data {
        ImageData::Encoded { bytes, .. } => decode::size(bytes).unwrap_or_default(),
        ImageData::Pixels { width, height, .. } => [*width, *height],
        ImageData::External(_) => [0; 2],
    };
    if pixels(stated) <= MOST_PIXELS { stated } else { [0; 2] }
}

fn pixels([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

fn halved(size: [u32; 2], times: usize) -> [u32; 2] {
    size.map(|side| (side >> times.min(31)).max(side.min(1)))
}

/// How often a picture is halved until it has no more pixels than this.
fn skipped(size: [u32; 2], most_each: u64) -> usize {
    (0..32).find(|&times| pixels(halved(size, times)) <= most_each.max(1)).unwrap_or(31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_held_whole_and_decoded_together() {
        let sizes = [[64, 64], [0, 0], [100, 1]];
        let budget = Budget::new(&sizes, 64 * 64 + 100);
        assert_eq!(sizes.map(|size| budget.skipped(size)), [0; 3]);
        assert_eq!(budget.lots(&sizes), std::slice::from_ref(&(0..3)));
        assert_eq!(Budget::new(&[], 0).lots(&[]), std::slice::from_ref(&(0..0)));
    }

    #[test]
    fn beyond_the_bound_the_largest_give_way_and_all_that_is_held_is_below_it() {
        let sizes = [[256, 256], [256, 128], [16, 16], [256, 256], [1, 300]];
        for most in [1 << 17, 1 << 16, 1 << 14, 1 << 12, 1 << 11] {
            let budget = Budget::new(&sizes, most);
            let held = sizes.map(|size| pixels(halved(size, budget.skipped(size))));
            assert!(held.iter().sum::<u64>() <= most, "{most}: {held:?}");
            assert!(held.iter().all(|held| *held > 0) && held[0] < 1 << 16, "{most}: {held:?}");
            assert!(held[2] == 256 || held[0] <= 256, "{most}: {held:?}");
            let lots = budget.lots(&sizes);
            assert_eq!(lots.iter().cloned().flatten().collect::<Vec<_>>(), (0..sizes.len()).collect::<Vec<_>>());
            for lot in &lots {
                let decoded: u64 = sizes[lot.clone()].iter().copied().map(pixels).sum();
                assert!(decoded <= 1 << 16, "{most}: {lot:?}");
            }
        }
    }
}
