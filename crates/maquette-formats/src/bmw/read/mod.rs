//! BMW to a scene.
//!
//! Nodes become nodes with their matrices; the meshes that a node draws become the parts of one scene mesh, which nodes that draw the
//! same meshes share. Inverse bind matrices are stored nowhere: those of the skins are the inverses of the nodes' rest transforms, so
//! that a model without animation is where its vertices are stored. Animation matrices become curves (`motion`); the
//! companion JSON file places the model, replaces its textures and cuts its animation into clips.

mod clips;
mod meshes;
mod motion;
mod surfaces;

use super::check::{NODE_NOT_FINITE, SIDECAR_NOT_JSON};
use super::placement::{self, PREFIX};
use super::raw::{Dialect, File, Matrix};
use super::sidecar::{NAMING, Settings, Sidecar};
use crate::format::{AnimationMatrices, Error, ReadOptions, Result, Source, refuse};
use crate::rules::matrices::MatrixOrder;
use crate::rules::numbers;
use crate::summary::shown;
use maquette_scene::diag::Diagnostic;
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::scene::{Node, Transform};
use maquette_scene::{Handle, Scene, path, valid};
use std::collections::HashMap;
use zerocopy::little_endian::F32;

/// Reads a file into a scene.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    let settings = settings(&options.source, losses);
    let order = options.matrix_order.unwrap_or_else(|| file.matrix_order().0);
    let mut scene = Scene::default();
    let tree = Tree::read(file, order, &mut scene, losses)?;
    let surfaces = surfaces::read(file, &settings, &options.source, &mut scene, losses);
    meshes::read(file, &tree, &surfaces, &mut scene, losses)?;
    let meaning = options.animation_matrices.unwrap_or_else(|| meaning(file.dialect));
    clips::Reader::new(file, &tree, order, meaning, options).read(&settings, &mut scene, losses)?;
    placement::read(&settings, options.source.name, &mut scene, losses);
    if let Some(name) = &settings.default_anim {
        scene.extras.set(PREFIX, "default_anim", serde_json::Value::from(&**name).to_string());
    }
    valid::check(&scene).map_err(|invalid| Error::CannotHold(format!("the file makes no sound scene: {invalid}")))?;
    Ok(scene)
}

/// What the animation matrices of a dialect are.
pub(super) fn meaning(dialect: Dialect) -> AnimationMatrices {
    match dialect.is_engine() {
        true => AnimationMatrices::Skinning,
        false => AnimationMatrices::Local,
    }
}

/// A matrix of the file.
pub(super) fn matrix(elements: &Matrix, order: MatrixOrder) -> Mat4 {
    let columns = Mat4::from_cols_array(&elements.map(F32::get));
    match order {
        MatrixOrder::ColumnMajor => columns,
        MatrixOrder::RowMajor => columns.transpose(),
    }
}

/// What the companion JSON file says; nothing where there is none.
pub(super) fn settings(source: &Source<'_>, losses: &mut LossReport) -> Settings {
    let Some((name, bytes)) = source.companion_or_loss(NAMING, losses) else { return Settings::default() };
    match Sidecar::parse(&bytes) {
        Ok(sidecar) => {
            let count = sidecar.problems.len() as u64;
            let first = sidecar.problems.first().map(|problem| format!("{}: {}", problem.path, problem.message));
            losses.dropped(Lost::FormatDetails, name, first.unwrap_or_default(), count);
            sidecar.settings
        }
        Err(error) => {
            let why = error.diagnostic().map_or(SIDECAR_NOT_JSON.name, |finding| &finding.message);
            losses.dropped(Lost::FormatDetails, name, why, 1);
            Settings::default()
        }
    }
}

/// The nodes of the file, which are the nodes of the scene in the same order.
struct Tree {
    /// The node of an id; the first, where several have it.
    by_id: HashMap<u32, usize>,
    parents: Vec<Option<usize>>,
    /// Node space to parent space, at rest.
    locals: Vec<Mat4>,
    /// Node space to the space of the model, at rest.
    globals: Vec<Mat4>,
    /// The inverses of the global matrices; the identity for those without one.
    inverses: Vec<Mat4>,
    /// Whether the global matrix has an inverse.
    is_sound: Vec<bool>,
    /// Whether vertices are weighted to it.
    is_weighted: Vec<bool>,
}

