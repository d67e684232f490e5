//! Words on pictures, in letters of 5 by 8 dots, the last row for what goes below the line.

use crate::Picture;

/// The width of a letter with the space after it.
pub const ADVANCE: u32 = 6;
/// The height of a line of capitals.
pub const CAPITALS: u32 = 7;
/// The height of a letter with what goes below the line.
pub const LINE: u32 = 8;
const FIRST: u32 = b' ' as u32;

/// A byte for each row from the top, of which the lowest five bits are its dots, the leftmost the highest. From the space to the tilde.
const GLYPHS: [u64; 95] = [
    0x0000_0000_0000_0000,
    0x0404_0404_0400_0400,
    0x0a0a_0000_0000_0000,
    0x0a0a_1f0a_1f0a_0a00,
    0x040f_140e_051e_0400,
    0x1819_0204_0813_0300,
    0x0814_1408_1512_0d00,
    0x0404_0000_0000_0000,
    0x0204_0808_0804_0200,
    0x0804_0202_0204_0800,
    0x0004_150e_1504_0000,
    0x0004_041f_0404_0000,
    0x0000_0000_0004_0408,
    0x0000_001f_0000_0000,
    0x0000_0000_000c_0c00,
    0x0101_0204_0810_1000,
    0x0e11_1315_1911_0e00,
    0x040c_0404_0404_0e00,
    0x0e11_0102_0408_1f00,
    0x1f02_0402_0111_0e00,
    0x0206_0a12_1f02_0200,
    0x1f10_1e01_0111_0e00,
    0x0608_101e_1111_0e00,
    0x1f01_0204_0808_0800,
    0x0e11_110e_1111_0e00,
    0x0e11_110f_0102_0c00,
    0x000c_0c00_0c0c_0000,
    0x000c_0c00_0c04_0800,
    0x0204_0810_0804_0200,
    0x0000_1f00_1f00_0000,
    0x0804_0201_0204_0800,
    0x0e11_0102_0400_0400,
    0x0e11_1715_1710_0e00,
    0x0e11_111f_1111_1100,
    0x1e11_111e_1111_1e00,
    0x0e11_1010_1011_0e00,
    0x1e11_1111_1111_1e00,
    0x1f10_101e_1010_1f00,
    0x1f10_101e_1010_1000,
    0x0e11_1017_1111_0f00,
    0x1111_111f_1111_1100,
    0x0e04_0404_0404_0e00,
    0x0702_0202_0212_0c00,
    0x1112_1418_1412_1100,
    0x1010_1010_1010_1f00,
    0x111b_1515_1111_1100,
    0x1111_1915_1311_1100,
    0x0e11_1111_1111_0e00,
    0x1e11_111e_1010_1000,
    0x0e11_1111_1512_0d00,
    0x1e11_111e_1412_1100,
    0x0f10_100e_0101_1e00,
    0x1f04_0404_0404_0400,
    0x1111_1111_1111_0e00,
    0x1111_1111_110a_0400,
    0x1111_1115_1515_0a00,
    0x1111_0a04_0a11_1100,
    0x1111_110a_0404_0400,
    0x1f01_0204_0810_1f00,
    0x0e08_0808_0808_0e00,
    0x1010_0804_0201_0100,
    0x0e02_0202_0202_0e00,
    0x040a_1100_0000_0000,
    0x0000_0000_0000_1f00,
    0x0804_0200_0000_0000,
    0x0000_0e01_0f11_0f00,
    0x1010_1619_1111_1e00,
    0x0000_0e10_1011_0e00,
    0x0101_0d13_1111_0f00,
    0x0000_0e11_1f10_0e00,
    0x0609_081c_0808_0800,
    0x0000_0f11_110f_010e,
    0x1010_1619_1111_1100,
    0x0400_0c04_0404_0e00,
    0x0200_0602_0202_120c,
    0x1010_1214_1814_1200,
    0x0c04_0404_0404_0e00,
    0x0000_1a15_1511_1100,
    0x0000_1619_1111_1100,
    0x0000_0e11_1111_0e00,
    0x0000_1e11_111e_1010,
    0x0000_0d13_110f_0101,
    0x0000_1619_1010_1000,
    0x0000_0e10_0e01_1e00,
    0x0808_1c08_0809_0600,
    0x0000_1111_1113_0d00,
    0x0000_1111_110a_0400,
    0x0000_1111_1515_0a00,
    0x0000_110a_040a_1100,
    0x0000_1111_110f_010e,
    0x0000_1f02_0408_1f00,
    0x0204_0408_0404_0200,
    0x0404_0404_0404_0400,
    0x0804_0402_0404_0800,
    0x0000_0815_0200_0000,
];

