//! Where in a pixel samples are: in sixteenths of it from its upper left corner, no two in one row or column.

/// The places of so many samples.
pub(crate) trait Pattern<const N: usize> {
    const PLACES: [[i32; 2]; N];
}

/// The patterns of graphics processors.
pub(crate) struct Usual;

impl Pattern<1> for Usual {
    const PLACES: [[i32; 2]; 1] = [[8, 8]];
}

impl Pattern<4> for Usual {
    const PLACES: [[i32; 2]; 4] = [[6, 2], [14, 6], [2, 10], [10, 14]];
}

impl Pattern<8> for Usual {
    const PLACES: [[i32; 2]; 8] = [[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean<const N: usize>(places: [[i32; 2]; N]) -> [f32; 2] {
        [0, 1].map(|axis| places.iter().map(|place| place[axis] as f32).sum::<f32>() / N as f32)
    }

    #[test]
    fn samples_lie_around_the_middle() {
        assert_eq!(mean(<Usual as Pattern<1>>::PLACES), [8.0, 8.0]);
        assert_eq!(mean(<Usual as Pattern<4>>::PLACES), [8.0, 8.0]);
        assert_eq!(mean(<Usual as Pattern<8>>::PLACES), [8.0, 8.0]);
    }
}
