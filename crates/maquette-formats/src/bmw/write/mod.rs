//! A scene to BMW.
//!
//! Each part becomes a mesh, each node a node whose id is its position. Matrices are written column by column, unless the file would then
//! be taken for the other order: a file in the document's order without any translation counts as row-major. What the format has
//! in its JSON file, the placement of the model and the names of clips, goes there.

mod bind;
mod meshes;
mod motion;
mod surfaces;
mod tree;

use super::placement::PREFIX;
use super::raw::{BoneName, Dialect, File, HEADER, Matrix, Node};
use super::sidecar::{NAMING, Settings};
use crate::format::{Bundle, Error, Fitted, Result, WriteOptions};
use crate::rules::matrices::MatrixOrder;
use bind::Bind;
use maquette_scene::Scene;
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use meshes::Usage;
use std::borrow::Cow;
use tree::Tree;

/// Writes a fitted scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let tree = Tree::new(scene, losses)?;
    let mut usage = Usage::new(&tree, dialect, losses);
    let bind = Bind::new(&tree, &usage, losses);
    let meshes = usage.meshes(&tree, &bind, losses)?;
    // The engine gives the first texture to the first mesh, so that those without any come last.
    let meshes = usage.put_first(meshes, |material| surfaces::base_colour(scene, material).is_some());
    let (meshes, of_meshes): (Vec<_>, Vec<_>) = meshes.into_iter().unzip();
    let surfaces = surfaces::write(scene, &of_meshes, options, losses);
    let mut file = File {
        dialect,
        evidence: "made as such".into(),
        fitting: vec![dialect],
        header: Cow::Borrowed(HEADER),
        materials: surfaces.materials,
        meshes,
        nodes: nodes(&tree, &bind, &usage),
        animations: Vec::new(),
        bone_names: bone_names(&tree, dialect, losses),
        trailing: Cow::default(),
    };
    let weighted = file.weighted_ids();
    let is_weighted: Vec<bool> = (0..tree.nodes.len()).map(|id| weighted.contains(id as u32)).collect();
    let motion = motion::write(&tree, &bind, &is_weighted, dialect, losses)?;
    file.animations = motion.animations;
    orient(&mut file, losses);
    report(scene, losses);
    let mut companions = Vec::new();
    let settings = Settings { clips: motion.clips, ..settings(&tree) };
    if settings != Settings::default() {
        companions.push((NAMING, settings.to_json().into_bytes()));
    }
    companions.extend(surfaces.images);
    Ok(Bundle { main: file.encode(), companions })
}

fn cannot(why: impl Into<String>) -> Error {
    Error::CannotHold(why.into())
}

fn nodes(tree: &Tree<'_>, bind: &Bind, usage: &Usage) -> Vec<Node<'static>> {
    let node = |(id, (local, &child_count)): (usize, (&Mat4, &u32))| Node {
        id: id as u32,
        matrix: local.to_cols_array().map(Into::into),
        mesh_ids: Cow::Owned(usage.mesh_ids(tree, id)),
        child_count,
    };
    bind.locals.iter().zip(&tree.child_counts).enumerate().map(node).collect()
}

/// The names of the nodes that have one, in the dialect that has room for them. A NUL ends a name.
fn bone_names(tree: &Tree<'_>, dialect: Dialect, losses: &mut LossReport) -> Vec<BoneName<'static>> {
    let named = (0..tree.nodes.len()).filter_map(|id| Some((id, &*tree.node(id)?.name)));
    let named: Vec<(usize, &str)> = named.filter(|(_, name)| !name.is_empty()).collect();
    if dialect != Dialect::Engine {
        let detail = format!("the dialect {} has none", dialect.id());
        losses.dropped(Lost::NodeNames, "the scene", detail, named.len() as u64);
        return Vec::new();
    }
    let cut = named.iter().filter(|(_, name)| name.contains('\0')).count() as u64;
    losses.push(LossKind::Truncated, Lost::NodeNames, "the scene", "names end at a NUL", cut);
    let text = |name: &str| name.split('\0').next().unwrap_or_default().as_bytes().to_vec();
    named.into_iter().map(|(id, name)| BoneName { node_id: id as u32, name: Cow::Owned(text(name)) }).collect()
}

/// Turns all matrices over if their order would be taken for the other.
fn orient(file: &mut File<'_>, losses: &mut LossReport) {
    if file.matrix_order().0 == MatrixOrder::ColumnMajor {
        return;
    }
    let turn = |matrix: &mut Matrix| *matrix = transposed(matrix);
    file.nodes.iter_mut().for_each(|node| turn(&mut node.matrix));
    for bone in file.animations.iter_mut().flat_map(|animation| &mut animation.bones) {
        bone.matrices.to_mut().iter_mut().for_each(turn);
    }
    let is_unclear = file.matrix_order().0 != MatrixOrder::RowMajor;
    let detail = "matrices that are not affine hide it; they are row-major";
    losses.dropped(Lost::FormatDetails, "the model", detail, u64::from(is_unclear));
}

fn transposed(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &Matrix) -> Matrix {
    [a, e, i, m, b, f, j, n, c, g, k, o, d, h, l, p]
}

/// What the JSON file says besides the clips.
fn settings(tree: &Tree<'_>) -> Settings {
    let placed = tree.placement.as_ref().map(|(_, settings)| settings.clone()).unwrap_or_default();
    let default_anim = tree.scene.extras.get(PREFIX, "default_anim");
    let default_anim = default_anim.and_then(|text| serde_json::from_str(text).ok());
    Settings { default_anim, ..placed }
}

/// Reports what the format has no place for at all.
fn report(scene: &Scene, losses: &mut LossReport) {
    let named = scene.meshes.iter().filter(|mesh| !mesh.name.is_empty()).count() as u64;
    losses.dropped(Lost::MeshNames, "the scene", "the format has none", named);
    let named = scene.skins.iter().filter(|skin| !skin.name.is_empty()).count() as u64;
    losses.dropped(Lost::MeshNames, "the scene", "those of skins", named);
}
