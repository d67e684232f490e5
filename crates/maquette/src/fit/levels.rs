//! The levels of a packed texture, stored as the rows of its map come: the map is packed band by band, and neither it nor a level below it is ever there
//! as pixels.

use super::colours::{BlockError, Colours};
use maquette_scene::Bytes;
use maquette_scene::image::{ColourSpace, ImageData, PixelFormat};
use maquette_texture::error::{StoredError, Wanted};
use maquette_texture::mips::{self, Chain, Content};
use maquette_texture::pack::{Map, Shortfall};
use maquette_texture::{Quality, bc5, bc7, normal};

/// Pixels that are packed, and stored, in one go.
const BAND_PIXELS: usize = 1 << 18;
/// Rows of them at least, however wide they are: as many as make a row of blocks of the first few levels.
const BAND_ROWS: usize = 64;

/// How a texture is stored.
#[derive(Clone, Copy)]
pub struct Form {
    /// What its pixels are.
    pub content: Content,
    /// How many of the largest levels are left out.
    pub halvings: u32,
    /// Of what is left.
    pub format: PixelFormat,
    /// How well blocks are chosen.
    pub quality: Quality,
}

/// A texture that has been stored.
pub struct Stored {
    /// Pixels or blocks of all levels.
    pub data: ImageData,
    /// What storing changes of the largest.
    pub error: BlockError,
    /// What the map could not show before.
    pub shortfall: Shortfall,
}

/// Packs a map and stores all levels that fit. The largest is held against the colours that are wanted.
pub fn store(map: &dyn Map, form: Form, colours: Option<Colours>) -> Stored {
    let [width, height] = map.size();
    let Form { content, halvings, format, .. } = form;
    let mut colours = colours.map(|colours| colours.halved(halvings, content));
    let stored = halvings..mips::level_count(width, height);
    let mut levels: Vec<Level> =
        stored.map(|level| Level::new(mips::level_size(width, height, level), form, level == halvings)).collect();
    let mut chain = Chain::new([width, height], content);
    let mut shortfall = Shortfall::default();
    let row_pixels = width as usize;
    let band_rows = (BAND_PIXELS / row_pixels).max(BAND_ROWS).next_multiple_of(4).min(height as usize);
    let mut band = vec![[0; 4]; band_rows * row_pixels];
    for first in (0..height as usize).step_by(band_rows) {
        band.truncate((height as usize - first) * row_pixels);
        shortfall = shortfall.and(map.rows(first, &mut band));
        let (top, below) = levels.split_at_mut(usize::from(halvings == 0));
        let mut wait = |number: u32, row: &[[u8; 4]]| {
            let place = number.checked_sub(halvings.max(1));
            let level = place.and_then(|place| below.get_mut(place as usize));
            level.into_iter().for_each(|level| level.waiting.extend_from_slice(row));
        };
        // The blocks of the largest level take longest: they are made while the rows of the others are.
        let beside = || match top {
            [top] => top.store(&band, colours.as_ref()),
            _ => colours.iter_mut().for_each(|colours| colours.follow(first * row_pixels, &band)),
        };
        rayon::join(beside, || chain.push(&band, &mut wait));
        below.iter_mut().for_each(|level| level.store_waiting(colours.as_ref()));
    }
    if let Some(colours) = &mut colours {
        colours.end();
    }
    chain.finish(&mut |number, row| {
        let level = number.checked_sub(halvings).and_then(|place| levels.get_mut(place as usize));
        level.into_iter().for_each(|level| level.waiting.extend_from_slice(row));
    });
    levels.iter_mut().for_each(|level| level.store_waiting(colours.as_ref()));
    let error = levels.first().map_or_else(StoredError::default, |largest| largest.error);
    let [width, height] = mips::level_size(width, height, halvings);
    let levels = levels.into_iter().map(|level| Bytes::from(level.bytes)).collect();
    Stored {
        data: ImageData::Pixels { format, colour_space: ColourSpace::Linear, width, height, levels },
        error: BlockError::of(error, colours.as_ref()),
        shortfall,
    }
}

