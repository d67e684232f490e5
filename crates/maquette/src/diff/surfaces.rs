//! Materials, and how they use pictures.

use super::Found;
use super::corners::{Corners, Drawn, Pair};
use super::images::{self, Shown};
use super::one_pixel::folded;
use maquette_scene::loss::{Lost, subject};
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::{Handle, Scene};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Compares the materials of faces that belong together, each pair once.
pub fn of_faces(a: &Scene, b: &Scene, corners: &Corners<'_>, found: &mut Found) {
    let mut faces: HashMap<_, Vec<usize>> = HashMap::new();
    for face in 0..corners.faces() {
        if let Some(Pair { a: (a, _), b: (b, _), .. }) = corners.pairs_of(face).next() {
            faces.entry((a.primitive.material, b.primitive.material)).or_default().push(face);
        }
    }
    let mut done = BTreeSet::new();
    for (drawn_a, drawn_b) in corners.drawn() {
        let handles = (drawn_a.primitive.material, drawn_b.primitive.material);
        if !done.insert(handles) {
            continue;
        }
        let faces = faces.get(&handles).map(Vec::as_slice).unwrap_or_default();
        match (entry(a, handles.0), entry(b, handles.1)) {
            (Some(of_a), Some(of_b)) => Surfaces::new((a, of_a), (b, of_b), Some((corners, faces))).compare(found),
            (None, None) => {}
            (Some(of_a), None) => found.push("materials", &of_a.subject, "there", "missing", None),
            (None, Some(_)) => found.push("materials", &drawn_a.subject, "missing", "there", None),
        }
    }
}

/// Compares materials of the same name, or in the same place where names do not tell.
pub fn by_name(a: &Scene, b: &Scene, found: &mut Found) {
    let has_name = |material: &&Material| !material.name.is_empty();
    let names_a: HashSet<&str> = a.materials.iter().filter(has_name).map(|material| &*material.name).collect();
    let mut named_b: HashMap<&str, Handle<Material>> = HashMap::new();
    for (handle, material) in b.materials.entries().filter(|(_, material)| has_name(material)) {
        named_b.entry(&material.name).or_insert(handle);
    }
    for handle in a.materials.handles() {
        let Some(of_a) = entry(a, Some(handle)) else { continue };
        let named = named_b.get(&*of_a.material.name).copied();
        let is_free = |there: &Handle<Material>| {
            b.materials.get(*there).is_some_and(|material| !names_a.contains(&*material.name))
        };
        let placed = Some(handle).filter(is_free);
        match entry(b, named.or(placed)) {
            Some(of_b) => Surfaces::new((a, of_a), (b, of_b), None).compare(found),
            None => found.push("materials", &of_a.subject, "there", "missing", None),
        }
    }
}

/// A material, and what losses call it.
struct Entry<'s> {
    material: &'s Material,
    subject: String,
}

fn entry(scene: &Scene, handle: Option<Handle<Material>>) -> Option<Entry<'_>> {
    let handle = handle?;
    let material = scene.materials.get(handle)?;
    Some(Entry { material, subject: subject("material", handle.index(), &material.name) })
}

struct Surfaces<'s> {
    a: &'s Scene,
    b: &'s Scene,
    of_a: &'s Material,
    of_b: &'s Material,
    subject: String,
    /// The faces that have these materials, where any are known.
    faces: Option<(&'s Corners<'s>, &'s [usize])>,
}

impl<'s> Surfaces<'s> {
    fn new(
        (a, of_a): (&'s Scene, Entry<'s>),
        (b, of_b): (&'s Scene, Entry<'s>),
        faces: Option<(&'s Corners<'s>, &'s [usize])>,
    ) -> Surfaces<'s> {
        Surfaces { a, b, of_a: of_a.material, of_b: of_b.material, subject: of_a.subject, faces }
    }

    fn compare(&self, found: &mut Found) {
        let (a, b) = (self.of_a, self.of_b);
        if !a.name.is_empty() {
            found.unequal("material names", &self.subject, &a.name, &b.name);
        }
        found.unequal(Lost::AlphaModes.word(), &self.subject, opacity(a.alpha), opacity(b.alpha));
        found.unequal("double-sidedness", &self.subject, a.double_sided, b.double_sided);
        let shading = |material: &Material| if material.unlit { "unlit" } else { "lit" };
        found.unequal(Lost::UnlitSurfaces.word(), &self.subject, shading(a), shading(b));
        if let (Some(a), Some(b)) = (a.pbr(), b.pbr()) {
            self.pbr(&folded(a, b, self.a), &folded(b, a, self.b), found);
        }
    }

