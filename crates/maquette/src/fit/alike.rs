//! Which of many vertices are the same, in a time that grows as their number does.
//!
//! They are sorted by a hash of what they are; those of one hash are held against each other, or sorted where they differ. So a file can make
//! hashes agree and gains nothing by it, and the answer does not depend on the hash.

use rayon::prelude::*;
use std::cmp::Ordering;

/// For each vertex, the first that is the same.
pub fn first_alike(hashes: &[u32], compare: impl Fn(u32, u32) -> Ordering) -> Vec<u32> {
    let hashed = |(vertex, &hash): (usize, &u32)| u64::from(hash) << 32 | vertex as u64;
    let mut order: Vec<u64> = hashes.par_iter().enumerate().map(hashed).collect();
    order.par_sort_unstable();
    let mut same: Vec<u32> = (0..hashes.len() as u32).collect();
    let mut join = |equal: &[u32]| {
        let Some(&first) = equal.first() else { return };
        for &vertex in equal {
            same.get_mut(vertex as usize).into_iter().for_each(|same| *same = first);
        }
    };
    let are_equal = |&a: &u32, &b: &u32| compare(a, b).is_eq();
    let mut alike = Vec::new();
    for run in order.chunk_by(|a, b| a >> 32 == b >> 32).filter(|run| run.len() > 1) {
        alike.clear();
        alike.extend(run.iter().map(|&hashed| hashed as u32));
        if alike.is_sorted_by(are_equal) {
            join(&alike);
        } else {
            alike.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
            alike.chunk_by(are_equal).for_each(&mut join);
        }
    }
    same
}

/// The hash of a run of bits, from those of what came before.
pub fn hash(before: u64, bits: u32) -> u64 {
    (before.rotate_left(5) ^ u64::from(bits)).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn hashes_that_agree_neither_change_the_answer_nor_take_long() {
        let count = 4096u32;
        let value = |vertex: u32| vertex * 7919 % 1024;
        let compared = Cell::new(0u64);
        let found = |hash: fn(u32) -> u32| {
            compared.set(0);
            let hashes: Vec<u32> = (0..count).map(|vertex| hash(value(vertex))).collect();
            first_alike(&hashes, |a, b| {
                compared.set(compared.get() + 1);
                value(a).cmp(&value(b))
            })
        };
        let expected: Vec<u32> = (0..count).map(|vertex| vertex % 1024).collect();
        assert_eq!(found(|value| value), expected);
        assert!(compared.get() < 3 * u64::from(count), "{} comparisons", compared.get());
        assert_eq!(found(|_| 0), expected, "the first is the least, in any order");
        assert!(
            compared.get() < 32 * u64::from(count),
            "{} comparisons of vertices whose hashes agree",
            compared.get()
        );
    }
}