/// How many bytes all levels of a texture take whose largest has this size.
pub fn bytes(format: PixelFormat, [width, height]: [u32; 2]) -> u64 {
    let levels = 0..mips::level_count(width, height);
    levels.map(|level| level_bytes(format, mips::level_size(width, height, level))).sum()
}

fn level_bytes(format: PixelFormat, [width, height]: [u32; 2]) -> u64 {
    let pixels = u64::from(width) * u64::from(height);
    match format {
        PixelFormat::Rgba8 => 4 * pixels,
        PixelFormat::Rg8 => 2 * pixels,
        PixelFormat::Bc5 | PixelFormat::Bc7 => 16 * u64::from(width.div_ceil(4)) * u64::from(height.div_ceil(4)),
    }
}

/// A level that is being stored.
struct Level {
    width: usize,
    form: Form,
    /// Whether it is held against what is wanted.
    is_measured: bool,
    /// Pixels of rows that are not stored yet.
    waiting: Vec<[u8; 4]>,
    /// Pixels that are not stored yet, those included that have not come.
    left: usize,
    stored: usize,
    bytes: Vec<u8>,
    error: StoredError,
}

impl Level {
    fn new(size: [u32; 2], form: Form, is_measured: bool) -> Level {
        let [width, height] = size.map(|side| side as usize);
        Level {
            width,
            form,
            is_measured,
            waiting: Vec::new(),
            left: width * height,
            stored: 0,
            bytes: Vec::with_capacity(level_bytes(form.format, size) as usize),
            error: StoredError::default(),
        }
    }

    /// Stores the rows that wait, where these are many or all that are left.
    fn store_waiting(&mut self, colours: Option<&Colours>) {
        let count = self.waiting.len();
        let is_all = count == self.left;
        let whole = if is_all { count } else { count - count % (4 * self.width) };
        if whole == 0 || !is_all && count < BAND_PIXELS {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        self.store(waiting.get(..whole).unwrap_or_default(), colours);
        waiting.drain(..whole);
        self.waiting = waiting;
    }

    /// Stores the next rows: whole rows of blocks, or all that are left.
    fn store(&mut self, pixels: &[[u8; 4]], colours: Option<&Colours>) {
        let wanted = colours.filter(|_| self.is_measured);
        let wanted = wanted.and_then(|colours| colours.wanted(self.stored..self.stored + pixels.len()));
        self.stored += pixels.len();
        self.left -= pixels.len();
        let (width, height, quality) = (self.width, pixels.len() / self.width, self.form.quality);
        let wanted_or = |channels| wanted.or(self.is_measured.then_some(Wanted::Same(channels)));
        let (blocks, error) = match self.form.format {
            PixelFormat::Bc5 => {
                bc5::encode_measured(width, height, pixels, quality, wanted_or(2).as_ref()).unwrap_or_default()
            }
            PixelFormat::Bc7 => {
                bc7::encode_measured(width, height, pixels, quality, wanted_or(4).as_ref()).unwrap_or_default()
            }
            PixelFormat::Rgba8 | PixelFormat::Rg8 => {
                // What eight bits change of colours.
                let error = wanted.map(|wanted| StoredError::of(&wanted, pixels, pixels));
                (Vec::new(), error.unwrap_or_default())
            }
        };
        self.error = self.error.and(error);
        let before = self.bytes.len();
        match self.form.format {
            PixelFormat::Bc5 | PixelFormat::Bc7 => self.bytes.extend(blocks),
            PixelFormat::Rg8 => self.bytes.extend(pixels.iter().flat_map(|&[r, g, ..]| [r, g])),
            PixelFormat::Rgba8 => self.bytes.extend_from_slice(pixels.as_flattened()),
        }
        if self.form.format == PixelFormat::Rgba8 && self.form.content == Content::Normals {
            normal::rebuild_z(self.bytes.get_mut(before..).unwrap_or_default().as_chunks_mut().0);
        }
    }
}
