//! What a written file may replace, and which folders are made for it.
//!
//! A file and the companion files that are named after it belong together: writing it again replaces them all. A companion file of any other
//! name may belong to somebody else, and so may one whose model's name is that of a neighbour too.

use crate::input::Sources;
use crate::progress::Progress;
use crate::save::Pending;
use crate::{Error, Result, names, save, work};
use maquette_formats::companions::stem_of;
use maquette_formats::format::{DialectInfo, Format, Formats};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which files may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Overwrite {
    /// The file itself, and companion files that are named after it.
    #[default]
    Own,
    /// All of them.
    All,
}

/// Writes a file and its companion files, all or none; what was written. Somebody else's companion file that is there with the same bytes is left
/// alone, and so is what the file was made from, unless the file takes its place as a whole. Of several programs that write the same files at
/// once, one has the last word about all of them.
pub fn save(
    path: &Path,
    format: &Format,
    main: &[u8],
    companions: &[(String, Vec<u8>)],
    sources: &Sources,
    overwrite: Overwrite,
) -> Result<Vec<PathBuf>> {
    let pending = begin(path, format, vec![main], companions, sources, overwrite, &Progress::default())?;
    let written = pending.paths().to_vec();
    pending.finish()?;
    Ok(written)
}

/// As [`save`], of a file in pieces, up to where all of them wait for the disk.
pub(crate) fn begin(
    path: &Path,
    format: &Format,
    main: Vec<&[u8]>,
    companions: &[(String, Vec<u8>)],
    sources: &Sources,
    overwrite: Overwrite,
    progress: &Progress,
) -> Result<Pending> {
    let stem = stem_of(&names::file_name(path)).to_lowercase();
    let shared = !companions.is_empty() && shares_its_name(path);
    let is_source = |path: &Path| sources.companions.iter().any(|source| is_same_file(source, path));
    let mut files = vec![(path.to_path_buf(), main)];
    for (name, bytes) in companions {
        let companion = companion_path(path, format, name);
        let owned = name.to_lowercase().starts_with(&format!("{stem}.")) && !shared;
        match save::holds(&companion, bytes) {
            // What is our own is written again, so that nobody's comes in between.
            Ok(true) if !owned || is_source(&companion) => {}
            Ok(false) if !owned && overwrite == Overwrite::Own => {
                return Err(Error::Exists { file: companion.display().to_string(), of: path.display().to_string() });
            }
            _ => files.push((companion, vec![bytes])),
        }
    }
    let is_in_place = sources.file.as_ref().is_some_and(|file| is_same_file(file, path));
    let is_protected = !is_in_place && overwrite == Overwrite::Own;
    if let Some((source, _)) = files.iter().find(|(path, _)| is_protected && is_source(path)) {
        let of = sources.file.as_deref().unwrap_or(path);
        return Err(Error::Source { file: source.display().to_string(), of: of.display().to_string() });
    }
    let folders: BTreeSet<&Path> = files.iter().filter_map(|(path, _)| path.parent()).collect();
    for folder in folders.into_iter().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(Error::io(folder.display().to_string(), "make the folder"))?;
    }
    save::begin(&files, progress)
}

/// Endings of companion files that files name themselves, in any format.
const NAMED_ENDINGS: [&str; 6] = ["png", "jpg", "jpeg", "webp", "dds", "bin"];

/// Files that lie beside a file, are named as companion files of it are, and are none of these: an earlier conversion to the same name may have
/// left them. There are none where the file itself is not there yet. `beside` is what the folder holds, where somebody has looked already.
pub fn left_behind(
    path: &Path,
    format: &Format,
    companions: &[(String, Vec<u8>)],
    beside: Option<&Beside>,
) -> Vec<PathBuf> {
    let has_companions = |dialect: &DialectInfo| (format.caps)(dialect.id).companions;
    if !path.is_file() || !format.dialects.iter().any(has_companions) {
        return Vec::new();
    }
    let own = names::file_name(path).to_lowercase();
    let found_by_name: Vec<String> = format.companions.iter().map(|naming| naming.apply(&own)).collect();
    let is_ending = |ending: &str| {
        let ends = |name: &String| name.rsplit_once('.').is_some_and(|(_, known)| known == ending);
        found_by_name.iter().any(ends) || NAMED_ENDINGS.contains(&ending) && !shares_its_name(path)
    };
    let looked;
    let beside = match beside {
        Some(beside) => beside,
        None => {
            looked = Neighbours::among([&path.to_path_buf()], Formats::default()).beside(path);
            &looked
        }
    };
    let is_left = |name: &String| {
        let name = name.to_lowercase();
        let begins = |stem: &str| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
        let is_written = name == own || companions.iter().any(|(written, _)| written.to_lowercase() == name);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        !is_written && begins(stem_of(&own)) && is_ending(ending) && !beside.models.iter().any(|stem| begins(stem))
    };
    let mut left: Vec<PathBuf> =
        beside.names.iter().filter(|name| is_left(name)).map(|name| path.with_file_name(name)).collect();
    left.retain(|path| path.is_file());
    left.sort();
    left
}

