//! Arrays that a program in C holds pointers into.
//!
//! The program may read and write them as long as they live, so that no reference into one is ever made here: items are copied out and in.

#![allow(unsafe_code, reason = "memory that C shares is behind pointers")]

use std::ptr::NonNull;
use zerocopy::FromBytes;

/// An array of plain data; whatever C writes into an item is a value of it.
pub struct Lent<T: FromBytes + Copy> {
    items: NonNull<[T]>,
}

impl<T: FromBytes + Copy> Lent<T> {
    pub fn new(items: Vec<T>) -> Lent<T> {
        Lent { items: NonNull::from(Box::leak(items.into_boxed_slice())) }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Where an item is, for C.
    pub fn pointer(&self, index: usize) -> Option<NonNull<T>> {
        // SAFETY: the item lies within the allocation, which lives as long as `self`.
        (index < self.len()).then(|| unsafe { self.items.cast::<T>().add(index) })
    }

    /// An item as it is now.
    pub fn get(&self, index: usize) -> Option<T> {
        // SAFETY: the pointer is valid and aligned, and whatever bytes C left there are a `T`.
        self.pointer(index).map(|item| unsafe { item.read() })
    }

    pub fn set(&self, index: usize, value: T) {
        if let Some(item) = self.pointer(index) {
            // SAFETY: the pointer is valid and aligned, and there are no references to what it points at.
            unsafe { item.write(value) }
        }
    }

    /// All items as they are now.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl<T: FromBytes + Copy> Drop for Lent<T> {
    fn drop(&mut self) {
        // SAFETY: it came from a box and is given back once.
        drop(unsafe { Box::from_raw(self.items.as_ptr()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_through_a_pointer_is_read_and_the_other_way_round() {
        let lent = Lent::new(vec![1u32, 2, 3]);
        let second = lent.pointer(1).unwrap();
        // SAFETY: the array lives.
        unsafe { second.write(7) };
        assert_eq!(lent.iter().collect::<Vec<_>>(), [1, 7, 3]);
        lent.set(1, 9);
        lent.set(3, 9);
        // SAFETY: as above.
        assert_eq!(unsafe { second.read() }, 9);
        assert!(lent.pointer(3).is_none() && lent.get(3).is_none());
        assert!(Lent::<u32>::new(Vec::new()).pointer(0).is_none());
    }
}
