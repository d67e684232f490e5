//! Every sample and every fault as a file under `tests/fixtures`, with what `check` and `info` say about it.
//!
//! The files are made by the formats' own `sample` and `faults`; this test fails when what is on disk differs from
//! what is made now. `cargo xtask fixtures` rewrites them, and the difference is there to be read before it is committed.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use maquette::Input;
use maquette::formats::format::{BUILT_IN, Bundle, Format};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

/// Relative path to contents of every fixture.
fn made() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for format in BUILT_IN {
        for dialect in format.dialects {
            add(&mut files, format, &format!("good/{}", dialect.id), &(format.sample)(dialect.id));
        }
        for fault in format.faults {
            add(&mut files, format, &format!("bad/{}", fault.code.id), &(fault.make)());
        }
    }
    files
}

fn add(files: &mut BTreeMap<String, Vec<u8>>, format: &Format, stem: &str, bundle: &Bundle) {
    let folder = format!("{}/{}", format.id, stem.split_once('/').unwrap().0);
    let name = format!("{}.{}", stem.split_once('/').unwrap().1, format.extensions.first().unwrap());
    files.insert(format!("{folder}/{name}"), bundle.main.clone());
    for (naming, bytes) in &bundle.companions {
        files.insert(format!("{folder}/{}", naming.apply(&name)), bytes.clone());
    }
}

/// What `check` says, and for sound files `info`, as JSON that reads well in a diff.
fn said(file: &str, path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut input = Input::from_path(path).unwrap();
    input.label = file.to_owned();
    let pretty = |value: serde_json::Value| format!("{value:#}\n").into_bytes();
    let checked = maquette::check::check(&input, None, Default::default());
    let mut said = vec![(format!("{file}.check.json"), pretty(serde_json::to_value(checked).unwrap()))];
    if let (true, Ok(opened)) = (file.contains("/good/"), input.open(None)) {
        let info = maquette::info::Info::of(&input, &opened);
        said.push((format!("{file}.info.json"), pretty(serde_json::to_value(info).unwrap())));
    }
    said
}

fn on_disk(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            on_disk(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push(name);
        }
    }
}

#[test]
fn fixtures_are_what_the_code_makes() {
    let root = root();
    let update = std::env::var_os("MAQUETTE_UPDATE_FIXTURES").is_some();
    let mut expected = made();
    if update {
        if root.exists() {
            std::fs::remove_dir_all(&root).unwrap();
        }
        for (file, bytes) in &expected {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }
    let is_main = |file: &str| BUILT_IN.iter().any(|format| file.ends_with(&format!(".{}", format.extensions[0])));
    let mains: Vec<String> = expected.keys().filter(|file| is_main(file)).cloned().collect();
    for file in mains {
        let path = root.join(&file);
        assert!(path.exists(), "{file} is missing; run `cargo xtask fixtures`");
        expected.extend(said(&file, &path));
    }
    if update {
        for (file, bytes) in &expected {
            std::fs::write(root.join(file), bytes).unwrap();
        }
    }
    for (file, bytes) in &expected {
        let there = std::fs::read(root.join(file)).unwrap_or_default();
        assert!(
            there == *bytes,
            "{file} differs from what the code makes now; run `cargo xtask fixtures` and read the diff"
        );
    }
    let mut there = Vec::new();
    on_disk(&root, "", &mut there);
    for file in there {
        assert!(expected.contains_key(&file), "{file} is made by nothing; run `cargo xtask fixtures`");
    }
}
