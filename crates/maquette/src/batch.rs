//! Many models at once: which files there are, and where the results go.
//!
//! A list is text: paths relative to the list, apart by blanks or lines, in double quotes where they hold blanks; `#` starts a comment. It is
//! what AEM's own converter takes. A line that is as a whole the path of a file is that path, whatever blanks it holds. Where NULs stand between paths,
//! as `find -print0` puts them, each is taken as it is.

use crate::overwrite::{self, Beside};
use crate::{Error, Result};
use maquette_formats::format::Formats;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError, mpsc};
use std::{iter, thread};

/// One conversion of many.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The file to read.
    pub input: PathBuf,
    /// The file to write.
    pub output: PathBuf,
    /// Names, without endings, of other files in the folder of the output, those of other entries included, whose companion files could be
    /// taken for its own.
    pub others: Vec<String>,
    /// What lies beside the output before anything is written.
    pub beside: Beside,
}

/// The conversions that a list asks for. Outputs keep the folders that the list names, as far as those lie below the list.
pub fn plan_list(list: &Path, text: &str, folder: &Path, extension: &str) -> Result<Vec<Entry>> {
    let base = list.parent().unwrap_or(Path::new(""));
    let paths = paths(list, base, text)?;
    if paths.is_empty() {
        return Err(Error::EmptyList { file: list.display().to_string() });
    }
    let pairs = paths.into_iter().map(PathBuf::from).map(|path| {
        let below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let kept: PathBuf = match below {
            true => path.components().filter(|part| matches!(part, Component::Normal(_))).collect(),
            false => path.file_name().map_or(path.clone(), PathBuf::from),
        };
        (base.join(&path), folder.join(kept.with_extension(extension)))
    });
    plan(pairs.collect())
}

/// The conversions of these files into a folder.
pub fn plan_files(inputs: &[PathBuf], folder: &Path, extension: &str) -> Result<Vec<Entry>> {
    plan_into(inputs, folder, |name| name.with_extension(extension))
}

/// The edits of these files into a folder, under the names they have.
pub fn plan_edits(inputs: &[PathBuf], folder: &Path) -> Result<Vec<Entry>> {
    plan_into(inputs, folder, Path::to_path_buf)
}

/// Files into a folder, each under the name that is made of its own.
pub fn plan_into(inputs: &[PathBuf], folder: &Path, name: impl Fn(&Path) -> PathBuf) -> Result<Vec<Entry>> {
    let output = |input: &PathBuf| folder.join(name(Path::new(input.file_name().unwrap_or_default())));
    plan(inputs.iter().map(|input| (input.clone(), output(input))).collect())
}

/// Inputs that would become one output are refused, all of them at once; one that is named twice is converted once.
fn plan(all: Vec<(PathBuf, PathBuf)>) -> Result<Vec<Entry>> {
    let mut pairs: Vec<(PathBuf, PathBuf)> = Vec::with_capacity(all.len());
    // The inputs of each output, with the first path that it has. Some file systems do not tell cases apart.
    let mut takers: BTreeMap<String, (PathBuf, Vec<PathBuf>)> = BTreeMap::new();
    for (input, output) in all {
        let (_, inputs) =
            takers.entry(output.to_string_lossy().to_lowercase()).or_insert_with(|| (output.clone(), Vec::new()));
        if !inputs.iter().any(|other| overwrite::is_same_file(other, &input)) {
            inputs.push(input.clone());
            pairs.push((input, output));
        }
    }
    let shown = |path: &PathBuf| path.display().to_string();
    let colliding = takers.values().filter(|(_, inputs)| inputs.len() > 1);
    let collisions: Vec<_> =
        colliding.map(|(output, inputs)| (shown(output), inputs.iter().map(shown).collect())).collect();
    if !collisions.is_empty() {
        return Err(Error::SameOutput { collisions });
    }
    let neighbours = overwrite::Neighbours::among(pairs.iter().map(|(_, output)| output), Formats::default());
    let entry = |(input, output): (PathBuf, PathBuf)| Entry {
        others: neighbours.of(&output),
        beside: neighbours.beside(&output),
        input,
        output,
    };
    Ok(pairs.into_iter().map(entry).collect())
}

/// Does some work for every entry, on all cores; the results in the order of the entries.
pub fn each<T: Send>(entries: &[Entry], work: impl Fn(&Entry) -> T + Sync + Send) -> Vec<T> {
    entries.par_iter().map(work).collect()
}

/// How many threads wait for the disk. A disk takes many files as fast as one, if it is told of them at once.
const WAITERS: usize = 16;

