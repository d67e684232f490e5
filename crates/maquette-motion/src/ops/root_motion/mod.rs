//! The way that a clip carries its root: taken out of it, into a bone of its own or away, and put back.
//!
//! The motion is a rigid one of the whole, `world of the root = motion ∘ world of the root in place`, and nothing at the start of the clip. In place the root has the chosen
//! coordinates and the heading that it has at the start. Without a skeleton the root is taken to have no parents.

mod frame;
mod onward;
mod root;

use super::Up;
use super::follow::{Pace, still};
use crate::blending::{change, is_same};
use crate::{Blend, Bone, Curve, Did, Keys, ModifierScope, Motion, Placed, Refusal, Rig, Track, Trs};
use frame::Frame;
use maquette_scene::glam::{DMat3, DQuat, DVec3};
pub(super) use onward::Steps;
use root::{free_name, motion_bone, root_bone};

/// What of the motion of a root is meant, in the axes of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootAxes {
    /// Along x, y and z.
    pub along: [bool; 3],
    /// Turning about the axis that points up, and which one that is.
    pub yaw: Option<Up>,
}

impl RootAxes {
    /// `x, z and yaw`, in words.
    fn told(self) -> String {
        let axes = ["x", "y", "z"].into_iter().zip(self.along).filter(|(_, is_meant)| *is_meant).map(|(name, _)| name);
        let names: Vec<&str> = axes.chain(self.yaw.map(|_| "yaw")).collect();
        match names.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "no axis".to_owned(),
        }
    }
}

/// Which bones a motion is taken from and put into.
#[derive(Clone, Copy, Debug, Default)]
pub struct RootBones<'n> {
    /// The bone that carries the whole. By default that of the skeleton that moves with nothing above it moving and most below it; without one the hips, or the first that is moved.
    pub root: Option<&'n str>,
    /// The bone that the motion has for itself: `tag_origin` where there is one or the clip is relative, and `root_motion` otherwise.
    pub motion: Option<&'n str>,
}

/// What becomes of the motion that is taken out.
#[derive(Clone, Copy, PartialEq)]
enum Taken {
    Kept,
    Dropped,
}

/// Moves the motion of the root into a bone of its own, and leaves the root in place.
pub fn extract_root_motion(
    motion: &mut Motion,
    axes: RootAxes,
    bones: RootBones<'_>,
    rig: Option<&Rig>,
    scope: ModifierScope,
) -> Result<Did, Refusal> {
    take_out(motion, axes, bones, rig, scope, Taken::Kept)
}

/// Takes the motion out of the root, which stays in place.
pub fn remove_root_motion(
    motion: &mut Motion,
    axes: RootAxes,
    bones: RootBones<'_>,
    rig: Option<&Rig>,
    scope: ModifierScope,
) -> Result<Did, Refusal> {
    take_out(motion, axes, bones, rig, scope, Taken::Dropped)
}

