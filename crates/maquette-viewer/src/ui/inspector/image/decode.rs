//! The pixels of an image, level by level, as they become known.

use maquette::scene::image::{Image, ImageData, PixelFormat};
use maquette::scene::material::Surface;
use maquette::scene::{Handle, Scene};
use maquette_render::Levels;
use maquette_texture::Picture;
use maquette_texture::mips::{self, Content};
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
    let content = match data {
        ImageData::Pixels { format: PixelFormat::Rg8 | PixelFormat::Bc5, .. } => Content::Data,
        _ => content,
    };
    let levels = match Levels::of(data) {
        Ok(levels) => levels,
        Err(why) => {
            tell(Part::Failed(why));
            return;
        }
    };
    let mut last = None;
    let mut failed = "it has no pixels".to_owned();
    for level in 0..levels.count() {
        let salvaged = match levels.decode(level) {
            Ok(salvaged) => salvaged,
            Err(why) => {
                failed = why;
                break;
            }
        };
        let picture = Arc::new(salvaged.picture);
        let goes_on = salvaged.damage.is_none_or(|damage| tell(Part::Damage(damage)));
        if !goes_on || !tell(Part::Level(Arc::clone(&picture), Origin::Stored)) {
            return;
        }
        (last, failed) = (Some(picture), String::new());
    }
    match last {
        None => _ = tell(Part::Failed(failed)),
        Some(last) => {
            if failed.is_empty() || tell(Part::Damage(failed)) {
                made(&last, content, tell);
            }
        }
    }
}

fn made(picture: &Picture, content: Content, tell: &mut dyn FnMut(Part) -> bool) {
    for level in mips::below(picture, content) {
        if !tell(Part::Level(Arc::new(level), Origin::Made)) {
            return;
        }
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
    let levels = Levels::of(data)?;
    let is_enough = |level: &u32| levels.size(*level).is_none_or(|size| size.into_iter().any(|have| have >= side));
    let level = (0..levels.count()).take_while(is_enough).last().unwrap_or(0);
    let whole = levels.decode(level)?.picture;
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
        assert_eq!(told(&rgba(&[7])), ["failed"]);
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
