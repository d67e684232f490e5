//! How much is done, for tests that hold it against the size of what is given: steps are counted, not time.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// So many steps were done.
#[inline]
pub fn done(_steps: usize) {
    #[cfg(test)]
    DONE.set(DONE.get() + _steps);
}

/// The steps that are done meanwhile, on one thread.
#[cfg(test)]
pub fn of(work: impl FnOnce() + Send) -> usize {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| {
        DONE.set(0);
        work();
        DONE.get()
    })
}
