//! The images of a scene as textures: each decoded once, on all cores.

use super::budget::{self, Budget};
use super::mips;
use super::texture::{Level, Texture, Values};
use super::{Instead, Missing, material::Wanted};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::{Bytes, Handle, Scene};
use maquette_texture::{Picture, blocks, decode};
use rayon::prelude::*;

/// The textures that materials want, in this order, and those that are not as they should be. All of them together have about as many pixels as this at most.
pub(crate) fn load(scene: &Scene, wanted: &[Wanted], most_pixels: u64) -> (Vec<Option<Texture>>, Vec<Missing>) {
    let sizes: Vec<[u32; 2]> =
        wanted.iter().map(|wanted| scene.images.get(wanted.image).map(budget::size).unwrap_or_default()).collect();
    let budget = Budget::new(&sizes, most_pixels);
    let mut missing = Vec::new();
    let mut textures = Vec::with_capacity(wanted.len());
    for lot in budget.lots(&sizes) {
        let wanted = wanted.get(lot).unwrap_or_default();
        let loaded = wanted.par_iter().with_max_len(1).map(|wanted| {
            let image = scene.images.get(wanted.image).ok_or("it is not in the scene")?;
            texture(image, wanted.values, &budget)
        });
        let loaded: Vec<Result<Loaded, String>> = loaded.collect();
        for (loaded, wanted) in loaded.into_iter().zip(wanted) {
            let mut tell = |why, instead| missing.push(Missing { image: wanted.image, why, instead });
            let loaded = loaded.map_err(|why| tell(why, Instead::Factors)).ok();
            textures.push(loaded.map(|Loaded { texture, damage, smaller }| {
                damage.into_iter().for_each(|why| tell(why, Instead::Rest));
                if let (Some([width, height]), Some(held)) = (smaller, texture.levels.first()) {
                    let held = format!("{} × {} of its {width} × {height} pixels are held", held.width, held.height);
                    tell(format!("{held}, as textures have at most {most_pixels} in all"), Instead::Smaller);
                }
                texture
            }));
        }
    }
    (textures, missing)
}

struct Loaded {
    texture: Texture,
    /// What is wrong with its file.
    damage: Option<String>,
    /// The size of its file, where it is held smaller.
    smaller: Option<[u32; 2]>,
}

/// What the bytes of an image are where it says so itself.
pub(crate) fn said_values(scene: &Scene, image: Handle<Image>) -> Option<Values> {
    match &*scene.images.get(image)?.data {
        ImageData::Pixels { colour_space: ColourSpace::Srgb, .. } => Some(Values::Srgb),
        ImageData::Pixels { colour_space: ColourSpace::Linear, .. } => Some(Values::Linear),
        ImageData::Encoded { .. } | ImageData::External(_) => None,
    }
}

fn texture(image: &Image, values: Values, budget: &Budget) -> Result<Loaded, String> {
    let mut damage = None;
    let mut levels = match &*image.data {
        ImageData::Encoded { bytes, .. } => {
            let salvaged = decode::salvage(bytes).map_err(|error| error.to_string())?;
            damage = salvaged.damage;
            mips::levels(salvaged.picture, values)
        }
        ImageData::Pixels { format, width, height, levels, .. } => stored(*format, *width, *height, levels, values)?,
        ImageData::External(name) => return Err(format!("the file {name} is not there")),
    };
    let size = levels.first().map(|level| [level.width, level.height]).unwrap_or_default();
    let skipped = budget.skipped(size).min(levels.len().saturating_sub(1));
    levels.drain(..skipped);
    Ok(Loaded { texture: Texture { levels, values }, damage, smaller: (skipped > 0).then_some(size) })
}

/// Levels as they are stored, up to the first that is broken; those below it are made.
fn stored(
    format: PixelFormat,
    width: u32,
    height: u32,
    stored: &[Bytes],
    values: Values,
) -> Result<Vec<Level>, String> {
    if u64::from(width) * u64::from(height) > decode::MOST_PIXELS {
        return Err(format!("it has {width} × {height} pixels"));
    }
    let sizes = (0..).map(|level| [width, height].map(|side: u32| side.checked_shr(level).unwrap_or(0).max(1)));
    let decoded: Vec<Option<Picture>> = stored
        .iter()
        .zip(sizes)
        .take(32)
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|(bytes, [width, height])| Picture::new(width, height, pixels(format, width, height, bytes)?))
        .collect();
    let mut good: Vec<Picture> = decoded.into_iter().map_while(|picture| picture).collect();
    let last = good.pop().ok_or("its pixels are not as many as its size says")?;
    let level =
        |picture: Picture| Level { width: picture.width(), height: picture.height(), pixels: picture.into_pixels() };
    let mut levels: Vec<Level> = good.into_iter().map(level).collect();
    levels.extend(mips::levels(last, values));
    Ok(levels)
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
