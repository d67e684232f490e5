//! What is on a triangle at a place of the picture: attributes of its corners, as perspective has them.
//!
//! Shares of the corners follow from the corners before the division by `w`, so a triangle that reaches behind the camera needs nothing of its own.
//! They are worked out in double precision: triangles may be far smaller than a pixel.

use crate::maths::at;
use crate::plan::least_opacity;
use crate::posed::{Facing, Posed, PosedPart};
use crate::raster::Projected;
use crate::stage::{Footprint, Material, Stage};
use crate::surface;
use maquette_scene::glam::Vec3;

/// A triangle in the picture.
#[derive(Clone, Copy)]
pub(crate) struct Triangle<'a> {
    pub part: &'a PosedPart<'a>,
    pub material: &'a Material,
    /// Its corners among the vertices of the part.
    pub corners: [usize; 3],
    /// For each corner, `a·x + b·y + c` is its share times a number that all three have in common.
    shares: [[f64; 3]; 3],
    sums: [f64; 3],
    /// Whether it shows its front.
    pub is_front: bool,
}

/// How much of each corner there is at a place, and how that changes to the right and down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    pub here: [f32; 3],
    pub dx: [f32; 3],
    pub dy: [f32; 3],
}

impl<'a> Triangle<'a> {
    /// The triangle of this number.
    pub fn new(posed: &'a Posed<'a>, projected: &[Projected], bone: &'a Material, number: u32) -> Option<Triangle<'a>> {
        let parts = &posed.parts;
        let after = parts.partition_point(|part| part.first_triangle <= number);
        // Parts without triangles begin where the next one does: the last of them is the one.
        let part = parts.get(after.checked_sub(1)?)?;
        let material = material_of(posed.stage(), part, bone);
        let first = (number - part.first_triangle) as usize * 3;
        let [a, b, c] = [0, 1, 2].map(|corner| at(&part.indices, first + corner) as usize);
        let homogeneous = |corner: usize| {
            let p = at(projected, part.first_vertex + corner);
            [f64::from(p.x), f64::from(p.y), f64::from(p.w)]
        };
        let [p, q, r] = [homogeneous(a), homogeneous(b), homogeneous(c)];
        let shares = [cross(q, r), cross(r, p), cross(p, q)];
        let [s, t, u] = shares;
        let sums = [s[0] + t[0] + u[0], s[1] + t[1] + u[1], s[2] + t[2] + u[2]];
        let volume = p[0] * s[0] + p[1] * s[1] + p[2] * s[2];
        // Down is positive in pictures.
        let is_front = (volume < 0.0) == (part.facing == Facing::CounterClockwise);
        Some(Triangle { part, material, corners: [a, b, c], shares, sums, is_front })
    }

    pub fn shares(&self, x: f32, y: f32) -> Shares {
        let (x, y) = (f64::from(x), f64::from(y));
        let of = |row: &[f64; 3]| row[0] * x + row[1] * y + row[2];
        let whole = of(&self.sums);
        if whole == 0.0 || !whole.is_finite() {
            return Shares { here: [1.0 / 3.0; 3], dx: [0.0; 3], dy: [0.0; 3] };
        }
        let scale = 1.0 / whole;
        let exact = [of(&self.shares[0]) * scale, of(&self.shares[1]) * scale, of(&self.shares[2]) * scale];
        let slope = |axis: usize| {
            [0, 1, 2].map(|corner: usize| {
                let row = at(&self.shares, corner);
                ((at(&row, axis) - at(&exact, corner) * at(&self.sums, axis)) * scale) as f32
            })
        };
        // Places at its rim may be outside by what rounding moved it.
        let here = exact.map(|share| share.clamp(0.0, 1.0) as f32);
        let total = here[0] + here[1] + here[2];
        Shares { here: here.map(|share| share / total), dx: slope(0), dy: slope(1) }
    }

    pub fn mix3(&self, shares: [f32; 3], values: [Vec3; 3]) -> Vec3 {
        values[0] * shares[0] + values[1] * shares[1] + values[2] * shares[2]
    }

    /// A place on a set of texture coordinates.
    pub fn footprint(&self, shares: &Shares, set: usize) -> Footprint {
        let uvs = self.part.streams.and_then(|streams| streams.uvs.get(set)).map_or(&[][..], Vec::as_slice);
        let [a, b, c] = self.corners.map(|corner| at(uvs, corner));
        let mix = |s: [f32; 3]| [a[0] * s[0] + b[0] * s[1] + c[0] * s[2], a[1] * s[0] + b[1] * s[1] + c[1] * s[2]];
        Footprint { uv: mix(shares.here), dx: mix(shares.dx), dy: mix(shares.dy) }
    }

    /// The coordinates of its corners.
    pub fn uvs(&self, set: usize) -> Option<[[f32; 2]; 3]> {
        let uvs = self.part.streams.and_then(|streams| streams.uvs.get(set))?;
        Some(self.corners.map(|corner| at(uvs, corner)))
    }

    /// Colour and opacity of vertices.
    pub fn vertex_colour(&self, shares: &Shares) -> Option<[f32; 4]> {
        let colours = self.part.streams.and_then(|streams| streams.colours.first())?;
        let [a, b, c] = self.corners.map(|corner| at(colours, corner));
        let s = shares.here;
        Some(
            [0, 1, 2, 3].map(|channel: usize| at(&a, channel) * s[0] + at(&b, channel) * s[1] + at(&c, channel) * s[2]),
        )
    }

    /// The opacity there.
    pub fn opacity(&self, stage: &Stage<'_>, shares: &Shares) -> f32 {
        let material = self.material;
        let textured = material.base_texture.as_ref().and_then(|sampler| {
            let texture = stage.textures.get(sampler.texture)?.as_ref()?;
            Some(texture.sample(sampler, &self.footprint(shares, sampler.uv_set))[3])
        });
        let vertex = self.vertex_colour(shares).map_or(1.0, |colour| colour[3]);
        material.base_colour[3] * textured.unwrap_or(1.0) * vertex
    }
}

/// The material of a part; bones have one of their own.
pub(crate) fn material_of<'a>(stage: &'a Stage<'_>, part: &PosedPart<'_>, bone: &'a Material) -> &'a Material {
    stage.materials.get(part.material).unwrap_or(bone)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl Triangle<'_> {
    /// Whether what is cut out by opacity is there.
    pub fn is_there(&self, stage: &Stage<'_>, x: f32, y: f32) -> bool {
        self.opacity(stage, &self.shares(x, y)) >= least_opacity(self.material)
    }
}

/// How well the directions of flat triangles must agree that are shaded as one.
const SAME_DIRECTION: f32 = 0.999;

impl Triangle<'_> {
    /// Whether another triangle is the same surface around a corner that both have: one place of a pixel stands for both then.
    pub fn goes_on_in(&self, posed: &Posed<'_>, projected: &[Projected], places: &[Vec3], other: u32) -> bool {
        let part = self.part;
        let first = part.first_triangle;
        if other < first || (other - first) as usize >= part.triangle_count() {
            return false;
        }
        let Some(other) = Triangle::new(posed, projected, self.material, other) else { return false };
        let shared = other.corners.iter().any(|corner| self.corners.contains(corner));
        if !shared || other.is_front != self.is_front {
            return false;
        }
        if !part.normals.is_empty() {
            return true;
        }
        let direction = |triangle: &Triangle<'_>| surface::flat_normal(triangle, surface::corners(triangle, places));
        direction(self).dot(direction(&other)) > SAME_DIRECTION
    }
}
