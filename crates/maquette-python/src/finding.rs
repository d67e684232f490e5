//! A finding: what is wrong with a file, where, and what would be right.

use maquette::scene::Diagnostic;
use maquette::{check, explain};
use pyo3::prelude::*;

/// What is wrong with a file, where, and what would be right.
#[pyclass(frozen, module = "maquette", from_py_object)]
#[derive(Clone)]
pub struct Finding {
    /// `AEM0028`: the format and a number, never used again for anything else.
    #[pyo3(get)]
    code: &'static str,
    /// `joint-parent-out-of-range`: the same in words.
    #[pyo3(get)]
    name: &'static str,
    /// `error`, `warning` or `info`.
    #[pyo3(get)]
    severity: &'static str,
    /// The byte of the file; `None` for what lies outside it.
    #[pyo3(get)]
    offset: Option<u64>,
    /// Where, by name: `joints[12].parent`; empty for the file as a whole.
    #[pyo3(get)]
    path: String,
    /// What was found.
    #[pyo3(get)]
    message: String,
    /// What would be valid.
    #[pyo3(get)]
    expected: Option<String>,
    /// How often it was found; the place is that of the first.
    #[pyo3(get)]
    count: u64,
    /// Why it matters and what to do.
    #[pyo3(get)]
    why: String,
    /// The file it is about, where there are several.
    #[pyo3(get)]
    file: Option<String>,
    shown: String,
}

impl Finding {
    pub fn of(diagnostic: &Diagnostic) -> Finding {
        Finding::told(&diagnostic.into(), None)
    }

    /// The same, as it is told of a file that was checked.
    pub fn told(finding: &check::Finding, file: Option<&str>) -> Finding {
        Finding {
            code: finding.code,
            name: finding.name,
            severity: finding.severity,
            offset: finding.offset,
            path: finding.path.clone(),
            message: finding.message.clone(),
            expected: finding.expected.clone(),
            count: finding.count,
            why: explain::code(finding.code).map(|meaning| meaning.why).unwrap_or_default(),
            file: file.map(str::to_owned),
            shown: finding.to_string(),
        }
    }
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> &str {
        &self.shown
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}>", self.shown)
    }
}
