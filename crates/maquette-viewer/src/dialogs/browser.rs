//! A small browser of files: where it is, what is typed, what of the folder goes with it.

use super::listing::{Entry, Listing};
use super::{Asked, folder_of};
use std::path::{Path, PathBuf};

/// Where it is and what is typed.
pub struct Browser {
    /// What a file is asked for.
    pub asked: Asked,
    /// Where it is.
    pub folder: PathBuf,
    /// The name of a file, or a part of names.
    pub typed: String,
    /// What lies in the folder.
    pub listing: Listing,
    /// What of it is shown, by place.
    pub shown: Vec<usize>,
    /// Which of those is marked.
    pub marked: Option<usize>,
    /// The ending of a file that is written.
    pub ending: &'static str,
    /// What is there already, and would be replaced.
    pub in_the_way: Option<PathBuf>,
    /// What is wrong with what was typed.
    pub wrong: Option<String>,
}

impl Browser {
    /// One that begins at this path.
    pub fn new(asked: Asked, suggested: &Path, ending: &'static str) -> Browser {
        let folder = folder_of(suggested);
        let name = suggested.file_name().filter(|_| asked.writes());
        Browser {
            asked,
            listing: Listing::start(&folder),
            folder,
            typed: name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            shown: Vec::new(),
            marked: None,
            ending: if asked == Asked::Screenshot { "png" } else { ending },
            in_the_way: None,
            wrong: None,
        }
    }

    /// Goes into a folder.
    pub fn go(&mut self, folder: &Path) {
        self.folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        self.listing = Listing::start(&self.folder);
        self.wrong = None;
        self.list();
    }

    /// Goes into the folder above.
    pub fn go_up(&mut self) {
        if let Some(above) = self.folder.parent().map(Path::to_path_buf) {
            self.go(&above);
        }
    }

    /// Takes what was typed: a path leads into its folder, what is left is looked for there.
    pub fn take_typed(&mut self) {
        self.wrong = None;
        if let Some(end) = self.typed.rfind(std::path::is_separator) {
            let (folder, name) = self.typed.split_at(end + 1);
            let folder = match (folder.strip_prefix("~/"), std::env::home_dir()) {
                (Some(below), Some(home)) => home.join(below),
                _ => self.folder.join(folder),
            };
            if folder.is_dir() {
                self.typed = name.to_owned();
                self.go(&folder);
            } else {
                self.wrong = Some(format!("there is no folder {}", folder.display()));
            }
        }
        self.list();
    }

