//! No more joints to a vertex than the format holds, with weights as it wants them: the heaviest stay, and share the weight of the others.
//!
//! What that does is measured where it shows: how far the worst vertex of a mesh moves over all clips.

use super::deviation::{largest_moves, moving_part_of};
use maquette_formats::format::Caps;
use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Influences, Mesh, Primitive};

/// A sum of weights that is no further from 1 is 1.
const ROUNDING: f32 = 1e-5;

/// Makes every part have exactly as many slots as the format holds, where it says how many, and weights sum up to 1, where it wants them to.
pub fn limit(scene: &mut Scene, caps: &Caps, losses: &mut LossReport) {
    let most = caps.influences.map(|most| most as usize);
    match most {
        Some(0) => return drop_all(scene, losses),
        None if !caps.unit_weights => return,
        _ => {}
    }
    let mut changed = Vec::new();
    let mut as_they_were = Vec::new();
    for mesh in scene.meshes.iter_mut() {
        let (mut cut, mut scaled) = (0, 0);
        for influences in influences_of(mesh) {
            let limited = Limited::new(influences, most, caps);
            cut += limited.cut;
            scaled += limited.scaled;
            as_they_were.push(std::mem::replace(influences, limited.influences));
        }
        changed.push((cut, scaled));
    }
    if changed.iter().all(|counts| *counts == (0, 0)) {
        return;
    }
    let mut before = moving_part_of(scene);
    for (influences, old) in before.meshes.iter_mut().flat_map(influences_of).zip(as_they_were) {
        *influences = old;
    }
    let moves = largest_moves(&before, scene);
    for (((index, mesh), moved), (cut, scaled)) in scene.meshes.iter().enumerate().zip(moves).zip(changed) {
        let whose = subject("mesh", index, &mesh.name);
        let kind = LossKind::Approximated { max_error: moved };
        let detail = format!("cut to the {} heaviest; the worst vertex moves by {moved}", most.unwrap_or_default());
        losses.push(kind, Lost::Influences, &whose, detail, cut);
        let detail = format!("weights made to sum up to 1; the worst vertex moves by {moved}");
        losses.push(kind, Lost::Influences, &whose, detail, scaled);
    }
}

/// Takes all influences away, for dialects that have none.
fn drop_all(scene: &mut Scene, losses: &mut LossReport) {
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let drop =
            |primitive: &mut Primitive| primitive.streams.influences.take().map_or(0, |_| primitive.streams.len());
        let vertices: usize = mesh.primitives.iter_mut().map(drop).sum();
        let whose = subject("mesh", index, &mesh.name);
        losses.dropped(
            Lost::Influences,
            whose,
            "the format holds none; the mesh stays as it was bound",
            vertices as u64,
        );
    }
}

fn influences_of(mesh: &mut Mesh) -> impl Iterator<Item = &mut Influences> {
    mesh.primitives.iter_mut().filter_map(|primitive| primitive.streams.influences.as_mut())
}

/// Influences within limits, and how many vertices had to be changed for it.
struct Limited {
    influences: Influences,
    cut: u64,
    scaled: u64,
}

impl Limited {
    fn new(influences: &Influences, most: Option<usize>, caps: &Caps) -> Limited {
        let most = most.unwrap_or(influences.slots);
        let vertices = influences.weights.len().checked_div(influences.slots).unwrap_or(0);
        let mut limited =
            Limited { influences: Influences { slots: most, ..Influences::default() }, cut: 0, scaled: 0 };
        let mut used: Vec<(u32, f32)> = Vec::new();
        for vertex in 0..vertices {
            used.clear();
            used.extend(influences.of(vertex));
            let before = used.len();
            if caps.unit_weights {
                // Weights that sum up to 1 are shares, and no share is less than nothing.
                used.retain(|(_, weight)| *weight > 0.0);
            }
            let total: f32 = used.iter().map(|(_, weight)| weight).sum();
            let mut wanted = total;
            let is_scaled = caps.unit_weights && total > 0.0 && (total - 1.0).abs() > ROUNDING;
            limited.scaled += u64::from(is_scaled || used.len() < before);
            if is_scaled {
                wanted = 1.0;
            }
            if used.len() > most {
                limited.cut += 1;
                used.sort_by(|a, b| b.1.total_cmp(&a.1));
                used.truncate(most);
            }
            let kept: f32 = used.iter().map(|(_, weight)| weight).sum();
            if kept != wanted && kept != 0.0 {
                used.iter_mut().for_each(|(_, weight)| *weight *= wanted / kept);
            }
            used.resize(most, (0, 0.0));
            limited.influences.joints.extend(used.iter().map(|(joint, _)| joint));
            limited.influences.weights.extend(used.iter().map(|(_, weight)| weight));
        }
        limited
    }
}
