//! Which clip is which, although clips can be removed and emptied: objects of Python hold ids, which are never given twice.

/// The id of a clip, or of a set of tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id(pub u64);

struct Ids {
    clip: Id,
    /// Another whenever the clip is emptied.
    tracks: Id,
}

/// The ids of the clips of a scene, in their order.
pub struct ClipIds {
    list: Vec<Ids>,
    next: u64,
}

impl ClipIds {
    /// Ids for so many clips.
    pub fn new(count: usize) -> ClipIds {
        let mut ids = ClipIds { list: Vec::new(), next: 0 };
        (0..count).for_each(|_| ids.push());
        ids
    }

    fn next(&mut self) -> Id {
        self.next += 1;
        Id(self.next)
    }

    /// A clip is added.
    pub fn push(&mut self) {
        let (clip, tracks) = (self.next(), self.next());
        self.list.push(Ids { clip, tracks });
    }

    /// The clip at this place is removed.
    pub fn remove(&mut self, index: usize) {
        if index < self.list.len() {
            self.list.remove(index);
        }
    }

    /// The tracks of the clip at this place are removed.
    pub fn clear_tracks(&mut self, index: usize) {
        let tracks = self.next();
        if let Some(ids) = self.list.get_mut(index) {
            ids.tracks = tracks;
        }
    }

    /// The id of the clip at this place.
    pub fn clip(&self, index: usize) -> Option<Id> {
        self.list.get(index).map(|ids| ids.clip)
    }

    /// The id of the tracks of the clip at this place.
    pub fn tracks(&self, index: usize) -> Option<Id> {
        self.list.get(index).map(|ids| ids.tracks)
    }

    /// Where a clip is.
    pub fn index(&self, clip: Id) -> Option<usize> {
        self.list.iter().position(|ids| ids.clip == clip)
    }

    /// Where the clip of these tracks is.
    pub fn index_of_tracks(&self, tracks: Id) -> Option<usize> {
        self.list.iter().position(|ids| ids.tracks == tracks)
    }
}
