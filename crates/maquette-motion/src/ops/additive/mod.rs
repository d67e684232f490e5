//! Clips as differences from a pose, and differences put onto a pose.
//!
//! There is one convention, SEAnim's: a translation is added, `T = base + key`; a rotation is applied before that of the base, `R = base ∘ key`; scales and morph weights
//! are absolute. What the differences are from is the [`Reference`].

use super::follow::{Pace, still};
use super::trim::part;
use crate::blending::{change, is_same};
use crate::{Bone, Curve, Did, Keys, Motion, Placed, Refusal, Rig, Track, Trs, listed, short, with_keys};
use maquette_scene::attach::ModifierScope;
use maquette_scene::clip::Blend;
use maquette_scene::glam::{DQuat, DVec3};
use std::collections::{HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

/// What the values of an additive clip are differences from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference<'m> {
    /// The rest pose, as SEAnim defines it.
    Rest,
    /// The pose that the clip begins with.
    Start,
    /// Another clip, at the same moment.
    Clip(&'m Motion),
    /// One moment of another clip, in seconds.
    Pose(&'m Motion, f64),
}

/// What an additive clip is put onto.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base<'m> {
    /// The rest pose.
    Rest,
    /// Another clip, at the same moment.
    Clip(&'m Motion),
    /// One moment of another clip, in seconds.
    Pose(&'m Motion, f64),
}

/// How long a clip lasts that is put onto another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lasts {
    /// As long as the one that it is put onto.
    Base,
    /// As long as it did.
    Clip,
    /// As long as the longer of both.
    #[default]
    Longer,
}

/// Gives a clip the differences from a reference as its values.
pub fn make_additive(
    motion: &mut Motion,
    reference: Reference<'_>,
    rig: Option<&Rig>,
    scope: ModifierScope,
) -> Result<Did, Refusal> {
    let mut work = Work::new(motion, rig, scope);
    let other = match reference {
        Reference::Rest | Reference::Start => None,
        Reference::Clip(other) => Some(Other::new(other, None, motion.duration_secs, rig, scope)),
        Reference::Pose(other, secs) => Some(Other::new(other, Some(secs), 0.0, rig, scope)),
    };
    let before = motion.key_count();
    let mut tracks = Vec::with_capacity(motion.tracks.len());
    let mut used = HashSet::new();
    for track in &motion.tracks {
        let blend = work.placed.blend(track.bone);
        let mut curve = track.curve.clone();
        match (reference, other.as_ref().and_then(|other| other.find(motion, track))) {
            (Reference::Start, _) => {
                let start = curve.sampled_at(&[0.0]);
                curve = work.combined(&curve, &start, Way::Take, motion);
            }
            (_, Some((key, theirs, their_blend))) => {
                used.insert(key);
                curve = if is_same(&curve, blend, their_blend) {
                    work.combined(&curve, theirs, Way::Take, motion)
                } else {
                    let mut theirs = theirs.clone();
                    work.change(motion, track.bone, &mut curve, blend, Blend::Additive);
                    work.change(motion, track.bone, &mut theirs, their_blend, Blend::Additive);
                    work.combined(&curve, &theirs, Way::Take, motion)
                };
            }
            (_, None) => work.change(motion, track.bone, &mut curve, blend, Blend::Additive),
        }
        tracks.push(Track { bone: track.bone, curve });
    }
    work.must_know_rests("its values are not differences from")?;
    let mut bones = Bones::of(motion);
    let (mut moved_back, mut left) = (Vec::new(), Vec::new());
    for (name, curve, blend) in other.iter().flat_map(|other| other.unused(&used)) {
        // The clip leaves it at rest, and so does the difference from there.
        let rest = rig.and_then(|rig| rig.rest(name));
        match back_to_rest(curve, blend, rest) {
            Some(curve) => {
                tracks.push(Track { bone: bones.find_or_add(name), curve });
                moved_back.push(name.to_owned());
            }
            None if !matches!(curve, Curve::MorphWeights(_)) => left.push(name.to_owned()),
            None => {}
        }
    }
    motion.bones = bones.bones;
    motion.tracks = tracks;
    motion.blend = Blend::Additive;
    motion.bones.iter_mut().for_each(|bone| bone.blend = None);
    let from = match reference {
        Reference::Rest => "the rest pose".to_owned(),
        Reference::Start => "the pose it begins with".to_owned(),
        Reference::Clip(other) => format!("{:?} at the same moment", other.name),
        Reference::Pose(other, secs) => format!("{:?} at {} s", other.name, short(secs)),
    };
    let base = if reference == Reference::Rest { "rest" } else { "base" };
    let mut words = format!(
        "becomes additive, as differences from {from}: T = {base} + key, R = {base} ∘ key, scales and morph weights absolute"
    );
    if reference != Reference::Rest {
        words += "; played without a base it is added to the rest pose";
    }
    work.tell(&mut words);
    tell(&mut words, "moved by the reference alone, and brought back to rest", &mut moved_back);
    tell(&mut words, "moved by the reference alone, and left to it for want of a skeleton", &mut left);
    Ok(work.figures(Did::new(words), before, motion.key_count()))
}

/// Puts a clip onto a pose: what is additive in it is added, what is relative as far as translations go, and what is absolute stays. `taken_as` says how its values are meant, if not
/// as it says itself, and `lasts` how long it is on another clip: what ends sooner holds its last pose, what goes on longer is cut. The result is absolute where the rest pose is known, and meant as the base is where it is not.
pub fn compose_additive(
    motion: &mut Motion,
    base: Base<'_>,
    rig: Option<&Rig>,
    scope: ModifierScope,
    taken_as: Option<Blend>,
    lasts: Lasts,
) -> Result<Did, Refusal> {
    if let Some(blend) = taken_as {
        motion.blend = blend;
        motion.bones.iter_mut().for_each(|bone| bone.blend = None);
    }
    let mut work = Work::new(motion, rig, scope);
    if motion.blend == Blend::Absolute && work.placed.blends.iter().all(|blend| *blend == Blend::Absolute) {
        return Err(Refusal(
            "its values are absolute, and there is nothing to put onto anything; if they are differences all the same, as in a glTF file of them, say --as additive".into(),
        ));
    }
    let other = match base {
        Base::Rest => None,
        Base::Clip(other) => Some(Other::new(other, None, f64::INFINITY, rig, scope)),
        Base::Pose(other, secs) => Some(Other::new(other, Some(secs), 0.0, rig, scope)),
    };
    // Without a rest pose every bone stays meant as it is in the base.
    let as_base = other.as_ref().filter(|_| rig.is_none());
    let to_of = |name: &str| as_base.map_or(Blend::Absolute, |other| other.own_blend(name).unwrap_or(other.blend));
    let before = motion.key_count();
    let mut tracks = Vec::with_capacity(motion.tracks.len());
    let mut used = HashSet::new();
    for track in &motion.tracks {
        let blend = work.placed.blend(track.bone);
        let mut curve = track.curve.clone();
        let replaces = is_same(&curve, blend, Blend::Absolute);
        let to = to_of(motion.bone(track).map(|bone| bone.name.as_str()).unwrap_or_default());
        let found = other.as_ref().and_then(|other| other.find(motion, track));
        if let Some((key, ..)) = found {
            used.insert(key);
        }
        match found.filter(|_| !replaces) {
            Some((_, theirs, their_blend)) => {
                let mut theirs = theirs.clone();
                work.change(motion, track.bone, &mut theirs, their_blend, to);
                curve = work.combined(&curve, &theirs, Way::Put, motion);
            }
            None => work.change(motion, track.bone, &mut curve, blend, to),
        }
        tracks.push(Track { bone: track.bone, curve });
    }
    let mut bones = Bones::of(motion);
    let mut from_base = 0;
    for (name, curve, blend) in other.iter().flat_map(|other| other.unused(&used)) {
        let (mut curve, to) = (curve.clone(), to_of(name));
        match rig.map(|rig| rig.rest(name)) {
            Some(rest) => change(&mut curve, blend, to, rest.unwrap_or(&Trs::IDENTITY)),
            None if is_same(&curve, blend, to) => {}
            None => work.unknown.push(name.to_owned()),
        }
        tracks.push(Track { bone: bones.find_or_add(name), curve });
        from_base += 1;
    }
    work.must_know_rests("without it they cannot be put onto")?;
    motion.bones = bones.bones;
    motion.tracks = tracks;
    motion.blend = as_base.map_or(Blend::Absolute, |other| other.blend);
    motion.bones.iter_mut().for_each(|bone| bone.blend = as_base.and_then(|other| other.own_blend(&bone.name)));
    let mut words = match base {
        Base::Rest => "is put onto the rest pose".to_owned(),
        Base::Clip(other) => format!("is put onto {:?} at the same moment", other.name),
        Base::Pose(other, secs) => format!("is put onto {:?} at {} s", other.name, short(secs)),
    };
    if let Base::Clip(other) = base {
        let (own, theirs) = (motion.duration_secs, other.duration_secs);
        let end = match lasts {
            Lasts::Base => theirs,
            Lasts::Clip => own,
            Lasts::Longer => own.max(theirs),
        };
        if (theirs - own).abs() > 1e-9 {
            let [own, theirs, end] = [own, theirs, end].map(short);
            words += &format!("; it lasts {own} s and the base {theirs} s, and both together {end} s");
            words += if lasts == Lasts::Longer { ": the shorter holds its last pose" } else { "" };
        }
        motion.duration_secs = end;
        let known: HashSet<(u64, String)> =
            motion.events.iter().map(|event| (event.time_secs.to_bits(), event.name.clone())).collect();
        let is_new = |event: &&crate::Event| !known.contains(&(event.time_secs.to_bits(), event.name.clone()));
        motion.events.extend(other.events.iter().filter(is_new).cloned());
        motion.events.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        motion.events.retain(|event| event.time_secs <= end + 1e-9);
        for track in &mut motion.tracks {
            if track.curve.times_secs().last().is_some_and(|last| *last > end + 1e-9) {
                with_keys!(&mut track.curve, keys => *keys = part(keys, 0.0, end));
            }
        }
    }
    if as_base.is_some() {
        words += "; its values are meant as those of the base are: ";
        words += &format!("{:?}", motion.blend).to_lowercase();
    }
    work.tell(&mut words);
    let did = work.figures(Did::new(words), before, motion.key_count());
    Ok(if other.is_some() { did.with("curves of the base alone", f64::from(from_base), "") } else { did })
}

/// Which way a base is taken into account.
#[derive(Clone, Copy)]
enum Way {
    Take,
    Put,
}

impl Way {
    fn vector(self, value: DVec3, base: DVec3) -> DVec3 {
        match self {
            Way::Take => value - base,
            Way::Put => value + base,
        }
    }

    fn turn(self, value: DQuat, base: DQuat) -> DQuat {
        match self {
            Way::Take => base.conjugate() * value,
            Way::Put => base * value,
        }
    }
}

/// What is found out on the way.
struct Work<'w> {
    rig: Option<&'w Rig>,
    placed: Placed,
    /// Bones whose rest pose would have to be known.
    unknown: Vec<String>,
    /// Bones that the rig does not have.
    at_origin: Vec<String>,
    /// How far straight lines are off, in radians and in units.
    errors: (f64, f64),
}

impl<'w> Work<'w> {
    fn new(motion: &Motion, rig: Option<&'w Rig>, scope: ModifierScope) -> Work<'w> {
        let placed = Placed::new(motion, rig, scope);
        Work { rig, placed, unknown: Vec::new(), at_origin: Vec::new(), errors: (0.0, 0.0) }
    }

    /// Gives a curve of a bone the values it has in another way.
    fn change(&mut self, motion: &Motion, bone: usize, curve: &mut Curve, from: Blend, to: Blend) {
        if is_same(curve, from, to) {
            return;
        }
        let name = || motion.bones.get(bone).map(|bone| bone.name.clone()).unwrap_or_default();
        match self.rig.map(|rig| self.placed.rest(bone, rig)) {
            Some(Some(rest)) => change(curve, from, to, rest),
            Some(None) => self.at_origin.push(name()),
            None => self.unknown.push(name()),
        }
    }

    /// A curve with another taken away or put under it.
    fn combined(&mut self, curve: &Curve, base: &Curve, way: Way, motion: &Motion) -> Curve {
        match (curve, base) {
            (Curve::Translation(own), Curve::Translation(theirs)) => {
                let mut keys = own.clone();
                if let Some(&base) = still(theirs) {
                    keys.change(|value| way.vector(*value, base), |tangent| *tangent);
                } else if let Some(&value) = still(own) {
                    keys = theirs.clone();
                    keys.change(|base| way.vector(value, *base), |tangent| way.vector(DVec3::ZERO, *tangent));
                } else {
                    let of = |keys: &Keys<DVec3>, secs| keys.at(secs).unwrap_or_default();
                    let error;
                    (keys, error) =
                        Pace::of(&[curve, base], motion).follow(|secs| way.vector(of(own, secs), of(theirs, secs)));
                    self.errors.1 = self.errors.1.max(error);
                }
                Curve::Translation(keys)
            }
            (Curve::Rotation(own), Curve::Rotation(theirs)) => {
                let mut keys = own.clone();
                if let Some(&base) = still(theirs) {
                    let base = unit(base);
                    keys.change(|value| way.turn(*value, base), |tangent| way.turn(*tangent, base));
                } else if let Some(&value) = still(own) {
                    keys = theirs.clone();
                    keys.change(|base| way.turn(value, unit(*base)), |tangent| way.turn(value, *tangent));
                } else {
                    let of = |keys: &Keys<DQuat>, secs| keys.at(secs).unwrap_or_default();
                    let error;
                    (keys, error) =
                        Pace::of(&[curve, base], motion).follow(|secs| way.turn(of(own, secs), unit(of(theirs, secs))));
                    self.errors.0 = self.errors.0.max(error);
                }
                Curve::Rotation(keys)
            }
            _ => curve.clone(),
        }
    }

    fn must_know_rests(&mut self, why: &str) -> Result<(), Refusal> {
        once_each(&mut self.unknown);
        once_each(&mut self.at_origin);
        if !self.at_origin.is_empty() && self.placed.joints.iter().all(Option::is_none) {
            let bones = listed(&self.at_origin);
            return Err(Refusal(format!("no bone of it is in the skeleton: {bones}; name the model that it is for")));
        }
        match self.unknown.is_empty() {
            true => Ok(()),
            false => Err(Refusal(format!(
                "the rest pose of {} is not known, and {why} it; name the model with --skeleton",
                listed(&self.unknown)
            ))),
        }
    }

    fn tell(&mut self, words: &mut String) {
        tell(
            words,
            "not in the skeleton, and taken to rest unturned at the origin of their parents",
            &mut self.at_origin,
        );
        tell(
            words,
            "the name of several joints, of which the one nearest to a root is taken",
            &mut self.placed.ambiguous,
        );
    }

    fn figures(&self, did: Did, before: usize, after: usize) -> Did {
        let did = did.with("keys before", before as f64, "").with("keys after", after as f64, "");
        let (turn, way) = self.errors;
        let did = if turn > 1e-6 { did.with("largest error between keys", turn, "rad") } else { did };
        if way > 1e-6 { did.with("largest error between keys", way, "units") } else { did }
    }
}

fn unit(rotation: DQuat) -> DQuat {
    if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY }
}

fn once_each(names: &mut Vec<String>) {
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
}

/// Adds names to what is told, if there are any.
fn tell(words: &mut String, what: &str, names: &mut Vec<String>) {
    once_each(names);
    if !names.is_empty() {
        words.push_str(&format!("; {what}: {}", listed(names)));
    }
}

/// The difference of the rest pose from a curve.
fn back_to_rest(curve: &Curve, blend: Blend, rest: Option<&Trs>) -> Option<Curve> {
    let mut curve = curve.clone();
    match rest {
        Some(rest) => change(&mut curve, blend, Blend::Additive, rest),
        None if is_same(&curve, blend, Blend::Additive) => {}
        None => return None,
    }
    match &mut curve {
        Curve::Translation(keys) => keys.change(|value| -*value, |tangent| -*tangent),
        Curve::Rotation(keys) => keys.change(|value| value.conjugate(), |tangent| tangent.conjugate()),
        Curve::Scale(keys) => *keys = Keys::straight([(keys.times_secs.first().copied()?, rest?.scale)]),
        Curve::MorphWeights(_) => return None,
    }
    Some(curve)
}

/// Which curve of a clip: that of a property of the bone of a name.
type Key = (String, Discriminant<Curve>);

/// The clip that another is a difference from.
struct Other {
    /// The bone of each curve, its key, and the curve: the first of each key.
    curves: Vec<(usize, Key, Curve)>,
    places: HashMap<Key, usize>,
    /// The same with names in any case.
    any_case: HashMap<Key, usize>,
    blends: Vec<Blend>,
    /// That of the clip, and those that bones have of their own, by their names and by these in any case.
    blend: Blend,
    own_blends: HashMap<String, Blend>,
}

impl Other {
    /// As it is at one moment, or as far as a moment.
    fn new(motion: &Motion, at: Option<f64>, until: f64, rig: Option<&Rig>, scope: ModifierScope) -> Other {
        let blends = Placed::new(motion, rig, scope).blends;
        let mut own_blends = HashMap::new();
        for bone in motion.bones.iter().filter(|bone| !bone.is_shape) {
            for name in [bone.name.clone(), bone.name.to_lowercase()] {
                bone.blend.into_iter().for_each(|blend| _ = own_blends.entry(name.clone()).or_insert(blend));
            }
        }
        let blend = motion.blend;
        let mut other =
            Other { curves: Vec::new(), places: HashMap::new(), any_case: HashMap::new(), blends, blend, own_blends };
        for track in motion.tracks.iter().filter(|track| !track.curve.is_empty()) {
            let Some(bone) = motion.bone(track).filter(|bone| !bone.is_shape) else { continue };
            let key = (bone.name.clone(), discriminant(&track.curve));
            if other.places.contains_key(&key) {
                continue;
            }
            let mut curve = track.curve.clone();
            if let Some(secs) = at {
                curve = curve.sampled_at(&[secs]);
                curve.times_secs_mut().iter_mut().for_each(|secs| *secs = 0.0);
            } else if curve.times_secs().last().is_some_and(|last| *last > until) {
                with_keys!(&mut curve, keys => *keys = part(keys, 0.0, until));
            }
            other.any_case.entry((bone.name.to_lowercase(), key.1)).or_insert(other.curves.len());
            other.places.insert(key.clone(), other.curves.len());
            other.curves.push((track.bone, key, curve));
        }
        other
    }

    /// The curve of the same property of the bone of the same name: which it is, itself, and how it is meant.
    fn find(&self, motion: &Motion, track: &Track) -> Option<(usize, &Curve, Blend)> {
        let bone = motion.bone(track).filter(|bone| !bone.is_shape)?;
        let property = discriminant(&track.curve);
        let exact = self.places.get(&(bone.name.clone(), property));
        let place = *exact.or_else(|| self.any_case.get(&(bone.name.to_lowercase(), property)))?;
        let (theirs, _, curve) = self.curves.get(place)?;
        Some((place, curve, self.blend(*theirs)))
    }

    /// Curves of bones or properties that the other does not move.
    fn unused(&self, used: &HashSet<usize>) -> Vec<(&str, &Curve, Blend)> {
        let unused = self.curves.iter().enumerate().filter(|(place, _)| !used.contains(place));
        unused.map(|(_, (bone, (name, _), curve))| (name.as_str(), curve, self.blend(*bone))).collect()
    }

    fn blend(&self, bone: usize) -> Blend {
        self.blends.get(bone).copied().unwrap_or_default()
    }

    /// The blend that the bone of a name has of its own.
    fn own_blend(&self, name: &str) -> Option<Blend> {
        self.own_blends.get(name).or_else(|| self.own_blends.get(&name.to_lowercase())).copied()
    }
}

/// The bones of a motion, to which others are added.
struct Bones {
    bones: Vec<Bone>,
    named: HashMap<String, usize>,
}

impl Bones {
    fn of(motion: &Motion) -> Bones {
        let named = motion.bones.iter().enumerate().rev().filter(|(_, bone)| !bone.is_shape);
        Bones { bones: motion.bones.clone(), named: named.map(|(at, bone)| (bone.name.clone(), at)).collect() }
    }

    fn find_or_add(&mut self, name: &str) -> usize {
        if let Some(&known) = self.named.get(name) {
            return known;
        }
        self.bones.push(Bone { name: name.to_owned(), ..Bone::default() });
        self.named.insert(name.to_owned(), self.bones.len() - 1);
        self.bones.len() - 1
    }
}

#[cfg(test)]
mod tests;
