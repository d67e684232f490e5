//! What the extras of a scene hold of an NLM file, so that it can be written back: values under `nlm.`.

use crate::summary::Bounds;
use maquette_scene::extras::Extras;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

const PREFIX: &str = "nlm";

/// The hash, where it is not the usual one.
pub const HASH: &str = "hash";
/// The animation flag, where it is neither 0 nor 1.
pub const ANIMATION_FLAG: &str = "animation_flag";
/// The bounding box, see [`StoredBox`].
pub const BOX: &str = "box";
/// Ticks in a second.
pub const RATE: &str = "ticks_per_second";
/// The length, in ticks, of an animation without keys.
pub const DURATION: &str = "duration";

/// The bounding box of a file, and the one around the positions that were read with it.
///
/// While the positions fill the same space, they are still those of the file, and so is its box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredBox {
    /// As stored.
    pub aabb: [[f32; 3]; 2],
    /// Around the positions; nothing without any.
    pub positions: Option<[[f32; 3]; 2]>,
}

/// How far the corners of a box may have moved, against its longest side.
const TOLERANCE: f32 = 1e-3;

impl StoredBox {
    /// Whether positions with these bounds are still the ones that were read.
    pub fn is_of(&self, bounds: Option<Bounds>) -> bool {
        match (self.positions, bounds) {
            (Some([min, max]), Some(now)) => {
                let longest = min.iter().zip(max).map(|(min, max)| max - min).fold(0.0, f32::max);
                let corners = min.iter().chain(&max).zip(now.min.iter().chain(&now.max));
                corners.into_iter().all(|(then, now)| (then - now).abs() <= TOLERANCE * longest)
            }
            (then, now) => then.is_none() && now.is_none(),
        }
    }
}

/// Stores a value as JSON.
pub fn set(extras: &mut Extras, key: &str, value: &impl Serialize) {
    if let Ok(json) = serde_json::to_string(value) {
        extras.set(PREFIX, key, json);
    }
}

/// The value stored under this key, if there is one and it makes sense.
pub fn get<T: DeserializeOwned>(extras: &Extras, key: &str) -> Option<T> {
    serde_json::from_str(extras.get(PREFIX, key)?).ok()
}
