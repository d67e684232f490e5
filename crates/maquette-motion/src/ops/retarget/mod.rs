//! A clip for another skeleton.
//!
//! Joints turn away from their rest pose as those they are mapped to do, seen from the whole: `turn of the target = turn of the source ∘ its rest⁻¹ ∘ rest of the target`, made
//! local to the parent of the target as it is posed then. So rest poses may be turned in any way, and what is not mapped in between is passed on. Places are those of the target,
//! but for the root, whose way is as long as its legs are.

use crate::blending::change;
use crate::body::{Part, parts};
use crate::ops::follow::{Pace, is_still, still};
use crate::ops::propose::propose;
use crate::{Blend, Bone, Curve, Did, Keys, ModifierScope, Motion, Placed, Refusal, Rig, Track, Trs, listed, short};
use maquette_scene::glam::{DMat3, DMat4, DQuat, DVec3};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How much work the joints between mapped ones may come to, in keys: some tens of seconds. Skeletons of one kind take a thousandth of it.
const MOST_WORK: usize = 1 << 24;

/// Whose translations are taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Translations {
    /// Those of the topmost mapped joints and of the hips, in the ratio of the skeletons. All others keep their places.
    #[default]
    Root,
    /// Those of all mapped joints, as far as they leave their rest pose, in the ratio of the skeletons.
    Scaled,
    /// The same as long as they are.
    All,
}

/// How a clip is brought to another skeleton.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetargetOptions<'m> {
    /// Names of joints and those of the other skeleton; one that is mapped to an empty name is left out. Joints that are not named are matched by their own name; without a map as [`propose`]
    /// finds it most likely.
    pub map: Option<&'m BTreeMap<String, String>>,
    /// Whose translations are taken over.
    pub translations: Translations,
    /// What they are multiplied by, instead of the ratio of the skeletons.
    pub factor: Option<f64>,
    /// Which bones a blend is for that one bone has of its own.
    pub scope: ModifierScope,
}

/// Gives a clip for one skeleton the bones of another.
pub fn retarget(motion: &mut Motion, from: &Rig, to: &Rig, options: RetargetOptions<'_>) -> Result<Did, Refusal> {
    if let Some(factor) = options.factor.filter(|factor| !(factor.is_finite() && *factor > 0.0)) {
        return Err(Refusal(format!("translations cannot be multiplied by {factor}; write a number above 0")));
    }
    let placed = Placed::new(motion, Some(from), options.scope);
    let pairs = Pairs::of(from, to, options.map);
    let source = Source::of(motion, from, &placed);
    let factor = match (options.translations, options.factor) {
        (_, Some(factor)) => (factor, "as asked for"),
        (Translations::All, None) => (1.0, "as they are"),
        (_, None) => ratio(from, to, &pairs, &source),
    };
    let before = motion.key_count();
    let mut made = Target::new(from, to, &pairs, &source, motion);
    for &joint in to.parents_first() {
        made.joint(joint, options.translations, factor.0)?;
    }
    let (tracks, bones, errors) = (made.tracks, made.bones, made.errors);
    let moved: Vec<usize> = source.moved.clone();
    let name = |rig: &Rig, at: usize| rig.joints.get(at).map(|joint| joint.name.clone()).unwrap_or_default();
    let is_mapped = |joint: &&usize| pairs.to.get(**joint).copied().flatten().is_some();
    let unmapped: Vec<String> =
        moved.iter().filter(|joint| !is_mapped(joint)).map(|joint| name(from, *joint)).collect();
    let mapped = moved.len() - unmapped.len();
    if mapped == 0 {
        return Err(Refusal(format!(
            "no bone that it moves is mapped to one of the other skeleton: {}; write a map, of which --propose makes a draft",
            listed(&if unmapped.is_empty() { source.strangers.clone() } else { unmapped })
        )));
    }
    let shapes = motion.bones.iter().enumerate().filter(|(_, bone)| bone.is_shape);
    let shapes: Vec<(usize, Bone)> = shapes.map(|(at, bone)| (at, bone.clone())).collect();
    let kept = std::mem::take(&mut motion.tracks);
    motion.bones = bones;
    motion.tracks = tracks;
    let places: HashMap<usize, usize> =
        shapes.iter().enumerate().map(|(at, (was, _))| (*was, motion.bones.len() + at)).collect();
    motion.bones.extend(shapes.into_iter().map(|(_, bone)| bone));
    motion.tracks.extend(kept.into_iter().filter_map(|track| Some(Track { bone: *places.get(&track.bone)?, ..track })));
    motion.blend = Blend::Absolute;
    let whose = match options.translations {
        Translations::Root => "translations of the root",
        Translations::Scaled | Translations::All => "translations",
    };
    let mut words = format!("has the bones of the other skeleton; {whose} × {} ({})", short(factor.0), factor.1);
    for (what, names) in [
        ("not mapped", unmapped),
        ("not in the skeleton it is from", source.strangers),
        ("the name of several joints, of which the one nearest to a root is taken", placed.ambiguous),
        ("in the map, and no joint of either skeleton", pairs.strangers),
    ] {
        if !names.is_empty() {
            words += &format!("; {what}: {}", listed(&names));
        }
    }
    let did = Did::new(words)
        .with("bones mapped", mapped as f64, "")
        .with("factor of translations", factor.0, "")
        .with("keys before", before as f64, "")
        .with("keys after", motion.key_count() as f64, "");
    let did = if errors.0 > 1e-6 { did.with("largest error between keys", errors.0, "rad") } else { did };
    Ok(if errors.1 > 1e-6 { did.with("largest error between keys", errors.1, "units") } else { did })
}

