//! Takes away what a format has no place for.

use maquette_formats::format::Caps;
use maquette_scene::clip::Curve;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::mesh::{Mesh, Primitive, Topology};
use maquette_scene::{Arena, Handle, Scene};
use std::collections::HashMap;

/// Drops streams, targets, lines and clips beyond the format's limits.
pub fn drop_what_cannot_be_held(scene: &mut Scene, caps: &Caps, losses: &mut LossReport) {
    drop_clips(scene, caps, losses);
    if !caps.morph_targets {
        drop_morph_tracks(scene, losses);
    }
    if !caps.meshes {
        drop_model(scene, caps, losses);
        return;
    }
    if !caps.morph_targets {
        give_shapes_to_meshes(scene);
    }
    for (index, mesh) in scene.meshes.iter_mut().enumerate() {
        let subject = subject("mesh", index, &mesh.name);
        if !caps.morph_targets {
            drop_morph_targets(mesh, &subject, losses);
        }
        for primitive in &mut mesh.primitives {
            drop_streams(primitive, caps, &subject, losses);
        }
        if !caps.lines {
            let lines: usize = mesh
                .primitives
                .iter()
                .filter(|primitive| primitive.topology == Topology::Lines)
                .map(|primitive| primitive.indices.len() / 2)
                .sum();
            losses.dropped(Lost::Lines, &subject, format!("{lines} line segments"), lines as u64);
            mesh.primitives.retain(|primitive| primitive.topology == Topology::Triangles);
        }
    }
}

/// Drops what is drawn, for formats of clips alone or materials alone. Nothing more is said of meshes that are gone.
fn drop_model(scene: &mut Scene, caps: &Caps, losses: &mut LossReport) {
    let why = "the format holds none";
    losses.dropped(Lost::Meshes, "the model", why, scene.meshes.len() as u64);
    scene.meshes = Arena::default();
    for node in scene.nodes.iter_mut() {
        (node.mesh, node.skin) = (None, None);
        node.morph_weights.clear();
    }
    if !caps.materials {
        losses.dropped(Lost::Materials, "the model", why, scene.materials.len() as u64);
        losses.dropped(Lost::Images, "the model", why, scene.images.len() as u64);
        (scene.materials, scene.images) = (Arena::default(), Arena::default());
    }
    if caps.joints {
        let hung: usize = scene.nodes.iter().map(|node| node.children.len()).sum();
        losses.dropped(Lost::Hierarchy, "the skeleton", "the format holds keys alone", hung as u64);
        let bound: usize = scene.skins.iter().map(|skin| skin.joints.len()).sum();
        losses.dropped(Lost::BindPoses, "the skeleton", "the format holds keys alone", bound as u64);
    } else {
        losses.dropped(Lost::Skins, "the model", why, scene.skins.len() as u64);
        losses.dropped(Lost::Nodes, "the model", why, scene.nodes.len() as u64);
        (scene.skins, scene.nodes, scene.roots) = (Arena::default(), Arena::default(), Vec::new());
    }
}

fn drop_clips(scene: &mut Scene, caps: &Caps, losses: &mut LossReport) {
    if let Some(most) = caps.clips {
        let rest = scene.clips.iter().enumerate().skip(most as usize);
        let names: Vec<String> = rest.map(|(index, clip)| subject("clip", index, &clip.name)).collect();
        losses.dropped(Lost::Clips, "the model", names.join(", "), names.len() as u64);
        scene.clips = scene.clips.iter().take(most as usize).cloned().collect();
    }
}

fn drop_streams(primitive: &mut Primitive, caps: &Caps, subject: &str, losses: &mut LossReport) {
    let streams = &mut primitive.streams;
    let most = caps.uv_sets as usize;
    losses.dropped(
        Lost::UvSets,
        subject,
        format!("sets from {most} on"),
        streams.uvs.len().saturating_sub(most) as u64,
    );
    streams.uvs.truncate(most);
    let colours = usize::from(caps.colours);
    let detail = if colours == 0 { "the format has none" } else { "the format has one set" };
    losses.dropped(Lost::VertexColours, subject, detail, streams.colours.len().saturating_sub(colours) as u64);
    streams.colours.truncate(colours);
    if !caps.tangents && streams.tangents.take().is_some() {
        losses.dropped(Lost::Tangents, subject, "the format has none", streams.positions.len() as u64);
    }
}

/// A node with morph weights of its own gets a mesh of its own that has them.
fn give_shapes_to_meshes(scene: &mut Scene) {
    let mut uses: HashMap<Handle<Mesh>, usize> = HashMap::new();
    for mesh in scene.nodes.iter().filter_map(|node| node.mesh) {
        *uses.entry(mesh).or_default() += 1;
    }
    for node in scene.nodes.iter_mut() {
        let weights = std::mem::take(&mut node.morph_weights);
        let Some((handle, mesh)) = node.mesh.and_then(|handle| Some((handle, scene.meshes.get_mut(handle)?))) else {
            continue;
        };
        if weights.len() != mesh.morph_weights.len() || weights == mesh.morph_weights {
            continue;
        }
        match uses.get_mut(&handle) {
            Some(others) if *others > 1 => {
                *others -= 1;
                let shaped = Mesh { morph_weights: weights, ..mesh.clone() };
                node.mesh = Some(scene.meshes.push(shaped));
            }
            _ => mesh.morph_weights = weights,
        }
    }
}

/// The shape that the weights give at rest stays.
fn drop_morph_targets(mesh: &mut Mesh, subject: &str, losses: &mut LossReport) {
    let weights = std::mem::take(&mut mesh.morph_weights);
    mesh.morph_names.clear();
    for primitive in &mut mesh.primitives {
        for (target, &weight) in std::mem::take(&mut primitive.morph_targets).iter().zip(&weights) {
            if weight == 0.0 {
                continue;
            }
            add(&mut primitive.streams.positions, &target.positions, weight);
            if let (Some(normals), Some(change)) = (&mut primitive.streams.normals, &target.normals) {
                add(normals, change, weight);
            }
        }
    }
    losses.dropped(Lost::MorphTargets, subject, "the shape at rest is kept", weights.len() as u64);
    let mixed = weights.iter().filter(|&&weight| weight != 0.0).count() as u64;
    losses.push(LossKind::Baked, Lost::MorphTargets, subject, "mixed into the positions", mixed);
}

fn add(values: &mut [[f32; 3]], change: &[[f32; 3]], weight: f32) {
    for (value, change) in values.iter_mut().flatten().zip(change.iter().flatten()) {
        *value += change * weight;
    }
}

fn drop_morph_tracks(scene: &mut Scene, losses: &mut LossReport) {
    for (index, clip) in scene.clips.iter_mut().enumerate() {
        let before = clip.tracks.len();
        clip.tracks.retain(|track| !matches!(track.curve, Curve::MorphWeights(_)));
        let dropped = before - clip.tracks.len();
        losses.dropped(Lost::MorphAnimation, subject("clip", index, &clip.name), "the format has none", dropped as u64);
    }
}
