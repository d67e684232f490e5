//! Animations to clips, cut and named as the JSON file says.
//!
//! Without clips in the JSON file each animation is a clip without a name. With them, the first animation is cut into these clips, as
//! the engine does, and the others stay whole. A clip lasts from its first matrix to its last; a matrix is a key at its tick. The
//! engine shows whole ticks; between them the curves are straight.

use super::super::check::{ANIMATION_NODE, ANIMATION_NOT_FINITE, TOO_MANY};
use super::super::placement::PREFIX;
use super::super::raw::{Animation, File};
use super::super::sidecar::{self, Settings};
use super::motion::Motion;
use super::{Tree, meaning};
use crate::format::{AnimationMatrices, Error, ReadOptions, Result, refuse};
use crate::rules::matrices::MatrixOrder;
use crate::rules::numbers;
use maquette_scene::diag::Diagnostic;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::{Scene, path};
use std::borrow::Cow;
use std::collections::HashMap;

/// Ticks in a second where the file says 0.
const USUAL_RATE: u32 = 30;
/// How many other files are read for their animation at most.
const MAX_FILES: usize = 256;
/// How many keys may be made beyond four times those that are stored.
const MAX_SPARE_KEYS: u64 = 1 << 20;

/// Reads the animations of one file.
pub(super) struct Reader<'f> {
    file: &'f File<'f>,
    tree: &'f Tree,
    order: MatrixOrder,
    meaning: AnimationMatrices,
    options: &'f ReadOptions<'f>,
    /// How many keys may still be made.
    keys_left: u64,
    files_left: usize,
}