/// As [`each`], in two steps: work is done on all cores, and what is left to wait for is waited for beside it.
pub fn each_then<T: Send, U: Send>(
    entries: &[Entry],
    work: impl Fn(&Entry) -> T + Sync + Send,
    wait: impl Fn(&Entry, T) -> U + Sync + Send,
) -> Vec<U> {
    let (sender, receiver) = mpsc::sync_channel::<(usize, &Entry, T)>(WAITERS);
    let receiver = Mutex::new(receiver);
    let done = Mutex::new(Vec::with_capacity(entries.len()));
    let finish = |(index, entry, made): (usize, &Entry, T)| {
        let finished = wait(entry, made);
        done.lock().unwrap_or_else(PoisonError::into_inner).push((index, finished));
    };
    let next = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        let waiter = || iter::from_fn(|| next().ok()).for_each(finish);
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, waiter).ok();
        let waiters = (0..WAITERS.min(entries.len())).map_while(spawn).count();
        entries.par_iter().enumerate().for_each(|(index, entry)| {
            let made = (index, entry, work(entry));
            match waiters {
                0 => finish(made),
                // They wait until the sender is gone.
                _ => drop(sender.send(made)),
            }
        });
        drop(sender);
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, finished)| finished).collect()
}

/// The paths in a list.
fn paths(list: &Path, base: &Path, text: &str) -> Result<Vec<String>> {
    if text.contains('\0') {
        return Ok(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect());
    }
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line.trim_start_matches('\u{feff}').trim();
        if rest.contains(char::is_whitespace) && base.join(rest).is_file() {
            found.push(rest.to_owned());
            continue;
        }
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn planned(text: &str) -> Vec<(String, String)> {
        let entries = plan_list(Path::new("lists/models.lst"), text, Path::new("out"), "aem").unwrap();
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
    fn a_line_that_is_the_path_of_a_file_is_one_path() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("red fox # 2.glb"), "").unwrap();
        let list = folder.path().join("models.lst");
        let entries = plan_list(&list, " red fox # 2.glb \nred fox.glb", Path::new("out"), "aem").unwrap();
        let inputs: Vec<_> = entries.iter().map(|entry| entry.input.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(inputs, ["red fox # 2.glb", "red", "fox.glb"]);
    }

    #[test]
    fn between_nuls_paths_are_as_they_are() {
        let inputs: Vec<String> =
            planned("./a.glb\0my # \"model.glb\0b\n.glb\0").into_iter().map(|(input, _)| input).collect();
        assert_eq!(inputs, ["lists/./a.glb", "lists/my # \"model.glb", "lists/b\n.glb"]);
    }

    #[test]
    fn outputs_keep_folders_below_the_list_and_no_others() {
        let outputs: Vec<String> =
            planned("./a.glb sub/./b.c.glb ../up/d.glb /far/e.glb").into_iter().map(|(_, output)| output).collect();
        assert_eq!(outputs, ["out/a.aem", "out/sub/b.c.aem", "out/d.aem", "out/e.aem"]);
    }

    #[test]
    fn what_cannot_be_done_is_said_before_anything_is() {
        let refuse = |text| plan_list(Path::new("m.lst"), text, Path::new("out"), "aem").unwrap_err().to_string();
        assert_eq!(refuse("a.glb\n\"b.glb"), "m.lst, line 2: a quote is opened and not closed");
        assert_eq!(refuse("# nothing\n\"\""), "m.lst names no file");
        assert!(refuse("a.glb A.gltf").contains("a.glb, A.gltf would all become"));
        let files = ["x/fox.glb", "y/fox.glb"].map(PathBuf::from);
        assert!(matches!(plan_files(&files, Path::new("out"), "aem"), Err(Error::SameOutput { .. })));
    }

    #[test]
    fn what_is_waited_for_holds_up_nobody_else() {
        let names: Vec<PathBuf> = (0..100).map(|n| format!("{n}.glb").into()).collect();
        let entries = plan_files(&names, Path::new("no such folder"), "aem").unwrap();
        let working = AtomicUsize::new(0);
        let waited = each_then(
            &entries,
            |entry| {
                working.fetch_add(1, Ordering::Relaxed);
                entry.input.clone()
            },
            |entry, made| {
                assert_eq!(entry.input, made);
                // The first of all is done when some others have been begun, which more than one thread at a time takes.
                while made == names[0] && working.load(Ordering::Relaxed) < 8 {
                    thread::yield_now();
                }
                made
            },
        );
        assert_eq!(waited, names, "in the order of the entries");
        assert_eq!(each_then(&[], |_| (), |_, ()| ()), []);
    }

    #[test]
    fn outputs_know_whose_companion_files_could_be_theirs() {
        let files = ["fox.glb", "fox.red.glb", "sub/fox.blue.glb"].map(PathBuf::from);
        let entries = plan_files(&files, Path::new("no such folder"), "pmdl").unwrap();
        let others: Vec<&[String]> = entries.iter().map(|entry| entry.others.as_slice()).collect();
        assert_eq!(others[0], ["fox.blue", "fox.red"]);
        assert!(others[1].is_empty() && others[2].is_empty());
    }
}
