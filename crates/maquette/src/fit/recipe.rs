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
use maquette_texture::colour::srgb_from_linear;
use maquette_texture::mips::{self, Content};
use maquette_texture::pack::{self, Opacity, Source, Surface};
use maquette_texture::resize::data_table;
use maquette_texture::{Picture, Quality, bc5, bc7, blocks, normal};
use rayon::prelude::*;
use std::borrow::Cow;

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
        let (mut emission_error, mut below_surface, mut wanted) = (0.0, 0, None);
        let (top, content) = match self {
            Recipe::BaseColour { image, factor, alpha } => {
                let picture = sound(open(*image)).unwrap_or_else(|| Picture::of_one([255; 4]));
                let (opacity, content) = match alpha {
                    Alpha::Opaque => (Opacity::Ignored, Content::Data),
                    Alpha::Mask(cutoff) => (Opacity::CutOut(f32::from_bits(*cutoff)), Content::CutOut),
                    Alpha::Blend => (Opacity::Kept, Content::Blended),
                };
                let decode_table = decode_table(image, Purpose::Colour);
                let factor = factor.map(f32::from_bits);
                // What eight bits leave of a factor alone is told of with the factor.
                wanted = image.filter(|_| lost.is_empty()).map(|_| Wanted::new(picture.clone(), &decode_table, factor));
                (pack::base_colour(picture, &decode_table, factor, opacity), content)
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
            Effort::Whole => self.store(top, content, halvings, quality, caps, wanted),
            Effort::Predicted => predicted(top, quality, wanted),
        };
        let has_blocks = quality.is_some() && size != [1, 1];
        Baked {
            data,
            lost,
            has_blocks,
            emission_error,
            below_surface,
            block_error,
            shrunk_from: (halvings > 0).then_some(size),
        }
    }

    /// All levels that fit, as pixels or blocks, and the largest error of what is stored.
    fn store(
        &self,
        top: Picture,
        content: Content,
        halvings: u32,
        quality: Option<Quality>,
        caps: &Caps,
        wanted: Option<Wanted>,
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
                let wanted = wanted.as_ref().map(|wanted| match halvings {
                    0 => Cow::Borrowed(wanted),
                    _ => Cow::Owned(Wanted::new(level.clone(), &data_table(), [1.0; 4])),
                });
                error = block_error(&level, format, &bytes, wanted.as_deref());
            }
            stored.push(bytes);
        }
        (ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels: stored }, error)
    }
}

/// What stands in for a texture that is not to be made: its largest level with empty ones below it, and an error that is not known where it would be
/// blocks.
fn predicted(top: Picture, quality: Option<Quality>, wanted: Option<Wanted>) -> (ImageData, BlockError) {
    let (width, height) = (top.width(), top.height());
    let has_blocks = quality.is_some() && (width, height) != (1, 1);
    let error = match has_blocks {
        true => BlockError::UNKNOWN,
        false => block_error(&top, PixelFormat::Rgba8, &[], wanted.as_ref()),
    };
    let mut levels = vec![top.pixels().as_flattened().to_vec()];
    for level in 1..mips::level_count(width, height) {
        let [width, height] = mips::level_size(width, height, level);
        levels.push(vec![0; 4 * width as usize * height as usize]);
    }
    let format = PixelFormat::Rgba8;
    let data = ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels };
    (data, error)
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

/// The colours that a picture is to show.
#[derive(Clone)]
struct Wanted {
    picture: Picture,
    /// What each value of red, green and blue is: as linear light, and as it is seen, in sRGB.
    tables: [[(f32, f32); 256]; 3],
}

impl Wanted {
    fn new(picture: Picture, decode_table: &[f32; 256], factor: [f32; 4]) -> Wanted {
        let [red, green, blue, _] = factor;
        let table = |factor: f32| decode_table.map(|light| shown((light * factor).clamp(0.0, 1.0)));
        Wanted { picture, tables: [red, green, blue].map(table) }
    }
}

/// Light as it is, and as it is seen.
fn shown(light: f32) -> (f32, f32) {
    (light, srgb_from_linear(light))
}

/// What is stored of a picture against what it is to show: the largest difference of a channel, of full strength, and the peak signal-to-noise ratio in
/// dB. Colours are compared as they are seen, and differ by no more as light; all else is compared by the numbers that blocks change.
fn block_error(level: &Picture, format: PixelFormat, bytes: &[u8], wanted: Option<&Wanted>) -> BlockError {
    let (width, height) = (level.width() as usize, level.height() as usize);
    let (decoded, channels) = match (format, wanted) {
        (PixelFormat::Bc5, _) => (blocks::decode_bc5(width, height, bytes), 2),
        (PixelFormat::Bc7, _) => (blocks::decode_bc7(width, height, bytes), 4),
        (PixelFormat::Rgba8 | PixelFormat::Rg8, Some(_)) => (Some(level.pixels().to_vec()), 4),
        (PixelFormat::Rgba8 | PixelFormat::Rg8, None) => return BlockError::NONE,
    };
    let plain = data_table();
    let look = |value: u8| plain.get(usize::from(value)).copied().unwrap_or_default();
    let seen = plain.map(shown);
    let look_shown = |table: &[(f32, f32); 256], value: u8| table.get(usize::from(value)).copied().unwrap_or_default();
    let (mut largest, mut squares) = (0.0_f32, 0.0_f64);
    let mut add = |apart: f32, also: f32| {
        largest = largest.max(apart.abs()).max(also.abs());
        squares += f64::from(apart) * f64::from(apart);
    };
    let decoded = decoded.unwrap_or_default();
    match wanted {
        Some(Wanted { picture, tables }) => {
            for ((wanted, level), stored) in picture.pixels().iter().zip(level.pixels()).zip(&decoded) {
                for ((table, &wanted), &stored) in tables.iter().zip(wanted).zip(stored) {
                    let ((light, seen_as), (stored, stored_as)) =
                        (look_shown(table, wanted), look_shown(&seen, stored));
                    add(seen_as - stored_as, light - stored);
                }
                let ([.., wanted], [.., stored]) = (level, stored);
                add(look(*wanted) - look(*stored), 0.0);
            }
        }
        None => {
            for (level, stored) in level.pixels().iter().zip(&decoded) {
                level.iter().zip(stored).take(channels).for_each(|(&a, &b)| add(look(a) - look(b), 0.0));
            }
        }
    }
    let mean = squares / (level.pixels().len() * channels).max(1) as f64;
    let psnr = if squares == 0.0 { f64::INFINITY } else { -10.0 * mean.log10() };
    BlockError { largest, psnr: psnr as f32 }
}

/// What storing changes of a texture.
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
    /// Whether it is blocks, or would be.
    pub has_blocks: bool,
    /// What storing it changes.
    pub block_error: BlockError,
    /// The size it had before it was halved.
    pub shrunk_from: Option<[u32; 2]>,
}
