//! A file that was made: in memory, or on disk.

use crate::error::{WriteError, exception};
use crate::finding::Finding;
use crate::loss::Loss;
use crate::source::path_of;
use crate::threads::free;
use maquette::target::{Target, is_folder};
use maquette::write::by_id;
use maquette::{Output, Overwrite, WriteOptions, names};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;

/// A file in memory or on disk, with its companion files, and what was lost on the way.
#[pyclass(name = "Output", module = "maquette", frozen)]
pub struct PyOutput {
    output: Output,
    paths: Vec<PathBuf>,
}

impl PyOutput {
    pub fn in_memory(output: Output) -> PyOutput {
        PyOutput { output, paths: Vec::new() }
    }

    pub fn on_disk(output: Output, paths: Vec<PathBuf>) -> PyOutput {
        PyOutput { output, paths }
    }
}

#[pymethods]
impl PyOutput {
    /// The id of its format: `gltf`.
    #[getter]
    fn format(&self) -> &'static str {
        self.output.format.id
    }

    /// The id of its dialect: `binary`.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.output.dialect.id
    }

    /// The name of the file.
    #[getter]
    fn name(&self) -> &str {
        &self.output.name
    }

    /// What the file does not hold of what it was made from.
    #[getter]
    fn losses(&self) -> Vec<Loss> {
        Loss::list(&self.output.losses)
    }

    /// What else is to be known: clips that were skipped, what a selection left out.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.output.notes.iter().map(ToString::to_string).collect()
    }

    /// The files that were written, the main one first; empty where it is in memory alone.
    #[getter]
    fn paths(&self) -> Vec<String> {
        self.paths.iter().map(|path| path.display().to_string()).collect()
    }

    /// The bytes of every file by its name, the main one first.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        files.set_item(&self.output.name, PyBytes::new(py, &self.output.main))?;
        for (name, bytes) in &self.output.companions {
            files.set_item(name, PyBytes::new(py, bytes))?;
        }
        Ok(files)
    }

    /// The bytes of the main file. It may need others: `files` has them all.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.output.main)
    }

    /// Warnings and errors of the format's rules about what was made.
    fn findings(&self, py: Python<'_>) -> Vec<Finding> {
        let found = free(py, || self.output.findings());
        found.iter().map(|found| Finding::told(&found.finding, Some(&found.file))).collect()
    }

    /// Writes it to disk, all files or none; the paths that were written. A folder gets it under its own name, and so does the current one where nothing is said.
    ///
    /// Files of others that are in the way are not overwritten, unless `force` is true.
    #[pyo3(signature = (path=None, *, force=false))]
    fn save(&self, py: Python<'_>, path: Option<&Bound<'_, PyAny>>, force: bool) -> PyResult<Vec<String>> {
        let path = match path {
            Some(path) => path_of(path)?.ok_or_else(|| PyTypeError::new_err("a path is wanted"))?,
            None => PathBuf::from(&self.output.name),
        };
        let overwrite = if force { Overwrite::All } else { Overwrite::Own };
        let path = if is_folder(&path) { path.join(&self.output.name) } else { path };
        let saved = free(py, || self.output.save(&path, overwrite)).map_err(|error| exception(py, error))?;
        Ok(saved.iter().map(|path| path.display().to_string()).collect())
    }

    fn __repr__(&self) -> String {
        let Output { name, format, dialect, main, companions, losses, .. } = &self.output;
        let more = match companions.len() {
            0 => String::new(),
            1 => " and 1 companion file".to_owned(),
            many => format!(" and {many} companion files"),
        };
        let lost = match losses.len() {
            0 => "nothing lost".to_owned(),
            1 => "1 loss".to_owned(),
            many => format!("{many} losses"),
        };
        format!("<Output {name:?}: {} {}, {} bytes{more}, {lost}>", format.id, dialect.id, main.len())
    }
}

/// Where an output goes.
pub enum Sink<'py> {
    Memory,
    Path(PathBuf),
    File(Bound<'py, PyAny>),
}

