//! The corners of one scene's triangles and lines beside those of the other, at rest.
//!
//! Parts may come in another order, because nodes do, and so may faces within a part, because tools reorder them; each face may begin
//! at another corner, and one that is seen through a mirror is listed the other way round.

use super::outlines::{self, Outline};
use super::{Found, reorder};
use maquette_scene::glam::{Mat3, Mat4, Vec3};
use maquette_scene::loss::{Lost, subject};
use maquette_scene::mesh::{Primitive, Topology};
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene, pose};
use std::collections::{BTreeMap, BTreeSet};

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// A part where it is drawn.
pub struct Drawn<'s> {
    /// Its vertices and indices, before nodes and skins move them.
    pub primitive: &'s Primitive,
    /// The mesh it belongs to: `mesh "body"`.
    pub subject: String,
    /// Its first vertex among all that are drawn.
    first: usize,
    world_from_mesh: Mat4,
    palette: Option<Vec<Mat4>>,
}

impl Drawn<'_> {
    /// The matrix that turns the directions of a vertex.
    pub fn turn(&self, vertex: usize) -> Mat3 {
        let Some((influences, palette)) = self.primitive.streams.influences.as_ref().zip(self.palette.as_ref()) else {
            return Mat3::from_mat4(self.world_from_mesh);
        };
        let matrix = |joint: u32| palette.get(joint as usize).copied().unwrap_or(Mat4::IDENTITY);
        let mut moving = influences.of(vertex).map(|(joint, weight)| matrix(joint) * weight).peekable();
        if moving.peek().is_none() { Mat3::IDENTITY } else { Mat3::from_mat4(moving.sum()) }
    }

    /// Whether a skeleton holds it.
    pub fn is_skinned(&self) -> bool {
        self.palette.is_some()
    }

    fn is_mirrored(&self) -> bool {
        self.palette.is_none() && self.world_from_mesh.determinant() < 0.0
    }
}

/// A scene's faces, and where their corners are at rest.
pub struct Side<'s> {
    /// What is drawn.
    pub drawn: Vec<Drawn<'s>>,
    /// Each face's part.
    of_primitive: Vec<usize>,
    faces: Vec<[usize; 3]>,
    positions: Vec<Vec3>,
}

impl<'s> Side<'s> {
    fn new(scene: &'s Scene) -> Side<'s> {
        let world_from_node = scene.rest_world_from_node();
        let world = |node: Handle<Node>| world_from_node.get(node.index()).copied().unwrap_or(Mat4::IDENTITY);
        let (mut drawn, mut of_primitive, mut first) = (Vec::new(), Vec::new(), 0);
        for handle in scene.nodes_parents_first() {
            let Some(node) = scene.nodes.get(handle) else { continue };
            let Some((index, mesh)) = node.mesh.and_then(|mesh| Some((mesh, scene.meshes.get(mesh)?))) else {
                continue;
            };
            let name = if mesh.name.is_empty() { &node.name } else { &mesh.name };
            let subject = subject("mesh", index.index(), name);
            let palette = node.skin.and_then(|skin| scene.skins.get(skin)).map(|skin| {
                let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
                joints.map(|(&joint, joint_from_mesh)| world(joint) * *joint_from_mesh).collect::<Vec<_>>()
            });
            for primitive in &mesh.primitives {
                let faces = primitive.indices.len() / primitive.topology.corners();
                of_primitive.extend(std::iter::repeat_n(drawn.len(), faces));
                // What has no influences is carried by its node, skin or not.
                let palette = palette.clone().filter(|_| primitive.streams.influences.is_some());
                let subject = subject.clone();
                drawn.push(Drawn { primitive, subject, first, world_from_mesh: world(handle), palette });
                first += primitive.streams.len();
            }
        }
        let positions = pose::positions_at_rest(scene);
        Side { drawn, of_primitive, faces: pose::faces(scene), positions }
    }

    /// Without its lines.
    fn triangles(mut self) -> Side<'s> {
        let is_triangle =
            |drawn: usize| self.drawn.get(drawn).is_some_and(|drawn| drawn.primitive.topology == Topology::Triangles);
        let faces = self.faces.iter().zip(&self.of_primitive).filter(|(_, drawn)| is_triangle(**drawn));
        let (faces, of_primitive) = faces.map(|(face, drawn)| (*face, *drawn)).unzip();
        (self.faces, self.of_primitive) = (faces, of_primitive);
        self
    }

