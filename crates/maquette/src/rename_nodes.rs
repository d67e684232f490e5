//! Other names for the nodes of a model: its clips, skins and meshes hold on to the nodes and not to their names.

use maquette_motion::Refusal;
use maquette_motion::ops::{Renaming, clash};
use maquette_scene::clip::{Clip, Target};
use maquette_scene::scene::Node;
use maquette_scene::{Arena, Handle, Scene};
use std::collections::HashSet;

/// Gives nodes the names that are asked for, and says how many; `None` where none are, or where there are no nodes. Prefixes are for bones: what skins or clips hold on to.
pub fn rename_nodes(scene: &mut Scene, clips: &Arena<Clip>, renaming: &Renaming) -> Result<Option<usize>, Refusal> {
    let asks_nothing = renaming.bones.is_empty()
        && renaming.map.is_empty()
        && renaming.prefix_added.is_empty()
        && renaming.prefix_stripped.is_empty();
    if asks_nothing || scene.nodes.is_empty() {
        return Ok(None);
    }
    let moved = clips.iter().flat_map(|clip| &clip.tracks).filter_map(|track| match track.target {
        Target::Node(node) => Some(node),
        Target::Name(_) => None,
    });
    let bones: HashSet<Handle<Node>> = scene.skins.iter().flat_map(|skin| &skin.joints).copied().chain(moved).collect();
    let names: Vec<(Handle<Node>, String)> =
        scene.nodes.handles().map(|node| (node, scene.node_name(node).into_owned())).collect();
    renaming.must_suit(names.iter().map(|(_, name)| name.as_str()))?;
    let after = |node: &Handle<Node>, name: &str| match renaming.named(name) {
        Some(named) => named.to_owned(),
        None if bones.contains(node) => renaming.bone(name),
        None => name.to_owned(),
    };
    clash(names.iter().map(|(node, name)| (name.as_str(), after(node, name))))?;
    let mut renamed = 0;
    for (node, name) in &names {
        let after = after(node, name);
        if after != *name {
            scene.nodes.get_mut(*node).into_iter().for_each(|node| node.name.clone_from(&after));
            renamed += 1;
        }
    }
    Ok(Some(renamed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(names: &[&str]) -> Scene {
        let mut scene = Scene::default();
        scene.roots =
            names.iter().map(|name| scene.nodes.push(Node { name: (*name).into(), ..Node::default() })).collect();
        scene
    }

    fn named(pairs: &[(&str, &str)]) -> Renaming {
        let bones = pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        Renaming { bones, ..Renaming::default() }
    }

    #[test]
    fn any_node_can_be_named_and_names_can_be_swapped() {
        let mut scene = scene(&["a", "b", ""]);
        let renamed = rename_nodes(&mut scene, &Arena::default(), &named(&[("a", "b"), ("b", "a"), ("node2", "c")]));
        assert_eq!(renamed, Ok(Some(3)));
        assert_eq!(scene.nodes.iter().map(|node| &*node.name).collect::<Vec<_>>(), ["b", "a", "c"]);
        assert!(rename_nodes(&mut scene, &Arena::default(), &named(&[("a", "c")])).is_err(), "it is taken");
        assert!(rename_nodes(&mut scene, &Arena::default(), &named(&[("z", "y")])).is_err(), "it is not there");
        assert_eq!(rename_nodes(&mut scene, &Arena::default(), &Renaming::default()), Ok(None));
    }

    #[test]
    fn prefixes_are_for_bones() {
        let mut scene = scene(&["body", "hip"]);
        let hip = scene.nodes.handles().nth(1).unwrap();
        scene.skins.push(maquette_scene::scene::Skin {
            name: String::new(),
            joints: vec![hip],
            joint_from_mesh: Vec::new(),
        });
        let renaming = Renaming { prefix_added: "rig:".into(), ..Renaming::default() };
        assert_eq!(rename_nodes(&mut scene, &Arena::default(), &renaming), Ok(Some(1)));
        assert_eq!(scene.nodes.iter().map(|node| &*node.name).collect::<Vec<_>>(), ["body", "rig:hip"]);
    }
}