impl<'py> Sink<'py> {
    pub fn of(target: Option<&Bound<'py, PyAny>>) -> PyResult<Sink<'py>> {
        let Some(target) = target else { return Ok(Sink::Memory) };
        // Some objects are both: what is open is written to.
        if target.hasattr("write")? && !target.hasattr("__fspath__")? {
            return Ok(Sink::File(target.clone()));
        }
        match path_of(target)? {
            Some(path) => Ok(Sink::Path(path)),
            None => {
                let kind = target.get_type().name()?;
                Err(PyTypeError::new_err(format!("a path, a file object or None is wanted to write to, not {kind}")))
            }
        }
    }

    /// What the file is called; `None` where nobody says.
    pub fn name(&self, given: Option<&str>) -> PyResult<Option<String>> {
        match (self, given) {
            (Sink::Path(_), Some(_)) => {
                Err(PyTypeError::new_err("a path has its own name; `name` is for what is not written to a path"))
            }
            (Sink::Path(path), None) => Ok(Some(names::file_name(path))),
            (_, Some(name)) => Ok(Some(name.to_owned())),
            (Sink::File(file), None) => {
                let name: Option<PathBuf> = file.getattr("name").ok().and_then(|name| name.extract().ok());
                Ok(name.map(|path| names::file_name(&path)).filter(|name| !name.is_empty()))
            }
            (Sink::Memory, None) => Ok(None),
        }
    }

    /// Puts an output where it belongs.
    pub fn put(self, py: Python<'py>, output: Output, overwrite: Overwrite) -> PyResult<PyOutput> {
        match self {
            Sink::Memory => Ok(PyOutput::in_memory(output)),
            Sink::Path(path) => {
                let saved = free(py, || output.save(&path, overwrite));
                let paths = saved.map_err(|error| exception(py, error))?;
                Ok(PyOutput::on_disk(output, paths))
            }
            Sink::File(file) => {
                if output.must_be_one_file().is_err() {
                    let names: Vec<&str> = output.companions.iter().map(|(name, _)| name.as_str()).collect();
                    return Err(WriteError::new_err(format!(
                        "{} has companion files ({}), and a file object takes one file: give a path, or None and take `files` of what comes back",
                        output.name,
                        names.join(", ")
                    )));
                }
                file.call_method1("write", (PyBytes::new(py, &output.main),))?;
                Ok(PyOutput::in_memory(output))
            }
        }
    }
}

/// Nothing is written where a loss is not allowed.
pub fn refuse_losses(py: Python<'_>, output: &Output, strict: &[&str]) -> PyResult<()> {
    let forbidden: Vec<String> = output
        .losses
        .iter()
        .filter(|loss| strict.contains(&loss.kind.word()))
        .map(|loss| format!("\n  {loss}"))
        .collect();
    if forbidden.is_empty() {
        return Ok(());
    }
    let error = WriteError::new_err(format!(
        "nothing is written to {}: something would be lost, and `strict` forbids that{}",
        output.name,
        forbidden.concat()
    ));
    error.value(py).setattr("losses", Loss::list(&output.losses))?;
    Err(error)
}

/// What a file is called that nobody gave a name: after its format, which must be told.
pub fn unnamed(py: Python<'_>, options: &WriteOptions) -> PyResult<String> {
    if options.format.is_none() {
        return Err(PyValueError::new_err(
            "say what to write: a path, name=\"model.glb\" or another ending, or format=\"gltf\"",
        ));
    }
    let target = by_id(options.formats, "gltf").and_then(|unsaid| Target::without_name(options, unsaid));
    target.map(|target| format!("model.{}", target.ending())).map_err(|error| exception(py, error))
}

/// Writes a picture, whose kind is told by how its files start. What is there and is no such picture is not overwritten, unless that is asked for.
pub fn save_picture(
    py: Python<'_>,
    path: &Bound<'_, PyAny>,
    file: &[u8],
    start: &[u8],
    is_forced: bool,
) -> PyResult<()> {
    let path = path_of(path)?.ok_or_else(|| PyTypeError::new_err("a path is wanted"))?;
    let overwrite = if is_forced { Overwrite::All } else { Overwrite::Own };
    free(py, || maquette::save::write_picture(&path, file, start, overwrite)).map_err(|error| exception(py, error))
}
