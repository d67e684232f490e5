//! Pictures side by side on one, each with a line of words below it.

use maquette_texture::{Picture, letters};

/// The most pixels of a sheet.
pub const MOST_PIXELS: u64 = 1 << 28;
const GAP: u32 = 8;
const PAPER: [u8; 4] = [250, 250, 250, 255];
const INK: [u8; 4] = [40, 40, 40, 255];
const LIGHT_INK: [u8; 4] = [225, 225, 225, 255];

/// Where things are on a sheet.
struct Layout {
    columns: u32,
    rows: u32,
    cell: [u32; 2],
    /// How wide a dot of a letter is.
    dot: u32,
}

impl Layout {
    fn new(count: usize, columns: u32, cell: [u32; 2]) -> Option<Layout> {
        let count = u32::try_from(count).ok().filter(|count| *count > 0)?;
        let columns = columns.clamp(1, count);
        let dot = (cell[0] / 160).clamp(1, 4);
        Some(Layout { columns, rows: count.div_ceil(columns), cell, dot })
    }

    fn words(&self) -> u32 {
        (letters::LINE + 4) * self.dot
    }

    /// Width and height of the whole; `None` if that is too large.
    fn size(&self) -> Option<[u32; 2]> {
        let [width, height] = self.cell.map(u64::from);
        let whole = [
            u64::from(self.columns) * (width + u64::from(GAP)) + u64::from(GAP),
            u64::from(self.rows) * (height + u64::from(self.words()) + u64::from(GAP)) + u64::from(GAP),
        ];
        let [width, height] = whole;
        (width.checked_mul(height)? <= MOST_PIXELS).then_some(())?;
        Some([u32::try_from(width).ok()?, u32::try_from(height).ok()?])
    }

    fn corner(&self, at: usize) -> [u32; 2] {
        let (column, row) = (at as u32 % self.columns, at as u32 / self.columns);
        [GAP + column * (self.cell[0] + GAP), GAP + row * (self.cell[1] + self.words() + GAP)]
    }
}

/// Whether so many pictures of this size have room on a sheet.
pub fn has_room(count: usize, columns: u32, cell: [u32; 2]) -> bool {
    Layout::new(count, columns, cell).is_some_and(|layout| layout.size().is_some())
}

/// Puts pictures with their words side by side, row after row; `None` where there are none, they are not of one size, or there is no room for them.
pub fn sheet(cells: &[(Picture, String)], columns: u32) -> Option<Picture> {
    sheet_on(PAPER, cells, columns)
}

/// The same on paper of another colour, which may be transparent.
pub fn sheet_on(paper: [u8; 4], cells: &[(Picture, String)], columns: u32) -> Option<Picture> {
    let [r, g, b, a] = paper.map(u32::from);
    let ink = if a >= 128 && r + g + b < 382 { LIGHT_INK } else { INK };
    let (first, _) = cells.first()?;
    let cell = [first.width(), first.height()];
    let layout = Layout::new(cells.len(), columns, cell)?;
    let [width, height] = layout.size()?;
    let mut whole = Picture::new(width, height, vec![paper; width as usize * height as usize])?;
    for (at, (picture, words)) in cells.iter().enumerate() {
        if [picture.width(), picture.height()] != cell {
            return None;
        }
        let [left, top] = layout.corner(at);
        put(&mut whole, picture, [left, top]);
        let words = letters::cut(words, cell[0], layout.dot);
        letters::write(&mut whole, [left, top + cell[1] + 2 * layout.dot], &words, layout.dot, ink);
    }
    Some(whole)
}

/// Puts a picture onto a larger one, which shows through where it is transparent.
fn put(whole: &mut Picture, picture: &Picture, [left, top]: [u32; 2]) {
    let width = whole.width() as usize;
    for y in 0..picture.height() as usize {
        let start = (top as usize + y) * width + left as usize;
        let below = whole.pixels_mut().get_mut(start..).unwrap_or_default();
        for (below, &[r, g, b, a]) in below.iter_mut().zip(picture.row(y)) {
            if let [_, _, _, 0] = below {
                *below = [r, g, b, a];
                continue;
            }
            let opacity = u16::from(a);
            let mix = |above: u8, below: u8| {
                ((u16::from(above) * opacity + u16::from(below) * (255 - opacity) + 127) / 255) as u8
            };
            let [under_r, under_g, under_b, _] = *below;
            *below = [mix(r, under_r), mix(g, under_g), mix(b, under_b), 255];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(shade: u8) -> (Picture, String) {
        (Picture::new(20, 10, vec![[shade, shade, shade, 255]; 200]).unwrap(), format!("{shade}"))
    }

    #[test]
    fn pictures_stand_in_rows_with_words_below() {
        let whole = sheet(&[cell(0), cell(1), cell(2)], 2).unwrap();
        assert_eq!((whole.width(), whole.height()), (2 * 28 + 8, 2 * (10 + 12 + 8) + 8));
        let at = |x: usize, y: usize| whole.row(y)[x];
        assert_eq!((at(8, 8), at(27, 17), at(36, 8)), ([0, 0, 0, 255], [0, 0, 0, 255], [1, 1, 1, 255]));
        assert_eq!((at(8, 38), at(36, 38), at(28, 8)), ([2, 2, 2, 255], PAPER, PAPER));
        assert!((18..30).any(|y| whole.row(y).contains(&INK)), "words are below");
    }

    #[test]
    fn transparent_pictures_show_the_paper() {
        let half = (Picture::of_one([0, 0, 0, 128]), String::new());
        let whole = sheet(&[half], 1).unwrap();
        assert_eq!(whole.row(8)[8], [125, 125, 125, 255]);
    }

    #[test]
    fn paper_may_be_dark_or_not_there_at_all() {
        let dark = sheet_on([10, 10, 20, 255], &[cell(7)], 1).unwrap();
        assert_eq!((dark.row(0)[0], dark.row(8)[8]), ([10, 10, 20, 255], [7, 7, 7, 255]));
        assert!((18..30).any(|y| dark.row(y).contains(&LIGHT_INK)));
        let half = (Picture::of_one([1, 2, 3, 128]), String::new());
        let none = sheet_on([0; 4], &[half], 1).unwrap();
        assert_eq!((none.row(0)[0], none.row(8)[8]), ([0; 4], [1, 2, 3, 128]));
    }

    #[test]
    fn what_has_no_room_is_refused_before_anything_is_drawn() {
        assert!(has_room(100, 10, [512, 512]));
        assert!(!has_room(100_000, 10, [512, 512]) && !has_room(0, 10, [512, 512]));
        assert!(!has_room(usize::MAX, u32::MAX, [u32::MAX, u32::MAX]));
        assert_eq!(sheet(&[cell(0), (Picture::of_one([0; 4]), String::new())], 2), None);
        assert_eq!(sheet(&[], 2), None);
    }
}
