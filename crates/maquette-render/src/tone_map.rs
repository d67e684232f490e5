//! Light, which has no upper end, to what a screen can show.

/// How light becomes colours of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToneMap {
    /// Cut off at white and not encoded: bytes are proportional to light.
    Linear,
    /// Cut off at white, encoded as sRGB.
    Srgb,
    /// `x / (1 + x)`: never reaches white.
    Reinhard,
    /// Reinhard's curve with a white point, at four times the light of a white surface.
    ReinhardExtended,
    /// A fit of the film curve of the Academy: contrast, and colours that fade towards white.
    #[default]
    Aces,
    /// A film curve with a long shoulder and a soft toe.
    Filmic,
}

impl ToneMap {
    /// Every tone map.
    pub const ALL: [ToneMap; 6] =
        [ToneMap::Linear, ToneMap::Srgb, ToneMap::Reinhard, ToneMap::ReinhardExtended, ToneMap::Aces, ToneMap::Filmic];

    /// What it is called on a command line.
    pub fn word(self) -> &'static str {
        match self {
            ToneMap::Linear => "linear",
            ToneMap::Srgb => "srgb",
            ToneMap::Reinhard => "reinhard",
            ToneMap::ReinhardExtended => "reinhard-x",
            ToneMap::Aces => "aces",
            ToneMap::Filmic => "filmic",
        }
    }

    /// The tone map of this name.
    pub fn from_word(word: &str) -> Option<ToneMap> {
        ToneMap::ALL.into_iter().find(|tone_map| tone_map.word() == word)
    }
}
