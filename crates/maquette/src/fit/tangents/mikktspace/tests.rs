//! The tangents of the crate that follows the original line by line.

use super::*;
use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};

struct Peer<'s>(Surface<'s>, Vec<Option<[f32; 4]>>);

impl Peer<'_> {
    fn vertex(&self, face: usize, corner: usize) -> u32 {
        self.0.triangles[face][corner]
    }
}

impl Geometry for Peer<'_> {
    fn num_faces(&self) -> usize {
        self.0.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.0.position(self.vertex(face, corner)).to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.0.normal(self.vertex(face, corner)).to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.0.uv(self.vertex(face, corner)).to_array()
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        // One of no length is none.
        let is_unit = |[x, y, z, _]: &Tangent| (Vec3::new(*x, *y, *z).length() - 1.0).abs() < 1e-3;
        self.1[face * 3 + corner] = tangent.map(|tangent| tangent.tangent_encoded()).filter(is_unit);
    }
}

fn of_corners(surface: &Surface<'_>) -> Vec<Option<Tangent>> {
    let mut found = Vec::new();
    let mut corners = surface.triangles.as_flattened().to_vec();
    tangents(surface).give(&mut corners, |corner, tangent| {
        *corner = NONE - found.len() as u32;
        found.push(*tangent);
    });
    corners.iter().map(|corner| found.get((NONE - corner) as usize).copied()).collect()
}

/// The largest difference of a number of any tangent; what one has and the other lacks is infinite.
fn apart(surface: Surface<'_>) -> f32 {
    let mut peer = Peer(surface, vec![None; 3 * surface.triangles.len()]);
    generate_tangents(&mut peer).unwrap();
    let ours = of_corners(&surface);
    assert_eq!(ours.len(), peer.1.len());
    let differences = ours.iter().zip(&peer.1).map(|pair| match pair {
        (None, None) => 0.0,
        (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max),
        _ => f32::INFINITY,
    });
    differences.fold(0.0, f32::max)
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(sides)) as u32
    }

    fn unit(&mut self) -> f32 {
        self.roll(10_000) as f32 / 5_000.0 - 1.0
    }
}

#[test]
fn meshes_of_every_sort_get_what_the_original_gives() {
    for seed in 0..3000 {
        let mut dice = Dice(seed);
        let vertices = 3 + dice.roll(30) as usize;
        // Few different numbers make vertices, edges and directions that agree; many make none.
        let coarse = dice.roll(3) > 0;
        let number = |dice: &mut Dice| if coarse { dice.roll(3) as f32 - 1.0 } else { dice.unit() };
        let mut positions = Vec::new();
        let mut normals = Vec::new();
        let mut uvs = Vec::new();
        for _ in 0..vertices {
            positions.push([number(&mut dice), number(&mut dice), number(&mut dice)]);
            let normal = Vec3::new(dice.unit(), dice.unit(), dice.unit()).normalize_or(Vec3::Z);
            normals.push(if dice.roll(4) > 0 { [0.0, 0.0, 1.0] } else { normal.to_array() });
            uvs.push([number(&mut dice), number(&mut dice)]);
        }
        let corner = |dice: &mut Dice| dice.roll(vertices as u32);
        let triangles: Vec<[u32; 3]> =
            (0..1 + dice.roll(40)).map(|_| [corner(&mut dice), corner(&mut dice), corner(&mut dice)]).collect();
        let surface = Surface { positions: &positions, normals: &normals, uvs: &uvs, triangles: &triangles };
        let apart = apart(surface);
        assert!(apart < 1e-5, "seed {seed}: {apart} apart, {surface:?}");
    }
}

/// 40 000 triangles that share as much as they can, which must take no longer than as many that share nothing.
#[test]
fn triangles_around_a_vertex_at_one_place_and_on_one_edge_are_as_quick_as_others() {
    let count = 40_000u32;
    let around = |at: u32| (at as f32 / count as f32 * 6.0).sin_cos();
    let rim = |at: u32| [around(at).0, around(at).1, 0.0];
    let mut positions: Vec<[f32; 3]> = (0..count + 2).map(rim).collect();
    positions[0] = [0.0, 0.0, 0.0];
    positions[1] = [0.0, 0.0, 0.5];
    let normals = vec![[0.0, 0.0, 1.0]; positions.len()];
    let uvs: Vec<[f32; 2]> = positions.iter().map(|&[x, y, _]| [x, y]).collect();
    let fan: Vec<[u32; 3]> = (2..count).map(|at| [0, at, at + 1]).collect();
    let edge: Vec<[u32; 3]> = (2..count).map(|at| if at % 2 == 0 { [0, 1, at] } else { [1, 0, at] }).collect();
    for triangles in [&fan, &edge] {
        let surface = Surface { positions: &positions, normals: &normals, uvs: &uvs, triangles };
        assert_eq!(of_corners(&surface).len(), 3 * triangles.len());
    }
    let one_place = vec![[1.0; 3]; positions.len()];
    let surface = Surface { positions: &one_place, normals: &normals, uvs: &uvs, triangles: &fan };
    assert!(of_corners(&surface).iter().all(Option::is_none));
    // The directions of U point everywhere.
    let turning: Vec<[f32; 2]> = (0..count + 2).map(|at| [at as f32, (at % 2) as f32]).collect();
    let surface = Surface { positions: &positions, normals: &normals, uvs: &turning, triangles: &fan };
    assert_eq!(of_corners(&surface).len(), 3 * fan.len());
}
