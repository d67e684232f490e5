//! A material: its factors, how it is drawn, and its textures, with what each of their channels is.

use super::image::thumbs::{Thumb, Thumbs};
use super::numbers::{number, numbers};
use super::page::{Done, Page, fact, heading, row, sentence};
use super::uses::Uses;
use crate::state::selection::Thing;
use crate::ui::kept::kept;
use crate::ui::things;
use eframe::egui::{Button, Color32, CornerRadius, Id, Image as Picture, Rgba, Sense, Ui, Vec2, vec2};
use maquette::scene::Handle;
use maquette::scene::image::Image;
use maquette::scene::material::{AlphaMode, Filter, Material, PackedTexture, Pbr, Surface, TextureUse, Wrap};

/// The side of small pictures, in points.
const THUMB: f32 = 64.0;

/// Shows a material.
pub fn show(ui: &mut Ui, page: &mut Page<'_>, handle: Handle<Material>, id: Id) {
    let Some(material) = page.scene.materials.get(handle) else { return };
    let alpha = match material.alpha {
        AlphaMode::Opaque => "opaque".to_owned(),
        AlphaMode::Mask(least) => format!("cut out, drawn from {} on", number(least)),
        AlphaMode::Blend => "blended with what is behind".to_owned(),
    };
    fact(ui, "Alpha", &alpha);
    for (label, is) in [("Double-sided", material.double_sided), ("Unlit", material.unlit)] {
        fact(ui, label, if is { "yes" } else { "no" });
    }
    match &material.surface {
        Surface::Pbr(pbr) => {
            factors(ui, pbr);
            for (slot, texture) in pbr.textures() {
                ui.push_id(slot, |ui| texture_use(ui, page, slot, texture, id));
            }
        }
        Surface::Packed(maps) => {
            sentence(ui, "Surface", "packed maps: three images with every factor multiplied in");
            for (slot, texture) in maps.textures() {
                ui.push_id(slot, |ui| packed(ui, page, slot, texture, id));
            }
        }
    }
    let kept = kept::<Uses>(ui.ctx(), id);
    let uses = &mut *kept.lock();
    uses.update(page.scene, Thing::Material(handle));
    page.links(ui, "Used by", &uses.users);
    page.extras(ui, &material.extras);
}

fn factors(ui: &mut Ui, pbr: &Pbr) {
    heading(ui, "Factors");
    let [r, g, b, _] = pbr.base_colour;
    swatch(ui, "Base colour", &pbr.base_colour, [r, g, b]);
    fact(ui, "Metallic", &number(pbr.metallic));
    fact(ui, "Roughness", &number(pbr.roughness));
    swatch(ui, "Emissive", &pbr.emissive, pbr.emissive);
    fact(ui, "Emissive strength", &number(pbr.emissive_strength));
    fact(ui, "Normal scale", &number(pbr.normal_scale));
    fact(ui, "Occlusion", &number(pbr.occlusion_strength));
}

/// Numbers, and the colour they are.
fn swatch(ui: &mut Ui, label: &str, values: &[f32], [r, g, b]: [f32; 3]) {
    row(ui, label, |ui| {
        let side = ui.spacing().interact_size.y - 4.0;
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
        let [r, g, b] = [r, g, b].map(|part| if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 });
        let colour = Color32::from(Rgba::from_rgb(r, g, b));
        ui.painter().rect_filled(rect, 2.0, colour);
        ui.label(numbers(values));
    });
}

/// What the channels of a slot are.
fn channels(slot: &str) -> &'static str {
    match slot {
        "base colour" => "red, green and blue are the colour in sRGB, alpha is opacity",
        "metallic-roughness" => "green is roughness, blue is metalness",
        "normal" => "red, green and blue are x, y and z in tangent space, green up",
        "occlusion" => "red is occlusion",
        "emissive" => "red, green and blue are the colour in sRGB",
        _ => "",
    }
}

