//! What a clip holds, found once and kept: the tracks of each node, and where in time its keys are.

use eframe::egui::{Context, Id};
use maquette::scene::Handle;
use maquette::scene::clip::{Clip, Target};
use maquette::scene::scene::Node;
use std::sync::{Arc, OnceLock, Weak};

/// What is found in a clip.
#[derive(Debug, Default, PartialEq)]
pub struct ClipKeys {
    /// Nodes and the places of their tracks, in the order of nodes.
    by_node: Vec<(usize, usize)>,
    /// Every time at which there are keys, and how many there are up to it.
    times: Vec<(f32, u64)>,
    /// Times of events and their places, in the order of time.
    pub events: Vec<(f32, usize)>,
}

/// Up to so many keys and tracks are gone through at once; more of them on a thread.
const FEW: usize = 20_000;
/// So many clips are kept.
const KEPT: usize = 8;

type Slot = Arc<OnceLock<Arc<ClipKeys>>>;

#[derive(Clone, Default)]
struct Kept(Vec<(Weak<Clip>, Slot)>);

impl ClipKeys {
    /// What is in a clip, as soon as it is found.
    pub fn of(context: &Context, clip: &Arc<Clip>) -> Option<Arc<ClipKeys>> {
        let id = Id::unique("keys of clips");
        let same = Arc::downgrade(clip);
        let kept: Kept = context.data(|data| data.get_temp(id)).unwrap_or_default();
        if let Some((_, slot)) = kept.0.iter().find(|(there, _)| there.ptr_eq(&same)) {
            return slot.get().cloned();
        }
        let slot = Slot::default();
        let mut kept = kept;
        kept.0.retain(|(there, _)| there.strong_count() > 0);
        kept.0.push((same, Arc::clone(&slot)));
        let surplus = kept.0.len().saturating_sub(KEPT);
        kept.0.drain(..surplus);
        context.data_mut(|data| data.insert_temp(id, kept));
        let (source, found, waked) = (Arc::clone(clip), Arc::clone(&slot), context.clone());
        let find = move || {
            found.get_or_init(|| Arc::new(ClipKeys::find(&source)));
            waked.request_repaint();
        };
        let thread = || std::thread::Builder::new().name("keys".into()).spawn(find.clone());
        if is_small(clip) || thread().is_err() {
            find();
        }
        slot.get().cloned()
    }

    /// Goes through a clip.
    pub fn find(clip: &Clip) -> ClipKeys {
        let mut by_node = Vec::new();
        for (place, track) in clip.tracks.iter().enumerate() {
            if let Target::Node(node) = track.target {
                by_node.push((node.index(), place));
            }
        }
        by_node.sort_unstable();
        let all = clip.tracks.iter().flat_map(|track| track.curve.times_secs());
        let mut all: Vec<f32> = all.copied().filter(|secs| secs.is_finite()).collect();
        all.sort_unstable_by(f32::total_cmp);
        let mut times: Vec<(f32, u64)> = Vec::new();
        for (place, secs) in all.into_iter().enumerate() {
            let count = place as u64 + 1;
            match times.last_mut() {
                Some(last) if last.0 == secs => last.1 = count,
                _ => times.push((secs, count)),
            }
        }
        times.shrink_to_fit();
        let events = clip.events.iter().enumerate().map(|(place, event)| (event.time_secs, place));
        let mut events: Vec<(f32, usize)> = events.filter(|(secs, _)| secs.is_finite()).collect();
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        ClipKeys { by_node, times, events }
    }

    /// The places of the tracks that move a node.
    pub fn tracks_of(&self, node: Handle<Node>) -> impl Iterator<Item = usize> {
        let first = self.by_node.partition_point(|(there, _)| *there < node.index());
        let own = self.by_node.iter().skip(first).take_while(move |(there, _)| *there == node.index());
        own.map(|(_, track)| *track)
    }

    /// How many keys there are before a time.
    pub fn count_before(&self, secs: f64) -> u64 {
        let after = self.times.partition_point(|(there, _)| f64::from(*there) < secs);
        after.checked_sub(1).and_then(|last| self.times.get(last)).map_or(0, |(_, count)| *count)
    }
}

/// Whether going through a clip takes no time to speak of.
fn is_small(clip: &Clip) -> bool {
    let mut left = FEW.checked_sub(clip.tracks.len() + clip.events.len());
    let mut tracks = clip.tracks.iter().map(|track| track.curve.times_secs().len());
    while let (Some(few), Some(count)) = (left, tracks.next()) {
        left = few.checked_sub(count);
    }
    left.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::scene::clip::{Curve, Event, Interpolation, Keys, Track};

    fn track(node: usize, times_secs: Vec<f32>) -> Track {
        let values = vec![[0.0; 3]; times_secs.len()];
        let curve = Curve::Translation(Keys { times_secs, values, interpolation: Interpolation::Linear });
        Track { target: Target::Node(Handle::from_index(node)), curve, blend: None }
    }

    #[test]
    fn tracks_are_found_by_node_and_keys_are_counted() {
        let tracks = vec![track(7, vec![0.0, 1.0]), track(3, vec![1.0, f32::NAN, 2.0]), track(7, vec![1.0])];
        let event = |time_secs, name: &str| Event { time_secs, name: name.into() };
        let events = vec![event(2.0, "late"), event(f32::NAN, "never"), event(0.5, "early")];
        let keys = ClipKeys::find(&Clip { tracks, events, ..Clip::default() });
        let of = |node| keys.tracks_of(Handle::from_index(node)).collect::<Vec<_>>();
        assert_eq!((of(3), of(7), of(5)), (vec![1], vec![0, 2], vec![]));
        let before = [-1.0, 0.0, 0.5, 1.0, 1.5, 9.0].map(|secs| keys.count_before(secs));
        assert_eq!(before, [0, 0, 1, 1, 4, 5]);
        assert_eq!(keys.events, [(0.5, 2), (2.0, 0)]);
    }

    #[test]
    fn much_is_found_on_a_thread_and_kept() {
        let context = Context::default();
        let times = (0..1_000_000).map(|key| key as f32).collect();
        let clip = Arc::new(Clip { tracks: vec![track(0, times)], ..Clip::default() });
        assert!(ClipKeys::of(&context, &clip).is_none(), "not yet");
        let start = std::time::Instant::now();
        let found = loop {
            match ClipKeys::of(&context, &clip) {
                Some(found) => break found,
                None => assert!(start.elapsed().as_secs() < 60),
            }
        };
        assert_eq!(found.count_before(1e9), 1_000_000);
        assert!(Arc::ptr_eq(&found, &ClipKeys::of(&context, &clip).unwrap()));
    }
}
