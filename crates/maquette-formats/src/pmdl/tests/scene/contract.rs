//! What writers may rely on, broken by hand; and what the format cannot hold, named.

use super::{misfit, read, sample, try_write, write};
use crate::format::{Error, Fitted, WriteOptions};
use crate::pmdl::FORMAT;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::Material;
use maquette_scene::mesh::{Influences, Mesh, Primitive, Topology};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, Scene, pose};

fn specimen() -> Scene {
    read(&sample("engine")).0
}

fn changed(change: impl FnOnce(&mut Scene)) -> Scene {
    let mut scene = specimen();
    change(&mut scene);
    scene
}

fn primitive(scene: &mut Scene) -> &mut Primitive {
    &mut scene.meshes.iter_mut().next().unwrap().primitives[0]
}

fn drawn(scene: &mut Scene) -> &mut Node {
    scene.nodes.iter_mut().find(|node| node.mesh.is_some()).unwrap()
}

fn lost(change: impl FnOnce(&mut Scene)) -> Vec<String> {
    write(&changed(change), "engine").1
}

#[test]
fn what_breaks_the_contract_is_refused() {
    let refused = |change: fn(&mut Scene)| misfit(&changed(change), "engine");
    let again = |scene: &mut Scene| {
        scene.skins.push(Skin::default());
    };
    assert_eq!(refused(again), "skins");
    let at = |field: &str| format!("meshes[0].primitives[0].{field}");
    assert_eq!(refused(|scene| primitive(scene).streams.normals = None), at("normals"));
    assert_eq!(refused(|scene| primitive(scene).streams.tangents = None), at("tangents"));
    assert_eq!(refused(|scene| primitive(scene).topology = Topology::Lines), at("topology"));
    let coloured = |scene: &mut Scene| {
        let count = primitive(scene).streams.len();
        primitive(scene).streams.colours.push(vec![[1.0; 4]; count]);
    };
    assert_eq!(refused(coloured), at("colours"));
    let doubled = |scene: &mut Scene| {
        let count = primitive(scene).streams.len();
        primitive(scene).streams.uvs.push(vec![[0.0; 2]; count]);
    };
    assert_eq!(refused(doubled), at("uvs"));
    let far = |scene: &mut Scene| {
        drawn(scene).skin = None;
        drawn(scene).transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
    };
    assert_eq!(refused(far), "nodes[3]");
    let backwards = |scene: &mut Scene| scene.skins.iter_mut().next().unwrap().joints.swap(0, 1);
    assert_eq!(refused(backwards), "skins[0].joints[0]");
    let stranger = |scene: &mut Scene| {
        let root = scene.skins.iter().next().unwrap().joints[0];
        scene.roots.retain(|&node| node != root);
        let above = scene.nodes.push(Node { children: vec![root], ..Node::default() });
        scene.roots.push(above);
    };
    assert_eq!(refused(stranger), "skins[0].joints[0]");
    let crowded = |scene: &mut Scene| {
        let count = primitive(scene).streams.len();
        let influences = Influences { slots: 5, joints: vec![0; 5 * count], weights: vec![0.2; 5 * count] };
        primitive(scene).streams.influences = Some(influences);
    };
    assert_eq!(refused(crowded), at("influences"));
    let unknown = |scene: &mut Scene| primitive(scene).streams.influences.as_mut().unwrap().joints[0] = 99;
    assert_eq!(refused(unknown), "nodes[3].skin");
    let astray = |scene: &mut Scene| {
        let clip = scene.clips.iter_mut().next().unwrap();
        clip.tracks[0].target = Target::Node(Handle::from_index(3));
    };
    assert_eq!(refused(astray), "clips[0].tracks[0]");
}

#[test]
fn a_scene_that_draws_nothing_and_an_unknown_dialect_are_refused() {
    let nothing = try_write(&Scene::default(), "engine");
    assert!(matches!(nothing, Err(Error::CannotHold(why)) if why.contains("draws no mesh")));
    let scene = specimen();
    let fitted = Fitted::check(&scene, &(FORMAT.caps)("engine")).unwrap();
    let options = WriteOptions { dialect: "no-such", name: "post.pmdl", others: &[] };
    let unknown = (FORMAT.write)(&fitted, &options, &mut LossReport::default());
    assert!(matches!(unknown, Err(Error::UnknownDialect { .. })));
}

