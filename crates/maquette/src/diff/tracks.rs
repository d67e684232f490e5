//! Clips without anything to be seen moving: bone by bone, property by property.
//!
//! Bones belong together by their names. Those that are left over, because a format knows bones by position or has to change names, belong together
//! in their order, if there are as many of them in both.

use super::Found;
use crate::work;
use maquette_scene::clip::{Blend, Clip, Curve, Target};
use maquette_scene::glam::{Quat, Vec3};
use maquette_scene::scene::{Node, Trs};
use maquette_scene::{Handle, Scene, pose};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Rotations may differ by this, in degrees.
const DEGREES: f32 = 0.05;
/// In so short a time a bone may be anywhere between two keys: a jump takes some time in formats that have none.
pub const JUMP_SECS: f32 = 1e-3;

/// What a clip does to one bone.
struct Bone<'s> {
    name: &'s str,
    /// Where it rests, if that is known.
    rest: Option<Trs>,
    curves: Vec<(&'s Curve, Blend)>,
    is_joint: bool,
    /// Its first track in the clip.
    first_track: usize,
}

impl Bone<'_> {
    fn curve(&self, property: &str) -> Moving<'_> {
        // Of several the last one counts.
        self.curves.iter().rev().find(|(curve, _)| curve.property() == property).copied()
    }
}

/// The joints of a scene, and which of them another scene has by name.
struct Side<'s> {
    scene: &'s Scene,
    joints: HashSet<Handle<Node>>,
    /// A file for one skeleton is for the first.
    of_first_skin: HashSet<Handle<Node>>,
    /// The number of the pair that a joint belongs to.
    pair_of: HashMap<Handle<Node>, usize>,
    /// The joints that belong to none, in order.
    left: Vec<Handle<Node>>,
}

impl<'s> Side<'s> {
    fn new(scene: &'s Scene) -> Side<'s> {
        let mut joints = HashSet::new();
        let all = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
        let left = all.filter(|&joint| joints.insert(joint)).collect();
        let of_first_skin = scene.skins.iter().next().map(|skin| skin.joints.iter().copied().collect());
        Side { scene, joints, of_first_skin: of_first_skin.unwrap_or_default(), pair_of: HashMap::new(), left }
    }

    fn name(&self, node: Handle<Node>) -> &'s str {
        self.scene.nodes.get(node).map_or("", |node| &node.name)
    }

    fn bone(&self, target: &'s Target, moves: Moves<'s>) -> Bone<'s> {
        match target {
            Target::Name(name) => {
                Bone { name, rest: None, curves: moves.curves, is_joint: false, first_track: moves.first_track }
            }
            Target::Node(node) => self.node(*node, moves),
        }
    }

    fn node(&self, node: Handle<Node>, Moves { curves, first_track }: Moves<'s>) -> Bone<'s> {
        let rest = self.scene.nodes.get(node).map(|node| node.transform.trs());
        Bone { name: self.name(node), rest, curves, is_joint: self.of_first_skin.contains(&node), first_track }
    }
}

/// What a clip does to a bone, if anything.
struct Moves<'s> {
    curves: Vec<(&'s Curve, Blend)>,
    first_track: usize,
}

impl Default for Moves<'_> {
    fn default() -> Self {
        Moves { curves: Vec::new(), first_track: usize::MAX }
    }
}

/// What a clip does, by the nodes that it does it to; the nodes in the order of their first tracks.
fn moves(clip: &Clip) -> (Vec<&Target>, HashMap<&Target, Moves<'_>>) {
    let mut order = Vec::new();
    let mut moves: HashMap<&Target, Moves<'_>> = HashMap::new();
    for (place, track) in clip.tracks.iter().enumerate() {
        let known = moves.entry(&track.target).or_default();
        if known.first_track == usize::MAX {
            known.first_track = place;
            order.push(&track.target);
        }
        if !track.curve.times_secs().is_empty() {
            known.curves.push((&track.curve, track.blend.unwrap_or(clip.blend)));
        }
    }
    (order, moves)
}

/// The joints of two scenes. Those of one name belong together in every clip, and need no look at where no clip moves them.
pub struct Joints<'s> {
    a: Side<'s>,
    b: Side<'s>,
    pairs: Vec<(Handle<Node>, Handle<Node>)>,
}

