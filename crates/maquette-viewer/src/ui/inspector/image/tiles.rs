//! A picture of any size as small textures, made where they are looked at: at most as many as a panel shows, a few each time it is drawn.

use super::channel::Channel;
use eframe::egui::{
    Color32, ColorImage, Context, Painter, Pos2, Rect, TextureFilter, TextureHandle, TextureOptions, pos2, vec2,
};
use maquette_texture::Picture;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Pixels of a tile along each side.
const SIDE: usize = 256;
/// Tiles that are kept.
const MOST: usize = 192;
/// Time that making tiles may take of one picture of the window.
const TIME: Duration = Duration::from_millis(1);

/// What tiles are made of: which image, which of its levels, which channels.
pub type Source = (u64, usize, Channel);

/// Where a tile is, and how many pixels one of its own stands for, as a power of two.
type Place = (usize, usize, u32);

/// Tiles that were made.
#[derive(Default)]
pub struct Tiles {
    of: Option<Source>,
    made: HashMap<Place, TextureHandle>,
}

impl Tiles {
    /// Draws what can be seen of a picture that takes this place.
    pub fn draw(&mut self, painter: &Painter, of: Source, picture: &Picture, place: Rect) {
        if self.of != Some(of) {
            (self.of, self.made) = (Some(of), HashMap::new());
        }
        let seen = place.intersect(painter.clip_rect());
        if !seen.is_positive() {
            return;
        }
        let context = painter.ctx();
        let size = vec2(picture.width() as f32, picture.height() as f32);
        let point = place.size() / size;
        let power = power(point.x.max(point.y) * context.pixels_per_point());
        let span = SIDE << power;
        let tile = |from: f32, at: f32, each: f32| ((at - from) / each).max(0.0) as usize / span;
        let columns = tile(place.left(), seen.left(), point.x)..=tile(place.left(), seen.right(), point.x);
        let rows = tile(place.top(), seen.top(), point.y)..=tile(place.top(), seen.bottom(), point.y);
        let began = Instant::now();
        let mut used = Vec::new();
        for (row, column) in rows.flat_map(|row| columns.clone().map(move |column| (row, column))) {
            let (left, top) = (column * span, row * span);
            if left >= picture.width() as usize || top >= picture.height() as usize {
                continue;
            }
            let here = (column, row, power);
            if !self.made.contains_key(&here) && began.elapsed() < TIME {
                let image = image(picture, of.2, [left, top], power);
                self.made.insert(here, context.load_texture("tile", image, OPTIONS));
            }
            let Some(texture) = self.made.get(&here) else {
                context.request_repaint();
                continue;
            };
            used.push(here);
            let right = (left + span).min(picture.width() as usize);
            let bottom = (top + span).min(picture.height() as usize);
            let corner = |x: usize, y: usize| place.min + vec2(x as f32, y as f32) * point;
            // The last pixel of a tile at the edge may stand for more than there is.
            let [across, down] = texture.size().map(|side| (side << power) as f32);
            let uv = Rect::from_min_max(Pos2::ZERO, pos2((right - left) as f32 / across, (bottom - top) as f32 / down));
            painter.image(
                texture.id(),
                Rect::from_min_max(corner(left, top), corner(right, bottom)),
                uv,
                Color32::WHITE,
            );
        }
        if self.made.len() > MOST {
            self.made.retain(|place, _| used.contains(place));
        }
    }

    /// How many there are.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.made.len()
    }
}

const OPTIONS: TextureOptions = TextureOptions {
    magnification: TextureFilter::Nearest,
    minification: TextureFilter::Linear,
    ..TextureOptions::NEAREST
};

/// How many pixels one of a tile stands for, as a power of two, where a pixel is so large on the screen.
fn power(pixel: f32) -> u32 {
    if pixel >= 1.0 || !pixel.is_finite() || pixel <= 0.0 { 0 } else { ((1.0 / pixel).log2() as u32).min(15) }
}