fn take_out(
    motion: &mut Motion,
    axes: RootAxes,
    bones: RootBones<'_>,
    rig: Option<&Rig>,
    scope: ModifierScope,
    taken: Taken,
) -> Result<Did, Refusal> {
    if axes.along == [false; 3] && axes.yaw.is_none() {
        return Err(Refusal("no axis is named, so there is nothing to take out; name some of x, y, z and yaw".into()));
    }
    let placed = Placed::new(motion, rig, scope);
    let own = motion_bone(motion, bones.motion);
    let root = root_bone(motion, &placed, rig, bones.root, if taken == Taken::Kept { own } else { None })?;
    let own = own.filter(|own| *own != root || bones.motion.is_some());
    let root_name = motion.bones.get(root).map(|bone| bone.name.clone()).unwrap_or_default();
    let body = Body::of(motion, &placed, root, rig, None, axes.yaw.is_some())?;
    let moved = body.taken_out(motion, axes);
    let mut words = format!("root {root_name:?}");
    body.put_back(motion, moved.place.clone(), moved.turn.clone());
    if taken == Taken::Kept {
        let name = own
            .and_then(|own| motion.bones.get(own))
            .map_or_else(|| free_name(motion, bones.motion, &root_name), |bone| bone.name.clone());
        if name == root_name {
            return Err(Refusal(format!("{name:?} is the root itself; name another bone with --into")));
        }
        let joint = rig.and_then(|rig| rig.find(&name));
        let below = |rig: &Rig, joint: usize| {
            std::iter::successors(rig.joints.get(joint)?.parent, |at| rig.joints.get(*at)?.parent)
                .find(|at| Some(*at) == body.joint)
        };
        if let (Some(rig), Some(joint)) = (rig, joint)
            && below(rig, joint).is_some()
        {
            return Err(Refusal(format!(
                "{name:?} is below the root; name a bone above it, or a new one, with --into"
            )));
        }
        let frame = Frame::above(motion, &placed, rig, joint, None)?;
        let rest = joint.and_then(|joint| rig?.joints.get(joint)).map_or(Trs::IDENTITY, |joint| joint.rest);
        if let Some(own) = own {
            must_rest(motion, &placed, own, &rest)?;
            motion
                .tracks
                .retain(|track| track.bone != own || matches!(track.curve, Curve::Scale(_) | Curve::MorphWeights(_)));
        }
        words += &format!(": its motion along {} is in {name:?} now", axes.told());
        if motion.blend == Blend::Relative {
            motion.blend = Blend::Delta;
            words += ", the first bone of a delta clip";
        }
        let is_new = own.is_none();
        let place = own.unwrap_or(motion.bones.len());
        if is_new {
            motion.bones.push(Bone { name, ..Bone::default() });
        }
        let blend = if is_new { motion.blend } else { placed.blend(place) };
        for mut curve in moved.own_curves(&frame, &rest) {
            change(&mut curve, Blend::Absolute, blend, &rest);
            motion.tracks.push(Track { bone: place, curve });
        }
        if motion.blend == Blend::Delta {
            put_first(motion, place);
        }
    } else {
        words += &format!(" loses its motion along {}", axes.told());
    }
    words += ", and in these it stays where it is at the start";
    tell_doubt(&mut words, &body);
    Ok(moved.tell(words, axes))
}

