//! Bones that the model has which clips are merged onto.

use crate::{ModifierScope, Motion, Placed, Refusal, Rig, listed};
use std::collections::BTreeSet;

/// Leaves out what moves bones that the model does not have, and says which; bones get the names that they have there. One that moves none of it is refused.
pub(super) fn leave_out_unknown(others: &mut [Motion], rig: Option<&Rig>) -> Result<Vec<String>, Refusal> {
    let mut unknown = BTreeSet::new();
    let Some(rig) = rig else { return Ok(Vec::new()) };
    for other in others {
        let joints = Placed::new(other, Some(rig), ModifierScope::SelfOnly).joints;
        let mut missing = Vec::new();
        for (bone, joint) in other.bones.iter_mut().zip(&joints).filter(|(bone, _)| !bone.is_shape) {
            match joint.and_then(|joint| rig.joints.get(joint)) {
                Some(joint) => bone.name.clone_from(&joint.name),
                None => missing.push(bone.name.clone()),
            }
        }
        if !missing.is_empty() && joints.iter().all(Option::is_none) {
            return Err(Refusal(format!(
                "no bone of the model is called as those of {:?} are: {}; see `clip rename` and `clip retarget`",
                other.name,
                listed(&missing)
            )));
        }
        let is_known = |bone: usize| {
            other.bones.get(bone).is_some_and(|bone| bone.is_shape) || joints.get(bone).is_some_and(Option::is_some)
        };
        other.tracks.retain(|track| is_known(track.bone));
        unknown.extend(missing);
    }
    Ok(unknown.into_iter().collect())
}

/// Adds to what is told the bones that were left out.
pub(super) fn tell(words: &mut String, unknown: &[String]) {
    if !unknown.is_empty() {
        *words += &format!("; left out, for want of such a bone in the model: {}", listed(unknown));
    }
}
