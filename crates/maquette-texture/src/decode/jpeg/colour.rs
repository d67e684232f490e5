//! Components to colours. [JFIF 1.02; Adobe Technical Note 5116]

use super::segments::{Frame, Segment};

/// What the components of a file are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Colours {
    Grey,
    /// Brightness, and two differences of colours from it.
    Differences,
    /// Red, green and blue.
    Plain,
    /// Cyan, magenta, yellow and black, all inverted.
    Inks,
    /// The same, the first three as differences.
    InkDifferences,
}

/// What Adobe's programs note of the components; `None` where a segment is no such note.
pub fn adobe_note(segment: &Segment<'_>) -> Option<u8> {
    match segment.body {
        [b'A', b'd', b'o', b'b', b'e', _, _, _, _, _, _, note, ..] if segment.marker == 0xee => Some(*note),
        _ => None,
    }
}

impl Colours {
    /// By their number, names and Adobe's note; `None` where nothing says what they are.
    pub fn new(frame: &Frame, adobe: Option<u8>) -> Option<Colours> {
        let ids = frame.components.iter().map(|component| component.id);
        match (frame.components.len(), adobe) {
            (1, _) => Some(Colours::Grey),
            (3, Some(0)) => Some(Colours::Plain),
            (3, _) if ids.eq(*b"RGB") => Some(Colours::Plain),
            (3, _) => Some(Colours::Differences),
            (4, Some(2)) => Some(Colours::InkDifferences),
            (4, _) => Some(Colours::Inks),
            _ => None,
        }
    }

    /// A row of pixels.
    #[inline(always)]
    pub fn paint(self, components: [&[u8]; 4], pixels: &mut [[u8; 4]]) {
        let [first, second, third, fourth] = components;
        match self {
            Colours::Grey => {
                for (pixel, &grey) in pixels.iter_mut().zip(first) {
                    *pixel = [grey, grey, grey, 255];
                }
            }
            Colours::Plain => plain(components, pixels),
            Colours::Differences => differences(components, pixels),
            Colours::Inks => {
                plain([first, second, third, &[]], pixels);
                darken(pixels, fourth);
            }
            Colours::InkDifferences => {
                differences(components, pixels);
                pixels.iter_mut().for_each(|[r, g, b, _]| [*r, *g, *b] = [!*r, !*g, !*b]);
                darken(pixels, fourth);
            }
        }
    }
}

#[inline(always)]
fn plain([r, g, b, _]: [&[u8]; 4], pixels: &mut [[u8; 4]]) {
    for (((pixel, &r), &g), &b) in pixels.iter_mut().zip(r).zip(g).zip(b) {
        *pixel = [r, g, b, 255];
    }
}

/// With fourteen bits for fractions; halves are rounded down.
#[inline(always)]
fn differences([brightness, blue, red, _]: [&[u8]; 4], pixels: &mut [[u8; 4]]) {
    for (((pixel, &y), &blue), &red) in pixels.iter_mut().zip(brightness).zip(blue).zip(red) {
        let (y, blue, red) = (i32::from(y), i32::from(blue) - 128, i32::from(red) - 128);
        let y = (y << 14) + (1 << 13) - 1;
        let byte = |value: i32| (value >> 14).clamp(0, 255) as u32;
        let (r, g, b) = (byte(y + 22970 * red), byte(y - 11700 * red - 5638 * blue), byte(y + 29032 * blue));
        *pixel = (r | g << 8 | b << 16 | 255 << 24).to_le_bytes();
    }
}

/// Multiplies with a fraction of 255.
#[inline(always)]
fn darken(pixels: &mut [[u8; 4]], by: &[u8]) {
    for ([r, g, b, _], &by) in pixels.iter_mut().zip(by) {
        for channel in [r, g, b] {
            let product = u32::from(*channel) * u32::from(by) + 128;
            *channel = ((product + (product >> 8)) >> 8) as u8;
        }
    }
}
