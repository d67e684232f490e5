//! Small pictures of images, decoded on a thread one after the other.

use super::decode;
use eframe::egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};
use maquette::scene::image::{Image, ImageData};
use maquette::scene::{Handle, Scene};
use maquette_texture::Picture;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// The longest side of a small picture, in pixels.
const SIDE: u32 = 128;
/// Small pictures that are kept.
const MOST: usize = 64;

/// A small picture.
#[derive(Clone)]
pub enum Thumb {
    /// It is being decoded.
    Coming,
    /// It is there.
    There(TextureHandle),
    /// It cannot be: why.
    Failed(String),
}

/// A small picture that a thread makes, or why there is none.
type Coming = Receiver<Result<Picture, String>>;

/// Small pictures by image.
#[derive(Default)]
pub struct Thumbs {
    of: crate::ui::kept::Of,
    thumbs: HashMap<Handle<Image>, Thumb>,
    busy: Option<(Handle<Image>, Coming)>,
}

impl Thumbs {
    /// The small picture of an image; begins to make it if none is being made.
    pub fn get(&mut self, scene: &Arc<Scene>, image: Handle<Image>, context: &Context) -> Thumb {
        if !self.of.is(scene) {
            // A thread that is at work for another scene is left alone; what it makes is nobody's.
            *self = Thumbs { of: crate::ui::kept::Of::scene(scene), ..Thumbs::default() };
        }
        self.take(context);
        if let Some(thumb) = self.thumbs.get(&image) {
            return thumb.clone();
        }
        if self.busy.is_none()
            && let Some(data) = scene.images.get(image).map(|image| Arc::clone(&image.data))
        {
            if self.thumbs.len() >= MOST {
                self.thumbs.clear();
            }
            self.busy = Some((image, start(data, context.clone())));
        }
        Thumb::Coming
    }

    fn take(&mut self, context: &Context) {
        let Some((image, coming)) = &self.busy else { return };
        let thumb = match coming.try_recv() {
            Ok(Ok(picture)) => Thumb::There(context.load_texture("thumb", shown(&picture), TextureOptions::LINEAR)),
            Ok(Err(why)) => Thumb::Failed(why),
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Thumb::Failed("decoding it was given up".to_owned()),
        };
        self.thumbs.insert(*image, thumb);
        self.busy = None;
        // The next one is asked for.
        context.request_repaint();
    }
}

fn shown(picture: &Picture) -> ColorImage {
    let size = [picture.width() as usize, picture.height() as usize];
    ColorImage::new(size, picture.pixels().iter().map(|[r, g, b, _]| Color32::from_rgb(*r, *g, *b)).collect())
}

fn start(data: Arc<ImageData>, context: Context) -> Receiver<Result<Picture, String>> {
    let (tell, coming) = channel();
    let failed = tell.clone();
    let thread = std::thread::Builder::new().name("thumb".into());
    let spawned = thread.spawn(move || {
        _ = tell.send(decode::small(&data, SIDE));
        context.request_repaint();
    });
    if let Err(error) = spawned {
        _ = failed.send(Err(format!("no thread can be started to decode it: {error}")));
    }
    coming
}
