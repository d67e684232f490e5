//! A tour: files are opened one after the other in the window, and a picture of each is saved.

use crate::state::document::{Document, Progress};
use crate::state::session::Session;
use crate::ui::picture::Pictures;
use crate::work::Failure;
use eframe::egui::{Context, ViewportCommand};
use std::path::PathBuf;
use std::sync::mpsc::Sender;

/// A tour of files.
pub struct Tour {
    files: std::vec::IntoIter<PathBuf>,
    folder: PathBuf,
    /// Pictures drawn since the file could be drawn.
    drawn: usize,
    wrong: Sender<String>,
}

/// Pictures drawn before one is saved: the first may still have the camera of the file before.
const ENOUGH: usize = 3;

impl Tour {
    /// A picture of each of these files is to be saved in a folder. What goes wrong is told, a sentence for each file.
    pub fn new(files: Vec<PathBuf>, folder: PathBuf, wrong: Sender<String>) -> Tour {
        Tour { files: files.into_iter(), folder, drawn: 0, wrong }
    }

    /// Goes on, once a picture of the window.
    pub fn step(&mut self, session: &mut Session, pictures: &Pictures, context: &Context) {
        context.request_repaint();
        match session.document().map(|document| (document.progress(), document)) {
            Some((Progress::Reading | Progress::Staging, _)) => {}
            Some((Progress::Ready, document)) => {
                self.drawn += 1;
                if self.drawn < ENOUGH || !pictures.is_whole(session.active) {
                    return;
                }
                let path = self.folder.join(picture_name(document));
                if let Err(why) = pictures.save(session.active, &path) {
                    self.tell(format!("{}: {why}", document.name()));
                }
                self.next(session, context);
            }
            Some((Progress::Failed, document)) => {
                self.tell(format!("{}: {}", document.name(), document.failure.as_ref().map_or("", Failure::why)));
                self.next(session, context);
            }
            None => self.next(session, context),
        }
    }

    fn tell(&self, why: String) {
        // Whoever does not listen does not want to know.
        _ = self.wrong.send(why);
    }

    fn next(&mut self, session: &mut Session, context: &Context) {
        self.drawn = 0;
        match self.files.next() {
            Some(file) => session.open(file),
            None => context.send_viewport_cmd(ViewportCommand::Close),
        }
    }
}

/// The name of the file with `.png` behind it: two files may differ in their endings alone.
fn picture_name(document: &Document) -> String {
    format!("{}.png", document.name())
}
