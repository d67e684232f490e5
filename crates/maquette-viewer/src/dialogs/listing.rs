//! What lies in a folder: folders first, then files, by name. It is read on a thread: a folder may be large, or far away.

use eframe::egui;
use std::path::Path;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder itself.
    pub is_folder: bool,
}

/// What lies in a folder.
#[derive(Default)]
pub struct Listing {
    /// What is known to lie there.
    pub entries: Vec<Entry>,
    /// Why it cannot be told.
    pub wrong: Option<String>,
    coming: Option<Receiver<Result<Vec<Entry>, String>>>,
}

impl Listing {
    /// Starts to read a folder.
    pub fn start(folder: &Path) -> Listing {
        let (tell, coming) = channel();
        let folder = folder.to_path_buf();
        let thread = std::thread::Builder::new().name("folder".into());
        let spawned = thread.spawn(move || _ = tell.send(read(&folder)));
        match spawned {
            Ok(_) => Listing { coming: Some(coming), ..Listing::default() },
            Err(error) => Listing { wrong: Some(error.to_string()), ..Listing::default() },
        }
    }

    /// Takes what was read; whether there is something new.
    pub fn update(&mut self, context: &egui::Context) -> bool {
        let Some(coming) = &self.coming else { return false };
        match coming.try_recv() {
            Ok(Ok(entries)) => self.entries = entries,
            Ok(Err(why)) => self.wrong = Some(why),
            Err(TryRecvError::Disconnected) => {}
            Err(TryRecvError::Empty) => {
                context.request_repaint_after(std::time::Duration::from_millis(20));
                return false;
            }
        }
        self.coming = None;
        true
    }

    /// Whether it is still being read.
    pub fn is_coming(&self) -> bool {
        self.coming.is_some()
    }
}

fn read(folder: &Path) -> Result<Vec<Entry>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut entries: Vec<Entry> = entries
        .flatten()
        .map(|entry| {
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir()) || is_link && entry.path().is_dir();
            Entry { name: entry.file_name().to_string_lossy().into_owned(), is_folder }
        })
        .collect();
    entries.sort_by_cached_key(|entry| (!entry.is_folder, entry.name.to_lowercase(), entry.name.clone()));
    Ok(entries)
}
