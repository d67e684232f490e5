//! A picture that textures sample: as a file, or as pixels.

use super::part::{Part, listed};
use super::store::PyScene;
use super::words::COLOUR_SPACES;
use crate::arrays::{numbers, owned, shaped};
use crate::error::MaquetteError;
use crate::source::bytes_of;
use crate::threads::free;
use maquette::scene::Handle;
use maquette::scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette::texture::decode::Salvaged;
use maquette::texture::{decode, png};
use maquette::textures;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::CString;

/// A picture that textures sample: an image file as it is, or pixels or blocks with mip levels, or the name of a file that is not there.
#[pyclass(name = "Image", module = "maquette", frozen)]
pub struct PyImage {
    pub scene: Py<PyScene>,
    pub handle: Handle<Image>,
}

listed!(PyImage, Image, images, "image");

/// The kinds of image files that can be textures, by what their bytes begin like.
const MIMES: [(&str, &str); 5] = [
    ("PNG", "image/png"),
    ("JPEG", "image/jpeg"),
    ("WebP", "image/webp"),
    ("KTX", "image/ktx2"),
    ("DDS", "image/vnd-ms.dds"),
];

impl PyImage {
    /// The image, to look at with the scene given back: its contents are shared, not copied.
    fn image(&self) -> PyResult<Image> {
        self.with(|image, _| image.clone())
    }

    /// A level as a picture. A damaged file is told of by a warning.
    fn picture(&self, py: Python<'_>, level: usize) -> PyResult<maquette::texture::Picture> {
        let image = self.image()?;
        let called = || format!("image {} {:?}", self.handle.index(), image.name);
        let Salvaged { picture, damage, .. } = free(py, || textures::level(&image, level))
            .map_err(|why| MaquetteError::new_err(format!("{}: {why}", called())))?;
        if let Some(damage) = damage {
            let words = format!("{}: the file is damaged: {damage}; what can be decoded is there", called());
            let words = CString::new(words.replace('\0', " ")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &words, 2)?;
        }
        Ok(picture)
    }
}

