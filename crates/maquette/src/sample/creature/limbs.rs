//! Legs, feet and toes.

use super::body;
use super::maths::{circle, smooth, spline};
use super::skeleton::Joint;
use super::surface::{Part, Patch, Place, Window};
use maquette_scene::glam::DVec3;

/// A leg of the left side: where its middle is, and how thick it is there.
pub struct Leg {
    keys: [[f64; 4]; 8],
    /// Upper part, lower part, foot.
    joints: [Joint; 3],
    pub patch: Patch,
}

const fn patch(left: f64, right: f64) -> Patch {
    Patch { columns: 10, rows: 9, window: Window { from: [left, 0.72], to: [right, 0.87] } }
}

pub const FRONT: Leg = Leg {
    keys: [
        [0.070, 0.270, 0.010, 0.085],
        [0.150, 0.255, 0.025, 0.082],
        [0.235, 0.203, 0.035, 0.066],
        [0.264, 0.130, 0.045, 0.054],
        [0.272, 0.072, 0.068, 0.056],
        [0.276, 0.040, 0.100, 0.060],
        [0.279, 0.032, 0.135, 0.046],
        [0.280, 0.030, 0.152, 0.000],
    ],
    joints: [Joint::UpperArmL, Joint::LowerArmL, Joint::HandL],
    patch: patch(0.02, 0.48),
};

pub const HIND: Leg = Leg {
    keys: [
        [0.060, 0.275, -0.275, 0.090],
        [0.145, 0.262, -0.290, 0.092],
        [0.232, 0.207, -0.297, 0.074],
        [0.264, 0.132, -0.307, 0.058],
        [0.275, 0.072, -0.290, 0.058],
        [0.279, 0.040, -0.257, 0.062],
        [0.282, 0.032, -0.222, 0.047],
        [0.283, 0.030, -0.205, 0.000],
    ],
    joints: [Joint::UpperLegL, Joint::LowerLegL, Joint::FootL],
    patch: patch(0.52, 0.98),
};

pub const TOE: Patch = Patch { columns: 6, rows: 4, window: Window { from: [0.03, 0.90], to: [0.22, 0.98] } };

pub fn part() -> Part {
    [FRONT, HIND].iter().fold(Part::default(), |all, leg| all.and(leg.part())).on_both_sides()
}

impl Leg {
    fn part(&self) -> Part {
        let [upper, lower, foot] = self.joints;
        let weights = |(_, v): Place, at: DVec3| {
            let along = v * 7.0;
            let [began, bent, ankle] = [smooth(0.0, 1.3, along), smooth(1.55, 2.85, along), smooth(3.6, 4.9, along)];
            let mut weights = body::trunk(at.z);
            weights.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - began);
            weights.extend([(upper, began - bent), (lower, bent - ankle), (foot, ankle)]);
            weights
        };
        let toes = (-1..=1).map(|toe| TOE.part(|place| self.toe(f64::from(toe), place), |_, _| vec![(foot, 1.0)]));
        toes.fold(self.patch.part(|place| self.point(place), weights), Part::and)
    }

    /// Around the leg and down to the foot, which is flat where it stands.
    pub fn point(&self, (u, v): Place) -> DVec3 {
        let at = v * 7.0;
        let place = |at: f64| {
            let [x, y, z, _] = spline(&self.keys, at);
            DVec3::new(x, y, z)
        };
        let [.., thick] = spline(&self.keys, at);
        let along = (place(at + 0.2) - place(at - 0.2)).normalize_or(DVec3::NEG_Y);
        let across = along.cross(DVec3::Z).normalize_or(DVec3::X);
        let (sin, cos) = circle(u);
        let far = thick.max(0.0);
        on_the_ground(place(at) + (across * cos + across.cross(along) * sin) * far)
    }

    /// One of three toes, in a fan.
    pub fn toe(&self, which: f64, (u, v): Place) -> DVec3 {
        let [x, _, z, _] = spline(&self.keys, 6.4);
        let (sin, cos) = libm::sincos(0.55 * which + 0.12);
        let (forward, side) = (DVec3::new(sin, 0.0, cos), DVec3::new(cos, 0.0, -sin));
        let middle = DVec3::new(x, 0.018, z - 0.028) + forward * (0.047 - 0.006 * which * which);
        let (across, along) = libm::sincos(std::f64::consts::PI * v);
        let (sin, cos) = circle(u);
        let across = if v == 0.0 || v == 1.0 { 0.0 } else { across };
        on_the_ground(
            middle - forward * (0.034 * along) - side * (0.019 * across * sin) - DVec3::Y * (0.021 * across * cos),
        )
    }
}

/// Nothing is below the ground.
fn on_the_ground(at: DVec3) -> DVec3 {
    DVec3::new(at.x, at.y.max(0.0), at.z)
}
