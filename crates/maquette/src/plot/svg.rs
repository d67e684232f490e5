//! Pictures as SVG.

use super::canvas::{Anchor, Canvas, Colour};
use std::fmt::Write;

pub(super) struct Svg(String);

impl Svg {
    pub fn new(width: u32, height: u32) -> Svg {
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        ))
    }

    fn add(&mut self, piece: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(piece);
    }
}

/// A number to a twentieth of a pixel.
fn pixels(number: f64) -> f64 {
    (number * 20.0).round() / 20.0
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text that holds no markup, and no character that XML has no place for.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

impl Canvas for Svg {
    fn lines(&mut self, points: &[(f64, f64)], colour: Colour, width: f64) {
        self.0.push_str("<polyline points=\"");
        for (x, y) in points {
            self.add(format_args!("{},{} ", pixels(*x), pixels(*y)));
        }
        self.add(format_args!("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"/>\n", hex(colour)));
    }

    fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: Colour) {
        let (x, y, colour) = (pixels(x), pixels(y), hex(colour));
        self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>\n"));
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, anchor: Anchor, is_title: bool, colour: Colour) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y, size, colour) = (pixels(x), pixels(y), if is_title { 15 } else { 10 }, hex(colour));
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>\n"
        ));
    }

    fn finish(self: Box<Self>) -> Option<Vec<u8>> {
        Some((self.0 + "</svg>\n").into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot;\u{fffd}");
    }
}
