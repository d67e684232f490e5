//! What the nodes of a scene carry, and how far from them it can come: what makes a small turn of a shoulder a large error of a hand.
//!
//! A vertex that joints move is a weighted sum of where each would carry it, so it is no farther off than the worst of them would have it.
//! All that a node carries is inside a ball, whatever the nodes between do in the course of a clip: those that turn carry it anywhere around
//! themselves, those that stay keep it where it is.

use super::curves;
use crate::Handle;
use crate::clip::{Blend, Clip, Curve, Interpolation, Keys, Target};
use crate::mesh::Primitive;
use crate::scene::{Node, Scene, Skin, Trs};
use glam::{DMat3, DMat4, DVec3, Vec3};

/// Keys of singles may be off the curve that they follow by this part of their values.
const ROUNDED: f64 = 1.0 / 8_388_608.0;
/// No reach is larger: what would be is beyond any single, and products of it are still numbers.
const FARTHEST: f64 = 1e100;

/// How far a vertex moves, at most, when a value of a node changes by one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// For each unit of length.
    pub translation: f64,
    /// For each radian.
    pub rotation: f64,
    /// For each part of its size.
    pub scale: f64,
}

impl Reach {
    /// That of the property which a curve moves; none of morph weights.
    pub fn of(&self, curve: &Curve) -> f64 {
        match curve {
            Curve::Translation(_) => self.translation,
            Curve::Rotation(_) => self.rotation,
            Curve::Scale(_) => self.scale,
            Curve::MorphWeights(_) => 0.0,
        }
    }
}

/// The vertices of a scene, by the nodes that carry them.
pub struct Body<'s> {
    scene: &'s Scene,
    parents: Vec<Option<Handle<Node>>>,
    parents_first: Vec<Handle<Node>>,
    /// The box around the vertices of each node, in its space.
    boxes: Vec<Option<Box3>>,
    weight: f64,
}

