//! What is drawn besides the model: floor, axes, bounds and bones, as lines in the scene.

use crate::bounds::Bounds;
use crate::lines::Pen;
use crate::shot::{Background, Overlays};
use maquette_scene::glam::Vec3;

/// What is seen on a background: light on what is dark, dark on what is light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Light,
    Dark,
}

impl Ink {
    pub fn on(background: Background) -> Ink {
        match background {
            Background::Colour([r, g, b]) if r + g + b < 1.5 => Ink::Light,
            Background::Colour(_) | Background::Transparent => Ink::Dark,
        }
    }

    /// So far from black or white.
    pub fn grey(self, away: f32) -> [f32; 3] {
        match self {
            Ink::Light => [1.0 - away; 3],
            Ink::Dark => [away; 3],
        }
    }
}

/// Lines in the scene with the number of their pen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// From where to where, and by which pen; later ones over earlier ones.
    pub segments: Vec<([Vec3; 2], u32)>,
    /// What they are drawn with.
    pub pens: Vec<Pen>,
}

impl Drawing {
    pub(crate) fn add(&mut self, pen: Pen, lines: impl IntoIterator<Item = [Vec3; 2]>) {
        let number = self.pens.len() as u32;
        self.pens.push(pen);
        self.segments.extend(lines.into_iter().map(|line| (line, number)));
    }

    /// With colours in sRGB; bones are asked for where they are drawn.
    pub(crate) fn overlays(
        &mut self,
        bones: impl FnOnce() -> Vec<[Vec3; 2]>,
        bounds: Option<Bounds>,
        overlays: Overlays,
        ink: Ink,
    ) {
        let bounds = bounds.unwrap_or(Bounds::UNIT);
        let radius = bounds.radius();
        if overlays.grid {
            let [fine, coarse] = grid(&bounds, radius);
            self.add(pen(ink.grey(0.3), 0.35, 0.12, 1.0), fine);
            self.add(pen(ink.grey(0.3), 0.7, 0.2, 1.0), coarse);
        }
        if overlays.axes {
            for (axis, colour) in
                [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip([[0.86, 0.2, 0.2], [0.25, 0.65, 0.2], [0.2, 0.4, 0.9]])
            {
                self.add(pen(colour, 0.95, 0.35, 2.0), [[Vec3::ZERO, axis * radius]]);
            }
        }
        if overlays.bounds {
            self.add(pen([0.95, 0.55, 0.1], 0.9, 0.25, 1.0), edges(&bounds));
        }
        if overlays.skeleton {
            self.add(pen([0.0, 0.42, 0.62], 0.95, 0.6, 1.3), bones());
        }
    }
}

pub(crate) fn pen([r, g, b]: [f32; 3], opacity: f32, hidden: f32, width: f32) -> Pen {
    Pen { colour: Vec3::new(r, g, b), opacity, hidden, width }
}

/// The twelve edges of a box.
fn edges(bounds: &Bounds) -> Vec<[Vec3; 2]> {
    let corner = |bits: u32| {
        let pick = |bit: u32, min: f32, max: f32| if bits >> bit & 1 == 0 { min } else { max };
        let (min, max) = (bounds.min, bounds.max);
        Vec3::new(pick(0, min.x, max.x), pick(1, min.y, max.y), pick(2, min.z, max.z))
    };
    let mut edges = Vec::new();
    for bits in 0..8 {
        for axis in (0..3).filter(|axis| bits >> axis & 1 == 0) {
            edges.push([corner(bits), corner(bits | 1 << axis)]);
        }
    }
    edges
}

/// 1, 2 or 5 times a power of ten, about a tenth of a length.
fn spacing(length: f32) -> f64 {
    // A little more: powers are not exact.
    let wanted = f64::from(length) / 10.0 * (1.0 + 1e-9);
    let mut power = 1e-38;
    while power * 10.0 <= wanted {
        power *= 10.0;
    }
    [5.0, 2.0, 1.0].into_iter().map(|times| times * power).find(|step| *step <= wanted).unwrap_or(power)
}

/// Lines on the floor below a box, and every tenth of them by itself.
fn grid(bounds: &Bounds, radius: f32) -> [Vec<[Vec3; 2]>; 2] {
    let step = spacing(radius * 2.0);
    let (centre, floor) = (bounds.centre(), bounds.min.y);
    let lines = 12_i32;
    // Through whole multiples of the step, however far from the origin.
    let middle = |along: f32| libm::round(f64::from(along) / step);
    let (x, z) = (middle(centre.x), middle(centre.z));
    let reach = step * f64::from(lines);
    let mut lists = [Vec::new(), Vec::new()];
    for line in -lines..=lines {
        let at = |middle: f64| ((middle + f64::from(line)) * step) as f32;
        let is_tenth = |middle: f64| libm::fmod(middle + f64::from(line), 10.0) == 0.0;
        let [low, high] = [-reach, reach].map(|reach| move |middle: f64| (middle * step + reach) as f32);
        let [fine, coarse] = &mut lists;
        let along_z = [Vec3::new(at(x), floor, low(z)), Vec3::new(at(x), floor, high(z))];
        let along_x = [Vec3::new(low(x), floor, at(z)), Vec3::new(high(x), floor, at(z))];
        if is_tenth(x) { &mut *coarse } else { &mut *fine }.push(along_z);
        if is_tenth(z) { coarse } else { fine }.push(along_x);
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_one_two_or_five_times_a_power_of_ten() {
        for (length, step) in [(20.0, 2.0), (10.0, 1.0), (0.09, 0.005), (7_000.0, 500.0), (1e30, 1e29)] {
            assert!((spacing(length) / step - 1.0).abs() < 1e-6, "{length} {}", spacing(length));
        }
    }

    #[test]
    fn a_box_has_twelve_edges() {
        let edges = edges(&Bounds { min: Vec3::ZERO, max: Vec3::ONE });
        assert_eq!(edges.len(), 12);
        assert!(edges.iter().all(|[from, to]| (*to - *from).length() == 1.0));
    }
}
