//! Where joints stand in the file, so that its readers find the bind pose there.
//!
//! BMW stores no inverse bind matrices: a joint's rest transform is where its vertices are bound. Where the scene's inverse bind matrices
//! differ from that by one transform for all joints of a skin, as with most models, the vertices are moved by it and the nodes stay.
//! Joints that differ otherwise are put where they were bound; the rest pose is then found in the clips only.

use super::meshes::Usage;
use super::tree::Tree;
use maquette_scene::glam::{Mat4, Vec4};
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::scene::Skin;
use std::collections::HashMap;

/// How far two matrices may be apart to be taken for the same, as a part of what went into them.
const TOLERANCE: f32 = 4e-6;

/// The nodes of the file at rest.
pub(super) struct Bind {
    /// For each skin, what its vertices are moved by.
    pub shifts: Vec<Option<Mat4>>,
    /// Node space to parent space, by position.
    pub locals: Vec<Mat4>,
    /// Node space to model space, by position.
    pub globals: Vec<Mat4>,
    /// Whether the node stands elsewhere than in the scene, by position.
    pub is_moved: Vec<bool>,
}

impl Bind {
    pub fn new(tree: &Tree<'_>, usage: &Usage, losses: &mut LossReport) -> Bind {
        let mut bound_at: HashMap<usize, Mat4> = HashMap::new();
        let mut shifts = Vec::with_capacity(tree.scene.skins.len());
        if !usage.dialect.stores_ids() {
            losses.dropped(Lost::Skins, "the model", "this dialect has no bone weights", tree.scene.skins.len() as u64);
        }
        for (index, skin) in tree.scene.skins.iter().enumerate() {
            let used = usage.joints.get(index).filter(|_| usage.dialect.stores_ids());
            let subject = subject("skin", index, &skin.name);
            shifts.push(used.and_then(|used| bind(tree, skin, used, &subject, &mut bound_at, losses)));
        }
        let mut bind = Bind { shifts, locals: Vec::new(), globals: Vec::new(), is_moved: Vec::new() };
        for (id, parent) in tree.parents.iter().enumerate() {
            bind.push(tree, id, *parent, bound_at.get(&id).copied());
        }
        bind
    }

    fn push(&mut self, tree: &Tree<'_>, id: usize, parent: Option<usize>, transform: Option<Mat4>) {
        let above = parent.and_then(|parent| self.globals.get(parent)).copied().unwrap_or(Mat4::IDENTITY);
        let as_it_is = above * tree.local(id);
        let moved =
            transform.filter(|transform| !near(*transform, as_it_is, 1.0 + size(*transform))).and_then(|transform| {
                let local = above.inverse() * transform;
                local.is_finite().then_some(local)
            });
        let local = moved.unwrap_or_else(|| tree.local(id));
        self.locals.push(local);
        self.globals.push(above * local);
        self.is_moved.push(moved.is_some());
    }
}

/// Finds what the vertices of a skin are moved by, and where its joints are bound after that.
fn bind(
    tree: &Tree<'_>,
    skin: &Skin,
    used: &[bool],
    subject: &str,
    bound_at: &mut HashMap<usize, Mat4>,
    losses: &mut LossReport,
) -> Option<Mat4> {
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh).zip(used).filter(|(_, used)| **used);
    let mut joints: Vec<(usize, Mat4)> =
        joints.filter_map(|((&joint, &inverse_bind), _)| Some((tree.id(joint)?, inverse_bind))).collect();
    joints.sort_by_key(|(id, _)| *id);
    let spare = skin.joints.len() - joints.len();
    losses.dropped(Lost::Joints, subject, "joints that move no vertex are nodes and nothing more", spare as u64);
    let shift = joints.first().map_or(Mat4::IDENTITY, |(id, inverse_bind)| tree.rest(*id) * *inverse_bind);
    let (mut moved, mut torn, mut flat, mut largest) = (0, 0, 0, 0.0f32);
    let mut shift_scale = 1.0;
    for (at, (id, inverse_bind)) in joints.into_iter().enumerate() {
        let rest = tree.rest(id);
        let scale = 1.0 + size(rest) * size(inverse_bind);
        if at == 0 {
            shift_scale = scale;
        }
        let bound = shift * inverse_bind.inverse();
        flat += u64::from(!bound.is_finite());
        let is_at_rest = !bound.is_finite() || near(rest * inverse_bind, shift, scale);
        moved += u64::from(!is_at_rest);
        let transform = if is_at_rest { rest } else { bound };
        let known = *bound_at.entry(id).or_insert(transform);
        if !near(known, transform, scale + size(transform)) {
            torn += 1;
            largest = largest.max(distance(known, transform));
        }
    }
    let detail = "joints are not at rest where they were bound: without a clip they stand as bound";
    losses.dropped(Lost::RestPoses, subject, detail, moved);
    losses.dropped(Lost::BindPoses, subject, "matrices without an inverse; the joints are bound as they rest", flat);
    let detail = format!("another skin binds the same joints elsewhere, up to {largest} away");
    losses.push(LossKind::Approximated { max_error: largest }, Lost::BindPoses, subject, detail, torn);
    (!near(shift, Mat4::IDENTITY, shift_scale)).then_some(shift)
}

fn near(a: Mat4, b: Mat4, scale: f32) -> bool {
    distance(a, b) <= TOLERANCE * scale
}

fn columns(matrix: Mat4) -> [Vec4; 4] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis]
}

fn distance(a: Mat4, b: Mat4) -> f32 {
    columns(a).into_iter().zip(columns(b)).map(|(a, b)| (a - b).abs().max_element()).fold(0.0, f32::max)
}

fn size(matrix: Mat4) -> f32 {
    columns(matrix).into_iter().map(|column| column.abs().max_element()).fold(0.0, f32::max)
}
