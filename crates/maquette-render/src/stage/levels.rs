//! The levels of an image that its file holds, each decoded when it is asked for.

use maquette_scene::Bytes;
use maquette_scene::image::{ImageData, PixelFormat};
use maquette_texture::decode::{self, Salvaged};
use maquette_texture::{Picture, blocks, mips};

/// The levels of an image that its file holds, the largest first.
pub struct Levels<'i>(Kind<'i>);

enum Kind<'i> {
    File(&'i [u8]),
    Pixels { format: PixelFormat, size: [u32; 2], levels: &'i [Bytes] },
}

impl<'i> Levels<'i> {
    /// The error says why nothing of it can be decoded.
    pub fn of(data: &'i ImageData) -> Result<Levels<'i>, String> {
        match data {
            ImageData::Encoded { bytes, .. } => Ok(Levels(Kind::File(bytes))),
            ImageData::External(name) => Err(format!("the file {name} is not there")),
            ImageData::Pixels { format, width, height, levels, .. } => {
                let (size, most) = ([*width, *height], decode::MOST_PIXELS);
                if u64::from(*width) * u64::from(*height) > most {
                    return Err(format!("it has {width} × {height} pixels, and at most {most} are decoded"));
                }
                let count = (mips::level_count(*width, *height) as usize).min(levels.len());
                Ok(Levels(Kind::Pixels { format: *format, size, levels: levels.get(..count).unwrap_or_default() }))
            }
        }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        match &self.0 {
            Kind::File(_) => 1,
            Kind::Pixels { levels, .. } => levels.len() as u32,
        }
    }

    /// How large a level is; `None` where only decoding tells.
    pub fn size(&self, level: u32) -> Option<[u32; 2]> {
        match &self.0 {
            Kind::File(_) => None,
            Kind::Pixels { size: [width, height], .. } => Some(mips::level_size(*width, *height, level)),
        }
    }

    /// The pixels of a level, as far as there are any. The error says why there are none.
    pub fn decode(&self, level: u32) -> Result<Salvaged, String> {
        match &self.0 {
            Kind::File(bytes) => decode::salvage(bytes).map_err(|error| error.to_string()),
            Kind::Pixels { format, size: [width, height], levels } => {
                let [width, height] = mips::level_size(*width, *height, level);
                let bytes = levels.get(level as usize).map(|bytes| &bytes[..]);
                let pixels = bytes.and_then(|bytes| pixels(*format, width as usize, height as usize, bytes));
                let picture = pixels.and_then(|pixels| Picture::new(width, height, pixels));
                picture
                    .map(Salvaged::from)
                    .ok_or_else(|| format!("level {level} has not as many bytes as its size says"))
            }
        }
    }
}

fn pixels(format: PixelFormat, width: usize, height: usize, bytes: &[u8]) -> Option<Vec<[u8; 4]>> {
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
