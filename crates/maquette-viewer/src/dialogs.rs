//! Asks for files: with the dialog of the system where there is one, in the window otherwise.

use crate::state::document::Document;
use crate::state::files;
use crate::state::session::Session;
use eframe::egui::{self, Key, Window};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a file is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To be opened.
    Open,
    /// To be opened beside.
    OpenBeside,
    /// Its clips.
    Clips,
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
            Asked::Export => "Export: the ending says the format",
            Asked::Screenshot => "Save the picture as PNG",
        }
    }

    fn writes(self) -> bool {
        matches!(self, Asked::Export | Asked::Screenshot)
    }
}

/// Dialogs that are open.
pub struct Dialogs {
    tell: Sender<(Asked, Vec<PathBuf>)>,
    answers: Receiver<(Asked, Vec<PathBuf>)>,
    typed: Option<(Asked, String)>,
}

impl Default for Dialogs {
    fn default() -> Dialogs {
        let (tell, answers) = channel();
        Dialogs { tell, answers, typed: None }
    }
}

impl Dialogs {
    /// Asks for a file.
    pub fn ask(&mut self, asked: Asked, session: &Session) {
        let document = session.document();
        if asked.writes() && document.and_then(Document::scene).is_none() {
            return;
        }
        let suggested = suggested(asked, document);
        if !has_system_dialogs() {
            self.typed = Some((asked, suggested.display().to_string()));
            return;
        }
        let mut dialog = rfd::AsyncFileDialog::new().set_title(asked.title());
        if let Some(folder) = suggested.parent().filter(|folder| folder.is_dir()) {
            dialog = dialog.set_directory(folder);
        }
        if asked.writes() {
            let name = suggested.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            dialog = dialog.set_file_name(name);
        } else {
            dialog = dialog.add_filter("models and clips", &files::endings());
        }
        // Made here, where windows are; waited for elsewhere.
        let tell = self.tell.clone();
        let wait: Box<dyn FnOnce() -> Vec<PathBuf> + Send> = if asked.writes() {
            let answer = dialog.save_file();
            Box::new(move || pollster::block_on(answer).map(PathBuf::from).into_iter().collect())
        } else {
            let answer = dialog.pick_files();
            Box::new(move || pollster::block_on(answer).into_iter().flatten().map(PathBuf::from).collect())
        };
        let thread = std::thread::Builder::new().name("dialog".into());
        if thread.spawn(move || _ = tell.send((asked, wait()))).is_err() {
            self.typed = Some((asked, suggested.display().to_string()));
        }
    }

    /// What was answered since; shows the dialog of the window where the system has none.
    pub fn answers(&mut self, context: &egui::Context) -> Vec<(Asked, Vec<PathBuf>)> {
        let mut answers: Vec<_> = self.answers.try_iter().collect();
        if let Some((asked, text)) = &mut self.typed {
            let (mut is_open, mut is_done) = (true, false);
            Window::new(asked.title()).open(&mut is_open).collapsible(false).resizable(false).show(context, |ui| {
                let field = ui.add(egui::TextEdit::singleline(text).desired_width(460.0).hint_text("path of a file"));
                field.request_focus();
                is_done = ui.input(|input| input.key_pressed(Key::Enter)) | ui.button("OK").clicked();
            });
            let is_left = !is_open || context.input(|input| input.key_pressed(Key::Escape));
            if is_done {
                answers.push((*asked, vec![PathBuf::from(text.trim())]));
            }
            if is_done || is_left {
                self.typed = None;
            }
        }
        answers
    }
}

/// Where a dialog begins.
fn suggested(asked: Asked, document: Option<&Document>) -> PathBuf {
    let Some(path) = document.map(|document| document.path.clone()) else { return PathBuf::new() };
    match asked {
        Asked::Open | Asked::OpenBeside | Asked::Clips => path,
        Asked::Export => path.with_extension("glb"),
        Asked::Screenshot => path.with_extension("png"),
    }
}

/// On Linux dialogs come from the desktop, and a bare display has none.
fn has_system_dialogs() -> bool {
    !cfg!(target_os = "linux") || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
}
