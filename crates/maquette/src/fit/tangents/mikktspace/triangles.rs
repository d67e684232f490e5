//! How each triangle lays the picture.

use super::Surface;
use crate::fit::alike::FOR_ONE_CORE;
use maquette_scene::glam::Vec3;
use rayon::prelude::*;

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
pub struct Triangles {
    pub vertices: Vec<[u32; 3]>,
    pub kinds: Vec<Kind>,
    /// Where U and where V grow.
    pub directions: Vec<[Vec3; 2]>,
    vertex_count: usize,
}

impl Triangles {
    pub fn new(surface: &Surface<'_>, welded: &[u32]) -> Triangles {
        let vertex = |index: u32| welded.get(index as usize).copied().unwrap_or(0);
        let of = |&[a, b, c]: &[u32; 3]| [vertex(a), vertex(b), vertex(c)];
        let vertices: Vec<[u32; 3]> = surface.triangles.par_iter().with_min_len(FOR_ONE_CORE).map(of).collect();
        let (kinds, directions) =
            vertices.par_iter().with_min_len(FOR_ONE_CORE).map(|triangle| laid(surface, *triangle)).unzip();
        Triangles { vertices, kinds, directions, vertex_count: surface.positions.len() }
    }

    /// More than any vertex.
    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }
}

fn laid(surface: &Surface<'_>, [a, b, c]: [u32; 3]) -> (Kind, [Vec3; 2]) {
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
