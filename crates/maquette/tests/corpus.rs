//! Real files written by other people's programs.
//!
//! Each is found out to be in the dialect that is known for it, comes back byte for byte, and can be checked and dumped.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../tests/needs/mod.rs"]
mod needs;

use maquette::Input;
use maquette::dump::{Form, dump};
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// The dialects of files whose origin is known, by a part of their name.
const KNOWN: &[(&str, &str)] = &[
    ("head_dialect_c6a01c6.aem", "wide"),
    ("seed_dialect_254cc2e.aem", "document"),
    (".bc.aem", "document"),
    (".plain.aem", "document"),
    (".wide.aem", "wide"),
    ("error_model.nlm", "engine-12"),
    (".nlm", "engine"),
    (".seanim", "1.0.2"),
    ("v_d8233e1.pmdl", "engine-20"),
    (".pmdl", "engine"),
    (".pmat", "document"),
];

#[test]
fn real_files_are_understood_and_come_back_unchanged() {
    let Some(corpus) = needs::corpus() else { return };
    let mut paths = Vec::new();
    files(&corpus, &mut paths);
    let ours = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        maquette::formats::format::BUILT_IN.by_extension(&extension).is_some()
    };
    paths.retain(ours);
    assert!(!paths.is_empty(), "{} holds none of our files", corpus.display());
    for path in &paths {
        let input = Input::from_path(path).unwrap();
        let opened = input.open(None).unwrap_or_else(|error| panic!("{error}"));
        let extension = path.extension().unwrap().to_string_lossy().into_owned();
        assert!(opened.format.extensions.contains(&extension.as_str()), "{}", path.display());
        let known = KNOWN.iter().find(|(primitive, _)| input.name().ends_with(primitive));
        if let Some((_, dialect)) = known {
            assert_eq!(opened.file.dialect(), *dialect, "{}: {}", path.display(), opened.file.evidence());
        }
        assert!(opened.file.encode() == input.bytes(), "{} does not come back", path.display());
        let checked = maquette::check::check(&input, None, Default::default());
        assert!(checked.readable);
        for finding in &checked.diagnostics {
            let companions = finding.path.starts_with("companions");
            assert!(finding.offset.is_some() || companions, "{}: {finding:?}", path.display());
        }
        let mut json = Vec::new();
        dump(&opened, Form::Json, None, &mut json).unwrap();
        serde_json::from_slice::<serde_json::Value>(&json).unwrap();
    }
}
