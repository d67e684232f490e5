//! What a packed texture is made of, and making it.
//!
//! A recipe names images of the scene and the numbers they are multiplied with. Two materials with the same recipe get the same
//! texture, which is made once. Making one decodes its images, packs them, builds the levels and chooses the blocks; nothing of that
//! outlives it but the texture.

use super::pictures::{self, Purpose};
use super::{Effort, TextureOptions};
use maquette_formats::format::Caps;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::subject;
use maquette_scene::material::{AlphaMode, Pbr, TextureUse, Wrap};
use maquette_scene::{Arena, Handle};
use maquette_texture::mips::{self, Content};
use maquette_texture::pack::{self, Opacity, Source, Surface};
use maquette_texture::resize::data_table;
use maquette_texture::{Picture, Quality, bc5, bc7, blocks, normal};
use rayon::prelude::*;

/// A number that can be compared with itself.
type Bits = u32;

/// What one texture is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Recipe {
    /// Base colour and opacity.
    BaseColour {
        /// `None` for a picture that is white or, of normals, flat.
        image: Option<Handle<Image>>,
        /// Linear RGBA that each pixel is multiplied by.
        factor: [Bits; 4],
        /// What opacity means.
        alpha: Alpha,
    },
    /// Normals.
    Normal {
        /// `None` for a picture that is white or, of normals, flat.
        image: Option<Handle<Image>>,
        /// What the x and y of each normal are multiplied by.
        scale: Bits,
    },
    /// Roughness, occlusion, metalness, emission.
    Surface {
        /// Metalness and roughness, occlusion, emission, base colour.
        images: [Option<(Handle<Image>, [Wrap; 2])>; 4],
        /// Roughness, metalness, strength of the occlusion.
        numbers: [Bits; 3],
        /// The colour of the emission, and the base colour.
        colours: [[Bits; 3]; 2],
    },
}

/// What opacity means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alpha {
    /// It is ignored.
    Opaque,
    /// There from this on.
    Mask(Bits),
    /// Mixed with what is behind.
    Blend,
}

impl Recipe {
    /// The recipes of base colour, normals and the rest.
    pub fn of(material: &Pbr, alpha: AlphaMode) -> [Recipe; 3] {
        let image = |texture: &Option<TextureUse>| texture.as_ref().map(|texture| texture.image);
        let used = |texture: &Option<TextureUse>| texture.as_ref().map(|texture| (texture.image, texture.wrap));
        let emissive = material.emissive.map(|channel| channel * material.emissive_strength);
        let shines = emissive.iter().any(|&channel| channel > 0.0);
        let lit = |texture| if shines { used(texture) } else { None };
        let [r, g, b, _] = material.base_colour;
        let alpha = match alpha {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask(cutoff) => Alpha::Mask(cutoff.to_bits()),
            AlphaMode::Blend => Alpha::Blend,
        };
        let normal = image(&material.normal_texture);
        [
            Recipe::BaseColour {
                image: image(&material.base_colour_texture),
                factor: material.base_colour.map(f32::to_bits),
                alpha,
            },
            Recipe::Normal { image: normal, scale: normal.map_or(0, |_| material.normal_scale.to_bits()) },
            Recipe::Surface {
                images: [
                    used(&material.metallic_roughness_texture),
                    used(&material.occlusion_texture),
                    lit(&material.emissive_texture),
                    lit(&material.base_colour_texture),
                ],
                numbers: [material.roughness, material.metallic, material.occlusion_strength].map(f32::to_bits),
                colours: if shines { [emissive, [r, g, b]].map(|c| c.map(f32::to_bits)) } else { [[0; 3]; 2] },
            },
        ]
    }

