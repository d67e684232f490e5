//! Pictures: PNG, JPEG and WebP files as they are, pixels and blocks as PNG, others' names as URIs.
//!
//! What a picture is used for decides what its numbers must mean: colours are sRGB in glTF, everything else is not. Pixels
//! that are stored otherwise are converted, and written once for each meaning they are needed in.

use super::container::{Container, percent_encoded, relative_uri};
use super::pixels::{self, Pixels, Recipe};
use super::{Draft, name, named};
use crate::gltf::schema;
use crate::rules::images::image_kind;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::material::{Material, TextureUse};
use std::collections::HashMap;

/// What a picture is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Base colour and emission.
    Colour,
    /// Roughness, metalness, occlusion.
    Data,
    /// Normals.
    Normal,
}

/// A picture in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placed {
    /// Its position.
    pub index: usize,
    /// What it is stored as.
    pub kind: Kind,
}

/// The kinds of files that glTF takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `image/png`
    Png,
    /// `image/jpeg`
    Jpeg,
    /// `image/webp`, with an extension.
    WebP,
}

impl Kind {
    fn of_file(bytes: &[u8]) -> Option<Kind> {
        match image_kind(bytes)? {
            "PNG" => Some(Kind::Png),
            "JPEG" => Some(Kind::Jpeg),
            "WebP" => Some(Kind::WebP),
            _ => None,
        }
    }

    fn of_name(name: &str) -> Option<Kind> {
        match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
            "png" => Some(Kind::Png),
            "jpg" | "jpeg" => Some(Kind::Jpeg),
            "webp" => Some(Kind::WebP),
            _ => None,
        }
    }

    fn mime(self) -> &'static str {
        match self {
            Kind::Png => "image/png",
            Kind::Jpeg => "image/jpeg",
            Kind::WebP => "image/webp",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Kind::Png => "png",
            Kind::Jpeg => "jpg",
            Kind::WebP => "webp",
        }
    }
}

/// Where the pictures are.
pub struct Images(HashMap<(usize, Purpose), Placed>);

impl Images {
    /// Where a picture is for a purpose; `None` for one that had to be left out.
    pub fn placed(&self, texture: &TextureUse, purpose: Purpose) -> Option<Placed> {
        self.0.get(&(texture.image.index(), purpose)).copied()
    }
}

/// The textures of a material that are there, each with what it is used for.
fn purposes(material: &Material) -> impl Iterator<Item = (&TextureUse, Purpose)> {
    let slots = [
        (&material.base_colour_texture, Purpose::Colour),
        (&material.metallic_roughness_texture, Purpose::Data),
        (&material.normal_texture, Purpose::Normal),
        (&material.occlusion_texture, Purpose::Data),
        (&material.emissive_texture, Purpose::Colour),
    ];
    slots.into_iter().filter_map(|(texture, purpose)| Some((texture.as_ref()?, purpose)))
}

/// Adds all pictures that glTF can hold.
pub fn build(draft: &mut Draft<'_>) -> Images {
    let scene = draft.scene;
    let mut uses: Vec<Vec<Purpose>> = vec![Vec::new(); scene.images.len()];
    for (texture, purpose) in scene.materials.iter().flat_map(purposes) {
        match uses.get_mut(texture.image.index()) {
            Some(uses) if !uses.contains(&purpose) => uses.push(purpose),
            _ => {}
        }
    }
    for image in &scene.images {
        if let ImageData::External(name) = &image.data {
            draft.file_names.reserve(name);
        }
    }
    let mut images = HashMap::new();
    for ((index, image), purposes) in scene.images.iter().enumerate().zip(uses) {
        for (purpose, placed) in self::image(draft, index, image, &purposes) {
            images.insert((index, purpose), placed);
        }
    }
    Images(images)
}

