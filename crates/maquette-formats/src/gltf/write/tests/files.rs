//! Containers, names and what is kept.

use super::scenes::{self, ALL};
use super::{BINARY, File, TEXT, glb, loss, write, written};
use crate::format::{Error, Naming, WriteOptions};
use crate::gltf::write::container::{percent_encoded, relative_uri};
use crate::specimen;
use maquette_scene::Handle;
use maquette_scene::clip::Clip;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::LossKind;
use maquette_scene::scene::Node;
use serde_json::json;

#[test]
fn the_same_scene_makes_the_same_bytes() {
    for (name, make) in ALL {
        for options in [&BINARY, &TEXT] {
            let [(one, lost), (other, lost_again)] = [written(&make(), options), written(&make(), options)];
            assert_eq!((one.main, one.companions), (other.main, other.companions), "{name}");
            assert_eq!(lost, lost_again);
        }
    }
}

#[test]
fn both_dialects_hold_the_same() {
    let (bundle, _) = written(&scenes::post(), &TEXT);
    let text = File::from_text(&bundle);
    assert_eq!(text.at("/buffers/0/uri"), "made.bin");
    assert_eq!(text.at("/buffers/0/byteLength"), text.bytes.len());
    assert_eq!(text.at("/images/0"), &json!({ "name": "checker", "uri": "made.checker.png" }));
    let names: Vec<String> = bundle.companions.iter().map(|(naming, _)| naming.apply("made.gltf")).collect();
    assert_eq!(names, ["made.bin", "made.checker.png"]);
    assert_eq!(bundle.companions[1], (Naming::Named("made.checker.png".into()), specimen::checker_png()));

    let (binary, _) = glb(&scenes::post());
    assert!(binary.json.pointer("/buffers/0/uri").is_none());
    let image = binary.at("/images/0");
    assert_eq!(image["mimeType"], "image/png");
    let view = &binary.json["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
    let (start, length) = (view["byteOffset"].as_u64().unwrap_or(0), view["byteLength"].as_u64().unwrap());
    assert_eq!(&binary.bytes[start as usize..(start + length) as usize], specimen::checker_png());
    assert!(view.get("target").is_none());
    for pointer in ["/nodes", "/meshes", "/skins", "/animations", "/materials", "/scenes"] {
        let shape = |file: &File| file.list(pointer).len();
        assert_eq!(shape(&text), shape(&binary), "{pointer}");
    }
}

#[test]
fn chunks_are_filled_up_and_nothing_more() {
    for (name, make) in ALL {
        let (file, _) = glb(&make());
        let declared = file.json.pointer("/buffers/0/byteLength").map_or(0, |length| length.as_u64().unwrap() as usize);
        assert!(file.bytes.len() - declared < 4, "{name}");
        assert!(file.bytes[declared..].iter().all(|&byte| byte == 0));
        for view in file.list("/bufferViews") {
            assert!(view["byteLength"].as_u64().unwrap() > 0);
            assert_eq!(view.get("byteOffset").map_or(0, |offset| offset.as_u64().unwrap()) % 4, 0, "{name}");
        }
    }
}

#[test]
fn an_empty_scene_is_an_asset_alone() {
    let (file, losses) = glb(&maquette_scene::Scene::default());
    let generator = concat!("maquette ", env!("CARGO_PKG_VERSION"));
    assert_eq!(file.json, json!({ "asset": { "version": "2.0", "generator": generator } }));
    assert!(losses.is_empty());
}

#[test]
fn what_was_kept_goes_back_to_its_place() {
    let mut scene = scenes::triangle();
    scene.extras.set("gltf", "generator", "\"Other Tool 3\"");
    scene.extras.set("gltf", "copyright", "\"somebody\"");
    scene.extras.set("gltf", "asset_extras", r#"{"author":"x"}"#);
    scene.extras.set("gltf", "scene_name", "\"Scene\"");
    scene.extras.set("gltf", "extras", r#"{"a":[1,2.5]}"#);
    scene.extras.set("nlm", "hash", "7");
    let node = scene.nodes.get_mut(Handle::from_index(0)).unwrap();
    node.extras.set("gltf", "extras", "\"plain\"");
    let clip = Clip { looped: Some(true), ..scenes::early().clips.iter().next().unwrap().clone() };
    let clip = scene.clips.push(clip);
    let unread = r#"{"maquette":{"looped":false,"later":1}}"#;
    scene.clips.get_mut(clip).unwrap().extras.set("gltf", "extras", unread);
    node.extras.set("bmw", "id", "3");
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/asset/copyright"), "somebody");
    assert_eq!(file.at("/asset/extras"), &json!({ "author": "x", "maquette": { "generator": "Other Tool 3" } }));
    assert_eq!(file.at("/scenes/0/name"), "Scene");
    assert_eq!(file.at("/extras"), &json!({ "a": [1, 2.5], "maquette": { "nlm.hash": 7 } }));
    assert_eq!(file.at("/nodes/0/extras"), &json!({ "maquette": { "gltf.extras": "plain", "bmw.id": 3 } }));
    // What an older or newer maquette left there stays, unless this one knows better.
    let ours = file.at("/animations/0/extras/maquette");
    assert_eq!((&ours["looped"], &ours["later"]), (&json!(true), &json!(1)));
    assert_eq!(losses.losses().len(), 1, "the times before zero");
}

#[test]
fn names_of_files_are_told_as_uris() {
    assert_eq!(percent_encoded("a b#ü%.png"), "a%20b%23%C3%BC%25.png");
    assert_eq!(relative_uri("a\\b c.png").as_deref(), Some("a/b%20c.png"));
    for bad in ["", "/a.png", "\\\\server\\a.png", "C:/a.png", "https://x/a.png", "data:image/png;base64,"] {
        assert_eq!(relative_uri(bad), None, "{bad}");
    }
}

#[test]
fn images_are_different_files_of_safe_names() {
    let mut scene = scenes::triangle();
    for name in ["Skin.png", "skin", "", "made", "x/../y:z", "..", "my model.fur.png"] {
        let data = ImageData::Encoded { mime: "image/png".into(), bytes: specimen::checker_png().into() };
        scene.images.push(Image::new(name, data));
    }
    let options = WriteOptions { dialect: "text", name: "my model.gltf", others: &[] };
    let (bundle, losses) = written(&scene, &options);
    assert_eq!(loss(&losses, "image names").kind, LossKind::Renamed);
    let names: Vec<String> = bundle.companions.iter().map(|(naming, _)| naming.apply(options.name)).collect();
    let own = ["Skin.png", "skin-2.png", "texture.png", "made.png", "y_z.png", "texture-2.png", "fur.png"];
    assert_eq!(names[0], "my model.bin");
    assert_eq!(names[1..], own.map(|own| format!("my model.{own}")));
    let file = File::from_text(&bundle);
    assert_eq!(file.at("/buffers/0/uri"), "my%20model.bin");
    assert_eq!(file.at("/images/2/uri"), "my%20model.texture.png");
}

#[test]
fn other_dialects_and_broken_scenes_are_refused() {
    let options = WriteOptions { dialect: "ascii", name: "x.gltf", others: &[] };
    let refused = write(&scenes::triangle(), &options).unwrap_err();
    assert!(matches!(refused, Error::UnknownDialect { .. }));
    let mut scene = scenes::triangle();
    scene.roots.push(Handle::from_index(9));
    let refused = write(&scene, &BINARY).unwrap_err();
    assert!(matches!(refused, Error::Misfit(_)) && refused.to_string().contains("there is no #9"), "{refused}");
}

#[test]
fn floats_in_the_json_read_back_exactly() {
    let mut scene = scenes::triangle();
    let exact = [0.1, 1.0e-7, 16_777_217.0_f32];
    scene.nodes.get_mut(Handle::from_index(0)).unwrap().transform = scenes::at(exact);
    let (bundle, _) = written(&scene, &TEXT);
    let text = String::from_utf8(bundle.main.clone()).unwrap();
    assert!(text.contains("0.1,"), "{text}");
    let file = File::from_text(&bundle);
    let read: Vec<f32> =
        file.list("/nodes/0/translation").iter().map(|x| x.to_string().parse::<f32>().unwrap()).collect();
    assert_eq!(read, exact);
}

#[test]
fn the_same_numbers_are_stored_once() {
    let mut scene = scenes::post();
    let (one, _) = glb(&scene);
    let mesh = scene.meshes.iter().next().unwrap().clone();
    let twin = scene.meshes.push(mesh);
    let node = Node { mesh: Some(twin), skin: Some(Handle::from_index(0)), ..Node::default() };
    let node = scene.nodes.push(node);
    scene.roots.push(node);
    let (two, _) = glb(&scene);
    assert_eq!(two.at("/meshes/1/primitives"), two.at("/meshes/0/primitives"));
    assert_eq!(two.bytes, one.bytes);
    assert_eq!(two.at("/accessors"), one.at("/accessors"));
    assert_eq!(two.at("/bufferViews"), one.at("/bufferViews"));
}
