//! Lists of models: which files they name, and where the results go.
//!
//! A list is text: paths relative to the list, apart by blanks or lines, in double quotes where they hold blanks; `#` starts a comment. It is
//! what AEM's own converter takes.

use crate::{Error, Result, overwrite};
use maquette_formats::format::Formats;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

/// One conversion of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file to read.
    pub input: PathBuf,
    /// The file to write.
    pub output: PathBuf,
    /// Names, without endings, of other files in the folder of the output, those of the list included, whose companion files could be
    /// taken for its own.
    pub others: Vec<String>,
}

/// The conversions that a list asks for. Outputs keep the folders that the list names, as far as those lie below the list; two inputs that would become one
/// output are refused.
pub fn plan(list: &Path, text: &str, folder: &Path, extension: &str) -> Result<Vec<Entry>> {
    let base = list.parent().unwrap_or(Path::new(""));
    let mut entries = Vec::new();
    let mut takers: HashMap<PathBuf, PathBuf> = HashMap::new();
    for path in paths(list, text)? {
        let path = PathBuf::from(path);
        let below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let place = if below { path.as_path() } else { path.file_name().map_or(path.as_path(), Path::new) };
        let output = folder.join(place.with_extension(extension));
        let entry = Entry { input: base.join(&path), others: Vec::new(), output };
        if let Some(other) = takers.insert(entry.output.clone(), entry.input.clone()) {
            return Err(Error::SameOutput {
                first: other.display().to_string(),
                second: entry.input.display().to_string(),
                output: entry.output.display().to_string(),
            });
        }
        entries.push(entry);
    }
    if entries.is_empty() {
        return Err(Error::EmptyList { file: list.display().to_string() });
    }
    let outputs: Vec<PathBuf> = entries.iter().map(|entry| entry.output.clone()).collect();
    for entry in &mut entries {
        entry.others = overwrite::neighbours(&entry.output, Formats::default());
        entry.others.extend(overwrite::neighbours_among(&entry.output, &outputs));
    }
    Ok(entries)
}

/// Does some work for every entry, on all cores; the results in the order of the list.
pub fn each<T: Send>(entries: &[Entry], work: impl Fn(&Entry) -> T + Sync + Send) -> Vec<T> {
    entries.par_iter().map(work).collect()
}

/// The paths in a list.
fn paths(list: &Path, text: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line.trim_start_matches('\u{feff}').trim_start();
        while !rest.is_empty() && !rest.starts_with('#') {
            let path;
            (path, rest) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').ok_or_else(|| {
                    let file = list.display().to_string();
                    Error::List { file, line: number + 1, why: "a quote is opened and not closed" }
                })?,
                None => rest
                    .split_at(rest.find(|letter: char| letter.is_whitespace() || letter == '#').unwrap_or(rest.len())),
            };
            found.push(path.to_owned());
            rest = rest.trim_start();
        }
    }
    found.retain(|path| !path.is_empty());
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(text: &str) -> Vec<(String, String)> {
        let entries = plan(Path::new("lists/models.lst"), text, Path::new("out"), "aem").unwrap();
        let shown = |path: PathBuf| path.to_string_lossy().replace('\\', "/");
        entries.into_iter().map(|entry| (shown(entry.input), shown(entry.output))).collect()
    }

    #[test]
    fn blanks_quotes_and_comments() {
        let text = "a.glb b.gltf # c.glb\n\n  \"my model.glb\"\"d.glb\"\t# \"\r\nsub/e.glb#f";
        let inputs: Vec<String> = planned(text).into_iter().map(|(input, _)| input).collect();
        assert_eq!(inputs, ["lists/a.glb", "lists/b.gltf", "lists/my model.glb", "lists/d.glb", "lists/sub/e.glb"]);
    }

    #[test]
    fn outputs_keep_folders_below_the_list_and_no_others() {
        let outputs: Vec<String> =
            planned("a.glb sub/./b.c.glb ../up/d.glb /far/e.glb").into_iter().map(|(_, output)| output).collect();
        assert_eq!(outputs, ["out/a.aem", "out/sub/./b.c.aem", "out/d.aem", "out/e.aem"]);
    }

    #[test]
    fn what_cannot_be_done_is_said_before_anything_is() {
        let refuse = |text| plan(Path::new("m.lst"), text, Path::new("out"), "aem").unwrap_err().to_string();
        assert_eq!(refuse("a.glb\n\"b.glb"), "m.lst, line 2: a quote is opened and not closed");
        assert_eq!(refuse("# nothing\n\"\""), "m.lst names no file");
        assert!(refuse("a.glb a.gltf").contains("would both become"));
    }
}