impl<'s> Joints<'s> {
    /// Those of all skins.
    pub fn of(a: &'s Scene, b: &'s Scene) -> Joints<'s> {
        let (mut a, mut b) = (Side::new(a), Side::new(b));
        let names = |side: &Side<'s>| side.left.iter().map(|&joint| side.name(joint)).collect::<Vec<_>>();
        let Namesakes { pairs, left_a, left_b } = namesakes(&names(&a), &names(&b));
        let take = |side: &mut Side<'s>, places: &[usize]| {
            places.iter().filter_map(|&place| side.left.get(place).copied()).collect::<Vec<_>>()
        };
        let (of_a, of_b): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
        let pairs: Vec<_> = take(&mut a, &of_a).into_iter().zip(take(&mut b, &of_b)).collect();
        (a.left, b.left) = (take(&mut a, &left_a), take(&mut b, &left_b));
        a.pair_of = pairs.iter().enumerate().map(|(pair, (joint, _))| (*joint, pair)).collect();
        b.pair_of = pairs.iter().enumerate().map(|(pair, (_, joint))| (*joint, pair)).collect();
        Joints { a, b, pairs }
    }

    /// Compares what two clips do to their bones.
    pub fn compare(&self, clip_a: &Clip, clip_b: &Clip, subject: &str, found: &mut Found) {
        let ((order_a, mut moves_a), (order_b, mut moves_b)) = (moves(clip_a), moves(clip_b));
        let pairs_of = |side: &Side<'s>, order: &[&Target]| {
            let pairs = order.iter().filter_map(|target| match target {
                Target::Node(node) => side.pair_of.get(node).copied(),
                Target::Name(_) => None,
            });
            pairs.collect::<Vec<_>>()
        };
        let mut pairs = [pairs_of(&self.a, &order_a), pairs_of(&self.b, &order_b)].concat();
        pairs.sort_unstable();
        pairs.dedup();
        let pairs = || pairs.iter().filter_map(|&pair| self.pairs.get(pair));
        let bones_a = bones(&self.a, pairs().map(|(joint, _)| *joint), &order_a, &mut moves_a);
        let bones_b = bones(&self.b, pairs().map(|(_, joint)| *joint), &order_b, &mut moves_b);
        let ways = partners(&bones_a, &bones_b, pairs().count()).into_iter().map(|partners| Worst::of(&partners));
        // Of several ways to take two lists, the one by which they differ least.
        if let Some(mut least) = ways.min_by(|a, b| a.total().total_cmp(&b.total())) {
            if clip_a.blend != clip_b.blend {
                // That is told of the clip as a whole.
                least.blends.clear();
            }
            least.report(subject, found);
        }
    }
}

/// The bones of a clip: these joints, then those that belong to none of the other scene, then what else the clip moves, in the order of its tracks.
fn bones<'s>(
    side: &Side<'s>,
    paired: impl Iterator<Item = Handle<Node>>,
    order: &[&'s Target],
    moves: &mut HashMap<&'s Target, Moves<'s>>,
) -> Vec<Bone<'s>> {
    let is_joint = |target: &Target| matches!(target, Target::Node(node) if side.joints.contains(node));
    let mut take = |target: &Target| moves.remove(target).unwrap_or_default();
    let joints: Vec<Handle<Node>> = paired.chain(side.left.iter().copied()).collect();
    let mut bones: Vec<Bone<'s>> =
        joints.into_iter().map(|joint| side.node(joint, take(&Target::Node(joint)))).collect();
    bones.extend(order.iter().filter(|target| !is_joint(target)).map(|target| side.bone(target, take(target))));
    work::done(bones.len());
    bones
}

/// Places of one name in two lists, each in one pair at most, and those that are left.
struct Namesakes {
    pairs: Vec<(usize, usize)>,
    left_a: Vec<usize>,
    left_b: Vec<usize>,
}

/// Of several of one name, the first belongs to the first.
fn namesakes(a: &[&str], b: &[&str]) -> Namesakes {
    work::done(a.len() + b.len());
    let mut free: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (place, name) in b.iter().enumerate() {
        free.entry(name).or_default().push_back(place);
    }
    let (mut pairs, mut left_a) = (Vec::new(), Vec::new());
    for (place, name) in a.iter().enumerate() {
        match free.get_mut(name).and_then(VecDeque::pop_front) {
            Some(other) => pairs.push((place, other)),
            None => left_a.push(place),
        }
    }
    let mut left_b: Vec<usize> = free.into_values().flatten().collect();
    left_b.sort_unstable();
    Namesakes { pairs, left_a, left_b }
}

/// Bones that belong together.
type Partners<'p, 's> = Vec<(Option<&'p Bone<'s>>, Option<&'p Bone<'s>>)>;

