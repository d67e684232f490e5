//! No more joints to a vertex than the format holds: the heaviest stay, and share the weight of the others.
//!
//! What that does is measured where it shows: how far the worst vertex moves over all clips.

use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::mesh::Influences;
use maquette_scene::pose;

/// Moments of a clip at which the effect is measured.
const MOMENTS: u32 = 16;

/// Cuts influences to `most` slots; makes all parts have exactly that many.
pub fn limit(scene: &mut Scene, most: usize, losses: &mut LossReport) {
    let before = scene.clone();
    let mut cut = 0;
    for mesh in scene.meshes.iter_mut() {
        for part in &mut mesh.parts {
            if let Some(influences) = &mut part.streams.influences {
                cut += limit_part(influences, most, part.streams.positions.len());
            }
        }
    }
    if cut == 0 {
        return;
    }
    let moved = largest_move(&before, scene);
    let detail = format!("cut to the {most} heaviest; the worst vertex moves by {moved}");
    losses.push(LossKind::Approximated { max_error: moved }, Lost::Influences, "the model", detail, cut);
}

/// How many vertices had more.
fn limit_part(influences: &mut Influences, most: usize, vertices: usize) -> u64 {
    let mut cut = 0;
    let mut limited = Influences { slots: most, ..Influences::default() };
    for vertex in 0..vertices {
        let mut used: Vec<(u32, f32)> = influences.of(vertex).collect();
        if used.len() > most {
            cut += 1;
            let total: f32 = used.iter().map(|(_, weight)| weight).sum();
            used.sort_by(|a, b| b.1.total_cmp(&a.1));
            used.truncate(most);
            let kept: f32 = used.iter().map(|(_, weight)| weight).sum();
            used.iter_mut().for_each(|(_, weight)| *weight *= total / kept);
        }
        used.resize(most, (0, 0.0));
        limited.joints.extend(used.iter().map(|(joint, _)| joint));
        limited.weights.extend(used.iter().map(|(_, weight)| weight));
    }
    *influences = limited;
    cut
}

fn largest_move(before: &Scene, after: &Scene) -> f32 {
    let distance = |a: Vec<_>, b: Vec<_>| {
        a.iter().zip(&b).map(|(a, b): (&maquette_scene::glam::Vec3, _)| a.distance(*b)).fold(0.0, f32::max)
    };
    let mut largest = distance(pose::positions_at_rest(before), pose::positions_at_rest(after));
    for (clip, same) in before.clips.iter().zip(&after.clips) {
        for moment in 0..=MOMENTS {
            let secs = clip.duration_secs as f32 * moment as f32 / MOMENTS as f32;
            largest =
                largest.max(distance(pose::positions_at(before, clip, secs), pose::positions_at(after, same, secs)));
        }
    }
    largest
}
