//! Clips without anything to be seen moving: bone by bone, property by property.
//!
//! Bones belong together by their names. Those that are left over, because a format knows bones by position or has to change names, belong together
//! in their order, if there are as many of them in both.

use super::Found;
use maquette_scene::clip::{Blend, Clip, Curve, Target};
use maquette_scene::glam::{Quat, Vec3};
use maquette_scene::scene::Trs;
use maquette_scene::{Scene, pose};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Rotations may differ by this, in degrees.
const DEGREES: f32 = 0.05;
/// In so short a time a bone may be anywhere between two keys: a jump takes some time in formats that have none.
pub const JUMP_SECS: f32 = 1e-3;

/// What a clip does to one bone.
struct Bone<'s> {
    name: String,
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

/// The bones of a scene: the joints of its skins, then what else the clip moves, in the order of its tracks.
fn bones<'s>(scene: &'s Scene, clip: &'s Clip) -> Vec<Bone<'s>> {
    let joints = || scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    // A file for one skeleton is for the first.
    let first_skin = scene.skins.iter().next().map_or(0, |skin| skin.joints.len());
    let moved = clip.tracks.iter().map(|track| track.target.clone());
    let mut seen = HashSet::new();
    let mut bones: Vec<(Target, Bone<'s>)> = Vec::new();
    for target in joints().map(Target::Node).chain(moved).filter(|target| seen.insert(target.clone())) {
        let (name, rest) = match &target {
            Target::Name(name) => (name.clone(), None),
            Target::Node(node) => {
                let node = scene.nodes.get(*node);
                (node.map(|node| node.name.clone()).unwrap_or_default(), node.map(|node| node.transform.trs()))
            }
        };
        let is_joint = bones.len() < first_skin;
        let first_track = clip.tracks.iter().position(|track| track.target == target).unwrap_or(usize::MAX);
        bones.push((target, Bone { name, rest, curves: Vec::new(), is_joint, first_track }));
    }
    let index_of: HashMap<Target, usize> =
        bones.iter().enumerate().map(|(at, (target, _))| (target.clone(), at)).collect();
    for track in clip.tracks.iter().filter(|track| !track.curve.times_secs().is_empty()) {
        let bone = index_of.get(&track.target).and_then(|&at| bones.get_mut(at));
        if let Some((_, bone)) = bone {
            bone.curves.push((&track.curve, track.blend.unwrap_or(clip.blend)));
        }
    }
    bones.into_iter().map(|(_, bone)| bone).collect()
}

/// Bones that belong together.
type Partners<'p, 's> = Vec<(Option<&'p Bone<'s>>, Option<&'p Bone<'s>>)>;

/// Every way in which the bones of two scenes may belong together: by name, and those that are left over in the order of the joints, or of
/// the tracks that move them.
fn partners<'p, 's>(a: &'p [Bone<'s>], b: &'p [Bone<'s>]) -> Vec<Partners<'p, 's>> {
    let mut free: Vec<&Bone<'s>> = b.iter().collect();
    let mut named: Partners<'p, 's> = Vec::new();
    let mut left: Vec<&Bone<'s>> = Vec::new();
    for bone in a {
        match free.iter().position(|other| other.name == bone.name) {
            Some(place) => named.push((Some(bone), Some(free.remove(place)))),
            None => left.push(bone),
        }
    }
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

/// Compares what two clips do to their bones.
pub fn compare(a: (&Scene, &Clip), b: (&Scene, &Clip), subject: &str, found: &mut Found) {
    let (bones_a, bones_b) = (bones(a.0, a.1), bones(b.0, b.1));
    let ways = partners(&bones_a, &bones_b).into_iter().map(|partners| Worst::of(&partners));
    // Of several ways to take two lists, the one by which they differ least.
    if let Some(mut least) = ways.min_by(|a, b| a.total().total_cmp(&b.total())) {
        if a.1.blend != b.1.blend {
            // That is told of the clip as a whole.
            least.blends.clear();
        }
        least.report(subject, found);
    }
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
        let called = |bone: Option<&Bone<'_>>| match bone.map_or("", |bone| bone.name.as_str()) {
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
