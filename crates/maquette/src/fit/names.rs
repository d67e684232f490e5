//! Names that fit: cut between characters, kept apart, and every change named.

use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use std::collections::HashSet;

/// Cuts names of nodes and clips to `most` bytes and makes those of joints and of clips unique again.
pub fn shorten(scene: &mut Scene, most: usize, losses: &mut LossReport) {
    let mut taken = HashSet::new();
    let joints: HashSet<usize> =
        scene.skins.iter().flat_map(|skin| skin.joints.iter().map(|joint| joint.index())).collect();
    for (index, node) in scene.nodes.iter_mut().enumerate().filter(|(index, _)| joints.contains(index)) {
        let whose = subject("joint", index, &node.name);
        shorten_one(&mut node.name, most, &mut taken, (Lost::NodeNames, &whose), losses);
    }
    let mut taken = HashSet::new();
    for (index, clip) in scene.clips.iter_mut().enumerate() {
        let whose = subject("clip", index, &clip.name);
        shorten_one(&mut clip.name, most, &mut taken, (Lost::ClipNames, &whose), losses);
    }
}

fn shorten_one(
    name: &mut String,
    most: usize,
    taken: &mut HashSet<String>,
    (what, subject): (Lost, &str),
    losses: &mut LossReport,
) {
    let plain = name.replace('\0', "");
    let mut fitting = plain.get(..plain.floor_char_boundary(most)).unwrap_or_default().to_owned();
    let mut attempt = 2;
    // Only names that had to be changed are kept apart: equal ones in the source stay equal.
    while fitting != *name && taken.contains(&fitting) {
        let ending = format!("~{attempt}");
        let room = plain.floor_char_boundary(most.saturating_sub(ending.len()));
        fitting = format!("{}{ending}", plain.get(..room).unwrap_or_default());
        attempt += 1;
    }
    if fitting != *name {
        losses.push(LossKind::Renamed, what, subject, format!("{name:?} is now {fitting:?}"), 1);
        *name = fitting.clone();
    }
    taken.insert(fitting);
}
