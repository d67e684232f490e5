//! How far long work is, for whoever wants to show it.
//!
//! The library calls a function that it is given, from whichever thread does the work, at the beginning of each stage and at each step of it.
//! It never prints, and it never waits for the function.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One step of a stage of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What is being done: `packing textures`.
    pub stage: &'static str,
    /// How many steps of it are done.
    pub done: u64,
    /// How many there are; 0 where that is not known.
    pub total: u64,
}

/// Who is told of steps. By default nobody.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<dyn Fn(Step) + Send + Sync>>);

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(told)" } else { "Progress(nobody)" })
    }
}

impl Progress {
    /// Tells this function.
    pub fn new(tell: impl Fn(Step) + Send + Sync + 'static) -> Progress {
        Progress(Some(Arc::new(tell)))
    }

    /// Says that a stage begins.
    pub(crate) fn stage(&self, stage: &'static str, total: usize) -> Stage<'_> {
        let stage = Stage { progress: self, stage, done: AtomicU64::new(0), total: total as u64 };
        stage.tell(0);
        stage
    }
}

/// A stage that is under way.
pub(crate) struct Stage<'p> {
    progress: &'p Progress,
    stage: &'static str,
    done: AtomicU64,
    total: u64,
}

impl Stage<'_> {
    /// One more step is done.
    pub(crate) fn step(&self) {
        self.tell(self.done.fetch_add(1, Ordering::Relaxed) + 1);
    }

    fn tell(&self, done: u64) {
        if let Some(tell) = &self.progress.0 {
            tell(Step { stage: self.stage, done, total: self.total });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_step_is_told_once() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let list = told.clone();
        let progress = Progress::new(move |step: Step| list.lock().unwrap().push((step.stage, step.done, step.total)));
        let stage = progress.stage("packing textures", 2);
        stage.step();
        stage.step();
        assert_eq!(*told.lock().unwrap(), [0, 1, 2].map(|done| ("packing textures", done, 2)));
    }
}
