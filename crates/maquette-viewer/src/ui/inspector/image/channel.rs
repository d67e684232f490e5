//! Which channels of an image are shown.

use eframe::egui::Color32;

/// Which channels are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// Colours, as if opaque.
    #[default]
    Rgb,
    /// Red as grey.
    Red,
    /// Green as grey.
    Green,
    /// Blue as grey.
    Blue,
    /// Opacity as grey.
    Alpha,
    /// Colours over a checker.
    Rgba,
}

impl Channel {
    /// All of them, with what they are called.
    pub const ALL: [(Channel, &'static str); 6] = [
        (Channel::Rgb, "RGB"),
        (Channel::Red, "R"),
        (Channel::Green, "G"),
        (Channel::Blue, "B"),
        (Channel::Alpha, "A"),
        (Channel::Rgba, "RGBA"),
    ];

    /// What is shown of a pixel.
    pub fn colour(self, [r, g, b, a]: [u8; 4]) -> Color32 {
        let times = |value: u8| ((u16::from(value) * u16::from(a) + 127) / 255) as u8;
        match self {
            Channel::Rgb => Color32::from_rgb(r, g, b),
            Channel::Red => Color32::from_gray(r),
            Channel::Green => Color32::from_gray(g),
            Channel::Blue => Color32::from_gray(b),
            Channel::Alpha => Color32::from_gray(a),
            Channel::Rgba => Color32::from_rgba_premultiplied(times(r), times(g), times(b), a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_show_what_they_are_called() {
        let pixel = [200, 100, 50, 128];
        assert_eq!(Channel::Rgb.colour(pixel), Color32::from_rgb(200, 100, 50));
        assert_eq!(Channel::Green.colour(pixel), Color32::from_gray(100));
        assert_eq!(Channel::Alpha.colour(pixel), Color32::from_gray(128));
        assert_eq!(Channel::Rgba.colour(pixel), Color32::from_rgba_premultiplied(100, 50, 25, 128));
        assert_eq!(Channel::Rgba.colour([9, 9, 9, 0]), Color32::TRANSPARENT);
    }
}