/// What the channels of a packed map are.
fn packed_channels(slot: &str) -> &'static str {
    match slot {
        "base colour" => "red, green and blue are the colour as linear light, alpha is opacity",
        "normal" => "red and green are x and y in tangent space, green up; z follows from them",
        "packed" => {
            "red is roughness, green is occlusion, blue is metalness, alpha is emission as a part of the base colour"
        }
        _ => "",
    }
}

fn texture_use(ui: &mut Ui, page: &mut Page<'_>, slot: &str, texture: &TextureUse, id: Id) {
    heading(ui, &format!("Texture: {slot}"));
    pictured(ui, page, slot, texture.image, id, |ui, page| {
        page.link(ui, Thing::Image(texture.image));
        ui.label(format!("uv set {}", texture.uv_set));
        ui.label(wrap(texture.wrap));
        ui.label(filter(texture.filter));
    });
    sentence(ui, "Channels", channels(slot));
    if let Some(transform) = texture.transform {
        fact(ui, "Offset", &numbers(&transform.offset));
        fact(ui, "Turned", &format!("{}°", number(transform.rotation.to_degrees())));
        fact(ui, "Scale", &numbers(&transform.scale));
    }
}

fn packed(ui: &mut Ui, page: &mut Page<'_>, slot: &str, texture: &PackedTexture, id: Id) {
    heading(ui, &format!("Map: {slot}"));
    pictured(ui, page, slot, texture.image, id, |ui, page| {
        page.link(ui, Thing::Image(texture.image));
        ui.label("uv set 0");
        ui.label(wrap(texture.wrap));
    });
    sentence(ui, "Channels", packed_channels(slot));
}

/// A small picture that leads to the image, with words beside it.
fn pictured(
    ui: &mut Ui,
    page: &mut Page<'_>,
    slot: &str,
    image: Handle<Image>,
    id: Id,
    words: impl FnOnce(&mut Ui, &mut Page<'_>),
) {
    let kept = kept::<Thumbs>(ui.ctx(), id);
    let thumb = kept.lock().get(page.scene, image, ui.ctx());
    ui.horizontal_top(|ui| {
        let size = vec2(THUMB, THUMB);
        let button = match &thumb {
            Thumb::There(texture) => {
                let picture = Picture::from_texture((texture.id(), texture.size_vec2())).fit_to_exact_size(size);
                Button::image(picture)
            }
            Thumb::Coming => Button::new("…"),
            Thumb::Failed(_) => Button::new("no picture"),
        };
        let response = ui.add_sized(size, button.corner_radius(CornerRadius::ZERO));
        let response = response.accessible_name(format!("Select the image of {slot}"));
        if response.clicked() {
            page.done = Some(Done::Choose(Thing::Image(image)));
        }
        if let Thumb::Failed(why) = &thumb {
            response.on_hover_text(things::hint(why));
        }
        ui.vertical(|ui| words(ui, page));
    });
}

fn wrap([u, v]: [Wrap; 2]) -> String {
    let word = |wrap: Wrap| match wrap {
        Wrap::Repeat => "repeats",
        Wrap::Mirror => "mirrors",
        Wrap::Clamp => "clamps",
    };
    if u == v { format!("{} along u and v", word(u)) } else { format!("{} along u, {} along v", word(u), word(v)) }
}

fn filter(filter: Filter) -> String {
    let word = |number: Option<u32>| match number {
        None => "any".to_owned(),
        Some(9728) => "nearest".to_owned(),
        Some(9729) => "linear".to_owned(),
        Some(9984) => "nearest of the nearest level".to_owned(),
        Some(9985) => "linear of the nearest level".to_owned(),
        Some(9986) => "nearest between levels".to_owned(),
        Some(9987) => "linear between levels".to_owned(),
        Some(other) => other.to_string(),
    };
    match (filter.magnify, filter.minify) {
        (None, None) => "any filter".to_owned(),
        (magnify, minify) => format!("enlarged: {}; reduced: {}", word(magnify), word(minify)),
    }
}
