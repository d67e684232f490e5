//! A second reader, written in Python from the formats' documents and without sight of this code, must agree: on every sample,
//! and on real files where they lie beside the project. Without Python nothing is compared.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn objects(command: &mut Command) -> Vec<Value> {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Numbers are compared to single precision, everything else exactly.
fn agree(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|number| number.as_f64().unwrap());
            (a - b).abs() <= 1e-6 * a.abs().max(b.abs())
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agree(a, b)))
        }
        (a, b) => a == b,
    }
}

fn compare(files: &[PathBuf], dialect: Option<&str>) {
    let mut second = Command::new("python3");
    second.arg(root().join("tests/independent/read.py"));
    if let Some(dialect) = dialect {
        second.args(["--dialect", dialect]);
    }
    let theirs = objects(second.args(files));
    let ours = objects(Command::new(env!("CARGO_BIN_EXE_maquette")).args(["info", "--json"]).args(files));
    assert_eq!((ours.len(), theirs.len()), (files.len(), files.len()));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        for (field, value) in theirs.as_object().unwrap() {
            let mine = ours.get(field).unwrap_or(&Value::Null);
            assert!(agree(mine, value), "{}: {field} is {mine} here and {value} there", ours.get("file").unwrap());
        }
    }
}

/// Whether the second reader reads this format; glTF has judges of its own.
fn is_known(format: &str) -> bool {
    format != "gltf"
}

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("no python3: nothing is compared");
    }
    found
}

#[test]
fn samples_are_read_alike() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for format in maquette::list::formats().into_iter().filter(|format| is_known(format.id)) {
        for dialect in format.dialects {
            let path = folder.path().join(format!("{}.{}", dialect.id, format.id));
            std::fs::write(&path, maquette::sample::make(format.id, Some(dialect.id)).unwrap().main).unwrap();
            compare(std::slice::from_ref(&path), Some(dialect.id));
            compare(&[path], None);
        }
    }
}

#[test]
fn real_files_are_read_alike() {
    fn find(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                find(&path, found);
            } else if maquette::formats::format::by_extension(&extension).is_some_and(|format| is_known(format.id)) {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    find(&root().join("../shared/corpus"), &mut files);
    if has_python() && !files.is_empty() {
        compare(&files, None);
    }
}
