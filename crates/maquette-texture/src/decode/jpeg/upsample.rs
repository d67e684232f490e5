//! Rows of a component that has fewer samples than the picture has pixels.
//!
//! Where it has half as many, a pixel is three parts of the sample it lies in and one of the next nearest, down before across. Where it has still
//! fewer, it is the sample it lies in.

/// How a component is stretched.
#[derive(Clone, Copy, PartialEq)]
pub enum Stretch {
    /// Twice or not, across and down.
    Smooth { across: bool, down: bool },
    /// From so many samples to so many pixels, across and down.
    Nearest { across: [usize; 2], down: [usize; 2] },
}

impl Stretch {
    /// Of a component's blocks in a unit, and of the most of any component's.
    pub fn new([across, down]: [usize; 2], [most_across, most_down]: [usize; 2]) -> Stretch {
        let is_twice = |few: usize, many: usize| match (few == many, 2 * few == many) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            _ => None,
        };
        match (is_twice(across, most_across), is_twice(down, most_down)) {
            (Some(across), Some(down)) => Stretch::Smooth { across, down },
            _ => Stretch::Nearest { across: [across, most_across], down: [down, most_down] },
        }
    }

    /// Whether rows are mixed of two.
    pub fn mixes_rows(self) -> bool {
        matches!(self, Stretch::Smooth { down: true, .. })
    }

    /// The row of samples that a row of pixels lies in.
    pub fn row(self, y: usize) -> usize {
        match self {
            Stretch::Smooth { down, .. } => y >> usize::from(down),
            Stretch::Nearest { down: [few, many], .. } => y * few / many,
        }
    }
}

/// Three parts of one sample and one of another.
#[inline(always)]
fn mixed(near: u8, far: u8) -> u16 {
    (3 * u16::from(near) + u16::from(far) + 2) >> 2
}

/// Between two rows.
#[inline(always)]
pub fn mix_rows(near: &[u8], far: &[u8], to: &mut [u8]) {
    for ((to, &near), &far) in to.iter_mut().zip(near).zip(far) {
        *to = mixed(near, far) as u8;
    }
}

/// Twice as many across.
#[inline(always)]
pub fn double(from: &[u8], to: &mut [u8]) {
    let pairs = to.as_chunks_mut::<2>().0;
    let inner = pairs.get_mut(1..).unwrap_or_default().iter_mut();
    let neighbours = from.iter().zip(from.get(1..).unwrap_or_default()).zip(from.get(2..).unwrap_or_default());
    for (pair, ((&before, &here), &after)) in inner.zip(neighbours) {
        // Both at once: two bytes apart are not made by vectors.
        *pair = (mixed(here, before) | mixed(here, after) << 8).to_le_bytes();
    }
    let ([first, second, ..], [.., last_but_one, last]) = (from, from) else { return };
    if let Some(pair) = pairs.first_mut() {
        *pair = [*first, mixed(*first, *second) as u8];
    }
    if let Some(pair) = from.len().checked_sub(1).and_then(|last| pairs.get_mut(last)) {
        *pair = [mixed(*last, *last_but_one) as u8, *last];
    }
}

/// The sample each pixel lies in.
#[inline(always)]
pub fn repeat(from: &[u8], [few, many]: [usize; 2], to: &mut [u8]) {
    for (x, to) in to.iter_mut().enumerate() {
        *to = from.get(x * few / many).copied().unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_lean_to_the_nearest_sample_and_keep_the_edges() {
        let mut to = [0; 8];
        double(&[0, 100, 101, 255], &mut to);
        assert_eq!(to, [0, 25, 75, 100, 101, 140, 217, 255]);
        let mut to = [0; 3];
        mix_rows(&[10, 0, 255], &[20, 1, 255], &mut to);
        assert_eq!(to, [13, 0, 255]);
        let mut to = [0; 6];
        repeat(&[10, 20, 30, 40], [2, 3], &mut to);
        assert_eq!(to, [10, 10, 20, 30, 30, 40]);
    }

    #[test]
    fn only_halves_are_smooth() {
        assert!(Stretch::new([1, 1], [2, 2]) == Stretch::Smooth { across: true, down: true });
        assert!(Stretch::new([4, 2], [4, 4]) == Stretch::Smooth { across: false, down: true });
        assert!(Stretch::new([1, 2], [4, 2]) == Stretch::Nearest { across: [1, 4], down: [2, 2] });
        assert_eq!(Stretch::new([1, 2], [3, 3]).row(7), 4);
    }
}
