//! How each triangle lays the picture.

use super::{NONE, Surface};
use crate::fit::alike::FOR_ONE_CORE;
use maquette_scene::glam::Vec3;
use rayon::prelude::*;
use std::borrow::Cow;

/// What is known of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kind(u8);

impl Kind {
    const DEGENERATE: u8 = 1;
    const ANY: u8 = 2;
    const UPRIGHT: u8 = 4;

    /// Two of its corners are at one place.
    pub fn is_degenerate(self) -> bool {
        self.0 & Kind::DEGENERATE != 0
    }

    /// It has no area in the picture, and goes with any other.
    pub fn goes_with_any(self) -> bool {
        self.0 & Kind::ANY != 0
    }

    /// Whether the picture is laid as it is, not mirrored.
    pub fn is_upright(self) -> bool {
        self.0 & Kind::UPRIGHT != 0
    }

    /// Lays the picture this way round.
    pub fn turn(&mut self, is_upright: bool) {
        self.0 = self.0 & !Kind::UPRIGHT | if is_upright { Kind::UPRIGHT } else { 0 };
    }
}

/// The triangles of a surface between welded vertices.
pub struct Triangles<'s> {
    pub vertices: Cow<'s, [[u32; 3]]>,
    pub kinds: Vec<Kind>,
    /// Where U and where V grow.
    directions: Vec<[Vec3; 2]>,
}

/// A corner of a triangle and the two others, in their order.
pub struct Corner {
    pub here: u32,
    pub next: u32,
    pub previous: u32,
}

/// The triangles of a surface between the vertices that theirs are equal to.
pub fn welded<'s>(surface: &Surface<'s>, welded: Option<&[u32]>) -> Cow<'s, [[u32; 3]]> {
    let Some(welded) = welded else { return Cow::Borrowed(surface.triangles) };
    let vertex = |index: u32| welded.get(index as usize).copied().unwrap_or(0);
    let of = |&[a, b, c]: &[u32; 3]| [vertex(a), vertex(b), vertex(c)];
    Cow::Owned(surface.triangles.par_iter().with_min_len(FOR_ONE_CORE).map(of).collect())
}

/// How each of these triangles lays the picture, and where U and V grow.
pub fn laid(surface: &Surface<'_>, triangles: &[[u32; 3]]) -> (Vec<Kind>, Vec<[Vec3; 2]>) {
    triangles.par_iter().with_min_len(FOR_ONE_CORE).map(|triangle| lay(surface, *triangle)).unzip()
}

impl<'s> Triangles<'s> {
    pub fn new(vertices: Cow<'s, [[u32; 3]]>, (kinds, directions): (Vec<Kind>, Vec<[Vec3; 2]>)) -> Triangles<'s> {
        Triangles { vertices, kinds, directions }
    }

    /// What is known of the triangle that a corner belongs to.
    #[inline]
    pub fn kind(&self, corner: u32) -> Kind {
        self.kinds.get(corner as usize / 3).copied().unwrap_or(Kind(Kind::DEGENERATE))
    }

    /// Where U and where V grow in the triangle that a corner belongs to.
    #[inline]
    pub fn directions(&self, corner: u32) -> [Vec3; 2] {
        self.directions.get(corner as usize / 3).copied().unwrap_or_default()
    }

    /// The vertices at a corner.
    #[inline]
    pub fn corner(&self, corner: u32) -> Corner {
        let [a, b, c] = self.vertices.get(corner as usize / 3).copied().unwrap_or([NONE; 3]);
        match corner % 3 {
            0 => Corner { here: a, next: b, previous: c },
            1 => Corner { here: b, next: c, previous: a },
            _ => Corner { here: c, next: a, previous: b },
        }
    }
}

fn lay(surface: &Surface<'_>, [a, b, c]: [u32; 3]) -> (Kind, [Vec3; 2]) {
    let (at_a, at_b, at_c) = (surface.position(a), surface.position(b), surface.position(c));
    if at_a == at_b || at_a == at_c || at_b == at_c {
        return (Kind(Kind::DEGENERATE), [Vec3::ZERO; 2]);
    }
    let (first, second) = (at_b - at_a, at_c - at_a);
    let origin = surface.uv(a);
    let (uv_first, uv_second) = (surface.uv(b) - origin, surface.uv(c) - origin);
    let area = uv_first.x * uv_second.y - uv_first.y * uv_second.x;
    let along_u = uv_second.y * first - uv_first.y * second;
    let along_v = -uv_second.x * first + uv_first.x * second;
    let upright = if area > 0.0 { Kind::UPRIGHT } else { 0 };
    if !is_something(area) {
        return (Kind(Kind::ANY | upright), [along_u, along_v]);
    }
    let sign = if area > 0.0 { 1.0 } else { -1.0 };
    let (length_u, length_v) = (along_u.length(), along_v.length());
    let scaled = |along: Vec3, length: f32| if is_something(length) { along * (sign / length) } else { along };
    let has_size = is_something(length_u / area.abs()) && is_something(length_v / area.abs());
    let any = if has_size { 0 } else { Kind::ANY };
    (Kind(any | upright), [scaled(along_u, length_u), scaled(along_v, length_v)])
}

/// Whether a number is told from 0.
pub fn is_something(number: f32) -> bool {
    number.abs() > f32::MIN_POSITIVE
}
