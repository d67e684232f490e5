//! A loss: what is not as it was.

use maquette::scene::loss::{self, LossKind, LossReport};
use pyo3::prelude::*;

/// What is not as it was: in which way, what, whose, how often.
#[pyclass(frozen, module = "maquette", from_py_object)]
#[derive(Clone)]
pub struct Loss {
    /// `dropped`, `truncated`, `approximated`, `baked` or `renamed`.
    #[pyo3(get)]
    kind: &'static str,
    /// What: `rest poses`. `maquette explain` and docs/losses.md tell what each means.
    #[pyo3(get)]
    what: &'static str,
    /// Whose: `mesh "body"`.
    #[pyo3(get)]
    subject: String,
    /// Why, and what stands in its place.
    #[pyo3(get)]
    detail: String,
    /// How many: vertices, keys, objects.
    #[pyo3(get)]
    count: u64,
    /// The largest error of what was approximated.
    #[pyo3(get)]
    max_error: Option<f32>,
    shown: String,
}

impl Loss {
    fn of(loss: &loss::Loss) -> Loss {
        let max_error = match loss.kind {
            LossKind::Approximated { max_error } => Some(max_error),
            _ => None,
        };
        Loss {
            kind: loss.kind.word(),
            what: loss.what.word(),
            subject: loss.subject.clone(),
            detail: loss.detail.clone(),
            count: loss.count,
            max_error,
            shown: loss.to_string(),
        }
    }

    pub fn list(losses: &LossReport) -> Vec<Loss> {
        losses.iter().map(Loss::of).collect()
    }
}

#[pymethods]
impl Loss {
    fn __str__(&self) -> &str {
        &self.shown
    }

    fn __repr__(&self) -> String {
        format!("<Loss {}>", self.shown)
    }
}
