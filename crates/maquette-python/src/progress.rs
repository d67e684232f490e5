//! Telling Python how far work is, from whichever thread does it.

use maquette::progress::{Progress, Step};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A function that is told of steps, `progress(stage, done, total)`, as long as this is there. The work must be done with the interpreter free for other threads.
pub struct Telling(Option<Arc<Told>>);

struct Told {
    function: Mutex<Option<Py<PyAny>>>,
    raised: Mutex<Option<PyErr>>,
}

impl Telling {
    pub fn new(function: Option<Py<PyAny>>) -> Telling {
        Telling(
            function.map(|function| Arc::new(Told { function: Mutex::new(Some(function)), raised: Mutex::new(None) })),
        )
    }

    /// Who the library tells.
    pub fn progress(&self) -> Progress {
        match self.0.clone() {
            Some(told) => Progress::new(move |step| told.tell(step)),
            None => Progress::default(),
        }
    }

    /// Raises what the function has raised. It is not called again after that.
    pub fn raise(&self) -> PyResult<()> {
        match self.0.as_ref().and_then(|told| held(&told.raised).take()) {
            Some(raised) => Err(raised),
            None => Ok(()),
        }
    }
}

impl Drop for Telling {
    /// What was made may go on to tell; nobody listens any more.
    fn drop(&mut self) {
        let function = self.0.as_ref().and_then(|told| held(&told.function).take());
        drop(function);
    }
}

impl Told {
    /// No lock is held while Python runs.
    fn tell(&self, step: Step) {
        let Step { stage, done, total, .. } = step;
        Python::attach(|py| {
            let function = held(&self.function).as_ref().map(|function| function.clone_ref(py));
            let Some(Err(error)) = function.map(|function| function.call1(py, (stage, done, total))) else { return };
            let function = held(&self.function).take();
            let earlier = held(&self.raised).replace(error);
            drop((function, earlier));
        });
    }
}

fn held<T>(place: &Mutex<T>) -> MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}
