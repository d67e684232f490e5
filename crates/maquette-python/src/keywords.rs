//! Options by name. What several functions have in common is taken from the same list, and what nobody takes is a mistake that is told.

use crate::source::is_file;
use maquette::motion::nearest;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The options that a function was called with.
pub struct Keywords<'py> {
    function: &'static str,
    given: Vec<(String, Bound<'py, PyAny>)>,
    /// All that somebody looked for.
    known: Vec<&'static str>,
}

impl<'py> Keywords<'py> {
    pub fn new(function: &'static str, given: Option<&Bound<'py, PyDict>>) -> PyResult<Keywords<'py>> {
        let pairs = given.into_iter().flat_map(|given| given.iter());
        let given = pairs.map(|(name, value)| Ok((name.extract()?, value))).collect::<PyResult<_>>()?;
        Ok(Keywords { function, given, known: Vec::new() })
    }

    /// What was given by this name; nothing where that is `None`.
    pub fn object(&mut self, name: &'static str) -> Option<Bound<'py, PyAny>> {
        self.known.push(name);
        let place = self.given.iter().position(|(given, _)| given == name)?;
        let (_, value) = self.given.swap_remove(place);
        Some(value).filter(|value| !value.is_none())
    }

    /// The same as a value; `wanted` says what would be right.
    pub fn value<T>(&mut self, name: &'static str, wanted: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py>,
    {
        let Some(value) = self.object(name) else { return Ok(None) };
        match value.extract::<T>() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(PyTypeError::new_err(format!("{name} is {wanted}, not {}", value.repr()?))),
        }
    }

    pub fn text(&mut self, name: &'static str) -> PyResult<Option<String>> {
        self.value(name, "text")
    }

    pub fn flag(&mut self, name: &'static str) -> PyResult<bool> {
        Ok(self.value(name, "True or False")?.unwrap_or(false))
    }

    /// A number that is finite and not below zero.
    pub fn measure(&mut self, name: &'static str) -> PyResult<Option<f64>> {
        let number: Option<f64> = self.value(name, "a number")?;
        match number {
            Some(number) if !number.is_finite() || number < 0.0 => {
                Err(PyValueError::new_err(format!("{name} is {number}; it must be 0 or more, and finite")))
            }
            number => Ok(number),
        }
    }

    /// What one of these words stands for.
    pub fn word<T: Copy>(&mut self, name: &'static str, words: &[(&'static str, T)]) -> PyResult<Option<T>> {
        match self.text(name)? {
            Some(word) => choose(name, &word, words).map(Some),
            None => Ok(None),
        }
    }

    /// The objects of a list; one that is no list, as text, bytes or a file, stands for a list of it.
    pub fn objects(&mut self, name: &'static str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let Some(value) = self.object(name) else { return Ok(Vec::new()) };
        let is_one = value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? || is_file(&value)?;
        match value.try_iter() {
            Ok(items) if !is_one => items.collect(),
            _ => Ok(vec![value]),
        }
    }

    /// A list of texts, or one.
    pub fn texts(&mut self, name: &'static str) -> PyResult<Vec<String>> {
        let text = |item: Bound<'py, PyAny>| {
            item.extract().map_err(|_| PyTypeError::new_err(format!("{name} is a list of texts")))
        };
        self.objects(name)?.into_iter().map(text).collect()
    }

    /// Fails where something was given that nobody looked for.
    pub fn finish(self) -> PyResult<()> {
        let Some((unknown, _)) = self.given.first() else { return Ok(()) };
        let near = nearest(unknown, self.known.iter().copied());
        let advice = match near.as_slice() {
            [] => {
                let mut known = self.known.clone();
                known.sort_unstable();
                format!("there are {}", known.join(", "))
            }
            near => format!("did you mean {}?", near.join(" or ")),
        };
        Err(PyTypeError::new_err(format!("{}() has no option {unknown:?}; {advice}", self.function)))
    }
}

/// What a word stands for, or the error that lists them.
pub fn choose<T: Copy>(name: &str, word: &str, words: &[(&'static str, T)]) -> PyResult<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning).ok_or_else(|| {
        let mut known: Vec<String> = words.iter().map(|(known, _)| format!("{known:?}")).collect();
        let last = known.pop().unwrap_or_default();
        PyValueError::new_err(format!("{name} is {word:?}; {} or {last} would be right", known.join(", ")))
    })
}