impl Tree {
    fn read(file: &File<'_>, order: MatrixOrder, scene: &mut Scene, losses: &mut LossReport) -> Result<Tree> {
        let names = names(file, losses);
        let weighted = file.weighted_ids();
        let mut tree = Tree {
            by_id: HashMap::with_capacity(file.nodes.len()),
            parents: file.parents(),
            locals: Vec::with_capacity(file.nodes.len()),
            globals: Vec::with_capacity(file.nodes.len()),
            inverses: Vec::with_capacity(file.nodes.len()),
            is_sound: Vec::with_capacity(file.nodes.len()),
            is_weighted: Vec::with_capacity(file.nodes.len()),
        };
        let (mut repeated, mut unordered) = (0, 0);
        for (index, node) in file.nodes.iter().enumerate() {
            if !numbers::all_finite(&node.matrix) {
                let at = path!("nodes", index, "matrix");
                let finding = Diagnostic::new(&NODE_NOT_FINITE, at, "the matrix holds a NaN or an infinity");
                return Err(refuse(file, finding));
            }
            let is_first = !tree.by_id.contains_key(&node.id);
            tree.by_id.entry(node.id).or_insert(index);
            repeated += u64::from(!is_first);
            unordered += u64::from(node.id as usize != index);
            tree.push(matrix(&node.matrix, order), is_first && weighted.contains(node.id));
            let name = names.get(&node.id).cloned().filter(|_| is_first).unwrap_or_default();
            scene.nodes.push(Node {
                name,
                transform: Transform::Matrix(matrix(&node.matrix, order)),
                ..Node::default()
            });
        }
        for (index, parent) in tree.parents.iter().enumerate() {
            let node = Handle::from_index(index);
            match parent.and_then(|parent| scene.nodes.get_mut(Handle::from_index(parent))) {
                Some(parent) => parent.children.push(node),
                None => scene.roots.push(node),
            }
        }
        let detail = "nodes have the id of an earlier one, which alone is weighted, animated and named";
        losses.dropped(Lost::FormatDetails, "the tree", detail, repeated);
        losses.push(
            LossKind::Renamed,
            Lost::FormatDetails,
            "the tree",
            "ids count up from 0 when it is written",
            unordered,
        );
        Ok(tree)
    }

    fn push(&mut self, local: Mat4, is_weighted: bool) {
        let parent = self.parents.get(self.locals.len()).copied().flatten();
        let above = parent.and_then(|parent| self.globals.get(parent)).copied().unwrap_or(Mat4::IDENTITY);
        let global = above * local;
        let inverse = global.inverse();
        let is_sound = global.is_finite() && inverse.is_finite();
        self.locals.push(local);
        self.globals.push(global);
        self.inverses.push(if is_sound { inverse } else { Mat4::IDENTITY });
        self.is_sound.push(is_sound);
        self.is_weighted.push(is_weighted);
    }

    /// Mesh space to joint space in the bind pose.
    fn joint_from_mesh(&self, node: usize) -> Mat4 {
        self.inverses.get(node).copied().unwrap_or_default()
    }

    /// Joint space to mesh space in the bind pose.
    fn mesh_from_joint(&self, node: usize) -> Mat4 {
        let global = self.globals.get(node).copied().unwrap_or_default();
        if self.is_sound.get(node).copied().unwrap_or(false) { global } else { Mat4::IDENTITY }
    }
}

/// The names of nodes by their ids; the first, where a node has several.
fn names(file: &File<'_>, losses: &mut LossReport) -> HashMap<u32, String> {
    let ids = file.node_ids();
    let mut names = HashMap::with_capacity(file.bone_names.len());
    let (mut lost, mut changed) = (0, 0);
    for bone in &file.bone_names {
        if !ids.contains(bone.node_id) || names.contains_key(&bone.node_id) {
            lost += 1;
            continue;
        }
        changed += u64::from(std::str::from_utf8(&bone.name).is_err());
        names.insert(bone.node_id, shown(&bone.name));
    }
    losses.dropped(Lost::NodeNames, "the tree", "names of no node, or of one that has a name already", lost);
    losses.push(LossKind::Renamed, Lost::NodeNames, "the tree", "names that are not UTF-8", changed);
    names
}