/// Puts the motion that a bone has for itself back into the root. The bone goes, with what moves it.
pub fn bake_root_motion(
    motion: &mut Motion,
    bones: RootBones<'_>,
    rig: Option<&Rig>,
    scope: ModifierScope,
) -> Result<Did, Refusal> {
    let placed = Placed::new(motion, rig, scope);
    let own = motion_bone(motion, bones.motion).ok_or_else(|| {
        let asked = bones.motion.map_or("tag_origin\" or \"root_motion".to_owned(), str::to_owned);
        Refusal(format!(
            "it has no bone \"{asked}\", whose motion could be put into the root; name the one with --from"
        ))
    })?;
    let own_name = motion.bones.get(own).map(|bone| bone.name.clone()).unwrap_or_default();
    let root = root_bone(motion, &placed, rig, bones.root, Some(own))?;
    let root_name = motion.bones.get(root).map(|bone| bone.name.clone()).unwrap_or_default();
    if root == own {
        return Err(Refusal(format!("{own_name:?} is the root itself; name the one that has the motion with --from")));
    }
    let carrier = Body::of(motion, &placed, own, rig, None, true)?;
    let body = Body::of(motion, &placed, root, rig, Some(own), true)?;
    let pace = Pace::of(
        &[carrier.place.as_ref(), carrier.turn.as_ref(), body.place.as_ref(), body.turn.as_ref()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>(),
        motion,
    );
    let at_rest = carrier.rest;
    let rest_there = carrier.frame.to_world(at_rest.translation);
    let carried = |secs: f64| {
        let turn = carrier.frame.turn_to_world(carrier.turn_at(secs) * at_rest.rotation.conjugate());
        (turn, carrier.frame.to_world(carrier.place_at(secs)) - turn * rest_there)
    };
    let turns = carrier.turn.as_ref().is_some_and(|curve| match curve {
        Curve::Rotation(keys) => still(keys).is_none_or(|value| *value != at_rest.rotation),
        _ => false,
    });
    let in_axes = body.frame.inverse * carrier.frame.linear;
    let place = match (&body.place, &carrier.place) {
        // Two curves that have their keys together are added key by key, splines with their tangents.
        (Some(Curve::Translation(place)), Some(Curve::Translation(way)))
            if !turns && place.times_secs == way.times_secs && place.interpolation == way.interpolation =>
        {
            let mut away = way.clone();
            away.change(|value| in_axes * (*value - at_rest.translation), |tangent| in_axes * *tangent);
            let values = place.values.iter().zip(&away.values).map(|(value, away)| *value + *away).collect();
            (Keys { values, ..place.clone() }, 0.0)
        }
        _ => pace.follow(|secs| {
            let (turn, way) = carried(secs);
            body.frame.to_local(turn * body.frame.to_world(body.place_at(secs)) + way)
        }),
    };
    let turn = turns.then(|| pace.follow(|secs| body.frame.turn_to_local(carried(secs).0) * body.turn_at(secs)));
    let told = Carried::of(&pace, carried);
    let errors = (turn.as_ref().map_or(0.0, |turn| turn.1), place.1);
    let still_turned = turn.map(|turn| turn.0).map(Curve::Rotation);
    body.put_back(motion, body.unless_at_rest(place.0), still_turned);
    motion
        .tracks
        .retain(|track| track.bone != own || !matches!(track.curve, Curve::Translation(_) | Curve::Rotation(_)));
    if motion.tracks.iter().all(|track| track.bone != own) {
        remove_bone(motion, own);
    }
    if motion.blend == Blend::Delta {
        motion.blend = Blend::Relative;
    }
    let mut words = format!("root {root_name:?} has the motion of {own_name:?} again");
    tell_doubt(&mut words, &body);
    Ok(with_errors(told.figures(Did::new(words), [true; 3], turns), errors))
}

fn tell_doubt(words: &mut String, body: &Body) {
    if body.is_guess {
        words.push_str("; its rest pose is not known and taken to be above the origin, see --skeleton");
    }
}

fn with_errors(did: Did, (turn, way): (f64, f64)) -> Did {
    let did = if turn > 1e-6 { did.with("largest error between keys", turn, "rad") } else { did };
    if way > 1e-6 { did.with("largest error between keys", way, "units") } else { did }
}

/// A bone that gets a motion may not have one.
fn must_rest(motion: &Motion, placed: &Placed, bone: usize, rest: &Trs) -> Result<(), Refusal> {
    for track in motion.tracks.iter().filter(|track| track.bone == bone) {
        let mut curve = track.curve.clone();
        change(&mut curve, placed.blend(bone), Blend::Absolute, rest);
        let rests = match &curve {
            Curve::Translation(keys) => still(keys).is_some_and(|value| (*value - rest.translation).length() < 1e-6),
            Curve::Rotation(keys) => still(keys).is_some_and(|value| value.dot(rest.rotation).abs() > 1.0 - 1e-9),
            Curve::Scale(_) | Curve::MorphWeights(_) => true,
        };
        if !rests {
            let name = motion.bones.get(bone).map(|bone| bone.name.as_str()).unwrap_or_default();
            return Err(Refusal(format!(
                "{name:?} has a motion already; bake it first, or name another bone with --into"
            )));
        }
    }
    Ok(())
}

/// A bone that moves, in absolute values, in the space of its parent.
struct Body {
    bone: usize,
    joint: Option<usize>,
    blend: Blend,
    rest: Trs,
    frame: Frame,
    place: Option<Curve>,
    turn: Option<Curve>,
    /// Whether its rest pose would have to be known and is not.
    is_guess: bool,
}

impl Body {
    /// Its parents stand as at the start of the clip, and what is passed over as at rest.
    fn of(
        motion: &Motion,
        placed: &Placed,
        bone: usize,
        rig: Option<&Rig>,
        passed_over: Option<usize>,
        turns: bool,
    ) -> Result<Body, Refusal> {
        let joint = placed.joints.get(bone).copied().flatten();
        let rest = rig.and_then(|rig| placed.rest(bone, rig)).copied();
        let blend = placed.blend(bone);
        let mut body = Body {
            bone,
            joint,
            blend,
            rest: rest.unwrap_or(Trs::IDENTITY),
            frame: Frame::above(motion, placed, rig, joint, passed_over)?,
            place: None,
            turn: None,
            is_guess: false,
        };
        for track in motion.tracks.iter().filter(|track| track.bone == bone && !track.curve.is_empty()) {
            let mut curve = track.curve.clone();
            let needs_rest = rest.is_none() && turns && !is_same(&curve, blend, Blend::Absolute);
            change(&mut curve, blend, Blend::Absolute, &body.rest);
            match &curve {
                Curve::Translation(_) => {
                    body.is_guess |= needs_rest;
                    body.place = Some(curve);
                }
                Curve::Rotation(_) if needs_rest => {
                    return Err(Refusal(
                        "its rotations turn a rest pose that is not known; name the model with --skeleton".into(),
                    ));
                }
                Curve::Rotation(_) => body.turn = Some(curve),
                Curve::Scale(_) | Curve::MorphWeights(_) => {}
            }
        }
        Ok(body)
    }

    fn place_at(&self, secs: f64) -> DVec3 {
        match &self.place {
            Some(Curve::Translation(keys)) => keys.at(secs).unwrap_or(self.rest.translation),
            _ => self.rest.translation,
        }
    }

    fn turn_at(&self, secs: f64) -> DQuat {
        match &self.turn {
            Some(Curve::Rotation(keys)) => {
                keys.at(secs).filter(|turn| turn.length_squared() > 0.0).map_or(self.rest.rotation, DQuat::normalize)
            }
            _ => self.rest.rotation,
        }
    }

    /// How far it is turned and moved from where it starts, by a moment.
    fn carried(&self, secs: f64, along: DVec3, up: Option<Up>) -> (DQuat, DVec3) {
        let turned = || self.frame.turn_to_world(self.turn_at(secs) * self.turn_at(0.0).conjugate());
        let turn = match up {
            Some(Up::Y) => twist(turned(), DVec3::Y),
            Some(Up::Z) => twist(turned(), DVec3::Z),
            None => DQuat::IDENTITY,
        };
        let [start, place] = [0.0, secs].map(|secs| self.frame.to_world(self.place_at(secs)));
        (turn, (place - turn * start) * along)
    }

    /// What these axes are of its motion, and what is left of it.
    fn taken_out(&self, motion: &Motion, axes: RootAxes) -> TakenOut {
        let along = DVec3::from_array(axes.along.map(|is_meant| f64::from(u8::from(is_meant))));
        let Some(up) = axes.yaw else {
            // Without a turn everything is a sum, and keys stay where they are with all that is about them.
            let Some(Curve::Translation(keys)) = &self.place else { return TakenOut::default() };
            let chosen = DMat3::from_diagonal(along);
            let (way, back) = (chosen * self.frame.linear, self.frame.inverse * chosen * self.frame.linear);
            let first = self.place_at(0.0);
            let (mut carried, mut place) = (keys.clone(), keys.clone());
            carried.change(|value| way * (*value - first), |tangent| way * *tangent);
            place.change(|value| *value - back * (*value - first), |tangent| *tangent - back * *tangent);
            let told = Carried::of(&Pace::of(&[&Curve::Translation(carried.clone())], motion), |secs| {
                (DQuat::IDENTITY, carried.at(secs).unwrap_or_default())
            });
            return TakenOut {
                way: Some(carried),
                place: Some(Curve::Translation(place)),
                told,
                ..TakenOut::default()
            };
        };
        let carried = |secs: f64| self.carried(secs, along, Some(up));
        let curves: Vec<&Curve> = [self.place.as_ref(), self.turn.as_ref()].into_iter().flatten().collect();
        let pace = Pace::of(&curves, motion);
        let (turns, turn_error) = pace.follow(|secs| carried(secs).0);
        let (way, way_error) = pace.follow(|secs| carried(secs).1);
        let (place, place_error) = pace.follow(|secs| {
            let (turn, way) = carried(secs);
            self.frame.to_local(turn.conjugate() * (self.frame.to_world(self.place_at(secs)) - way))
        });
        let (turn, left_error) =
            pace.follow(|secs| self.frame.turn_to_local(carried(secs).0.conjugate()) * self.turn_at(secs));
        TakenOut {
            way: Some(way),
            turns: Some(turns),
            place: self.unless_at_rest(place),
            turn: self.turn.as_ref().map(|_| Curve::Rotation(turn)),
            told: Carried::of(&pace, carried),
            pace,
            errors: (turn_error.max(left_error), way_error.max(place_error)),
        }
    }

    /// A curve of its place; none where it had none and stays at rest.
    fn unless_at_rest(&self, place: Keys<DVec3>) -> Option<Curve> {
        let is_at_rest = place.values.iter().all(|value| (*value - self.rest.translation).length() < 1e-12);
        (self.place.is_some() || !is_at_rest).then_some(Curve::Translation(place))
    }

    /// Gives the bone these curves in place of its own.
    fn put_back(&self, motion: &mut Motion, place: Option<Curve>, turn: Option<Curve>) {
        for mut curve in [place, turn].into_iter().flatten() {
            change(&mut curve, Blend::Absolute, self.blend, &self.rest);
            let is_it = |track: &&mut Track| {
                track.bone == self.bone && std::mem::discriminant(&track.curve) == std::mem::discriminant(&curve)
            };
            match motion.tracks.iter_mut().find(is_it) {
                Some(track) => track.curve = curve,
                None => motion.tracks.push(Track { bone: self.bone, curve }),
            }
        }
    }
}

/// The part of a rotation that turns about an axis.
fn twist(rotation: DQuat, axis: DVec3) -> DQuat {
    let along = rotation.xyz().dot(axis);
    let turn = DQuat::from_vec4((axis * along).extend(rotation.w));
    // Half a turn about a level axis has no heading of its own.
    if turn.length_squared() > 1e-24 { turn.normalize() } else { DQuat::IDENTITY }
}

/// A motion in the axes of the whole, and what is left of the bone that had it.
#[derive(Default)]
struct TakenOut {
    way: Option<Keys<DVec3>>,
    turns: Option<Keys<DQuat>>,
    place: Option<Curve>,
    turn: Option<Curve>,
    /// When the bone had keys.
    pace: Pace,
    told: Carried,
    errors: (f64, f64),
}

impl TakenOut {
    /// The curves of a bone in this frame that has the motion for itself.
    fn own_curves(&self, frame: &Frame, rest: &Trs) -> Vec<Curve> {
        let mut curves = Vec::new();
        let start = frame.to_world(rest.translation);
        match (&self.way, &self.turns) {
            (Some(way), Some(turns)) => {
                let is_turned_about_itself = start.length() < 1e-12;
                let mut place = way.clone();
                if is_turned_about_itself {
                    place.change(|way| frame.to_local(start + *way), |tangent| frame.inverse * *tangent);
                } else {
                    let at = |secs| (turns.at(secs).unwrap_or_default(), way.at(secs).unwrap_or_default());
                    place = self.pace.follow(|secs| frame.to_local(at(secs).0 * start + at(secs).1)).0;
                }
                curves.push(Curve::Translation(place));
            }
            (Some(way), None) => {
                let mut place = way.clone();
                place.change(|way| frame.to_local(start + *way), |tangent| frame.inverse * *tangent);
                curves.push(Curve::Translation(place));
            }
            (None, _) => {}
        }
        if let Some(turns) = &self.turns {
            let mut turned = turns.clone();
            turned.change(|turn| frame.turn_to_local(*turn) * rest.rotation, |tangent| *tangent);
            curves.push(Curve::Rotation(turned));
        }
        curves
    }

    fn tell(&self, words: String, axes: RootAxes) -> Did {
        let did = self.told.figures(Did::new(words), axes.along, axes.yaw.is_some());
        with_errors(did, self.errors)
    }
}

/// How far a motion goes.
#[derive(Default)]
struct Carried {
    distance: f64,
    way: DVec3,
    turn: f64,
}

impl Carried {
    fn of(pace: &Pace, carried: impl Fn(f64) -> (DQuat, DVec3)) -> Carried {
        let mut told = Carried::default();
        let mut last: Option<(DQuat, DVec3)> = None;
        for &secs in &pace.times_secs {
            let (turn, way) = carried(secs);
            if let Some((turned, there)) = last {
                told.distance += (way - there).length();
                let step = turn * turned.conjugate();
                let step = if step.w < 0.0 { -step } else { step };
                let about = step.xyz();
                told.turn += 2.0 * about.length().atan2(step.w) * about.element_sum().signum();
                told.way += way - there;
            }
            last = Some((turn, way));
        }
        told
    }

    fn figures(&self, did: Did, along: [bool; 3], turns: bool) -> Did {
        // What only rounding moves does not move.
        let shown = |number: f64| if number.abs() < 1e-6 { 0.0 } else { number };
        let mut did = did.with("distance moved in all", shown(self.distance), "units");
        let axes = ["from start to end along x", "from start to end along y", "from start to end along z"];
        for ((axis, way), _) in axes.into_iter().zip(self.way.to_array()).zip(along).filter(|(_, is_meant)| *is_meant) {
            did = did.with(axis, shown(way), "units");
        }
        if turns { did.with("turn", shown(self.turn.to_degrees()), "degrees") } else { did }
    }
}

/// A delta clip has the bone with the motion of the whole first.
fn put_first(motion: &mut Motion, bone: usize) {
    if bone < motion.bones.len() {
        let first = motion.bones.remove(bone);
        motion.bones.insert(0, first);
    }
    for track in &mut motion.tracks {
        track.bone = match track.bone {
            at if at == bone => 0,
            at if at < bone => at + 1,
            at => at,
        };
    }
}

fn remove_bone(motion: &mut Motion, bone: usize) {
    if bone < motion.bones.len() {
        motion.bones.remove(bone);
    }
    motion.tracks.iter_mut().filter(|track| track.bone > bone).for_each(|track| track.bone -= 1);
}

#[cfg(test)]
mod tests;
