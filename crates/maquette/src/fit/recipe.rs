//! What a packed texture is made of, and making it.
//!
//! A recipe names images of the scene and the numbers they are multiplied with. Two materials with the same recipe get the same
//! texture, which is made once. Making one decodes its images and packs them, levels and blocks and all, a few rows at a time; nothing of that
//! outlives it but the texture.

use super::colours::{BlockError, Colours};
use super::halved::Halved;
use super::levels::{self, Form, Stored};
use super::opened::Opened;
use super::pictures::{self, Purpose};
use super::{Effort, TextureOptions};
use maquette_formats::format::Caps;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::material::{AlphaMode, Pbr, TextureUse, Wrap};
use maquette_scene::{Bytes, Handle};
use maquette_texture::error::StoredError;
use maquette_texture::mips::{self, Content};
use maquette_texture::pack::{BaseColour, Map, Normals, Opacity, Shortfall, Source, Surface};
use maquette_texture::resize::data_table;
use maquette_texture::{Picture, Quality};
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

    /// How many bytes the texture takes, if its largest level has this size.
    pub fn stored_bytes(&self, size: [u32; 2], caps: &Caps, options: &TextureOptions) -> u64 {
        let content = if matches!(self, Recipe::Normal { .. }) { Content::Normals } else { Content::Data };
        levels::bytes(format(content, size, options.quality.filter(|_| caps.blocks), caps), size)
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
        let bake =
            |map: &dyn Map, content, wanted, shrunk_from| bake_map(map, content, wanted, shrunk_from, caps, options);
        let baked = match self {
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
                let wanted =
                    image.filter(|_| lost.is_empty()).map(|_| Colours::new(picture.clone(), &decode_table, factor));
                bake(&BaseColour::new(&picture, &decode_table, factor, opacity), content, wanted, None)
            }
            Recipe::Normal { image, scale } => {
                let picture = sound(open(*image)).unwrap_or_else(|| Picture::of_one([128, 128, 255, 255]).into());
                let two_channels = picture.pixels().iter().all(|&[_, _, b, _]| b == 0);
                let normals = Normals { picture: &picture, scale: f32::from_bits(*scale), two_channels };
                bake(&normals, Content::Normals, None, None)
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
                let shrunk_from = shrink_early(&mut pictures, are_srgb, options);
                let [metallic_roughness, occlusion, emissive_map, base_colour_map] = std::array::from_fn(|slot| {
                    let from = if slot == 1 && shared { 0 } else { slot };
                    let (picture, (_, wrap)) = (pictures.get(from)?.as_ref()?, used.get(slot)?.as_ref()?);
                    let decode_table = decode_table(handles.get(slot)?, *purposes.get(slot)?);
                    Some(Source { picture, edges: pictures::edges(*wrap), decode_table })
                });
                let [roughness, metalness, occlusion_strength] = numbers.map(f32::from_bits);
                let [emissive, base_colour] = colours.map(|colour| colour.map(f32::from_bits));
                let surface = Surface {
                    roughness,
                    metalness,
                    metallic_roughness,
                    occlusion_strength,
                    occlusion,
                    emissive,
                    emissive_map,
                    base_colour,
                    base_colour_map,
                };
                bake(&surface, Content::Data, None, shrunk_from)
            }
        };
        Baked { lost, ..baked }
    }
}

/// Makes a texture of a map. `shrunk_from` is the size that the map would have had, if its pictures were halved before.
fn bake_map(
    map: &dyn Map,
    content: Content,
    wanted: Option<Colours>,
    shrunk_from: Option<[u32; 2]>,
    caps: &Caps,
    options: &TextureOptions,
) -> Baked {
    let size = map.size();
    let [width, height] = size;
    let halvings = options.halvings(width, height);
    let quality = options.quality.filter(|_| caps.blocks);
    let has_blocks = quality.is_some() && size != [1, 1];
    let stored_size = mips::level_size(width, height, halvings);
    let Stored { data, error, shortfall } = match options.effort {
        Effort::Whole => {
            let form = Form {
                content,
                halvings,
                format: format(content, stored_size, quality, caps),
                quality: quality.unwrap_or_default(),
            };
            levels::store(map, form, wanted)
        }
        Effort::Predicted => predicted(map, has_blocks, wanted),
    };
    let halved = match shrunk_from {
        Some(from) => Some(Halved::between(from, stored_size)),
        None => Halved::by(halvings, size),
    };
    Baked { data, lost: Vec::new(), has_blocks, shortfall, block_error: error, halved }
}

/// How the pixels of a texture of this size are stored.
fn format(content: Content, size: [u32; 2], quality: Option<Quality>, caps: &Caps) -> PixelFormat {
    // One pixel is smaller and exact without blocks.
    let is_one = size == [1, 1];
    match (content == Content::Normals, quality.is_some() && !is_one) {
        (true, true) => PixelFormat::Bc5,
        (false, true) => PixelFormat::Bc7,
        (true, false) if !is_one && caps.two_channels => PixelFormat::Rg8,
        (_, false) => PixelFormat::Rgba8,
    }
}

/// What stands in for a texture that is not to be made: its largest level with empty ones below it, and an error that is not known where it would be
/// blocks.
fn predicted(map: &dyn Map, has_blocks: bool, wanted: Option<Colours>) -> Stored {
    let (top, shortfall) = map.whole();
    let (width, height) = (top.width(), top.height());
    let error = match has_blocks {
        true => BlockError::UNKNOWN,
        false => {
            let pixels = top.pixels();
            let wanted_pixels = wanted.as_ref().and_then(|wanted| wanted.wanted(0..pixels.len()));
            let error = wanted_pixels.map(|wanted| StoredError::of(&wanted, pixels, pixels));
            BlockError::of(error.unwrap_or_default(), wanted.as_ref())
        }
    };
    let mut levels: Vec<Bytes> = vec![top.into_pixels().into_flattened().into()];
    for level in 1..mips::level_count(width, height) {
        let [width, height] = mips::level_size(width, height, level);
        levels.push(vec![0; 4 * width as usize * height as usize].into());
    }
    let format = PixelFormat::Rgba8;
    let data = ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels };
    Stored { data, error, shortfall }
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

/// What is opened for metalness and roughness, occlusion, emission and base colour. Occlusion is often in the same picture as roughness and
/// metalness, which is opened once.
fn opened_of_surface([own, occluding, shining, base]: [Option<Handle<Image>>; 4]) -> [Option<Handle<Image>>; 4] {
    [own, occluding.filter(|_| occluding != own), shining, base]
}

/// A texture that has been made.
pub struct Baked {
    /// Pixels or blocks with their mip levels.
    pub data: ImageData,
    /// Which images could not be used, and why.
    pub lost: Vec<String>,
    /// What its map cannot show.
    pub shortfall: Shortfall,
    /// Whether it is blocks, or would be.
    pub has_blocks: bool,
    /// What storing it changes.
    pub block_error: BlockError,
    /// The sizes it had and has, if it was halved.
    pub halved: Option<Halved>,
}
