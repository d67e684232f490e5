//! Odd scenes: every format takes them or says that it cannot.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod any_scene;

/// Bytes that look random and are the same every time: the generator of splitmix64.
fn bytes(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    };
    (0..count.div_ceil(8)).flat_map(|_| next().to_le_bytes()).take(count).collect()
}

#[test]
fn every_format_survives_every_scene() {
    let mut failures = Vec::new();
    for seed in 0..600 {
        let bytes = bytes(seed, 40 + seed as usize * 5);
        if let Err(panic) = std::panic::catch_unwind(|| any_scene::survives(&bytes)) {
            let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            failures.push(format!("seed {seed}: {message}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
