//! A texture on a surface: a value, which a material is given.

use super::image::PyImage;
use super::part::{Listed, own};
use super::store::PyScene;
use super::words::WRAPS;
use maquette::scene::material::{Filter, TextureUse, UvTransform};
use pyo3::prelude::*;

/// A texture on a surface: an image, and how it is laid on. It cannot be changed; a material is given another.
#[pyclass(name = "TextureUse", module = "maquette", frozen)]
pub struct PyTextureUse {
    pub scene: Py<PyScene>,
    pub texture: TextureUse,
}

/// Nothing is moved.
const STILL: UvTransform = UvTransform { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] };

impl PyTextureUse {
    fn transform(&self) -> UvTransform {
        self.texture.transform.unwrap_or(STILL)
    }
}

#[pymethods]
impl PyTextureUse {
    /// An image on a set of texture coordinates, which are scaled, turned and moved first. `filter` is how it is enlarged and reduced, in glTF's numbers.
    #[new]
    #[pyo3(signature = (image, *, uv_set=0, wrap=("repeat".to_owned(), "repeat".to_owned()), filter=(None, None), offset=(0.0, 0.0), rotation=0.0, scale=(1.0, 1.0)))]
    #[pyo3(
        text_signature = "(image, *, uv_set=0, wrap=('repeat', 'repeat'), filter=(None, None), offset=(0, 0), rotation=0, scale=(1, 1))"
    )]
    #[expect(clippy::too_many_arguments, reason = "all that can be said about a texture")]
    fn new(
        py: Python<'_>,
        image: Bound<'_, PyImage>,
        uv_set: u32,
        wrap: (String, String),
        filter: (Option<u32>, Option<u32>),
        offset: (f32, f32),
        rotation: f32,
        scale: (f32, f32),
    ) -> PyResult<PyTextureUse> {
        let wrap = [WRAPS.value(&wrap.0)?, WRAPS.value(&wrap.1)?];
        let transform = UvTransform { offset: offset.into(), rotation, scale: scale.into() };
        let transform = Some(transform).filter(|transform| *transform != STILL);
        let (magnify, minify) = filter;
        let scene = image.get().scene.clone_ref(py);
        let image = own(&scene, &image)?;
        Ok(PyTextureUse {
            scene,
            texture: TextureUse { image, uv_set, wrap, filter: Filter { magnify, minify }, transform },
        })
    }

    /// What is sampled.
    #[getter]
    fn image(&self, py: Python<'_>) -> PyImage {
        PyImage::at(self.scene.clone_ref(py), self.texture.image)
    }

    /// Which set of texture coordinates.
    #[getter]
    fn uv_set(&self) -> u32 {
        self.texture.uv_set
    }

    /// How it goes on beyond its edges, along U and V: `repeat`, `mirror` or `clamp`.
    #[getter]
    fn wrap(&self) -> (&'static str, &'static str) {
        let [u, v] = self.texture.wrap;
        (WRAPS.word(u), WRAPS.word(v))
    }

    /// How it is sampled when it is enlarged and when it is reduced, in glTF's numbers; `None` for as the program likes.
    #[getter]
    fn filter(&self) -> (Option<u32>, Option<u32>) {
        (self.texture.filter.magnify, self.texture.filter.minify)
    }

    /// Added to texture coordinates, last.
    #[getter]
    fn offset(&self) -> (f32, f32) {
        self.transform().offset.into()
    }

    /// What they are turned by, counter-clockwise, in radians.
    #[getter]
    fn rotation(&self) -> f32 {
        self.transform().rotation
    }

    /// What they are multiplied by, first.
    #[getter]
    fn scale(&self) -> (f32, f32) {
        self.transform().scale.into()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyTextureUse>().is_ok_and(|other| {
            let other = other.get();
            other.scene.is(&self.scene) && other.texture == self.texture
        })
    }

    fn __hash__(&self) -> u64 {
        self.texture.image.index() as u64
    }

    fn __repr__(&self) -> String {
        let store = self.scene.get().store();
        let name = store.scene.images.get(self.texture.image).map_or("", |image| image.name.as_str());
        let [u, v] = self.texture.wrap.map(|wrap| WRAPS.word(wrap));
        let moved = if self.transform() == STILL { "" } else { ", moved" };
        format!(
            "<TextureUse of image {} {name:?}: uv set {}, {u} {v}{moved}>",
            self.texture.image.index(),
            self.texture.uv_set
        )
    }
}
