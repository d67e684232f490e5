//! How far apart two pictures are where a surface shows them: with factors multiplied in, and colours in linear light.

use crate::fit::pictures::{self, Purpose};
use maquette_scene::Scene;
use maquette_scene::glam::{Vec2, Vec3};
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse};
use maquette_texture::Picture;

/// A texture of a material.
pub struct Shown<'s> {
    /// Where its image is.
    pub scene: &'s Scene,
    /// What it is a texture of.
    pub material: &'s Material,
    /// Its factors.
    pub pbr: &'s Pbr,
    /// The texture.
    pub texture: &'s TextureUse,
}

/// How far the worst pixel is off in a channel that this slot has a use for, of full strength. `None` where a picture cannot be decoded, or they
/// are not of one size.
pub fn apart(slot: &str, a: &Shown<'_>, b: &Shown<'_>) -> Option<f32> {
    let ((picture_a, table_a), (picture_b, table_b)) = (a.picture(slot)?, b.picture(slot)?);
    let size = |picture: &Picture| (picture.width(), picture.height());
    if size(&picture_a) != size(&picture_b) {
        return None;
    }
    let pixels = picture_a.pixels().iter().zip(picture_b.pixels());
    let apart = pixels.map(|(from, to)| {
        let values = a.values(slot, from, &table_a).into_iter().zip(b.values(slot, to, &table_b));
        values.map(|(from, to)| (from - to).abs()).fold(0.0, f32::max)
    });
    Some(apart.fold(0.0, f32::max))
}

impl Shown<'_> {
    /// The pixels, and what their colours mean.
    fn picture(&self, slot: &str) -> Option<(Picture, [f32; 256])> {
        let image = self.scene.images.get(self.texture.image)?;
        let table = pictures::decode_table(image, Purpose::of_slot(slot));
        Some((pictures::picture(image).ok()?, table))
    }

    /// What a pixel means for the surface; 0 in channels that mean nothing.
    fn values(&self, slot: &str, &[r, g, b, alpha]: &[u8; 4], table: &[f32; 256]) -> [f32; 4] {
        let colour = |channel: u8| table.get(usize::from(channel)).copied().unwrap_or(0.0);
        let part = |channel: u8| f32::from(channel) / 255.0;
        let pbr = self.pbr;
        match slot {
            "base colour" => {
                let [red, green, blue, opacity] = pbr.base_colour;
                let opacity = opacity * part(alpha);
                let opacity = match self.material.alpha {
                    AlphaMode::Opaque => 0.0,
                    AlphaMode::Mask(cutoff) => f32::from(u8::from(opacity >= cutoff)),
                    AlphaMode::Blend => opacity,
                };
                [colour(r) * red, colour(g) * green, colour(b) * blue, opacity]
            }
            "emissive" => {
                let [red, green, blue] = pbr.emissive.map(|channel| channel * pbr.emissive_strength);
                [colour(r) * red, colour(g) * green, colour(b) * blue, 0.0]
            }
            "normal" => {
                let Vec3 { x, y, .. } = normal([r, g, b], pbr.normal_scale);
                [x / 2.0, y / 2.0, 0.0, 0.0]
            }
            "occlusion" => [1.0 + pbr.occlusion_strength * (part(r) - 1.0), 0.0, 0.0, 0.0],
            _ => [0.0, part(g) * pbr.roughness, part(b) * pbr.metallic, 0.0],
        }
    }
}

/// A unit normal in tangent space. Two channels tell the third.
fn normal([r, g, b]: [u8; 3], scale: f32) -> Vec3 {
    let signed = |channel: u8| f32::from(channel) / 127.5 - 1.0;
    let flat = Vec2::new(signed(r), signed(g));
    let up = if b == 0 { (1.0 - flat.length_squared()).max(0.0).sqrt() } else { signed(b) };
    (flat * scale).extend(up).normalize_or_zero()
}
