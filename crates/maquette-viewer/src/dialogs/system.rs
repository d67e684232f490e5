//! The dialog of the system. It cannot be told whether there is one before it is asked; one that answers at once has shown nothing.

use super::{Asked, folder_of};
use eframe::egui;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Nobody is so quick to leave a dialog.
const AT_ONCE: Duration = Duration::from_millis(400);

/// What came of a dialog.
pub enum Answer {
    /// Files that were chosen; none, if it was left.
    Paths(Vec<PathBuf>),
    /// There was none; where it was to begin.
    Failed(PathBuf),
}

/// Dialogs of the system.
pub struct System {
    tell: Sender<(Asked, Answer)>,
    answers: Receiver<(Asked, Answer)>,
}

impl System {
    /// On Linux dialogs come from the desktop, and a bare display has none.
    pub fn if_there() -> Option<System> {
        let is_there = !cfg!(target_os = "linux") || std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some();
        let (tell, answers) = channel();
        is_there.then_some(System { tell, answers })
    }

    /// Shows one. Whether it may come.
    pub fn ask(&self, asked: Asked, suggested: &Path, context: &egui::Context) -> bool {
        let mut dialog = rfd::AsyncFileDialog::new().set_title(asked.title()).set_directory(folder_of(suggested));
        if asked.writes() {
            let name = suggested.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            dialog = dialog.set_file_name(name);
        } else if !asked.endings().is_empty() {
            dialog = dialog.add_filter("models and clips", &asked.endings());
        }
        // Made here, where windows are; waited for elsewhere.
        let wait: Box<dyn FnOnce() -> Vec<PathBuf> + Send> = if asked.writes() {
            let answer = dialog.save_file();
            Box::new(move || pollster::block_on(answer).map(PathBuf::from).into_iter().collect())
        } else {
            let answer = dialog.pick_files();
            Box::new(move || pollster::block_on(answer).into_iter().flatten().map(PathBuf::from).collect())
        };
        let (tell, context, suggested) = (self.tell.clone(), context.clone(), suggested.to_path_buf());
        let begun = Instant::now();
        let thread = std::thread::Builder::new().name("dialog".into());
        let spawned = thread.spawn(move || {
            let paths = wait();
            let is_failed = paths.is_empty() && begun.elapsed() < AT_ONCE;
            let answer = if is_failed { Answer::Failed(suggested) } else { Answer::Paths(paths) };
            // Nobody listens once the window is closed.
            _ = tell.send((asked, answer));
            context.request_repaint();
        });
        spawned.is_ok()
    }

    /// What was answered since.
    pub fn answers(&self) -> impl Iterator<Item = (Asked, Answer)> {
        self.answers.try_iter()
    }
}
