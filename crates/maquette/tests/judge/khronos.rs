//! What the Khronos validator says about every glTF file that is written here.
//!
//! Each source becomes `.glb` and `.gltf`; each glTF file of the corpus also goes through every other format of models and
//! back. The files that the writer's own tests put into the folder are judged with them.
//!
//! An error or a warning fails, with three exceptions, each of which has to be shown for the very file:
//!
//! - the source is glTF, and the validator has the same warning about it;
//! - the image of a source is not there, so that it cannot be beside what is made from it either;
//! - a normal map has no tangents beside it, and the report of the conversion says that the format between could not hold them.

use crate::bench::{Bench, files, format_of, sources, workspace};
use crate::needs;
use maquette::Input;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Formats that hold whole models, besides glTF.
const THROUGH: [&str; 4] = ["aem", "nlm", "pmdl", "bmw"];

/// The validator's word for a normal map on geometry that has no tangents.
const NO_TANGENTS: &str = "MESH_PRIMITIVE_GENERATED_TANGENT_SPACE";

/// A file to be judged, and the file it comes from.
struct Case {
    made: PathBuf,
    source: Option<PathBuf>,
    /// Whether the report says that tangents were lost on the way.
    lost_tangents: bool,
}

#[derive(Deserialize)]
struct Said {
    file: PathBuf,
    severity: String,
    code: String,
    pointer: String,
    message: String,
}

fn cases(bench: &mut Bench) -> Vec<Case> {
    let corpus = needs::corpus();
    let mut cases = Vec::new();
    for source in sources(bench) {
        let is_gltf = format_of(&source).is_some_and(|format| format.id == "gltf");
        for ending in ["glb", "gltf"] {
            let made = bench.convert(&source, ending);
            cases.extend(made.map(|(made, _)| Case { made, source: Some(source.clone()), lost_tangents: false }));
        }
        if is_gltf && corpus.as_ref().is_some_and(|corpus| source.starts_with(corpus)) {
            for format in THROUGH {
                let Some((between, losses)) = bench.convert(&source, format) else { continue };
                let (lost_tangents, source) =
                    (losses.names(maquette::scene::loss::Lost::Tangents), Some(source.clone()));
                cases.extend(bench.convert(&between, "glb").map(|(made, _)| Case { made, source, lost_tangents }));
            }
        }
    }
    cases
}

/// What the validator says about each of these files.
fn said(folder: &Path, paths: &[&PathBuf]) -> Vec<Said> {
    let list = folder.join("list.json");
    std::fs::write(&list, serde_json::to_vec(paths).unwrap()).unwrap();
    let script = workspace().join("tests/judge/validate.mjs");
    let output = Command::new("node").arg(script).arg(folder).arg(&list).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Whether what is said is about an image that the source has not got either.
fn is_absent(said: &Said, source: &Path) -> bool {
    let json = || -> Option<String> {
        let input = Input::from_path(&said.file).ok()?;
        let file = maquette::formats::gltf::File::parse(input.bytes()).ok()?;
        let index: usize = said.pointer.strip_prefix("/images/")?.strip_suffix("/uri")?.parse().ok()?;
        match maquette::formats::gltf::uri::resolve(file.document.images.get(index)?.uri.as_deref()?) {
            maquette::formats::gltf::uri::Location::File(name) => Some(name),
            _ => None,
        }
    };
    said.code == "IO_ERROR" && json().is_some_and(|name| !source.with_file_name(name).exists())
}

/// Why what is said about a file is not held against it; `None` if it is.
fn excuse(said: &Said, case: &Case, known: &HashSet<(&PathBuf, &str)>) -> Option<String> {
    let source = case.source.as_ref()?;
    let why = match said.severity == "warning" && known.contains(&(source, said.code.as_str())) {
        true => "said of the source too",
        false if is_absent(said, source) => "the source has no such image either",
        false if case.lost_tangents && said.code == NO_TANGENTS => "the loss is in the report",
        false => return None,
    };
    Some(format!("excused: {} of {}: {why}", said.code, source.display()))
}

#[test]
#[ignore = "needs the Khronos validator: cargo xtask judge"]
fn the_validator_has_neither_errors_nor_warnings() {
    let folder = std::env::var_os("MAQUETTE_JUDGE").map(PathBuf::from).expect("the folder of the validator");
    let mut bench = Bench::new(folder.join("made"));
    let mut cases = cases(&mut bench);
    let is_gltf = |path: &PathBuf| format_of(path).is_some_and(|format| format.id == "gltf");
    let scenes = files(&folder.join("scenes")).into_iter().filter(is_gltf);
    cases.extend(scenes.map(|made| Case { made, source: None, lost_tangents: false }));

    let sources: BTreeSet<&PathBuf> = cases.iter().filter_map(|case| case.source.as_ref()).collect();
    let about_sources = said(&folder, &sources.into_iter().filter(|path| is_gltf(path)).collect::<Vec<_>>());
    let known: HashSet<(&PathBuf, &str)> = about_sources.iter().map(|said| (&said.file, said.code.as_str())).collect();

    let case_of: HashMap<&PathBuf, &Case> = cases.iter().map(|case| (&case.made, case)).collect();
    let mut bad = Vec::new();
    let mut excused: BTreeMap<String, usize> = BTreeMap::new();
    let judged = said(&folder, &cases.iter().map(|case| &case.made).collect::<Vec<_>>());
    for said in judged.iter().filter(|said| said.severity == "error" || said.severity == "warning") {
        let case = case_of.get(&said.file).unwrap();
        if let Some(excuse) = excuse(said, case, &known) {
            *excused.entry(excuse).or_default() += 1;
            continue;
        }
        let from = case.source.as_ref().map_or("a test of the writer".into(), |source| source.display().to_string());
        let Said { file, severity, code, pointer, message } = said;
        bad.push(format!("{severity} {code} at {pointer} of {}, made from {from}: {message}", file.display()));
    }
    println!("{} files judged", cases.len());
    for line in &bench.refused {
        println!("not converted: {line}");
    }
    for (excuse, times) in excused {
        println!("{excuse} ({times} times)");
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