impl<'s> Body<'s> {
    /// That of a scene. Clips are not looked at.
    pub fn of(scene: &'s Scene) -> Body<'s> {
        let mut body = Body {
            scene,
            parents: scene.parents(),
            parents_first: scene.nodes_parents_first(),
            boxes: vec![None; scene.nodes.len()],
            weight: 1.0,
        };
        for (handle, node) in scene.nodes.entries() {
            let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
            let skin = node.skin.and_then(|skin| scene.skins.get(skin));
            mesh.primitives.iter().for_each(|primitive| body.add_primitive(primitive, handle.index(), skin));
        }
        body
    }

    fn add_primitive(&mut self, primitive: &Primitive, carrier: usize, skin: Option<&Skin>) {
        let (Some(skin), Some(influences)) = (skin, &primitive.streams.influences) else {
            primitive.streams.positions.iter().for_each(|&position| self.add(carrier, Vec3::from(position).as_dvec3()));
            return;
        };
        let palette: Vec<(usize, DMat4)> = skin
            .joints
            .iter()
            .zip(&skin.joint_from_mesh)
            .map(|(joint, joint_from_mesh)| (joint.index(), joint_from_mesh.as_dmat4()))
            .collect();
        for (vertex, &position) in primitive.streams.positions.iter().enumerate() {
            let mut sum = 0.0;
            for (joint, weight) in influences.of(vertex) {
                sum += f64::from(weight.abs());
                if let Some((node, joint_from_mesh)) = palette.get(joint as usize) {
                    self.add(*node, joint_from_mesh.transform_point3(Vec3::from(position).as_dvec3()));
                }
            }
            self.weight = self.weight.max(sum);
        }
    }

    fn add(&mut self, node: usize, point: DVec3) {
        if let Some(known) = self.boxes.get_mut(node) {
            known.get_or_insert(Box3::at(point)).add(point);
        }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.boxes.len()
    }

    /// Whether there are no vertices.
    pub fn is_bare(&self) -> bool {
        self.boxes.iter().all(Option::is_none)
    }

    /// The largest sum of the weights of a vertex, and at least 1: a vertex is off by so much more than what its joints carry.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The reach of every node in the course of these clips; none of those that carry no vertex.
    pub fn reach(&self, clips: &[&Clip]) -> Vec<Reach> {
        let courses = self.courses(clips);
        let mut carried: Vec<Option<Ball>> = self.boxes.iter().map(|known| known.map(Ball::around)).collect();
        let mut farthest: Vec<f64> =
            self.boxes.iter().map(|known| known.map_or(0.0, |known| known.farthest())).collect();
        for &node in self.parents_first.iter().rev() {
            let parent = self.parents.get(node.index()).copied().flatten();
            let ball = carried.get(node.index()).copied().flatten();
            let (Some(parent), Some(ball), Some(course)) = (parent, ball, courses.get(node.index())) else { continue };
            let ball = course.carry(ball);
            if let (Some(above), Some(far)) = (carried.get_mut(parent.index()), farthest.get_mut(parent.index())) {
                *far = far.max(ball.farthest());
                *above = Some(above.map_or(ball, |above| above.with(ball)));
            }
        }
        let mut sizes = vec![1.0; courses.len()];
        let mut reach = vec![Reach::default(); courses.len()];
        for &node in &self.parents_first {
            let parent = self.parents.get(node.index()).copied().flatten();
            let above = parent.and_then(|parent| sizes.get(parent.index()).copied()).unwrap_or(1.0);
            let Some(course) = courses.get(node.index()) else { continue };
            let size = course.size();
            sizes.get_mut(node.index()).into_iter().for_each(|own| *own = (above * size).min(FARTHEST));
            let has_vertices = carried.get(node.index()).is_some_and(Option::is_some);
            let far = farthest.get(node.index()).copied().unwrap_or(0.0).min(FARTHEST);
            if let (true, Some(reach)) = (has_vertices, reach.get_mut(node.index())) {
                let [rotation, scale] = [above * size * far, above * far].map(|lever| lever.min(FARTHEST));
                *reach = Reach { translation: above, rotation, scale };
            }
        }
        reach
    }

    /// For each node, the largest sum of these numbers along a way from a root through it, down to a node without children.
    pub fn ways(&self, numbers: &[f64]) -> Vec<f64> {
        let number = |node: Handle<Node>| numbers.get(node.index()).copied().unwrap_or(0.0);
        let above = |sums: &[f64], node: Handle<Node>| {
            let parent = self.parents.get(node.index()).copied().flatten();
            parent.and_then(|parent| sums.get(parent.index()).copied()).unwrap_or(0.0)
        };
        let (mut down, mut up) = (vec![0.0; numbers.len()], vec![0.0f64; numbers.len()]);
        for &node in &self.parents_first {
            let sum = above(&down, node) + number(node);
            down.get_mut(node.index()).into_iter().for_each(|down| *down = sum);
        }
        // `up` is without the node itself until it is its turn.
        for &node in self.parents_first.iter().rev() {
            let own = up.get(node.index()).copied().unwrap_or(0.0) + number(node);
            let parent = self.parents.get(node.index()).copied().flatten();
            let below = parent.and_then(|parent| up.get_mut(parent.index()));
            below.into_iter().for_each(|below| *below = below.max(own));
        }
        down.iter().zip(up).map(|(down, up)| down + up).collect()
    }

    fn courses(&self, clips: &[&Clip]) -> Vec<Course> {
        let still = |node: &Node| Course::Still(node.transform.matrix().as_dmat4());
        let mut courses: Vec<Course> = self.scene.nodes.iter().map(still).collect();
        for (clip, track) in clips.iter().flat_map(|clip| clip.tracks.iter().map(move |track| (clip, track))) {
            let Target::Node(handle) = track.target else { continue };
            let (Some(node), Some(course)) = (self.scene.nodes.get(handle), courses.get_mut(handle.index())) else {
                continue;
            };
            course.follow(&track.curve, track.blend.unwrap_or(clip.blend), &node.transform.trs());
        }
        courses
    }
}

/// All that the transform of a node is in the course of some clips.
enum Course {
    Still(DMat4),
    Moving {
        rest: Trs,
        /// Around all its translations, where it is moved.
        places: Option<Box3>,
        turns: bool,
        /// The largest size along any axis, where that changes.
        size: Option<f64>,
    },
}

impl Course {
    fn follow(&mut self, curve: &Curve, blend: Blend, rest: &Trs) {
        if curve.times_secs().is_empty() {
            return;
        }
        if let Course::Still(_) = self {
            *self = Course::Moving { rest: *rest, places: None, turns: false, size: None };
        }
        let Course::Moving { places, turns, size, .. } = self else { return };
        match curve {
            Curve::Translation(keys) => {
                let home = if blend == Blend::Absolute { DVec3::ZERO } else { rest.translation.as_dvec3() };
                for place in hull(keys).map(|place| home + place) {
                    places.get_or_insert(Box3::at(place)).add(place);
                }
            }
            Curve::Rotation(_) => *turns = true,
            Curve::Scale(keys) => {
                let largest = hull(keys).map(|scale| scale.abs().max_element()).fold(0.0, f64::max);
                *size = Some(size.unwrap_or(0.0).max(largest));
            }
            Curve::MorphWeights(_) => {}
        }
    }

