//! Animations: keys as they are, with their interpolation; only the order of times and the length of quaternions are mended.

use super::super::buffers::Found;
use super::super::check::{KEY_COUNT, NOT_FINITE};
use super::super::rotation::{self, Normalised};
use super::super::schema::{self, AnimationSampler, Channel};
use super::nodes::Nodes;
use super::{Called, Reading, called};
use crate::rising::Rising;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::{Diagnostic, Path, Scene, path, valid};

impl Reading<'_> {
    pub(super) fn animations(&mut self, scene: &mut Scene, nodes: &Nodes) -> Found<()> {
        let document = self.document;
        for (index, animation) in document.animations.iter().enumerate() {
            let clip = self.clip(index, animation, nodes)?;
            scene.clips.push(clip);
        }
        Ok(())
    }

    fn clip(&mut self, index: usize, animation: &schema::Animation, nodes: &Nodes) -> Found<Clip> {
        let subject = called("clip", index, animation.name.as_ref());
        let mut clip = Clip { name: animation.name.clone().unwrap_or_default(), ..Clip::default() };
        clip.tracks.reserve_exact(animation.channels.len());
        let hidden = hidden(&animation.channels);
        let mut dropped = Dropped::default();
        for (position, channel) in animation.channels.iter().enumerate() {
            let at = || path!("json", "animations", index, "channels", position);
            let Some(node) = channel.target.node else {
                dropped.without_node += 1;
                continue;
            };
            let Some(handle) = nodes.get(node).copied().flatten() else {
                dropped.not_in_scene += 1;
                continue;
            };
            if hidden.get(position) == Some(&true) {
                dropped.twice += 1;
                continue;
            }
            let Some(sampler) = animation.samplers.get(channel.sampler) else { continue };
            let Some(curve) = self.curve(channel, sampler, node, subject, &at)? else {
                dropped.other.push(channel.target.path.as_str());
                continue;
            };
            let end = curve.times_secs().last().copied().map_or(0.0, f64::from);
            clip.duration_secs = clip.duration_secs.max(end);
            clip.tracks.push(Track { target: Target::Node(handle), curve, blend: None });
        }
        self.report(dropped, subject);
        self.clip_extras(&mut clip, animation.extras.as_ref(), subject);
        Ok(clip)
    }

    fn report(&mut self, dropped: Dropped<'_>, subject: Called<'_>) {
        let what = Lost::Tracks;
        self.losses.dropped(what, subject, "they animate no node", dropped.without_node);
        self.losses.dropped(
            what,
            subject,
            "they animate nodes that are not in the default scene",
            dropped.not_in_scene,
        );
        self.losses.dropped(what, subject, "a later channel animates the same property", dropped.twice);
        let mut names = dropped.other;
        if names.is_empty() {
            return;
        }
        let count = names.len() as u64;
        names.sort_unstable();
        names.dedup();
        self.losses.dropped(what, subject, format!("nothing is known of {}", names.join(", ")), count);
    }

    fn curve(
        &mut self,
        channel: &Channel,
        sampler: &AnimationSampler,
        node: usize,
        subject: Called<'_>,
        at: &dyn Fn() -> Path,
    ) -> Found<Option<Curve>> {
        let property = channel.target.path.as_str();
        let targets = match property {
            "translation" | "rotation" | "scale" => 1,
            "weights" => match self.targets(node) {
                0 => return Ok(None),
                targets => targets,
            },
            _ => return Ok(None),
        };
        let interpolation = self.interpolation(sampler, subject);
        let times = self.key_floats::<1>(sampler.input, at)?.into_flattened();
        if times.is_empty() {
            return Ok(None);
        }
        let source = Source { reading: self, sampler, times, interpolation, subject, at };
        Ok(Some(match property {
            "translation" => Curve::Translation(source.keys::<3>()?),
            "scale" => Curve::Scale(source.keys::<3>()?),
            "rotation" => Curve::Rotation(source.rotations()?),
            _ => Curve::MorphWeights(source.weights(targets)?),
        }))
    }

    /// Each channel has keys of its own, though many may play one sampler.
    fn key_floats<const N: usize>(&self, accessor: usize, at: &dyn Fn() -> Path) -> Found<Vec<[f32; N]>> {
        let count = self.accessors.elements(accessor)?.count;
        self.accessors.spend_for_keys(count.saturating_mul(4 * N) as u64, at)?;
        self.floats(accessor, at)
    }

    fn targets(&self, node: usize) -> usize {
        let mesh = self.document.nodes.get(node).and_then(|node| self.document.meshes.get(node.mesh?));
        mesh.and_then(|mesh| mesh.primitives.first()).map_or(0, |primitive| primitive.targets.len())
    }

    fn interpolation(&mut self, sampler: &AnimationSampler, subject: Called<'_>) -> Interpolation {
        match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                self.losses.dropped(Lost::FormatDetails, subject, format!("{other} is not known, LINEAR is taken"), 1);
                Interpolation::Linear
            }
        }
    }
}

