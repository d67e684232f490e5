//! Every finding about a file.

use crate::finding::Finding;
use crate::source;
use crate::threads::free;
use maquette::check as checking;
use maquette::scene::diag::{Repeats, ReportOptions};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

/// The verdict on a file. It is true where nothing worse than an info was found, and a list of the findings.
#[pyclass(module = "maquette", frozen, get_all)]
pub struct Checked {
    /// The file as it was named.
    file: String,
    /// Whether nothing worse than an info was found.
    ok: bool,
    /// Whether the file could be read to its end.
    readable: bool,
    /// The id of its format; `None` if none claims it.
    format: Option<&'static str>,
    /// The id of its dialect; `None` if it could not be read.
    dialect: Option<&'static str>,
    /// What was found, in file order.
    findings: Py<PyList>,
    /// How many findings there are beyond these.
    left_out: u64,
    /// Why it could not be read, where no finding says so.
    error: Option<String>,
}

#[pymethods]
impl Checked {
    fn __bool__(&self) -> bool {
        self.ok
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.findings.bind(py).len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.findings.bind(py).try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.findings.bind(py).as_any().get_item(index)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let what = match (self.format, self.dialect) {
            (Some(format), Some(dialect)) => format!("{format} {dialect}"),
            (Some(format), None) => format!("{format}, unreadable"),
            _ => "unreadable".to_owned(),
        };
        let found = match self.__len__(py) as u64 + self.left_out {
            0 => "nothing found".to_owned(),
            1 => "1 finding".to_owned(),
            many => format!("{many} findings"),
        };
        let ok = if self.ok { "ok" } else { "not ok" };
        format!("<Checked {:?}: {ok}, {what}, {found}>", self.file)
    }
}

/// Checks a file against the rules of its format: every finding, with its place and what would be right.
///
/// A file that cannot be read is a verdict too, not an exception; one that is not there is an OSError. `each` lists
/// every place of a finding instead of the first with a count, `most` is how many are listed.
#[pyfunction]
#[pyo3(signature = (source, *, name=None, companions=None, dialect=None, each=false, most=1000))]
pub fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    companions: Option<&Bound<'_, PyAny>>,
    dialect: Option<&str>,
    each: bool,
    most: usize,
) -> PyResult<Checked> {
    let input = source::input(source, name, companions)?;
    let repeats = if each { Repeats::Keep } else { Repeats::Merge };
    let options = ReportOptions { max_items: most, repeats };
    let checked = free(py, || checking::check(&input, dialect, options));
    let findings = checked.diagnostics.iter().map(|finding| Finding::told(finding, None));
    Ok(Checked {
        findings: PyList::new(py, findings.collect::<Vec<_>>())?.unbind(),
        file: checked.file,
        ok: checked.ok,
        readable: checked.readable,
        format: checked.format,
        dialect: checked.dialect,
        left_out: checked.left_out,
        error: checked.error,
    })
}