    fn pbr(&self, a: &Pbr, b: &Pbr, found: &mut Found) {
        let with_pixels = self.textures(a, b, found);
        let mut numbers = |slot, what: Lost, a: &[f32], b: &[f32]| {
            if !with_pixels.contains(slot) {
                self.numbers(what.word(), a, b, found);
            }
        };
        numbers("base colour", Lost::BaseColours, &a.base_colour, &b.base_colour);
        let [metal_a, metal_b] = [a, b].map(|m| [m.metallic, m.roughness]);
        numbers("metallic-roughness", Lost::MetalnessAndRoughness, &metal_a, &metal_b);
        let [light_a, light_b] = [a, b].map(|m| m.emissive.map(|channel| channel * m.emissive_strength));
        numbers("emissive", Lost::Emission, &light_a, &light_b);
        // Strengths of maps that are not there have no meaning.
        if a.normal_texture.is_some() && b.normal_texture.is_some() {
            numbers("normal", Lost::TextureStrengths, &[a.normal_scale], &[b.normal_scale]);
        }
        if a.occlusion_texture.is_some() && b.occlusion_texture.is_some() {
            numbers("occlusion", Lost::TextureStrengths, &[a.occlusion_strength], &[b.occlusion_strength]);
        }
    }

    /// Compares all textures; returns the slots whose factors have been compared with their pixels.
    fn textures(&self, a: &Pbr, b: &Pbr, found: &mut Found) -> BTreeSet<&'static str> {
        let mut with_factors = BTreeSet::new();
        let slots = |m: &Pbr| m.textures().map(|(slot, _)| slot).collect::<Vec<_>>().join(", ");
        found.unequal("textures", &self.subject, slots(a), slots(b));
        for (slot, texture) in a.textures() {
            if let Some((_, other)) = b.textures().find(|(other, _)| *other == slot) {
                let shown_a = Shown { scene: self.a, material: self.of_a, pbr: a, texture };
                let shown_b = Shown { scene: self.b, material: self.of_b, pbr: b, texture: other };
                if self.texture(slot, &shown_a, &shown_b, found) {
                    with_factors.insert(slot);
                }
            }
        }
        with_factors
    }

    fn numbers(&self, what: &'static str, a: &[f32], b: &[f32], found: &mut Found) {
        let apart = a.iter().zip(b).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
        if apart > found.tolerance.max(1.0 / 255.0) {
            found.push(what, &self.subject, format!("{a:?}"), format!("{b:?}"), Some(apart));
        }
    }

    /// Whether the factors have been compared with the pixels.
    fn texture(&self, slot: &'static str, a: &Shown<'_>, b: &Shown<'_>, found: &mut Found) -> bool {
        let mut unequal = |what, a: String, b: String| {
            if a != b {
                found.push(what, &self.subject, format!("{slot} {a}"), b, None);
            }
        };
        unequal("texture wrapping", wraps(a.texture.wrap), wraps(b.texture.wrap));
        // A program that is free to choose may choose what the other says.
        if a.texture.filter != Filter::default() {
            unequal("texture filters", filters(a.texture.filter), filters(b.texture.filter));
        }
        if self.faces.is_none() {
            unequal(
                "texture coordinates",
                format!("on set {}", a.texture.uv_set),
                format!("on set {}", b.texture.uv_set),
            );
            unequal("texture transforms", moved(a.texture), moved(b.texture));
        }
        self.place(slot, a.texture, b.texture, found);
        images::compare(slot, &self.subject, a, b, found)
    }

    /// Where the picture lies on the faces that have it.
    fn place(&self, slot: &str, a: &TextureUse, b: &TextureUse, found: &mut Found) {
        let Some((corners, faces)) = self.faces else { return };
        let mut largest = 0.0f32;
        for pair in faces.iter().flat_map(|face| corners.pairs_of(*face)) {
            let ((drawn_a, vertex_a), (drawn_b, vertex_b)) = (pair.a, pair.b);
            let ([u, v], [s, t]) = (placed(a, drawn_a, vertex_a), placed(b, drawn_b, vertex_b));
            largest = largest.max((u - s).abs().max((v - t).abs()));
        }
        if f64::from(largest) > found.tolerance.max(1e-5) {
            let text = format!("up to {largest} of a picture apart");
            found.push("texture coordinates", &self.subject, format!("{slot} texture"), text, Some(largest.into()));
        }
    }
}

/// Where a vertex lies on a picture; at the origin, where it has no coordinates for it.
fn placed(texture: &TextureUse, drawn: &Drawn<'_>, vertex: usize) -> [f32; 2] {
    let set = drawn.primitive.streams.uvs.get(texture.uv_set as usize);
    let [u, v] = set.and_then(|set| set.get(vertex)).copied().unwrap_or([0.0; 2]);
    moved_by(texture.transform, [u, v])
}

/// Coordinates on a picture that is moved so.
pub fn moved_by(transform: Option<UvTransform>, [u, v]: [f32; 2]) -> [f32; 2] {
    let Some(UvTransform { offset: [x, y], rotation, scale: [across, down] }) = transform else { return [u, v] };
    let ((sin, cos), u, v) = (rotation.sin_cos(), u * across, v * down);
    [x + cos * u + sin * v, y - sin * u + cos * v]
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
