//! Images: the encoded bytes from a view, a data URI or a companion file, untouched.

use super::super::buffers::{Found, fetch};
use super::super::check::DATA_URI;
use super::super::images::{mime_of_kind, mime_of_name};
use super::super::schema;
use super::super::uri::{self, Location};
use super::{Reading, called};
use crate::companions::own_name;
use crate::rules::images::image_kind;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::Lost;
use maquette_scene::{Bytes, Diagnostic, Handle, Scene, path};

impl Reading<'_> {
    /// The image of each image of the document; `None` for one without data.
    pub(super) fn images(&mut self, scene: &mut Scene) -> Found<Vec<Option<Handle<Image>>>> {
        let document = self.document;
        let mut handles = Vec::with_capacity(document.images.len());
        for (index, image) in document.images.iter().enumerate() {
            let data = self.image_data(index, image)?;
            if data.is_none() {
                self.losses.dropped(Lost::Images, called("image", index, image.name.as_ref()), "it has no data", 1);
            }
            handles.push(data.map(|data| scene.images.push(Image::new(name(image, self.source.name), data))));
        }
        Ok(handles)
    }

    fn image_data(&self, index: usize, image: &schema::Image) -> Found<Option<ImageData>> {
        let at = || path!("json", "images", index);
        let (bytes, stated): (Bytes, Option<String>) = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => match uri::resolve(uri) {
                Location::Data(Ok((mime, bytes))) => (bytes.into(), Some(mime).filter(|mime| !mime.is_empty())),
                Location::Data(Err(why)) => {
                    let message = format!("the data URI cannot be read: {why}");
                    return Err(Box::new(Diagnostic::new(&DATA_URI, at().join("uri"), message)));
                }
                Location::Remote => return Ok(Some(ImageData::External(uri.clone()))),
                Location::File(name) => match fetch(self.source, &name, uri) {
                    Some(bytes) => (bytes.into_owned().into(), mime_of_name(&name).map(Into::into)),
                    None => return Ok(Some(ImageData::External(name))),
                },
            },
            (None, Some(view)) => (self.source.share(self.accessors.buffers.view(self.document, view)?), None),
            (None, None) => return Ok(None),
        };
        self.accessors.spend(bytes.len() as u64, at)?;
        let seen = image_kind(&bytes).map(|kind| mime_of_kind(kind).to_owned());
        let mime = image.mime_type.clone().or(seen).or(stated).unwrap_or_default();
        Ok(Some(ImageData::Encoded { mime, bytes }))
    }
}

/// The name of an image, or of its file.
fn name(image: &schema::Image, model: &str) -> String {
    if let Some(name) = &image.name {
        return name.clone();
    }
    match image.uri.as_deref().map(uri::resolve) {
        Some(Location::File(file)) => own_name(file.rsplit('/').next().unwrap_or_default(), model).to_owned(),
        _ => String::new(),
    }
}
