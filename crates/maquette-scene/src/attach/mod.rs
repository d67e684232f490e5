//! Puts an animation that knows its bones by name onto a model.
//!
//! A file of animation alone has neither hierarchy nor rest pose. Here it meets both: names become nodes, values that are meant
//! relative to the rest pose become absolute as [`pose`](crate::pose) defines it, and a blend that a bone has of its own
//! reaches the bones below it ([`ModifierScope`]). The result moves the model as the clip was meant to, and can be
//! written to formats that know nothing of all this.

use crate::arena::Handle;
use crate::clip::{Blend, Clip, Target, Track};
use crate::compose::make_absolute;
use crate::loss::{LossKind, LossReport, Lost, subject};
use crate::scene::{Node, Scene, Trs};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Which bones a blend is for that one bone has of its own. Tools differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModifierScope {
    /// The bone alone.
    SelfOnly,
    /// What is below the bone, but not the bone.
    Descendants,
    /// The bone and what is below it, up to the next that has one of its own.
    #[default]
    Both,
}

/// How bones are matched with nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttachOptions {
    /// Which bones a blend is for that one bone has of its own.
    pub scope: ModifierScope,
    /// Names of bones, and the names of the nodes they are for. A bone that is mapped to an empty name is left out.
    pub map: BTreeMap<String, String>,
    /// Beginnings of names that are passed over on both sides: `ValveBiped.`.
    pub prefixes: Vec<String>,
    /// Whether namespaces are passed over on both sides: `mixamorig:Hips` is `Hips`.
    pub ignore_namespaces: bool,
}

impl AttachOptions {
    /// A name without what is passed over, and without regard to case.
    fn bare(&self, name: &str) -> String {
        let mut bare = name;
        if self.ignore_namespaces {
            bare = bare.rsplit([':', '|']).next().unwrap_or(bare);
        }
        let longest =
            self.prefixes.iter().filter(|prefix| starts_with_ignoring_case(bare, prefix)).map(String::len).max();
        bare.get(longest.unwrap_or(0)..).unwrap_or(bare).to_lowercase()
    }

    fn passes_anything_over(&self) -> bool {
        self.ignore_namespaces || !self.prefixes.is_empty()
    }
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Attached {
    /// The clip in the scene. Its tracks move nodes, with absolute values.
    pub clip: Handle<Clip>,
    /// How many nodes it moves.
    pub moved_nodes: usize,
    /// The names that no node has, in the order of the tracks: of a bone that is mapped, the one it is mapped to.
    pub unmatched: Vec<String>,
}

/// Adds a clip to a scene, its tracks put onto the nodes of the names they have.
///
/// A name is looked for as it is mapped to or as it is, then in any case, then without what the options pass over, and last among the nodes that
/// have none and are called by their index ([`Scene::node_name`]). Of several nodes of one name the
/// first is taken, parents before children. A track without a name stands for the first root if the clip is a [`Blend::Delta`] one.
pub fn attach(scene: &mut Scene, clip: &Clip, options: &AttachOptions, losses: &mut LossReport) -> Attached {
    let matches = Matches::of(scene, clip, options);
    matches.report(clip, scene.clips.len(), losses);
    let blends = Blends::of(scene, clip, &matches, options.scope);
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
    let unmatched = matches.unmatched.into_iter().map(|(_, wanted)| wanted).collect();
    Attached { clip, moved_nodes: moved.len(), unmatched }
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
        // It was composed with the rest pose of another model.
        composed_from: None,
        extras: clip.extras.clone(),
    }
}

/// Which node each name means.
#[derive(Default)]
struct Matches {
    nodes: HashMap<String, Handle<Node>>,
    count: usize,
    /// Names of bones, and the names for them that no node has.
    unmatched: Vec<(String, String)>,
    /// Names that several nodes have.
    ambiguous: Vec<String>,
    /// Names that a node has in another case, or with another prefix or namespace.
    other_name: Vec<String>,
    /// Names of nodes that have none and are called by their index.
    by_index: Vec<String>,
    /// Names that are mapped to nothing.
    left_out: Vec<String>,
}

