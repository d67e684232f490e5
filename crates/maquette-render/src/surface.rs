//! What a surface is made of at a place: colour, normal, roughness and all else that light asks for.

use crate::maths::{mix, unit_or};
use crate::stage::{Footprint, NormalChannels, Sampler, Stage};
use crate::triangle::{Shares, Triangle};
use maquette_scene::glam::Vec3;

/// A place on a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub base_colour: Vec3,
    pub opacity: f32,
    /// Towards the viewer's side.
    pub normal: Vec3,
    /// Of the triangle itself, towards the viewer's side.
    pub flat_normal: Vec3,
    pub roughness: f32,
    pub metallic: f32,
    pub occlusion: f32,
    pub emissive: Vec3,
}

/// Normal, tangent and bitangent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    pub normal: Vec3,
    pub tangent: Vec3,
    pub bitangent: Vec3,
}

/// Looks textures up, each set of coordinates once.
struct Lookup<'a> {
    stage: &'a Stage<'a>,
    triangle: &'a Triangle<'a>,
    shares: &'a Shares,
    first_set: Footprint,
}

impl Lookup<'_> {
    fn sample(&self, sampler: &Option<Sampler>) -> Option<[f32; 4]> {
        let sampler = sampler.as_ref()?;
        let texture = self.stage.textures.get(sampler.texture)?.as_ref()?;
        let other;
        let footprint = if sampler.uv_set == 0 {
            &self.first_set
        } else {
            other = self.triangle.footprint(self.shares, sampler.uv_set);
            &other
        };
        Some(texture.sample(sampler, footprint))
    }

    /// Base colour and opacity.
    fn base(&self) -> [f32; 4] {
        let material = self.triangle.material;
        let mut base = material.base_colour;
        let mut multiply = |other: [f32; 4]| base.iter_mut().zip(other).for_each(|(base, other)| *base *= other);
        self.sample(&material.base_texture).into_iter().for_each(&mut multiply);
        self.triangle.vertex_colour(self.shares).into_iter().for_each(&mut multiply);
        base
    }
}

/// The corners of a triangle, in the space in which everything is drawn.
pub(crate) fn corners(triangle: &Triangle<'_>, places: &[Vec3]) -> [Vec3; 3] {
    triangle.corners.map(|corner| crate::maths::at(places, triangle.part.first_vertex + corner))
}

/// The normal of the triangle itself, of its front.
pub(crate) fn flat_normal(triangle: &Triangle<'_>, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let normal = unit_or((b - a).cross(c - a), Vec3::Z);
    if triangle.part.facing == crate::posed::Facing::Clockwise { -normal } else { normal }
}

/// The axes of vertices at a place; tangents that are not there follow from the coordinates that a normal map uses.
pub(crate) fn axes(triangle: &Triangle<'_>, shares: &Shares, corners: [Vec3; 3], set: usize) -> Axes {
    let flat = flat_normal(triangle, corners);
    let part = triangle.part;
    let normal = match part.normals.is_empty() {
        true => flat,
        false => {
            let normals = triangle.corners.map(|corner| crate::maths::at(&part.normals, corner));
            unit_or(triangle.mix3(shares.here, normals), flat)
        }
    };
    let stored = (!part.tangents.is_empty()).then(|| {
        let tangents = triangle.corners.map(|corner| crate::maths::at(&part.tangents, corner));
        let direction = triangle.mix3(shares.here, tangents.map(|[x, y, z, _]| Vec3::new(x, y, z)));
        let sign: f32 = tangents.iter().zip(shares.here).fold(0.0, |sum, (tangent, share)| sum + tangent[3] * share);
        (direction, if sign < 0.0 { -1.0 } else { 1.0 })
    });
    let made = || {
        let [a, b, c] = corners;
        let [p, q, r] = triangle.uvs(set)?;
        let (u1, v1, u2, v2) = (q[0] - p[0], q[1] - p[1], r[0] - p[0], r[1] - p[1]);
        let area = u1 * v2 - u2 * v1;
        let direction = ((b - a) * v2 - (c - a) * v1) * if area < 0.0 { -1.0 } else { 1.0 };
        // Green points up, V down: a map that is not mirrored has its bitangent against V.
        let mirrored = triangle.part.facing == crate::posed::Facing::Clockwise;
        let sign = if (area < 0.0) == mirrored { -1.0 } else { 1.0 };
        (area != 0.0).then_some((direction, sign))
    };
    let (direction, sign) = stored.or_else(made).unwrap_or((Vec3::ZERO, 1.0));
    let across = if normal.x.abs() < 0.9 { Vec3::X } else { Vec3::Y };
    let otherwise = unit_or(across - normal * normal.dot(across), Vec3::X);
    let tangent = unit_or(direction - normal * normal.dot(direction), otherwise);
    Axes { normal, tangent, bitangent: normal.cross(tangent) * sign }
}