    /// The outlines of all parts.
    fn outlines(&self) -> Vec<Outline> {
        let outline = |drawn: &Drawn<'_>| {
            let points = self.positions.get(drawn.first..).and_then(|rest| rest.get(..drawn.primitive.streams.len()));
            let points = points.unwrap_or_default();
            Outline {
                low: points.iter().fold(Vec3::INFINITY, |low, &point| low.min(point)),
                high: points.iter().fold(Vec3::NEG_INFINITY, |high, &point| high.max(point)),
                faces: drawn.primitive.indices.len() / drawn.primitive.topology.corners(),
            }
        };
        self.drawn.iter().map(outline).collect()
    }

    /// Takes the faces in the order of another scene's parts, each being the first with the same outline that is left. Where one
    /// has none, the order stays.
    fn follow(&mut self, other: &Side<'_>, allowed: f32) {
        let outlines = self.outlines();
        let Some(order) = outlines::order(&outlines, &other.outlines(), allowed) else { return };
        let mut starts = Vec::with_capacity(self.drawn.len());
        let mut start = 0;
        for outline in &outlines {
            starts.push(start);
            start += outline.faces;
        }
        let faces_of = |primitive: usize| {
            let count = outlines.get(primitive).map_or(0, |outline| outline.faces);
            let first = starts.get(primitive).copied().unwrap_or(0);
            self.faces.get(first..first + count).unwrap_or_default()
        };
        let faces: Vec<[usize; 3]> = order.iter().flat_map(|&primitive| faces_of(primitive)).copied().collect();
        let of_primitive =
            order.iter().flat_map(|&primitive| std::iter::repeat_n(primitive, faces_of(primitive).len())).collect();
        (self.faces, self.of_primitive) = (faces, of_primitive);
    }

    /// Takes the faces of each part in the order of the same part of another scene, where all of them are found there.
    fn follow_faces(&mut self, other: &Side<'_>, allowed: f32) {
        let mut start = 0;
        while let Some(&primitive) = other.of_primitive.get(start) {
            let count = other.of_primitive.iter().skip(start).take_while(|&&next| next == primitive).count();
            let run = start..start + count;
            let is_same_run = |own: &[usize]| own.iter().all(|next| Some(next) == own.first());
            let of_one_primitive = self.of_primitive.get(run.clone()).is_some_and(is_same_run);
            let fits = |a: usize, b: usize| {
                let (_, apart, faces_away) = matching(other, start + a, self, start + b, allowed);
                apart <= allowed && !faces_away
            };
            let in_order = (0..count).all(|face| fits(face, face));
            let centres = |side: &Side<'_>| run.clone().map(|face| side.centre(face)).collect::<Vec<_>>();
            if of_one_primitive && !in_order {
                let order = reorder::order(&centres(other), &centres(self), allowed, fits);
                let faces = order.map(|order| {
                    order.into_iter().filter_map(|face| self.faces.get(start + face).copied()).collect::<Vec<_>>()
                });
                if let Some((faces, own)) = faces.zip(self.faces.get_mut(run)) {
                    own.iter_mut().zip(faces).for_each(|(own, face)| *own = face);
                }
            }
            start += count;
        }
    }

    /// The mesh of a face.
    fn mesh(&self, face: usize) -> &str {
        let drawn = self.of_primitive.get(face).and_then(|&drawn| self.drawn.get(drawn));
        drawn.map_or("", |drawn| drawn.subject.as_str())
    }

    fn centre(&self, face: usize) -> Vec3 {
        let corners = (0..3).filter_map(|corner| self.corner(face, corner));
        corners.map(|(.., position)| position).sum::<Vec3>() / 3.0
    }

    /// Whether a skeleton holds any of it.
    pub fn is_skinned(&self) -> bool {
        self.drawn.iter().any(Drawn::is_skinned)
    }

    /// The part of a face and the position of a corner at rest; its index counts within the part.
    fn corner(&self, face: usize, corner: usize) -> Option<(&Drawn<'s>, usize, Vec3)> {
        let drawn = self.drawn.get(*self.of_primitive.get(face)?)?;
        let vertex = *self.faces.get(face)?.get(corner)?;
        Some((drawn, vertex.checked_sub(drawn.first)?, *self.positions.get(vertex)?))
    }
}