/// Every way in which the bones of two scenes may belong together: the first of them in pairs, the others by name, and those that are left over in the order of
/// the joints, or of the tracks that move them.
fn partners<'p, 's>(a: &'p [Bone<'s>], b: &'p [Bone<'s>], pairs: usize) -> Vec<Partners<'p, 's>> {
    let ((paired_a, a), (paired_b, b)) = (a.split_at(pairs.min(a.len())), b.split_at(pairs.min(b.len())));
    let names = |bones: &[Bone<'s>]| bones.iter().map(|bone| bone.name).collect::<Vec<_>>();
    let Namesakes { pairs, left_a, left_b } = namesakes(&names(a), &names(b));
    let by_name = pairs.into_iter().map(|(place, other)| (a.get(place), b.get(other)));
    let paired = paired_a.iter().zip(paired_b).map(|(a, b)| (Some(a), Some(b)));
    let named: Partners<'p, 's> = paired.chain(by_name).collect();
    let left: Vec<&Bone<'s>> = left_a.into_iter().filter_map(|place| a.get(place)).collect();
    let free: Vec<&Bone<'s>> = left_b.into_iter().filter_map(|place| b.get(place)).collect();
    let (joints, others): (Vec<&Bone<'s>>, Vec<&Bone<'s>>) = left.iter().copied().partition(|bone| bone.is_joint);
    let (mut moved, still): (Vec<&Bone<'s>>, Vec<&Bone<'s>>) =
        left.iter().copied().partition(|bone| !bone.curves.is_empty());
    moved.sort_by_key(|bone| bone.first_track);
    let mut ways = Vec::new();
    for (some, alone) in [(left.as_slice(), &[][..]), (&joints, &others), (&moved, &still)] {
        if some.len() == free.len() {
            ways.push(zipped(&named, some, &free, alone));
        }
    }
    if ways.is_empty() {
        let alone = left.iter().map(|&bone| (Some(bone), None)).chain(free.iter().map(|&bone| (None, Some(bone))));
        ways.push(named.iter().copied().chain(alone).collect());
    }
    ways
}

fn zipped<'p, 's>(
    named: &Partners<'p, 's>,
    a: &[&'p Bone<'s>],
    b: &[&'p Bone<'s>],
    alone: &[&'p Bone<'s>],
) -> Partners<'p, 's> {
    let pairs = a.iter().zip(b).map(|(&a, &b)| (Some(a), Some(b)));
    let alone = alone.iter().map(|&bone| (Some(bone), None));
    named.iter().copied().chain(pairs).chain(alone).collect()
}

/// The largest differences of a clip.
#[derive(Default)]
struct Worst {
    missing: Vec<String>,
    added: Vec<String>,
    renamed: Vec<String>,
    distance: f32,
    degrees: f32,
    times: f32,
    /// How far bones move at all.
    extent: f32,
    blends: BTreeSet<(&'static str, &'static str)>,
}

impl Worst {
    fn of(partners: &Partners<'_, '_>) -> Worst {
        let mut worst = Worst::default();
        for &(bone_a, bone_b) in partners {
            if let (Some(bone_a), Some(bone_b)) = (bone_a, bone_b)
                && bone_a.name != bone_b.name
                && !bone_a.name.is_empty()
            {
                worst.renamed.push(format!("{:?} | {:?}", bone_a.name, bone_b.name));
            }
            for property in ["translation", "rotation", "scale", "morph weights"] {
                worst.property(property, bone_a, bone_b);
            }
        }
        worst
    }

    fn property(&mut self, property: &str, a: Option<&Bone<'_>>, b: Option<&Bone<'_>>) {
        let is_moved = |bone: Option<&Bone<'_>>| bone.is_some_and(|bone| bone.curve(property).is_some());
        let called = |bone: Option<&Bone<'_>>| match bone.map_or("", |bone| bone.name) {
            "" => format!("{property} of a bone without a name"),
            name => format!("{property} of {name:?}"),
        };
        match (is_moved(a), is_moved(b)) {
            (false, false) => {}
            (true, false) => self.missing.push(called(a)),
            // What is said to stay where it rests is not moved by that.
            (false, true) if a.is_none_or(|bone| bone.rest.is_none()) => self.added.push(called(b)),
            _ => self.measure(property, a, b),
        }
    }

    /// How much differs, to tell ways of comparing apart.
    fn total(&self) -> f32 {
        let counts = (self.missing.len() + self.added.len()) as f32;
        counts * 1e6 + self.distance + self.degrees + self.times
    }

    fn measure(&mut self, property: &str, a: Option<&Bone<'_>>, b: Option<&Bone<'_>>) {
        let (Some(a), Some(b)) = (a, b) else { return };
        let (of_a, of_b) = (a.curve(property), b.curve(property));
        let rest = a.rest.or(b.rest);
        if let (Some((_, blend_a)), Some((_, blend_b)), None) = (of_a, of_b, rest)
            && blend_a != blend_b
        {
            // Without a rest pose, values of two kinds are held against one another as they are.
            self.blends.insert((word(blend_a), word(blend_b)));
        }
        // Where one has no rest pose, it is that of the other.
        for secs in moments(of_a, of_b) {
            match property {
                "translation" => {
                    let (from, to) = (translation(of_a, rest, secs), translation(of_b, rest, secs));
                    self.distance = self.distance.max(from.distance(to));
                    self.extent = self.extent.max(from.length());
                }
                "rotation" => {
                    let (from, to) = (rotation(of_a, rest, secs), rotation(of_b, rest, secs));
                    self.degrees = self.degrees.max(degrees(from, to));
                }
                "scale" => {
                    let (from, to) = (scale(of_a, rest, secs), scale(of_b, rest, secs));
                    self.times = self.times.max((from - to).abs().max_element());
                }
                _ => {}
            }
        }
    }

    fn report(self, subject: &str, found: &mut Found) {
        let Worst { missing, added, renamed, distance, degrees, times, extent, blends } = self;
        let count = |things: &[String]| Some(things.len() as f64);
        if !missing.is_empty() {
            found.push("tracks", subject, missing.join(", "), "missing", count(&missing));
        }
        if !added.is_empty() {
            found.push("tracks", subject, "missing", added.join(", "), count(&added));
        }
        if !renamed.is_empty() {
            found.push("bone names", subject, renamed.len(), renamed.join(", "), count(&renamed));
        }
        for (a, b) in blends {
            found.push("blending", subject, a, b, None);
        }
        if f64::from(distance) > found.tolerance * f64::from(extent).max(1e-6) {
            found.push("translations", subject, "", format!("bones are up to {distance} apart"), Some(distance.into()));
        }
        if degrees > DEGREES {
            found.push("rotations", subject, "", format!("bones are up to {degrees}° apart"), Some(degrees.into()));
        }
        if f64::from(times) > found.tolerance.max(1e-6) {
            found.push("scales", subject, "", format!("sizes of bones are up to {times} apart"), Some(times.into()));
        }
    }
}

