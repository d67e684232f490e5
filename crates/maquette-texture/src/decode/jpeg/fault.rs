//! What can be wrong with the data of a scan.
//!
//! A JPEG has no checksum. But every code must be one of the tables, no block may hold more than 64 coefficients, and the data of a scan must end where
//! its last block does: hardly anything that is cut off or overwritten passes.

/// Places are bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The data is over before the picture is.
    Short { at: usize, percent: usize },
    /// What stands there is no code.
    NoCode { at: usize, percent: usize },
    /// The picture is over before the data is.
    Surplus { at: usize, bytes: usize },
    /// The parts of the data do not follow each other.
    Restart { at: usize, found: u8, expected: usize },
}

impl Fault {
    /// In words, of what the scan is the whole of.
    pub fn told(&self, whole: &str) -> String {
        match self {
            Fault::Short { at, percent } => format!("its data ends at byte {at}, after {percent} % of {whole}"),
            Fault::NoCode { at, percent } => {
                format!("its data is wrong at or before byte {at}, after {percent} % of {whole}")
            }
            Fault::Surplus { at, bytes } => {
                format!("its data is wrong somewhere: {bytes} bytes are left over before byte {at}, where {whole} ends")
            }
            Fault::Restart { at, found, expected } => {
                format!("restart marker {} stands at byte {at}, where {expected} belongs", found & 7)
            }
        }
    }

    /// Whether coefficients are missing, and not only in doubt.
    pub fn has_gap(&self) -> bool {
        matches!(self, Fault::Short { .. } | Fault::NoCode { .. })
    }
}