#[pymethods]
impl PyImage {
    /// What it is called in its file, or the path of its own file.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|image, _| image.name.clone())
    }

    #[setter]
    fn set_name(&self, name: String) -> PyResult<()> {
        self.with(|image, _| image.name = name)
    }

    /// Its position among the images of the scene.
    #[getter]
    fn index(&self) -> usize {
        self.handle.index()
    }

    /// `encoded` for an image file, `pixels` for pixels or blocks, `external` for a file that was not there.
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        Ok(match &*self.image()?.data {
            ImageData::Encoded { .. } => "encoded",
            ImageData::Pixels { .. } => "pixels",
            ImageData::External(_) => "external",
        })
    }

    /// `image/png`, `image/jpeg` and so on, of an image file.
    #[getter]
    fn mime(&self) -> PyResult<Option<String>> {
        Ok(match &*self.image()?.data {
            ImageData::Encoded { mime, .. } => Some(mime.clone()),
            _ => None,
        })
    }

    /// How pixels are stored: `RGBA8`, `RG8`, `BC5` or `BC7`; `None` for image files.
    #[getter]
    fn format(&self) -> PyResult<Option<&'static str>> {
        Ok(match &*self.image()?.data {
            ImageData::Pixels { format, .. } => Some(format.word()),
            _ => None,
        })
    }

    /// Whether pixels are colour as displays have it, `srgb`, or linear light and data, `linear`; `None` for image files, whose use tells.
    #[getter]
    fn colour_space(&self) -> PyResult<Option<&'static str>> {
        Ok(match &*self.image()?.data {
            ImageData::Pixels { colour_space, .. } => Some(COLOUR_SPACES.word(*colour_space)),
            _ => None,
        })
    }

    /// Its width and height in pixels; `None` where that cannot be told.
    #[getter]
    fn size(&self) -> PyResult<Option<(u32, u32)>> {
        Ok(match &*self.image()?.data {
            ImageData::Encoded { bytes, .. } => decode::size(bytes).ok().map(Into::into),
            ImageData::Pixels { width, height, .. } => Some((*width, *height)),
            ImageData::External(_) => None,
        })
    }

    /// The image file, untouched; `None` where it is none. Set to the bytes of a PNG, JPEG, WebP, KTX or DDS file, it becomes that file.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let image = self.image()?;
        Ok(match &*image.data {
            ImageData::Encoded { bytes, .. } => Some(PyBytes::new(py, bytes)),
            _ => None,
        })
    }

    #[setter]
    fn set_bytes(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = bytes_of(value)?.ok_or_else(|| PyTypeError::new_err("an image file is bytes"))?;
        let kind = maquette::formats::rules::images::image_kind(&bytes);
        let mime = MIMES.iter().find(|(known, _)| Some(*known) == kind).map(|(_, mime)| (*mime).to_owned());
        let mime = mime.ok_or_else(|| PyValueError::new_err("these bytes are no PNG, JPEG, WebP, KTX or DDS file"))?;
        let data = ImageData::Encoded { mime, bytes: bytes.into() };
        self.with(|image, _| *image = Image::new(std::mem::take(&mut image.name), data))
    }

    /// How many mip levels there are, the largest included.
    #[getter]
    fn levels(&self) -> PyResult<usize> {
        Ok(match &*self.image()?.data {
            ImageData::Encoded { .. } => 1,
            ImageData::Pixels { levels, .. } => levels.len(),
            ImageData::External(_) => 0,
        })
    }

    /// A level as an array (height, width, 4) of bytes, decoded and otherwise as it is stored. It is a copy: change a copy of it, and `set_pixels` that.
    #[pyo3(signature = (level=0))]
    fn pixels<'py>(&self, py: Python<'py>, level: usize) -> PyResult<Bound<'py, PyAny>> {
        let picture = self.picture(py, level)?;
        let shape = [picture.height() as usize, picture.width() as usize, 4];
        owned(py, picture.into_pixels().into_flattened(), &shape)
    }

    /// Makes it pixels: an array of bytes (height, width, 4), or (height, width, 3) for opaque ones.
    #[pyo3(signature = (pixels, *, colour_space="srgb"))]
    fn set_pixels(&self, pixels: &Bound<'_, PyAny>, colour_space: &str) -> PyResult<()> {
        let colour_space: ColourSpace = COLOUR_SPACES.value(colour_space)?;
        let (numbers, shape) = numbers::<u8>(pixels, "pixels")?;
        let wrong = || shaped("pixels", &shape, "(height, width, 4) or (height, width, 3)");
        let &[height, width, channels] = &*shape else { return Err(wrong()) };
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else { return Err(wrong()) };
        let level: Vec<u8> = match channels {
            _ if numbers.is_empty() => return Err(wrong()),
            4 => numbers,
            3 => numbers.as_chunks().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect(),
            _ => return Err(wrong()),
        };
        let data =
            ImageData::Pixels { format: PixelFormat::Rgba8, colour_space, width, height, levels: vec![level.into()] };
        self.with(|image, _| *image = Image::new(std::mem::take(&mut image.name), data))
    }

    /// Its largest level as a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let image = self.image()?;
        if let ImageData::Encoded { bytes, mime } = &*image.data
            && mime == "image/png"
        {
            return Ok(PyBytes::new(py, bytes));
        }
        let picture = self.picture(py, 0)?;
        let file = free(py, || png::encode(picture.width(), picture.height(), picture.pixels()));
        Ok(PyBytes::new(py, &file.ok_or_else(|| PyValueError::new_err("the image has no pixels"))?))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        match self.png(py) {
            Err(error) if error.is_instance_of::<MaquetteError>(py) => Ok(None),
            png => png.map(Some),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        let image = self.image()?;
        let words = match &*image.data {
            ImageData::Encoded { mime, bytes } => match decode::size(bytes) {
                Ok([width, height]) => format!("{mime}, {width} × {height}"),
                Err(_) => format!("{mime}, {} bytes", bytes.len()),
            },
            ImageData::Pixels { format, width, height, levels, .. } => match levels.len() {
                1 => format!("{}, {width} × {height}", format.word()),
                count => format!("{}, {width} × {height}, {count} levels", format.word()),
            },
            ImageData::External(name) => format!("the file {name:?}, which is not there"),
        };
        Ok(format!("<Image {} {:?}: {words}>", self.handle.index(), image.name))
    }
}