    /// The largest factor that a length in the space of the node grows by in that of its parent.
    fn size(&self) -> f64 {
        match self {
            Course::Still(matrix) => norm(DMat3::from_mat4(*matrix)),
            Course::Moving { rest, size, .. } => {
                size.unwrap_or(rest.scale.abs().max_element().into()) * (1.0 + ROUNDED)
            }
        }
    }

    /// What is in a ball in the space of the node, in that of its parent.
    fn carry(&self, ball: Ball) -> Ball {
        match self {
            Course::Still(matrix) => {
                Ball { centre: matrix.transform_point3(ball.centre), radius: ball.radius * self.size() }
            }
            Course::Moving { rest, places, turns, size } => {
                let places = Ball::around(places.unwrap_or(Box3::at(rest.translation.as_dvec3())));
                let (centre, radius) = match *turns || size.is_some() {
                    true => (DVec3::ZERO, self.size() * ball.farthest()),
                    false => {
                        (rest.rotation.as_dquat() * (rest.scale.as_dvec3() * ball.centre), self.size() * ball.radius)
                    }
                };
                Ball { centre: places.centre + centre, radius: places.radius + places.farthest() * ROUNDED + radius }
            }
        }
    }
}

/// Points whose hull a curve does not leave.
fn hull(keys: &Keys<[f32; 3]>) -> impl Iterator<Item = DVec3> {
    let values = (0..keys.times_secs.len()).filter_map(|key| curves::value(keys, key));
    let spans = keys.times_secs.len() * usize::from(keys.interpolation == Interpolation::CubicSpline);
    let between = (0..spans).filter_map(|key| curves::span(keys, key)).flat_map(|span| span.hull());
    values.chain(between).map(DVec3::from)
}

/// The largest factor that a matrix makes a vector longer by, or a little more; just that where its columns are at right angles.
fn norm(matrix: DMat3) -> f64 {
    let squares = matrix.transpose() * matrix;
    [squares.x_axis, squares.y_axis, squares.z_axis]
        .map(|axis| axis.abs().element_sum())
        .into_iter()
        .fold(0.0, f64::max)
        .sqrt()
}

/// A box around points.
#[derive(Clone, Copy)]
struct Box3 {
    low: DVec3,
    high: DVec3,
}

impl Box3 {
    fn at(point: DVec3) -> Box3 {
        Box3 { low: point, high: point }
    }

    fn add(&mut self, point: DVec3) {
        *self = Box3 { low: self.low.min(point), high: self.high.max(point) };
    }

    /// From the origin to the farthest corner.
    fn farthest(&self) -> f64 {
        self.low.abs().max(self.high.abs()).length()
    }
}

/// A ball around points.
#[derive(Clone, Copy)]
struct Ball {
    centre: DVec3,
    radius: f64,
}

impl Ball {
    fn around(points: Box3) -> Ball {
        Ball { centre: (points.low + points.high) / 2.0, radius: (points.high - points.low).length() / 2.0 }
    }

    /// From the origin to the farthest point.
    fn farthest(&self) -> f64 {
        self.centre.length() + self.radius
    }

    /// A ball around both.
    fn with(self, other: Ball) -> Ball {
        let distance = self.centre.distance(other.centre);
        let [small, large] = if self.radius < other.radius { [self, other] } else { [other, self] };
        if distance + small.radius <= large.radius {
            return large;
        }
        let radius = (distance + small.radius + large.radius) / 2.0;
        let centre = large.centre + (small.centre - large.centre) * ((radius - large.radius) / distance);
        Ball { centre, radius }
    }
}
