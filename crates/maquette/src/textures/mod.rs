//! The textures of a file as files of their own.
//!
//! Image files come out as they are. Pixels and blocks come out as they are stored, channel by channel, so that what the file holds can be seen: as PNG
//! their largest level, as DDS all of them. Or they come out as people see them.

mod seen;

use crate::fit::pictures;
pub use crate::fit::pictures::level;
use crate::read::ReadOptions;
use crate::{Error, Input, Overwrite, Result, save};
use maquette_formats::rules::images::image_kind;
use maquette_scene::image::{Image, ImageData, PixelFormat};
use maquette_scene::material::Material;
use maquette_scene::{Handle, Scene};
use maquette_texture::{dds, decode, png};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What pixels become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum As {
    /// The largest level.
    #[default]
    Png,
    /// All levels.
    Dds,
    /// The largest level as people see it: colours in sRGB, normals with all three channels, the emission of packed maps as a colour. Files are
    /// named after the model, the material and what it uses them as.
    Srgb,
}

/// One texture: the fields of `textures --json`.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TextureRow {
    /// Its position among the textures of the file, from 0.
    pub index: usize,
    /// Its name; empty where the format has none.
    pub name: String,
    /// In pixels; null where it cannot be told.
    pub width: Option<u32>,
    /// In pixels; null where it cannot be told.
    pub height: Option<u32>,
    /// `PNG`, `JPEG`, .., `RGBA8`, `RG8`, `BC5`, `BC7`, or `missing` for a file that was not there.
    pub format: String,
    /// Mip levels, itself included.
    pub levels: usize,
    /// How many bytes it takes in the file.
    pub bytes: u64,
    /// Where it is used.
    pub uses: Vec<UseRow>,
    /// The file made of it; null where none can be.
    pub file: Option<String>,
}

/// One use of a texture.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct UseRow {
    /// The material, by name or by index.
    pub material: String,
    /// `base colour`, `normal`, `packed`, ..
    pub r#as: &'static str,
}

/// Every texture of a file, and the files made of them. As [`As::Srgb`], there is a row for each way in which a texture is used.
#[non_exhaustive]
pub struct Extracted {
    /// What they are.
    pub rows: Vec<TextureRow>,
    /// Names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Takes the textures out of a file.
pub fn extract(input: &Input, dialect: Option<&str>, pixels_as: As) -> Result<Extracted> {
    let scene = input.read(&ReadOptions { dialect: dialect.map(str::to_owned), ..ReadOptions::default() })?.scene;
    if pixels_as == As::Srgb {
        return Ok(seen::extract(&scene, input.name()));
    }
    let mut extracted = Extracted { rows: Vec::new(), files: Vec::new() };
    for (handle, image) in scene.images.entries() {
        let stem = format!("texture-{}", handle.index());
        let made = file(image, pixels_as).map(|(extension, bytes)| (format!("{stem}.{extension}"), bytes));
        extracted.rows.push(row(handle, image, uses(&scene, handle), made.as_ref().map(|(name, _)| name.clone())));
        extracted.files.extend(made);
    }
    Ok(extracted)
}

impl Extracted {
    /// Writes all files into a folder, or none; those that were written. One that is there with other bytes may belong to another model and is not overwritten, unless that is asked for; one
    /// with the same is left alone.
    pub fn save(&self, folder: &Path, overwrite: Overwrite) -> Result<Vec<PathBuf>> {
        let mut new: Vec<(PathBuf, &[u8])> = Vec::new();
        for (name, bytes) in &self.files {
            let path = folder.join(name);
            match std::fs::read(&path) {
                Ok(there) if there == *bytes => {}
                Ok(_) if overwrite == Overwrite::Own => {
                    let path = path.display();
                    return Err(Error::Usage(format!(
                        "{path} exists with other contents; move it away, choose another folder, or use --force"
                    )));
                }
                _ => new.push((path, bytes)),
            }
        }
        if !new.is_empty() {
            std::fs::create_dir_all(folder).map_err(Error::io(folder.display().to_string(), "make the folder"))?;
            save::write_all(&new)?;
        }
        Ok(new.into_iter().map(|(path, _)| path).collect())
    }
}

/// The extension and bytes of an image's file.
fn file(image: &Image, pixels_as: As) -> Option<(&'static str, Vec<u8>)> {
    match &*image.data {
        ImageData::Encoded { bytes, .. } => Some((extension(image_kind(bytes)), bytes.to_vec())),
        ImageData::External(_) => None,
        ImageData::Pixels { format, width, height, levels, .. } if pixels_as == As::Dds => {
            let format = match format {
                PixelFormat::Rgba8 => dds::Format::Rgba8,
                PixelFormat::Rg8 => dds::Format::Rg8,
                PixelFormat::Bc5 => dds::Format::Bc5,
                PixelFormat::Bc7 => dds::Format::Bc7,
            };
            Some(("dds", dds::encode(format, *width, *height, levels)))
        }
        ImageData::Pixels { .. } => {
            let picture = pictures::picture(image).ok()?;
            Some(("png", png::encode(picture.width(), picture.height(), picture.pixels())?))
        }
    }
}

fn extension(kind: Option<&str>) -> &'static str {
    match kind {
        Some("PNG") => "png",
        Some("JPEG") => "jpg",
        Some("WebP") => "webp",
        Some("DDS") => "dds",
        Some("KTX") => "ktx",
        Some("GIF") => "gif",
        Some("TIFF") => "tif",
        Some("HDR") => "hdr",
        Some("PSD") => "psd",
        Some("BMP") => "bmp",
        Some("TGA") => "tga",
        _ => "bin",
    }
}

fn row(handle: Handle<Image>, image: &Image, uses: Vec<UseRow>, file: Option<String>) -> TextureRow {
    let (size, format, levels, bytes) = match &*image.data {
        ImageData::Encoded { bytes, mime } => {
            (decode::size(bytes).ok(), image_kind(bytes).unwrap_or(mime), 1, bytes.len())
        }
        ImageData::External(_) => (None, "missing", 1, 0),
        ImageData::Pixels { format, width, height, levels, .. } => {
            (Some([*width, *height]), format.word(), levels.len(), levels.iter().map(|level| level.len()).sum())
        }
    };
    TextureRow {
        index: handle.index(),
        name: image.name.clone(),
        width: size.map(|[width, _]| width),
        height: size.map(|[_, height]| height),
        format: format.into(),
        levels,
        bytes: bytes as u64,
        uses,
        file,
    }
}

fn uses(scene: &Scene, image: Handle<Image>) -> Vec<UseRow> {
    let mut uses = Vec::new();
    for (index, material) in scene.materials.iter().enumerate() {
        let here = material.images().into_iter().filter(|(_, used)| *used == image);
        uses.extend(here.map(|(slot, _)| UseRow::of(index, material, slot)));
    }
    uses
}

impl UseRow {
    fn of(index: usize, material: &Material, slot: &'static str) -> UseRow {
        let name = if material.name.is_empty() { index.to_string() } else { material.name.clone() };
        UseRow { material: name, r#as: slot }
    }
}
