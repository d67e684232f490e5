//! Which of many vertices are the same, in a time that grows as their number does.
//!
//! They are put together by a hash of what they are, and each is held against the first of its hash; only where those differ, all of that hash are sorted. So a file can
//! make hashes agree and gains nothing by it, and the answer does not depend on the hash.

use super::buckets::Buckets;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::HashSet;

/// Fewer vertices or triangles than this are not worth another core.
pub const FOR_ONE_CORE: usize = 4096;

/// For each vertex, the first that is the same.
pub fn first_alike(hashes: &[u32], compare: impl Fn(u32, u32) -> Ordering + Sync) -> Vec<u32> {
    // About two to a bucket.
    let bits = (hashes.len() / 2 + 1).ilog2();
    let bucket_of = |hash: u32| (u64::from(hash) << bits >> 32) as u32;
    let buckets =
        Buckets::new(1 << bits, || hashes.iter().zip(0u32..).map(|(hash, vertex)| (bucket_of(*hash), vertex)));
    let sort = |bucket: usize, order: &mut Vec<u64>| {
        order.clear();
        for &vertex in buckets.of(bucket) {
            order.push(u64::from(hashes.get(vertex as usize).copied().unwrap_or(0)) << 32 | u64::from(vertex));
        }
        order.sort_unstable();
    };
    let find = |(mut order, mut found): (Vec<u64>, Vec<(u32, u32)>), bucket: usize| {
        if buckets.of(bucket).len() > 1 {
            sort(bucket, &mut order);
            for run in runs(&order) {
                let first = run.first().map_or(0, |first| *first as u32);
                found.extend(run.iter().skip(1).map(|vertex| (*vertex as u32, first)));
            }
        }
        (order, found)
    };
    let all = (0..buckets.count()).into_par_iter().with_min_len(FOR_ONE_CORE);
    let found = all.fold(Default::default, find).map(|(_, found)| found).reduce(Vec::new, |mut all, found| {
        all.extend(found);
        all
    });
    let mut same: Vec<u32> = (0..hashes.len() as u32).collect();
    for (vertex, first) in found {
        same.get_mut(vertex as usize).into_iter().for_each(|same| *same = first);
    }
    // In the order of the file, vertices that are alike lie near each other in memory; in the order of hashes they do not.
    let differs =
        |(vertex, first): &(usize, &u32)| **first as usize != *vertex && compare(*vertex as u32, **first).is_ne();
    let mixed: HashSet<u32> =
        same.par_iter().with_min_len(FOR_ONE_CORE).enumerate().filter(differs).map(|(_, &first)| first).collect();
    let mixed_buckets: HashSet<u32> =
        mixed.iter().filter_map(|first| hashes.get(*first as usize)).map(|hash| bucket_of(*hash)).collect();
    let mut order = Vec::new();
    for bucket in mixed_buckets {
        sort(bucket as usize, &mut order);
        let is_mixed = |run: &&[u64]| run.first().is_some_and(|&first| mixed.contains(&(first as u32)));
        for run in runs(&order).filter(is_mixed) {
            let mut alike: Vec<u32> = run.iter().map(|&hashed| hashed as u32).collect();
            alike.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
            for equal in alike.chunk_by(|&a, &b| compare(a, b).is_eq()) {
                join(&mut same, equal.iter().copied());
            }
        }
    }
    same
}

/// Vertices whose hashes agree, of sorted ones with their hashes.
fn runs(order: &[u64]) -> impl Iterator<Item = &[u64]> {
    order.chunk_by(|a, b| a >> 32 == b >> 32).filter(|run| run.len() > 1)
}

/// Makes the first of these the first of them all.
fn join(same: &mut [u32], alike: impl Iterator<Item = u32>) {
    let mut alike = alike.peekable();
    let Some(&first) = alike.peek() else { return };
    for vertex in alike {
        same.get_mut(vertex as usize).into_iter().for_each(|same| *same = first);
    }
}

/// The hash of a run of bits, from those of what came before.
pub fn hash(before: u64, bits: u32) -> u64 {
    (before.rotate_left(5) ^ u64::from(bits)).wrapping_mul(0x517c_c1b7_2722_0a95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn hashes_that_agree_neither_change_the_answer_nor_take_long() {
        let count = 4096u32;
        let value = |vertex: u32| vertex * 7919 % 1024;
        let compared = AtomicU64::new(0);
        let found = |hash: fn(u32) -> u32| {
            compared.store(0, Relaxed);
            let hashes: Vec<u32> = (0..count).map(|vertex| hash(value(vertex))).collect();
            first_alike(&hashes, |a, b| {
                compared.fetch_add(1, Relaxed);
                value(a).cmp(&value(b))
            })
        };
        let expected: Vec<u32> = (0..count).map(|vertex| vertex % 1024).collect();
        assert_eq!(found(|value| value), expected);
        assert!(compared.load(Relaxed) < u64::from(count), "{} comparisons", compared.load(Relaxed));
        assert_eq!(found(|value| value % 1000), expected, "a few hashes agree");
        assert!(compared.load(Relaxed) < 2 * u64::from(count), "{} comparisons", compared.load(Relaxed));
        assert_eq!(found(|_| 0), expected, "all do");
        assert!(
            compared.load(Relaxed) < 32 * u64::from(count),
            "{} comparisons of vertices whose hashes agree",
            compared.load(Relaxed)
        );
    }
}
