//! What only one format understands: JSON by key, as values of Python that cannot be changed, and back.

use maquette::scene::extras::Extras;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList, PyMapping, PyMappingProxy, PyString, PyTuple};

/// Extras as a mapping.
pub fn shown<'py>(py: Python<'py>, extras: &Extras) -> PyResult<Bound<'py, PyMappingProxy>> {
    let loads = py.import("json")?.getattr("loads")?;
    let dict = PyDict::new(py);
    for (key, text) in extras.iter() {
        dict.set_item(key, frozen(&loads.call1((text,))?)?)?;
    }
    Ok(PyMappingProxy::new(py, dict.as_mapping()))
}

/// A value of JSON with tuples for lists and views for dicts, so that a change that would reach no scene is refused.
fn frozen<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if let Ok(list) = value.cast::<PyList>() {
        let items = list.iter().map(|item| frozen(&item)).collect::<PyResult<Vec<_>>>()?;
        return Ok(PyTuple::new(py, items)?.into_any());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let inner = PyDict::new(py);
        for (key, value) in dict {
            inner.set_item(key, frozen(&value)?)?;
        }
        return Ok(PyMappingProxy::new(py, inner.as_mapping()).into_any());
    }
    Ok(value.clone())
}

/// Extras of a mapping whose values are what JSON can hold.
pub fn taken(mapping: &Bound<'_, PyAny>) -> PyResult<Extras> {
    let py = mapping.py();
    let mapping =
        mapping.cast::<PyMapping>().map_err(|_| PyTypeError::new_err("extras are a mapping of names to values"))?;
    let dumps = py.import("json")?.getattr("dumps")?;
    let options = [("ensure_ascii", false), ("allow_nan", false)].into_py_dict(py)?;
    options.set_item("default", py.get_type::<PyDict>())?;
    let mut extras = Extras::default();
    for pair in mapping.items()? {
        let (key, value): (Bound<'_, PyString>, Bound<'_, PyAny>) = pair.extract()?;
        let key = key.to_cow()?;
        let Some((format, name)) = key.split_once('.').filter(|(format, name)| !format.is_empty() && !name.is_empty())
        else {
            let words = format!("{key:?}: keys of extras are the id of a format, a dot and a name: \"gltf.extras\"");
            return Err(PyValueError::new_err(words));
        };
        let json = dumps.call((value,), Some(&options)).map_err(|error| {
            let words = PyTypeError::new_err(format!("the value of {key:?} is nothing that JSON can hold"));
            words.set_cause(py, Some(error));
            words
        })?;
        extras.set(format, name, json.extract::<String>()?);
    }
    Ok(extras)
}
