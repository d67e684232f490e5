//! Extensions that have a form: each is found on the object that it extends, and absent where it has another form.

use crate::{BufferView, Material, TextureInfo};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The names of the extension that compresses the bytes of a view.
pub const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

fn extension<'d, T: Deserialize<'d>>(extensions: &'d Option<Map<String, Value>>, name: &str) -> Option<T> {
    T::deserialize(extensions.as_ref()?.get(name)?).ok()
}

/// `KHR_texture_transform`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TextureTransform {
    /// Added to the coordinates after scale and rotation.
    pub offset: [f32; 2],
    /// Counter-clockwise around the origin, in radians.
    pub rotation: f32,
    /// Multiplied with the coordinates before they are rotated.
    pub scale: [f32; 2],
    /// The set of coordinates, instead of that of the texture.
    pub tex_coord: Option<u32>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        TextureTransform { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

impl TextureInfo {
    /// How it moves texture coordinates.
    pub fn transform(&self) -> Option<TextureTransform> {
        extension(&self.extensions, "KHR_texture_transform")
    }

    /// The set of texture coordinates it uses.
    pub fn uv_set(&self) -> u32 {
        let own = self.transform().and_then(|transform| transform.tex_coord);
        own.or(self.tex_coord).unwrap_or(0)
    }
}

/// `KHR_materials_pbrSpecularGlossiness`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SpecularGlossiness {
    /// Diffuse colour and opacity.
    pub diffuse_factor: [f32; 4],
    /// Multiplied with the factor: colour in sRGB, and opacity.
    pub diffuse_texture: Option<TextureInfo>,
    /// Reflected colour at normal incidence, linear.
    pub specular_factor: [f32; 3],
    /// 1 is smooth.
    pub glossiness_factor: f32,
    /// Specular colour, and glossiness as alpha.
    pub specular_glossiness_texture: Option<TextureInfo>,
}

impl Default for SpecularGlossiness {
    fn default() -> Self {
        SpecularGlossiness {
            diffuse_factor: [1.0; 4],
            diffuse_texture: None,
            specular_factor: [1.0; 3],
            glossiness_factor: 1.0,
            specular_glossiness_texture: None,
        }
    }
}

impl Material {
    /// The older model of materials.
    pub fn specular_glossiness(&self) -> Option<SpecularGlossiness> {
        extension(&self.extensions, "KHR_materials_pbrSpecularGlossiness")
    }
}

/// `EXT_meshopt_compression` or `KHR_meshopt_compression`: how the bytes of a view are stored.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeshoptCompression {
    /// The buffer with the compressed bytes.
    pub buffer: usize,
    /// Where they begin in it.
    #[serde(default)]
    pub byte_offset: usize,
    /// How many they are.
    pub byte_length: usize,
    /// From element to element, when decoded.
    pub byte_stride: usize,
    /// How many elements.
    pub count: usize,
    /// `ATTRIBUTES`, `TRIANGLES` or `INDICES`.
    pub mode: String,
    /// `NONE` if absent.
    pub filter: Option<String>,
}

impl MeshoptCompression {
    /// The size of what is decoded; `None` beyond any memory.
    pub fn decoded_bytes(&self) -> Option<usize> {
        self.count.checked_mul(self.byte_stride)
    }
}

impl BufferView {
    /// How its bytes are compressed; an error where the extension has other members than its specification says.
    pub fn meshopt_compression(&self) -> Option<serde_json::Result<MeshoptCompression>> {
        let extensions = self.extensions.as_ref()?;
        let stored = MESHOPT.iter().find_map(|name| extensions.get(*name))?;
        Some(MeshoptCompression::deserialize(stored))
    }
}