/// The diagonal of the box around these points.
pub fn extent(points: &[Vec3]) -> f32 {
    let finite = || points.iter().filter(|point| point.is_finite());
    let low = finite().fold(Vec3::INFINITY, |low, &point| low.min(point));
    let high = finite().fold(Vec3::NEG_INFINITY, |high, &point| high.max(point));
    if finite().next().is_none() { 0.0 } else { low.distance(high) }
}

/// How far two points are apart; points that are no points in both lie together.
pub fn apart(a: Vec3, b: Vec3) -> f32 {
    match (a.is_finite(), b.is_finite()) {
        (false, false) => 0.0,
        (true, true) => a.distance(b),
        _ => f32::INFINITY,
    }
}

/// A corner in both scenes.
pub struct Pair<'c, 's> {
    /// Its part, and its vertex there, in the first scene.
    pub a: (&'c Drawn<'s>, usize),
    /// In the second.
    pub b: (&'c Drawn<'s>, usize),
    /// The face's direction at rest, in the first scene.
    pub flat_a: Vec3,
    /// In the second.
    pub flat_b: Vec3,
}

/// The corners of two scenes with as many faces.
pub struct Corners<'s> {
    /// The first scene.
    pub a: Side<'s>,
    /// The scene that is held against the first.
    pub b: Side<'s>,
    /// For each face, the corners of the second scene in the order of the first.
    orders: Vec<[usize; 3]>,
    /// Whether corners are at the same positions at rest.
    pub agree_at_rest: bool,
}