#[test]
fn what_the_format_has_no_place_for_is_named() {
    assert_eq!(lost(|_| ()), [""; 0]);
    assert_eq!(lost(|scene| drawn(scene).name = "body".into()), ["dropped mesh names of mesh \"body\""]);
    let grouped = |scene: &mut Scene| {
        scene.nodes.push(Node::default());
    };
    assert_eq!(lost(grouped), ["dropped nodes of the scene"]);
    let skin = |scene: &mut Scene| scene.skins.iter_mut().next().unwrap().name = "rig".into();
    assert_eq!(lost(skin), ["dropped mesh names of the skeleton"]);
    let extra = |scene: &mut Scene| {
        scene.materials.push(Material::default());
    };
    assert_eq!(lost(extra), ["dropped materials of material 1"]);
    let hidden = |scene: &mut Scene| {
        scene.meshes.push(Mesh::default());
    };
    assert_eq!(lost(hidden), ["dropped meshes of mesh 1"]);
    let mirrored = |scene: &mut Scene| primitive(scene).streams.tangents.as_mut().unwrap()[0][3] = -1.0;
    assert_eq!(lost(mirrored), ["dropped tangents of mesh 0"]);
    let mut scene = specimen();
    mirrored(&mut scene);
    let mut losses = LossReport::default();
    let fitted = Fitted::check(&scene, &(FORMAT.caps)("engine")).unwrap();
    let options = WriteOptions { dialect: "engine", name: "post.pmdl", others: &[] };
    (FORMAT.write)(&fitted, &options, &mut losses).unwrap();
    let told = losses.iter().find(|loss| loss.what == Lost::Tangents).unwrap();
    assert!(told.detail.starts_with("the signs of mirrored ones") && told.count == 1, "{told}");
    assert_eq!(lost(|scene| drawn(scene).skin = None), ["dropped influences of mesh 0"]);
    let looped = |scene: &mut Scene| scene.clips.iter_mut().next().unwrap().looped = Some(true);
    assert_eq!(lost(looped), ["dropped loop flags of clip \"sway\""]);
    let still = |scene: &mut Scene| {
        scene.skins = Default::default();
        drawn(scene).skin = None;
        primitive(scene).streams.influences = None;
        scene.clips.iter_mut().next().unwrap().tracks.clear();
    };
    assert_eq!(lost(still), ["dropped nodes of the scene", "dropped clips of clip \"sway\""]);
}

#[test]
fn parts_become_meshes() {
    let scene = changed(|scene| {
        let second = primitive(scene).clone();
        scene.meshes.iter_mut().next().unwrap().primitives.push(second);
    });
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses, ["baked primitives of mesh 0"]);
    let (back, losses) = read(&bundle);
    assert_eq!((back.meshes.len(), back.skins.len(), losses.len()), (2, 1, 0));
}

#[test]
fn a_rest_pose_of_its_own_is_lost_and_clips_still_move_from_it() {
    let scene = changed(|scene| {
        let joint = scene.skins.iter().next().unwrap().joints[1];
        scene.nodes.get_mut(joint).unwrap().transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
        for clip in scene.clips.iter_mut() {
            clip.tracks.retain(|track| track.target != Target::Node(joint));
        }
    });
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses, ["dropped rest poses of the skeleton"]);
    let back = read(&bundle).0;
    let [before, after] =
        [&scene, &back].map(|scene| pose::positions_at(scene, scene.clips.iter().next().unwrap(), 0.7));
    super::assert_close(&before, &after, "in the clip");
}