impl<'f> Reader<'f> {
    pub fn new(
        file: &'f File<'f>,
        tree: &'f Tree,
        order: MatrixOrder,
        meaning: AnimationMatrices,
        options: &'f ReadOptions<'f>,
    ) -> Reader<'f> {
        let keys_left = 4 * stored_keys(file) + MAX_SPARE_KEYS;
        Reader { file, tree, order, meaning, options, keys_left, files_left: MAX_FILES }
    }

    pub fn read(mut self, settings: &Settings, scene: &mut Scene, losses: &mut LossReport) -> Result<()> {
        let mut motions = Vec::with_capacity(self.file.animations.len());
        for (index, animation) in self.file.animations.iter().enumerate() {
            motions.push(self.motion(index, animation, losses)?);
        }
        let whole = if settings.clips.is_empty() { 0 } else { 1 };
        // An animation without bones may claim any length and holds nothing to lose.
        let first = motions.first().filter(|(motion, _)| !motion.bones.is_empty());
        let mut covered = vec![false; first.map_or(0, |(_, ticks)| *ticks)];
        for (index, named) in settings.clips.iter().enumerate() {
            self.named(index, named, motions.first(), &mut covered, scene, losses)?;
        }
        if whole == 1 {
            let left = covered.iter().filter(|covered| !**covered).count() as u64;
            losses.dropped(Lost::KeyTimes, "animation 0", "ticks that no clip of the JSON file takes in", left);
        }
        for (index, (motion, ticks)) in motions.iter().enumerate().skip(whole) {
            let subject = format!("animation {index}");
            self.spend(motion, *ticks)?;
            scene.clips.push(motion.clip(self.tree, (0, ticks.saturating_sub(1)), &subject, losses));
        }
        Ok(())
    }

    /// Takes the keys of a clip from those that may be made.
    fn spend(&mut self, motion: &Motion<'_>, ticks: usize) -> Result<()> {
        let left = self.keys_left.checked_sub(motion.cost(self.tree, ticks));
        self.keys_left = left.ok_or_else(|| {
            let message = "the clips take far more keys than the file has matrices";
            match refuse(self.file, Diagnostic::new(&TOO_MANY, path!("animations"), message)) {
                Error::Malformed(finding) => Error::Unsupported(finding),
                other => other,
            }
        })?;
        Ok(())
    }

    /// An animation of this file, and how many ticks it has.
    fn motion(
        &self,
        index: usize,
        animation: &'f Animation<'f>,
        losses: &mut LossReport,
    ) -> Result<(Motion<'f>, usize)> {
        let mut bones = HashMap::new();
        for (position, bone) in animation.bones.iter().enumerate() {
            let at = path!("animations", index, "bones", position);
            let Some(&node) = self.tree.by_id.get(&bone.node_id) else {
                let message = format!("no node has the id {}", bone.node_id);
                return Err(refuse(self.file, Diagnostic::new(&ANIMATION_NODE, at.join("node_id"), message)));
            };
            if let Some(tick) = bone.matrices.iter().position(|matrix| !numbers::all_finite(matrix)) {
                let at = at.join("matrices").join(tick);
                let finding = Diagnostic::new(&ANIMATION_NOT_FINITE, at, "the matrix holds a NaN or an infinity");
                return Err(refuse(self.file, finding));
            }
            bones.insert(node, &*bone.matrices);
        }
        let subject = format!("animation {index}");
        let repeated = (animation.bones.len() - bones.len()) as u64;
        losses.dropped(Lost::Joints, &subject, "the animation moves one node twice; the later matrices hold", repeated);
        let bones = bones.into_iter().filter(|(_, matrices)| !matrices.is_empty()).collect();
        let rate = rate(animation, &subject, losses);
        let motion = Motion { rate, bones, order: self.order, meaning: self.meaning };
        Ok((motion, ticks(self.file, animation)))
    }

    /// A clip of the JSON file.
    fn named(
        &mut self,
        index: usize,
        named: &sidecar::Clip,
        own: Option<&(Motion<'f>, usize)>,
        covered: &mut [bool],
        scene: &mut Scene,
        losses: &mut LossReport,
    ) -> Result<()> {
        let subject = subject("clip", index, named.name.as_deref().unwrap_or_default());
        if let Some(name) = &named.file {
            return self.borrowed(name, named, &subject, scene, losses);
        }
        let Some((motion, ticks)) = own else {
            losses.dropped(Lost::Clips, &subject, format!("there is no animation for clip {index} to be a part of"), 1);
            return Ok(());
        };
        if let Some((first, last)) = self.cut(named, motion, *ticks, &subject, scene, losses)? {
            covered.iter_mut().take(last + 1).skip(first).for_each(|covered| *covered = true);
        }
        Ok(())
    }

    /// Adds the part of a motion that a clip of the JSON file names, and tells its first and last tick.
    fn cut(
        &mut self,
        named: &sidecar::Clip,
        motion: &Motion<'_>,
        ticks: usize,
        subject: &str,
        scene: &mut Scene,
        losses: &mut LossReport,
    ) -> Result<Option<(usize, usize)>> {
        let end = ticks.saturating_sub(1);
        let tick = |tick: Option<u64>, otherwise: usize| tick.map_or(otherwise, |tick| tick.min(1 << 32) as usize);
        let (first, last) = (tick(named.start, 0), tick(named.end, end));
        if first > last || first > end {
            let detail = format!("it goes from tick {first} to {last}, and the animation from 0 to {end}");
            losses.dropped(Lost::Clips, subject, detail, 1);
            return Ok(None);
        }
        let past = last.saturating_sub(end) as u64;
        losses.push(LossKind::Truncated, Lost::KeyTimes, subject, format!("the animation ends at tick {end}"), past);
        let last = last.min(end);
        self.spend(motion, last - first + 1)?;
        let mut clip = motion.clip(self.tree, (first, last), subject, losses);
        clip.name = named.name.clone().unwrap_or_default();
        clip.looped = match (named.looped, named.hold) {
            (Some(true), _) => Some(true),
            (Some(false), _) | (None, Some(true)) => Some(false),
            (None, _) => None,
        };
        if named.hold == Some(true) {
            clip.extras.set(PREFIX, "hold", "true");
        }
        scene.clips.push(clip);
        Ok(Some((first, last)))
    }

    /// Adds a clip that is a part of another file's first animation, whose bones are found by name.
    fn borrowed(
        &mut self,
        name: &str,
        named: &sidecar::Clip,
        subject: &str,
        scene: &mut Scene,
        losses: &mut LossReport,
    ) -> Result<()> {
        let Some(left) = self.files_left.checked_sub(1) else {
            losses.dropped(Lost::Clips, subject, format!("clips of more than {MAX_FILES} files"), 1);
            return Ok(());
        };
        self.files_left = left;
        let (source, path) = (&self.options.source, name.replace('\\', "/"));
        let bytes: Option<Cow<'_, [u8]>> = source.resources.get(&path);
        let Some(bytes) = bytes else {
            losses.dropped(Lost::Clips, subject, source.lacks(&path), 1);
            return Ok(());
        };
        let other = match File::parse(&bytes) {
            Ok(other) => other,
            Err(error) => {
                losses.dropped(Lost::Clips, subject, format!("{name:?}: {error}"), 1);
                return Ok(());
            }
        };
        let Some(animation) = other.animations.first() else {
            losses.dropped(Lost::Clips, subject, format!("{name:?} has no animation"), 1);
            return Ok(());
        };
        let motion = Motion {
            rate: rate(animation, subject, losses),
            bones: matched(&other, animation, scene, subject, losses),
            order: self.options.matrix_order.unwrap_or_else(|| other.matrix_order().0),
            meaning: self.options.animation_matrices.unwrap_or_else(|| meaning(other.dialect)),
        };
        self.keys_left += 4 * stored_keys(&other);
        self.cut(named, &motion, ticks(&other, animation), subject, scene, losses)?;
        Ok(())
    }
}

