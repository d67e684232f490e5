//! Pictures that several textures are made of: each is decoded once where memory allows.

use super::pictures;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::subject;
use maquette_scene::{Arena, Handle};
use maquette_texture::Picture;
use maquette_texture::decode::Salvaged;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many pixels of pictures may wait for another user. Beyond them a picture is decoded again.
const MAX_WAITING_PIXELS: usize = 1 << 26;

/// The images of a scene as pictures, for users that are known beforehand.
pub struct Opened<'s> {
    images: &'s Arena<Image>,
    slots: HashMap<Handle<Image>, Mutex<Slot>>,
    waiting_pixels: AtomicUsize,
    damages: Mutex<BTreeMap<Handle<Image>, String>>,
}

#[derive(Default)]
struct Slot {
    /// Users that have not come yet.
    users: usize,
    waiting: Option<Arc<Picture>>,
}

impl<'s> Opened<'s> {
    /// Takes an image once for each of its users.
    pub fn new(images: &'s Arena<Image>, users: impl Iterator<Item = Handle<Image>>) -> Opened<'s> {
        let mut slots: HashMap<Handle<Image>, Mutex<Slot>> = HashMap::new();
        for image in users {
            let slot = slots.entry(image).or_default();
            slot.get_mut().unwrap_or_else(PoisonError::into_inner).users += 1;
        }
        Opened { images, slots, waiting_pixels: AtomicUsize::new(0), damages: Mutex::default() }
    }

    /// The image itself.
    pub fn image(&self, handle: Handle<Image>) -> Option<&'s Image> {
        self.images.get(handle)
    }

    /// The images whose files are damaged, of those that were opened, and what is wrong with them.
    pub fn into_damages(self) -> BTreeMap<Handle<Image>, String> {
        self.damages.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long an image takes to open, about: by the bytes that it is stored in.
    pub fn effort(&self, handle: Handle<Image>) -> usize {
        match self.images.get(handle).map(|image| &*image.data) {
            Some(ImageData::Encoded { bytes, .. }) => bytes.len(),
            _ => 0,
        }
    }

    /// Several pictures, on all cores; the one that takes longest is begun first.
    pub fn pictures<const N: usize>(
        &self,
        handles: [Option<Handle<Image>>; N],
    ) -> Vec<Option<Result<Arc<Picture>, String>>> {
        let mut order: Vec<(usize, Option<Handle<Image>>)> = handles.into_iter().enumerate().collect();
        order.sort_by_key(|(_, handle)| Reverse(handle.map_or(0, |handle| self.effort(handle))));
        let open = |(at, handle): (usize, Option<Handle<Image>>)| (at, handle.and_then(|handle| self.picture(handle)));
        let mut opened: Vec<_> = order.into_par_iter().map(open).collect();
        opened.sort_by_key(|(at, _)| *at);
        opened.into_iter().map(|(_, picture)| picture).collect()
    }

    /// The picture of an image, or why there is none. Who else wants it waits until it is decoded.
    pub fn picture(&self, handle: Handle<Image>) -> Option<Result<Arc<Picture>, String>> {
        let image = self.images.get(handle)?;
        let decoded = || {
            let whose = || subject("image", handle.index(), &image.name);
            let Salvaged { picture, damage, .. } =
                pictures::salvaged(image).map_err(|why| format!("{}: {why}", whose()))?;
            if let Some(damage) = damage {
                self.damages.lock().unwrap_or_else(PoisonError::into_inner).insert(handle, damage);
            }
            Ok(Arc::new(picture))
        };
        let Some(slot) = self.slots.get(&handle) else { return Some(decoded()) };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.users = slot.users.saturating_sub(1);
        let is_last = slot.users == 0;
        let waited = if is_last { slot.waiting.take() } else { slot.waiting.clone() };
        if let Some(picture) = waited {
            if is_last {
                self.waiting_pixels.fetch_sub(picture.pixels().len(), Ordering::Relaxed);
            }
            return Some(Ok(picture));
        }
        if is_last {
            drop(slot);
            return Some(decoded());
        }
        let opened = decoded();
        if let Ok(picture) = &opened {
            let pixels = picture.pixels().len();
            let before = self.waiting_pixels.fetch_add(pixels, Ordering::Relaxed);
            if before + pixels <= MAX_WAITING_PIXELS {
                slot.waiting = Some(picture.clone());
            } else {
                self.waiting_pixels.fetch_sub(pixels, Ordering::Relaxed);
            }
        }
        Some(opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_waits_for_its_last_user_alone() {
        let file = maquette_texture::png::encode(2, 1, &[[1, 2, 3, 255]; 2]).unwrap();
        let mut images = Arena::default();
        let image = images.push(Image::new("a", ImageData::Encoded { mime: "image/png".into(), bytes: file.into() }));
        let broken = images.push(Image::new("b", ImageData::External("b.png".into())));
        let opened = Opened::new(&images, [image, image, broken].into_iter());
        let first = opened.picture(image).unwrap().unwrap();
        assert_eq!(opened.waiting_pixels.load(Ordering::Relaxed), 2);
        let second = opened.picture(image).unwrap().unwrap();
        assert!(Arc::ptr_eq(&first, &second), "decoded once");
        assert_eq!(opened.waiting_pixels.load(Ordering::Relaxed), 0);
        let third = opened.picture(image).unwrap().unwrap();
        assert!(!Arc::ptr_eq(&first, &third) && first == third, "who was not foreseen is served too");
        assert!(opened.picture(broken).unwrap().unwrap_err().contains("b.png"));
        let several = opened.pictures([None, Some(broken), Some(image)]);
        assert!(matches!(several.as_slice(), [None, Some(Err(_)), Some(Ok(_))]), "in the order they were asked for");
    }
}
