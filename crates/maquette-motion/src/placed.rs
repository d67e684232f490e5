//! The bones of a motion on a rig: which joint each is, and how its values are to be taken there.

use crate::motion::Motion;
use crate::rig::{Rig, Trs};
use maquette_scene::attach::ModifierScope;
use maquette_scene::clip::Blend;
use std::collections::{HashMap, HashSet};

/// One entry for each bone of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// Positions in [`Rig::joints`]. A name is looked for as it is, then in any case; a bone without one is the first root if the clip is a [`Blend::Delta`] one.
    pub joints: Vec<Option<usize>>,
    /// The blend of the clip, of the bone or of one above it.
    pub blends: Vec<Blend>,
    /// Names that several joints have: the one nearest to a root is taken.
    pub ambiguous: Vec<String>,
}

impl Placed {
    /// On this rig. Without one a blend that a bone has of its own is for that bone, whatever the scope.
    pub fn new(motion: &Motion, rig: Option<&Rig>, scope: ModifierScope) -> Placed {
        match rig {
            Some(rig) => Placed::on(motion, rig, scope),
            None => Placed {
                joints: vec![None; motion.bones.len()],
                blends: motion.bones.iter().map(|bone| bone.blend.unwrap_or(motion.blend)).collect(),
                ambiguous: Vec::new(),
            },
        }
    }

    fn on(motion: &Motion, rig: &Rig, scope: ModifierScope) -> Placed {
        let mut any_case: HashMap<String, usize> = HashMap::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let mut twins: HashSet<&str> = HashSet::new();
        for (at, joint) in rig.parents_first().iter().filter_map(|at| Some((*at, rig.joints.get(*at)?))) {
            any_case.entry(joint.name.to_lowercase()).or_insert(at);
            if !seen.insert(&joint.name) {
                twins.insert(&joint.name);
            }
        }
        let mut ambiguous: Vec<String> = Vec::new();
        let mut told: HashSet<&str> = HashSet::new();
        let mut joints = Vec::with_capacity(motion.bones.len());
        for bone in &motion.bones {
            let root = rig.parents_first().first().filter(|_| bone.name.is_empty() && motion.blend == Blend::Delta);
            let named = || rig.find(&bone.name).or_else(|| any_case.get(&bone.name.to_lowercase()).copied());
            joints.push(root.copied().or_else(named).filter(|_| !bone.is_shape));
            if twins.contains(bone.name.as_str()) && told.insert(&bone.name) {
                ambiguous.push(bone.name.clone());
            }
        }
        let mut own: Vec<Option<Blend>> = vec![None; rig.joints.len()];
        for (bone, joint) in motion.bones.iter().zip(&joints) {
            if let Some(slot) = joint.and_then(|joint| own.get_mut(joint)) {
                *slot = slot.or(bone.blend);
            }
        }
        let mut from_above: Vec<Option<Blend>> = vec![None; rig.joints.len()];
        for &joint in rig.parents_first() {
            let of = |list: &[Option<Blend>], at: usize| list.get(at).copied().flatten();
            let parent = rig.joints.get(joint).and_then(|joint| joint.parent);
            let nearest = parent.and_then(|parent| of(&own, parent).or(of(&from_above, parent)));
            from_above.get_mut(joint).into_iter().for_each(|slot| *slot = nearest);
        }
        let blend = |(bone, joint): (&crate::Bone, &Option<usize>)| {
            let above = joint.and_then(|joint| from_above.get(joint).copied().flatten());
            let nearest = match scope {
                ModifierScope::SelfOnly => bone.blend,
                ModifierScope::Descendants if joint.is_some() => above,
                _ => bone.blend.or(above),
            };
            nearest.unwrap_or(motion.blend)
        };
        let blends = motion.bones.iter().zip(&joints).map(blend).collect();
        Placed { joints, blends, ambiguous }
    }

    /// How the values of a bone are to be taken.
    pub fn blend(&self, bone: usize) -> Blend {
        self.blends.get(bone).copied().unwrap_or_default()
    }

    /// The rest pose of a bone.
    pub fn rest<'r>(&self, bone: usize, rig: &'r Rig) -> Option<&'r Trs> {
        rig.joints.get(self.joints.get(bone).copied().flatten()?).map(|joint| &joint.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bone, Joint};

    fn chain() -> Rig {
        let joint =
            |(at, name): (usize, &str)| Joint { name: name.into(), parent: at.checked_sub(1), rest: Trs::IDENTITY };
        Rig::new(["hip", "knee", "foot", "knee"].into_iter().enumerate().map(joint).collect())
    }

    fn motion(blend: Blend, bones: &[(&str, Option<Blend>)]) -> Motion {
        let bone =
            |(name, blend): &(&str, Option<Blend>)| Bone { name: (*name).into(), blend: *blend, ..Bone::default() };
        Motion { blend, bones: bones.iter().map(bone).collect(), ..Motion::default() }
    }

    #[test]
    fn names_in_any_case_and_the_nameless_root() {
        let placed = Placed::new(
            &motion(Blend::Delta, &[("", None), ("KNEE", None), ("knee", None), ("tail", None)]),
            Some(&chain()),
            ModifierScope::Both,
        );
        assert_eq!(placed.joints, [Some(0), Some(1), Some(1), None]);
        assert_eq!(placed.ambiguous, ["knee"]);
        let absolute = Placed::new(&motion(Blend::Absolute, &[("", None)]), Some(&chain()), ModifierScope::Both);
        assert_eq!(absolute.joints, [None]);
    }

    #[test]
    fn a_blend_of_a_bone_reaches_as_far_as_its_scope() {
        use Blend::{Absolute, Additive, Relative};
        let bones = motion(
            Additive,
            &[("foot", None), ("hip", Some(Relative)), ("knee", Some(Absolute)), ("tail", Some(Absolute))],
        );
        let blends = |rig: Option<&Rig>, scope| Placed::new(&bones, rig, scope).blends;
        let rig = chain();
        assert_eq!(blends(Some(&rig), ModifierScope::Both), [Absolute, Relative, Absolute, Absolute]);
        assert_eq!(blends(Some(&rig), ModifierScope::SelfOnly), [Additive, Relative, Absolute, Absolute]);
        assert_eq!(blends(Some(&rig), ModifierScope::Descendants), [Absolute, Additive, Relative, Absolute]);
        assert_eq!(blends(None, ModifierScope::Descendants), [Additive, Relative, Absolute, Absolute]);
    }
}
