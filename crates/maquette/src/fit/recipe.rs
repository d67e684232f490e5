//! What a packed texture is made of, and making it.
//!
//! A recipe names images of the scene and the numbers they are multiplied with. Two materials with the same recipe get the same
//! texture, which is made once. Making one decodes its images, packs them, builds the levels and chooses the blocks; nothing of that
//! outlives it but the texture.

use super::halved::Halved;
use super::opened::Opened;
use super::pictures::{self, Purpose};
use super::{Effort, TextureOptions};
use maquette_formats::format::Caps;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::material::{AlphaMode, Pbr, TextureUse, Wrap};
use maquette_scene::{Bytes, Handle};
use maquette_texture::colour::srgb_from_linear;
use maquette_texture::error::{Distances, Shown, StoredError, Wanted};
use maquette_texture::mips::{self, Content};
use maquette_texture::pack::{self, Opacity, Source, Surface};
use maquette_texture::resize::data_table;
use maquette_texture::{Picture, Quality, bc5, bc7, normal};
use std::sync::Arc;

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

    /// The images it is made of, each once.
    pub fn images(&self) -> impl Iterator<Item = Handle<Image>> + use<> {
        let images = match self {
            Recipe::BaseColour { image, .. } | Recipe::Normal { image, .. } => [*image, None, None, None],
            Recipe::Surface { images, .. } => opened_of_surface(images.map(|used| used.map(|(image, _)| image))),
        };
        images.into_iter().flatten()
    }

    /// How long it takes to make, about, beside others.
    pub fn effort(&self, opened: &Opened<'_>) -> usize {
        self.images().map(|image| opened.effort(image)).sum()
    }

    /// Makes the texture.
    pub fn bake(&self, opened: &Opened<'_>, caps: &Caps, options: &TextureOptions) -> Baked {
        let mut lost = Vec::new();
        let open = |handle: Option<Handle<Image>>| opened.picture(handle?);
        let mut sound = |opened: Option<Result<Arc<Picture>, String>>| opened?.map_err(|why| lost.push(why)).ok();
        let decode_table = |image: &Option<Handle<Image>>, purpose| {
            let image = image.and_then(|image| opened.image(image));
            image.map_or_else(data_table, |image| pictures::decode_table(image, purpose))
        };
        let (mut emission_error, mut below_surface, mut wanted, mut shrunk_early) = (0.0, 0, None, None);
        let (top, content) = match self {
            Recipe::BaseColour { image, factor, alpha } => {
                let picture = sound(open(*image)).unwrap_or_else(|| Picture::of_one([255; 4]).into());
                let (opacity, content) = match alpha {
                    Alpha::Opaque => (Opacity::Ignored, Content::Data),
                    Alpha::Mask(cutoff) => (Opacity::CutOut(f32::from_bits(*cutoff)), Content::CutOut),
                    Alpha::Blend => (Opacity::Kept, Content::Blended),
                };
                let decode_table = decode_table(image, Purpose::Colour);
                let factor = factor.map(f32::from_bits);
                // What eight bits leave of a factor alone is told of with the factor.
                wanted =
                    image.filter(|_| lost.is_empty()).map(|_| Colours::new(picture.clone(), &decode_table, factor));
                (pack::base_colour(&picture, &decode_table, factor, opacity), content)
            }
            Recipe::Normal { image, scale } => {
                let picture = sound(open(*image)).unwrap_or_else(|| Picture::of_one([128, 128, 255, 255]).into());
                let (picture, below) = pack::normals(&with_blue(picture), f32::from_bits(*scale));
                below_surface = below;
                (picture, Content::Normals)
            }
            Recipe::Surface { images: used, numbers, colours } => {
                let handles = used.map(|used| used.map(|(image, _)| image));
                let wanted = opened_of_surface(handles);
                let shared = wanted != handles;
                let mut pictures: Vec<Option<Arc<Picture>>> =
                    opened.pictures(wanted).into_iter().map(&mut sound).collect();
                let purposes = [Purpose::Data, Purpose::Data, Purpose::Colour, Purpose::Colour];
                let are_srgb: [bool; 4] = std::array::from_fn(|slot| {
                    let used = handles.get(slot).zip(purposes.get(slot));
                    used.is_some_and(|(handle, purpose)| decode_table(handle, *purpose) != data_table())
                });
                shrunk_early = shrink_early(&mut pictures, are_srgb, options);
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
        let [width, height] = size;
        let halved = match shrunk_early {
            Some(from) => Some(Halved::between(from, mips::level_size(width, height, halvings))),
            None => Halved::by(halvings, size),
        };
        Baked { data, lost, has_blocks, emission_error, below_surface, block_error, halved }
    }

    /// All levels that fit, as pixels or blocks, and the largest error of what is stored.
    fn store(
        &self,
        top: Picture,
        content: Content,
        halvings: u32,
        quality: Option<Quality>,
        caps: &Caps,
        wanted: Option<Colours>,
    ) -> (ImageData, BlockError) {
        let wanted = wanted.map(|wanted| wanted.halved(halvings, &top, content));
        let (top, below) = shrunk(top, content, halvings);
        let (width, height) = (top.width(), top.height());
        // One pixel is smaller and exact without blocks.
        let quality = quality.filter(|_| (width, height) != (1, 1));
        let two_channels = matches!(self, Recipe::Normal { .. });
        let format = match (two_channels, quality) {
            (true, Some(_)) => PixelFormat::Bc5,
            (false, Some(_)) => PixelFormat::Bc7,
            (true, None) if (width, height) != (1, 1) && caps.two_channels => PixelFormat::Rg8,
            (_, None) => PixelFormat::Rgba8,
        };
        let quality = quality.unwrap_or_default();
        let is_rebuilt = two_channels && format == PixelFormat::Rgba8;
        let stored = |mut level: Picture| {
            if is_rebuilt {
                normal::rebuild_z(level.pixels_mut());
            }
            Bytes::from(stored_level(level, format, quality))
        };
        // The blocks of the largest level take longest: they are begun while the others are made.
        let ((blocks, error), below) = rayon::join(
            || measured_level(&top, format, quality, wanted.as_ref()),
            || -> Vec<Bytes> { below.unwrap_or_else(|| mips::below(&top, content)).into_iter().map(stored).collect() },
        );
        let largest = blocks.map_or_else(|| stored(top), Bytes::from);
        let levels = std::iter::once(largest).chain(below).collect();
        (ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels }, error)
    }
}

