//! Asks for files: with the dialog of the system where there is one, in the window otherwise.
//!
//! ```text
//!  system.rs    the dialog of the system, and whether it works
//!  browser.rs   the one of the window: where it is and what is typed
//!  listing.rs   what lies in a folder, read on a thread
//!  show.rs      its widgets
//!  question.rs  before something is overwritten
//! ```

mod browser;
mod listing;
mod question;
mod show;
mod system;

use crate::state::document::Document;
use crate::state::files;
use crate::state::session::Session;
use browser::Browser;
use eframe::egui;
use maquette::overwrite::Overwrite;
use std::path::{Path, PathBuf};
use system::System;

/// What a file is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To be opened.
    Open,
    /// To be opened beside.
    OpenBeside,
    /// Its clips.
    Clips,
    /// How bones of clips are called in the model.
    BoneMap,
    /// To be written.
    Export,
    /// For the picture.
    Screenshot,
}

impl Asked {
    fn title(self) -> &'static str {
        match self {
            Asked::Open => "Open a model or a clip",
            Asked::OpenBeside => "Open a model beside",
            Asked::Clips => "Put clips onto the model",
            Asked::BoneMap => "Choose a bone map: lines `clip bone = model bone`",
            Asked::Export => "Export: the ending says the format",
            Asked::Screenshot => "Save the picture as PNG",
        }
    }

    fn writes(self) -> bool {
        matches!(self, Asked::Export | Asked::Screenshot)
    }

    /// Endings of the files it is about; none where any file may be.
    fn endings(self) -> Vec<&'static str> {
        match self {
            Asked::Screenshot => vec!["png"],
            Asked::BoneMap => Vec::new(),
            _ => files::endings(),
        }
    }

    /// A path with an ending that says what to write: the one it has, if that does.
    fn with_ending(self, path: PathBuf, ending: &str) -> PathBuf {
        let own = path.extension().map(|own| own.to_string_lossy().to_ascii_lowercase());
        match own.is_some_and(|own| self.endings().contains(&own.as_str())) {
            true => path,
            false => {
                let mut name = path.file_name().unwrap_or_default().to_owned();
                name.push(".");
                name.push(ending);
                path.with_file_name(name)
            }
        }
    }
}

/// Files that were chosen, and what for.
pub type Answer = (Asked, Vec<PathBuf>);

/// Dialogs that are open.
pub struct Dialogs {
    system: Option<System>,
    browser: Option<Browser>,
}

impl Default for Dialogs {
    fn default() -> Dialogs {
        Dialogs { system: System::if_there(), browser: None }
    }
}

impl Dialogs {
    /// Those of the window, whatever the system has.
    pub fn in_window() -> Dialogs {
        Dialogs { system: None, browser: None }
    }

    /// Asks for a file.
    pub fn ask(&mut self, asked: Asked, session: &Session, context: &egui::Context) {
        let document = session.document();
        if asked.writes() && document.and_then(Document::scene).is_none() {
            return;
        }
        let suggested = suggested(asked, session);
        let is_shown = self.system.as_ref().is_some_and(|system| system.ask(asked, &suggested, context));
        if !is_shown {
            self.browser = Some(Browser::new(asked, &suggested, session.export_ending));
        }
    }

    /// What was answered since; shows the dialogs of the window.
    pub fn answers(&mut self, context: &egui::Context, session: &mut Session) -> Vec<Answer> {
        let mut answers = Vec::new();
        for (asked, answer) in self.system.iter().flat_map(System::answers) {
            match answer {
                system::Answer::Paths(paths) => {
                    let ending = ending(asked, session);
                    let ended = |path| if asked.writes() { asked.with_ending(path, ending) } else { path };
                    answers.push((asked, paths.into_iter().map(ended).collect()));
                }
                system::Answer::Failed(suggested) => {
                    self.browser = Some(Browser::new(asked, &suggested, session.export_ending));
                }
            }
        }
        if answers.iter().any(|(asked, _)| asked.writes()) {
            // The system has asked already whether the file may be replaced.
            self.browser = None;
        }
        if let Some(browser) = &mut self.browser {
            match show::show(context, browser) {
                show::Outcome::Goes => {}
                show::Outcome::Left => self.browser = None,
                show::Outcome::Chosen(path) => {
                    answers.push((browser.asked, vec![path]));
                    self.browser = None;
                }
            }
        } else if let Some((path, why)) = session.refused.take() {
            match question::show(context, &why, "Replace them") {
                None => session.refused = Some((path, why)),
                Some(question::Answer::No) => {}
                Some(question::Answer::Yes) => session.export(path, Overwrite::All),
            }
        }
        answers
    }
}

fn ending(asked: Asked, session: &Session) -> &'static str {
    if asked == Asked::Screenshot { "png" } else { session.export_ending }
}

/// Where a dialog begins.
fn suggested(asked: Asked, session: &Session) -> PathBuf {
    let path = session.document().map(|document| document.path.clone());
    match (asked.writes(), path) {
        (true, Some(path)) => path.with_extension(ending(asked, session)),
        (false, Some(path)) => path,
        (_, None) => session.recent.iter().next().cloned().unwrap_or_default(),
    }
}

/// The folder of a path; the one that the program runs in, where it has none.
fn folder_of(path: &Path) -> PathBuf {
    let own = path.parent().filter(|folder| !folder.as_os_str().is_empty() && folder.is_dir());
    own.map(Path::to_path_buf).or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("."))
}
