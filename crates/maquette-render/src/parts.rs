//! What pictures are made of, for renderers besides this one: parts, materials and textures, where everything is drawn, lines and their pens, and the numbers of light.
//!
//! Whoever draws the same picture by other means takes all of it from here and decides nothing again. Lengths are those of [`Studio`], in which a model is two units across.

pub use crate::light::Lamps;
pub use crate::lines::Pen;
pub use crate::overlay::Drawing;
pub use crate::plan::{HollowsMap, Plan};
pub use crate::posed::{Facing, PosedPart};
pub use crate::raster::{Kind, Lens, LensKind, Studio, Style};
pub use crate::shade::Encoding;
pub use crate::stage::{Level, Magnify, Material, NormalChannels, Part, Sampler, Texture, Values};

use crate::bounds::Bounds;
use crate::mode::Mode;
use crate::overlay::{self, Ink};
use crate::posed::Posed;
use crate::shot::{Background, Shot};
use crate::stage::Stage;
use crate::{hollows, light, lines, plan, raster, shade, shadow, stage};
use maquette_scene::glam::Vec3;
use maquette_scene::mesh::Influences;

/// What a stage draws, in order.
pub fn of_stage<'a, 's>(stage: &'a Stage<'s>) -> &'a [Part<'s>] {
    &stage.parts
}

/// What is drawn at a moment, in the same order; bones last, where there is nothing else.
pub fn of_posed<'a, 's>(posed: &'a Posed<'s>) -> &'a [PosedPart<'s>] {
    &posed.parts
}

/// The vertices of a part, in the scene.
pub fn vertices<'a>(posed: &'a Posed<'_>, part: &PosedPart<'_>) -> &'a [Vec3] {
    posed.vertices(part)
}

/// The edges of the bones at a moment, in the scene.
pub fn bones(posed: &Posed<'_>) -> Vec<[Vec3; 2]> {
    posed.skeleton().edges()
}

/// The materials of a stage, glTF's default one last.
pub fn materials<'a>(stage: &'a Stage<'_>) -> &'a [Material] {
    &stage.materials
}

/// The textures of a stage, by the places that samplers name; `None` for those that could not be decoded.
pub fn textures<'a>(stage: &'a Stage<'_>) -> &'a [Option<Texture>] {
    &stage.textures
}

/// What bones of a scene without geometry are made of.
pub fn bone() -> Material {
    plan::bone()
}

/// How a material is drawn in a mode.
pub fn style(mode: Mode, material: &Material) -> Style {
    plan::style(mode, material)
}

/// How a material casts shadows in a mode; `None` where it does not.
pub fn casts(mode: Mode, material: &Material) -> Option<Style> {
    plan::casts(mode, material)
}

/// The opacity below which [`Kind::Mask`] is not there.
pub fn least_opacity(material: &Material) -> f32 {
    plan::least_opacity(material)
}

/// How the key light sees the model: everything within [`SHADOW_SEEN`].
pub fn shadow_lens(towards_key: Vec3, side: u32) -> Lens {
    shadow::lens(towards_key, side)
}

/// The colour of a vertex by its joints: which they are in [`Mode::Weights`], else how many.
pub fn influence_colour(mode: Mode, influences: Option<&Influences>, vertex: usize) -> Vec3 {
    influences.map_or(UNKNOWN, |influences| shade::influence_colour(mode, influences, vertex))
}

/// The pen of lines of the scene.
pub fn line_pen(encoding: Encoding, material: &Material) -> Pen {
    Pen { colour: encoding.of_linear(material.base_colour), opacity: 1.0, hidden: 0.0, width: 1.5 }
}

/// The pen of the edges of triangles. Of those that meet in a pixel, the one that covers most counts.
pub fn wire_pen(encoding: Encoding, background: Background) -> Pen {
    encoded(encoding, overlay::pen(Ink::on(background).grey(0.1), 0.85, 0.12, 0.9))
}

