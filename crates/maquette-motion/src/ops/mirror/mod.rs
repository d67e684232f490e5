//! A clip seen in a mirror: what the left did, the right does.

mod pairs;
mod sides;

pub use sides::Sides;

use crate::bind::BindPose;
use crate::{Blend, Bone, Curve, Did, Motion, Refusal, Rig, Trs, listed};
use maquette_scene::glam::{DMat3, DQuat, DVec3};
use pairs::Pairs;
use sides::{Known, is_of_a_side};
use std::collections::HashMap;

/// The axis that a mirror stands across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left is x, and right is -x, or the other way round.
    X,
    /// The same along y.
    Y,
    /// The same along z.
    Z,
}

impl Axis {
    fn direction(self) -> DVec3 {
        match self {
            Axis::X => DVec3::X,
            Axis::Y => DVec3::Y,
            Axis::Z => DVec3::Z,
        }
    }
}

/// Mirrors a clip. Each bone of a side does what that of the other side did; those in the middle are mirrored where they are. With a rig this holds in the space of the whole, from bind pose to bind pose
/// (or rest pose, where no skin tells), however the axes of each bone lie. Without one it is assumed that the axes of bones are mirrored as those of the whole are. Morph weights change their bone, but not their order.
pub fn mirror(motion: &mut Motion, rig: Option<&Rig>, axis: Axis, sides: &Sides) -> Result<Did, Refusal> {
    let joints = rig.into_iter().flat_map(|rig| &rig.joints).map(|joint| &*joint.name);
    let names = motion.bones.iter().map(|bone| &*bone.name).chain(joints);
    sides.must_be(names.clone().chain(motion.events.iter().map(|event| &*event.name)), rig)?;
    let all: Known<'_> = names.collect();
    let mirror = Mirror { axis: axis.direction(), pose: rig.map(|rig| Pose { rig, bind: rig.bind_pose() }) };
    let pairs = mirror.pose.as_ref().map(|pose| (pose.rig, Pairs::of(pose, mirror.axis, sides, &all)));
    let others: Vec<String> = motion.bones.iter().map(|bone| other_side(bone, sides, &all, pairs.as_ref())).collect();
    must_differ(motion, &others)?;
    let outside =
        motion.bones.iter().filter(|bone| !bone.is_shape && rig.is_some_and(|rig| rig.find(&bone.name).is_none()));
    let outside = outside.count();
    if rig.is_some() && outside > 0 && outside == motion.bones.iter().filter(|bone| !bone.is_shape).count() {
        return Err(Refusal("no bone of it is in the skeleton; name the model that it is for".into()));
    }
    for track in &mut motion.tracks {
        let (Some(bone), Some(other)) = (motion.bones.get(track.bone), others.get(track.bone)) else { continue };
        let blend = bone.blend.unwrap_or(motion.blend);
        mirror.curve(&mut track.curve, blend, &bone.name, other);
    }
    let swapped = motion.bones.iter().zip(&others).filter(|(bone, other)| bone.name != **other).count();
    let in_place = motion.bones.len() - swapped;
    let is_alone = |(bone, other): &(&Bone, &String)| {
        bone.name == **other && is_of_a_side(&bone.name) && sides.named(&bone.name).is_none()
    };
    let alone = motion.bones.iter().zip(&others).filter(is_alone);
    let alone: Vec<String> = alone.map(|(bone, _)| bone.name.clone()).collect();
    change_sides(motion, others);
    let mut renamed = 0;
    for event in &mut motion.events {
        let other = sides.opposite(&event.name, &Known::default());
        renamed += u32::from(other != event.name);
        event.name = other;
    }
    let how = match rig {
        Some(rig) if rig.is_bound() => "by the bind pose",
        Some(_) => "by the rest pose",
        None => "as if the axes of its bones were mirrored, too; a skeleton would tell",
    };
    let mut words = format!("is mirrored {how}");
    if let Some((_, pairs)) = &pairs {
        tell(&mut words, "paired by where they are, not by their names", &pairs.by_place);
        tell(&mut words, "paired by name alone, though places and parents say otherwise (see --map)", &pairs.doubtful);
    }
    if !alone.is_empty() {
        words += &format!("; of one side without the other, and mirrored in place: {}", listed(&alone));
    }
    let mut did = Did::new(words).with("bones that change sides", swapped as f64, "").with(
        "bones mirrored in place",
        in_place as f64,
        "",
    );
    if renamed > 0 {
        did = did.with("events that change sides", f64::from(renamed), "");
    }
    if outside > 0 {
        did = did.with("bones that the skeleton does not have", outside as f64, "");
    }
    Ok(did)
}

