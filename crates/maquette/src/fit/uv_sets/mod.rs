//! One set of texture coordinates for all textures of a material, for formats that have no other.
//!
//! The coordinates of the base colour, or of the first texture that is there, are chosen, and what moves them is worked into the vertices. A texture
//! that was moved otherwise loses that; one that lies on other coordinates altogether would show nonsense, so its average takes its place where there are
//! maps of everything, and nothing elsewhere.

use super::pictures::{self, Purpose};
use maquette_formats::format::TextureStorage;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::material::{Material, Pbr, TextureUse, UvTransform};
use maquette_scene::mesh::Primitive;
use maquette_scene::{Handle, Scene};
use maquette_texture::decode::Salvaged;
use maquette_texture::pack;

/// Gives every material one set of coordinates.
pub fn merge(scene: &mut Scene, storage: TextureStorage, losses: &mut LossReport) {
    for handle in scene.materials.handles() {
        let Some(whole) = scene.materials.get(handle) else { continue };
        let Some(mut material) = whole.pbr().cloned() else { continue };
        let subject = subject("material", handle.index(), &whole.name);
        let same = |a: u32, b: u32| {
            let uses = |primitive: &&Primitive| primitive.material == Some(handle);
            let set = |primitive: &Primitive, set: u32| primitive.streams.uvs.get(set as usize).cloned();
            let mut primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter(uses);
            a == b || primitives.all(|primitive| set(primitive, a).is_some() && set(primitive, a) == set(primitive, b))
        };
        let Some((lead_slot, lead)) = material.textures().next().map(|(slot, texture)| (slot, texture.clone())) else {
            continue;
        };
        let lead_transform = lead.transform.filter(moves);
        let mut unmatched = Vec::new();
        for (slot, texture) in material.textures_mut() {
            let transform = texture.transform.take().filter(moves);
            if !same(texture.uv_set, lead.uv_set) {
                unmatched.push(slot);
            } else if transform != lead_transform {
                let detail = format!("that of {slot} differs from that of {lead_slot}, which is taken");
                losses.dropped(Lost::TextureTransforms, &subject, detail, 1);
            }
            texture.uv_set = 0;
        }
        for slot in unmatched {
            let left = match replace_by_average(&mut material, slot, storage, scene, losses) {
                true => "its average is kept",
                false => "it is left out",
            };
            let detail = format!("{slot} lies on other coordinates than {lead_slot}; {left}");
            losses.dropped(Lost::Textures, &subject, detail, 1);
        }
        let baked = u64::from(lead_transform.is_some());
        losses.push(LossKind::Baked, Lost::TextureTransforms, &subject, "worked into the texture coordinates", baked);
        bring_first(scene, handle, lead.uv_set as usize, lead_transform);
        if let Some(there) = scene.materials.get_mut(handle) {
            there.surface = material.into();
        }
    }
}

/// Whether a transform moves anything.
fn moves(transform: &UvTransform) -> bool {
    *transform != UvTransform { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] }
}

/// Makes a set of coordinates the first one of every part with this material, and moves it.
fn bring_first(scene: &mut Scene, material: Handle<Material>, set: usize, transform: Option<UvTransform>) {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        if primitive.material != Some(material) || set >= primitive.streams.uvs.len() {
            continue;
        }
        primitive.streams.uvs.swap(0, set);
        if let (Some(transform), Some(uvs)) = (transform, primitive.streams.uvs.first_mut()) {
            move_all(uvs, &transform);
        }
    }
}

/// Moves a set of coordinates. By itself: within others the compiler takes the sine of an angle before it knows that there is one, at which valgrind takes offence.
#[inline(never)]
fn move_all(uvs: &mut [[f32; 2]], transform: &UvTransform) {
    uvs.iter_mut().for_each(|uv| *uv = moved(*uv, transform));
}

/// Scaled, turned counter-clockwise as one sees it with V downwards, moved. [KHR_texture_transform]
fn moved([u, v]: [f32; 2], transform: &UvTransform) -> [f32; 2] {
    let UvTransform { offset: [x, y], rotation, scale: [across, down] } = *transform;
    let (u, v) = (u * across, v * down);
    let (sin, cos) = rotation.sin_cos();
    [cos * u + sin * v + x, cos * v - sin * u + y]
}

/// One pixel instead of a texture, where textures are packed; none instead of normals. Whether there is one.
fn replace_by_average(
    material: &mut Pbr,
    slot: &str,
    storage: TextureStorage,
    scene: &mut Scene,
    losses: &mut LossReport,
) -> bool {
    let used = material.textures().find(|(name, _)| *name == slot).map(|(_, texture)| texture.image);
    let purpose = Purpose::of_slot(slot);
    let wanted = storage == TextureStorage::Pixels && purpose != Purpose::Normals;
    let average = used.filter(|_| wanted).and_then(|handle| {
        let image = scene.images.get(handle)?;
        let Salvaged { picture, damage, .. } = pictures::salvaged(image).ok()?;
        if let Some(damage) = damage {
            pictures::report_damage(handle, image, &damage, losses);
        }
        let average = pack::average(&picture, &pictures::decode_table(image, purpose));
        let data = ImageData::Pixels {
            format: PixelFormat::Rgba8,
            colour_space: ColourSpace::Linear,
            width: 1,
            height: 1,
            levels: vec![average.map(|value| (value * 255.0).round() as u8).to_vec().into()],
        };
        Some(TextureUse::new(scene.images.push(Image::new("", data))))
    });
    let is_kept = average.is_some();
    match slot {
        "metallic-roughness" => material.metallic_roughness_texture = average,
        "normal" => material.normal_texture = average,
        "occlusion" => material.occlusion_texture = average,
        "emissive" => material.emissive_texture = average,
        _ => material.base_colour_texture = average,
    }
    is_kept
}

#[cfg(test)]
mod tests;