/// A picture that is halved so often, and all levels below it where these had to be made for that.
fn shrunk(top: Picture, content: Content, halvings: u32) -> (Picture, Option<Vec<Picture>>) {
    if halvings == 0 {
        return (top, None);
    }
    let mut levels = mips::below(&top, content);
    let below = levels.split_off(levels.len().min(halvings as usize));
    (levels.pop().unwrap_or(top), Some(below))
}

/// What stands in for a texture that is not to be made: its largest level with empty ones below it, and an error that is not known where it would be
/// blocks.
fn predicted(top: Picture, quality: Option<Quality>, wanted: Option<Colours>) -> (ImageData, BlockError) {
    let (width, height) = (top.width(), top.height());
    let has_blocks = quality.is_some() && (width, height) != (1, 1);
    let error = match has_blocks {
        true => BlockError::UNKNOWN,
        false => error_of_bytes(&top, wanted.as_ref()),
    };
    let mut levels: Vec<Bytes> = vec![top.into_pixels().into_flattened().into()];
    for level in 1..mips::level_count(width, height) {
        let [width, height] = mips::level_size(width, height, level);
        levels.push(vec![0; 4 * width as usize * height as usize].into());
    }
    let format = PixelFormat::Rgba8;
    let data = ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels };
    (data, error)
}

/// Halves the pictures of a surface before they are packed, where together they would be larger than asked for and than any of them: a row and a column
/// make a square. Returns the size they would have had.
fn shrink_early(
    pictures: &mut [Option<Arc<Picture>>],
    are_srgb: [bool; 4],
    options: &TextureOptions,
) -> Option<[u32; 2]> {
    let sizes = || pictures.iter().flatten().map(|picture| [picture.width(), picture.height()]);
    let [width, height] = sizes().fold([1; 2], |[a, b], [c, d]| [a.max(c), b.max(d)]);
    let halvings = options.halvings(width, height);
    if halvings == 0 || sizes().any(|size| size == [width, height]) {
        return None;
    }
    let target = mips::level_size(width, height, halvings);
    for (picture, is_srgb) in pictures.iter_mut().zip(are_srgb) {
        if let Some(picture) = picture {
            *picture = Arc::new(mips::within(picture, target, is_srgb));
        }
    }
    Some([width, height])
}

/// Normal maps of two channels get the third.
fn with_blue(mut picture: Arc<Picture>) -> Arc<Picture> {
    if picture.pixels().iter().all(|&[_, _, b, _]| b == 0) {
        normal::rebuild_z(Arc::make_mut(&mut picture).pixels_mut());
    }
    picture
}

/// What is opened for metalness and roughness, occlusion, emission and base colour. Occlusion is often in the same picture as roughness and
/// metalness, which is opened once.
fn opened_of_surface([own, occluding, shining, base]: [Option<Handle<Image>>; 4]) -> [Option<Handle<Image>>; 4] {
    [own, occluding.filter(|_| occluding != own), shining, base]
}

