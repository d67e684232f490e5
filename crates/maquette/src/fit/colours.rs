//! The colours that a packed texture is to show, and how far from them it is.

use maquette_texture::Picture;
use maquette_texture::colour::srgb_from_linear;
use maquette_texture::error::{Distances, Shown, StoredError, Wanted};
use maquette_texture::mips::{Chain, Content};
use maquette_texture::resize::data_table;
use std::ops::Range;
use std::sync::Arc;

/// The colours that a texture is to show.
pub struct Colours {
    picture: Arc<Picture>,
    /// Whether its numbers are sRGB.
    is_srgb: bool,
    /// How far its red, green and blue are from what is stored; one for all where they mean the same.
    distances: Vec<Distances>,
    smaller: Option<Smaller>,
}

/// The colours of a smaller level: the means of the light that was wanted, not of what eight bits of linear light left of it.
struct Smaller {
    chain: Chain,
    level: u32,
    /// As many as there are so far.
    pixels: Vec<[u8; 4]>,
    /// The colour of all pixels that they are the means of, as long as that is one.
    only: Option<[u8; 4]>,
}

impl Colours {
    /// Those of a picture with this meaning of its numbers, times a factor.
    pub fn new(picture: Arc<Picture>, decode_table: &[f32; 256], [red, green, blue, _]: [f32; 4]) -> Colours {
        let stored = data_table().map(shown);
        let of =
            |factor: f32| Distances::new(&decode_table.map(|light| shown((light * factor).clamp(0.0, 1.0))), &stored);
        let factors = if red == green && green == blue { vec![red] } else { vec![red, green, blue] };
        let is_srgb = *decode_table != data_table();
        Colours { picture, is_srgb, distances: factors.into_iter().map(of).collect(), smaller: None }
    }

    /// Those of a smaller level of the same picture, which come as the rows do that are packed.
    pub fn halved(self, halvings: u32, content: Content) -> Colours {
        let content = if self.is_srgb { Content::SrgbColour } else { content };
        let size = [self.picture.width(), self.picture.height()];
        let smaller = (halvings > 0).then(|| Smaller {
            chain: Chain::new(size, content),
            level: halvings,
            pixels: Vec::new(),
            only: self.picture.pixels().first().copied(),
        });
        Colours { smaller, ..self }
    }

    /// Goes on with the rows from this pixel on, as they are packed: opacity is that of the picture that is stored.
    pub fn follow(&mut self, first: usize, packed: &[[u8; 4]]) {
        let Some(Smaller { chain, level, pixels, only }) = &mut self.smaller else { return };
        let own = self.picture.pixels().get(first..).unwrap_or_default();
        let rows: Vec<[u8; 4]> = own.iter().zip(packed).map(|(&[r, g, b, _], &[.., a])| [r, g, b, a]).collect();
        if first == 0 {
            *only = rows.first().copied();
        }
        *only = only.filter(|only| rows.iter().all(|pixel| pixel == only));
        chain.push(&rows, &mut |number, row| pixels.extend(row.iter().filter(|_| number == *level)));
    }

    /// There are no more rows.
    pub fn end(&mut self) {
        if let Some(Smaller { chain, level, pixels, .. }) = &mut self.smaller {
            chain.finish(&mut |number, row| pixels.extend(row.iter().filter(|_| number == *level)));
        }
    }

    /// What is wanted of these pixels.
    pub fn wanted(&self, of: Range<usize>) -> Option<Wanted<'_>> {
        let distances = match self.distances.as_slice() {
            [red, green, blue] => [red, green, blue],
            [all] => [all; 3],
            _ => return None,
        };
        let pixels = self.smaller.as_ref().map_or(self.picture.pixels(), |smaller| &smaller.pixels);
        Some(Wanted::Colours { pixels: pixels.get(of).unwrap_or_default(), distances })
    }

    /// How far the numbers may be from the colours, because they are means of others: of full strength, as light or as it is seen.
    fn rounding(&self) -> f32 {
        /// What half a step of linear light is at most as it is seen, where it is darkest; and half a step of sRGB as light, where it is brightest.
        const HALF_A_STEP: [f32; 2] = [0.5 / 255.0 * 12.92, 0.5 / 255.0 * 2.4 / 1.055];
        let [of_light, of_srgb] = HALF_A_STEP;
        match &self.smaller {
            None | Some(Smaller { only: Some(_), .. }) => 0.0,
            Some(_) if self.is_srgb => of_srgb,
            Some(_) => of_light,
        }
    }
}

/// Light as it is, and as it is seen.
fn shown(light: f32) -> Shown {
    Shown::new(light, srgb_from_linear(light))
}

/// What storing changes of a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockError {
    /// The largest difference of a channel, of full strength; not a number where it is not known.
    pub largest: f32,
    /// The peak signal-to-noise ratio of the worst channel, in dB.
    pub psnr: f32,
}

impl BlockError {
    /// What was measured against these colours, and what that may have missed.
    pub fn of(error: StoredError, colours: Option<&Colours>) -> BlockError {
        let rounding = colours.map_or(0.0, Colours::rounding);
        BlockError { largest: error.largest + rounding, psnr: error.psnr() as f32 }
    }

    /// It has not been measured.
    pub const UNKNOWN: BlockError = BlockError { largest: f32::NAN, psnr: f32::NAN };
}
