//! What a picture takes besides the triangles that are seen, told by the shot and the materials alone.

use crate::light::Lamps;
use crate::mode::Mode;
use crate::raster::{Kind, Style};
use crate::shade::Encoding;
use crate::shot::{Background, Hollows, Shadow, Shot};
use crate::stage::Material;
use maquette_scene::glam::Vec3;
use maquette_scene::material::AlphaMode;

/// What a picture takes besides the triangles that are seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How its numbers become bytes.
    pub encoding: Encoding,
    /// Times all light.
    pub exposure: f32,
    /// As the picture has colours before they are encoded.
    pub background: Vec3,
    /// 0 where there is none.
    pub background_opacity: f32,
    /// The key light, and how strong all else is.
    pub lamps: Lamps,
    /// The side of the map of shadows, where there are any.
    pub shadow_side: Option<u32>,
    /// The map that hollows are told from, where they are.
    pub hollows: Option<HollowsMap>,
}

/// The map that hollows are told from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HollowsMap {
    /// In pixels.
    pub size: [u32; 2],
    /// Pixels of it in one of the picture.
    pub scale: f32,
}

/// Its longest side.
const LONGEST_HOLLOWS: u32 = 2048;

impl Plan {
    /// For a shot of what has these materials.
    pub fn new<'m>(shot: &Shot, mut materials: impl Iterator<Item = &'m Material>) -> Plan {
        let encoding = Encoding::of(shot.mode, shot.tone_map);
        let (background, background_opacity) = match shot.background {
            Background::Transparent => (Vec3::ZERO, 0.0),
            Background::Colour(colour) => (encoding.of_srgb(Vec3::from(colour)), 1.0),
        };
        let is_lit = shot.mode == Mode::Shaded && materials.any(|material| !material.unlit);
        let has_shadow = is_lit && shot.light.shadow == Shadow::Soft && shot.light.key > 0.0;
        Plan {
            encoding,
            exposure: if shot.exposure.is_finite() { shot.exposure.max(0.0) } else { 1.0 },
            background,
            background_opacity,
            lamps: Lamps::new(&shot.light),
            shadow_side: has_shadow.then(|| (shot.size[0].max(shot.size[1]) * 2).clamp(256, 2048)),
            hollows: (is_lit && shot.light.hollows == Hollows::Dark).then(|| HollowsMap::of(shot.size)),
        }
    }
}

impl HollowsMap {
    fn of(size: [u32; 2]) -> HollowsMap {
        let longest = size[0].max(size[1]);
        if longest <= LONGEST_HOLLOWS {
            return HollowsMap { size, scale: 1.0 };
        }
        let scale = LONGEST_HOLLOWS as f32 / longest as f32;
        HollowsMap { size: size.map(|side| ((side as f32 * scale) as u32).max(1)), scale }
    }
}

/// How a material is drawn in a mode. Where something else than colours is shown, surfaces that mix hide what is behind them, except where they cannot be seen at all.
pub(crate) fn style(mode: Mode, material: &Material) -> Style {
    let kind = match (material.alpha, mode) {
        (AlphaMode::Opaque, _) | (_, Mode::Opacity | Mode::Wireframe | Mode::Overdraw) => Kind::Solid,
        (AlphaMode::Blend, Mode::Shaded | Mode::BaseColour) => Kind::Blend,
        (AlphaMode::Mask(_) | AlphaMode::Blend, _) => Kind::Mask,
    };
    Style { kind, double_sided: material.double_sided || mode == Mode::Wireframe }
}

/// How a material casts shadows; `None` where it does not.
pub(crate) fn casts(mode: Mode, material: &Material) -> Option<Style> {
    (material.alpha != AlphaMode::Blend).then(|| style(mode, material))
}

/// What bones of a scene without geometry are made of.
pub(crate) fn bone() -> Material {
    Material {
        base_colour: [0.25, 0.45, 0.55, 1.0],
        roughness: 0.55,
        metallic: 0.0,
        double_sided: true,
        ..Material::plain()
    }
}

/// The opacity below which a material is not there, in modes that do not mix.
pub(crate) fn least_opacity(material: &Material) -> f32 {
    match material.alpha {
        AlphaMode::Mask(least) => least,
        AlphaMode::Opaque | AlphaMode::Blend => 1.0 / 255.0,
    }
}