/// Which joint is which.
struct Pairs {
    /// For each joint of the source.
    to: Vec<Option<usize>>,
    /// For each joint of the target.
    from: Vec<Option<usize>>,
    /// Names of a map that no skeleton has.
    strangers: Vec<String>,
}

impl Pairs {
    fn of(from: &Rig, to: &Rig, map: Option<&BTreeMap<String, String>>) -> Pairs {
        let mut pairs =
            Pairs { to: vec![None; from.joints.len()], from: vec![None; to.joints.len()], strangers: Vec::new() };
        let Some(map) = map else {
            for (own, found) in propose(from, to).into_iter().enumerate() {
                found.into_iter().for_each(|(other, _)| pairs.put(own, other));
            }
            return pairs;
        };
        for (own, other) in map {
            match (from.find(own), to.find(other)) {
                (Some(own), Some(other)) => pairs.put(own, other),
                (None, _) => pairs.strangers.push(own.clone()),
                (_, None) if !other.is_empty() => pairs.strangers.push(other.clone()),
                _ => {}
            }
        }
        for &own in from.parents_first() {
            let Some(joint) = from.joints.get(own).filter(|joint| !map.contains_key(&joint.name)) else { continue };
            to.find(&joint.name).into_iter().for_each(|other| pairs.put(own, other));
        }
        pairs
    }

    /// Takes a pair, if both are free.
    fn put(&mut self, own: usize, other: usize) {
        if let (Some(to @ None), Some(from @ None)) = (self.to.get_mut(own), self.from.get_mut(other)) {
            (*to, *from) = (Some(other), Some(own));
        }
    }
}

/// The clip on its own skeleton, in absolute values.
#[derive(Default)]
struct Source {
    places: HashMap<usize, Curve>,
    turns: HashMap<usize, Curve>,
    sizes: HashMap<usize, Curve>,
    weights: HashMap<usize, Curve>,
    /// Joints that it has curves for, in the order of their bones.
    moved: Vec<usize>,
    /// Bones that the skeleton does not have.
    strangers: Vec<String>,
}

impl Source {
    fn of(motion: &Motion, from: &Rig, placed: &Placed) -> Source {
        let mut source = Source::default();
        let (mut seen, mut seen_strangers) = (HashSet::new(), HashSet::new());
        for track in motion.tracks.iter().filter(|track| !track.curve.is_empty()) {
            let Some(bone) = motion.bone(track).filter(|bone| !bone.is_shape) else { continue };
            let Some(joint) = placed.joints.get(track.bone).copied().flatten() else {
                if seen_strangers.insert(&bone.name) {
                    source.strangers.push(bone.name.clone());
                }
                continue;
            };
            if seen.insert(joint) {
                source.moved.push(joint);
            }
            let mut curve = track.curve.clone();
            if let Some(rest) = placed.rest(track.bone, from) {
                change(&mut curve, placed.blend(track.bone), Blend::Absolute, rest);
            }
            let curves = match &curve {
                Curve::Translation(_) => &mut source.places,
                Curve::Rotation(_) => &mut source.turns,
                Curve::Scale(_) => &mut source.sizes,
                Curve::MorphWeights(_) => &mut source.weights,
            };
            curves.entry(joint).or_insert(curve);
        }
        source
    }

