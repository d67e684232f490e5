//! What became of the clips of a file.

use crate::json::object;
use crate::output::PyOutput;
use maquette::clips::ClipRow;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Files with edited clips, and what was done to each clip.
#[pyclass(name = "Edited", module = "maquette.clip", frozen)]
pub struct PyEdited {
    outputs: Py<PyTuple>,
    clips: Vec<ClipRow>,
}

impl PyEdited {
    pub fn new(py: Python<'_>, outputs: Vec<PyOutput>, clips: Vec<ClipRow>) -> PyResult<PyEdited> {
        let outputs: Vec<_> = outputs.into_iter().map(|output| Bound::new(py, output)).collect::<PyResult<_>>()?;
        Ok(PyEdited { outputs: PyTuple::new(py, outputs)?.unbind(), clips })
    }
}

#[pymethods]
impl PyEdited {
    /// One file; or one for each clip, where several come of one and a file holds one.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.outputs.bind(py).clone()
    }

    /// What was done, clip by clip: its name before, in words, and in figures. The fields are those of `maquette clip --json`.
    #[getter]
    fn clips<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.clips)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = self.outputs.bind(py).len();
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let told: Vec<String> = self.clips.iter().map(|row| format!("{:?} {}", row.clip, row.did)).collect();
        Ok(format!("<Edited: {files}; {}>", told.join("; ")))
    }
}
