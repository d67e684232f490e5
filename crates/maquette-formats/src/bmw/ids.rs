//! Sets of ids that are small whole numbers in every sound file and anything at all in a damaged one.

use std::collections::HashSet;

/// A set of ids: a flag each for the small ones, hashing for the rest, so that sound files cost one look-up in a
/// table and damaged ones no more memory than they have ids.
#[derive(Clone, Debug, Default)]
pub struct IdSet {
    small: Vec<bool>,
    large: HashSet<u32>,
    len: usize,
}

impl IdSet {
    /// An empty set that expects ids below `count`.
    pub fn expecting(count: usize) -> IdSet {
        IdSet { small: vec![false; count], large: HashSet::new(), len: 0 }
    }

    /// Adds an id; whether it is new.
    #[inline]
    pub fn insert(&mut self, id: u32) -> bool {
        let is_new = match self.small.get_mut(id as usize) {
            Some(known) => !std::mem::replace(known, true),
            None => self.large.insert(id),
        };
        self.len += usize::from(is_new);
        is_new
    }

    /// Whether the id is in the set.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        self.small.get(id as usize).copied().unwrap_or_else(|| self.large.contains(&id))
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The ids, those below the expected count in order and before the others.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let small = self.small.iter().enumerate().filter(|(_, known)| **known).map(|(id, _)| id as u32);
        small.chain(self.large.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_ids_are_counted_once() {
        let mut ids = IdSet::expecting(2);
        assert!(ids.is_empty());
        assert_eq!([1, u32::MAX, 1, u32::MAX].map(|id| ids.insert(id)), [true, true, false, false]);
        assert_eq!(ids.len(), 2);
        assert!(ids.contains(1) && ids.contains(u32::MAX) && !ids.contains(0) && !ids.contains(7));
        assert_eq!(ids.iter().collect::<Vec<_>>(), [1, u32::MAX]);
    }
}
