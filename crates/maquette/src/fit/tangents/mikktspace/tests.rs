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
    let made = tangents(surface);
    let mut of_corners: Vec<Tangent> =
        surface.triangles.as_flattened().iter().map(|vertex| made.of_vertices[*vertex as usize]).collect();
    made.of_corners.iter().for_each(|(corner, tangent)| of_corners[*corner as usize] = *tangent);
    of_corners.into_iter().map(|tangent| Some(tangent).filter(|tangent| !is_none(tangent))).collect()
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

/// Triangles around a vertex, on one edge or at one place: as many as share as much as they can.
struct Crowd {
    positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    triangles: Vec<[u32; 3]>,
}

impl Crowd {
    const COUNT: u32 = 40_000;

    /// Around the first vertex.
    fn fan() -> Crowd {
        let around = |at: u32| (at as f32 / Crowd::COUNT as f32 * 6.0).sin_cos();
        let rim = |at: u32| [around(at).0, around(at).1, 0.0];
        let mut positions: Vec<[f32; 3]> = (0..Crowd::COUNT + 2).map(rim).collect();
        positions[0] = [0.0, 0.0, 0.0];
        positions[1] = [0.0, 0.0, 0.5];
        let uvs = positions.iter().map(|&[x, y, _]| [x, y]).collect();
        Crowd { positions, uvs, triangles: (2..Crowd::COUNT).map(|at| [0, at, at + 1]).collect() }
    }

    /// Every other runs along the edge the other way.
    fn edge() -> Crowd {
        let along = |at: u32| if at.is_multiple_of(2) { [0, 1, at] } else { [1, 0, at] };
        Crowd { triangles: (2..Crowd::COUNT).map(along).collect(), ..Crowd::fan() }
    }

    fn at_one_place() -> Crowd {
        let fan = Crowd::fan();
        Crowd { positions: vec![[1.0; 3]; fan.positions.len()], ..fan }
    }

    /// Around the first vertex, with coordinates of the others by their number.
    fn with_uvs(uv: impl Fn(u32) -> [f32; 2]) -> Crowd {
        Crowd { uvs: (0..Crowd::COUNT + 2).map(uv).collect(), ..Crowd::fan() }
    }

    /// As many triangles around each of few vertices, which have no area in the picture but for some.
    fn undecided() -> Crowd {
        let sound = |at: u32| if at.is_multiple_of(100) { [0.5, 1.0] } else { [0.5, 0.5] };
        Crowd::with_uvs(|at| if at == 0 { [0.0; 2] } else { sound(at) })
    }

    /// The steps that its tangents take, for each triangle.
    fn steps(&self) -> usize {
        let normals = vec![[0.0, 0.0, 1.0]; self.positions.len()];
        let Crowd { positions, uvs, triangles } = self;
        let surface = Surface { positions, normals: &normals, uvs, triangles };
        let steps = crate::work::of(|| assert_eq!(of_corners(&surface).len(), 3 * triangles.len()));
        steps / triangles.len()
    }
}

#[test]
fn triangles_that_share_a_vertex_an_edge_or_a_place_take_no_more_steps_than_others() {
    let mirrored_by_turns = |at: u32| if at == 0 { [0.0; 2] } else { [(at % 2) as f32, 1.0] };
    let crowds = [
        ("a fan", Crowd::fan()),
        ("an edge", Crowd::edge()),
        ("one place", Crowd::at_one_place()),
        ("no area in the picture", Crowd::undecided()),
        ("a group for each", Crowd::with_uvs(mirrored_by_turns)),
        ("more directions than are looked at", Crowd::with_uvs(|at| [at as f32, (at % 2) as f32])),
    ];
    for (name, crowd) in crowds {
        assert!(crowd.steps() < 30, "{name}: {} steps for each triangle", crowd.steps());
    }
}

#[test]
fn opposite_directions_are_looked_for_among_few() {
    // A flat ribbon that is folded forth and back around the first vertex: the same few directions again and again.
    let turn = |at: u32| (at % 200) as f32 * 0.0314;
    let crowd = Crowd {
        positions: (0..Crowd::COUNT + 2)
            .map(|at| if at == 0 { [0.0; 3] } else { [turn(at).cos(), turn(at).sin(), 0.0] })
            .collect(),
        ..Crowd::with_uvs(|at| if at == 0 { [0.0; 2] } else { [1.0, (at % 2) as f32] })
    };
    assert!(crowd.steps() < 4 * 256, "{} steps for each triangle", crowd.steps());
}

#[test]
fn any_number_of_threads_makes_the_same() {
    let mut dice = Dice(1);
    let side = 150;
    let positions: Vec<[f32; 3]> =
        (0..side * side).map(|at| [(at % side) as f32, (at / side) as f32, dice.unit()]).collect();
    let normals: Vec<[f32; 3]> =
        positions.iter().map(|_| Vec3::new(dice.unit(), dice.unit(), 2.0).normalize().to_array()).collect();
    // Coarse coordinates: mirrored, without an area, and sound, all mixed.
    let uvs: Vec<[f32; 2]> = positions.iter().map(|_| [dice.roll(4) as f32, dice.roll(4) as f32]).collect();
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let triangles: Vec<[u32; 3]> =
        cells.flat_map(|at| [[at, at + 1, at + side], [at + side, at + 1, at + side + 1]]).collect();
    let surface = Surface { positions: &positions, normals: &normals, uvs: &uvs, triangles: &triangles };
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| of_corners(&surface))
    });
    assert!(one == three);
    assert!(one.iter().any(Option::is_none) && one.iter().any(Option::is_some));
    assert!(apart(surface) < 1e-5, "{}", apart(surface));
}
