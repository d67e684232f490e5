//! Animation matrices to curves.
//!
//! In the document's meaning a matrix is the local transform of a node, and becomes translation, rotation and scale as
//! it is. In the engine's meaning it is what vertices are multiplied by:
//!
//! - for a node with weights it is `world_from_joint · joint_from_mesh`, so the node's world transform is the matrix times its rest transform;
//! - for a node without weights the converter has no offset matrix to multiply by, and it is the world transform of the node itself (seen in
//!   lich_Attack01, where the matrices of helper nodes that do not move equal their rest transforms).
//!
//! A node with weights and without matrices is not moved by the engine, whatever the nodes above it do. It gets a track that
//! keeps it in place if a node above it moves. Every other node without matrices keeps its rest transform under its parent.
//!
//! Local transforms are worked out from the parents' world transforms as curves give them back, so that what a parent's curves could not hold is made
//! up for by its children and errors do not add up along a chain.

use super::super::raw::Matrix;
use super::{Tree, matrix};
use crate::format::AnimationMatrices;
use crate::rules::matrices::MatrixOrder;
use maquette_scene::Handle;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat3, Mat4, Quat, Vec3, Vec4};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::scene::Trs;

/// How much of a matrix may be lost before it is reported, as a part of its largest axis.
const SHEAR_TOLERANCE: f32 = 1e-4;

/// An animation of this file or of another, for nodes of this one.
pub(super) struct Motion<'f> {
    /// Ticks in a second, never 0.
    pub rate: u32,
    /// The nodes that have matrices, each once.
    pub bones: Vec<(usize, &'f [Matrix])>,
    pub order: MatrixOrder,
    pub meaning: AnimationMatrices,
}

/// A node that gets curves.
struct Mover<'f> {
    node: usize,
    /// Its matrices; none for a node that is kept in place.
    matrices: Option<&'f [Matrix]>,
    /// The mover above it, and from its parent's space to that mover's; to the model's where there is none.
    above: (Option<usize>, Mat4),
    keys: Trail,
}

/// The keys of one node so far.
#[derive(Default)]
struct Trail {
    translations: Vec<[f32; 3]>,
    rotations: Vec<[f32; 4]>,
    scales: Vec<[f32; 3]>,
}

/// What could not be kept, over all keys.
#[derive(Default)]
struct Residue {
    sheared: u64,
    largest: f32,
    lost: u64,
}

impl Motion<'_> {
    /// How many keys a clip of so many ticks makes.
    pub fn cost(&self, tree: &Tree, ticks: usize) -> u64 {
        let held = match self.meaning {
            AnimationMatrices::Local => 0,
            AnimationMatrices::Skinning => self.movers(tree).len() - self.bones.len(),
        };
        (self.bones.len() + held) as u64 * ticks as u64
    }

    /// The ticks from `first` to `last`, both included, as a clip.
    pub fn clip(&self, tree: &Tree, (first, last): (usize, usize), subject: &str, losses: &mut LossReport) -> Clip {
        let mut movers = self.movers(tree);
        let held = movers.iter().filter(|mover| mover.matrices.is_none()).count() as u64;
        let detail = "nodes with weights have no matrices: tracks keep them in place while nodes above them move";
        losses.push(LossKind::Baked, Lost::Tracks, subject, detail, held);
        let mut residue = Residue::default();
        let mut worlds = vec![Mat4::IDENTITY; movers.len()];
        // An animation that moves nothing may claim any length.
        let ticks = if movers.is_empty() { 0 } else { last + 1 - first };
        for tick in (first..).take(ticks) {
            for index in 0..movers.len() {
                let Some(mover) = movers.get_mut(index) else { continue };
                let above = match mover.above {
                    (Some(anchor), below) => worlds.get(anchor).copied().unwrap_or_default() * below,
                    (None, below) => below,
                };
                let transform = self.transform(tree, mover, above, tick, &mut residue);
                let world = above * mover.keys.push(transform, &mut residue);
                worlds.get_mut(index).into_iter().for_each(|slot| *slot = world);
            }
        }
        residue.report(subject, losses);
        let secs = |tick: usize| (tick as f64 / f64::from(self.rate)) as f32;
        let times: Vec<f32> = (0..ticks).map(secs).collect();
        Clip {
            duration_secs: (last - first) as f64 / f64::from(self.rate),
            tracks: movers.into_iter().flat_map(|mover| mover.keys.tracks(mover.node, &times)).collect(),
            frame_rate: Some(self.rate as f32),
            ..Clip::default()
        }
    }

    /// The local transform of a node, for the world transform of its parent.
    fn transform(&self, tree: &Tree, mover: &Mover<'_>, above: Mat4, tick: usize, residue: &mut Residue) -> Mat4 {
        let stored = mover.matrices.and_then(|matrices| matrices.get(tick)).map(|stored| matrix(stored, self.order));
        let is_weighted = tree.is_weighted.get(mover.node).copied().unwrap_or(false);
        let world = match (self.meaning, stored) {
            (AnimationMatrices::Local, Some(stored)) => return stored,
            (_, Some(skinning)) if is_weighted => skinning * tree.mesh_from_joint(mover.node),
            (_, Some(world)) => world,
            (_, None) => tree.globals.get(mover.node).copied().unwrap_or_default(),
        };
        let transform = above.inverse() * world;
        if transform.is_finite() {
            return transform;
        }
        residue.lost += 1;
        tree.locals.get(mover.node).copied().unwrap_or_default()
    }

    /// The nodes that get curves, parents first.
    fn movers(&self, tree: &Tree) -> Vec<Mover<'_>> {
        let mut matrices: Vec<Option<&[Matrix]>> = vec![None; tree.locals.len()];
        for (node, of_node) in &self.bones {
            matrices.get_mut(*node).into_iter().for_each(|slot| *slot = Some(of_node));
        }
        let mut movers: Vec<Mover<'_>> = Vec::new();
        // For each node the mover above it or at it, and from its space to that mover's.
        let mut anchors: Vec<(Option<usize>, Mat4)> = Vec::with_capacity(tree.locals.len());
        for (node, local) in tree.locals.iter().enumerate() {
            let parent = tree.parents.get(node).copied().flatten();
            let above = parent.and_then(|parent| anchors.get(parent)).copied().unwrap_or((None, Mat4::IDENTITY));
            let of_node = matrices.get(node).copied().flatten();
            let is_carried =
                above.0.and_then(|anchor| movers.get(anchor)).is_some_and(|mover| mover.matrices.is_some());
            let is_held = self.meaning == AnimationMatrices::Skinning
                && is_carried
                && tree.is_weighted.get(node).copied().unwrap_or(false);
            if of_node.is_none() && !is_held {
                anchors.push((above.0, above.1 * *local));
                continue;
            }
            anchors.push((Some(movers.len()), Mat4::IDENTITY));
            movers.push(Mover { node, matrices: of_node, above, keys: Trail::default() });
        }
        movers
    }
}