    fn turn(&self, joint: usize) -> Option<&Keys<DQuat>> {
        match self.turns.get(&joint) {
            Some(Curve::Rotation(keys)) => Some(keys),
            _ => None,
        }
    }

    /// A joint as it is at a moment.
    fn local(&self, joint: usize, rest: &Trs, secs: f64) -> Trs {
        let vector = |curves: &HashMap<usize, Curve>| match curves.get(&joint) {
            Some(Curve::Translation(keys) | Curve::Scale(keys)) => keys.at(secs),
            _ => None,
        };
        Trs {
            translation: vector(&self.places).unwrap_or(rest.translation),
            rotation: self.turn(joint).and_then(|keys| keys.at(secs)).map_or(rest.rotation, unit),
            scale: vector(&self.sizes).unwrap_or(rest.scale),
        }
    }

    /// The curves of a joint that move it.
    fn moving(&self, joint: usize) -> impl Iterator<Item = &Curve> {
        [&self.places, &self.turns, &self.sizes]
            .into_iter()
            .filter_map(move |curves| curves.get(&joint))
            .filter(|curve| !is_still(curve))
    }
}

fn unit(rotation: DQuat) -> DQuat {
    if rotation.length_squared() > 0.0 { rotation.normalize() } else { DQuat::IDENTITY }
}

/// A skeleton at rest, seen from the whole.
struct Rest {
    turns: Vec<DQuat>,
    world: Vec<DMat4>,
}

impl Rest {
    fn of(rig: &Rig) -> Rest {
        let mut turns = vec![DQuat::IDENTITY; rig.joints.len()];
        for &at in rig.parents_first() {
            let Some(joint) = rig.joints.get(at) else { continue };
            let above = joint.parent.and_then(|parent| turns.get(parent)).copied().unwrap_or_default();
            turns.get_mut(at).into_iter().for_each(|turn| *turn = above * joint.rest.rotation);
        }
        let locals: Vec<Trs> = rig.joints.iter().map(|joint| joint.rest).collect();
        Rest { turns, world: rig.world(&locals) }
    }

    fn turn(&self, joint: Option<usize>) -> DQuat {
        joint.and_then(|joint| self.turns.get(joint)).copied().unwrap_or_default()
    }

    fn world(&self, joint: Option<usize>) -> DMat4 {
        joint.and_then(|joint| self.world.get(joint)).copied().unwrap_or(DMat4::IDENTITY)
    }

    fn place(&self, joint: usize) -> DVec3 {
        self.world(Some(joint)).w_axis.truncate()
    }
}

/// The ratio of the legs of two skeletons; or of how far their mapped joints are spread.
fn ratio(from: &Rig, to: &Rig, pairs: &Pairs, source: &Source) -> (f64, &'static str) {
    let (own, theirs) = (Rest::of(from), Rest::of(to));
    let parts: HashMap<Part, usize> =
        parts(from).into_iter().enumerate().filter_map(|(at, part)| Some((part?, at))).collect();
    let leg = |side: &'static str| -> Option<(f64, f64)> {
        let joints = ["thigh", "calf", "foot"].map(|name| parts.get(&Part { side, name, number: 0 }).copied());
        let ([Some(thigh), Some(calf), Some(foot)], length) =
            (joints, |rest: &Rest, a: usize, b: usize| rest.place(a).distance(rest.place(b)))
        else {
            return None;
        };
        let other = |at: usize| pairs.to.get(at).copied().flatten();
        let (a, b, c) = (other(thigh)?, other(calf)?, other(foot)?);
        Some((length(&own, thigh, calf) + length(&own, calf, foot), length(&theirs, a, b) + length(&theirs, b, c)))
    };
    let usable = |ratio: f64| Some(ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0);
    let legs: Vec<(f64, f64)> = ["left", "right"].into_iter().filter_map(leg).collect();
    let (own_legs, their_legs) = legs.iter().fold((0.0, 0.0), |sum, leg| (sum.0 + leg.0, sum.1 + leg.1));
    if let Some(ratio) = usable(their_legs / own_legs) {
        return (ratio, "the ratio of the legs");
    }
    let mapped: Vec<(DVec3, DVec3)> = source
        .moved
        .iter()
        .filter_map(|at| Some((own.place(*at), theirs.place(pairs.to.get(*at).copied().flatten()?))))
        .collect();
    let count = mapped.len() as f64;
    let middle = mapped.iter().fold((DVec3::ZERO, DVec3::ZERO), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let middle = (middle.0 / count, middle.1 / count);
    let spread = mapped.iter().fold((0.0, 0.0), |sum, pair| {
        (sum.0 + pair.0.distance_squared(middle.0), sum.1 + pair.1.distance_squared(middle.1))
    });
    match usable((spread.1 / spread.0).sqrt()) {
        Some(ratio) => (ratio, "the ratio of how far the mapped joints are spread"),
        None => (1.0, "the skeletons tell no ratio"),
    }
}

