//! Errors of the library as exceptions: what the operating system refuses is an `OSError`, all else a `maquette.Error` that carries what is known about it.

use crate::finding::Finding;
use maquette::Error;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

create_exception!(
    maquette,
    MaquetteError,
    PyException,
    "Something could not be done; the message says what, where and what would be right."
);
create_exception!(
    maquette,
    ReadError,
    MaquetteError,
    "The bytes of a file could not be understood; `finding` says which and why."
);
create_exception!(maquette, WriteError, MaquetteError, "A scene cannot be written in the format that was asked for.");

/// Adds the exceptions to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let error = py.get_type::<MaquetteError>();
    error.setattr("__name__", "Error")?;
    error.setattr("__qualname__", "Error")?;
    // For those that have none.
    error.setattr("finding", py.None())?;
    error.setattr("file", py.None())?;
    error.setattr("losses", PyTuple::empty(py))?;
    module.add("Error", error)?;
    module.add("ReadError", py.get_type::<ReadError>())?;
    module.add("WriteError", py.get_type::<WriteError>())
}

/// An error of the library as an exception.
pub fn exception(py: Python<'_>, error: Error) -> PyErr {
    let message = in_python(&error.to_string());
    match error {
        Error::Io { file, source, .. } => match source.raw_os_error() {
            // With a number, Python makes it a FileNotFoundError, a PermissionError and so on.
            Some(number) => {
                let words = source.to_string();
                let words = words.rsplit_once(" (os error").map_or(words.as_str(), |(words, _)| words);
                PyOSError::new_err((number, words.to_owned(), file))
            }
            None => PyOSError::new_err(message),
        },
        Error::Read { file, source, .. } => {
            let exception = ReadError::new_err(message);
            let finding = source.diagnostic().map(Finding::of);
            carry(py, exception, Some(&file), finding)
        }
        Error::Write { file, source, .. } => {
            let exception = WriteError::new_err(message);
            let finding = source.diagnostic().map(Finding::of);
            carry(py, exception, Some(&file), finding)
        }
        Error::Fit { file, .. } => carry(py, WriteError::new_err(message), Some(&file), None),
        _ => MaquetteError::new_err(message),
    }
}

fn carry(py: Python<'_>, exception: PyErr, file: Option<&str>, finding: Option<Finding>) -> PyErr {
    let value = exception.value(py);
    let carried = value.setattr("file", file).and_then(|()| match finding {
        Some(finding) => value.setattr("finding", finding),
        None => Ok(()),
    });
    match carried {
        Ok(()) => exception,
        Err(error) => error,
    }
}

/// The options of the command that a message advises, as those of a function: `--max-size` is `max_size`, `--to glb` is `format="glb"`.
fn in_python(message: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut takes_value = false;
    for word in message.split(' ') {
        let is_punctuation = |letter: char| !letter.is_alphanumeric() && letter != '-';
        let bare = word.trim_matches(is_punctuation);
        let (before, after) = word.split_once(bare).unwrap_or_default();
        let is_value = std::mem::take(&mut takes_value) && !bare.starts_with('-');
        match (bare.strip_prefix("--"), words.last_mut()) {
            (Some(option), _) => {
                let option = keyword(option);
                takes_value = matches!(option.as_str(), "format" | "dialect" | "up") && after.is_empty();
                words.push(format!("{before}{option}{after}"));
            }
            (None, Some(option)) if is_value => *option += &format!("={bare:?}{after}"),
            (None, _) => words.push(word.to_owned()),
        }
    }
    words.join(" ")
}

/// The name that an option of the command has here.
fn keyword(option: &str) -> String {
    match option {
        "force" => "force=True".to_owned(),
        "to" => "format".to_owned(),
        "clip" => "clips".to_owned(),
        // Words that Python keeps for itself.
        "from" | "as" | "except" => format!("{option}_"),
        option => option.replace('-', "_"),
    }
}
