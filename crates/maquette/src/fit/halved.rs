//! Pictures that were made smaller, in the words that every pass has for it.

use maquette_texture::mips;
use std::fmt;

/// From which size to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halved {
    from: [u32; 2],
    to: [u32; 2],
}

impl Halved {
    /// What halving a picture of this size so often makes of it; `None` where it stays.
    pub fn by(halvings: u32, from: [u32; 2]) -> Option<Halved> {
        let [width, height] = from;
        (halvings > 0).then(|| Halved { from, to: mips::level_size(width, height, halvings) })
    }

    /// From one size to another.
    pub fn between(from: [u32; 2], to: [u32; 2]) -> Halved {
        Halved { from, to }
    }
}

impl fmt::Display for Halved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Halved { from: [width, height], to: [across, down] } = self;
        write!(f, "halved from {width} × {height} to {across} × {down}")
    }
}
