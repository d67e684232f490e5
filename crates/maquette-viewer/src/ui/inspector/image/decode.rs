//! The pixels of an image, level by level, as they become known.

use maquette::scene::image::{Image, ImageData, PixelFormat};
use maquette::scene::material::Surface;
use maquette::scene::{Bytes, Handle, Scene};
use maquette_texture::mips::{self, Content};
use maquette_texture::{Picture, blocks, decode};
use std::sync::Arc;

/// Where a level comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is in the file.
    Stored,
    /// It was averaged from the one before.
    Made,
}

/// Something that is known of an image.
#[derive(Debug)]
pub enum Part {
    /// The next level, the largest first.
    Level(Arc<Picture>, Origin),
    /// Something is wrong with it.
    Damage(String),
    /// It cannot be decoded.
    Failed(String),
}

/// Decodes an image, and tells parts of it to whoever listens, until that says no.
pub fn parts(data: &ImageData, content: Content, tell: &mut dyn FnMut(Part) -> bool) {
    match data {
        ImageData::External(name) => _ = tell(Part::Failed(format!("the file {name} is not there"))),
        ImageData::Encoded { bytes, .. } => match decode::salvage(bytes) {
            Err(error) => _ = tell(Part::Failed(error.to_string())),
            Ok(salvaged) => {
                let goes_on = salvaged.damage.is_none_or(|damage| tell(Part::Damage(damage)));
                let picture = Arc::new(salvaged.picture);
                if goes_on && tell(Part::Level(Arc::clone(&picture), Origin::Stored)) {
                    made(&picture, content, tell);
                }
            }
        },
        ImageData::Pixels { format, width, height, levels, .. } => {
            let content = match format {
                PixelFormat::Rg8 | PixelFormat::Bc5 => Content::Data,
                PixelFormat::Rgba8 | PixelFormat::Bc7 => content,
            };
            stored(*format, [*width, *height], levels, content, tell);
        }
    }
}

fn stored(format: PixelFormat, size: [u32; 2], levels: &[Bytes], content: Content, tell: &mut dyn FnMut(Part) -> bool) {
    let [width, height] = size;
    if u64::from(width) * u64::from(height) > decode::MOST_PIXELS {
        _ = tell(Part::Failed(format!(
            "it has {width} × {height} pixels, and at most {} are decoded",
            decode::MOST_PIXELS
        )));
        return;
    }
    let mut last = None;
    for (level, bytes) in (0..mips::level_count(width, height)).zip(levels) {
        let [width, height] = mips::level_size(width, height, level);
        let picture = pixels(format, width, height, bytes).and_then(|pixels| Picture::new(width, height, pixels));
        let Some(picture) = picture else {
            if !tell(Part::Damage(format!("level {level} has not as many bytes as its size says"))) {
                return;
            }
            break;
        };
        let picture = Arc::new(picture);
        if !tell(Part::Level(Arc::clone(&picture), Origin::Stored)) {
            return;
        }
        last = Some(picture);
    }
    match last {
        Some(last) => made(&last, content, tell),
        None => _ = tell(Part::Failed("it has no level that can be decoded".to_owned())),
    }
}

fn made(picture: &Picture, content: Content, tell: &mut dyn FnMut(Part) -> bool) {
    for level in mips::below(picture, content) {
        if !tell(Part::Level(Arc::new(level), Origin::Made)) {
            return;
        }
    }
}

fn pixels(format: PixelFormat, width: u32, height: u32, bytes: &[u8]) -> Option<Vec<[u8; 4]>> {
    let (width, height) = (width as usize, height as usize);
    match format {
        PixelFormat::Rgba8 => Some(bytes.get(..width * height * 4)?.as_chunks().0.to_vec()),
        PixelFormat::Rg8 => {
            let pairs = bytes.get(..width * height * 2)?.as_chunks::<2>().0.iter();
            Some(pairs.map(|&[r, g]| [r, g, 0, 255]).collect())
        }
        PixelFormat::Bc5 => blocks::decode_bc5(width, height, bytes),
        PixelFormat::Bc7 => blocks::decode_bc7(width, height, bytes),
    }
}

