//! The command, in this process.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the `maquette` command with these arguments, or with those of this program, and gives its exit code: 0 fine, 1 findings, 2 could not do it.
///
/// It prints to the standard output of the process, past `sys.stdout`, and from then on Ctrl-C ends the process at once, and processes
/// that it forks off do not heed the first request to end.
/// Functions of this package do the same work and hand back what they find.
#[pyfunction]
#[pyo3(signature = (arguments=None))]
pub fn main(py: Python<'_>, arguments: Option<Vec<OsString>>) -> PyResult<u8> {
    let sys = py.import("sys")?;
    let arguments = match arguments {
        Some(arguments) => arguments,
        None => sys.getattr("argv")?.extract::<Vec<OsString>>()?.into_iter().skip(1).collect(),
    };
    // What was printed before comes before.
    for stream in ["stdout", "stderr"] {
        let stream = sys.getattr(stream)?;
        if !stream.is_none() {
            stream.call_method0("flush")?;
        }
    }
    let words = [OsString::from("maquette")].into_iter().chain(arguments);
    Ok(py.detach(|| maquette_cli::run_with(words)))
}
