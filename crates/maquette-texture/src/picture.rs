//! A picture in memory.

/// Four channels of eight bits a pixel, the top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// A picture; `None` where the pixels are not as many as the size says, or none.
    pub fn new(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Option<Picture> {
        let count = (width as usize).checked_mul(height as usize)?;
        (count > 0 && count == pixels.len()).then_some(Picture { width, height, pixels })
    }

    /// One pixel.
    pub fn of_one(pixel: [u8; 4]) -> Picture {
        Picture { width: 1, height: 1, pixels: vec![pixel] }
    }

    /// In pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// In pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels, row after row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// The pixels, to change them.
    pub fn pixels_mut(&mut self) -> &mut [[u8; 4]] {
        &mut self.pixels
    }

    /// The pixels alone.
    pub fn into_pixels(self) -> Vec<[u8; 4]> {
        self.pixels
    }

    /// One row; empty beyond the last.
    pub fn row(&self, y: usize) -> &[[u8; 4]] {
        let width = self.width as usize;
        self.pixels.get(y.saturating_mul(width)..).and_then(|rest| rest.get(..width)).unwrap_or_default()
    }

    /// The colour of every pixel, where all have the same.
    pub fn constant(&self) -> Option<[u8; 4]> {
        let first = *self.pixels.first()?;
        self.pixels.iter().all(|pixel| *pixel == first).then_some(first)
    }
}
