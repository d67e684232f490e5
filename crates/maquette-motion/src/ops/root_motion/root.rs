//! Which bone carries the whole, and which has its motion for itself.

use crate::body::{Part, parts};
use crate::ops::follow::is_still;
use crate::{Blend, Curve, Joint, Motion, Placed, Refusal, Rig, Trs, listed};
use std::collections::HashSet;

/// Names of bones that have the motion of the whole for themselves.
const OWN: [&str; 2] = ["tag_origin", "root_motion"];

/// The bone that has the motion, or is to have it, among those there are.
pub(super) fn motion_bone(motion: &Motion, asked: Option<&str>) -> Option<usize> {
    let find = |name: &str| {
        let exact = motion.bones.iter().position(|bone| bone.name == name && !bone.is_shape);
        exact.or_else(|| motion.bones.iter().position(|bone| bone.name.eq_ignore_ascii_case(name) && !bone.is_shape))
    };
    match asked {
        Some(name) => find(name),
        None => OWN.into_iter().find_map(find),
    }
}

/// The name of a bone that is to have the motion, where there is none yet.
pub(super) fn free_name(motion: &Motion, asked: Option<&str>, root: &str) -> String {
    let [delta, own] = OWN;
    match asked {
        Some(name) => name.to_owned(),
        None if matches!(motion.blend, Blend::Relative | Blend::Delta) && !root.eq_ignore_ascii_case(delta) => {
            delta.to_owned()
        }
        None => own.to_owned(),
    }
}

/// The bone that carries the whole, other than the one that has the motion for itself.
pub(super) fn root_bone(
    motion: &Motion,
    placed: &Placed,
    rig: Option<&Rig>,
    asked: Option<&str>,
    but: Option<usize>,
) -> Result<usize, Refusal> {
    let moved: HashSet<usize> =
        motion.tracks.iter().filter(|track| moves(&track.curve)).map(|track| track.bone).collect();
    if let Some(name) = asked {
        let same = |bone: &&crate::Bone| !bone.is_shape;
        let names = || motion.bones.iter().filter(same).map(|bone| &bone.name).collect::<Vec<_>>();
        let find = |is: &dyn Fn(&str) -> bool| motion.bones.iter().position(|bone| !bone.is_shape && is(&bone.name));
        let found = find(&|known| known == name).or_else(|| find(&|known| known.eq_ignore_ascii_case(name)));
        return found.ok_or_else(|| Refusal(format!("it moves no bone {name:?}; it moves {}", listed(&names()))));
    }
    let is_free = |bone: &usize| Some(*bone) != but;
    let found = match rig {
        Some(rig) => topmost(motion, placed, rig, &moved, but),
        None => {
            let named = |bone: &crate::Bone| Joint { name: bone.name.clone(), parent: None, rest: Trs::IDENTITY };
            let parts = parts(&Rig::new(motion.bones.iter().map(named).collect()));
            parts.iter().position(|part| *part == Some(Part::HIPS)).filter(|hips| moved.contains(hips) && is_free(hips))
        }
    };
    let goes = |track: &&crate::Track| matches!(track.curve, Curve::Translation(_)) && is_free(&track.bone);
    let first = || motion.tracks.iter().find(goes).map(|track| track.bone);
    let any = || motion.tracks.iter().map(|track| track.bone).find(|bone| moved.contains(bone) && is_free(bone));
    found
        .or_else(first)
        .or_else(any)
        .ok_or_else(|| Refusal("it moves no bone that could be the root; name one with --root".into()))
}

/// The bone that carries most of those that move; where none carries half of them the one that carries most of those that the clip has translations for.
fn topmost(motion: &Motion, placed: &Placed, rig: &Rig, moved: &HashSet<usize>, but: Option<usize>) -> Option<usize> {
    let has_place = |track: &&crate::Track| matches!(track.curve, Curve::Translation(_));
    let tracked: HashSet<usize> = motion.tracks.iter().filter(has_place).map(|track| track.bone).collect();
    let carrier = |bones: &HashSet<usize>| carrier(motion, placed, rig, bones, but);
    let moving = carrier(moved);
    let carries_half = |(_, part): &(usize, f64)| *part > 0.5;
    let found = moving.filter(carries_half).or_else(|| carrier(&tracked).filter(carries_half)).or(moving);
    found.map(|(bone, _)| bone)
}

/// Of these bones, of those that are below none of them, the one with most below it, and the part of all that it carries.
fn carrier(
    motion: &Motion,
    placed: &Placed,
    rig: &Rig,
    bones: &HashSet<usize>,
    but: Option<usize>,
) -> Option<(usize, f64)> {
    let mut bone_of = vec![None; rig.joints.len()];
    for bone in (0..motion.bones.len()).rev().filter(|bone| bones.contains(bone) && Some(*bone) != but) {
        if let Some(slot) = placed.joints.get(bone).copied().flatten().and_then(|joint| bone_of.get_mut(joint)) {
            *slot = Some(bone);
        }
    }
    // For each joint the topmost of its line, and how many that one carries, itself included.
    let mut top: Vec<Option<usize>> = vec![None; rig.joints.len()];
    let mut carried = vec![0usize; rig.joints.len()];
    for &joint in rig.parents_first() {
        let above = rig.joints.get(joint).and_then(|joint| top.get(joint.parent?).copied().flatten());
        let is_one = bone_of.get(joint).is_some_and(Option::is_some);
        let topmost = above.or(is_one.then_some(joint));
        if let (true, Some(count)) = (is_one, topmost.and_then(|top| carried.get_mut(top))) {
            *count += 1;
        }
        top.get_mut(joint).into_iter().for_each(|top| *top = topmost);
    }
    let all: usize = carried.iter().sum();
    let mut best: Option<(usize, usize)> = None;
    for (joint, count) in rig.parents_first().iter().filter_map(|joint| Some((*joint, *carried.get(*joint)?))) {
        if count > best.map_or(0, |(_, most)| most) {
            best = Some((joint, count));
        }
    }
    let (joint, count) = best?;
    Some((bone_of.get(joint).copied().flatten()?, count as f64 / all as f64))
}

fn moves(curve: &Curve) -> bool {
    matches!(curve, Curve::Translation(_) | Curve::Rotation(_)) && !is_still(curve)
}