fn tell(words: &mut String, how: &str, pairs: &[[String; 2]]) {
    if !pairs.is_empty() {
        let pairs: Vec<String> = pairs.iter().map(|[one, other]| format!("{one} = {other}")).collect();
        *words += &format!("; {how}: {}", listed(&pairs));
    }
}

/// The bone of the other side: of joints that which is paired with it, of others that which is called so.
fn other_side(bone: &Bone, sides: &Sides, known: &Known<'_>, pairs: Option<&(&Rig, Pairs)>) -> String {
    let joint = |name: &str| pairs.and_then(|(rig, _)| rig.find(name)).filter(|_| !bone.is_shape);
    if let (Some((rig, pairs)), Some(joint)) = (pairs, joint(&bone.name)) {
        let other = pairs.others.get(joint).copied().flatten().and_then(|other| rig.joints.get(other));
        return other.map_or(&bone.name, |other| &other.name).clone();
    }
    let other = sides.opposite(&bone.name, known);
    if joint(&other).is_some() { bone.name.clone() } else { other }
}

/// Two bones that would become one lose what one of them does.
fn must_differ(motion: &Motion, others: &[String]) -> Result<(), Refusal> {
    let mut from: HashMap<(&str, bool), &str> = HashMap::new();
    for (bone, other) in motion.bones.iter().zip(others) {
        match from.insert((other, bone.is_shape), &bone.name) {
            Some(before) if before != bone.name => {
                return Err(Refusal(format!(
                    "{before:?} and {:?} would both be {other:?}; give each its other side with --map, or itself",
                    bone.name
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Gives the tracks of each bone to that of the other side, with how they are blended; where it is not there, the bone is called so.
fn change_sides(motion: &mut Motion, others: Vec<String>) {
    // Of several bones of one name the first is that of the first of the others, and so on.
    let mut turns: HashMap<(&str, bool), usize> = HashMap::new();
    let mut places: HashMap<(&str, bool, usize), usize> = HashMap::new();
    let mut turn_of = Vec::with_capacity(motion.bones.len());
    for (index, bone) in motion.bones.iter().enumerate() {
        let turn = turns.entry((&bone.name, bone.is_shape)).or_insert(0);
        places.insert((&bone.name, bone.is_shape, *turn), index);
        turn_of.push(*turn);
        *turn += 1;
    }
    let place = |(other, (bone, turn)): (&String, (&Bone, &usize))| {
        places.get(&(other.as_str(), bone.is_shape, *turn)).copied()
    };
    let moves: Vec<Option<usize>> = others.iter().zip(motion.bones.iter().zip(&turn_of)).map(place).collect();
    let blends: Vec<Option<Blend>> = motion.bones.iter().map(|bone| bone.blend).collect();
    for ((to, other), (from, blend)) in moves.iter().zip(others).zip(blends.into_iter().enumerate()) {
        match to {
            Some(to) => motion.bones.get_mut(*to).into_iter().for_each(|bone| bone.blend = blend),
            None => motion.bones.get_mut(from).into_iter().for_each(|bone| bone.name.clone_from(&other)),
        }
    }
    for track in &mut motion.tracks {
        track.bone = moves.get(track.bone).copied().flatten().unwrap_or(track.bone);
    }
}

/// The pose that is like itself in the mirror.
struct Pose<'r> {
    rig: &'r Rig,
    bind: BindPose,
}

impl Pose<'_> {
    /// Where joints are in the space of the whole, but for sizes above them.
    fn places(&self) -> Vec<DVec3> {
        let mut places = vec![DVec3::ZERO; self.rig.joints.len()];
        for &index in self.rig.parents_first() {
            let parent = self.rig.joints.get(index).and_then(|joint| joint.parent);
            let above = parent.and_then(|parent| Some((*places.get(parent)?, *self.bind.rotations.get(parent)?)));
            let (origin, axes) = above.unwrap_or_default();
            let offset = self.bind.translations.get(index).copied().unwrap_or_default();
            places.get_mut(index).into_iter().for_each(|place| *place = origin + axes * offset);
        }
        places
    }

    /// From the axes of one joint to those of another, through a mirror: half a turn about its axis, and everything turned inside out.
    fn through(&self, mirror: DQuat, from: Option<usize>, to: Option<usize>) -> DQuat {
        let rotation = |joint: Option<usize>| joint.and_then(|joint| self.bind.rotations.get(joint)).copied();
        rotation(from).unwrap_or(DQuat::IDENTITY).conjugate() * mirror * rotation(to).unwrap_or(DQuat::IDENTITY)
    }
}

struct Mirror<'r> {
    axis: DVec3,
    pose: Option<Pose<'r>>,
}

impl Mirror<'_> {
    fn curve(&self, curve: &mut Curve, blend: Blend, bone: &str, other: &str) {
        match self.between(bone, other) {
            Some(sides) => sides.curve(curve, blend),
            None => self.without_pose(curve),
        }
    }

    /// What lies along the axis changes its sign, and so do turns about the other two.
    fn without_pose(&self, curve: &mut Curve) {
        let along = DVec3::ONE - 2.0 * self.axis;
        match curve {
            Curve::Translation(keys) => keys.change(|value| *value * along, |tangent| *tangent * along),
            Curve::Rotation(keys) => {
                let turned = |value: &DQuat| {
                    let xyz = value.xyz() * -along;
                    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, value.w)
                };
                keys.change(turned, turned);
            }
            Curve::Scale(_) | Curve::MorphWeights(_) => {}
        }
    }

    fn between(&self, bone: &str, other: &str) -> Option<Between> {
        let pose = self.pose.as_ref()?;
        let (from, to) = (pose.rig.find(bone)?, pose.rig.find(other)?);
        let [source, target] = [pose.rig.joints.get(from)?, pose.rig.joints.get(to)?];
        let half_turn = DQuat::from_xyzw(self.axis.x, self.axis.y, self.axis.z, 0.0);
        Some(Between {
            parents: pose.through(half_turn, source.parent, target.parent),
            joints: pose.through(half_turn, Some(from), Some(to)),
            places: [*pose.bind.translations.get(from)?, *pose.bind.translations.get(to)?],
            rests: [source.rest, target.rest],
        })
    }
}

/// From a joint to that of the other side: from its axes and from those of its parent; where both are bound, and how both rest.
struct Between {
    parents: DQuat,
    joints: DQuat,
    places: [DVec3; 2],
    rests: [Trs; 2],
}

impl Between {
    fn curve(&self, curve: &mut Curve, blend: Blend) {
        let (parents, joints) = (self.parents.conjugate(), self.joints);
        let ([from, to], [source, target]) = (self.places, self.rests);
        match curve {
            Curve::Translation(keys) => {
                let moved = |offset: &DVec3| -(parents * *offset);
                // Values that are added to the rest pose are so on both sides.
                let (before, after) = match blend {
                    Blend::Absolute => (from, to),
                    _ => (from - source.translation, to - target.translation),
                };
                keys.change(|value| after + moved(&(*value - before)), moved);
            }
            Curve::Rotation(keys) => {
                let left = match blend {
                    Blend::Additive => target.rotation.conjugate() * parents * source.rotation,
                    _ => parents,
                };
                let turned = |value: &DQuat| left * *value * joints;
                keys.change(turned, turned);
            }
            Curve::Scale(keys) => {
                let axes = DMat3::from_quat(joints.conjugate());
                let squares =
                    DMat3::from_cols(axes.x_axis * axes.x_axis, axes.y_axis * axes.y_axis, axes.z_axis * axes.z_axis);
                keys.change(|value| squares * *value, |tangent| squares * *tangent);
            }
            Curve::MorphWeights(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
