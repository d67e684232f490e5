//! The file whose clips are edited, and where the result goes.

use super::edited::PyEdited;
use crate::error::exception;
use crate::keywords::Keywords;
use crate::options::{ReadNames, Reading, Writing};
use crate::output::{PyOutput, Sink, refuse_losses};
use crate::progress::Telling;
use crate::threads::free;
use maquette::clips::{self, EditOptions, Edited, ModelOperation, Operation};
use maquette::overwrite::neighbours;
use maquette::target::{Target, is_folder};
use maquette::write::by_id;
use maquette::{Error, Input, Output, Overwrite, Result};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

pub struct Files<'py> {
    pub input: Input,
    pub options: EditOptions,
    sink: Sink<'py>,
    name: Option<String>,
    overwrite: Overwrite,
    strict: Vec<&'static str>,
    telling: Telling,
}

impl<'py> Files<'py> {
    /// Takes the options that all functions have: the last ones to be taken.
    pub fn take(
        mut keywords: Keywords<'py>,
        source: &Bound<'py, PyAny>,
        target: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Files<'py>> {
        let clips = keywords.texts("clips")?;
        let files = Files::whole(keywords, source, target)?;
        Ok(Files { options: EditOptions { clips, ..files.options }, ..files })
    }

    /// The same without a choice of clips.
    pub fn whole(
        mut keywords: Keywords<'py>,
        source: &Bound<'py, PyAny>,
        target: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Files<'py>> {
        let py = source.py();
        let reading = Reading::take(&mut keywords, &ReadNames::BESIDE_OUTPUT)?;
        let writing = Writing::take(&mut keywords)?;
        keywords.finish()?;
        let sink = Sink::of(target)?;
        let (input, read) = reading.input(source)?;
        let mut options = EditOptions { read, write: writing.options, ..EditOptions::default() };
        let sink = match sink {
            Sink::Path(folder) if is_folder(&folder) => {
                Sink::Path(folder.join(name_in_folder(&input, &options).map_err(|error| exception(py, error))?))
            }
            sink => sink,
        };
        let telling = Telling::new(writing.progress);
        options.write.progress = telling.progress();
        if let Sink::Path(path) = &sink {
            options.write.others = neighbours(path, options.write.formats);
        }
        let name = sink.name(writing.name.as_deref())?;
        Ok(Files { input, options, sink, name, overwrite: writing.overwrite, strict: writing.strict, telling })
    }

    /// Does this with every clip.
    pub fn each(self, py: Python<'py>, operation: &Operation<'_>) -> PyResult<PyEdited> {
        self.each_on_model(py, &|motion, rig, _| operation(motion, rig))
    }

    /// The same, for what has to look at the model too.
    pub fn each_on_model(self, py: Python<'py>, operation: &ModelOperation<'_>) -> PyResult<PyEdited> {
        self.make(py, |input, name, options| clips::edit_on_model(input, name, options, operation))
    }

    /// Makes files with edited clips.
    pub fn make(
        self,
        py: Python<'py>,
        work: impl FnOnce(&Input, Option<&str>, &EditOptions) -> Result<Edited> + Send,
    ) -> PyResult<PyEdited> {
        let Files { input, options, sink, name, overwrite, strict, telling } = self;
        let edited = free(py, || work(&input, name.as_deref(), &options));
        telling.raise()?;
        let edited = edited.map_err(|error| exception(py, error))?;
        edited.outputs.iter().try_for_each(|output| refuse_losses(py, output, &strict))?;
        let outputs = put(py, sink, edited.outputs, overwrite)?;
        telling.raise()?;
        PyEdited::new(py, outputs, edited.clips)
    }
}

/// Each file of several is named after its clip.
fn put<'py>(py: Python<'py>, sink: Sink<'py>, outputs: Vec<Output>, overwrite: Overwrite) -> PyResult<Vec<PyOutput>> {
    match (sink, outputs.len()) {
        (Sink::Path(path), 2..) => {
            let own = |output: Output| {
                let path = path.with_file_name(&output.name);
                Sink::Path(path).put(py, output, overwrite)
            };
            outputs.into_iter().map(own).collect()
        }
        (Sink::File(_), 2..) => Err(PyValueError::new_err(format!(
            "{} files come of it, and a file object takes one: give a path, or None and take `outputs` of what comes back",
            outputs.len()
        ))),
        (Sink::Memory, _) => Ok(outputs.into_iter().map(PyOutput::in_memory).collect()),
        (sink, _) => outputs.into_iter().next().map(|output| sink.put(py, output, overwrite)).into_iter().collect(),
    }
}

/// In a folder, a file keeps its name, with the ending of another format where one is asked for.
fn name_in_folder(input: &Input, options: &EditOptions) -> Result<PathBuf> {
    let own = Path::new(input.name());
    if own.as_os_str().is_empty() {
        return Err(Error::Usage("bytes have no name in a folder; say one with read_name, or name a file".into()));
    }
    match &options.write.format {
        None => Ok(own.to_path_buf()),
        Some(_) => {
            let target = Target::without_name(&options.write, by_id(options.write.formats, "seanim")?)?;
            Ok(own.with_extension(target.ending()))
        }
    }
}
