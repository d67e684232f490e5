//! Pictures as pixels: each takes as much of a colour as a line or a dot covers of it.

use super::canvas::{Anchor, Canvas, Colour};
use maquette_texture::letters;

pub(super) struct Raster {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 4]>,
}

impl Raster {
    pub fn new(width: u32, height: u32) -> Raster {
        Raster { width, height, pixels: vec![[255; 4]; width as usize * height as usize] }
    }

    fn blend(&mut self, x: i64, y: i64, colour: Colour, part: f64) {
        if x < 0 || y < 0 || x >= i64::from(self.width) || y >= i64::from(self.height) || part <= 0.0 {
            return;
        }
        let at = y as usize * self.width as usize + x as usize;
        let Some([r, g, b, _]) = self.pixels.get_mut(at) else { return };
        for (there, new) in [r, g, b].into_iter().zip(colour) {
            *there = (f64::from(*there) + (f64::from(new) - f64::from(*there)) * part.min(1.0)).round() as u8;
        }
    }

    /// Every pixel of a box, with how much of it is covered, from how far its middle is from what is drawn.
    fn cover(&mut self, [from, to]: [(f64, f64); 2], colour: Colour, reach: f64, far: impl Fn(f64, f64) -> f64) {
        let clip = |number: f64, most: u32| number.clamp(-1.0, f64::from(most)) as i64;
        for y in clip((from.1 - reach).floor(), self.height)..=clip((to.1 + reach).ceil(), self.height) {
            for x in clip((from.0 - reach).floor(), self.width)..=clip((to.0 + reach).ceil(), self.width) {
                self.blend(x, y, colour, reach + 0.5 - far(x as f64 + 0.5, y as f64 + 0.5));
            }
        }
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, width: f64) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let square = dx * dx + dy * dy;
        if !square.is_finite() {
            return;
        }
        let far = |x: f64, y: f64| {
            let along =
                if square > 0.0 { (((x - from.0) * dx + (y - from.1) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
            (x - from.0 - along * dx).hypot(y - from.1 - along * dy)
        };
        // A slanted line is drawn in short pieces of its box.
        let pieces = (dx.abs().min(dy.abs()) / 8.0).ceil().clamp(1.0, 4096.0) as u32;
        for piece in 0..pieces {
            let [start, end] = [piece, piece + 1].map(|at| {
                let part = f64::from(at) / f64::from(pieces);
                (from.0 + dx * part, from.1 + dy * part)
            });
            let least = (start.0.min(end.0), start.1.min(end.1));
            let most = (start.0.max(end.0), start.1.max(end.1));
            // Only what is nearest to this piece, so that nothing is drawn twice.
            let (first, last) = (f64::from(piece) / f64::from(pieces), f64::from(piece + 1) / f64::from(pieces));
            self.cover([least, most], colour, width / 2.0, |x, y| {
                let along = if square > 0.0 { ((x - from.0) * dx + (y - from.1) * dy) / square } else { 0.0 };
                let is_here = (piece == 0 || along >= first) && (piece + 1 == pieces || along < last);
                if is_here { far(x, y) } else { f64::INFINITY }
            });
        }
    }
}

impl Canvas for Raster {
    fn lines(&mut self, points: &[(f64, f64)], colour: Colour, width: f64) {
        for pair in points.windows(2) {
            if let [from, to] = pair {
                self.line(*from, *to, colour, width);
            }
        }
    }

    fn dot(&mut self, at: (f64, f64), radius: f64, colour: Colour) {
        self.cover([at, at], colour, radius, |x, y| (x - at.0).hypot(y - at.1));
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, anchor: Anchor, is_title: bool, colour: Colour) {
        let size = if is_title { 2 } else { 1 };
        let width = f64::from(letters::ADVANCE * size) * text.chars().count() as f64;
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let top = (y - f64::from(letters::CAPITALS * size)).round() as i64;
        for (at, letter) in text.chars().take(self.width as usize).enumerate() {
            let left = (left + f64::from(letters::ADVANCE * size) * at as f64).round() as i64;
            for (column, row) in letters::dots(letter) {
                for (across, down) in (0..size).flat_map(|across| (0..size).map(move |down| (across, down))) {
                    let (x, y) = (left + i64::from(column * size + across), top + i64::from(row * size + down));
                    self.blend(x, y, colour, 1.0);
                }
            }
        }
    }

    fn finish(self: Box<Self>) -> Option<Vec<u8>> {
        maquette_texture::png::encode(self.width, self.height, &self.pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dark(raster: &Raster) -> f64 {
        raster.pixels.iter().map(|pixel| f64::from(255 - pixel[0]) / 255.0).sum()
    }

    #[test]
    fn a_line_covers_its_length_times_its_width_wherever_it_goes() {
        for (from, to) in [
            ((10.0, 50.5), (90.0, 50.5)),
            ((50.2, 10.0), (50.2, 90.0)),
            ((10.0, 15.0), (90.0, 80.0)),
            ((12.0, 88.0), (30.0, 10.0)),
        ] {
            let mut raster = Raster::new(100, 100);
            raster.lines(&[from, to], [0, 0, 0], 2.0);
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let area = dark(&raster);
            assert!((area - 2.0 * length).abs() < 0.05 * 2.0 * length + 4.0, "{from:?} {to:?}: {area} of {length}");
        }
        let mut raster = Raster::new(10, 10);
        raster.lines(&[(-1e300, 5.0), (f64::NAN, 1e300), (1e9, 1e9)], [0, 0, 0], 1.0);
        raster.dot((1e300, -5.0), 3.0, [0, 0, 0]);
    }

    #[test]
    fn text_ends_where_it_is_anchored() {
        let mut raster = Raster::new(60, 20);
        raster.text((60.0, 15.0), "HH", Anchor::End, true, [0, 0, 0]);
        let columns: Vec<usize> =
            raster.pixels.iter().enumerate().filter(|(_, pixel)| pixel[0] == 0).map(|(at, _)| at % 60).collect();
        assert_eq!((columns.iter().min(), columns.iter().max()), (Some(&36), Some(&57)));
    }
}
