//! The tree of nodes: ids, matrices, the meshes it draws, its depth.

use super::super::ids::IdSet;
use super::super::raw::File;
use super::{
    MESH_SHARED, MESH_UNUSED, NODE_DEGENERATE, NODE_ID_ORDER, NODE_ID_TWICE, NODE_MESH, NODE_NOT_AFFINE,
    NODE_NOT_FINITE, NODES_DEEP, TOO_MANY_BONES, Tallies,
};
use crate::rules::index_into;
use crate::rules::matrices::{self, MatrixCodes};
use maquette_scene::{Diagnostic, Path, Report, path};

/// How deep nodes may be nested before a loader that calls itself for each level is in danger.
const SAFE_DEPTH: usize = 256;
/// How many matrices the engine hands to the GPU.
const ENGINE_BONES: usize = 128;

pub(super) fn check(file: &File<'_>, report: &mut Report) {
    if file.dialect.stores_ids() {
        ids(file, report);
    }
    node_matrices(file, report);
    meshes(file, report);
    if let Some((index, depth)) = file.depths().into_iter().enumerate().find(|&(_, depth)| depth > SAFE_DEPTH) {
        let message = format!("the node lies {depth} levels below the root");
        let finding = Diagnostic::new(&NODES_DEEP, path!("nodes", index), message);
        report.push(finding.expected(format!("at most {SAFE_DEPTH}")));
    }
    let bones = file.joint_ids().len();
    if bones > ENGINE_BONES {
        let message = format!("{bones} nodes have weights or are animated");
        let finding = Diagnostic::new(&TOO_MANY_BONES, path!("nodes"), message);
        report.push(finding.expected(format!("at most {ENGINE_BONES}")));
    }
}

fn ids(file: &File<'_>, report: &mut Report) {
    let mut tallies = Tallies::default();
    let mut seen = IdSet::expecting(file.nodes.len());
    for (index, node) in file.nodes.iter().enumerate() {
        let at = || path!("nodes", index, "id");
        if !seen.insert(node.id) {
            tallies.hit(report, &NODE_ID_TWICE, || {
                (at(), format!("an earlier node has the id {} as well", node.id), "an id of its own".into())
            });
        } else if node.id as usize != index {
            tallies.hit(report, &NODE_ID_ORDER, || (at(), format!("the id is {}", node.id), index.to_string()));
        }
    }
    tallies.finish(report);
}

fn node_matrices(file: &File<'_>, report: &mut Report) {
    let codes =
        MatrixCodes { not_finite: &NODE_NOT_FINITE, not_affine: &NODE_NOT_AFFINE, degenerate: &NODE_DEGENERATE };
    let (order, _) = file.matrix_order();
    // A path is worth making only for a matrix that something is wrong with; a trial without one tells.
    let mut trial = Report::default();
    for (index, node) in file.nodes.iter().enumerate() {
        matrices::matrix(&mut trial, &codes, Path::default(), &node.matrix, order);
        if !trial.items().is_empty() {
            matrices::matrix(report, &codes, path!("nodes", index, "matrix"), &node.matrix, order);
            trial = Report::default();
        }
    }
}

fn meshes(file: &File<'_>, report: &mut Report) {
    let mut tallies = Tallies::default();
    let mut drawn = vec![0u64; file.meshes.len()];
    for (index, node) in file.nodes.iter().enumerate() {
        for (slot, id) in node.mesh_ids.iter().enumerate() {
            let at = || path!("nodes", index, "mesh_ids", slot);
            match drawn.get_mut(id.get() as usize) {
                None => tallies.hit(report, &NODE_MESH, || {
                    (at(), format!("the mesh is {id}"), index_into(file.meshes.len(), "meshes"))
                }),
                Some(times) => {
                    *times += 1;
                    if *times > 1 {
                        tallies.hit(report, &MESH_SHARED, || {
                            (at(), format!("mesh {id} was drawn before"), "each mesh once".into())
                        });
                    }
                }
            }
        }
    }
    for (index, _) in drawn.iter().enumerate().filter(|(_, times)| **times == 0) {
        tallies.hit(report, &MESH_UNUSED, || {
            (path!("meshes", index), format!("no node draws mesh {index}"), "a node that does".into())
        });
    }
    tallies.finish(report);
}
