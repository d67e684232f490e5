//! Memory that a look at a moment takes, kept for the next.

use maquette::scene::glam::Mat4;
use maquette_anim::Transform;
use maquette_anim::clip::Cursor;
use std::sync::{Mutex, PoisonError};

/// What one look takes.
#[derive(Default)]
pub struct Scratch {
    pub cursor: Cursor,
    pub pose: Vec<Transform>,
    pub joints: Vec<Mat4>,
}

/// As many as there were threads at once.
#[derive(Default)]
pub struct Scratches(Mutex<Vec<Scratch>>);

impl Scratches {
    /// Does something with memory that no other thread has.
    pub fn with<T>(&self, act: impl FnOnce(&mut Scratch) -> T) -> T {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = all().pop().unwrap_or_default();
        let result = act(&mut scratch);
        all().push(scratch);
        result
    }
}
