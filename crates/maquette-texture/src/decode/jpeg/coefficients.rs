//! Coefficients of blocks, as scans bring them.

use super::segments::Frame;

/// Row by row, not yet multiplied by anything.
pub type Block = [i16; 64];

/// Those of some rows of units, of all components.
pub struct Coefficients {
    pub grids: Vec<Grid>,
}

/// Those of one component.
pub struct Grid {
    /// Blocks in a row, with those that lie outside the picture.
    pub stride: usize,
    pub blocks: Vec<Block>,
    /// Of each block, which coefficients but the first are not 0, a bit for each in the order in which they are stored.
    pub present: Vec<u64>,
}

impl Coefficients {
    /// None yet, for so many rows of units.
    pub fn new(frame: &Frame, rows: usize) -> Coefficients {
        let [units, _] = frame.units();
        let grid = |[across, down]: [usize; 2]| {
            let (stride, rows) = (units * across, rows * down);
            Grid { stride, blocks: vec![[0; 64]; stride * rows], present: vec![0; stride * rows] }
        };
        Coefficients { grids: frame.components.iter().map(|component| grid(component.blocks)).collect() }
    }
}
