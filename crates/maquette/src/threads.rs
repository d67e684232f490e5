//! The threads that work is shared among: as many as the processor runs at once, or as many as there are to be had.

use rayon::ThreadPoolBuilder;
use std::sync::{Arc, RwLock};
use std::thread;

/// Starts as many threads as the processor runs at once. What is done in parallel without this starts them itself, and panics where the system gives none; a program that
/// must not calls this first, and works on the thread it has if need be.
pub fn start() {
    start_some(thread::available_parallelism().map_or(1, usize::from));
}

/// Starts so many threads, or as many as there are to be had.
pub fn start_some(wanted: usize) {
    let threads = match to_be_had(wanted) {
        0 => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
        threads => ThreadPoolBuilder::new().num_threads(threads),
    };
    // An error means that they are started already. It can be tried only once, so that they are counted before.
    let _ = threads.build_global();
}

/// How many of these threads there can be at once.
fn to_be_had(wanted: usize) -> usize {
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write();
    let wait = || {
        let gate = Arc::clone(&gate);
        move || drop(gate.read())
    };
    let waiting: Vec<_> = (0..wanted).map_while(|_| thread::Builder::new().spawn(wait()).ok()).collect();
    drop(closed);
    let count = waiting.len();
    waiting.into_iter().for_each(|thread| drop(thread.join()));
    count
}
