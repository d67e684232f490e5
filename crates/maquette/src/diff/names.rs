//! Names of nodes, joints among them, and of meshes.

use super::Found;
use maquette_scene::Scene;
use maquette_scene::clip::Target;
use std::collections::BTreeSet;

type Names = BTreeSet<String>;

/// Compares the names of what both scenes have. Names that only the second has are told apart: they are nobody's loss.
pub fn compare(a: &Scene, b: &Scene, found: &mut Found) {
    let rows =
        [("node names", "added nodes", nodes(a), nodes(b)), ("mesh names", "added meshes", meshes(a), meshes(b))];
    for (what, added, a, b) in rows {
        let only = |these: &Names, those: &Names| {
            let names: Vec<_> = these.difference(those).filter(|name| !name.is_empty()).collect();
            (names.len(), names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))
        };
        let ((gone, only_a), (new, only_b)) = (only(&a, &b), only(&b, &a));
        if gone > 0 {
            found.push(what, "", only_a, only_b, Some(gone as f64));
        } else if new > 0 {
            found.push(added, "", "", only_b, Some(new as f64));
        }
    }
}

fn meshes(scene: &Scene) -> Names {
    let drawn = scene.nodes.iter().filter_map(|node| node.mesh);
    drawn.filter_map(|mesh| Some(scene.meshes.get(mesh)?.name.clone())).collect()
}

/// The names of nodes, and those that clips know nodes of other scenes by.
fn nodes(scene: &Scene) -> Names {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let elsewhere = tracks.filter_map(|track| match &track.target {
        Target::Name(name) => Some(name),
        Target::Node(_) => None,
    });
    scene.nodes.iter().map(|node| &node.name).chain(elsewhere).cloned().collect()
}