impl<'s> Corners<'s> {
    /// Pairs corners and reports where they are at rest; `None` if the scenes have not as many faces. Where only one of them has lines, or
    /// more of them, its triangles are compared.
    pub fn pair(a: &'s Scene, b: &'s Scene, found: &mut Found) -> Option<Corners<'s>> {
        let (mut a, mut b) = (Side::new(a), Side::new(b));
        if a.faces.len() != b.faces.len() {
            (a, b) = (a.triangles(), b.triangles());
        }
        let (size_a, size_b) = (extent(&a.positions), extent(&b.positions));
        let allowed = found.tolerance as f32 * size_a.max(size_b);
        if a.faces.len() != b.faces.len() {
            let apart = (size_a - size_b).abs();
            if apart > allowed {
                found.push(Lost::RestPoses.word(), "", size_a, size_b, Some(apart.into()));
            }
            return None;
        }
        b.follow(&a, allowed);
        b.follow_faces(&a, allowed);
        let mut orders = Vec::with_capacity(a.faces.len());
        let mut worst: BTreeMap<&str, (f32, usize)> = BTreeMap::new();
        for face in 0..a.faces.len() {
            let (order, apart, faces_away) = matching(&a, face, &b, face, allowed);
            orders.push(order);
            if apart > allowed || faces_away {
                let (largest, turned) = worst.entry(a.mesh(face)).or_default();
                *largest = largest.max(apart);
                *turned += usize::from(faces_away);
            }
        }
        let agree_at_rest = worst.values().all(|(largest, _)| *largest <= allowed);
        for (mesh, (largest, turned)) in worst {
            if largest > allowed {
                let text = format!("corners are up to {largest} apart");
                found.push(Lost::RestPoses.word(), mesh, "", text, Some(largest.into()));
            } else if agree_at_rest {
                let text = format!("{turned} triangles show their other side");
                found.push("facing", mesh, "", text, Some(turned as f64));
            }
        }
        Some(Corners { a, b, orders, agree_at_rest })
    }

    /// The mesh of a face in the first scene.
    pub fn mesh(&self, face: usize) -> &str {
        self.a.mesh(face)
    }

    /// The number of faces.
    pub fn faces(&self) -> usize {
        self.orders.len()
    }

    /// The parts that have faces in common, each pair once.
    pub fn drawn(&self) -> impl Iterator<Item = (&Drawn<'s>, &Drawn<'s>)> {
        let pairs: BTreeSet<(usize, usize)> =
            self.a.of_primitive.iter().copied().zip(self.b.of_primitive.iter().copied()).collect();
        pairs.into_iter().filter_map(|(a, b)| Some((self.a.drawn.get(a)?, self.b.drawn.get(b)?)))
    }

    /// The corners of a face as indices of vertices that are drawn.
    pub fn vertices(&self, face: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let faces = self.a.faces.get(face).zip(self.b.faces.get(face)).zip(self.orders.get(face));
        faces.into_iter().flat_map(|((a, b), order)| {
            a.iter().zip(order.iter().filter_map(|&corner| b.get(corner))).map(|(&a, &b)| (a, b))
        })
    }

    /// Every corner.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_, 's>> {
        (0..self.orders.len()).flat_map(|face| self.pairs_of(face))
    }

    /// The corners of a face.
    pub fn pairs_of(&self, face: usize) -> impl Iterator<Item = Pair<'_, 's>> {
        let (flat_a, flat_b) = (flat(&self.a, face), flat(&self.b, face));
        self.orders.get(face).into_iter().flatten().enumerate().filter_map(move |(corner, &other)| {
            let ((a, vertex_a, _), (b, vertex_b, _)) = (self.a.corner(face, corner)?, self.b.corner(face, other)?);
            Some(Pair { a: (a, vertex_a), b: (b, vertex_b), flat_a, flat_b })
        })
    }
}

/// The direction of a face at rest, to the side that is seen; zero for a line.
fn flat(side: &Side<'_>, face: usize) -> Vec3 {
    let corner = |corner| side.corner(face, corner);
    let (Some((drawn, _, first)), Some((.., second)), Some((.., third))) = (corner(0), corner(1), corner(2)) else {
        return Vec3::ZERO;
    };
    let direction = (second - first).cross(third - first).normalize_or_zero();
    match drawn.primitive.topology {
        Topology::Lines => Vec3::ZERO,
        Topology::Triangles if drawn.is_mirrored() => -direction,
        Topology::Triangles => direction,
    }
}

/// The order in which the corners of a face of the second scene agree with those of one of the first, how far apart they are, and whether
/// the face shows its other side.
fn matching(a: &Side<'_>, face_a: usize, b: &Side<'_>, face_b: usize, allowed: f32) -> ([usize; 3], f32, bool) {
    let between = |order: &[usize; 3]| {
        let corners = order
            .iter()
            .enumerate()
            .filter_map(|(corner, &other)| Some(apart(a.corner(face_a, corner)?.2, b.corner(face_b, other)?.2)));
        corners.fold(0.0, f32::max)
    };
    let orders = ORDERS.iter().map(|order| (*order, between(order)));
    let Some((order, apart)) = orders.clone().find(|(_, apart)| *apart <= allowed) else {
        let least = orders.map(|(_, apart)| apart).fold(f32::INFINITY, f32::min);
        // A model of another size: only a mirror tells how its corners are listed.
        let mirrored = |side: &Side<'_>, face| side.corner(face, 0).is_some_and(|(drawn, ..)| drawn.is_mirrored());
        let order = if mirrored(a, face_a) == mirrored(b, face_b) { [0, 1, 2] } else { [2, 1, 0] };
        return (order, least, false);
    };
    let faces_away = flat(a, face_a).dot(flat(b, face_b)) < -0.5;
    (order, apart, faces_away)
}