/// A level as it is stored.
fn stored_level(level: Picture, format: PixelFormat, quality: Quality) -> Vec<u8> {
    let (width, height) = (level.width() as usize, level.height() as usize);
    match format {
        PixelFormat::Rgba8 => level.into_pixels().into_flattened(),
        PixelFormat::Rg8 => level.pixels().iter().flat_map(|&[r, g, ..]| [r, g]).collect(),
        PixelFormat::Bc5 => bc5::encode(width, height, level.pixels(), quality).unwrap_or_default(),
        PixelFormat::Bc7 => bc7::encode(width, height, level.pixels(), quality).unwrap_or_default(),
    }
}

/// The blocks of a level, where it is stored in blocks, and what storing changes. Colours are compared as they are seen, and differ by no more as
/// light; all else is compared by the numbers that blocks change.
fn measured_level(
    level: &Picture,
    format: PixelFormat,
    quality: Quality,
    colours: Option<&Colours>,
) -> (Option<Vec<u8>>, BlockError) {
    let (width, height, pixels) = (level.width() as usize, level.height() as usize, level.pixels());
    let wanted = colours.and_then(Colours::wanted);
    let encoded = match format {
        PixelFormat::Bc5 => bc5::encode_measured(width, height, pixels, quality, &Wanted::Same(2)),
        PixelFormat::Bc7 => bc7::encode_measured(width, height, pixels, quality, &wanted.unwrap_or(Wanted::Same(4))),
        PixelFormat::Rgba8 | PixelFormat::Rg8 => return (None, error_of_bytes(level, colours)),
    };
    let (bytes, error) = encoded.unwrap_or_default();
    (Some(bytes), BlockError::of(error, colours))
}

/// What eight bits change of colours.
fn error_of_bytes(level: &Picture, colours: Option<&Colours>) -> BlockError {
    let wanted = colours.and_then(Colours::wanted);
    let error = wanted.map(|wanted| StoredError::of(&wanted, level.pixels(), level.pixels()));
    BlockError::of(error.unwrap_or_default(), colours)
}

/// The colours that a picture is to show.
struct Colours {
    picture: Arc<Picture>,
    /// Whether its numbers are sRGB.
    is_srgb: bool,
    /// How far those numbers may be from the colours, because they are means of others: of full strength, as light or as it is seen.
    rounding: f32,
    /// How far its red, green and blue are from what is stored; one for all where they mean the same.
    distances: Vec<Distances>,
}

impl Colours {
    fn new(picture: Arc<Picture>, decode_table: &[f32; 256], [red, green, blue, _]: [f32; 4]) -> Colours {
        let stored = data_table().map(shown);
        let of =
            |factor: f32| Distances::new(&decode_table.map(|light| shown((light * factor).clamp(0.0, 1.0))), &stored);
        let factors = if red == green && green == blue { vec![red] } else { vec![red, green, blue] };
        let is_srgb = *decode_table != data_table();
        Colours { picture, is_srgb, rounding: 0.0, distances: factors.into_iter().map(of).collect() }
    }

    /// Those of a smaller level: the means of the light that was wanted, not of what eight bits of linear light left of it. Opacity is that of the
    /// picture that is stored.
    fn halved(self, halvings: u32, top: &Picture, content: Content) -> Colours {
        /// What half a step of linear light is at most as it is seen, where it is darkest; and half a step of sRGB as light, where it is brightest.
        const HALF_A_STEP: [f32; 2] = [0.5 / 255.0 * 12.92, 0.5 / 255.0 * 2.4 / 1.055];
        let Some(level) = halvings.checked_sub(1) else { return self };
        let mut picture = self.picture;
        if picture.pixels().iter().zip(top.pixels()).any(|([.., a], [.., b])| a != b) {
            let pixels = Arc::make_mut(&mut picture).pixels_mut().iter_mut();
            pixels.zip(top.pixels()).for_each(|([.., own], [.., alpha])| *own = *alpha);
        }
        let content = if self.is_srgb { Content::SrgbColour } else { content };
        let smaller = mips::below(&picture, content).into_iter().nth(level as usize);
        let [of_light, of_srgb] = HALF_A_STEP;
        let rounding = match picture.constant() {
            Some(_) => 0.0,
            None if self.is_srgb => of_srgb,
            None => of_light,
        };
        Colours { picture: smaller.map_or(picture, Arc::new), rounding, ..self }
    }

    fn wanted(&self) -> Option<Wanted<'_>> {
        let distances = match self.distances.as_slice() {
            [red, green, blue] => [red, green, blue],
            [all] => [all; 3],
            _ => return None,
        };
        Some(Wanted::Colours { pixels: self.picture.pixels(), distances })
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
    fn of(error: StoredError, colours: Option<&Colours>) -> BlockError {
        let rounding = colours.map_or(0.0, |colours| colours.rounding);
        BlockError { largest: error.largest + rounding, psnr: error.psnr() as f32 }
    }

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
    /// The sizes it had and has, if it was halved.
    pub halved: Option<Halved>,
}
