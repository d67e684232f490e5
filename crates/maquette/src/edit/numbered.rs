//! Clips of formats that know bones by number alone: the names of their tracks are `bone 0`, `bone 1` and so on. On a model whose skeleton has as many joints as the clip has bones,
//! the numbers are places in the list of joints.

use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Target, Track};
use serde_json::Value;

/// The clip on the joints of the model; `None` where its bones have names, or the model has no skeleton of so many joints.
pub fn on_joints(clip: &Clip, scene: &Scene) -> Option<Clip> {
    let number = |track: &Track| match &track.target {
        Target::Name(name) => name.strip_prefix("bone ")?.parse::<usize>().ok(),
        Target::Node(_) => None,
    };
    let is_named = |track: &Track| match &track.target {
        Target::Name(name) => scene.nodes.iter().any(|node| node.name == *name),
        Target::Node(_) => true,
    };
    if clip.tracks.is_empty() || clip.tracks.iter().any(is_named) {
        return None;
    }
    let numbers: Vec<usize> = clip.tracks.iter().map(number).collect::<Option<_>>()?;
    let count = kept_bones(clip).or(numbers.iter().max().map(|last| last + 1))?;
    let skin = scene.skins.iter().find(|skin| skin.joints.len() == count)?;
    let tracks = clip
        .tracks
        .iter()
        .zip(numbers)
        .map(|(track, number)| Some(Track { target: Target::Node(*skin.joints.get(number)?), ..track.clone() }));
    Some(Clip { tracks: tracks.collect::<Option<_>>()?, ..clip.clone() })
}

/// How many bones the file of a clip has, with those that it does not move, where its format keeps their list.
fn kept_bones(clip: &Clip) -> Option<usize> {
    let (_, list) = clip.extras.iter().find(|(key, _)| key.ends_with(".bones"))?;
    serde_json::from_str::<Vec<Value>>(list).ok().map(|bones| bones.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::clip::{Curve, Interpolation, Keys};
    use maquette_scene::glam::Mat4;
    use maquette_scene::scene::{Node, Skin};

    fn clip(names: &[&str]) -> Clip {
        let keys = Keys { times_secs: vec![0.0], values: vec![[0.0; 3]], interpolation: Interpolation::Linear };
        let track = |name: &&str| Track {
            target: Target::Name((*name).to_owned()),
            curve: Curve::Translation(keys.clone()),
            blend: None,
        };
        Clip { tracks: names.iter().map(track).collect(), ..Clip::default() }
    }

    fn model(joints: usize) -> Scene {
        let mut scene = Scene::default();
        scene.nodes.push(Node { name: "above".into(), ..Node::default() });
        let joints: Vec<_> =
            (0..joints).map(|at| scene.nodes.push(Node { name: format!("j{at}"), ..Node::default() })).collect();
        scene.skins.push(Skin { joint_from_mesh: vec![Mat4::IDENTITY; joints.len()], joints, ..Skin::default() });
        scene
    }

    #[test]
    fn numbers_are_places_among_as_many_joints() {
        let moved = on_joints(&clip(&["bone 0", "bone 2"]), &model(3)).unwrap();
        let places: Vec<_> = moved.tracks.iter().map(|track| track.target.clone()).collect();
        let joints = &model(3).skins.iter().next().unwrap().joints.clone();
        assert_eq!(places, [Target::Node(joints[0]), Target::Node(joints[2])]);
        assert_eq!(on_joints(&clip(&["bone 0", "bone 2"]), &model(4)), None, "another count");
        assert_eq!(on_joints(&clip(&["bone 0", "hip"]), &model(3)), None, "a name");
        let mut kept = clip(&["bone 0"]);
        kept.extras.set("any", "bones", r#"["bone 0","bone 1","bone 2"]"#);
        assert!(on_joints(&kept, &model(3)).is_some() && on_joints(&kept, &model(1)).is_none());
    }

    #[test]
    fn a_bone_that_is_called_so_is_found_by_its_name() {
        let mut scene = model(1);
        scene.nodes.push(Node { name: "bone 0".into(), ..Node::default() });
        assert_eq!(on_joints(&clip(&["bone 0"]), &scene), None);
    }
}
