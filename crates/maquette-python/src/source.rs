//! Where files come from: a path, bytes, or an object that can be read; and their companion files, by name.

use crate::error::exception;
use crate::threads::free;
use maquette::{Input, Resources};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMapping, PyMemoryView, PyString};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// An input of the library, of anything that Python holds a file in.
pub fn input(
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    companions: Option<&Bound<'_, PyAny>>,
) -> PyResult<Input> {
    let py = source.py();
    if let Some(bytes) = bytes_of(source)? {
        return with_companions(name.unwrap_or_default(), bytes, companions);
    }
    if let Ok(read) = source.getattr("read") {
        let name = match name {
            Some(name) => name,
            None => source.getattr("name").ok().and_then(|name| name.extract().ok()).unwrap_or_default(),
        };
        let content = read.call0()?;
        let bytes = bytes_of(&content)?
            .ok_or_else(|| PyTypeError::new_err("the file object gives text; open it as binary: open(path, \"rb\")"))?;
        let name = Path::new(&name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        return with_companions(name, bytes, companions);
    }
    let Some(path) = path_of(source)? else {
        let kind = source.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a path, bytes or a file object is wanted, not {kind}")));
    };
    match companions {
        // What is given besides a path stands in for what lies beside it.
        Some(_) => {
            let bytes = free(py, || std::fs::read(&path))?;
            let name = name.unwrap_or_else(|| maquette::names::file_name(&path));
            with_companions(name, bytes, companions)
        }
        None if name.is_some() => {
            Err(PyTypeError::new_err("a path has its own name; `name` is for bytes and file objects"))
        }
        // Scenes and outputs live long, and would end the program with a mapped file that somebody shortens.
        None => free(py, || Input::from_path_in_memory(&path)).map_err(|error| exception(py, error)),
    }
}

/// Whether an object holds a file: bytes, or what can be read.
pub fn is_file(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let is_bytes = object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyMemoryView>();
    Ok(is_bytes || object.hasattr("read")?)
}

/// The bytes of an object that is bytes.
pub fn bytes_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
        let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
        return Ok(Some(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
    }
    Ok(None)
}

/// The path that an object is: text, or what `os.fspath` makes of it. The command's `-` is no path to standard input here.
pub fn path_of(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if !object.is_instance_of::<PyString>() && !object.hasattr("__fspath__")? {
        return Ok(None);
    }
    let path: PathBuf = object.extract()?;
    Ok(Some(if path == Path::new("-") { PathBuf::from("./-") } else { path }))
}

fn with_companions(name: String, bytes: Vec<u8>, companions: Option<&Bound<'_, PyAny>>) -> PyResult<Input> {
    let mut input = match companions {
        None => Input::from_bytes(name, bytes),
        Some(files) if files.is_callable() => Input::with_resources(name, bytes, Asked(files.clone().unbind())),
        Some(files) => Input::with_resources(name, bytes, named(files)?),
    };
    // What messages call it.
    if input.label.is_empty() {
        input.label = "bytes".to_owned();
    }
    Ok(input)
}

/// Companion files by name.
fn named(files: &Bound<'_, PyAny>) -> PyResult<Named> {
    let wrong = || PyTypeError::new_err("companions are a dict of names and bytes, or a function from name to bytes");
    let files = files.cast::<PyMapping>().map_err(|_| wrong())?;
    let pair = |item: Bound<'_, PyAny>| {
        let (name, content): (String, Bound<'_, PyAny>) = item.extract().map_err(|_| wrong())?;
        Ok((name, bytes_of(&content)?.ok_or_else(wrong)?))
    };
    files.items()?.iter().map(pair).collect::<PyResult<_>>().map(Named)
}

struct Named(HashMap<String, Vec<u8>>);

impl Resources for Named {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(name).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}

/// A function of Python that has companion files: their bytes, or `None` where there is no such file. What it raises stands in the way of that file.
struct Asked(Py<PyAny>);

impl Asked {
    fn ask(&self, name: &str) -> PyResult<Option<Vec<u8>>> {
        Python::attach(|py| {
            let content = self.0.bind(py).call1((name,))?;
            match bytes_of(&content)? {
                None if !content.is_none() => {
                    let kind = content.get_type().name()?;
                    Err(PyTypeError::new_err(format!("companions are bytes or None, not {kind}")))
                }
                bytes => Ok(bytes),
            }
        })
    }
}

impl Resources for Asked {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.ask(name).ok().flatten().map(Cow::Owned)
    }

    fn obstacle(&self, name: &str) -> Option<String> {
        self.ask(name).err().map(|error| error.to_string())
    }
}