    /// What of the folder is shown: folders and files of the right endings; of those that are read, the ones that go with what is typed.
    pub fn list(&mut self) {
        let endings = self.asked.endings();
        let wanted = if self.asked.writes() { String::new() } else { self.typed.to_lowercase() };
        let shows = |entry: &Entry| {
            let name = entry.name.to_lowercase();
            let is_model =
                endings.is_empty() || name.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending));
            let is_hidden = name.starts_with('.') && !wanted.starts_with('.');
            !is_hidden && (entry.is_folder || is_model) && name.contains(&wanted)
        };
        let shown = self.listing.entries.iter().enumerate().filter(|(_, entry)| shows(entry));
        self.shown = shown.map(|(place, _)| place).collect();
        let first = if self.asked.writes() || self.shown.is_empty() { None } else { Some(0) };
        self.marked = first;
    }

    /// What is shown in a row.
    pub fn entry(&self, row: usize) -> Option<&Entry> {
        self.listing.entries.get(*self.shown.get(row)?)
    }

    /// Marks the next row, or the one before.
    pub fn step(&mut self, rows: isize) {
        let Some(last) = self.shown.len().checked_sub(1) else { return };
        self.marked = Some(match self.marked {
            Some(row) => row.saturating_add_signed(rows).min(last),
            None if rows < 0 => last,
            None => 0,
        });
    }

    /// Completes what is typed, as far as all that goes with it begins alike; goes into a folder that is the only one.
    pub fn complete(&mut self) {
        let begins = |entry: &&Entry| entry.name.to_lowercase().starts_with(&self.typed.to_lowercase());
        let begun: Vec<&Entry> =
            self.shown.iter().filter_map(|place| self.listing.entries.get(*place)).filter(begins).collect();
        let Some(first) = begun.first() else { return };
        if begun.len() == 1 && first.is_folder {
            let folder = self.folder.join(&first.name);
            self.typed.clear();
            return self.go(&folder);
        }
        let alike = |name: &str, other: &str| {
            let same = name.chars().zip(other.chars()).take_while(|(a, b)| a.to_lowercase().eq(b.to_lowercase()));
            same.map(|(letter, _)| letter).collect::<String>()
        };
        self.typed = begun.iter().fold(first.name.clone(), |common, entry| alike(&common, &entry.name));
        self.list();
    }

    /// Chooses what is marked or typed; a file that is chosen is given back.
    pub fn choose(&mut self) -> Option<PathBuf> {
        let marked = self.marked.and_then(|row| self.entry(row)).cloned();
        match marked {
            Some(entry) if entry.is_folder => {
                let folder = self.folder.join(&entry.name);
                if !self.asked.writes() {
                    self.typed.clear();
                }
                self.go(&folder);
                None
            }
            Some(entry) if self.asked.writes() => {
                self.typed = entry.name;
                self.marked = None;
                self.choose_typed()
            }
            Some(entry) => Some(self.folder.join(entry.name)),
            None => self.choose_typed(),
        }
    }

    fn choose_typed(&mut self) -> Option<PathBuf> {
        let name = self.typed.trim().to_owned();
        let path = self.folder.join(&name);
        if name.is_empty() {
            self.wrong = Some("name a file".to_owned());
            return None;
        }
        if path.is_dir() {
            self.typed.clear();
            self.go(&path);
            return None;
        }
        if self.asked.writes() {
            let path = self.asked.with_ending(path, self.ending);
            if path.exists() {
                self.in_the_way = Some(path);
                return None;
            }
            return Some(path);
        }
        if !path.is_file() {
            self.wrong = Some(format!("there is no file {}", path.display()));
            return None;
        }
        Some(path)
    }

    /// Writes with this ending.
    pub fn set_ending(&mut self, ending: &'static str) {
        self.ending = ending;
        let stem = match self.typed.rsplit_once('.') {
            Some((stem, own)) if self.asked.endings().contains(&own.to_ascii_lowercase().as_str()) => stem,
            _ => self.typed.as_str(),
        };
        self.typed = format!("{stem}.{ending}");
    }

    /// The ending that is written: the one that is typed, if it is known.
    pub fn current_ending(&self) -> &'static str {
        let typed = self.typed.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let known = self.asked.endings().into_iter().find(|known| typed.as_deref() == Some(known));
        known.unwrap_or(self.ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui;

    fn browser(asked: Asked, folder: &Path) -> Browser {
        let mut browser = Browser::new(asked, &folder.join("fox.glb"), "glb");
        wait(&mut browser);
        browser
    }

    fn wait(browser: &mut Browser) {
        let begun = std::time::Instant::now();
        while !browser.listing.update(&egui::Context::default()) {
            assert!(begun.elapsed().as_secs() < 20);
        }
        browser.list();
    }

    fn names(browser: &Browser) -> Vec<String> {
        (0..browser.shown.len()).map(|row| browser.entry(row).unwrap().name.clone()).collect()
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["fox.glb", "Fog.aem", "notes.txt", "run.seanim", ".hidden.glb"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir_all(folder.path().join("forest/deep")).unwrap();
        folder
    }

    #[test]
    fn folders_and_models_are_shown_and_typing_finds_them() {
        let folder = folder();
        let mut browser = browser(Asked::Open, folder.path());
        assert_eq!(names(&browser), ["forest", "Fog.aem", "fox.glb", "run.seanim"]);
        browser.typed = "FO".into();
        browser.take_typed();
        assert_eq!(names(&browser), ["forest", "Fog.aem", "fox.glb"]);
        browser.step(2);
        assert_eq!(browser.choose(), Some(folder.path().join("fox.glb")));
        browser.typed = "notes.txt".into();
        browser.take_typed();
        assert_eq!(browser.choose(), Some(folder.path().join("notes.txt")), "a file may be named whatever it is");
        browser.typed = "nobody".into();
        browser.take_typed();
        assert_eq!(browser.choose(), None);
        assert!(browser.wrong.as_deref().unwrap().contains("nobody"));
    }

    #[test]
    fn paths_lead_into_folders_and_names_are_completed() {
        let folder = folder();
        let mut browser = browser(Asked::Open, folder.path());
        browser.typed = "f".into();
        browser.take_typed();
        browser.complete();
        assert_eq!(browser.typed, "fo");
        browser.typed = "for".into();
        browser.take_typed();
        browser.complete();
        wait(&mut browser);
        assert!(browser.folder.ends_with("forest"));
        assert_eq!((browser.typed.as_str(), names(&browser)), ("", vec!["deep".to_owned()]));
        browser.typed = format!("{}/r", folder.path().display());
        browser.take_typed();
        wait(&mut browser);
        assert_eq!(names(&browser), ["forest", "run.seanim"]);
        browser.go_up();
        wait(&mut browser);
        assert_eq!(browser.folder, std::fs::canonicalize(folder.path().parent().unwrap()).unwrap());
        browser.typed = "no-such-folder/".into();
        browser.take_typed();
        assert!(browser.wrong.is_some());
    }

    #[test]
    fn what_is_written_gets_an_ending_and_replaces_nothing_unasked() {
        let folder = folder();
        let mut browser = browser(Asked::Export, folder.path());
        assert_eq!(browser.typed, "fox.glb");
        assert_eq!(browser.choose(), None);
        assert_eq!(browser.in_the_way.take(), Some(folder.path().join("fox.glb")));
        browser.set_ending("aem");
        assert_eq!((browser.typed.as_str(), browser.current_ending()), ("fox.aem", "aem"));
        assert_eq!(browser.choose(), Some(folder.path().join("fox.aem")));
        browser.typed = "fox.v2".into();
        assert_eq!(browser.choose(), Some(folder.path().join("fox.v2.aem")));
        browser.typed = "wolf.NLM".into();
        assert_eq!(browser.choose(), Some(folder.path().join("wolf.NLM")));
        browser.typed = " ".into();
        assert_eq!(browser.choose(), None);
    }
}
