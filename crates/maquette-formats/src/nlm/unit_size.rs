//! How the engine brings models to unit size, and back.
//!
//! Positions of a model without animation are centred on its bounding box and divided by its longest side. A model with
//! animation keeps its positions, and the same shift and scale are multiplied into the matrix of its root.

use crate::summary::Bounds;
use maquette_scene::glam::{Mat4, Vec3};

/// The shift and the scale that a bounding box asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitSize {
    centre: [f64; 3],
    longest: f64,
}

/// How far from the origin the centre of a normalised model may come to lie.
const CENTRE_TOLERANCE: f32 = 1e-3;

impl UnitSize {
    /// Of this box; nothing for one that is not finite or has no extent.
    pub fn of([min, max]: [[f32; 3]; 2]) -> Option<UnitSize> {
        let [min, max] = [min, max].map(|corner| corner.map(f64::from));
        let longest = min.iter().zip(max).map(|(min, max)| max - min).fold(0.0, f64::max);
        let [[ax, ay, az], [bx, by, bz]] = [min, max];
        let centre = [(ax + bx) / 2.0, (ay + by) / 2.0, (az + bz) / 2.0];
        let sound = longest > 0.0 && longest.is_finite() && centre.iter().all(|x| x.is_finite());
        sound.then_some(UnitSize { centre, longest })
    }

    /// Whether it leaves everything as it is.
    pub fn is_nothing(&self) -> bool {
        self.longest == 1.0 && self.centre == [0.0; 3]
    }

    /// A position of the original model in one of unit size.
    pub fn normalise(&self, position: [f32; 3]) -> [f32; 3] {
        self.each(position, |x, centre| (x - centre) / self.longest)
    }

    /// The other way round.
    pub fn restore(&self, position: [f32; 3]) -> [f32; 3] {
        self.each(position, |x, centre| x * self.longest + centre)
    }

    fn each(&self, [x, y, z]: [f32; 3], change: impl Fn(f64, f64) -> f64) -> [f32; 3] {
        let [cx, cy, cz] = self.centre;
        [(x, cx), (y, cy), (z, cz)].map(|(x, centre)| change(f64::from(x), centre) as f32)
    }

    /// Whether the matrix of a root seems to bring a model to unit size: it takes the centre to the origin and the longest
    /// side to about 1 (0.9 in trotting_cat.nlm).
    pub fn is_in_root(&self, root: Mat4) -> bool {
        let [centre, longest] = [self.centre(), Vec3::splat(self.longest as f32)];
        let scale = root.determinant().abs().cbrt();
        let does_something = (scale - 1.0).abs() > 1e-3 || centre.length() > CENTRE_TOLERANCE * longest.x;
        root.transform_point3(centre).length() <= CENTRE_TOLERANCE
            && (0.5..=2.0).contains(&(scale * longest.x))
            && does_something
    }

    /// The matrix that a root had before.
    pub fn undo_in_root(&self, root: Mat4) -> Mat4 {
        root * Mat4::from_translation(self.centre()) * Mat4::from_scale(Vec3::splat(self.longest as f32))
    }

    fn centre(&self) -> Vec3 {
        Vec3::from(self.centre.map(|x| x as f32))
    }
}

/// The box around these positions.
pub fn bounds<'a>(mut positions: impl Iterator<Item = &'a [f32; 3]>) -> Option<Bounds> {
    let &first = positions.next()?;
    let mut bounds = Bounds { min: first, max: first };
    for position in positions {
        for ((min, max), x) in bounds.min.iter_mut().zip(&mut bounds.max).zip(position) {
            *min = min.min(*x);
            *max = max.max(*x);
        }
    }
    Some(bounds)
}
