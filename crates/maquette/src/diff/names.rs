//! Names of joints, of other nodes, of meshes.

use super::Found;
use maquette_scene::Scene;
use std::collections::BTreeSet;

type Names = BTreeSet<String>;

/// Compares the names of what both scenes have.
pub fn compare(a: &Scene, b: &Scene, found: &mut Found) {
    let meshes = |scene: &Scene| {
        let drawn = scene.nodes.iter().filter_map(|node| node.mesh);
        drawn.filter_map(|mesh| Some(scene.meshes.get(mesh)?.name.clone())).collect::<Names>()
    };
    let ((joints_a, others_a), (joints_b, others_b)) = (nodes(a), nodes(b));
    let rows =
        [("joint names", joints_a, joints_b), ("node names", others_a, others_b), ("mesh names", meshes(a), meshes(b))];
    for (what, a, b) in rows {
        let only = |these: &Names, those: &Names| {
            let names = these.difference(those).filter(|name| !name.is_empty());
            names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
        };
        found.unequal(what, "", only(&a, &b), only(&b, &a));
    }
}

/// The names of joints and of all other nodes.
fn nodes(scene: &Scene) -> (Names, Names) {
    let joints: BTreeSet<_> = scene.skins.iter().flat_map(|skin| &skin.joints).collect();
    let (mut of_joints, mut of_others) = (Names::new(), Names::new());
    for (handle, node) in scene.nodes.entries() {
        let names = if joints.contains(&handle) { &mut of_joints } else { &mut of_others };
        names.insert(node.name.clone());
    }
    (of_joints, of_others)
}
