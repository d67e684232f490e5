//! Images: PNG, JPEG and WebP files as they are, external ones as URIs. Pixels must have been encoded before.

use super::container::{Container, percent_encoded, relative_uri};
use super::{Draft, name};
use crate::companions::encoded_file;
use crate::format::{Error, Result};
use crate::gltf::schema;
use crate::rules::images::image_kind;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::{LossKind, Lost, subject};
use maquette_scene::material::TextureUse;
use std::collections::HashMap;

/// An image in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Adapted {
    /// Its index.
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
}

/// Where the images of the scene are in the document.
pub struct Images(HashMap<usize, Adapted>);

impl Images {
    /// Where an image is; `None` for one that had to be left out.
    pub fn adapted(&self, texture: &TextureUse) -> Option<Adapted> {
        self.0.get(&texture.image.index()).copied()
    }
}

/// Adds all images that glTF can hold.
pub fn build(draft: &mut Draft<'_>) -> Result<Images> {
    let scene = draft.scene;
    for image in &scene.images {
        if let ImageData::External(name) = &*image.data {
            draft.file_names.insert(name);
        }
    }
    let mut images = HashMap::new();
    for (index, image) in scene.images.iter().enumerate() {
        let subject = subject("image", index, &image.name);
        let adapted = match &*image.data {
            ImageData::Encoded { mime, bytes } => encoded(draft, index, image, mime, bytes, &subject),
            ImageData::External(file) => external(draft, image, file, &subject),
            ImageData::Pixels { .. } => {
                return Err(Error::CannotHold(format!("{subject} is pixels, and glTF holds image files")));
            }
        };
        images.extend(adapted.map(|adapted| (index, adapted)));
    }
    Ok(Images(images))
}

fn encoded(
    draft: &mut Draft<'_>,
    index: usize,
    image: &Image,
    mime: &str,
    bytes: &[u8],
    subject: &str,
) -> Option<Adapted> {
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

fn external(draft: &mut Draft<'_>, image: &Image, file: &str, subject: &str) -> Option<Adapted> {
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

/// Adds an image file: into the buffer, or as a companion file.
fn add(draft: &mut Draft<'_>, index: usize, image: &Image, kind: Kind, bytes: Vec<u8>) -> Adapted {
    let mut made = schema::Image { name: name(&image.name), ..schema::Image::default() };
    match draft.container {
        Container::Binary => {
            made.buffer_view = Some(draft.buffer.file(&bytes));
            made.mime_type = Some(kind.mime().into());
        }
        Container::Text => {
            let file = encoded_file(image, kind.mime(), draft.options, &mut draft.file_names);
            made.uri = Some(percent_encoded(&file));
            if image.name.is_empty() {
                let detail = format!("it had no name; its file is `{file}`");
                draft.losses.push(LossKind::Renamed, Lost::ImageNames, subject("image", index, ""), detail, 1);
            }
            draft.files.push((file, bytes));
        }
    }
    push(draft, made, kind)
}

fn push(draft: &mut Draft<'_>, made: schema::Image, kind: Kind) -> Adapted {
    draft.document.images.push(made);
    Adapted { index: draft.document.images.len() - 1, kind }
}