fn image(draft: &mut Draft<'_>, index: usize, image: &Image, purposes: &[Purpose]) -> Vec<(Purpose, Placed)> {
    let subject = named("image", index, &image.name);
    let placed = match &image.data {
        ImageData::Encoded { mime, bytes } => encoded(draft, index, image, mime, bytes, &subject),
        ImageData::External(file) => external(draft, image, file, &subject),
        ImageData::Pixels { format, colour_space, width, height, levels } => {
            let Some(level) = levels.first() else {
                draft.losses.dropped(Lost::Images, subject, "it has no pixels", 1);
                return Vec::new();
            };
            let more = levels.len().saturating_sub(1) as u64;
            draft.losses.dropped(Lost::MipLevels, &subject, "only the largest is written", more);
            let pixels = Pixels { format: *format, colour_space: *colour_space, size: [*width, *height], level };
            return self::pixels(draft, index, image, &pixels, purposes, &subject);
        }
    };
    placed.into_iter().flat_map(|placed| purposes.iter().map(move |&purpose| (purpose, placed))).collect()
}

fn encoded(
    draft: &mut Draft<'_>,
    index: usize,
    image: &Image,
    mime: &str,
    bytes: &[u8],
    subject: &str,
) -> Option<Placed> {
    let Some(kind) = Kind::of_file(bytes) else {
        let found = image_kind(bytes).unwrap_or(mime);
        draft.losses.dropped(Lost::Images, subject, format!("glTF holds PNG, JPEG and WebP, not {found}"), 1);
        return None;
    };
    if mime != kind.mime() {
        let detail = format!("it was called {mime} and is {}", kind.mime());
        draft.losses.push(LossKind::Renamed, Lost::Images, subject, detail, 1);
    }
    Some(add(draft, index, image, kind, bytes.to_vec()))
}

fn external(draft: &mut Draft<'_>, image: &Image, file: &str, subject: &str) -> Option<Placed> {
    let (Some(uri), Some(kind)) = (relative_uri(file), Kind::of_name(file)) else {
        let detail = format!("`{file}` is no relative path to a PNG, JPEG or WebP file");
        draft.losses.dropped(Lost::Images, subject, detail, 1);
        return None;
    };
    if file.contains('\\') {
        let detail = format!("`{file}` is written with slashes");
        draft.losses.push(LossKind::Renamed, Lost::ImageNames, subject, detail, 1);
    }
    let made = schema::Image { name: name(&image.name), uri: Some(uri), ..schema::Image::default() };
    Some(push(draft, made, kind))
}

fn pixels(
    draft: &mut Draft<'_>,
    index: usize,
    image: &Image,
    pixels: &Pixels<'_>,
    purposes: &[Purpose],
    subject: &str,
) -> Vec<(Purpose, Placed)> {
    let purposes = if purposes.is_empty() { &[pixels.likely_purpose()] } else { purposes };
    let mut made: Vec<(Recipe, Placed)> = Vec::new();
    let mut placed = Vec::new();
    for &purpose in purposes {
        let recipe = pixels.recipe(purpose);
        if let Some((_, known)) = made.iter().find(|(known, _)| *known == recipe) {
            placed.push((purpose, *known));
            continue;
        }
        let Some(png) = pixels::png(pixels, recipe, subject, draft.losses) else { return placed };
        let new = add(draft, index, image, Kind::Png, png);
        made.push((recipe, new));
        placed.push((purpose, new));
    }
    placed
}

/// Adds a file: into the buffer, or beside the JSON.
fn add(draft: &mut Draft<'_>, index: usize, image: &Image, kind: Kind, bytes: Vec<u8>) -> Placed {
    let mut made = schema::Image { name: name(&image.name), ..schema::Image::default() };
    match draft.container {
        Container::Binary => {
            made.buffer_view = Some(draft.buffer.file(&bytes));
            made.mime_type = Some(kind.mime().into());
        }
        Container::Text => {
            let unnamed = format!("{}-{index}", draft.stem);
            let wanted = match image.name.rsplit_once('.') {
                Some((stem, _)) if Kind::of_name(&image.name).is_some() => stem,
                _ if image.name.is_empty() => &unnamed,
                _ => &image.name,
            };
            let file = draft.file_names.choose(wanted, kind.extension());
            made.uri = Some(percent_encoded(&file));
            if image.name.is_empty() {
                let detail = format!("it had no name; its file is `{file}`");
                draft.losses.push(LossKind::Renamed, Lost::ImageNames, named("image", index, ""), detail, 1);
            }
            draft.files.push((file, bytes));
        }
    }
    push(draft, made, kind)
}

fn push(draft: &mut Draft<'_>, made: schema::Image, kind: Kind) -> Placed {
    draft.document.images.push(made);
    Placed { index: draft.document.images.len() - 1, kind }
}
