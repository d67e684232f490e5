//! Things put together by a number that each has, in time linear in their count.

use std::ops::Range;

/// Things of each number, in the order they came in, and those of the next behind them.
pub struct Buckets<T> {
    things: Vec<T>,
    /// Where those of each number begin, and where the last end.
    starts: Vec<u32>,
}

impl<T: Copy + Default> Buckets<T> {
    /// Things with numbers below `count`; they are gone through twice.
    pub fn new<I: Iterator<Item = (u32, T)>>(count: usize, numbered: impl Fn() -> I) -> Buckets<T> {
        let mut starts = vec![0u32; count + 2];
        for (number, _) in numbered() {
            if let Some(count) = starts.get_mut(number as usize + 2) {
                *count += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        // Each start moves to its end, which is the start of the next.
        let mut things = vec![T::default(); total as usize];
        for (number, thing) in numbered() {
            let Some(place) = starts.get_mut(number as usize + 1) else { continue };
            if let Some(slot) = things.get_mut(*place as usize) {
                *slot = thing;
            }
            *place += 1;
        }
        starts.pop();
        Buckets { things, starts }
    }

    /// How many things there are.
    pub fn len(&self) -> usize {
        self.things.len()
    }

    /// How many numbers there may be.
    pub fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Those of one number.
    #[inline]
    pub fn of(&self, number: usize) -> &[T] {
        self.range(number).and_then(|range| self.things.get(range)).unwrap_or_default()
    }

    /// The places of those of one number among all.
    #[inline]
    pub fn range(&self, number: usize) -> Option<Range<usize>> {
        Some(*self.starts.get(number)? as usize..*self.starts.get(number + 1)? as usize)
    }
}
