//! Which bones are written, in which order, under which names, and with which blend.
//!
//! Bones that were kept from a file come first, as they stood there; then what else has tracks, in the order of the tracks.

use super::keys;
use crate::format::{Error, Result};
use crate::seanim::extras::{self, Names, listed};
use crate::seanim::raw::{Channel, Modifier};
use maquette_scene::clip::{Blend, Clip, Target, Track};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::{Handle, Scene, scene::Node};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The most that the header can count.
const MAX_MODIFIERS: usize = 0xff;

/// A bone to be written.
#[derive(Default)]
pub(super) struct Draft<'s> {
    /// Its name in the scene.
    pub known_as: String,
    /// Its name in the file.
    pub name: Vec<u8>,
    pub flags: u8,
    tracks: [Option<&'s Track>; 3],
}

impl<'s> Draft<'s> {
    /// The track of a channel.
    pub fn track(&self, channel: Channel) -> Option<&'s Track> {
        Channel::ALL.iter().zip(self.tracks).find(|(at, _)| **at == channel).and_then(|(_, track)| track)
    }

    /// Its own blend, if one of its tracks has one.
    fn blend(&self, of_clip: Blend) -> Result<Option<Blend>> {
        if self.tracks.iter().flatten().all(|track| track.blend.is_none()) {
            return Ok(None);
        }
        let of = |channel| self.track(channel).map(|track| track.blend.unwrap_or(of_clip));
        let scale = of(Channel::Scale);
        match (of(Channel::Loc), of(Channel::Rot)) {
            (None, None) => Ok(scale),
            (Some(one), None) | (None, Some(one)) => Ok(Some(one)),
            (Some(loc), Some(rot)) if loc == rot => Ok(Some(loc)),
            // Absolute and relative differ in translations only, relative and additive in rotations only.
            (Some(Blend::Absolute), Some(Blend::Relative | Blend::Delta)) => Ok(Some(Blend::Absolute)),
            (Some(loc @ (Blend::Relative | Blend::Delta)), Some(Blend::Absolute | Blend::Relative | Blend::Delta)) => {
                Ok(Some(loc))
            }
            (Some(Blend::Additive), Some(Blend::Absolute)) => Ok(Some(Blend::Relative)),
            (Some(Blend::Additive), Some(rot)) => Ok(Some(rot)),
            (Some(Blend::Relative | Blend::Delta), Some(Blend::Additive)) => Ok(Some(Blend::Additive)),
            (Some(Blend::Absolute), Some(_)) => Err(Error::CannotHold(format!(
                "translations of {:?} replace the rest pose and its rotations are added to it; SEAnim has one type for both",
                self.known_as
            ))),
        }
    }
}

/// The bones of a clip.
pub(super) struct Bones<'s> {
    pub drafts: Vec<Draft<'s>>,
    subject: &'s str,
}

