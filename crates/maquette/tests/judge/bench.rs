//! What judges are shown: files of every kind, converted.

use crate::needs;
use maquette::Input;
use maquette::convert::{ConvertOptions, convert};
use maquette::edit::Edits;
use maquette::formats::format::{BUILT_IN, Format};
use maquette::scene::loss::LossReport;
use std::path::{Path, PathBuf};

/// The root of the project.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

/// The format that the name of a file says.
pub fn format_of(path: &Path) -> Option<&'static Format> {
    BUILT_IN.by_extension(&path.extension()?.to_string_lossy())
}

/// Where files are made: a folder for each, so that their companions have the names they are known by.
pub struct Bench {
    folder: PathBuf,
    made: usize,
    /// What could not be converted, and why.
    pub refused: Vec<String>,
}

impl Bench {
    /// In a folder that is emptied first.
    pub fn new(folder: PathBuf) -> Bench {
        std::fs::remove_dir_all(&folder).ok();
        Bench { folder, made: 0, refused: Vec::new() }
    }

    fn put(&mut self, name: &str, main: &[u8], companions: &[(String, Vec<u8>)]) -> PathBuf {
        let folder = self.folder.join(self.made.to_string());
        self.made += 1;
        std::fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in companions {
            std::fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        std::fs::write(folder.join(name), main).unwrap();
        folder.join(name)
    }

    /// Converts by way of the scene, whatever the formats are.
    pub fn convert(&mut self, source: &Path, ending: &str) -> Option<(PathBuf, LossReport)> {
        let stem = source.file_stem().unwrap().to_string_lossy();
        let name = format!("{stem}.{ending}");
        let options =
            ConvertOptions { edits: Edits { scale: Some(1.0), ..Edits::default() }, ..ConvertOptions::default() };
        match convert(&Input::from_path(source).unwrap(), Some(&name), &options) {
            Ok(converted) => Some((self.put(&name, &converted.main, &converted.companions), converted.losses)),
            Err(error) => {
                self.refused.push(format!("{} to {ending}: {error}", source.display()));
                None
            }
        }
    }

    fn samples(&mut self) -> Vec<PathBuf> {
        let mut samples = Vec::new();
        for format in BUILT_IN {
            for dialect in format.dialects {
                let bundle = (format.sample)(dialect.id);
                let name = format!("{}-{}.{}", format.id, dialect.id, format.ending_of(dialect.id));
                let companions: Vec<_> =
                    bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes)).collect();
                samples.push(self.put(&name, &bundle.main, &companions));
            }
        }
        samples
    }
}

/// Whatever can become glTF: the samples of every dialect, the sound fixtures, the examples and the real files.
pub fn sources(bench: &mut Bench) -> Vec<PathBuf> {
    let root = workspace();
    let mut sources = bench.samples();
    let sound = |path: &PathBuf| path.parent().is_some_and(|folder| folder.ends_with("good"));
    sources.extend(files(&root.join("tests/fixtures")).into_iter().filter(sound));
    sources.extend(files(&root.join("examples")));
    sources.extend(needs::corpus().iter().flat_map(|corpus| files(corpus)));
    sources.retain(|path| format_of(path).is_some());
    sources
}
