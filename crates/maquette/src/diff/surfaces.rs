//! Materials, and how they use pictures.

use super::corners::Corners;
use super::images::{self, Shown};
use super::{Found, there};
use maquette_scene::Scene;
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::mesh::Primitive;
use std::collections::BTreeSet;

/// Compares the materials of faces that belong together, each pair of parts once.
pub fn compare(a: &Scene, b: &Scene, corners: &Corners<'_>, found: &mut Found) {
    let primitives: BTreeSet<_> = (0..corners.faces()).filter_map(|face| corners.primitives(face)).collect();
    let mut done = BTreeSet::new();
    for (primitive_a, primitive_b) in primitives {
        let (Some(drawn_a), Some(drawn_b)) = (corners.a.drawn.get(primitive_a), corners.b.drawn.get(primitive_b))
        else {
            continue;
        };
        if !done.insert((drawn_a.primitive.material, drawn_b.primitive.material)) {
            continue;
        }
        let of =
            |scene: &'_ Scene, primitive: &Primitive| primitive.material.and_then(|m| scene.materials.get(m)).cloned();
        let subject = format!("material of primitive {primitive_a}");
        match (of(a, drawn_a.primitive), of(b, drawn_b.primitive)) {
            (Some(of_a), Some(of_b)) => Surfaces { a, b, of_a, of_b, subject }.compare(found),
            (of_a, of_b) => found.unequal("materials", &subject, there(of_a.is_some()), there(of_b.is_some())),
        }
    }
}

struct Surfaces<'s> {
    a: &'s Scene,
    b: &'s Scene,
    of_a: Material,
    of_b: Material,
    subject: String,
}

impl Surfaces<'_> {
    fn compare(&self, found: &mut Found) {
        let (a, b) = (&self.of_a, &self.of_b);
        found.unequal("material names", &self.subject, &a.name, &b.name);
        found.unequal("alpha mode", &self.subject, opacity(a.alpha), opacity(b.alpha));
        found.unequal("double-sidedness", &self.subject, a.double_sided, b.double_sided);
        let shading = |material: &Material| if material.unlit { "unlit" } else { "lit" };
        found.unequal("shading", &self.subject, shading(a), shading(b));
        if let (Some(a), Some(b)) = (a.pbr(), b.pbr()) {
            self.pbr(a, b, found);
        }
    }

    fn pbr(&self, a: &Pbr, b: &Pbr, found: &mut Found) {
        self.numbers("base colour", &a.base_colour, &b.base_colour, found);
        self.numbers("metalness and roughness", &[a.metallic, a.roughness], &[b.metallic, b.roughness], found);
        let light = |m: &Pbr| m.emissive.map(|channel| channel * m.emissive_strength);
        self.numbers("emission", &light(a), &light(b), found);
        // Strengths of maps that are not there have no meaning.
        if a.normal_texture.is_some() && b.normal_texture.is_some() {
            self.numbers("texture strengths", &[a.normal_scale], &[b.normal_scale], found);
        }
        if a.occlusion_texture.is_some() && b.occlusion_texture.is_some() {
            self.numbers("texture strengths", &[a.occlusion_strength], &[b.occlusion_strength], found);
        }
        let slots = |m: &Pbr| m.textures().map(|(slot, _)| slot).collect::<Vec<_>>().join(", ");
        found.unequal("textures", &self.subject, slots(a), slots(b));
        for (slot, texture) in a.textures() {
            if let Some((_, other)) = b.textures().find(|(other, _)| *other == slot) {
                let subject = format!("{slot} texture of the {}", self.subject);
                self.texture(&subject, texture, other, found);
                let shown_a = Shown { scene: self.a, material: &self.of_a, pbr: a, texture };
                let shown_b = Shown { scene: self.b, material: &self.of_b, pbr: b, texture: other };
                images::compare(slot, &subject, &shown_a, &shown_b, found);
            }
        }
    }

    fn numbers(&self, what: &'static str, a: &[f32], b: &[f32], found: &mut Found) {
        let apart = a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
        if apart > found.tolerance.max(1.0 / 255.0) {
            found.push(what, &self.subject, format!("{a:?}"), format!("{b:?}"), Some(apart));
        }
    }

    fn texture(&self, subject: &str, a: &TextureUse, b: &TextureUse, found: &mut Found) {
        found.unequal("texture coordinates", subject, format!("set {}", a.uv_set), format!("set {}", b.uv_set));
        found.unequal("texture wrapping", subject, wraps(a.wrap), wraps(b.wrap));
        // A program that is free to choose may choose what the other says.
        if a.filter != Filter::default() {
            found.unequal("texture filters", subject, filters(a.filter), filters(b.filter));
        }
        found.unequal("texture transforms", subject, moved(a), moved(b));
    }
}

fn opacity(alpha: AlphaMode) -> String {
    match alpha {
        AlphaMode::Opaque => "opaque".into(),
        AlphaMode::Mask(cutoff) => format!("cut out at {cutoff}"),
        AlphaMode::Blend => "blended".into(),
    }
}

fn wraps(wrap: [Wrap; 2]) -> String {
    let word = |wrap| match wrap {
        Wrap::Repeat => "repeated",
        Wrap::Mirror => "mirrored",
        Wrap::Clamp => "clamped",
    };
    wrap.map(word).join(", ")
}

/// How a picture is smoothed, by the names that glTF's numbers have.
fn filters(filter: Filter) -> String {
    let word = |number| match number {
        None => "any".to_owned(),
        Some(9728) => "nearest".to_owned(),
        Some(9729) => "linear".to_owned(),
        Some(9984) => "nearest of the nearest level".to_owned(),
        Some(9985) => "linear of the nearest level".to_owned(),
        Some(9986) => "nearest between levels".to_owned(),
        Some(9987) => "linear between levels".to_owned(),
        Some(other) => other.to_string(),
    };
    format!("near {}, far {}", word(filter.magnify), word(filter.minify))
}

fn moved(texture: &TextureUse) -> String {
    let still = UvTransform { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] };
    let UvTransform { offset: [x, y], rotation, scale: [u, v] } = texture.transform.unwrap_or(still);
    format!("moved by ({x}, {y}), turned by {}°, scaled by ({u}, {v})", rotation.to_degrees())
}