type Moving<'c> = Option<(&'c Curve, Blend)>;

fn word(blend: Blend) -> &'static str {
    match blend {
        Blend::Absolute => "absolute",
        Blend::Relative => "relative",
        Blend::Additive => "additive",
        Blend::Delta => "delta",
    }
}

/// At every key of both, and between.
fn moments(a: Moving<'_>, b: Moving<'_>) -> Vec<f32> {
    let mut keys: Vec<f32> = [a, b].into_iter().flatten().flat_map(|(curve, _)| curve.times_secs()).copied().collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let between = |pair: &[f32]| match pair {
        [from, to] if to - from > JUMP_SECS => Some((from + to) / 2.0),
        _ => None,
    };
    let between: Vec<f32> = keys.windows(2).filter_map(between).collect();
    keys.extend(between);
    keys
}

/// The angle between two rotations; the arc cosine of numbers near 1 would be too coarse.
fn degrees(a: Quat, b: Quat) -> f32 {
    let between = a.inverse() * b;
    (2.0 * between.xyz().length().atan2(between.w.abs())).to_degrees()
}

fn translation(moving: Moving<'_>, rest: Option<Trs>, secs: f32) -> Vec3 {
    let rest = rest.map_or(Vec3::ZERO, |rest| rest.translation);
    match moving {
        Some((Curve::Translation(keys), blend)) => {
            pose::vector_at(keys, secs).map_or(rest, |value| blend.translation(rest, value))
        }
        _ => rest,
    }
}

fn rotation(moving: Moving<'_>, rest: Option<Trs>, secs: f32) -> Quat {
    let rest = rest.map_or(Quat::IDENTITY, |rest| rest.rotation);
    match moving {
        Some((Curve::Rotation(keys), blend)) => {
            pose::rotation_at(keys, secs).map_or(rest, |value| blend.rotation(rest, value))
        }
        _ => rest,
    }
}

fn scale(moving: Moving<'_>, rest: Option<Trs>, secs: f32) -> Vec3 {
    let rest = rest.map_or(Vec3::ONE, |rest| rest.scale);
    match moving {
        Some((Curve::Scale(keys), _)) => pose::vector_at(keys, secs).unwrap_or(rest),
        _ => rest,
    }
}
