//! The bones of a motion as those of a file.

use super::frames::Frames;
use super::{agrees, text, too_many};
use crate::format::{Error, Result};
use crate::seanim::extras;
use crate::seanim::raw::keys::Keys as RawKeys;
use crate::seanim::raw::{Bone, Channel, File, Modifier};
use maquette_motion::{Curve, Motion};
use std::collections::HashMap;

/// The most modifiers that the header can count.
const MAX_MODIFIERS: usize = 0xff;

/// Bones in the order of the motion, with their keys, and the modifiers.
pub(super) fn write<'f>(file: &File<'f>, motion: &Motion, frames: &mut Frames, made: &mut File<'f>) -> Result<()> {
    let mut places: HashMap<usize, usize> = HashMap::new();
    for (index, bone) in motion.bones.iter().enumerate().filter(|(_, bone)| !bone.is_shape) {
        let before = bone.origin.and_then(|origin| file.bones.get(origin));
        let name = match before.filter(|before| String::from_utf8_lossy(&before.name) == bone.name) {
            Some(before) => before.name.clone(),
            None => text(&bone.name),
        };
        places.insert(index, made.bones.len());
        let [loc, rot, scale] = Channel::ALL.map(|channel| RawKeys::new(made.shape(channel)));
        made.bones.push(Bone { name, flags: before.map_or(0, |before| before.flags), loc, rot, scale });
    }
    for track in &motion.tracks {
        let Some(&place) = places.get(&track.bone) else { continue };
        let (channel, keys) = match &track.curve {
            Curve::Translation(keys) => (Channel::Loc, frames.keys(keys, |value| value.extend(0.0).to_array())?),
            Curve::Rotation(keys) => (Channel::Rot, frames.keys(keys, |value| value.to_array())?),
            Curve::Scale(keys) => (Channel::Scale, frames.keys(keys, |value| value.extend(0.0).to_array())?),
            Curve::MorphWeights(_) => continue,
        };
        let shape = made.shape(channel);
        if keys.len() > shape.frame.largest() as usize {
            return Err(too_many("keys of one bone", keys.len(), shape.frame.largest()));
        }
        if !keys.is_empty() {
            made.data_presence_flags |= channel.flag();
        }
        if let Some(bone) = made.bones.get_mut(place) {
            let slot = bone.keys_mut(channel);
            if !slot.is_empty() {
                let property = track.curve.property();
                let name = String::from_utf8_lossy(&bone.name);
                return Err(Error::CannotHold(format!("{name:?} has two curves of its {property}")));
            }
            *slot = RawKeys::nearest(shape, &keys);
        }
    }
    modifiers(file, motion, &places, made)
}

/// The modifiers as they were, as far as they say what the motion does, and one for each other bone with a blend of its own.
fn modifiers(file: &File<'_>, motion: &Motion, places: &HashMap<usize, usize>, made: &mut File<'_>) -> Result<()> {
    let of_origin: HashMap<usize, usize> =
        places.keys().filter_map(|&index| Some((motion.bones.get(index)?.origin?, index))).collect();
    let last: HashMap<u32, u8> =
        file.modifiers.iter().map(|modifier| (modifier.index, modifier.anim_type_override)).collect();
    let mut told = vec![false; motion.bones.len()];
    for modifier in &file.modifiers {
        let Some(&index) = of_origin.get(&(modifier.index as usize)) else { continue };
        let Some(bone) = motion.bones.get(index) else { continue };
        // Of several about one bone the last holds.
        let holds = last.get(&modifier.index).is_some_and(|anim_type| agrees(*anim_type, bone.blend));
        if let (true, Some(&place)) = (holds, places.get(&index)) {
            made.modifiers.push(Modifier { index: place as u32, ..*modifier });
            told.get_mut(index).into_iter().for_each(|told| *told = true);
        }
    }
    for (index, bone) in motion.bones.iter().enumerate() {
        if let (Some(blend), Some(&place), Some(false)) = (bone.blend, places.get(&index), told.get(index)) {
            made.modifiers.push(Modifier { index: place as u32, anim_type_override: extras::type_of(blend) });
        }
    }
    match made.modifiers.len() > MAX_MODIFIERS {
        true => Err(too_many("bones with a blend of their own", made.modifiers.len(), MAX_MODIFIERS as u32)),
        false => Ok(()),
    }
}