    /// Makes the texture.
    pub fn bake(&self, images: &Arena<Image>, caps: &Caps, options: &TextureOptions) -> Baked {
        let mut lost = Vec::new();
        let open = |handle: Option<Handle<Image>>| {
            let handle = handle?;
            let image = images.get(handle)?;
            let whose = subject("image", handle.index(), &image.name);
            Some(pictures::picture(image).map_err(|why| format!("{whose}: {why}")))
        };
        let mut sound = |opened: Option<Result<Picture, String>>| opened?.map_err(|why| lost.push(why)).ok();
        let decode_table = |image: &Option<Handle<Image>>, purpose| {
            image.and_then(|image| images.get(image)).map_or_else(data_table, |i| pictures::decode_table(i, purpose))
        };
        let (mut emission_error, mut below_surface) = (0.0, 0);
        let (top, content) = match self {
            Recipe::BaseColour { image, factor, alpha } => {
                let picture = sound(open(*image)).unwrap_or_else(|| Picture::of_one([255; 4]));
                let (opacity, content) = match alpha {
                    Alpha::Opaque => (Opacity::Ignored, Content::Data),
                    Alpha::Mask(cutoff) => (Opacity::CutOut(f32::from_bits(*cutoff)), Content::CutOut),
                    Alpha::Blend => (Opacity::Kept, Content::Blended),
                };
                let decode_table = decode_table(image, Purpose::Colour);
                (pack::base_colour(picture, &decode_table, factor.map(f32::from_bits), opacity), content)
            }
            Recipe::Normal { image, scale } => {
                let picture = sound(open(*image)).unwrap_or_else(|| Picture::of_one([128, 128, 255, 255]));
                let (picture, below) = pack::normals(with_blue(picture), f32::from_bits(*scale));
                below_surface = below;
                (picture, Content::Normals)
            }
            Recipe::Surface { images: used, numbers, colours } => {
                let handles = used.map(|used| used.map(|(image, _)| image));
                // Occlusion is often in the same picture as roughness and metalness.
                let [first, second, ..] = handles;
                let shared = first.is_some() && first == second;
                let [own, occluding, shining, base] = handles;
                let wanted = [own, occluding.filter(|_| !shared), shining, base];
                let opened: Vec<_> = wanted.into_par_iter().map(open).collect();
                let pictures: Vec<Option<Picture>> = opened.into_iter().map(&mut sound).collect();
                let purposes = [Purpose::Data, Purpose::Data, Purpose::Colour, Purpose::Colour];
                let [metallic_roughness, occlusion, emissive_map, base_colour_map] = std::array::from_fn(|slot| {
                    let from = if slot == 1 && shared { 0 } else { slot };
                    let (picture, (_, wrap)) = (pictures.get(from)?.as_ref()?, used.get(slot)?.as_ref()?);
                    let decode_table = decode_table(handles.get(slot)?, *purposes.get(slot)?);
                    Some(Source { picture, edges: pictures::edges(*wrap), decode_table })
                });
                let [roughness, metalness, occlusion_strength] = numbers.map(f32::from_bits);
                let [emissive, base_colour] = colours.map(|colour| colour.map(f32::from_bits));
                let packed = Surface {
                    roughness,
                    metalness,
                    metallic_roughness,
                    occlusion_strength,
                    occlusion,
                    emissive,
                    emissive_map,
                    base_colour,
                    base_colour_map,
                }
                .pack();
                emission_error = packed.emission_error;
                (packed.picture, Content::Data)
            }
        };
        let halvings = options.halvings(top.width(), top.height());
        let size = [top.width(), top.height()];
        let quality = options.quality.filter(|_| caps.blocks);
        let (data, block_error) = match options.effort {
            Effort::Whole => self.store(top, content, halvings, quality, caps),
            Effort::Predicted => predicted(top, quality),
        };
        Baked { data, lost, emission_error, below_surface, block_error, shrunk_from: (halvings > 0).then_some(size) }
    }

    /// All levels that fit, as pixels or blocks, and the largest error of the blocks.
    fn store(
        &self,
        top: Picture,
        content: Content,
        halvings: u32,
        quality: Option<Quality>,
        caps: &Caps,
    ) -> (ImageData, BlockError) {
        let mut levels = mips::below(&top, content);
        levels.insert(0, top);
        let levels: Vec<Picture> = levels.into_iter().skip(halvings as usize).collect();
        let (width, height) = levels.first().map_or((1, 1), |level| (level.width(), level.height()));
        // One pixel is smaller and exact without blocks.
        let quality = quality.filter(|_| (width, height) != (1, 1));
        let two_channels = matches!(self, Recipe::Normal { .. });
        let format = match (two_channels, quality) {
            (true, Some(_)) => PixelFormat::Bc5,
            (false, Some(_)) => PixelFormat::Bc7,
            (true, None) if (width, height) != (1, 1) && caps.two_channels => PixelFormat::Rg8,
            (_, None) => PixelFormat::Rgba8,
        };
        let mut error = BlockError::NONE;
        let mut stored = Vec::with_capacity(levels.len());
        for mut level in levels {
            if two_channels && format == PixelFormat::Rgba8 {
                normal::rebuild_z(level.pixels_mut());
            }
            let bytes = stored_level(&level, format, quality.unwrap_or_default());
            if stored.is_empty() {
                error = block_error(&level, format, &bytes);
            }
            stored.push(bytes);
        }
        (ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels: stored }, error)
    }
}

