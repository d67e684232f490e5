//! How models are shown: everything of a picture but the model and where it is seen from.

use maquette::scene::glam::Vec3;
use maquette_gpu::Passes;
use maquette_render::{Background, Camera, Hollows, Light, Mode, Overlays, Samples, Shadow, Shot, ToneMap};

/// How models are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// What of the model is shown.
    pub mode: Mode,
    /// What is drawn besides it.
    pub overlays: Overlays,
    /// How light becomes colours.
    pub tone_map: ToneMap,
    /// Stops of exposure; each is twice the light.
    pub stops: f32,
    /// What is behind the model; `None` for the colour that goes with the theme.
    pub background: Option<[f32; 3]>,
    /// Where the key light is, around the model from its front to its left, in radians.
    pub key_yaw: f32,
    /// And how high.
    pub key_pitch: f32,
    /// How bright the key light is.
    pub key: f32,
    /// How bright all else is.
    pub ambient: f32,
    /// Whether the key light casts shadows.
    pub shadow: Shadow,
    /// Whether hollows are darker.
    pub hollows: Hollows,
    /// Which surfaces are drawn.
    pub passes: Passes,
}

impl Default for Look {
    fn default() -> Look {
        let [key_yaw, key_pitch] = angles(Light::default().towards_key);
        Look {
            mode: Mode::default(),
            overlays: Overlays::default(),
            tone_map: ToneMap::default(),
            stops: 0.0,
            background: None,
            key_yaw,
            key_pitch,
            key: 1.0,
            ambient: 1.0,
            shadow: Shadow::default(),
            hollows: Hollows::default(),
            passes: Passes::default(),
        }
    }
}

/// Around and upwards, of a direction.
fn angles(towards: Vec3) -> [f32; 2] {
    [towards.x.atan2(towards.z), towards.y.atan2(towards.x.hypot(towards.z))]
}

impl Look {
    /// Where the key light comes from.
    pub fn towards_key(&self) -> Vec3 {
        let (sin, cos) = self.key_yaw.sin_cos();
        let (up, along) = self.key_pitch.sin_cos();
        Vec3::new(sin * along, up, cos * along)
    }

    /// The picture that is to be drawn.
    pub fn shot(&self, camera: Camera, size: [u32; 2]) -> Shot {
        Shot {
            size,
            camera,
            mode: self.mode,
            overlays: self.overlays,
            tone_map: self.tone_map,
            exposure: Shot::exposure_of_stops(self.stops),
            background: self.background.map_or_else(Background::default, Background::Colour),
            light: Light {
                towards_key: self.towards_key(),
                key: self.key,
                ambient: self.ambient,
                shadow: self.shadow,
                hollows: self.hollows,
            },
            samples: Samples::Four,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_look_is_that_of_pictures() {
        let shot = Look::default().shot(Camera::default(), [512, 512]);
        let usual = Shot::default();
        let towards = usual.light.towards_key.normalize();
        assert!((shot.light.towards_key - towards).length() < 1e-6);
        assert_eq!(Shot { light: usual.light, ..shot }, usual);
    }
}