impl Matches {
    fn of(scene: &Scene, clip: &Clip, options: &AttachOptions) -> Matches {
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
            let wanted = options.map.get(name).map_or(name, String::as_str);
            if wanted.is_empty() && !name.is_empty() {
                matches.left_out.push(name.to_owned());
                continue;
            }
            let root = if name.is_empty() && clip.blend == Blend::Delta { order.first() } else { None };
            let same = if name.is_empty() { None } else { exact.get(wanted) };
            let found = root.or(same.and_then(|nodes| nodes.first()));
            let Some(&handle) = found else {
                left.push((name, wanted));
                continue;
            };
            if same.is_some_and(|nodes| nodes.len() > 1) {
                matches.ambiguous.push(name.to_owned());
            }
            taken.insert(handle);
            matches.nodes.insert(name.to_owned(), handle);
        }
        // Only now, so that a name never loses its node to another in another case.
        let mut still_left = Vec::new();
        for (name, wanted) in left {
            let same = if name.is_empty() { None } else { any_case.get(&wanted.to_lowercase()) };
            match same.and_then(|nodes| nodes.first().map(|&first| (first, nodes.len()))) {
                Some((handle, count)) if taken.insert(handle) => {
                    matches.nodes.insert(name.to_owned(), handle);
                    let list = if count > 1 { &mut matches.ambiguous } else { &mut matches.other_name };
                    list.push(name.to_owned());
                }
                _ => still_left.push((name, wanted)),
            }
        }
        let mut bare: HashMap<String, Handle<Node>> = HashMap::new();
        if options.passes_anything_over() {
            for (handle, node) in order.iter().filter_map(|&handle| Some((handle, scene.nodes.get(handle)?))) {
                bare.entry(options.bare(&node.name)).or_insert(handle);
            }
        }
        let nameless = order.iter().filter(|&&handle| scene.nodes.get(handle).is_some_and(|node| node.name.is_empty()));
        let by_index: HashMap<_, _> = nameless.map(|&handle| (scene.node_name(handle), handle)).collect();
        for (name, wanted) in still_left {
            let named = bare.get(&options.bare(wanted)).filter(|_| !name.is_empty());
            let placed = by_index.get(wanted).filter(|handle| named.is_none() && !taken.contains(handle));
            match named.or(placed) {
                Some(&handle) if taken.insert(handle) => {
                    matches.nodes.insert(name.to_owned(), handle);
                    let list = if placed.is_some() { &mut matches.by_index } else { &mut matches.other_name };
                    list.push(name.to_owned());
                }
                _ => matches.unmatched.push((name.to_owned(), wanted.to_owned())),
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

    fn report(&self, clip: &Clip, index: usize, losses: &mut LossReport) {
        let subject = subject("clip", index, &clip.name);
        let is_left_out = |target: &Target| matches!(target, Target::Name(name) if self.left_out.contains(name));
        let unmatched = |track: &&Track| self.node(&track.target).is_none() && !is_left_out(&track.target);
        let lost = clip.tracks.iter().filter(unmatched).count();
        let missing = self.unmatched.iter().map(|(name, wanted)| match name == wanted {
            true => format!("{name:?}"),
            false => format!("{wanted:?} (for {name:?})"),
        });
        let detail = format!("no node is named {}", shortened(missing));
        losses.dropped(Lost::Tracks, &*subject, detail, lost as u64);
        let detail = format!("several nodes have the name, only the first moves: {}", listed(&self.ambiguous));
        losses.dropped(Lost::NodeNames, &*subject, detail, self.ambiguous.len() as u64);
        let detail =
            format!("nodes have the name in another case, or with another prefix: {}", listed(&self.other_name));
        losses.push(LossKind::Renamed, Lost::NodeNames, &*subject, detail, self.other_name.len() as u64);
        let detail = format!("nodes without a name are matched by their index: {}", listed(&self.by_index));
        losses.push(LossKind::Renamed, Lost::NodeNames, &*subject, detail, self.by_index.len() as u64);
        let detail = format!("the bone map leaves out {}", listed(&self.left_out));
        losses.dropped(Lost::Tracks, subject, detail, self.left_out.len() as u64);
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
    shortened(names.iter().map(|name| format!("{name:?}")))
}

fn shortened(mut texts: impl Iterator<Item = String>) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = texts.by_ref().take(SHOWN).collect();
    let more = texts.count();
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
