//! Companion files of a model: textures, and the JSON file that places it and names its clips.

use super::super::raw::{Dialect, File, Material};
use super::super::sample::{bundle, model};
use super::super::sidecar::NAMING;
use super::scene::{
    Folder, NAME, chain, clip, expected_positions, farthest, read_bundle, read_file, read_json, read_with, triangle,
    words,
};
use crate::format::{Bundle, Error, Naming, RawFile, Source};
use crate::specimen;
use maquette_scene::glam::Vec3;
use maquette_scene::image::ImageData;
use maquette_scene::{Handle, Scene, pose};
use std::borrow::Cow;

fn textures(file: &mut File<'_>, paths: &'static [&'static str]) {
    file.materials = paths.iter().map(|path| Material { textures: vec![Cow::Borrowed(path.as_bytes())] }).collect();
}

fn images(scene: &Scene) -> Vec<String> {
    scene.images.iter().map(|image| format!("{:?}", image.data)).collect()
}

fn surfaces(scene: &Scene) -> Vec<Option<usize>> {
    scene
        .meshes
        .iter()
        .flat_map(|mesh| &mesh.primitives)
        .map(|primitive| primitive.material.map(Handle::index))
        .collect()
}

#[test]
fn the_first_path_is_for_the_first_mesh() {
    let mut file = chain(Dialect::Document);
    file.meshes = vec![triangle(); 4];
    textures(&mut file, &["a\\b.png", "", "a\\b.png", "c.png", "d.png"]);
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["dropped textures ×1"], "there are four meshes");
    assert_eq!(surfaces(&scene), [Some(0), None, Some(0), Some(1)]);
    assert_eq!(images(&scene), ["External(a\\b.png)", "External(c.png)"]);
}

#[test]
fn images_in_companion_files_are_read() {
    let (scene, _) = read_bundle(&bundle(&model(Dialect::Document)));
    let image = scene.images.iter().next().unwrap();
    let ImageData::Encoded { mime, bytes } = &*image.data else { panic!("{image:?}") };
    assert_eq!((&**mime, &*image.name), ("image/png", specimen::TEXTURE_FILE));
    assert_eq!(*bytes, specimen::checker_png().into());
}

#[test]
fn overriding_textures_replace_and_go_on() {
    let mut file = chain(Dialect::Document);
    file.meshes = vec![triangle(); 3];
    textures(&mut file, &["a.png", "b.png"]);
    let json = r#"{ "textureOverrides": [{ "texture": "x.png" }, {}, { "texture": "z.png" }] }"#;
    let (scene, losses) = read_json(&file, json);
    assert_eq!(words(&losses), ["dropped format details ×1"], "the second names no texture");
    assert_eq!(images(&scene), ["External(x.png)", "External(b.png)", "External(z.png)"]);
}

#[test]
fn references_are_textures_and_what_the_json_file_names() {
    let mut file = chain(Dialect::Document);
    file.meshes = vec![triangle(); 3];
    textures(&mut file, &["a\\b.png", "", "c.png"]);
    let json = r#"{ "textureOverrides": [{ "texture": "x.png" }, {}], "clips": [{ "name": "a", "start": 0, "end": 8 },
        { "name": "b", "start": 0, "end": 8, "file": "d\\other.bmw" }] }"#;
    let folder = Folder(vec![("post.json".into(), json.into())]);
    let found = file.references(&Source { name: NAME, resources: &folder, ..Source::BARE });
    let expected = ["a/b.png", "c.png", "x.png", "d/other.bmw"];
    assert_eq!(found, expected.map(|path| Naming::Named(path.into())));
    assert_eq!(file.references(&Source::BARE), ["a/b.png", "c.png"].map(|path| Naming::Named(path.into())));
}

#[test]
fn the_json_file_places_the_whole_model() {
    let json = r#"{ "rotation": 90, "rotationAngle": "0 0 2", "scale": "2 2 2", "translation": "10 0 0" }"#;
    let (scene, losses) = read_json(&model(Dialect::Engine), json);
    assert!(losses.is_empty(), "{:?}", words(&losses));
    let top = scene.nodes.get(scene.roots[0]).unwrap();
    assert_eq!((&*top.name, top.children.len()), ("post", 1));
    let placed = |place: Vec3| Vec3::new(10.0 - 2.0 * place.y, 2.0 * place.x, 2.0 * place.z);
    for secs in [0.0, 0.4, 1.1] {
        let expected: Vec<Vec3> = expected_positions(secs).into_iter().map(placed).collect();
        assert!(farthest(&pose::positions_at(&scene, clip(&scene, 0), secs as f32), &expected) < 1e-5);
    }
}

#[test]
fn a_rotation_without_an_axis_is_lost() {
    for json in [r#"{ "rotation": 90 }"#, r#"{ "rotation": 90, "rotationAngle": "0 0 0" }"#] {
        let (scene, losses) = read_json(&model(Dialect::Engine), json);
        assert_eq!(words(&losses), ["dropped node transforms ×1"]);
        assert_eq!(scene.nodes.len(), 4, "nothing else is placed");
    }
}

