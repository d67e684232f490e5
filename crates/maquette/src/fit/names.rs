//! Names that fit: cut between characters, kept apart, and every change named.

use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use std::collections::{HashMap, HashSet};

/// Cuts names of nodes and clips to `most` bytes and makes those of joints and of clips unique again.
pub fn shorten(scene: &mut Scene, most: usize, losses: &mut LossReport) {
    let mut names = Names { most, ..Names::default() };
    let joints: HashSet<usize> =
        scene.skins.iter().flat_map(|skin| skin.joints.iter().map(|joint| joint.index())).collect();
    for (index, node) in scene.nodes.iter_mut().enumerate().filter(|(index, _)| joints.contains(index)) {
        let whose = subject("joint", index, &node.name);
        names.shorten(&mut node.name, (Lost::NodeNames, &whose), losses);
    }
    let mut names = Names { most, ..Names::default() };
    for (index, clip) in scene.clips.iter_mut().enumerate() {
        let whose = subject("clip", index, &clip.name);
        names.shorten(&mut clip.name, (Lost::ClipNames, &whose), losses);
    }
}

#[derive(Default)]
struct Names {
    most: usize,
    taken: HashSet<String>,
    /// For a name that more than one was cut to, the number after the last that was given.
    numbers: HashMap<String, u32>,
}

impl Names {
    fn shorten(&mut self, name: &mut String, (what, subject): (Lost, &str), losses: &mut LossReport) {
        let plain = name.replace('\0', "");
        let cut = plain.get(..plain.floor_char_boundary(self.most)).unwrap_or_default();
        let mut fitting = cut.to_owned();
        // Only names that had to be changed are kept apart: equal ones in the source stay equal.
        while fitting != *name && self.taken.contains(&fitting) {
            let number = self.numbers.entry(cut.to_owned()).or_insert(2);
            let ending = format!("~{number}");
            let room = plain.floor_char_boundary(self.most.saturating_sub(ending.len()));
            fitting = format!("{}{ending}", plain.get(..room).unwrap_or_default());
            *number += 1;
        }
        if fitting != *name {
            losses.push(LossKind::Renamed, what, subject, format!("{name:?} is now {fitting:?}"), 1);
            *name = fitting.clone();
        }
        self.taken.insert(fitting);
    }
}
