//! Large tables piece by piece, with the help of another thread: one core does not use all the memory can give.
//!
//! Each thread takes the next piece when it is done with one, so that a late start costs nothing; what the pieces give is put together in
//! their order, so that the result is the same with any help or none. Threads know of numbers alone, so that they are compiled once and not for every kind of table.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

const PIECE_BYTES: usize = 4 << 20;
/// Below this, help comes too late.
const SHARED_FROM_BYTES: usize = 2 * PIECE_BYTES;

/// Looks at a table piece by piece; `look` gets the position of a piece's first item, `join` what came before and what comes after.
pub fn look<T: Sync, R: Send>(items: &[T], look: impl Fn(usize, &[T]) -> R + Sync, join: impl Fn(R, R) -> R) -> R {
    if size_of_val(items) < SHARED_FROM_BYTES {
        return look(0, items);
    }
    let each = items_of_a_piece::<T>();
    let pieces: Vec<_> = items.chunks(each).map(|items| (items, Mutex::new(None))).collect();
    in_turn(pieces.len(), &|at| {
        if let Some((items, seen)) = pieces.get(at) {
            let found = look(at * each, items);
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        }
    });
    let seen = pieces.into_iter().filter_map(|(_, seen)| seen.into_inner().unwrap_or_else(PoisonError::into_inner));
    seen.reduce(join).unwrap_or_else(|| look(0, items))
}

/// Makes one table from another of the same length, item by item.
pub fn fill<T: Sync, U: Send>(from: &[T], into: &mut [U], value: impl Fn(&T) -> U + Sync) {
    let make = |from: &[T], into: &mut [U]| {
        for (into, from) in into.iter_mut().zip(from) {
            *into = value(from);
        }
    };
    if size_of_val(into) < SHARED_FROM_BYTES {
        return make(from, into);
    }
    let each = items_of_a_piece::<U>();
    let pieces: Vec<_> = from.chunks(each).zip(into.chunks_mut(each).map(Mutex::new)).collect();
    in_turn(pieces.len(), &|at| {
        if let Some((from, into)) = pieces.get(at) {
            make(from, &mut into.lock().unwrap_or_else(PoisonError::into_inner));
        }
    });
}

fn items_of_a_piece<T>() -> usize {
    (PIECE_BYTES / size_of::<T>().max(1)).max(1)
}

/// Does the work of every number below `count` once, here and on another thread.
fn in_turn(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let go =
        || std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|at| *at < count)).for_each(work);
    thread::scope(|scope| {
        // Where the system gives no thread, this one does it all.
        let helper = thread::Builder::new().spawn_scoped(scope, go);
        go();
        if let Ok(Err(panic)) = helper.map(|helper| helper.join()) {
            std::panic::resume_unwind(panic);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_give_what_the_whole_gives() {
        for count in [0, 1, 5, 5_000_003] {
            let items: Vec<u32> = (0..count).map(|at: u32| at.wrapping_mul(2_654_435_769)).collect();
            let seen = look(
                &items,
                |at, piece| vec![(at, piece.to_vec())],
                |mut before, after| {
                    before.extend(after);
                    before
                },
            );
            assert_eq!(seen.len(), if count < 100 { 1 } else { (items.len() * 4).div_ceil(PIECE_BYTES) });
            let mut together = Vec::new();
            for (at, piece) in seen {
                assert_eq!(at, together.len());
                together.extend(piece);
            }
            assert_eq!(together, items);
            let mut squares = vec![0; items.len()];
            fill(&items, &mut squares, |&item| u64::from(item) * u64::from(item));
            assert!(squares.iter().zip(&items).all(|(square, &item)| *square == u64::from(item).pow(2)));
        }
    }
}
