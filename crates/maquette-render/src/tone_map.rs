//! Light, which has no upper end, to what a screen can show.

use maquette_scene::glam::Vec3;

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

impl ToneMap {
    /// Light to what a screen is to send out: linear, from 0 to 1.
    pub(crate) fn apply(self, light: Vec3) -> Vec3 {
        let light = light.max(Vec3::ZERO).min(Vec3::splat(1e6));
        match self {
            ToneMap::Linear | ToneMap::Srgb => light.min(Vec3::ONE),
            ToneMap::Reinhard => light / (Vec3::ONE + light),
            ToneMap::ReinhardExtended => {
                let white = 4.0;
                (light * (Vec3::ONE + light / (white * white)) / (Vec3::ONE + light)).min(Vec3::ONE)
            }
            ToneMap::Aces => aces(light),
            ToneMap::Filmic => (filmic(light * 2.0) / filmic(Vec3::splat(11.2))).min(Vec3::ONE),
        }
    }
}

/// Stephen Hill's fit of the reference transform, with its colour spaces.
fn aces(light: Vec3) -> Vec3 {
    let into = [
        Vec3::new(0.597_19, 0.076_00, 0.028_40),
        Vec3::new(0.354_58, 0.908_34, 0.133_83),
        Vec3::new(0.048_23, 0.015_66, 0.837_77),
    ];
    let out = [
        Vec3::new(1.604_75, -0.102_08, -0.003_27),
        Vec3::new(-0.531_08, 1.108_13, -0.072_76),
        Vec3::new(-0.073_67, -0.006_05, 1.076_02),
    ];
    let times = |[x, y, z]: [Vec3; 3], v: Vec3| x * v.x + y * v.y + z * v.z;
    // The reference is darker than a picture of a model should be.
    let v = times(into, light / 0.72);
    let curved = (v * (v + Vec3::splat(0.024_578_6)) - Vec3::splat(0.000_090_537))
        / (v * (v * 0.983_729 + Vec3::splat(0.432_951)) + Vec3::splat(0.238_081));
    times(out, curved).clamp(Vec3::ZERO, Vec3::ONE)
}

/// John Hable's curve.
fn filmic(v: Vec3) -> Vec3 {
    (v * (v * 0.15 + Vec3::splat(0.05)) + Vec3::splat(0.004)) / (v * (v * 0.15 + Vec3::splat(0.5)) + Vec3::splat(0.06))
        - Vec3::splat(0.02 / 0.3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_light_is_brighter_and_nothing_is_beyond_white() {
        for tone_map in ToneMap::ALL {
            let mut before = -1.0;
            for step in 0..200 {
                let light = 1.05_f32.powi(step) * 0.01 - 0.01;
                let seen = tone_map.apply(Vec3::splat(light));
                assert!((0.0..=1.0).contains(&seen.y) && seen.y >= before, "{tone_map:?} {light} {seen}");
                before = seen.y;
            }
            assert!(tone_map.apply(Vec3::ZERO).y.abs() < 1e-3);
            assert!(tone_map.apply(Vec3::splat(f32::INFINITY)).y > 0.9);
        }
    }

    #[test]
    fn words_are_read_back() {
        for tone_map in ToneMap::ALL {
            assert_eq!(ToneMap::from_word(tone_map.word()), Some(tone_map));
        }
        for mode in crate::Mode::ALL {
            assert_eq!(crate::Mode::from_word(mode.word()), Some(mode));
        }
    }
}
