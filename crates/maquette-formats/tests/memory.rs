//! Memory stays within a small factor of the file, whatever the file claims.
//!
//! A counting allocator measures the most that parsing, checking and summing up hold at once, on samples whose every
//! 32-bit word is turned into a huge count, one at a time.

#![allow(unsafe_code, clippy::indexing_slicing, clippy::unwrap_used)]

use maquette_formats::format::{self, BUILT_IN, Source};
use maquette_scene::Report;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator unchanged; only numbers are kept beside.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(now, Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes held at once while `work` runs.
fn most_held(work: impl FnOnce()) -> usize {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    work();
    MOST.load(Relaxed) - before
}

fn look_at(bytes: &[u8]) {
    if let Ok(opened) = BUILT_IN.open(bytes, None) {
        let mut report = Report::default();
        format::check(&*opened.file, &Source::BARE, &mut report);
        opened.file.summary();
    }
}

fn look_at_part(bytes: &[u8]) {
    drop(BUILT_IN.open_part(bytes, None));
}

// One test, so that no other allocates meanwhile.
#[test]
fn no_count_makes_a_file_cost_more_than_a_small_factor_of_its_size() {
    for format in BUILT_IN {
        for dialect in format.dialects {
            let mut bytes = (format.sample)(dialect.id).main;
            for at in 0..bytes.len().saturating_sub(3).min(4096) {
                let was: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
                for claim in [u32::MAX, 1 << 31, 1 << 24, 1 << 20] {
                    bytes[at..at + 4].copy_from_slice(&claim.to_le_bytes());
                    for (look, factor) in [(look_at as fn(&[u8]), 16), (look_at_part, 32)] {
                        let held = most_held(|| look(&bytes));
                        let bound = 64 * 1024 + factor * bytes.len();
                        let file = format!("{} {}", format.id, dialect.id);
                        assert!(held < bound, "{file}: {held} bytes held for {claim:#x} at {at:#x}");
                    }
                }
                bytes[at..at + 4].copy_from_slice(&was);
            }
        }
    }
}
