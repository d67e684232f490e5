//! The threads that work is shared among: those of this process. A process that was forked off, as `multiprocessing` does, has none of its parent's, and would wait for them
//! for ever; so it gets some of its own.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

/// The threads, and the process they are of. It is looked at with the interpreter held alone, as it is by whoever forks: so nobody holds it then.
static OWN: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Does work with the interpreter free for other threads. All that takes long is done by this.
pub fn free<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    match own() {
        Some(threads) => py.detach(|| threads.install(work)),
        None => py.detach(work),
    }
}

fn own() -> Option<Arc<ThreadPool>> {
    let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, threads)) = own.as_ref().filter(|(of, _)| *of == process::id()) {
        return Some(Arc::clone(threads));
    }
    let threads = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // Those of the parent are not here to be waited for.
    std::mem::forget(own.replace((process::id(), Arc::clone(&threads))));
    Some(threads)
}
