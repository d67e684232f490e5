//! What the scene has no place for and this format can write again, as extras of the clip.
//!
//! | key | what | when |
//! |---|---|---|
//! | `seanim.header` | frame rate, and what differs from a header made anew | always |
//! | `seanim.bones` | all bones in order, with flags and with names that had to change | if the tracks do not tell |
//! | `seanim.modifiers` | the list of modifiers | if the tracks do not tell |
//! | `seanim.custom`, `seanim.trailer` | the bytes, in hexadecimal digits | if there, up to [`MAX_BYTES`] |
//!
//! A scene may be changed between reading and writing, so the writer takes from here only what still agrees with it.

use super::raw::ANIM_TYPE_DELTA;
use maquette_scene::clip::Blend;
use maquette_scene::extras::Extras;
use maquette_scene::loss::{LossReport, Lost};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// What every key begins with.
const PREFIX: &str = "seanim";
/// Larger blocks are not kept.
pub const MAX_BYTES: u64 = 1 << 16;

/// The particulars of the header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// Frames a second, for clips that lost theirs on the way.
    #[serde(skip_serializing_if = "is_default")]
    pub framerate: Option<f32>,
    /// A type without a meaning; the clip is taken for absolute.
    #[serde(skip_serializing_if = "is_default")]
    pub anim_type: Option<u8>,
    /// Flags without a meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub anim_flags: u8,
    /// Flags that the tracks and events do not imply.
    #[serde(skip_serializing_if = "is_default")]
    pub data_presence_flags: u8,
    /// All property flags.
    #[serde(skip_serializing_if = "is_default")]
    pub data_property_flags: u8,
    /// As stored.
    #[serde(skip_serializing_if = "is_default")]
    pub reserved1: [u8; 2],
    /// As stored.
    #[serde(skip_serializing_if = "is_default")]
    pub reserved2: [u8; 3],
    /// What follows the header of version 1, in hexadecimal digits.
    #[serde(skip_serializing_if = "is_default")]
    pub extra: String,
}

/// A bone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bone {
    /// Its name in the scene.
    pub name: String,
    /// Its name in the file, in hexadecimal digits, where that is another.
    #[serde(skip_serializing_if = "is_default")]
    pub raw: Option<String>,
    /// Its flags.
    #[serde(skip_serializing_if = "is_default")]
    pub flags: u8,
}

/// A modifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Modifier {
    /// The bone's name in the scene.
    pub bone: String,
    /// The type, whether it has a meaning or not.
    pub anim_type: u8,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Stores a value as JSON.
pub fn set(extras: &mut Extras, key: &str, value: &impl Serialize) {
    // Nothing stored here can fail to be told as JSON.
    if let Ok(json) = serde_json::to_string(value) {
        extras.set(PREFIX, key, json);
    }
}

/// A stored value. One that cannot be understood, because something else wrote it, is a loss.
pub fn get<T: DeserializeOwned>(extras: &Extras, key: &str, subject: &str, losses: &mut LossReport) -> Option<T> {
    let value = serde_json::from_str(extras.get(PREFIX, key)?);
    if let Err(error) = &value {
        losses.dropped(Lost::Extras, subject, format!("`{PREFIX}.{key}` is not as it was written: {error}"), 1);
    }
    value.ok()
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of hexadecimal digits; `None` for other text.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}

/// How values of this type are taken; `None` for a type without a meaning.
pub fn blend_of(anim_type: u8) -> Option<Blend> {
    match anim_type {
        0 => Some(Blend::Absolute),
        1 => Some(Blend::Additive),
        2 => Some(Blend::Relative),
        ANIM_TYPE_DELTA => Some(Blend::Delta),
        _ => None,
    }
}

/// The type whose values are taken so.
pub fn type_of(blend: Blend) -> u8 {
    match blend {
        Blend::Absolute => 0,
        Blend::Additive => 1,
        Blend::Relative => 2,
        Blend::Delta => ANIM_TYPE_DELTA,
    }
}

/// What the modifiers say about each bone they name: the last for a bone holds, one without a meaning says nothing.
pub fn blends<B: std::hash::Hash + Eq>(modifiers: impl IntoIterator<Item = (B, u8)>) -> HashMap<B, Blend> {
    modifiers.into_iter().filter_map(|(bone, anim_type)| Some((bone, blend_of(anim_type)?))).collect()
}

/// Names that are given once each.
pub struct Names {
    reserved: HashSet<String>,
    given: HashSet<String>,
    next: HashMap<String, u32>,
}

impl Names {
    /// None given yet. A name of `reserved` is given only to who asks for it.
    pub fn new(reserved: impl IntoIterator<Item = String>) -> Names {
        Names { reserved: reserved.into_iter().collect(), given: HashSet::new(), next: HashMap::new() }
    }

    /// Takes a name out of the free ones.
    pub fn take(&mut self, name: &str) {
        self.given.insert(name.to_owned());
    }

    /// This name, or where it was given before, the first free one of `name#2`, `name#3`, ..
    pub fn give(&mut self, name: &str) -> String {
        if self.given.insert(name.to_owned()) {
            return name.to_owned();
        }
        let number = self.next.entry(name.to_owned()).or_insert(1);
        loop {
            *number += 1;
            let other = format!("{name}#{number}");
            if !self.reserved.contains(&other) && self.given.insert(other.clone()) {
                return other;
            }
        }
    }
}

/// A few names for a message, in quotes.
pub fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    shortened(names.into_iter().map(|name| format!("{name:?}")))
}

/// The first few of these, and how many more there are.
pub fn shortened(mut items: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 8;
    let mut text = items.by_ref().take(SHOWN).collect::<Vec<_>>().join(", ");
    let more = items.count();
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}
