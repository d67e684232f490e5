//! The pictures of a scene as pixels, and what their numbers mean.

use super::TextureOptions;
use maquette_formats::format::{Caps, TextureStorage};
use maquette_formats::rules::images::image_kind;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::{Material, Pbr, Surface, Wrap};
use maquette_scene::{Handle, Scene};
use maquette_texture::colour::Transfer;
use maquette_texture::decode::{DecodeError, MOST_PIXELS, Salvaged, beyond_limit, salvage};
use maquette_texture::resize::{Edge, data_table};
use maquette_texture::{Picture, blocks, colour, normal};
use std::collections::{BTreeSet, HashMap};

/// What a picture is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// Base colour and emission: sRGB in image files.
    Colour,
    /// Roughness, metalness, occlusion.
    Data,
    /// Normals.
    Normals,
}

impl Purpose {
    /// What a texture of this name is used for.
    pub fn of_slot(slot: &str) -> Purpose {
        match slot {
            "base colour" | "emissive" => Purpose::Colour,
            "normal" => Purpose::Normals,
            _ => Purpose::Data,
        }
    }

    /// What pixels are for where no material says; `None` for image files.
    pub fn likely(image: &Image) -> Option<Purpose> {
        let ImageData::Pixels { format, colour_space, .. } = &*image.data else { return None };
        Some(match (format, colour_space) {
            (PixelFormat::Rg8 | PixelFormat::Bc5, _) => Purpose::Normals,
            (_, ColourSpace::Srgb) => Purpose::Colour,
            (_, ColourSpace::Linear) => Purpose::Data,
        })
    }

    /// What must be done to an image for a file of it that is used so: a change of colours, and the third channel of normals. Purposes for which it is
    /// the same can share a file. `None` for image files, which stay as they are.
    pub fn treatment(self, image: &Image) -> Option<(Option<Transfer>, bool)> {
        let ImageData::Pixels { colour_space, .. } = &*image.data else { return None };
        let transfer = match (self, colour_space) {
            (Purpose::Colour, ColourSpace::Linear) => Some(Transfer::ToSrgb),
            (Purpose::Data | Purpose::Normals, ColourSpace::Srgb) => Some(Transfer::ToLinear),
            _ => None,
        };
        Some((transfer, self == Purpose::Normals))
    }
}

/// The pixels of an image, or why there are none.
pub fn picture(image: &Image) -> Result<Picture, String> {
    salvaged(image).map(|salvaged| salvaged.picture)
}

/// The same, and what is wrong with its file where some of them are made up.
pub fn salvaged(image: &Image) -> Result<Salvaged, String> {
    level(image, 0)
}

/// The pixels of one level of an image, the largest being 0, as they are stored, and what is wrong with its file where some of them are made up; or why there are none.
pub fn level(image: &Image, level: usize) -> Result<Salvaged, String> {
    match &*image.data {
        ImageData::Encoded { .. } if level > 0 => Err("an image file has one level".into()),
        ImageData::Encoded { bytes, mime } => salvage(bytes).map_err(|error| match error {
            DecodeError::UnknownKind => {
                format!("{} files cannot be decoded", image_kind(bytes).unwrap_or(mime))
            }
            error => error.to_string(),
        }),
        ImageData::Pixels { format, width, height, levels, .. } => {
            let bytes = levels.get(level).ok_or_else(|| format!("it has {} levels", levels.len()))?;
            let [width, height] = [width, height].map(|side| (side >> level.min(31)).max(1));
            let picture = pixels(*format, width, height, bytes);
            picture.map(Salvaged::from).ok_or_else(|| "its bytes do not fit its size".into())
        }
        ImageData::External(name) => Err(format!("the file {name:?} was not there to be read")),
    }
}

/// Tells of an image that is used although its file is damaged.
pub fn report_damage(handle: Handle<Image>, image: &Image, damage: &str, losses: &mut LossReport) {
    let whose = subject("image", handle.index(), &image.name);
    let detail = format!("the file is damaged: {damage}; what can be decoded is used");
    losses.push(LossKind::Truncated, Lost::Pixels, whose, detail, 1);
}

/// The width and height of an image, without decoding it; nothing where that cannot be told or is more than is decoded.
pub fn size(image: &Image) -> [u32; 2] {
    match &*image.data {
        ImageData::Encoded { bytes, .. } => {
            let is_decoded = |[width, height]: &[u32; 2]| u64::from(*width) * u64::from(*height) <= MOST_PIXELS;
            maquette_texture::decode::size(bytes).ok().filter(is_decoded).unwrap_or_default()
        }
        ImageData::Pixels { width, height, .. } => [*width, *height],
        ImageData::External(_) => [0; 2],
    }
}

/// An image that would have to be decoded and has more pixels than that is done for, by its name and with its size.
pub fn too_large(scene: &Scene, caps: &Caps, options: &TextureOptions) -> Option<(String, [u32; 2])> {
    let are_decoded = match caps.textures {
        TextureStorage::None => false,
        TextureStorage::Pixels => true,
        TextureStorage::EncodedImages | TextureStorage::FileNames => options.max_size.is_some(),
    };
    let used = scene.materials.iter().filter_map(Material::pbr).flat_map(Pbr::textures);
    let used: BTreeSet<Handle<Image>> = used.map(|(_, texture)| texture.image).filter(|_| are_decoded).collect();
    used.into_iter().find_map(|handle| {
        let image = scene.images.get(handle)?;
        let ImageData::Encoded { bytes, .. } = &*image.data else { return None };
        Some((subject("image", handle.index(), &image.name), beyond_limit(bytes)?))
    })
}