/// One factor of a product of rotations.
enum Turn<'c> {
    Still(DQuat),
    Keys(&'c Keys<DQuat>, &'c Curve),
    Inverse(&'c Keys<DQuat>, &'c Curve),
}

/// The clip that is being made.
struct Target<'t> {
    from: &'t Rig,
    to: &'t Rig,
    pairs: &'t Pairs,
    source: &'t Source,
    motion: &'t Motion,
    rests: (Rest, Rest),
    depths: Vec<usize>,
    hips: Option<usize>,
    /// For each joint of the target the nearest mapped one above it.
    mapped_above: Vec<Option<usize>>,
    bones: Vec<Bone>,
    tracks: Vec<Track>,
    errors: (f64, f64),
    work: usize,
}

impl<'t> Target<'t> {
    fn new(from: &'t Rig, to: &'t Rig, pairs: &'t Pairs, source: &'t Source, motion: &'t Motion) -> Target<'t> {
        let mut depths = vec![0; from.joints.len()];
        for &at in from.parents_first() {
            let above = from.joints.get(at).and_then(|joint| depths.get(joint.parent?).copied());
            depths.get_mut(at).into_iter().for_each(|depth| *depth = above.map_or(0, |above: usize| above + 1));
        }
        let mut mapped_above = vec![None; to.joints.len()];
        for &at in to.parents_first() {
            let parent = to.joints.get(at).and_then(|joint| joint.parent);
            let is_mapped = |parent: &usize| pairs.from.get(*parent).copied().flatten().is_some();
            let nearest = parent.and_then(|parent| {
                Some(parent).filter(is_mapped).or_else(|| mapped_above.get(parent).copied().flatten())
            });
            mapped_above.get_mut(at).into_iter().for_each(|slot| *slot = nearest);
        }
        let hips = parts(from).iter().position(|part| *part == Some(Part::HIPS));
        let rests = (Rest::of(from), Rest::of(to));
        let (bones, tracks) = (Vec::new(), Vec::new());
        Target {
            from,
            to,
            pairs,
            source,
            motion,
            rests,
            depths,
            hips,
            mapped_above,
            bones,
            tracks,
            errors: (0.0, 0.0),
            work: 0,
        }
    }

    fn joint(&mut self, target: usize, translations: Translations, factor: f64) -> Result<(), Refusal> {
        let Some(joint) = self.to.joints.get(target) else { return Ok(()) };
        let Some(own) = self.pairs.from.get(target).copied().flatten() else { return Ok(()) };
        let above = self.mapped_above.get(target).copied().flatten();
        let own_above = above.and_then(|above| self.pairs.from.get(above).copied().flatten());
        let (up, down) = self.between(own_above, own)?;
        let turn = self.turn(target, joint.parent, own, own_above, &up, &down)?;
        let is_root = above.is_none() || self.hips == Some(own);
        let place = match translations {
            Translations::Root if !is_root => None,
            _ => self.place(target, joint.parent, own, own_above, &up, &down, factor)?,
        };
        let size = self.source.sizes.get(&own).map(|curve| {
            let mut curve = curve.clone();
            let rest = self.from.joints.get(own).map_or(DVec3::ONE, |joint| joint.rest.scale);
            let by = DVec3::select(rest.cmpeq(DVec3::ZERO), DVec3::ONE, joint.rest.scale / rest);
            if let Curve::Scale(keys) = &mut curve {
                keys.change(|value| *value * by, |tangent| *tangent * by);
            }
            curve
        });
        let weights = self.source.weights.get(&own).cloned();
        let curves: Vec<Curve> = [place, turn, size, weights].into_iter().flatten().collect();
        if !curves.is_empty() {
            let bone = self.bones.len();
            self.bones.push(Bone { name: joint.name.clone(), ..Bone::default() });
            self.tracks.extend(curves.into_iter().map(|curve| Track { bone, curve }));
        }
        Ok(())
    }

    /// The joints of the source from one up to where they meet, and from there down to another: that one included, what they meet at not.
    fn between(&mut self, start: Option<usize>, end: usize) -> Result<(Vec<usize>, Vec<usize>), Refusal> {
        let parent = |at: usize| self.from.joints.get(at).and_then(|joint| joint.parent);
        let depth = |at: Option<usize>| at.map_or(0, |at| self.depths.get(at).copied().unwrap_or(0) + 1);
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (start, Some(end));
        while a != b {
            if depth(a) > depth(b) {
                up.extend(a);
                a = a.and_then(parent);
            } else {
                down.extend(b);
                b = b.and_then(parent);
            }
        }
        down.reverse();
        let moving = up.iter().chain(&down).flat_map(|at| self.source.moving(*at)).map(Curve::len).sum::<usize>();
        self.work = self.work.saturating_add((up.len() + down.len()).saturating_mul(1 + moving));
        match self.work > MOST_WORK {
            true => Err(Refusal("the skeletons are built so differently that bringing a clip from one to the other takes too long; map fewer joints".into())),
            false => Ok((up, down)),
        }
    }

    fn turn(
        &mut self,
        target: usize,
        parent: Option<usize>,
        own: usize,
        own_above: Option<usize>,
        up: &[usize],
        down: &[usize],
    ) -> Result<Option<Curve>, Refusal> {
        let (source, theirs) = (&self.rests.0, &self.rests.1);
        let first = theirs.turn(parent).conjugate() * source.turn(own_above);
        let last = source.turn(Some(own)).conjugate() * theirs.turn(Some(target));
        let rest = |at: usize| self.from.joints.get(at).map_or(DQuat::IDENTITY, |joint| joint.rest.rotation);
        let factor = |at: usize, is_inverse: bool| match (self.source.turns.get(&at), self.source.turn(at), is_inverse)
        {
            (Some(curve), Some(keys), _) if still(keys).is_none() => {
                if is_inverse {
                    Turn::Inverse(keys, curve)
                } else {
                    Turn::Keys(keys, curve)
                }
            }
            (_, keys, _) => {
                let turn = keys.and_then(still).map_or_else(|| rest(at), |turn| unit(*turn));
                Turn::Still(if is_inverse { turn.conjugate() } else { turn })
            }
        };
        let all = up.iter().map(|at| factor(*at, true)).chain(down.iter().map(|at| factor(*at, false)));
        // Whatever stands still becomes one with its neighbours.
        let mut factors: Vec<Turn<'_>> = vec![Turn::Still(first)];
        for next in all.chain([Turn::Still(last)]) {
            match (factors.last_mut(), next) {
                (Some(Turn::Still(before)), Turn::Still(next)) => *before *= next,
                (_, next) => factors.push(next),
            }
        }
        let has_curve = self.source.turns.contains_key(&own);
        match factors.as_slice() {
            [Turn::Still(turn)] => {
                let rest = self.to.joints.get(target).map_or(DQuat::IDENTITY, |joint| joint.rest.rotation);
                let is_at_rest = turn.dot(rest).abs() > 1.0 - 1e-12;
                let start =
                    self.source.turns.get(&own).and_then(|curve| curve.times_secs().first().copied()).unwrap_or(0.0);
                Ok((has_curve || !is_at_rest).then(|| Curve::Rotation(Keys::straight([(start, *turn)]))))
            }
            // Arcs stay arcs, and splines splines, when they are turned from both sides.
            [Turn::Still(first), Turn::Keys(keys, _), Turn::Still(last)] => {
                let mut keys = (*keys).clone();
                keys.change(|value| *first * *value * *last, |tangent| *first * *tangent * *last);
                Ok(Some(Curve::Rotation(keys)))
            }
            [Turn::Still(first), Turn::Inverse(keys, _), Turn::Still(last)] => {
                let mut keys = (*keys).clone();
                keys.change(|value| *first * value.conjugate() * *last, |tangent| *first * tangent.conjugate() * *last);
                Ok(Some(Curve::Rotation(keys)))
            }
            factors => {
                let curves: Vec<&Curve> = factors
                    .iter()
                    .filter_map(|factor| match factor {
                        Turn::Still(_) => None,
                        Turn::Keys(_, curve) | Turn::Inverse(_, curve) => Some(*curve),
                    })
                    .collect();
                let at = |secs: f64| {
                    factors.iter().fold(DQuat::IDENTITY, |turn, factor| {
                        turn * match factor {
                            Turn::Still(turn) => *turn,
                            Turn::Keys(keys, _) => keys.at(secs).map_or(DQuat::IDENTITY, unit),
                            Turn::Inverse(keys, _) => keys.at(secs).map_or(DQuat::IDENTITY, unit).conjugate(),
                        }
                    })
                };
                let (keys, error) = Pace::of(&curves, self.motion).follow(at);
                self.errors.0 = self.errors.0.max(error);
                Ok(Some(Curve::Rotation(keys)))
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "both skeletons, both ends and the ways between")]
    fn place(
        &mut self,
        target: usize,
        parent: Option<usize>,
        own: usize,
        own_above: Option<usize>,
        up: &[usize],
        down: &[usize],
        factor: f64,
    ) -> Result<Option<Curve>, Refusal> {
        let into = DMat3::from_mat4(self.rests.1.world(parent));
        let by = into.inverse() * DMat3::from_mat4(self.rests.0.world(own_above)) * factor;
        if !by.is_finite() {
            let name = self.to.joints.get(target).map(|joint| joint.name.as_str()).unwrap_or_default();
            return Err(Refusal(format!("what is above {name:?} is of no size, so that nothing can be moved in it")));
        }
        let to_rest = self.to.joints.get(target).map_or(DVec3::ZERO, |joint| joint.rest.translation);
        let rest_of = |at: usize| self.from.joints.get(at).map_or(Trs::IDENTITY, |joint| joint.rest);
        let seen = |local: &dyn Fn(usize) -> Trs| {
            let up = up.iter().fold(DMat4::IDENTITY, |whole, at| whole * local(*at).matrix().inverse());
            down.iter().fold(up, |whole, at| whole * local(*at).matrix()).w_axis.truncate()
        };
        let at_rest = seen(&rest_of);
        let local = |joint: usize, secs: f64| self.source.local(joint, &rest_of(joint), secs);
        let at = |secs: f64| to_rest + by * (seen(&|joint| local(joint, secs)) - at_rest);
        let others: Vec<usize> = up.iter().chain(down).copied().filter(|joint| *joint != own).collect();
        let is_carried = others.iter().any(|joint| self.source.moving(*joint).next().is_some());
        let place = self.source.places.get(&own);
        let Some(Curve::Translation(keys)) = place.filter(|_| !is_carried) else {
            let moving: Vec<&Curve> = others.iter().flat_map(|joint| self.source.moving(*joint)).chain(place).collect();
            if !is_carried {
                let stays = at(0.0).distance(to_rest) <= 1e-12 * (1.0 + to_rest.length());
                return Ok((!stays).then(|| Curve::Translation(Keys::straight([(0.0, at(0.0))]))));
            }
            let (keys, error) = Pace::of(&moving, self.motion).follow(at);
            self.errors.1 = self.errors.1.max(error);
            return must_be_finite(Curve::Translation(keys)).map(Some);
        };
        // Whatever it is in stands still: keys stay where they are, with all that is about them.
        let up = up.iter().fold(DMat4::IDENTITY, |whole, joint| whole * local(*joint, 0.0).matrix().inverse());
        let inside =
            down.iter().filter(|joint| **joint != own).fold(up, |whole, joint| whole * local(*joint, 0.0).matrix());
        let linear = by * DMat3::from_mat4(inside);
        let mut keys = keys.clone();
        keys.change(|value| to_rest + by * (inside.transform_point3(*value) - at_rest), |tangent| linear * *tangent);
        must_be_finite(Curve::Translation(keys)).map(Some)
    }
}

fn must_be_finite(curve: Curve) -> Result<Curve, Refusal> {
    match &curve {
        Curve::Translation(keys) if !keys.values.iter().all(|value| value.is_finite()) => Err(Refusal(
            "a scale of nothing on the way makes places that are nowhere; map the joints in between".into(),
        )),
        _ => Ok(curve),
    }
}

#[cfg(test)]
mod tests;
