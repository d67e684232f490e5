//! A model that was loaded: what C reads of it, and what playing it needs.

mod clips;
mod images;
mod info;
mod load;

use crate::layout::{FirstTexture, Joint, Material, Mesh, Name, Texture};
use crate::lent::Lent;
use crate::play::Scratch;
use crate::storage::Storage;
use clips::Clips;
use images::FirstImages;
use maquette_anim::clip::Clip;
use maquette_anim::skeleton::Skeleton;
use maquette_formats::aem::raw::Track;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

/// A model. What a GPU takes of it is `loading`, and goes first.
pub struct Model {
    storage: Storage,
    loading: Option<Loading>,
    meshes: Lent<Mesh>,
    materials: Lent<Material>,
    joints: Lent<Joint>,
    names: Lent<Name>,
    clips: Clips,
    /// With parents as they were in the file.
    skeleton: Skeleton,
    /// As many as there were threads at once.
    scratches: Mutex<Vec<Scratch>>,
    info: String,
}

/// What is freed when loading is finished.
struct Loading {
    vertices: Table,
    indices: Table,
    /// Of as many elements as bytes.
    images: Table,
    textures: Lent<Texture>,
    first: Option<FirstImages>,
}

/// Some elements of the file.
struct Table {
    bytes: Range<usize>,
    count: usize,
}

impl Model {
    pub fn vertices(&self) -> (Option<NonNull<c_void>>, u32) {
        self.lent(|loading| &loading.vertices)
    }

    pub fn indices(&self) -> (Option<NonNull<c_void>>, u32) {
        self.lent(|loading| &loading.indices)
    }

    /// Where a table is that came from the file, and how many elements it has.
    fn lent(&self, table: impl FnOnce(&Loading) -> &Table) -> (Option<NonNull<c_void>>, u32) {
        let Some(table) = self.loading.as_ref().map(table).filter(|table| table.count > 0) else { return (None, 0) };
        (self.storage.lent(table.bytes.start).map(NonNull::cast), table.count as u32)
    }

    pub fn images(&self) -> (Option<NonNull<c_void>>, u64) {
        let Some(images) = self.loading.as_ref().map(|loading| &loading.images).filter(|images| images.count > 0)
        else {
            return (None, 0);
        };
        (self.storage.lent(images.bytes.start).map(NonNull::cast), images.count as u64)
    }

    pub fn textures(&self) -> Option<&Lent<Texture>> {
        self.loading.as_ref().map(|loading| &loading.textures)
    }

    /// Images as the first generation knows them; none where it cannot.
    pub fn first_images(&self) -> (Option<NonNull<c_void>>, u32) {
        let Some(first) = self.loading.as_ref().and_then(|loading| loading.first.as_ref()) else { return (None, 0) };
        match &first.buffer {
            Some(buffer) => (buffer.pointer(0).map(NonNull::cast), buffer.len() as u32),
            None => {
                let (images, size) = self.images();
                (images, size as u32)
            }
        }
    }

    pub fn first_textures(&self) -> Option<&Lent<FirstTexture>> {
        Some(&self.loading.as_ref()?.first.as_ref()?.textures)
    }

    pub fn meshes(&self) -> &Lent<Mesh> {
        &self.meshes
    }

    pub fn materials(&self) -> &Lent<Material> {
        &self.materials
    }

    pub fn joints(&self) -> &Lent<Joint> {
        &self.joints
    }

    /// The names of the animations.
    pub fn names(&self) -> &Lent<Name> {
        &self.names
    }

    pub fn duration_secs(&self, animation: u32) -> Option<f32> {
        self.clips.duration_secs(animation as usize)
    }

    /// The keys of one joint in one animation.
    pub fn track(&self, animation: u32, joint: u32) -> Option<Track> {
        let tracks = self.clips.tracks(&self.storage, animation as usize, self.joints.len());
        tracks.get(joint as usize).copied()
    }

    /// An animation, packed when it is asked for first.
    pub fn clip(&self, animation: u32) -> Option<&Clip> {
        self.clips.get(&self.storage, animation as usize, self.joints.len())
    }

    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Does something with working memory that no other thread has.
    pub fn with_scratch<T>(&self, act: impl FnOnce(&mut Scratch) -> T) -> T {
        let all = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = all().pop().unwrap_or_default();
        let result = act(&mut scratch);
        all().push(scratch);
        result
    }

    /// Frees what a GPU has taken.
    pub fn finish_loading(&mut self) {
        if self.loading.take().is_some() {
            self.storage.take_back();
        }
    }

    /// What a person wants to know of it, line by line.
    pub fn info(&self) -> &str {
        &self.info
    }
}
