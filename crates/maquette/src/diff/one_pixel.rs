//! Pictures of one pixel beside materials without one: they show what a factor shows.

use crate::fit::pictures::{self, Purpose};
use maquette_scene::Scene;
use maquette_scene::material::{Pbr, TextureUse};
use std::borrow::Cow;

/// A surface with those pictures of one pixel as parts of its factors that the other has no picture beside.
pub fn folded<'p>(pbr: &'p Pbr, other: &Pbr, scene: &Scene) -> Cow<'p, Pbr> {
    let mut folded = Cow::Borrowed(pbr);
    let pixel = |own: &Option<TextureUse>, others: &Option<TextureUse>, purpose| {
        own.as_ref().filter(|_| others.is_none()).and_then(|texture| one_pixel(texture, scene, purpose))
    };
    if let Some(pixel) = pixel(&pbr.base_colour_texture, &other.base_colour_texture, Purpose::Colour) {
        let pbr = folded.to_mut();
        multiply(&mut pbr.base_colour, pixel);
        pbr.base_colour_texture = None;
    }
    if let Some([_, roughness, metalness, _]) =
        pixel(&pbr.metallic_roughness_texture, &other.metallic_roughness_texture, Purpose::Data)
    {
        let pbr = folded.to_mut();
        (pbr.roughness, pbr.metallic) = (pbr.roughness * roughness, pbr.metallic * metalness);
        pbr.metallic_roughness_texture = None;
    }
    if let Some(pixel) = pixel(&pbr.emissive_texture, &other.emissive_texture, Purpose::Colour) {
        let pbr = folded.to_mut();
        multiply(&mut pbr.emissive, pixel);
        pbr.emissive_texture = None;
    }
    folded
}

fn multiply<const N: usize>(factors: &mut [f32; N], [r, g, b, a]: [f32; 4]) {
    factors.iter_mut().zip([r, g, b, a]).for_each(|(factor, value)| *factor *= value);
}

/// What the only pixel of a picture means; `None` for larger ones.
fn one_pixel(texture: &TextureUse, scene: &Scene, purpose: Purpose) -> Option<[f32; 4]> {
    let image = scene.images.get(texture.image).filter(|image| pictures::size(image) == [1, 1])?;
    let [r, g, b, a] = *pictures::picture(image).ok()?.pixels().first()?;
    let table = pictures::decode_table(image, purpose);
    let [r, g, b] = [r, g, b].map(|value| table.get(usize::from(value)).copied().unwrap_or_default());
    Some([r, g, b, f32::from(a) / 255.0])
}