/// Which channels have no effect, because a later one animates the same property.
fn hidden(channels: &[Channel]) -> Vec<bool> {
    let mut hidden = vec![false; channels.len()];
    let named = channels.iter().map(|channel| (channel.target.node, channel.target.path.as_str()));
    // Most files list channels node by node, so that little is left to sort.
    let mut targets: Vec<(_, usize)> = named.zip(0..).collect();
    targets.sort_unstable();
    for (&(target, position), (next, _)) in targets.iter().zip(targets.iter().skip(1)) {
        if let Some(hidden) = hidden.get_mut(position) {
            *hidden = target == *next;
        }
    }
    hidden
}

/// Channels that are left out, and why.
#[derive(Default)]
struct Dropped<'a> {
    without_node: u64,
    not_in_scene: u64,
    twice: u64,
    other: Vec<&'a str>,
}

/// The keys of one channel.
struct Source<'s, 'a> {
    reading: &'s mut Reading<'a>,
    sampler: &'s AnimationSampler,
    times: Vec<f32>,
    interpolation: Interpolation,
    subject: Called<'s>,
    at: &'s dyn Fn() -> Path,
}

impl Source<'_, '_> {
    /// Values of each key: a spline's has an in-tangent and an out-tangent.
    fn each(&self) -> usize {
        if self.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
    }

    fn values<const N: usize>(&self, targets: usize) -> Found<Vec<[f32; N]>> {
        let values = self.reading.key_floats::<N>(self.sampler.output, self.at)?;
        let each = self.each() * targets;
        if self.times.len().checked_mul(each) != Some(values.len()) {
            let message = format!("{} values for {} times", values.len(), self.times.len());
            let finding = Diagnostic::new(&KEY_COUNT, (self.at)().join("sampler"), message);
            return Err(Box::new(finding.expected(format!("{each} for each time"))));
        }
        for (accessor, values) in [(self.sampler.input, &*self.times), (self.sampler.output, values.as_flattened())] {
            if !valid::all_finite(values) {
                let finding = Diagnostic::new(&NOT_FINITE, path!("json", "accessors", accessor), "a key is not finite");
                return Err(Box::new(finding.expected("finite numbers")));
            }
        }
        Ok(values)
    }

    fn keys<const N: usize>(self) -> Found<Keys<[f32; N]>> {
        let values = self.values::<N>(1)?;
        Ok(self.rising(values))
    }

    fn rotations(self) -> Found<Keys<[f32; 4]>> {
        let mut values = self.values::<4>(1)?;
        let each = self.each();
        if each == 1 && rotation::are_unit(&values) {
            return Ok(self.rising(values));
        }
        // Integers stand for the unit quaternion that was rounded to them, so that getting it back is no loss.
        let allowed = rotation::quantisation(&self.reading.accessors.elements(self.sampler.output)?);
        let mut normalised = Normalised::default();
        for key in values.chunks_mut(each) {
            let deviation = rotation::normalise_key(key);
            if deviation > allowed {
                normalised.note(deviation);
            }
        }
        normalised.report(self.reading.losses, self.subject);
        Ok(self.rising(values))
    }

    fn weights(self, targets: usize) -> Found<Keys<Vec<f32>>> {
        let values = self.values::<1>(targets)?.into_flattened();
        let values = values.chunks(targets.max(1)).map(<[f32]>::to_vec).collect();
        Ok(self.rising(values))
    }

    /// Keys in the order of their times; of several at one time, the last.
    fn rising<T: Clone>(self, values: Vec<T>) -> Keys<T> {
        let each = self.each();
        let Source { reading, times, interpolation, subject, .. } = self;
        let Some(rising) = Rising::of(&times) else { return Keys { times_secs: times, values, interpolation } };
        let detail = "keys are put into the order of their times; of several at one time the last is kept";
        let count = times.len() as u64;
        reading.losses.push(LossKind::Approximated { max_error: 0.0 }, Lost::Keys, subject, detail, count);
        Keys { times_secs: rising.pick(&times, 1), values: rising.pick(&values, each), interpolation }
    }
}
