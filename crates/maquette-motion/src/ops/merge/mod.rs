//! Several clips made one: one after another, or each for bones of its own.

mod frames;
mod known;
mod layers;
mod sequence;

pub use layers::{Prefer, merge_layers};
pub use sequence::merge_sequence;

use crate::{Blend, Bone, Event, Motion, Refusal};
use std::collections::{HashMap, HashSet};

/// The bones of the clip that the others go into.
struct Places {
    by_name: HashMap<(String, bool), usize>,
    /// Whether each bone is moved.
    is_moved: Vec<bool>,
}

impl Places {
    fn of(motion: &Motion) -> Places {
        let mut by_name = HashMap::with_capacity(motion.bones.len());
        for (index, bone) in motion.bones.iter().enumerate() {
            by_name.entry((bone.name.clone(), bone.is_shape)).or_insert(index);
        }
        let mut is_moved = vec![false; motion.bones.len()];
        for track in &motion.tracks {
            is_moved.get_mut(track.bone).into_iter().for_each(|is_moved| *is_moved = true);
        }
        Places { by_name, is_moved }
    }

    /// The place of each bone of another clip, which is added where it is not there. How its values are to be taken goes along.
    fn take_in(&mut self, into: &mut Motion, other: &Motion) -> Result<Vec<usize>, Refusal> {
        let moved = Places::of(other).is_moved;
        let mut places = Vec::with_capacity(other.bones.len());
        for (bone, is_moved) in other.bones.iter().zip(moved) {
            let blend = bone.blend.unwrap_or(other.blend);
            let place = *self.by_name.entry((bone.name.clone(), bone.is_shape)).or_insert_with(|| {
                let own = if other.blend == into.blend { bone.blend } else { Some(blend) };
                into.bones.push(Bone { origin: None, blend: own, ..bone.clone() });
                into.bones.len() - 1
            });
            self.is_moved.resize(into.bones.len(), false);
            let there = into.bones.get_mut(place);
            let was_moved = self.is_moved.get_mut(place);
            if let (Some(there), Some(was_moved), true) = (there, was_moved, is_moved) {
                let held = there.blend.unwrap_or(into.blend);
                if *was_moved && held != blend && !bone.is_shape {
                    return Err(Refusal(format!(
                        "{:?} is {} in one clip and {} in {:?}, and one bone cannot be both; put both clips onto their model with `clip apply`, which makes them absolute",
                        bone.name,
                        word(held),
                        word(blend),
                        other.name
                    )));
                }
                if held != blend {
                    there.blend = Some(blend);
                }
                *was_moved = true;
            }
            places.push(place);
        }
        Ok(places)
    }
}

/// Events in the order of their moments, each once.
fn in_order(events: &mut Vec<Event>) {
    events.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    let mut seen = HashSet::new();
    events.retain(|event| seen.insert(((event.time_secs * 1e6).round() as i64, event.name.clone())));
}

/// What values are, in a word.
fn word(blend: Blend) -> String {
    format!("{blend:?}").to_lowercase()
}

/// A few names, and how many more.
fn listed(names: &[String]) -> String {
    let told: Vec<String> = names.iter().take(3).map(|name| format!("{name:?}")).collect();
    match names.len().saturating_sub(told.len()) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}