impl Trail {
    /// Adds a key, and gives what it holds of the matrix.
    fn push(&mut self, transform: Mat4, residue: &mut Residue) -> Mat4 {
        let mut trs = decompose(transform);
        // Of the two quaternions of a rotation, the one nearer to the key before.
        if self.rotations.last().is_some_and(|&before| Quat::from_array(before).dot(trs.rotation) < 0.0) {
            trs.rotation = -trs.rotation;
        }
        self.translations.push(trs.translation.to_array());
        self.rotations.push(trs.rotation.to_array());
        self.scales.push(trs.scale.to_array());
        let held = trs.matrix();
        residue.measure(transform, held, trs.scale);
        held
    }

    /// A track for each part; a part that stays as it is has one key.
    fn tracks(self, node: usize, times: &[f32]) -> [Track; 3] {
        let track = |curve| Track { target: Target::Node(Handle::from_index(node)), curve, blend: None };
        [
            track(Curve::Translation(keys(self.translations, times))),
            track(Curve::Rotation(keys(self.rotations, times))),
            track(Curve::Scale(keys(self.scales, times))),
        ]
    }
}

fn keys<T: PartialEq>(mut values: Vec<T>, times: &[f32]) -> Keys<T> {
    if values.windows(2).all(|pair| matches!(pair, [before, after] if before == after)) {
        values.truncate(1);
    }
    let times_secs = times.iter().copied().take(values.len()).collect();
    Keys { times_secs, values, interpolation: Interpolation::Linear }
}

impl Residue {
    fn measure(&mut self, transform: Mat4, held: Mat4, scale: Vec3) {
        let largest = scale.abs().max_element();
        let off = |(a, b): (Vec4, Vec4)| (a - b).abs().max_element();
        let axes = [(transform.x_axis, held.x_axis), (transform.y_axis, held.y_axis), (transform.z_axis, held.z_axis)];
        let error = axes.into_iter().map(off).fold(0.0, f32::max) / largest.max(f32::MIN_POSITIVE);
        if error > SHEAR_TOLERANCE {
            self.sheared += 1;
            self.largest = self.largest.max(error);
        }
    }

    fn report(&self, subject: &str, losses: &mut LossReport) {
        let detail =
            format!("matrices are no translation, rotation and scale; up to {} of their size is lost", self.largest);
        losses.push(LossKind::Approximated { max_error: self.largest }, Lost::Shear, subject, detail, self.sheared);
        let detail = "a node above has no size, so that no transform under it can be told; they are at rest there";
        losses.dropped(Lost::Keys, subject, detail, self.lost);
    }
}

/// The parts of a matrix. An axis of length 0 is given a direction that goes with the others.
fn decompose(matrix: Mat4) -> Trs {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec4::truncate);
    let mut scale = Vec3::new(x.length(), y.length(), z.length());
    if !scale.is_finite() {
        // Numbers so large that their squares are not.
        return Trs::from_matrix(matrix);
    }
    let is_mirrored = x.dot(y.cross(z)) < 0.0;
    if is_mirrored {
        scale.x = -scale.x;
    }
    let x = if is_mirrored { -x } else { x };
    let axes = match [x, y, z].map(Vec3::try_normalize) {
        [Some(x), Some(y), Some(z)] => [x, y, z],
        [None, Some(y), Some(z)] => [y.cross(z), y, z],
        [Some(x), None, Some(z)] => [x, z.cross(x), z],
        [Some(x), Some(y), None] => [x, y, x.cross(y)],
        [Some(x), None, None] => {
            let (y, z) = x.any_orthonormal_pair();
            [x, y, z]
        }
        [None, Some(y), None] => {
            let (z, x) = y.any_orthonormal_pair();
            [x, y, z]
        }
        [None, None, Some(z)] => {
            let (x, y) = z.any_orthonormal_pair();
            [x, y, z]
        }
        [None, None, None] => [Vec3::X, Vec3::Y, Vec3::Z],
    };
    let [x, y, z] = axes;
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize();
    let rotation = if rotation.is_finite() { rotation } else { Quat::IDENTITY };
    Trs { translation: matrix.w_axis.truncate(), rotation, scale }
}
