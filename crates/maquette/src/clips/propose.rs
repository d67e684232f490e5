//! The map of bones that the names of two skeletons suggest.

use super::Rig;
use maquette_motion::ops::{self, Likeness};
use serde::Serialize;
use std::collections::HashSet;

/// A map from the bones of clips to those of a model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Proposed {
    /// How many bones of the clips are mapped.
    pub mapped: usize,
    /// A row for each bone of the clips, parents first.
    pub bones: Vec<MapRow>,
    /// Bones of the model that no row names, parents first.
    pub left: Vec<String>,
}

/// A line of a map.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MapRow {
    /// The bone of the clips.
    pub bone: String,
    /// The bone of the model; null where there is none.
    pub model_bone: Option<String>,
    /// Whether it hangs on another bone than its own parent would have it.
    pub doubtful: bool,
    /// How sure it is and why, or why there is no such bone.
    pub why: String,
}

/// Whether a name can stand in a map.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.contains(['#', '=', '\n', '\r'])
}

impl Proposed {
    /// The map from the bones of one skeleton to those of another.
    pub fn new(from: &Rig, to: &Rig) -> Proposed {
        let proposal = ops::propose(from, to);
        let (mut bones, mut seen, mut taken) = (Vec::new(), HashSet::new(), vec![false; to.joints.len()]);
        for &at in from.parents_first() {
            let Some(bone) = from.joints.get(at).map(|joint| joint.name.clone()) else { continue };
            let pair = proposal.get(at).copied().flatten();
            let other = pair.and_then(|(place, why)| Some((place, to.joints.get(place)?.name.as_str(), why)));
            let refused = |why: String| MapRow { bone: bone.clone(), model_bone: None, doubtful: false, why };
            bones.push(match other {
                _ if !is_plain(&bone) => refused(format!("{bone:?} cannot be written in a map")),
                _ if !seen.insert(bone.clone()) => refused(format!("another bone is called {bone:?} as well")),
                Some((_, other, _)) if !is_plain(other) => {
                    refused(format!("{bone} is {other:?}, which cannot be written in a map"))
                }
                Some((place, other, why)) => {
                    taken.get_mut(place).into_iter().for_each(|taken| *taken = true);
                    let doubtful = !is_below(from, to, &proposal, at, place);
                    MapRow { bone, model_bone: Some(other.to_owned()), doubtful, why: why.to_string() }
                }
                None => refused(NOTHING.to_owned()),
            });
        }
        let left = to.parents_first().iter().filter(|at| taken.get(**at) == Some(&false));
        let left = left.filter_map(|at| Some(to.joints.get(*at)?.name.clone())).collect();
        Proposed { mapped: bones.iter().filter(|row| row.model_bone.is_some()).count(), bones, left }
    }

    /// As a file that [`bone_map`](crate::bone_map) reads: a line for each bone.
    pub fn text(&self) -> String {
        let widths = self.bones.iter().map(|row| row.bone.chars().count());
        let width = widths.filter(|width| *width < 60).max().unwrap_or(0);
        let mut text = "# clip bone = model bone  # how sure\n".to_owned();
        for MapRow { bone, model_bone, doubtful, why } in &self.bones {
            let doubt = if *doubtful { "doubtful, it hangs on another bone; " } else { "" };
            text += &match model_bone {
                Some(other) => format!("{bone:width$} = {other}  # {doubt}{why}\n"),
                None if why == NOTHING => format!("{bone:width$} =  # {why}\n"),
                None => format!("# {why}\n"),
            };
        }
        if !self.left.is_empty() {
            text += "\n# Bones of the model that no line names:\n";
            self.left.iter().for_each(|name| text += &format!("#   {name}\n", name = name.escape_debug()));
        }
        text
    }
}

const NOTHING: &str = "nothing is called alike";

/// Whether a bone is below the one that the nearest mapped bone above its own is mapped to, as far as a look upwards goes.
fn is_below(from: &Rig, to: &Rig, proposal: &[Option<(usize, Likeness)>], own: usize, other: usize) -> bool {
    const FAR: usize = 512;
    let parent = |rig: &Rig, at: usize| rig.joints.get(at).and_then(|joint| joint.parent);
    let mapped = |at: usize| proposal.get(at).copied().flatten().map(|(other, _)| other);
    let above = std::iter::successors(parent(from, own), |at| parent(from, *at)).take(FAR).find_map(mapped);
    let mut upwards = std::iter::successors(parent(to, other), |at| parent(to, *at)).take(FAR);
    above.is_none_or(|above| upwards.any(|at| at == above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bone_map;
    use maquette_motion::{Joint, Trs};

    fn rig(names: &[&str]) -> Rig {
        Rig::new(names.iter().map(|name| Joint { name: (*name).into(), parent: None, rest: Trs::IDENTITY }).collect())
    }

    #[test]
    fn bones_that_hang_elsewhere_are_doubtful() {
        let chain = |names: &[&str]| {
            let joints = rig(names).joints.into_iter().enumerate();
            Rig::new(joints.map(|(at, joint)| Joint { parent: at.checked_sub(1), ..joint }).collect())
        };
        let text = Proposed::new(&chain(&["a", "b", "c"]), &chain(&["a", "c", "b"])).text();
        assert_eq!(text.matches("doubtful").count(), 1, "{text}");
        assert!(text.contains("c = c  # doubtful"), "{text}");
    }

    #[test]
    fn a_draft_is_a_map() {
        let own = rig(&["mixamorig:Hips", "Left Arm", "a=b", "tail", "tail", "#", "", "HEAD"]);
        let proposed = Proposed::new(&own, &rig(&["pelvis", "upperarm_l", "wing", "a=b", "x\ny", "head"]));
        let text = proposed.text();
        let map = bone_map::parse("map", &text).unwrap();
        let pairs: Vec<_> = map.iter().map(|(own, other)| (own.as_str(), other.as_str())).collect();
        assert_eq!(pairs, [("HEAD", "head"), ("Left Arm", "upperarm_l"), ("mixamorig:Hips", "pelvis"), ("tail", "")]);
        assert_eq!(proposed.mapped, 3);
        assert!(
            text.contains("# likely: both are words for the left upper arm") && text.contains("#   wing\n"),
            "{text}"
        );
    }
}