/// Base colour and opacity at a place.
pub(crate) fn base_colour(stage: &Stage<'_>, triangle: &Triangle<'_>, shares: &Shares) -> (Vec3, f32) {
    let first_set = triangle.footprint(shares, 0);
    let [r, g, b, opacity] = Lookup { stage, triangle, shares, first_set }.base();
    (Vec3::new(r, g, b), opacity.clamp(0.0, 1.0))
}

/// Everything at a place.
pub(crate) fn surface(stage: &Stage<'_>, triangle: &Triangle<'_>, shares: &Shares, places: &[Vec3]) -> Surface {
    let material = triangle.material;
    let first_set = triangle.footprint(shares, 0);
    let lookup = Lookup { stage, triangle, shares, first_set };
    let base = lookup.base();
    let base_colour = Vec3::new(base[0], base[1], base[2]);

    let corners = corners(triangle, places);
    let set = material.normal_texture.as_ref().map_or(0, |sampler| sampler.uv_set);
    let axes = axes(triangle, shares, corners, set);
    let mut normal = axes.normal;
    if let Some([r, g, b, _]) = lookup.sample(&material.normal_texture) {
        let [x, y] = [r, g].map(|byte| byte * (255.0 / 127.5) - 1.0);
        let z = match material.normal_channels {
            NormalChannels::Three => b * (255.0 / 127.5) - 1.0,
            NormalChannels::Two => (1.0 - x * x - y * y).max(0.0).sqrt(),
        };
        let (x, y) = (x * material.normal_scale, y * material.normal_scale);
        normal = unit_or(axes.tangent * x + axes.bitangent * y + axes.normal * z, axes.normal);
    }
    let flat = flat_normal(triangle, corners);
    let turned = if triangle.is_front { 1.0 } else { -1.0 };

    let mut emissive = Vec3::from(material.emissive);
    let (mut roughness, mut metallic, mut occlusion) = (material.roughness, material.metallic, 1.0);
    if let Some([_, g, b, _]) = lookup.sample(&material.metallic_roughness_texture) {
        roughness *= g;
        metallic *= b;
    }
    if let Some([r, ..]) = lookup.sample(&material.occlusion_texture) {
        occlusion = mix(1.0, r, material.occlusion_strength);
    }
    if let Some([r, g, b, _]) = lookup.sample(&material.emissive_texture) {
        emissive *= Vec3::new(r, g, b);
    }
    if let Some([r, g, b, a]) = lookup.sample(&material.packed_texture) {
        (roughness, occlusion, metallic, emissive) = (r, g, b, base_colour * a);
    }
    Surface {
        base_colour,
        opacity: base[3].clamp(0.0, 1.0),
        normal: normal * turned,
        flat_normal: flat * turned,
        roughness: roughness.clamp(0.0, 1.0),
        metallic: metallic.clamp(0.0, 1.0),
        occlusion: occlusion.clamp(0.0, 1.0),
        emissive,
    }
}