#[test]
fn several_clips_are_several_files() {
    let scene = changed(|scene| {
        let sway = scene.clips.iter().next().unwrap().clone();
        scene.clips.push(Clip { name: "walk".into(), duration_secs: 3.0, ..sway.clone() });
        scene.clips.push(Clip { name: "Walk".into(), ..sway });
    });
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses, ["renamed clip names of clip \"Walk\""]);
    let back = read(&bundle).0;
    let clips: Vec<_> = back.clips.iter().map(|clip| (clip.name.as_str(), clip.duration_secs)).collect();
    assert_eq!(clips, [("sway", 2.0), ("walk", 3.0), ("Walk-2", 2.0)]);
}

#[test]
fn a_mesh_is_of_the_smallest_type_that_holds_it() {
    let types = |dialect: &str, change: fn(&mut Scene)| {
        let bytes = write(&changed(change), dialect).0.main;
        let file = super::super::File::parse(&bytes).unwrap();
        file.meshes.iter().map(|mesh| mesh.vertices.vertex_type()).collect::<Vec<_>>()
    };
    let unmoved = |scene: &mut Scene| {
        drawn(scene).skin = None;
        primitive(scene).streams.influences = None;
    };
    assert_eq!(types("engine", |_| ()), [3]);
    assert_eq!(types("engine", unmoved), [2]);
    let bare = |scene: &mut Scene| {
        drawn(scene).skin = None;
        primitive(scene).streams.influences = None;
        primitive(scene).streams.tangents = None;
    };
    assert_eq!(types("document", bare), [1]);
}

/// The specimen's mesh on a chain of twelve joints that lean, turn and grow, each turned further by the clip.
fn twisted() -> Scene {
    let mut scene = Scene::default();
    let mut mesh = specimen().meshes.iter().next().unwrap().clone();
    mesh.primitives[0].material = None;
    let influences = mesh.primitives[0].streams.influences.as_mut().unwrap();
    influences.joints.iter_mut().zip(0..).for_each(|(joint, at)| *joint = at * 5 % 12);
    let mut skin = Skin::default();
    let mut world = Mat4::IDENTITY;
    let mut tracks = Vec::new();
    for index in 0..12u8 {
        let at = f32::from(index);
        let axis = Vec3::new(1.0, at, 3.0 - at).normalize();
        let rotation = Quat::from_axis_angle(axis, 0.3 + at * 0.1);
        let trs = Trs { translation: Vec3::new(0.1, 0.2, at * 0.05), rotation, scale: Vec3::splat(1.05) };
        let joint =
            scene.nodes.push(Node { name: format!("j{index}"), transform: Transform::Trs(trs), ..Node::default() });
        match skin.joints.last() {
            Some(&parent) => scene.nodes.get_mut(parent).unwrap().children.push(joint),
            None => scene.roots.push(joint),
        }
        world *= trs.matrix();
        skin.joints.push(joint);
        skin.joint_from_mesh.push(world.inverse());
        let values = vec![rotation.to_array(), (rotation * Quat::from_rotation_x(0.7)).to_array()];
        let keys = Keys { times_secs: vec![0.1, 0.9 + at / 30.0], values, interpolation: Interpolation::Linear };
        tracks.push(Track { target: Target::Node(joint), curve: Curve::Rotation(keys), blend: None });
    }
    scene.clips.push(Clip { name: "twist".into(), duration_secs: 1.5, tracks, ..Clip::default() });
    let skin = Some(scene.skins.push(skin));
    let mesh = Some(scene.meshes.push(mesh));
    let node = scene.nodes.push(Node { mesh, skin, ..Node::default() });
    scene.roots.push(node);
    scene
}

#[test]
fn any_skeleton_moves_the_same_when_it_comes_back() {
    let scene = twisted();
    let (bundle, losses) = write(&scene, "engine");
    assert_eq!(losses, ["baked materials of mesh 0"]);
    let back = read(&bundle).0;
    for step in 0..=60 {
        let secs = step as f32 * 0.025;
        let [before, after] =
            [&scene, &back].map(|scene| pose::positions_at(scene, scene.clips.iter().next().unwrap(), secs));
        let size = before.iter().fold(1.0f32, |size, place| size.max(place.length()));
        let apart = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(apart <= size * 1e-5, "{apart} at {secs}, of {size}");
    }
}