/// The pixels of a tile. One that stands for many is the mean of four of them, so that a large picture takes no longer than a small one.
fn image(picture: &Picture, channel: Channel, [left, top]: [usize; 2], power: u32) -> ColorImage {
    let count = |from: usize, all: u32| (all as usize - from).div_ceil(1 << power).min(SIDE);
    let (width, height) = (count(left, picture.width()), count(top, picture.height()));
    let last = |side: u32| side as usize - 1;
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        let from = top + (y << power);
        if power == 0 {
            let row = picture.row(from).get(left..left + width).unwrap_or_default();
            pixels.extend(row.iter().map(|pixel| channel.colour(*pixel)));
            continue;
        }
        let offset = 1 << (power - 1);
        let below = last(picture.height());
        let rows = [picture.row(from.min(below)), picture.row((from + offset).min(below))];
        for x in 0..width {
            let at = left + (x << power);
            let beside = last(picture.width());
            let taps = [at.min(beside), (at + offset).min(beside)];
            let four = rows.map(|row| taps.map(|at| row.get(at).copied().unwrap_or_default()));
            pixels.push(channel.colour(mean(four)));
        }
    }
    ColorImage::new([width, height], pixels)
}

fn mean([[a, b], [c, d]]: [[[u8; 4]; 2]; 2]) -> [u8; 4] {
    let mut mean = [0; 4];
    for (mean, (((a, b), c), d)) in mean.iter_mut().zip(a.into_iter().zip(b).zip(c).zip(d)) {
        *mean = ((u16::from(a) + u16::from(b) + u16::from(c) + u16::from(d) + 2) / 4) as u8;
    }
    mean
}

/// A checker behind what can be seen through, of squares of eight points.
pub fn checker(context: &Context, dark: Color32, light: Color32) -> TextureHandle {
    let image = ColorImage::new([2, 2], vec![dark, light, light, dark]);
    let options = TextureOptions { wrap_mode: eframe::egui::TextureWrapMode::Repeat, ..TextureOptions::NEAREST };
    context.load_texture("checker", image, options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{LayerId, RawInput};

    fn gradient(width: u32, height: u32) -> Picture {
        let pixel = |place: u32| [(place % width) as u8, (place / width) as u8, 0, 255];
        Picture::new(width, height, (0..width * height).map(pixel).collect()).unwrap()
    }

    #[test]
    fn tiles_are_cut_at_the_edges() {
        let picture = gradient(300, 20);
        let tile = image(&picture, Channel::Rgb, [256, 0], 0);
        assert_eq!(tile.size, [44, 20]);
        assert_eq!(tile.pixels[0], Color32::from_rgb(0, 0, 0), "column 256 wraps to 0 in eight bits");
        assert_eq!(tile.pixels[44 + 3], Color32::from_rgb(3, 1, 0));
        let half = image(&picture, Channel::Rgb, [0, 0], 1);
        assert_eq!(half.size, [150, 10]);
        assert_eq!(half.pixels[1], Color32::from_rgb(3, 1, 0), "of 2 and 3, of 0 and 1, rounded");
        assert_eq!(image(&picture, Channel::Rgb, [0, 0], 5).size, [10, 1]);
    }

    #[test]
    fn pixels_smaller_than_those_of_the_screen_are_skipped() {
        assert_eq!([4.0, 1.0, 0.6, 0.5, 0.3, 0.25, 0.0, f32::NAN].map(power), [0, 0, 0, 1, 1, 2, 0, 0]);
    }

    #[test]
    fn only_what_is_seen_is_made() {
        let context = Context::default();
        let picture = gradient(4096, 4096);
        let mut tiles = Tiles::default();
        let mut output = context.run_ui(RawInput::default(), |ui| {
            let seen = Rect::from_min_size(Pos2::ZERO, vec2(100.0, 100.0));
            let painter = Painter::new(ui.ctx().clone(), LayerId::background(), seen);
            let whole = Rect::from_min_size(Pos2::ZERO, vec2(4096.0, 4096.0));
            tiles.draw(&painter, (0, 0, Channel::Rgb), &picture, whole);
        });
        assert_eq!(tiles.len(), 1);
        output.textures_delta.clear();
        drop(tiles);
        context.tex_manager().write().take_delta().clear();
    }
}
