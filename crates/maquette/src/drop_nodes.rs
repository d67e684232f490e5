//! Nodes that were there for a bone alone, and go with it.

use maquette_scene::clip::{Clip, Target};
use maquette_scene::scene::{Node, Transform, Trs};
use maquette_scene::{Arena, Handle, Scene};
use std::collections::HashSet;

/// Takes away those of these nodes that nothing needs any longer: roots that rest at the origin, hold nothing, carry nothing, and are moved by no clip.
pub fn drop_idle(scene: &mut Scene, clips: &mut Arena<Clip>, nodes: &HashSet<Handle<Node>>) {
    let moved = clips.iter().flat_map(|clip| &clip.tracks).filter_map(|track| match track.target {
        Target::Node(node) => Some(node),
        Target::Name(_) => None,
    });
    let needed: HashSet<Handle<Node>> =
        scene.skins.iter().flat_map(|skin| &skin.joints).copied().chain(moved).collect();
    let is_idle = |handle: &Handle<Node>| {
        let holds_nothing = |node: &Node| {
            let rests = match node.transform {
                Transform::Trs(trs) => trs == Trs::IDENTITY,
                Transform::Matrix(_) => false,
            };
            rests && node.children.is_empty() && node.mesh.is_none() && node.skin.is_none() && node.extras.is_empty()
        };
        !needed.contains(handle) && scene.roots.contains(handle) && scene.nodes.get(*handle).is_some_and(holds_nothing)
    };
    let gone: HashSet<Handle<Node>> = nodes.iter().copied().filter(is_idle).collect();
    if gone.is_empty() {
        return;
    }
    let mut kept = 0;
    let places: Vec<Handle<Node>> = scene
        .nodes
        .handles()
        .map(|node| {
            let place = Handle::from_index(kept);
            kept += usize::from(!gone.contains(&node));
            place
        })
        .collect();
    let moved_to = |node: &mut Handle<Node>| *node = places.get(node.index()).copied().unwrap_or(*node);
    scene.roots.retain(|root| !gone.contains(root));
    let nodes = std::mem::take(&mut scene.nodes);
    scene.nodes = nodes
        .into_iter()
        .zip(0..)
        .filter(|(_, at)| !gone.contains(&Handle::from_index(*at)))
        .map(|(node, _)| node)
        .collect();
    let children = scene.nodes.iter_mut().flat_map(|node| &mut node.children);
    let joints = scene.skins.iter_mut().flat_map(|skin| &mut skin.joints);
    scene.roots.iter_mut().chain(children).chain(joints).for_each(moved_to);
    for track in clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Target::Node(node) = &mut track.target {
            moved_to(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::clip::{Curve, Interpolation, Keys, Track};

    #[test]
    fn what_nothing_needs_goes_and_everything_else_holds_on_to_its_own() {
        let mut scene = Scene::default();
        let [idle, parent, child, moved] = ["idle", "parent", "child", "moved"]
            .map(|name| scene.nodes.push(Node { name: name.into(), ..Node::default() }));
        scene.nodes[parent].children = vec![child];
        scene.roots = vec![idle, parent, moved];
        let keys = Keys { times_secs: vec![0.0], values: vec![[0.0; 3]], interpolation: Interpolation::Linear };
        let track = Track { target: Target::Node(moved), curve: Curve::Translation(keys), blend: None };
        let mut clips: Arena<Clip> = [Clip { tracks: vec![track], ..Clip::default() }].into_iter().collect();
        drop_idle(&mut scene, &mut clips, &[idle, parent, child, moved].into());
        let name = |node: Handle<Node>| scene.nodes[node].name.as_str();
        assert_eq!(scene.roots.iter().map(|root| name(*root)).collect::<Vec<_>>(), ["parent", "moved"]);
        assert_eq!(name(scene.nodes[scene.roots[0]].children[0]), "child");
        let Target::Node(node) = clips.iter().next().unwrap().tracks[0].target else { panic!() };
        assert_eq!(name(node), "moved");
    }
}
