//! How a surface looks.

use super::extras;
use super::image::PyImage;
use super::node::numbers;
use super::part::{Listed, Part, listed};
use super::store::PyScene;
use super::texture_use::PyTextureUse;
use crate::keywords::choose;
use maquette::scene::Handle;
use maquette::scene::material::{AlphaMode, Material, Pbr, TextureUse};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMappingProxy};

/// How a surface looks: colours, factors and textures of glTF's metallic-roughness model.
///
/// Formats that pack everything into three maps for an engine make materials of those (`is_packed`), which have none of these:
/// `scene.edit(unpack=True)` takes the maps apart.
#[pyclass(name = "Material", module = "maquette", frozen)]
pub struct PyMaterial {
    pub scene: Py<PyScene>,
    pub handle: Handle<Material>,
}

listed!(PyMaterial, Material, materials, "material");

/// What opacity is compared with where nobody says.
const USUAL_CUTOFF: f32 = 0.5;

impl PyMaterial {
    /// Looks at the surface, or changes it, where it is not packed.
    fn with_pbr<R>(&self, look: impl FnOnce(&mut Pbr) -> R) -> PyResult<R> {
        let done = self.with(|material, _| material.pbr_mut().map(look))?;
        done.ok_or_else(|| {
            PyValueError::new_err(
                "this material has packed maps and no factors: `scene, losses = scene.edit(unpack=True)` takes them apart",
            )
        })
    }

    fn texture(
        &self,
        py: Python<'_>,
        slot: impl FnOnce(&mut Pbr) -> &mut Option<TextureUse>,
    ) -> PyResult<Option<PyTextureUse>> {
        let texture = self.with_pbr(|pbr| slot(pbr).clone())?;
        Ok(texture.map(|texture| PyTextureUse { scene: self.scene.clone_ref(py), texture }))
    }

    fn set_texture(
        &self,
        texture: Option<Bound<'_, PyTextureUse>>,
        slot: impl FnOnce(&mut Pbr) -> &mut Option<TextureUse>,
    ) -> PyResult<()> {
        let texture = match &texture {
            Some(texture) if !texture.get().scene.is(&self.scene) => {
                return Err(PyValueError::new_err(
                    "the image of this texture belongs to another scene, and a scene can use its own alone: add one to it",
                ));
            }
            Some(texture) => Some(texture.get().texture.clone()),
            None => None,
        };
        self.with_pbr(|pbr| *slot(pbr) = texture)
    }
}

#[pymethods]
impl PyMaterial {
    /// What artists and clips of other files call it.
    #[getter]
    fn name(&self) -> PyResult<String> {
        self.with(|material, _| material.name.clone())
    }

    #[setter]
    fn set_name(&self, name: String) -> PyResult<()> {
        self.with(|material, _| material.name = name)
    }

    /// Its position among the materials of the scene.
    #[getter]
    fn index(&self) -> usize {
        self.handle.index()
    }

