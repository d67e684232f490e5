//! A picture that was drawn.

use crate::arrays;
use crate::error::MaquetteError;
use crate::output::save_picture;
use crate::threads::free;
use maquette_render::{Picture, compare};
use maquette_texture::png;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A picture: RGBA, the first row at the top.
#[pyclass(name = "Picture", module = "maquette", frozen)]
pub struct PyPicture {
    /// (height, width, 4), which nobody changes.
    array: Py<PyArrayDyn<u8>>,
    /// What is not in it and should be: textures that are missing.
    #[pyo3(get)]
    warnings: Vec<String>,
}

impl PyPicture {
    pub fn new(py: Python<'_>, picture: Picture, warnings: Vec<String>) -> PyResult<PyPicture> {
        let shape = [picture.height() as usize, picture.width() as usize, 4];
        let array = arrays::owned(py, picture.into_pixels().into_flattened(), &shape)?;
        Ok(PyPicture { array: array.cast_into()?.unbind(), warnings })
    }

    /// Its pixels for work without the interpreter.
    fn picture(&self, py: Python<'_>) -> PyResult<Picture> {
        let array = self.array.bind(py).try_readonly()?;
        let (width, height) = self.size(py);
        let pixels = array.as_slice()?.as_chunks().0.to_vec();
        Picture::new(width, height, pixels).ok_or_else(|| MaquetteError::new_err("a picture has pixels"))
    }

    pub fn encoded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let picture = self.picture(py)?;
        let file = free(py, || png::encode(picture.width(), picture.height(), picture.pixels()));
        let file = file.ok_or_else(|| MaquetteError::new_err("the picture is too large for a PNG file"))?;
        Ok(PyBytes::new(py, &file))
    }
}

#[pymethods]
impl PyPicture {
    /// Width and height, in pixels.
    #[getter]
    fn size(&self, py: Python<'_>) -> (u32, u32) {
        match self.array.bind(py).shape() {
            [height, width, ..] => (*width as u32, *height as u32),
            _ => (0, 0),
        }
    }

    /// Its pixels as a NumPy array of bytes: (height, width, 4), red, green, blue and opacity. It is the memory of the picture, and cannot be changed; a copy can.
    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.array.bind(py).clone().into_any()
    }

    /// The same, for NumPy: `numpy.asarray(picture)`.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        match copy {
            Some(true) => numpy.call_method1("array", (self.array(py), dtype)),
            _ => numpy.call_method1("asarray", (self.array(py), dtype)),
        }
    }

    /// The picture as a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.encoded(py)
    }

    /// Writes the picture to a PNG file. What is there and is no PNG file is not overwritten, unless `force` is true.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>, force: bool) -> PyResult<()> {
        save_picture(py, path, self.encoded(py)?.as_bytes(), b"\x89PNG", force)
    }

    /// How alike two pictures of one size are: `ssim`, structural similarity, is 1 for the same picture; `largest` is the largest difference of a
    /// channel, from 0 to 255; `differing` is how many pixels differ at all, and `heat` a picture of where.
    fn compare<'py>(&self, py: Python<'py>, other: &Bound<'py, PyPicture>) -> PyResult<Bound<'py, PyDict>> {
        let (one, another) = (self.picture(py)?, other.get().picture(py)?);
        let found = free(py, || compare::compare(&one, &another)).ok_or_else(|| {
            let (one, another) = (self.size(py), other.get().size(py));
            PyValueError::new_err(format!("pictures of {one:?} and {another:?} cannot be compared"))
        })?;
        let told = PyDict::new(py);
        told.set_item("ssim", found.ssim)?;
        told.set_item("largest", found.largest)?;
        told.set_item("differing", found.differing)?;
        told.set_item("heat", Bound::new(py, PyPicture::new(py, found.heat, Vec::new())?)?)?;
        Ok(told)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.encoded(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (width, height) = self.size(py);
        let warnings = match self.warnings.len() {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            many => format!(", {many} warnings"),
        };
        format!("<Picture of {width} × {height}{warnings}>")
    }
}