/// The path of a companion file that the format gave this name.
pub fn companion_path(path: &Path, format: &Format, name: &str) -> PathBuf {
    path.with_file_name(names::companion(format, path.file_name().unwrap_or_default(), name))
}

/// Whether two paths lead to one file, whether it is there or not.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    let found = |path: &Path| {
        fs::canonicalize(path).or_else(|_| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Ok::<_, std::io::Error>(fs::canonicalize(folder)?.join(path.file_name().unwrap_or_default()))
        })
    };
    a == b || matches!((found(a), found(b)), (Ok(a), Ok(b)) if a == b)
}

/// Fails where a report at this path would take the place of one of these files, or of a file that is there and is no report.
pub fn check_report<'p>(report: &Path, files: impl IntoIterator<Item = &'p Path>, overwrite: Overwrite) -> Result<()> {
    let path = report.display();
    if let Some(file) = files.into_iter().find(|file| is_same_file(file, report)) {
        return Err(Error::ReportReplaces { file: file.display().to_string() });
    }
    match overwrite == Overwrite::All || !report.is_file() || is_report(report) {
        true => Ok(()),
        false => Err(Error::Usage(format!("{path} exists and is no report; name another file, or use --force"))),
    }
}

/// Whether a file is a report of conversions that may be replaced by the next.
fn is_report(path: &Path) -> bool {
    let text = fs::read(path).unwrap_or_default();
    let first = match serde_json::from_slice(&text) {
        Ok(serde_json::Value::Array(rows)) => rows.into_iter().next().unwrap_or_default(),
        Ok(row) => row,
        Err(_) => return text.is_empty(),
    };
    first.is_null() || first.get("input").is_some() && (first.get("losses").is_some() || first.get("error").is_some())
}

/// The names in the folder of a path.
fn names_in_folder_of(path: &Path) -> Vec<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = entries.map(|entry| names::text(&entry.file_name())).collect();
    work::done(names.len());
    names
}

/// Whether a file of another format that has companion files lies there under the same name: `fox.bmw` beside `fox.pmdl`. The folder, which may hold many
/// thousands, is not gone through for it: it is asked for each name there could be.
fn shares_its_name(path: &Path) -> bool {
    let own = path.extension().unwrap_or_default();
    let endings = Formats::default().iter().flat_map(|format| format.extensions);
    let written = endings.flat_map(|ending| [ending.to_string(), ending.to_uppercase()]);
    let other = written.filter(|ending| !own.eq_ignore_ascii_case(ending)).map(|ending| path.with_extension(ending));
    other
        .filter(|path| path.exists())
        .any(|path| is_model_with_companions(&names::file_name(&path), Formats::default()))
}

/// Whether files of this name are models that may have companion files; what is itself a companion file, a material or a clip, is none.
fn is_model_with_companions(name: &str, formats: Formats<'_>) -> bool {
    formats.by_file_name(name).is_some_and(|format| {
        let mut caps = format.dialects.iter().map(|dialect| (format.caps)(dialect.id));
        caps.any(|caps| caps.companions && caps.meshes)
    })
}

/// The names, without endings, of models in the folder of a path whose companion files could be taken for its own: `fox.red` beside `fox`.
pub fn neighbours(path: &Path, formats: Formats<'_>) -> Vec<String> {
    Neighbours::among([&path.to_path_buf()], formats).of(path)
}

/// Models that lie, or are to lie, in the same folders. Each folder is looked at once, however many files go there.
pub struct Neighbours(BTreeMap<PathBuf, Folder>);