    /// How opacity is drawn: `opaque` for not at all, `mask` for where it is at least `alpha_cutoff`, `blend` for mixed with what is behind.
    #[getter]
    fn alpha(&self) -> PyResult<&'static str> {
        self.with(|material, _| match material.alpha {
            AlphaMode::Opaque => "opaque",
            AlphaMode::Mask(_) => "mask",
            AlphaMode::Blend => "blend",
        })
    }

    #[setter]
    fn set_alpha(&self, word: &str) -> PyResult<()> {
        let cutoff = self.alpha_cutoff()?.unwrap_or(USUAL_CUTOFF);
        let modes = [("opaque", AlphaMode::Opaque), ("mask", AlphaMode::Mask(cutoff)), ("blend", AlphaMode::Blend)];
        let alpha = choose("alpha", word, &modes)?;
        self.with(|material, _| material.alpha = alpha)
    }

    /// What opacity must be at least, where `alpha` is `mask`; `None` where it is not.
    #[getter]
    fn alpha_cutoff(&self) -> PyResult<Option<f32>> {
        self.with(|material, _| match material.alpha {
            AlphaMode::Mask(cutoff) => Some(cutoff),
            _ => None,
        })
    }

    #[setter]
    fn set_alpha_cutoff(&self, cutoff: f32) -> PyResult<()> {
        let done = self.with(|material, _| match &mut material.alpha {
            AlphaMode::Mask(old) => {
                *old = cutoff;
                true
            }
            _ => false,
        })?;
        match done {
            true => Ok(()),
            false => {
                Err(PyValueError::new_err("only a material whose alpha is \"mask\" has a cutoff: set alpha first"))
            }
        }
    }

    /// Whether back faces are drawn.
    #[getter]
    fn double_sided(&self) -> PyResult<bool> {
        self.with(|material, _| material.double_sided)
    }

    #[setter]
    fn set_double_sided(&self, value: bool) -> PyResult<()> {
        self.with(|material, _| material.double_sided = value)
    }

    /// Whether it is drawn in its base colour, without any lighting.
    #[getter]
    fn unlit(&self) -> PyResult<bool> {
        self.with(|material, _| material.unlit)
    }

    #[setter]
    fn set_unlit(&self, value: bool) -> PyResult<()> {
        self.with(|material, _| material.unlit = value)
    }

    /// Whether everything about it is in three maps of an engine; `scene.edit(unpack=True)` takes them apart.
    #[getter]
    fn is_packed(&self) -> PyResult<bool> {
        self.with(|material, _| material.packed().is_some())
    }

    /// These maps: `base colour`, `normal` and `packed`; empty where it is not packed.
    #[getter]
    fn packed_images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        let maps = self.with(|material, _| material.packed().copied())?;
        let dict = PyDict::new(py);
        for (slot, map) in maps.iter().flat_map(|maps| maps.textures()) {
            dict.set_item(slot, PyImage::at(self.scene.clone_ref(py), map.image))?;
        }
        Ok(PyMappingProxy::new(py, dict.as_mapping()))
    }

    /// Linear colour and opacity, times the texture: r, g, b, a.
    #[getter]
    fn base_colour(&self) -> PyResult<(f32, f32, f32, f32)> {
        self.with_pbr(|pbr| pbr.base_colour.into())
    }

    #[setter]
    fn set_base_colour(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = numbers(value, "base_colour")?;
        self.with_pbr(|pbr| pbr.base_colour = value)
    }

    /// From 0 to 1, times blue of the texture.
    #[getter]
    fn metallic(&self) -> PyResult<f32> {
        self.with_pbr(|pbr| pbr.metallic)
    }

    #[setter]
    fn set_metallic(&self, value: f32) -> PyResult<()> {
        self.with_pbr(|pbr| pbr.metallic = value)
    }

    /// From 0 to 1, times green of the texture.
    #[getter]
    fn roughness(&self) -> PyResult<f32> {
        self.with_pbr(|pbr| pbr.roughness)
    }

    #[setter]
    fn set_roughness(&self, value: f32) -> PyResult<()> {
        self.with_pbr(|pbr| pbr.roughness = value)
    }

    /// Linear colour of its own light, times the texture: r, g, b.
    #[getter]
    fn emissive(&self) -> PyResult<(f32, f32, f32)> {
        self.with_pbr(|pbr| pbr.emissive.into())
    }

    #[setter]
    fn set_emissive(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = numbers(value, "emissive")?;
        self.with_pbr(|pbr| pbr.emissive = value)
    }

    /// Times the emissive colour.
    #[getter]
    fn emissive_strength(&self) -> PyResult<f32> {
        self.with_pbr(|pbr| pbr.emissive_strength)
    }

    #[setter]
    fn set_emissive_strength(&self, value: f32) -> PyResult<()> {
        self.with_pbr(|pbr| pbr.emissive_strength = value)
    }

    /// Times X and Y of the normal map.
    #[getter]
    fn normal_scale(&self) -> PyResult<f32> {
        self.with_pbr(|pbr| pbr.normal_scale)
    }

    #[setter]
    fn set_normal_scale(&self, value: f32) -> PyResult<()> {
        self.with_pbr(|pbr| pbr.normal_scale = value)
    }

    /// How much of the occlusion is applied, from 0 to 1.
    #[getter]
    fn occlusion_strength(&self) -> PyResult<f32> {
        self.with_pbr(|pbr| pbr.occlusion_strength)
    }

    #[setter]
    fn set_occlusion_strength(&self, value: f32) -> PyResult<()> {
        self.with_pbr(|pbr| pbr.occlusion_strength = value)
    }

    /// Colour in sRGB, and opacity.
    #[getter]
    fn base_colour_texture(&self, py: Python<'_>) -> PyResult<Option<PyTextureUse>> {
        self.texture(py, |pbr| &mut pbr.base_colour_texture)
    }

    #[setter]
    fn set_base_colour_texture(&self, texture: Option<Bound<'_, PyTextureUse>>) -> PyResult<()> {
        self.set_texture(texture, |pbr| &mut pbr.base_colour_texture)
    }

    /// Green is roughness, blue is metalness.
    #[getter]
    fn metallic_roughness_texture(&self, py: Python<'_>) -> PyResult<Option<PyTextureUse>> {
        self.texture(py, |pbr| &mut pbr.metallic_roughness_texture)
    }

    #[setter]
    fn set_metallic_roughness_texture(&self, texture: Option<Bound<'_, PyTextureUse>>) -> PyResult<()> {
        self.set_texture(texture, |pbr| &mut pbr.metallic_roughness_texture)
    }

    /// Normals in tangent space, green up.
    #[getter]
    fn normal_texture(&self, py: Python<'_>) -> PyResult<Option<PyTextureUse>> {
        self.texture(py, |pbr| &mut pbr.normal_texture)
    }

    #[setter]
    fn set_normal_texture(&self, texture: Option<Bound<'_, PyTextureUse>>) -> PyResult<()> {
        self.set_texture(texture, |pbr| &mut pbr.normal_texture)
    }

    /// Red is occlusion.
    #[getter]
    fn occlusion_texture(&self, py: Python<'_>) -> PyResult<Option<PyTextureUse>> {
        self.texture(py, |pbr| &mut pbr.occlusion_texture)
    }

    #[setter]
    fn set_occlusion_texture(&self, texture: Option<Bound<'_, PyTextureUse>>) -> PyResult<()> {
        self.set_texture(texture, |pbr| &mut pbr.occlusion_texture)
    }

    /// Colour in sRGB.
    #[getter]
    fn emissive_texture(&self, py: Python<'_>) -> PyResult<Option<PyTextureUse>> {
        self.texture(py, |pbr| &mut pbr.emissive_texture)
    }

    #[setter]
    fn set_emissive_texture(&self, texture: Option<Bound<'_, PyTextureUse>>) -> PyResult<()> {
        self.set_texture(texture, |pbr| &mut pbr.emissive_texture)
    }

    /// What only the format it came from understands, by names such as `gltf.extras`.
    #[getter]
    fn extras<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        extras::shown(py, &self.with(|material, _| material.extras.clone())?)
    }

    #[setter]
    fn set_extras(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let extras = extras::taken(value)?;
        self.with(|material, _| material.extras = extras)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        self.is_same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    fn __repr__(&self) -> PyResult<String> {
        self.with(|material, _| {
            let textures: Vec<&str> = material.images().into_iter().map(|(slot, _)| slot).collect();
            let words = match (material.packed().is_some(), textures.is_empty()) {
                (true, _) => ": packed maps".to_owned(),
                (false, true) => String::new(),
                (false, false) => format!(": textures of {}", textures.join(", ")),
            };
            format!("<Material {} {:?}{words}>", self.handle.index(), material.name)
        })
    }
}