impl<'s> Bones<'s> {
    /// Gives every target of the clip a bone.
    pub fn of(
        scene: &Scene,
        clip: &'s Clip,
        kept: Option<Vec<extras::Bone>>,
        subject: &'s str,
        losses: &mut LossReport,
    ) -> Result<Bones<'s>> {
        let mut wanted: HashMap<&Target, String> = HashMap::new();
        for track in &clip.tracks {
            if !wanted.contains_key(&track.target) {
                wanted.insert(&track.target, wanted_name(scene, &track.target)?);
            }
        }
        let was_kept = kept.is_some();
        let kept = kept.unwrap_or_default();
        let mut names = Names::new(wanted.values().chain(kept.iter().map(|bone| &bone.name)).cloned());
        let mut drafts: Vec<Draft<'s>> = kept.into_iter().map(restored).collect();
        for draft in &drafts {
            names.take(&draft.known_as);
            names.take(&String::from_utf8_lossy(&draft.name));
        }
        let mut free: HashMap<String, usize> =
            drafts.iter().enumerate().rev().map(|(index, draft)| (draft.known_as.clone(), index)).collect();
        let mut places: HashMap<&Target, usize> = HashMap::new();
        let mut renamed = Vec::new();
        for track in &clip.tracks {
            let place = *places.entry(&track.target).or_insert_with(|| {
                let known_as = wanted.remove(&track.target).unwrap_or_default();
                if let Some(place) = free.remove(&known_as) {
                    return place;
                }
                let name = names.give(&known_as.replace('\0', "_"));
                if name != known_as || is_nameless(scene, &track.target) {
                    renamed.push(name.clone());
                }
                drafts.push(Draft { known_as, name: name.into_bytes(), ..Draft::default() });
                drafts.len() - 1
            });
            if let Some(draft) = drafts.get_mut(place) {
                add(draft, track)?;
            }
        }
        let detail = format!("bones are known by their names, which end at a NUL: written as {}", quoted(&renamed));
        losses.push(LossKind::Renamed, Lost::NodeNames, subject, detail, renamed.len() as u64);
        if !was_kept && clip.blend == Blend::Delta {
            origin_first(&mut drafts);
        }
        Ok(Bones { drafts, subject })
    }

    /// The modifiers: those that were kept if they say what the tracks do, else one for each bone with a blend of its own.
    pub fn modifiers(
        &self,
        clip: &Clip,
        kept: Option<Vec<extras::Modifier>>,
        losses: &mut LossReport,
    ) -> Result<Vec<Modifier>> {
        let blends = self.drafts.iter().map(|draft| draft.blend(clip.blend)).collect::<Result<Vec<_>>>()?;
        if let Some(restored) = kept.map(|kept| self.restored_modifiers(&kept)) {
            let said = extras::blends(restored.iter().map(|modifier| (modifier.index, modifier.anim_type_override)));
            let agrees = |(index, (draft, blend)): (usize, (&Draft<'_>, &Option<Blend>))| {
                let is_still = draft.tracks.iter().all(Option::is_none);
                is_still || said.get(&(index as u32)) == blend.as_ref()
            };
            if restored.len() <= MAX_MODIFIERS && self.drafts.iter().zip(&blends).enumerate().all(agrees) {
                return Ok(restored);
            }
            let detail = "those that were kept contradict the tracks, which may have been changed; the tracks hold";
            losses.dropped(Lost::Blending, self.subject, detail, restored.len() as u64);
        }
        let modifier = |(index, blend): (usize, Option<Blend>)| {
            Some(Modifier { index: u32::try_from(index).ok()?, anim_type_override: extras::type_of(blend?) })
        };
        let modifiers: Vec<Modifier> = blends.into_iter().enumerate().filter_map(modifier).collect();
        match modifiers.len() > MAX_MODIFIERS {
            true => Err(Error::CannotHold(format!(
                "{} bones have a blend of their own; SEAnim holds {MAX_MODIFIERS} modifiers",
                modifiers.len()
            ))),
            false => Ok(modifiers),
        }
    }

    fn restored_modifiers(&self, kept: &[extras::Modifier]) -> Vec<Modifier> {
        let index: HashMap<&str, usize> =
            self.drafts.iter().enumerate().map(|(index, draft)| (draft.known_as.as_str(), index)).collect();
        let modifier = |kept: &extras::Modifier| {
            let index = u32::try_from(*index.get(kept.bone.as_str())?).ok()?;
            Some(Modifier { index, anim_type_override: kept.anim_type })
        };
        kept.iter().filter_map(modifier).collect()
    }

    /// Reports the nodes that are not among the bones.
    pub fn left_out(&self, scene: &Scene, clip: &Clip, losses: &mut LossReport) {
        let moved: HashSet<&Target> = clip.tracks.iter().map(|track| &track.target).collect();
        let names: HashSet<&str> = self.drafts.iter().map(|draft| draft.known_as.as_str()).collect();
        let is_out = |(handle, node): &(Handle<Node>, &Node)| {
            !moved.contains(&Target::Node(*handle)) && !names.contains(node.name.as_str())
        };
        let out = scene.nodes.entries().filter(is_out).map(|(handle, _)| scene.node_name(handle));
        let out: Vec<Cow<'_, str>> = out.collect();
        let detail = format!("nothing moves {}", listed(out.iter().map(|name| &**name)));
        losses.dropped(Lost::Tracks, self.subject, detail, out.len() as u64);
    }
}

fn quoted(names: &[String]) -> String {
    listed(names.iter().map(String::as_str))
}

fn is_nameless(scene: &Scene, target: &Target) -> bool {
    matches!(target, Target::Node(node) if scene.nodes.get(*node).is_some_and(|node| node.name.is_empty()))
}

/// The name that a target asks for. A nameless node is called by its index, for a name is all that a bone has.
fn wanted_name(scene: &Scene, target: &Target) -> Result<String> {
    match target {
        Target::Name(name) => Ok(name.clone()),
        Target::Node(handle) => match scene.nodes.get(*handle) {
            Some(_) => Ok(scene.node_name(*handle).into_owned()),
            None => Err(Error::CannotHold(format!("a track moves node {handle:?}, which does not exist"))),
        },
    }
}

/// A bone as it was kept. A name that would end early in the file is taken from the scene instead.
fn restored<'s>(bone: extras::Bone) -> Draft<'s> {
    let raw = bone.raw.as_deref().and_then(extras::unhex).filter(|name| !name.contains(&0));
    let name = raw.unwrap_or_else(|| bone.name.replace('\0', "_").into_bytes());
    Draft { known_as: bone.name, name, flags: bone.flags, ..Draft::default() }
}

fn add<'s>(draft: &mut Draft<'s>, track: &'s Track) -> Result<()> {
    let Some(channel) = keys::channel(&track.curve) else { return Ok(()) };
    let place = Channel::ALL.iter().zip(&mut draft.tracks).find(|(at, _)| **at == channel);
    match place {
        Some((_, slot)) if slot.is_none() => *slot = Some(track),
        _ => {
            let property = track.curve.property();
            return Err(Error::CannotHold(format!("{:?} has two tracks for its {property}", draft.known_as)));
        }
    }
    Ok(())
}

/// The first bone of a delta animation carries the motion of the whole.
fn origin_first(drafts: &mut [Draft<'_>]) {
    let origin = drafts.iter().position(|draft| draft.name.eq_ignore_ascii_case(b"tag_origin"));
    if let Some(before) = origin.and_then(|origin| drafts.get_mut(..=origin)) {
        before.rotate_right(1);
    }
}
