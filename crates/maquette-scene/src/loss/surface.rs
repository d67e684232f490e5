//! What a format that knows little of surfaces loses of one: everything in which it differs from what will be read back.

use super::{LossReport, Lost};
use crate::material::{Filter, Material, Pbr, TextureUse, Wrap};
use std::fmt::Debug;

impl LossReport {
    /// Names every property of a material that differs from what is left of it. Textures and names are not looked at, nor are packed
    /// maps, which have no properties.
    pub fn surface(&mut self, material: &Material, left: &Material, subject: &str) {
        if let (Some(was), Some(is)) = (material.pbr(), left.pbr()) {
            self.pbr(was, is, subject);
        }
        let mut compare = |what, was: &dyn Debug, is: &dyn Debug| {
            let (was, is) = (format!("{was:?}"), format!("{is:?}"));
            let detail = format!("{was} becomes {is}");
            self.dropped(what, subject, detail, u64::from(was != is));
        };
        compare(Lost::AlphaModes, &material.alpha, &left.alpha);
        let flags = [
            (Lost::DoubleSidedness, material.double_sided && !left.double_sided, "its back is not drawn"),
            (Lost::UnlitSurfaces, material.unlit && !left.unlit, "it is shaded"),
        ];
        for (what, is_lost, detail) in flags {
            self.dropped(what, subject, detail, u64::from(is_lost));
        }
    }

    fn pbr(&mut self, material: &Pbr, left: &Pbr, subject: &str) {
        let mut compare = |what, was: &dyn Debug, is: &dyn Debug| {
            let (was, is) = (format!("{was:?}"), format!("{is:?}"));
            let detail = format!("{was} becomes {is}");
            self.dropped(what, subject, detail, u64::from(was != is));
        };
        compare(Lost::BaseColours, &material.base_colour, &left.base_colour);
        let metal = |material: &Pbr| [material.metallic, material.roughness];
        compare(Lost::MetalnessAndRoughness, &metal(material), &metal(left));
        let light = |material: &Pbr| material.emissive.map(|channel| channel * material.emissive_strength);
        compare(Lost::Emission, &light(material), &light(left));
        let strength = |texture: &Option<TextureUse>, strength: f32| texture.is_some() && strength != 1.0;
        let normal = strength(&material.normal_texture, material.normal_scale);
        let occlusion = strength(&material.occlusion_texture, material.occlusion_strength);
        let flags = [
            (Lost::TextureStrengths, normal, "of the normal map"),
            (Lost::TextureStrengths, occlusion, "of the occlusion map"),
        ];
        for (what, is_lost, detail) in flags {
            self.dropped(what, subject, detail, u64::from(is_lost));
        }
    }

    /// Names how a texture is used, where the format knows one way alone: repeated, as it is, on the first coordinates.
    pub fn texture_use(&mut self, texture: &TextureUse, subject: &str) {
        let set = format!("the texture is on set {} and is read on the first", texture.uv_set);
        self.dropped(Lost::UvSets, subject, set, u64::from(texture.uv_set != 0));
        let wrap = format!("{:?} becomes {:?}", texture.wrap, [Wrap::Repeat; 2]);
        self.dropped(Lost::TextureWrapping, subject, wrap, u64::from(texture.wrap != [Wrap::Repeat; 2]));
        let filtered = texture.filter != Filter::default();
        self.dropped(Lost::TextureFilters, subject, "the program chooses", u64::from(filtered));
        let moved = u64::from(texture.transform.is_some());
        self.dropped(Lost::TextureTransforms, subject, "coordinates stay unmoved", moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Arena;
    use crate::image::{Image, ImageData};
    use crate::material::AlphaMode;

    #[test]
    fn only_what_differs_is_named() {
        let of = |pbr: Pbr| Material { surface: pbr.into(), ..Material::default() };
        let matt = of(Pbr { metallic: 0.0, ..Pbr::default() });
        let mut losses = LossReport::default();
        losses.surface(&matt, &matt, "");
        assert!(losses.is_empty());
        // Strength 0 of an emission that is black all the same, and the scale of a normal map that is not there.
        let dark = of(Pbr { metallic: 0.0, emissive_strength: 0.0, normal_scale: 0.5, ..Pbr::default() });
        losses.surface(&dark, &matt, "");
        assert!(losses.is_empty(), "{losses:?}");
        let shiny = of(Pbr { metallic: 0.25, ..Pbr::default() });
        let rich = Material { alpha: AlphaMode::Blend, unlit: true, ..shiny };
        losses.surface(&rich, &matt, "material \"m\"");
        let found: Vec<Lost> = losses.losses().iter().map(|loss| loss.what).collect();
        assert_eq!(found, [Lost::MetalnessAndRoughness, Lost::AlphaModes, Lost::UnlitSurfaces]);
        let told = losses.losses()[0].to_string();
        assert_eq!(told, "dropped metalness and roughness of material \"m\": [0.25, 1.0] becomes [0.0, 1.0]");
    }

    #[test]
    fn a_texture_used_in_the_plain_way_loses_nothing() {
        let image = Arena::default().push(Image::new("", ImageData::External(String::new())));
        let mut losses = LossReport::default();
        losses.texture_use(&TextureUse::new(image), "");
        assert!(losses.is_empty());
        losses.texture_use(&TextureUse { uv_set: 1, wrap: [Wrap::Clamp; 2], ..TextureUse::new(image) }, "");
        assert!(losses.names(Lost::UvSets) && losses.names(Lost::TextureWrapping) && losses.losses().len() == 2);
    }
}
