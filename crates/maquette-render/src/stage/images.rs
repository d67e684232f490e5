//! The images of a scene as textures: each decoded once, on all cores.

use super::budget::{self, Budget};
use super::levels::Levels;
use super::mips;
use super::texture::{Level, Texture, Values};
use super::{Instead, Missing, material::Wanted};
use maquette_scene::image::{ColourSpace, Image, ImageData};
use maquette_scene::{Handle, Scene};
use maquette_texture::Picture;
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

/// Levels as they are stored, up to the first that is broken; those below it are made.
fn texture(image: &Image, values: Values, budget: &Budget) -> Result<Loaded, String> {
    let stored = Levels::of(&image.data)?;
    let decoded = (0..stored.count()).into_par_iter().map(|level| stored.decode(level));
    let mut decoded = decoded.collect::<Vec<_>>().into_iter();
    let first = decoded.next().ok_or("it has no pixels")??;
    let damage = first.damage;
    let mut good: Vec<Picture> = decoded.map_while(Result::ok).map(|salvaged| salvaged.picture).collect();
    let (above, last) = match good.pop() {
        Some(last) => (std::iter::once(first.picture).chain(good).collect(), last),
        None => (Vec::new(), first.picture),
    };
    let level =
        |picture: Picture| Level { width: picture.width(), height: picture.height(), pixels: picture.into_pixels() };
    let mut levels: Vec<Level> = above.into_iter().map(level).collect();
    levels.extend(mips::levels(last, values));
    let size = levels.first().map(|level| [level.width, level.height]).unwrap_or_default();
    let skipped = budget.skipped(size).min(levels.len().saturating_sub(1));
    levels.drain(..skipped);
    Ok(Loaded { texture: Texture { levels, values }, damage, smaller: (skipped > 0).then_some(size) })
}