/// The bones of another file's animation that are nodes of this one, by their names.
fn matched<'o>(
    other: &'o File<'o>,
    animation: &'o Animation<'o>,
    scene: &Scene,
    subject: &str,
    losses: &mut LossReport,
) -> Vec<(usize, &'o [super::Matrix])> {
    let mut here = HashMap::new();
    for (index, node) in scene.nodes.iter().enumerate().filter(|(_, node)| !node.name.is_empty()) {
        here.entry(node.name.as_bytes()).or_insert(index);
    }
    let there: HashMap<u32, &[u8]> = other.bone_names.iter().rev().map(|bone| (bone.node_id, &*bone.name)).collect();
    let mut bones = HashMap::new();
    for bone in &animation.bones {
        let node = there.get(&bone.node_id).and_then(|name| here.get(name));
        if let Some(&node) = node.filter(|_| bone.matrices.iter().all(|matrix| numbers::all_finite(matrix))) {
            bones.insert(node, &*bone.matrices);
        }
    }
    let lost = (animation.bones.len() - bones.len()) as u64;
    losses.dropped(
        Lost::Joints,
        subject,
        "bones of the other file that have no name here, or no finite matrices",
        lost,
    );
    bones.into_iter().filter(|(_, matrices)| !matrices.is_empty()).collect()
}

/// How many matrices are in all animations.
fn stored_keys(file: &File<'_>) -> u64 {
    let bones = file.animations.iter().flat_map(|animation| &animation.bones);
    bones.map(|bone| bone.matrices.len() as u64).sum()
}

/// How many ticks an animation has: as many as matrices, where there are any.
fn ticks(file: &File<'_>, animation: &Animation<'_>) -> usize {
    let by_duration = || usize::try_from(file.dialect.matrices_for(animation.duration)).unwrap_or(usize::MAX);
    animation.bones.first().map_or_else(by_duration, |bone| bone.matrices.len())
}

fn rate(animation: &Animation<'_>, subject: &str, losses: &mut LossReport) -> u32 {
    let detail = format!("the file says 0 ticks a second; {USUAL_RATE} are assumed");
    losses.dropped(Lost::FrameRates, subject, detail, u64::from(animation.rate == 0));
    if animation.rate == 0 { USUAL_RATE } else { animation.rate }
}