/// A pen with a colour in sRGB as one with a colour of the picture before it is encoded.
pub fn encoded(encoding: Encoding, pen: Pen) -> Pen {
    Pen { colour: encoding.of_srgb(pen.colour), ..pen }
}

/// Floor, axes, box and bones, as far as a shot asks for them, in the scene.
pub fn overlays(shot: &Shot, bounds: Option<Bounds>, bones: impl FnOnce() -> Vec<[Vec3; 2]>) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.overlays(bones, bounds, shot.overlays, Ink::on(shot.background));
    let encoding = Encoding::of(shot.mode, shot.tone_map);
    drawing.pens = drawing.pens.into_iter().map(|pen| encoded(encoding, pen)).collect();
    drawing
}

/// What nothing is known of: vertices without joints, surfaces without texture.
pub const UNKNOWN: Vec3 = shade::UNBOUND;

/// Colours from few to many, evenly spaced.
pub const HEAT: [Vec3; 6] = shade::HEAT;

/// Places along the longer side of what a pixel covers of a texture, at most.
pub const MOST_TEXTURE_TAPS: f32 = stage::MOST_TAPS;

/// How far from the middle of the picture ends of lines may be, in pixels.
pub const GUARD: f32 = raster::GUARD;

/// Lines with an end further away than this, in pixels, are not drawn.
pub const FURTHEST_LINE: f32 = lines::FURTHEST;

/// By how much lines are nearer than they are: the depth with perspective times this.
pub const NEARER_TIMES: f32 = raster::NEARER_TIMES;

/// And without perspective, this much.
pub const NEARER_BY: f32 = raster::NEARER_BY;

/// The side of what [`shadow_lens`] sees.
pub const SHADOW_SEEN: f32 = shadow::SEEN;

/// The widest edge of a shadow, from its middle.
pub const SHADOW_WIDEST: f32 = shadow::WIDEST;

/// How fast edges of shadows widen with the distance to what casts them.
pub const SHADOW_SPREAD: f32 = shadow::SPREAD;

/// Places in a disc, along a spiral: where shadows are looked for.
pub fn shadow_disc() -> &'static [[f32; 2]] {
    &*shadow::DISC
}

/// How far is looked for what makes a hollow.
pub const HOLLOWS_RADIUS: f32 = hollows::RADIUS;

/// And at most, in pixels.
pub const HOLLOWS_MOST_PIXELS: f32 = hollows::MOST_PIXELS;

/// How dark hollows are.
pub const HOLLOWS_STRENGTH: f32 = hollows::STRENGTH;

/// Where is looked for what makes a hollow: for each pixel of a square of four by four, row by row.
pub fn hollows_turns() -> Vec<[[f32; 2]; hollows::TAPS]> {
    hollows::ORDER.iter().filter_map(|turn| hollows::TURNS.get(*turn).copied()).collect()
}

/// How much of all light is reflected, as what the colour at normal is multiplied with and what is added to it: rows by roughness, columns by facing, both from 0 to 1.
pub fn reflected() -> &'static [[f32; 2]] {
    &light::brdf::Split::table().values
}

/// Rows and columns of [`reflected`].
pub const REFLECTED_SIDE: usize = light::brdf::SIDE;

/// A lamp of the studio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudioLamp {
    /// Of unit length.
    pub towards: Vec3,
    /// Smaller for larger lamps.
    pub sharpness: f32,
    /// Of its middle.
    pub colour: Vec3,
}

/// The lamps of the studio.
pub fn studio_lamps() -> impl Iterator<Item = StudioLamp> {
    let lamp = |lamp: &light::studio::Lamp| StudioLamp {
        towards: lamp.towards,
        sharpness: lamp.sharpness,
        colour: lamp.colour,
    };
    light::studio::LAMPS.iter().map(lamp)
}

/// The sky, the horizon and the floor of the studio.
pub const STUDIO_WALLS: [Vec3; 3] = [light::studio::SKY, light::studio::HORIZON, light::studio::FLOOR];