#[derive(Default)]
struct Folder {
    /// Models, by their names without endings in lower case.
    models: BTreeSet<String>,
    /// What lies there, by its name in lower case.
    names: BTreeMap<String, Vec<String>>,
}

/// What lies beside a file and begins as its name does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside {
    /// Models whose companion files could be taken for those of the file: their names without endings, in lower case.
    pub models: Vec<String>,
    /// Files that are there.
    pub names: Vec<String>,
}

impl Neighbours {
    /// These files that are to be written, and the models that lie in their folders.
    pub fn among<'p>(outputs: impl IntoIterator<Item = &'p PathBuf>, formats: Formats<'_>) -> Neighbours {
        let mut folders: BTreeMap<PathBuf, Folder> = BTreeMap::new();
        for output in outputs {
            let folder = folders.entry(folder_of(output)).or_insert_with(|| {
                let mut folder = Folder::default();
                for name in names_in_folder_of(output) {
                    if is_model_with_companions(&name, formats) {
                        folder.models.insert(stem_of(&name).to_lowercase());
                    }
                    folder.names.entry(name.to_lowercase()).or_default().push(name);
                }
                folder
            });
            folder.models.insert(stem_of(&names::file_name(output)).to_lowercase());
        }
        Neighbours(folders)
    }

    /// What lies beside this file and begins as its name does.
    pub fn beside(&self, path: &Path) -> Beside {
        let own = format!("{}.", stem_of(&names::file_name(path)).to_lowercase());
        let Some(folder) = self.0.get(&folder_of(path)) else { return Beside::default() };
        let names = folder.names.range(own.clone()..).take_while(|(name, _)| name.starts_with(&own));
        Beside { models: self.of(path), names: names.flat_map(|(_, names)| names).cloned().collect() }
    }

    /// Those whose companion files could be taken for those of this file.
    pub fn of(&self, path: &Path) -> Vec<String> {
        let own = format!("{}.", stem_of(&names::file_name(path)).to_lowercase());
        let Some(folder) = self.0.get(&folder_of(path)) else { return Vec::new() };
        folder.models.range(own.clone()..).take_while(|stem| stem.starts_with(&own)).cloned().collect()
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_formats::{aem, bmw, pmdl};

    fn companion(name: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
        vec![(name.to_owned(), bytes.to_vec())]
    }

    #[test]
    fn a_second_run_replaces_what_the_first_made() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("new/fox.bmw");
        save(&model, &bmw::FORMAT, b"1", &companion("fox.fur.png", b"red"), &Sources::default(), Overwrite::Own)
            .unwrap();
        let written =
            save(&model, &bmw::FORMAT, b"2", &companion("fox.fur.png", b"white"), &Sources::default(), Overwrite::Own)
                .unwrap();
        assert_eq!(written.len(), 2);
        assert_eq!(fs::read(folder.path().join("new/fox.fur.png")).unwrap(), b"white");
        let again =
            save(&model, &bmw::FORMAT, b"2", &companion("fox.fur.png", b"white"), &Sources::default(), Overwrite::Own)
                .unwrap();
        assert_eq!(again.len(), 2, "one run has written all of it");
    }

    #[test]
    fn a_full_folder_is_not_gone_through_for_each_file() {
        let folder = tempfile::tempdir().unwrap();
        let outputs: Vec<PathBuf> = (0..40).map(|at| folder.path().join(format!("{at}.pmdl"))).collect();
        outputs.iter().for_each(|output| fs::write(output, "before").unwrap());
        fs::write(folder.path().join("7.old.png"), "before").unwrap();
        fs::write(folder.path().join("8.BMW"), "before").unwrap();
        let looked = work::of(|| {
            let neighbours = Neighbours::among(&outputs, Formats::default());
            for output in &outputs {
                let (name, beside) = (names::file_name(output), neighbours.beside(output));
                let companions = companion(&format!("{}.fur.png", stem_of(&name)), b"red");
                let left = left_behind(output, &pmdl::FORMAT, &companions, Some(&beside));
                assert_eq!(left.len(), usize::from(name == "7.pmdl"), "{name}");
                save(output, &pmdl::FORMAT, b"1", &companions, &Sources::default(), Overwrite::Own).unwrap();
            }
            let shared = companion("8.fur.png", b"white");
            let refused = save(&outputs[8], &pmdl::FORMAT, b"1", &shared, &Sources::default(), Overwrite::Own);
            assert!(matches!(refused, Err(Error::Exists { .. })), "8.BMW may have it too");
        });
        assert_eq!(looked, 42, "once");
    }

    #[test]
    fn what_belongs_to_others_is_protected_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("fox.gltf");
        fs::write(folder.path().join("fur.png"), "red").unwrap();
        let foreign = companion("fur.png", b"white");
        let error = save(&model, &bmw::FORMAT, b"1", &foreign, &Sources::default(), Overwrite::Own).unwrap_err();
        assert!(matches!(&error, Error::Exists { file, .. } if file.ends_with("fur.png")), "{error}");
        assert!(!model.exists(), "nothing is written");
        save(&model, &bmw::FORMAT, b"1", &companion("fur.png", b"red"), &Sources::default(), Overwrite::Own).unwrap();
        save(&model, &bmw::FORMAT, b"1", &foreign, &Sources::default(), Overwrite::All).unwrap();
        assert_eq!(fs::read(folder.path().join("fur.png")).unwrap(), b"white");
    }

    #[test]
    fn what_others_are_about_to_write_is_protected_too() {
        let folder = tempfile::tempdir().unwrap();
        let begun = |model: &str, fur: &[u8]| {
            let (model, companions) = (folder.path().join(model), companion("fur.png", fur));
            let (sources, progress) = (Sources::default(), Progress::default());
            begin(&model, &bmw::FORMAT, vec![b"1"], &companions, &sources, Overwrite::Own, &progress)
        };
        let first = begun("fox.bmw", b"red").unwrap();
        assert!(matches!(begun("cat.bmw", b"black"), Err(Error::Exists { .. })));
        let third = begun("dog.bmw", b"red").unwrap();
        assert_eq!(third.paths(), [folder.path().join("dog.bmw")], "it is the same");
        first.finish().unwrap();
        third.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("fur.png")).unwrap(), b"red");
        assert!(!folder.path().join("cat.bmw").exists());
    }

    #[test]
    fn two_formats_of_one_name_do_not_take_each_others_textures() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("fox.pmdl"), "?").unwrap();
        fs::write(folder.path().join("fox.fur.png"), "red").unwrap();
        let model = folder.path().join("fox.bmw");
        assert!(
            save(&model, &bmw::FORMAT, b"1", &companion("fox.fur.png", b"white"), &Sources::default(), Overwrite::Own)
                .is_err()
        );
        assert!(
            save(&model, &bmw::FORMAT, b"1", &companion("fox.fur.png", b"red"), &Sources::default(), Overwrite::Own)
                .is_ok()
        );
    }

    #[test]
    fn what_an_earlier_run_made_and_this_one_does_not_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("fox.pmdl");
        let left = |companions: &[(String, Vec<u8>)]| {
            let left = left_behind(&model, &pmdl::FORMAT, companions, None);
            left.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        for name in ["fox.pmat", "fox.Run.pani", "fox.fur.png", "fox.txt", "fox.aem", "foxy.png", "fox.red.fur.png"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(left(&[]).is_empty(), "without the model, nothing was left by a conversion to it");
        fs::write(&model, "").unwrap();
        assert_eq!(left(&companion("fox.pmat", b"")), ["fox.Run.pani", "fox.fur.png", "fox.red.fur.png"]);
        fs::write(folder.path().join("fox.red.pmdl"), "").unwrap();
        assert_eq!(left(&[]), ["fox.Run.pani", "fox.fur.png", "fox.pmat"], "what may be a neighbour's is not named");
        fs::write(folder.path().join("fox.glb"), "").unwrap();
        assert_eq!(left(&[]), ["fox.Run.pani", "fox.pmat"], "nor is a texture that another model of the name may have");
        assert!(left_behind(&folder.path().join("fox.aem"), &aem::FORMAT, &[], None).is_empty(), "AEM is one file");
    }

    #[test]
    fn neighbours_are_models_whose_names_begin_alike() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["fox.red.pmdl", "fox.blue.txt", "foxy.glb", "FOX.old.bmw", "fox.glb", "fox.Run.pani", "fox.fur.pmat"]
        {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let found = neighbours(&folder.path().join("fox.pmdl"), Formats::default());
        assert_eq!(found, ["fox.old", "fox.red"]);
    }
}
