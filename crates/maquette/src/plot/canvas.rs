//! What a picture of curves is drawn with.

/// A colour without opacity.
pub(super) type Colour = [u8; 3];

/// Where a text stands: at its point it begins, has its middle, or ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Points are in pixels, from the left and from the top.
pub(super) trait Canvas {
    /// Lines from point to point.
    fn lines(&mut self, points: &[(f64, f64)], colour: Colour, width: f64);

    /// A filled circle.
    fn dot(&mut self, at: (f64, f64), radius: f64, colour: Colour);

    /// A line of text, on its baseline; twice as large where it is a title.
    fn text(&mut self, at: (f64, f64), text: &str, anchor: Anchor, is_title: bool, colour: Colour);

    /// The file.
    fn finish(self: Box<Self>) -> Option<Vec<u8>>;
}
