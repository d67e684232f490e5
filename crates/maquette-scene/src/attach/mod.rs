//! Puts an animation that knows its bones by name onto a model.
//!
//! A file of animation alone has neither hierarchy nor rest pose. Here it meets both: names become nodes, values that are meant
//! relative to the rest pose become absolute as [`pose`](crate::pose) defines it, and a blend that a bone has of its own
//! reaches the bones below it ([`ModifierScope`]). The result moves the model as the clip was meant to, and can be
//! written to formats that know nothing of all this.

use crate::arena::Handle;
use crate::clip::{Blend, Clip, Target, Track};
use crate::compose::make_absolute;
use crate::loss::{LossKind, LossReport, Lost};
use crate::scene::{Node, Scene, Trs};
use std::collections::{HashMap, HashSet};

/// Which bones a blend is for that one bone has of its own. Tools differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModifierScope {
    /// The bone alone.
    SelfOnly,
    /// What is below the bone, but not the bone.
    Descendants,
    /// The bone and what is below it, up to the next that has one of its own.
    #[default]
    Both,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attached {
    /// The clip in the scene. Its tracks move nodes, with absolute values.
    pub clip: Handle<Clip>,
    /// How many nodes it moves.
    pub moved_nodes: usize,
    /// The names that no node has, in the order of the tracks.
    pub unmatched: Vec<String>,
}

/// Adds a clip to a scene, its tracks put onto the nodes of the names they have. A blend of one bone's own is for the bone and
/// what is below it.
///
/// A name is looked for as it is, then in any case. Of several nodes of one name the first is taken, parents before
/// children. A track without a name stands for the first root if the clip is a [`Blend::Delta`] one.
pub fn attach(scene: &mut Scene, clip: &Clip, losses: &mut LossReport) -> Attached {
    attach_within(scene, clip, ModifierScope::default(), losses)
}

/// As [`attach`], with the scope of a bone's own blend.
pub fn attach_within(scene: &mut Scene, clip: &Clip, scope: ModifierScope, losses: &mut LossReport) -> Attached {
    let mut matches = Matches::of(scene, clip);
    matches.report(clip, losses);
    let blends = Blends::of(scene, clip, &matches, scope);
    let mut moved = HashSet::new();
    let mut tracks = Vec::with_capacity(clip.tracks.len());
    for track in &clip.tracks {
        let Some(handle) = matches.node(&track.target) else { continue };
        let rest = scene.nodes.get(handle).map_or(Trs::IDENTITY, |node| node.transform.trs());
        let mut curve = track.curve.clone();
        make_absolute(&mut curve, blends.of_track(track, handle), &rest);
        tracks.push(Track { target: Target::Node(handle), curve, blend: None });
        moved.insert(handle);
    }
    let clip = scene.clips.push(Clip { tracks, blend: Blend::Absolute, ..frame_of(clip) });
    Attached { clip, moved_nodes: moved.len(), unmatched: std::mem::take(&mut matches.unmatched) }
}

/// A clip with everything but its tracks.
fn frame_of(clip: &Clip) -> Clip {
    Clip {
        name: clip.name.clone(),
        duration_secs: clip.duration_secs,
        tracks: Vec::new(),
        events: clip.events.clone(),
        blend: clip.blend,
        looped: clip.looped,
        frame_rate: clip.frame_rate,
        extras: clip.extras.clone(),
    }
}

/// Which node each name means.
#[derive(Default)]
struct Matches {
    nodes: HashMap<String, Handle<Node>>,
    count: usize,
    unmatched: Vec<String>,
    /// Names that several nodes have.
    ambiguous: Vec<String>,
    /// Names that a node has in another case.
    other_case: Vec<String>,
}

