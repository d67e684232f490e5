//! Light on a surface: the studio around the model, the key light, and what they make of a material.

pub(crate) mod brdf;
pub(crate) mod studio;

use crate::maths::fifth_below_one;
use crate::shot::Light;
use crate::surface::Surface;
use maquette_scene::glam::Vec3;

/// How much light reaches a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Of the key light, from 0 in its shadow to 1.
    pub key: f32,
    /// Of light from all around, from 0 in a hollow to 1.
    pub around: f32,
}

/// The key light, and how strong all else is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamps {
    /// Towards the key light, of unit length.
    pub towards_key: Vec3,
    /// Its colour and strength.
    pub key: Vec3,
    /// Times the light of the studio.
    pub ambient: f32,
}

/// Slightly warm.
const KEY_COLOUR: Vec3 = Vec3::new(2.25, 2.16, 2.02);

impl Lamps {
    /// Of a shot.
    pub fn new(light: &Light) -> Lamps {
        Lamps {
            towards_key: crate::maths::unit_or(light.towards_key, Vec3::Y),
            key: KEY_COLOUR * light.key.clamp(0.0, 1e6),
            ambient: light.ambient.clamp(0.0, 1e6),
        }
    }

    /// The light that leaves a surface towards the viewer.
    pub(crate) fn shade(&self, surface: &Surface, towards_viewer: Vec3, reach: Reach) -> Vec3 {
        let (normal, view) = (surface.normal, towards_viewer);
        let facing = normal.dot(view).abs().clamp(1e-3, 1.0);
        let roughness = surface.roughness.max(0.045);
        let alpha = roughness * roughness;
        let diffuse = surface.base_colour * (1.0 - surface.metallic);
        let at_normal = Vec3::splat(0.04).lerp(surface.base_colour, surface.metallic);

        let [scale, bias] = brdf::Split::table().look_up(facing, roughness);
        // What is reflected more than once between the facets of rough metals is not lost.
        let once = at_normal * scale + Vec3::splat(bias);
        let albedo = (scale + bias).clamp(0.05, 1.0);
        let reflected = once * (Vec3::ONE + at_normal * (1.0 / albedo - 1.0));

        let around = reach.around.min(surface.occlusion);
        let mirrored = normal * (2.0 * normal.dot(view)) - view;
        // Rough surfaces reflect from nearer their normal.
        let towards = crate::maths::unit_or(mirrored.lerp(normal, alpha * alpha * 0.5), normal);
        // A reflection that would come through the surface comes from its horizon.
        let horizon = (1.0 + 1.3 * towards.dot(surface.flat_normal)).clamp(0.0, 1.0);
        let glimpse = glimpse(facing, around, alpha) * horizon * horizon;
        let ambient = diffuse * (Vec3::ONE - reflected) * studio::irradiance(normal) * around
            + reflected * studio::radiance(towards, alpha) * glimpse;

        let mut light = ambient * self.ambient + surface.emissive;
        let lit = normal.dot(self.towards_key);
        if lit > 0.0 && reach.key > 0.0 {
            let half = crate::maths::unit_or(self.towards_key + view, normal);
            let (facing_half, view_half) = (normal.dot(half).clamp(0.0, 1.0), view.dot(half).clamp(0.0, 1.0));
            let fresnel = at_normal + (Vec3::ONE - at_normal) * fifth_below_one(view_half);
            // The lamp has some size: the mirror of it is never smaller.
            let alpha = alpha.max(0.02);
            let specular = fresnel * (brdf::facets(facing_half, alpha) * brdf::visibility(facing, lit, alpha));
            let body = diffuse * (Vec3::ONE - fresnel) * std::f32::consts::FRAC_1_PI;
            light += (body + specular) * self.key * (lit * reach.key);
        }
        light
    }
}

/// How much of a reflection is left in a hollow: much of a sharp one.
fn glimpse(facing: f32, around: f32, alpha: f32) -> f32 {
    let open = (facing + around) * (facing + around) - 1.0 + around;
    let sharp = open.clamp(0.0, 1.0);
    let rough = around;
    sharp + (rough - sharp) * alpha.sqrt().clamp(0.0, 1.0)
}