/// What stands in for a texture that is not to be made: its largest level with empty ones below it, and an error that is not known where it would be
/// blocks.
fn predicted(top: Picture, quality: Option<Quality>) -> (ImageData, BlockError) {
    let (width, height) = (top.width(), top.height());
    let mut levels = vec![top.pixels().as_flattened().to_vec()];
    for level in 1..mips::level_count(width, height) {
        let [width, height] = mips::level_size(width, height, level);
        levels.push(vec![0; 4 * width as usize * height as usize]);
    }
    let has_blocks = quality.is_some() && (width, height) != (1, 1);
    let format = PixelFormat::Rgba8;
    let data = ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels };
    (data, if has_blocks { BlockError::UNKNOWN } else { BlockError::NONE })
}

/// Normal maps of two channels get the third.
fn with_blue(mut picture: Picture) -> Picture {
    if picture.pixels().iter().all(|&[_, _, b, _]| b == 0) {
        normal::rebuild_z(picture.pixels_mut());
    }
    picture
}

fn stored_level(level: &Picture, format: PixelFormat, quality: Quality) -> Vec<u8> {
    let (width, height) = (level.width() as usize, level.height() as usize);
    match format {
        PixelFormat::Rgba8 => level.pixels().as_flattened().to_vec(),
        PixelFormat::Rg8 => level.pixels().iter().flat_map(|&[r, g, ..]| [r, g]).collect(),
        PixelFormat::Bc5 => bc5::encode(width, height, level.pixels(), quality).unwrap_or_default(),
        PixelFormat::Bc7 => bc7::encode(width, height, level.pixels(), quality).unwrap_or_default(),
    }
}

/// What blocks change: the largest difference of a channel, of full strength, and the peak signal-to-noise ratio in dB.
fn block_error(level: &Picture, format: PixelFormat, bytes: &[u8]) -> BlockError {
    let (width, height) = (level.width() as usize, level.height() as usize);
    let (decoded, channels) = match format {
        PixelFormat::Bc5 => (blocks::decode_bc5(width, height, bytes), 2),
        PixelFormat::Bc7 => (blocks::decode_bc7(width, height, bytes), 4),
        PixelFormat::Rgba8 | PixelFormat::Rg8 => return BlockError::NONE,
    };
    let (mut largest, mut squares) = (0u8, 0u64);
    for (a, b) in level.pixels().iter().zip(decoded.iter().flatten()) {
        for (a, b) in a.iter().zip(b).take(channels) {
            let apart = a.abs_diff(*b);
            largest = largest.max(apart);
            squares += u64::from(apart) * u64::from(apart);
        }
    }
    let mean = squares as f64 / (level.pixels().len() * channels).max(1) as f64;
    let psnr = if squares == 0 { f64::INFINITY } else { 10.0 * (255.0 * 255.0 / mean).log10() };
    BlockError { largest: f32::from(largest) / 255.0, psnr: psnr as f32 }
}

/// What blocks change of a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockError {
    /// The largest difference of a channel, of full strength; not a number where it is not known.
    pub largest: f32,
    /// The peak signal-to-noise ratio, in dB.
    pub psnr: f32,
}

impl BlockError {
    /// Nothing is changed.
    pub const NONE: BlockError = BlockError { largest: 0.0, psnr: f32::INFINITY };
    /// It has not been measured.
    pub const UNKNOWN: BlockError = BlockError { largest: f32::NAN, psnr: f32::NAN };
}

/// A texture that has been made.
pub struct Baked {
    /// Pixels or blocks with their mip levels.
    pub data: ImageData,
    /// Which images could not be used, and why.
    pub lost: Vec<String>,
    /// The largest difference between an emitted colour and what is stored of it.
    pub emission_error: f32,
    /// Normals that point below the surface.
    pub below_surface: u64,
    /// What the blocks change.
    pub block_error: BlockError,
    /// The size it had before it was halved.
    pub shrunk_from: Option<[u32; 2]>,
}
