//! Pictures made larger, as a sampler with linear filtering shows them.
//!
//! Where maps of several sizes are packed into one, the smaller are read between their pixels, just as they would have been on
//! the surface: no other filter shows the same.

use crate::picture::Picture;

/// How a picture goes on beyond its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Over and over.
    Repeat,
    /// Over and over, every other one mirrored.
    Mirror,
    /// Its edge goes on.
    Clamp,
}

impl Edge {
    /// The pixel at a place that may lie one beyond either end.
    fn pixel(self, place: i64, count: usize) -> usize {
        let last = count as i64 - 1;
        let inside = match self {
            Edge::Repeat => place.rem_euclid(count as i64),
            Edge::Mirror | Edge::Clamp => place.clamp(0, last),
        };
        inside as usize
    }
}

/// What each value of each channel means.
pub type DecodeTables = [[f32; 256]; 4];

/// Values from 0 to 1, as they are.
pub fn data_table() -> [f32; 256] {
    std::array::from_fn(|value| value as f32 / 255.0)
}

/// A picture read at another size, row by row.
pub struct Enlarged<'p> {
    picture: &'p Picture,
    height: usize,
    edge: Edge,
    decode_table: DecodeTables,
    columns: Option<Vec<Between>>,
}

/// Two pixels, and how much of the second.
#[derive(Clone, Copy)]
struct Between {
    first: usize,
    second: usize,
    part: f32,
}

impl Between {
    /// Where the middle of pixel `place` of `to` lies among `from`.
    fn new(place: usize, from: usize, to: usize, edge: Edge) -> Between {
        let middle = (place as f64 + 0.5) * from as f64 / to as f64 - 0.5;
        let first = middle.floor();
        let part = (middle - first) as f32;
        let first = first as i64;
        Between { first: edge.pixel(first, from), second: edge.pixel(first + 1, from), part }
    }
}

impl<'p> Enlarged<'p> {
    /// A picture as if it had another size.
    pub fn new(picture: &'p Picture, size: [u32; 2], edges: [Edge; 2], decode_table: DecodeTables) -> Enlarged<'p> {
        let [width, height] = size.map(|side| side as usize);
        let ([across, down], same_width) = (edges, picture.width() as usize == width);
        let between = |x| Between::new(x, picture.width() as usize, width, across);
        let columns = (!same_width).then(|| (0..width).map(between).collect());
        Enlarged { picture, height, edge: down, decode_table, columns }
    }

    /// Reads one row.
    pub fn row(&self, y: usize, out: &mut [[f32; 4]]) {
        let rows = self.picture.height() as usize;
        if rows == self.height {
            return self.stored_row(y, out);
        }
        let between = Between::new(y, rows, self.height, self.edge);
        let mut below = vec![[0.0; 4]; out.len()];
        self.stored_row(between.first, out);
        self.stored_row(between.second, &mut below);
        for (above, below) in out.iter_mut().zip(&below) {
            *above = mixed(*above, *below, between.part);
        }
    }

    /// One row as it is stored, where the picture has this size already.
    pub fn own_row(&self, y: usize) -> Option<&'p [[u8; 4]]> {
        let is_same = self.columns.is_none() && self.picture.height() as usize == self.height;
        is_same.then(|| self.picture.row(y))
    }

    /// One row of the picture at the new width.
    fn stored_row(&self, y: usize, out: &mut [[f32; 4]]) {
        let row = self.picture.row(y);
        match &self.columns {
            None => out.iter_mut().zip(row).for_each(|(out, pixel)| *out = self.meant(*pixel)),
            Some(columns) => {
                for (out, between) in out.iter_mut().zip(columns) {
                    let at = |x: usize| row.get(x).map_or([0.0; 4], |pixel| self.meant(*pixel));
                    *out = mixed(at(between.first), at(between.second), between.part);
                }
            }
        }
    }

    fn meant(&self, [r, g, b, a]: [u8; 4]) -> [f32; 4] {
        let [reds, greens, blues, alphas] = &self.decode_table;
        let look = |table: &[f32; 256], value: u8| table.get(usize::from(value)).copied().unwrap_or_default();
        [look(reds, r), look(greens, g), look(blues, b), look(alphas, a)]
    }
}

fn mixed(a: [f32; 4], b: [f32; 4], part: f32) -> [f32; 4] {
    let mut mixed = a;
    mixed.iter_mut().zip(b).for_each(|(a, b)| *a += (b - *a) * part);
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Picture {
        Picture::new(2, 1, vec![[0, 0, 0, 255], [200, 100, 0, 255]]).unwrap()
    }

    fn reds(size: [u32; 2], edge: Edge) -> Vec<f32> {
        let picture = ramp();
        let enlarged = Enlarged::new(&picture, size, [edge; 2], [data_table(); 4]);
        let mut row = vec![[0.0; 4]; size[0] as usize];
        enlarged.row(size[1] as usize - 1, &mut row);
        row.iter().map(|pixel| (pixel[0] * 255.0).round()).collect()
    }

    #[test]
    fn between_two_pixels_lie_their_mixtures() {
        assert_eq!(reds([4, 3], Edge::Clamp), [0.0, 50.0, 150.0, 200.0]);
        assert_eq!(reds([4, 3], Edge::Mirror), [0.0, 50.0, 150.0, 200.0]);
    }

    #[test]
    fn a_repeated_picture_is_mixed_over_its_edge() {
        assert_eq!(reds([4, 1], Edge::Repeat), [50.0, 50.0, 150.0, 150.0]);
    }

    #[test]
    fn the_same_size_is_the_same_picture() {
        let (picture, tables) = (ramp(), [data_table(); 4]);
        let own = |size| Enlarged::new(&picture, size, [Edge::Repeat; 2], tables).own_row(0);
        assert_eq!(own([2, 1]), Some(picture.pixels()));
        assert_eq!([own([4, 1]), own([2, 3])], [None; 2]);
        assert_eq!(reds([2, 1], Edge::Repeat), [0.0, 200.0]);
    }
}
