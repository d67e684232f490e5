//! Decodes an image on a thread, one at a time: while somebody steps through many, those in between are never begun.

use super::decode::{self, Origin, Part};
use eframe::egui::Context;
use maquette::scene::image::ImageData;
use maquette_texture::Picture;
use maquette_texture::mips::Content;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// An image that is decoded, or being decoded.
#[derive(Default)]
pub struct Decoding {
    of: Option<Arc<ImageData>>,
    coming: Option<Receiver<Part>>,
    /// That of the image before, whose thread has not ended yet.
    before: Option<Receiver<Part>>,
    /// Its levels, the largest first.
    pub levels: Vec<(Arc<Picture>, Origin)>,
    /// What is wrong with it.
    pub damage: Option<String>,
    /// Why it cannot be decoded.
    pub failure: Option<String>,
    /// Counts images, so that what was made of one is not taken for another's.
    pub serial: u64,
}

impl Decoding {
    /// Begins to decode an image unless it is there, and takes what has been decoded of it.
    pub fn want(&mut self, data: &Arc<ImageData>, content: Content, context: &Context) {
        if self.of.as_ref().is_none_or(|there| !Arc::ptr_eq(there, data)) {
            let before = self.coming.take().or(self.before.take());
            *self = Decoding { of: None, before, serial: self.serial + 1, ..Decoding::default() };
        }
        if self.before.as_ref().is_some_and(|before| !has_ended(before)) {
            return;
        }
        self.before = None;
        if self.of.is_none() {
            self.of = Some(Arc::clone(data));
            self.coming = Some(start(Arc::clone(data), content, context.clone()));
        }
        self.take();
    }

    fn take(&mut self) {
        while let Some(coming) = &self.coming {
            match coming.try_recv() {
                Ok(Part::Level(picture, origin)) => self.levels.push((picture, origin)),
                Ok(Part::Damage(why)) => self.damage = Some(why),
                Ok(Part::Failed(why)) => self.failure = Some(why),
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    if self.levels.is_empty() && self.failure.is_none() {
                        self.failure = Some("decoding it was given up".to_owned());
                    }
                    self.coming = None;
                }
            }
        }
    }
}

/// Whether a thread has nothing more to tell; what it has told is not wanted.
fn has_ended(parts: &Receiver<Part>) -> bool {
    loop {
        match parts.try_recv() {
            Ok(_) => {}
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => return true,
        }
    }
}

fn start(data: Arc<ImageData>, content: Content, context: Context) -> Receiver<Part> {
    let (tell, parts) = channel();
    let failed = tell.clone();
    let thread = std::thread::Builder::new().name("image".into());
    let spawned = thread.spawn(move || {
        decode::parts(&data, content, &mut |part| {
            let goes_on = tell.send(part).is_ok();
            context.request_repaint();
            goes_on
        });
        drop(tell);
        // Somebody may wait for this to end.
        context.request_repaint();
    });
    if let Err(error) = spawned {
        _ = failed.send(Part::Failed(format!("no thread can be started to decode it: {error}")));
    }
    parts
}
