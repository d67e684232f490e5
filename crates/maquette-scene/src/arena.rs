//! Things of one kind in one list, and handles to them.
//!
//! A handle is a typed index: it cannot be mistaken for a count or for a handle to something else. Nothing is ever removed
//! from an arena, so a handle taken from it stays good; [`valid::check`](crate::valid::check) catches handles from elsewhere.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A link to an item of an [`Arena`].
pub struct Handle<T> {
    index: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    /// The handle of the item at this position.
    pub fn from_index(index: usize) -> Handle<T> {
        Handle { index: u32::try_from(index).unwrap_or(u32::MAX), of: PhantomData }
    }

    /// The position of the item.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Handle<T> {}

impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}

impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// A list of things that handles point into.
#[derive(Clone, PartialEq)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena(Vec::new())
    }
}

impl<T: fmt::Debug> fmt::Debug for Arena<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Arena<T> {
    /// Adds an item.
    pub fn push(&mut self, item: T) -> Handle<T> {
        self.0.push(item);
        Handle::from_index(self.0.len() - 1)
    }

    /// Takes the last item away; its handle is nobody's now.
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// The item of a handle; `None` for a handle from elsewhere.
    pub fn get(&self, handle: Handle<T>) -> Option<&T> {
        self.0.get(handle.index())
    }

    /// The item of a handle, to change it.
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut T> {
        self.0.get_mut(handle.index())
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The items in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The items in order, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// The items in order, as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The items with their handles.
    pub fn entries(&self) -> impl Iterator<Item = (Handle<T>, &T)> {
        self.0.iter().enumerate().map(|(index, item)| (Handle::from_index(index), item))
    }

    /// Every handle.
    pub fn handles(&self) -> impl Iterator<Item = Handle<T>> + use<T> {
        (0..self.0.len()).map(Handle::from_index)
    }
}

/// The item of a handle. Panics for a handle of another scene, as a slice does for an index past its end; [`Arena::get`] does not.
impl<T> Index<Handle<T>> for Arena<T> {
    type Output = T;

    #[expect(clippy::indexing_slicing, reason = "the contract of `Index`")]
    fn index(&self, handle: Handle<T>) -> &T {
        &self.0[handle.index()]
    }
}

impl<T> IndexMut<Handle<T>> for Arena<T> {
    #[expect(clippy::indexing_slicing, reason = "the contract of `IndexMut`")]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        &mut self.0[handle.index()]
    }
}

impl<T> FromIterator<T> for Arena<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Arena(items.into_iter().collect())
    }
}

impl<T> IntoIterator for Arena<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Arena<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl<'a, T> IntoIterator for &'a Arena<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