#[test]
fn the_json_file_cuts_the_animation_into_clips() {
    let json = r#"{ "defaultAnim": "b", "clips": [
        { "name": "a", "start": 0, "end": 2, "loop": true }, { "name": "b", "start": 4, "end": 6, "hold": true },
        { "name": "c", "start": 7, "end": 20 }, { "name": "d", "start": 9, "end": 9 }, { "name": "e", "start": 3, "end": 2 }] }"#;
    let (scene, losses) = read_json(&model(Dialect::Engine), json);
    assert_eq!(
        words(&losses),
        ["truncated key times ×12", "dropped clips ×1", "dropped clips ×1", "dropped key times ×1"]
    );
    let clips: Vec<_> = scene.clips.iter().map(|clip| (&*clip.name, clip.looped, clip.duration_secs)).collect();
    assert_eq!(clips, [("a", Some(true), 0.5), ("b", Some(false), 0.5), ("c", None, 0.25)]);
    let found = pose::positions_at(&scene, clip(&scene, 1), 0.5);
    assert!(farthest(&found, &expected_positions(1.5)) < 2e-6, "clip b ends at tick 6");
    assert_eq!(scene.extras.get("bmw", "default_anim"), Some("\"b\""));
}

#[test]
fn only_the_first_animation_is_cut() {
    let mut file = model(Dialect::Engine);
    file.animations.push(file.animations[0].clone());
    let (scene, _) = read_json(&file, r#"{ "clips": [{ "name": "a", "start": 0, "end": 8 }] }"#);
    assert_eq!(scene.clips.iter().map(|clip| &*clip.name).collect::<Vec<_>>(), ["a", ""]);
}

#[test]
fn clips_of_another_file_find_their_bones_by_name() {
    let mut other = model(Dialect::Engine);
    // The same bones under other ids, and one that is not here.
    other.nodes.iter_mut().for_each(|node| node.id += 10);
    other.animations[0].bones.iter_mut().for_each(|bone| bone.node_id += 10);
    other.bone_names.iter_mut().for_each(|bone| bone.node_id += 10);
    other.bone_names[1].name = Cow::Borrowed(b"elsewhere");
    other.meshes.clear();
    other.nodes[0].mesh_ids = Cow::default();
    let mut file = model(Dialect::Engine);
    file.animations.clear();
    let clips = r#"{ "clips": [{ "name": "a", "start": 0, "end": 8, "file": "b\\other.bmw" },
        { "name": "n", "start": 0, "end": 8, "file": "none.bmw" }, { "name": "j", "start": 0, "end": 8, "file": "post.json" },
        { "name": "o", "start": 0, "end": 8 }] }"#;
    let named = Naming::Named("b/other.bmw".into());
    let companions = vec![(NAMING, clips.into()), (named, other.encode())];
    let (scene, losses) = read_bundle(&Bundle { main: file.encode(), companions });
    assert_eq!(words(&losses), ["dropped joints ×1", "dropped clips ×1", "dropped clips ×1", "dropped clips ×1"]);
    let found = pose::positions_at(&scene, clip(&scene, 0), 1.5);
    assert!(farthest(&found, &expected_positions(1.5)) < 2e-6, "the bone without a match does not move");
}

#[test]
fn a_missing_rate_is_assumed() {
    let mut file = model(Dialect::Engine);
    file.animations[0].rate = 0;
    let (scene, losses) = read_file(&file);
    assert_eq!(words(&losses), ["dropped frame rates ×1"]);
    assert_eq!(clip(&scene, 0).frame_rate, Some(30.0));
}

#[test]
fn a_json_file_that_is_none_is_a_loss() {
    assert_eq!(words(&read_json(&model(Dialect::Engine), "{").1), ["dropped format details ×1"]);
}

#[test]
fn lengths_that_nothing_fills_cost_nothing() {
    let mut file = model(Dialect::Engine);
    file.animations[0].bones.clear();
    file.animations[0].duration = u32::MAX - 1;
    let (scene, _) = read_json(&file, r#"{ "clips": [{ "name": "a", "start": 0, "end": 4000000000 }] }"#);
    assert_eq!(clip(&scene, 0).duration_secs, 1e9);
}

#[test]
fn clips_are_bounded_by_what_is_stored() {
    let clips = vec![r#"{ "name": "a", "start": 0, "end": 8 }"#; 20_000].join(",");
    let json = format!("{{ \"clips\": [{clips}] }}");
    let mut file = model(Dialect::Engine);
    file.animations[0].bones.iter_mut().for_each(|bone| {
        bone.matrices = Cow::Owned(bone.matrices.repeat(100));
    });
    file.animations[0].duration = 899;
    let json = json.replace("\"end\": 8", "\"end\": 899");
    let bundle = Bundle { main: file.encode(), companions: vec![(NAMING, json.into())] };
    assert!(matches!(read_with(&bundle, |_| {}).0, Err(Error::Unsupported(_))));
}