/// Pixels as image files have them.
pub struct Shown {
    /// Colours in sRGB, normals with three channels.
    pub picture: Picture,
    /// The largest error that a change of colour space leaves, of full strength.
    pub transfer_error: Option<f32>,
    /// Whether blue was made of red and green.
    pub rebuilt: bool,
}

/// The pixels of an image as a file would have them that is used so, or why there are none.
pub fn shown(image: &Image, purpose: Purpose) -> Result<Shown, String> {
    let mut picture = picture(image)?;
    let (transfer, is_normals) = purpose.treatment(image).unwrap_or_default();
    let has_two = matches!(&*image.data, ImageData::Pixels { format: PixelFormat::Rg8 | PixelFormat::Bc5, .. });
    let is_blank = || picture.pixels().iter().all(|&[_, _, b, _]| b == 0);
    let rebuilt = is_normals && (has_two || is_blank());
    let transfer_error = transfer.map(|transfer| transfer.apply(picture.pixels_mut()));
    if rebuilt {
        normal::rebuild_z(picture.pixels_mut());
    }
    Ok(Shown { picture, transfer_error, rebuilt })
}

/// A level as a picture; `None` where the bytes are not as many as the size says.
pub fn pixels(format: PixelFormat, width: u32, height: u32, level: &[u8]) -> Option<Picture> {
    let [across, down] = [width, height].map(|side| side as usize);
    let pixels = match format {
        PixelFormat::Rgba8 if level.len().is_multiple_of(4) => level.as_chunks().0.to_vec(),
        PixelFormat::Rg8 if level.len().is_multiple_of(2) => {
            level.as_chunks().0.iter().map(|&[r, g]| [r, g, 0, 255]).collect()
        }
        PixelFormat::Bc5 => blocks::decode_bc5(across, down, level)?,
        PixelFormat::Bc7 => blocks::decode_bc7(across, down, level)?,
        PixelFormat::Rgba8 | PixelFormat::Rg8 => return None,
    };
    Picture::new(width, height, pixels)
}

/// What the values of red, green and blue mean when the image is used so.
pub fn decode_table(image: &Image, purpose: Purpose) -> [f32; 256] {
    let srgb = match &*image.data {
        ImageData::Pixels { colour_space, .. } => *colour_space == ColourSpace::Srgb,
        _ => purpose == Purpose::Colour,
    };
    if srgb { colour::srgb_table() } else { data_table() }
}

/// How a picture goes on beyond its edges.
pub fn edges(wrap: [Wrap; 2]) -> [Edge; 2] {
    wrap.map(|wrap| match wrap {
        Wrap::Repeat => Edge::Repeat,
        Wrap::Mirror => Edge::Mirror,
        Wrap::Clamp => Edge::Clamp,
    })
}

/// Takes these images away; whoever used one must not any more.
pub fn remove(scene: &mut Scene, gone: &BTreeSet<Handle<Image>>) {
    if gone.is_empty() {
        return;
    }
    let mut moved = HashMap::new();
    let images = std::mem::take(&mut scene.images);
    for (handle, image) in images.handles().zip(images) {
        if !gone.contains(&handle) {
            moved.insert(handle, scene.images.push(image));
        }
    }
    let follow = |image: &mut Handle<Image>| *image = moved.get(image).copied().unwrap_or(*image);
    for material in scene.materials.iter_mut() {
        match &mut material.surface {
            Surface::Pbr(pbr) => pbr.textures_mut().for_each(|(_, texture)| follow(&mut texture.image)),
            Surface::Packed(maps) => maps.textures_mut().into_iter().for_each(|map| follow(&mut map.image)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_stored_as_seen_and_everything_else_as_it_is() {
        let slots = ["base colour", "emissive", "normal", "metallic-roughness", "occlusion"];
        let [colour, normals, data] = [Purpose::Colour, Purpose::Normals, Purpose::Data];
        assert_eq!(slots.map(Purpose::of_slot), [colour, colour, normals, data, data]);
        let stored = |colour_space| {
            let format = PixelFormat::Rgba8;
            Image::new(
                "map",
                ImageData::Pixels { format, colour_space, width: 1, height: 1, levels: vec![vec![0; 4].into()] },
            )
        };
        let transfers = |space| [colour, data, normals].map(|purpose| purpose.treatment(&stored(space)).unwrap().0);
        assert_eq!(transfers(ColourSpace::Linear), [Some(Transfer::ToSrgb), None, None]);
        assert_eq!(transfers(ColourSpace::Srgb), [None, Some(Transfer::ToLinear), Some(Transfer::ToLinear)]);
    }

    #[test]
    fn a_level_is_half_as_large_as_the_one_before_and_never_nothing() {
        let levels = [4 * 2, 2, 1].map(|pixels| vec![7; pixels * 4].into()).to_vec();
        let (format, colour_space) = (PixelFormat::Rgba8, ColourSpace::Srgb);
        let image = Image::new("strip", ImageData::Pixels { format, colour_space, width: 4, height: 2, levels });
        let size = |at| level(&image, at).map(|level| [level.picture.width(), level.picture.height()]);
        assert_eq!([0, 1, 2].map(size), [Ok([4, 2]), Ok([2, 1]), Ok([1, 1])]);
        assert_eq!(size(3), Err("it has 3 levels".to_owned()));
    }
}