/// What the pixels of an image are, by the first use that a material makes of it.
pub fn content(scene: &Scene, image: Handle<Image>) -> Content {
    for material in &scene.materials {
        let Some((slot, _)) = material.images().into_iter().find(|(_, used)| *used == image) else { continue };
        return match (slot, &material.surface) {
            ("base colour", Surface::Packed(_)) => Content::Blended,
            ("base colour" | "emissive", Surface::Pbr(_)) => Content::SrgbColour,
            ("normal", _) => Content::Normals,
            _ => Content::Data,
        };
    }
    Content::Data
}

/// The smallest level that is at least so wide or high, for a picture of little room; the damage is not of interest.
pub fn small(data: &ImageData, side: u32) -> Result<Picture, String> {
    let whole = match data {
        ImageData::Pixels { format, width, height, levels, .. } => {
            let sizes = (0..).map(|level| mips::level_size(*width, *height, level));
            let fits = sizes.zip(levels).take(32).filter(|([width, height], _)| (*width).max(*height) >= side);
            match fits.last().or_else(|| levels.first().map(|level| ([*width, *height], level))) {
                Some(([width, height], bytes)) if u64::from(width) * u64::from(height) <= decode::MOST_PIXELS => {
                    pixels(*format, width, height, bytes).and_then(|pixels| Picture::new(width, height, pixels))
                }
                _ => None,
            }
            .ok_or("it cannot be decoded")?
        }
        ImageData::Encoded { bytes, .. } => decode::salvage(bytes).map_err(|error| error.to_string())?.picture,
        ImageData::External(name) => return Err(format!("the file {name} is not there")),
    };
    let longest = whole.width().max(whole.height()).max(1);
    let fit = |length: u32| (u64::from(length) * u64::from(side) / u64::from(longest)).max(1) as u32;
    Ok(mips::within(&whole, [fit(whole.width()), fit(whole.height())], false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::scene::image::ColourSpace;

    fn told(data: &ImageData) -> Vec<String> {
        let mut told = Vec::new();
        parts(data, Content::Data, &mut |part| {
            told.push(match part {
                Part::Level(picture, origin) => format!("{}x{} {origin:?}", picture.width(), picture.height()),
                Part::Damage(_) => "damage".to_owned(),
                Part::Failed(_) => "failed".to_owned(),
            });
            true
        });
        told
    }

    fn rgba(levels: &[usize]) -> ImageData {
        let levels = levels.iter().map(|pixels| vec![7; pixels * 4].into()).collect();
        let (format, colour_space) = (PixelFormat::Rgba8, ColourSpace::Linear);
        ImageData::Pixels { format, colour_space, width: 4, height: 2, levels }
    }

    #[test]
    fn levels_are_those_of_the_file_and_made_ones_below() {
        assert_eq!(told(&rgba(&[8])), ["4x2 Stored", "2x1 Made", "1x1 Made"]);
        assert_eq!(told(&rgba(&[8, 2, 1])), ["4x2 Stored", "2x1 Stored", "1x1 Stored"]);
        assert_eq!(told(&rgba(&[8, 1])), ["4x2 Stored", "damage", "2x1 Made", "1x1 Made"]);
        assert_eq!(told(&rgba(&[7])), ["damage", "failed"]);
        assert_eq!(told(&rgba(&[])), ["failed"]);
        assert_eq!(told(&ImageData::External("fur.png".into())), ["failed"]);
    }

    #[test]
    fn a_listener_that_has_enough_is_told_no_more() {
        let mut count = 0;
        parts(&rgba(&[8]), Content::Data, &mut |_| {
            count += 1;
            false
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn small_pictures_keep_their_shape() {
        let picture = small(&rgba(&[8]), 2).unwrap();
        assert_eq!([picture.width(), picture.height()], [2, 1]);
        assert!(small(&rgba(&[7]), 2).is_err());
    }
}
