//! An allocator that makes a finding of an input that has too much memory held at once.
//!
//! libFuzzer by itself looks at the memory of the process once a second, and misses what is asked for and never touched.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The most that may be held at once, ten thousand times the largest input.
const MOST_BYTES: usize = 64 << 20;

struct Bounded;

static HELD_BYTES: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Bounded = Bounded;

fn take(bytes: usize) {
    let before = HELD_BYTES.fetch_add(bytes, Relaxed);
    // Once, since telling of it may allocate.
    if before <= MOST_BYTES && before.saturating_add(bytes) > MOST_BYTES {
        eprintln!("memory: {bytes} bytes more than the {before} that are held already, of {MOST_BYTES} allowed");
        std::process::abort();
    }
}

fn give_back(bytes: usize) {
    HELD_BYTES.fetch_sub(bytes, Relaxed);
}

// SAFETY: every call goes to the system allocator unchanged; only a number is kept beside.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        take(bytes);
        give_back(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, bytes) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}