/// The dots of a letter, as columns and rows. What is not known is a question mark.
pub fn dots(letter: char) -> impl Iterator<Item = (u32, u32)> {
    let find = |letter: char| u32::from(letter).checked_sub(FIRST).and_then(|at| GLYPHS.get(at as usize)).copied();
    let glyph = find(letter).or_else(|| find('?')).unwrap_or(0);
    let is_set = move |column: u32, row: u32| glyph >> (8 * (7 - row) + 4 - column) & 1 == 1;
    (0..8)
        .flat_map(move |row| (0..5).map(move |column| (column, row)))
        .filter(move |(column, row)| is_set(*column, *row))
}

/// Writes into a picture, the upper left corner of the first letter at a place, each dot so many pixels wide. What is outside of the picture is left out.
pub fn write(picture: &mut Picture, [x, y]: [u32; 2], text: &str, dot: u32, colour: [u8; 4]) {
    let (width, height) = (u64::from(picture.width()), u64::from(picture.height()));
    for (at, letter) in text.chars().enumerate().take(picture.width() as usize) {
        let left = u64::from(x) + at as u64 * u64::from(ADVANCE * dot);
        for (column, row) in dots(letter) {
            for (across, down) in (0..dot).flat_map(|across| (0..dot).map(move |down| (across, down))) {
                let (x, y) = (left + u64::from(column * dot + across), u64::from(y) + u64::from(row * dot + down));
                if x < width
                    && y < height
                    && let Some(pixel) = picture.pixels_mut().get_mut((y * width + x) as usize)
                {
                    *pixel = colour;
                }
            }
        }
    }
}

/// As much of a text as so many pixels have room for, two dots in the place of the rest.
pub fn cut(text: &str, pixels: u32, dot: u32) -> String {
    let most = (pixels / (ADVANCE * dot).max(1)).max(2) as usize;
    match text.chars().count() > most {
        true => text.chars().take(most - 2).chain("..".chars()).collect(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_look_like_themselves() {
        let drawn = |letter: char| {
            let mut rows = [[b'.'; 5]; 8];
            dots(letter).for_each(|(column, row)| rows[row as usize][column as usize] = b'#');
            rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(drawn('F'), "#####\n#....\n#....\n####.\n#....\n#....\n#....\n.....");
        assert_eq!(drawn('g'), ".....\n.....\n.####\n#...#\n#...#\n.####\n....#\n.###.");
        assert_eq!(drawn('\u{fc}'), drawn('?'));
        assert_eq!(dots(' ').count(), 0);
        let all: std::collections::HashSet<String> = ('!'..='~').map(drawn).collect();
        assert_eq!(all.len(), 94, "no two are the same");
    }

    #[test]
    fn words_stay_inside_of_a_picture() {
        let mut picture = Picture::new(10, 9, vec![[0; 4]; 90]).unwrap();
        write(&mut picture, [1, 1], "I_", 1, [255; 4]);
        let set: usize = picture.pixels().iter().filter(|pixel| **pixel == [255; 4]).count();
        // The I whole, and of the line below the first three dots.
        assert_eq!(set, dots('I').count() + 3);
        assert_eq!(picture.row(1)[2..5], [[255; 4]; 3]);
        write(&mut picture, [u32::MAX, u32::MAX], "far", 7, [1; 4]);
        assert_eq!((cut("abcdef", 30, 1), cut("abcde", 30, 1)), ("abc..".into(), "abcde".into()));
    }
}
