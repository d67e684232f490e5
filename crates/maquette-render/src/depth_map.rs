//! How near everything is, one number a pixel: what shadows and hollows are told from.

use crate::maths::at;
use crate::posed::Posed;
use crate::raster::{Bins, Kind, Lens, Projected, TILE, cover};
use crate::stage::Material;
use crate::triangle::Triangle;
use rayon::prelude::*;

/// Depths as [`Lens::depth`] has them; where there is nothing, less than anything.
pub(crate) struct DepthMap {
    pub width: usize,
    pub height: usize,
    pub depths: Vec<f32>,
}

impl DepthMap {
    pub fn new(posed: &Posed<'_>, lens: &Lens, projected: &[Projected], bins: &Bins, bone: &Material) -> DepthMap {
        let [width, height] = lens.size.map(|side| side as usize);
        let mut depths = vec![f32::NEG_INFINITY; width * height];
        depths.par_chunks_mut(width * TILE).enumerate().for_each(|(row, band)| {
            for column in 0..bins.tiles_across {
                tile(posed, lens, projected, bins, bone, row * bins.tiles_across + column, band);
            }
        });
        DepthMap { width, height, depths }
    }

    /// Beyond its edge as at its edge.
    #[inline]
    pub fn at(&self, x: i32, y: i32) -> f32 {
        let x = x.clamp(0, self.width as i32 - 1) as usize;
        let y = y.clamp(0, self.height as i32 - 1) as usize;
        at(&self.depths, y * self.width + x)
    }
}

fn tile(
    posed: &Posed<'_>,
    lens: &Lens,
    projected: &[Projected],
    bins: &Bins,
    bone: &Material,
    tile: usize,
    band: &mut [f32],
) {
    let rect = bins.rect(tile, lens.size);
    let width = lens.size[0] as usize;
    for setup in bins.of_tile(tile).filter(|setup| setup.kind != Kind::Blend) {
        let mut masked = None;
        if setup.kind == Kind::Mask {
            let Some(triangle) = Triangle::new(posed, projected, bone, setup.triangle) else { continue };
            masked = Some(triangle);
        }
        cover::<1>(setup, rect, |x, y, _, [depth]| {
            let Some(there) = band.get_mut((y - rect.top) as usize * width + x as usize) else { return };
            if depth <= *there {
                return;
            }
            let is_there =
                masked.as_ref().is_none_or(|triangle| triangle.is_there(posed.stage(), x as f32 + 0.5, y as f32 + 0.5));
            if is_there {
                *there = depth;
            }
        });
    }
}