impl Matches {
    fn of(scene: &Scene, clip: &Clip) -> Matches {
        let order = scene.nodes_parents_first();
        let mut exact: HashMap<&str, Vec<Handle<Node>>> = HashMap::new();
        let mut any_case: HashMap<String, Vec<Handle<Node>>> = HashMap::new();
        for &handle in &order {
            let Some(node) = scene.nodes.get(handle) else { continue };
            exact.entry(&node.name).or_default().push(handle);
            any_case.entry(node.name.to_lowercase()).or_default().push(handle);
        }
        let mut matches = Matches { count: scene.nodes.len(), ..Matches::default() };
        let mut left = Vec::new();
        let mut taken = HashSet::new();
        for name in names(clip) {
            let root = if name.is_empty() && clip.blend == Blend::Delta { order.first() } else { None };
            let same = if name.is_empty() { None } else { exact.get(name) };
            let found = root.or(same.and_then(|nodes| nodes.first()));
            let Some(&handle) = found else {
                left.push(name);
                continue;
            };
            if same.is_some_and(|nodes| nodes.len() > 1) {
                matches.ambiguous.push(name.to_owned());
            }
            taken.insert(handle);
            matches.nodes.insert(name.to_owned(), handle);
        }
        // Only now, so that a name never loses its node to another in another case.
        for name in left {
            let same = if name.is_empty() { None } else { any_case.get(&name.to_lowercase()) };
            match same.and_then(|nodes| nodes.first().map(|&first| (first, nodes.len()))) {
                Some((handle, count)) if taken.insert(handle) => {
                    matches.nodes.insert(name.to_owned(), handle);
                    let list = if count > 1 { &mut matches.ambiguous } else { &mut matches.other_case };
                    list.push(name.to_owned());
                }
                _ => matches.unmatched.push(name.to_owned()),
            }
        }
        matches
    }

    /// The node of a target. One that is a node already stays, if it exists.
    fn node(&self, target: &Target) -> Option<Handle<Node>> {
        match target {
            Target::Node(handle) => (handle.index() < self.count).then_some(*handle),
            Target::Name(name) => self.nodes.get(name).copied(),
        }
    }

    fn report(&self, clip: &Clip, losses: &mut LossReport) {
        let subject = format!("clip {:?}", clip.name);
        let lost = clip.tracks.iter().filter(|track| self.node(&track.target).is_none()).count();
        let detail = format!("no node is named {}", listed(&self.unmatched));
        losses.dropped(Lost::Tracks, &*subject, detail, lost as u64);
        let detail = format!("several nodes have the name, only the first moves: {}", listed(&self.ambiguous));
        losses.dropped(Lost::NodeNames, &*subject, detail, self.ambiguous.len() as u64);
        let detail = format!("nodes have the name in another case: {}", listed(&self.other_case));
        losses.push(LossKind::Renamed, Lost::NodeNames, subject, detail, self.other_case.len() as u64);
    }
}

/// The names of a clip's tracks, each once, in order.
fn names(clip: &Clip) -> Vec<&str> {
    let mut seen = HashSet::new();
    let all = clip.tracks.iter().filter_map(|track| match &track.target {
        Target::Name(name) => Some(name.as_str()),
        Target::Node(_) => None,
    });
    all.filter(|name| seen.insert(*name)).collect()
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let more = names.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

/// How the values of each bone are to be taken.
struct Blends {
    of_clip: Blend,
    scope: ModifierScope,
    /// For each node, the blend of the nearest node above it that has one of its own.
    from_above: Vec<Option<Blend>>,
}

impl Blends {
    fn of(scene: &Scene, clip: &Clip, matches: &Matches, scope: ModifierScope) -> Blends {
        let mut own: Vec<Option<Blend>> = vec![None; scene.nodes.len()];
        for track in &clip.tracks {
            let slot = matches.node(&track.target).and_then(|handle| own.get_mut(handle.index()));
            if let Some(slot) = slot {
                *slot = slot.or(track.blend);
            }
        }
        let parents = scene.parents();
        let mut from_above: Vec<Option<Blend>> = vec![None; scene.nodes.len()];
        for handle in scene.nodes_parents_first() {
            let Some(parent) = parents.get(handle.index()).copied().flatten() else { continue };
            let of = |list: &[Option<Blend>]| list.get(parent.index()).copied().flatten();
            let nearest = of(&own).or(of(&from_above));
            if let Some(slot) = from_above.get_mut(handle.index()) {
                *slot = nearest;
            }
        }
        Blends { of_clip: clip.blend, scope, from_above }
    }

    fn of_track(&self, track: &Track, handle: Handle<Node>) -> Blend {
        let above = self.from_above.get(handle.index()).copied().flatten();
        let nearest = match self.scope {
            ModifierScope::SelfOnly => track.blend,
            ModifierScope::Descendants => above,
            ModifierScope::Both => track.blend.or(above),
        };
        nearest.unwrap_or(self.of_clip)
    }
}

#[cfg(test)]
mod tests;
