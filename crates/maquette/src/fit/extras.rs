//! An author's own data, which few formats have a place for.
//!
//! It stays in the scene, where writers without a place for it look past it; nobody would know that it is gone.

use crate::authored::authored;
use maquette_scene::Scene;
use maquette_scene::loss::{LossReport, Lost};

/// Names what is lost where a format holds none of it: one loss for all objects together, and one for the copyright.
pub fn report(scene: &Scene, losses: &mut LossReport) {
    if let Some(copyright) = scene.extras.get("gltf", "copyright") {
        let detail = format!("{copyright}; the format has no place for it");
        losses.dropped(Lost::Copyright, "the model", detail, 1);
    }
    let found = authored(scene);
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for kind in found.iter().map(|authored| authored.kind) {
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let whose: Vec<String> = kinds.iter().map(|&(kind, count)| counted(kind, count)).collect();
    let detail = format!("those of {}; the format has no place for them", whose.join(", "));
    losses.dropped(Lost::Extras, "the model", detail, found.len() as u64);
}

fn counted(kind: &str, count: usize) -> String {
    match (kind, count) {
        ("file" | "asset" | "scene", _) => format!("the {kind}"),
        (_, 1) => format!("1 {kind}"),
        ("mesh", _) => format!("{count} meshes"),
        _ => format!("{count} {kind}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::clip::Clip;
    use maquette_scene::material::Material;
    use maquette_scene::mesh::Mesh;
    use maquette_scene::scene::Node;

    fn told(scene: &Scene) -> String {
        let mut losses = LossReport::default();
        report(scene, &mut losses);
        losses.to_string()
    }

    #[test]
    fn all_of_them_are_one_loss_with_a_count() {
        let mut scene = Scene::default();
        scene.extras.set("gltf", "asset_extras", r#"{"licence":"mine"}"#);
        scene.extras.set("gltf", "extras", "[1]");
        scene.extras.set("gltf", "scene_extras", "0");
        let mut nodes = [Node::default(), Node::default()];
        nodes.iter_mut().for_each(|node| node.extras.set("gltf", "extras", r#"{"hp":5}"#));
        scene.nodes = nodes.into_iter().collect();
        let mut meshes = [Mesh::default(), Mesh::default()];
        meshes.iter_mut().for_each(|mesh| mesh.extras.set("gltf", "extras", r#"{"lod":1,"maquette":{"x":1}}"#));
        scene.meshes = meshes.into_iter().collect();
        let (mut material, mut clip) = (Material::default(), Clip::default());
        material.extras.set("gltf", "extras", "true");
        clip.extras.set("gltf", "extras", r#""walk""#);
        scene.materials.push(material);
        scene.clips.push(clip);
        let said = "dropped extras of the model: those of the asset, the file, the scene, 2 nodes, 2 meshes, 1 material, \
                    1 clip; the format has no place for them (9)";
        assert_eq!(told(&scene), said);
    }

    #[test]
    fn a_copyright_is_told_with_its_words() {
        let mut scene = Scene::default();
        scene.extras.set("gltf", "copyright", r#""(c) 2017 Somebody""#);
        let said = "dropped copyright of the model: \"(c) 2017 Somebody\"; the format has no place for it";
        assert_eq!(told(&scene), said);
    }

    #[test]
    fn what_is_no_authors_is_not_missed() {
        let mut scene = Scene::default();
        assert_eq!(told(&scene), "");
        scene.extras.set("gltf", "generator", r#""tool""#);
        scene.extras.set("gltf", "extras", r#"{"maquette":{"composed":"additive"}}"#);
        scene.extras.set("nlm", "hash", "7");
        let mut node = Node::default();
        node.extras.set("gltf", "extras", "{}");
        scene.nodes.push(node);
        assert_eq!(told(&scene), "");
    }
}
