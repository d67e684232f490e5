//! Materials and images.

use super::scenes;
use super::{BINARY, File, TEXT, glb, loss, write, written};
use crate::format::Error;
use crate::specimen;
use maquette_scene::Handle;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{Loss, LossKind};
use maquette_scene::material::{Material, Pbr, TextureUse};
use serde_json::json;

#[test]
fn only_what_differs_from_the_defaults_is_written() {
    let mut scene = scenes::triangle();
    scene.materials.push(Material { name: "plain".into(), ..Material::default() });
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/materials"), &json!([{ "name": "plain" }]));
    assert!(file.json.get("extensionsUsed").is_none());
    assert!(losses.is_empty());
}

#[test]
fn a_material_with_everything() {
    let (file, losses) = glb(&scenes::surfaces());
    let moved = json!({ "KHR_texture_transform": { "offset": [0.1, 0.2], "rotation": 0.3, "scale": [2.0, 1.0] } });
    let expected = json!({
        "name": "everything",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.1, 0.2, 0.3, 0.4],
            "baseColorTexture": { "index": 2, "extensions": moved },
            "metallicFactor": 0.7,
            "roughnessFactor": 0.8,
            "metallicRoughnessTexture": { "index": 0 },
        },
        "normalTexture": { "index": 0, "scale": 0.9 },
        "occlusionTexture": { "index": 0, "texCoord": 1, "strength": 0.6 },
        "emissiveTexture": { "index": 2, "extensions": moved },
        "emissiveFactor": [1.0, 0.5, 0.25],
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "doubleSided": true,
        "extensions": { "KHR_materials_unlit": {} },
        "extras": { "maquette": { "emissive_strength": 6.0 } },
    });
    let mut textures = file.list("/textures").to_vec();
    textures.sort_by_key(|texture| texture.get("sampler").is_some());
    assert_eq!(textures, [json!({ "source": 0 }), json!({ "source": 0, "sampler": 0 })]);
    let index = file.list("/textures").iter().position(|texture| texture.get("sampler").is_some()).unwrap();
    let renumbered = expected.to_string().replace("\"index\":2", &format!("\"index\":{index}"));
    let expected: serde_json::Value = serde_json::from_str(&renumbered).unwrap();
    assert_eq!(file.at("/materials/1"), &expected);
    assert_eq!(
        file.at("/samplers"),
        &json!([{ "magFilter": 9729, "minFilter": 9987, "wrapS": 33648, "wrapT": 33071 }])
    );
    assert_eq!(file.at("/extensionsUsed"), &json!(["KHR_materials_unlit", "KHR_texture_transform"]));
    assert_eq!(loss(&losses, "emission").kind, LossKind::Baked);
    // Beyond its range, and no number at all; a strength without emission is kept in `extras`.
    let kept = json!({ "maquette": { "emissive_strength": 4.0 } });
    assert_eq!(file.at("/materials/2"), &json!({ "alphaMode": "BLEND", "extras": kept }));
    assert_eq!(loss(&losses, "brought into the range").count, 2);
    assert_eq!(file.at("/materials/3"), &json!({ "alphaMode": "MASK" }));
    // The second set of coordinates, which the occlusion needs, was not there.
    let mut primitives =
        file.json["meshes"].as_array().unwrap().iter().flat_map(|mesh| mesh["primitives"].as_array().unwrap());
    let textured = primitives.find(|primitive| primitive["material"] == 1).unwrap();
    assert_eq!(file.vectors::<2>(&textured["attributes"]["TEXCOORD_1"]), [[0.0; 2]; 3]);
    assert_eq!(loss(&losses, "texture coordinates").kind, LossKind::Baked);
}

#[test]
fn strong_emission_is_an_extension() {
    let mut scene = scenes::triangle();
    let strong = Pbr { emissive: [1.0, 0.5, 0.0], emissive_strength: 5.5, ..Pbr::default() };
    scene.materials.push(Material { surface: strong.into(), ..Material::default() });
    let (file, losses) = glb(&scene);
    let strength = json!({ "KHR_materials_emissive_strength": { "emissiveStrength": 5.5 } });
    assert_eq!(file.at("/materials/0"), &json!({ "emissiveFactor": [1.0, 0.5, 0.0], "extensions": strength }));
    assert!(losses.is_empty());
}

#[test]
fn image_files_stay_as_they_are() {
    let (bundle, losses) = written(&scenes::pictures(), &TEXT);
    let file = File::from_text(&bundle);
    let names: Vec<String> = bundle.companions.iter().map(|(naming, _)| naming.apply("made.gltf")).collect();
    assert_eq!(names, ["made.bin", "made.checker.png", "made.misnamed.png"]);
    assert!(bundle.companions[1..].iter().all(|(_, bytes)| *bytes == specimen::checker_png()));
    assert_eq!(file.at("/images/2/uri"), "textures/brick%20wall.png");
    assert_eq!(file.at("/images/3/uri"), "textures/wall.jpg");
    let of = |what: &str| losses.losses().iter().filter(|loss| loss.what.word() == what).collect::<Vec<_>>();
    let is_dropped = |loss: &&&Loss| loss.kind == LossKind::Dropped;
    let dropped: Vec<&str> = of("images").iter().filter(is_dropped).map(|loss| loss.subject.as_str()).collect();
    assert_eq!(dropped, ["image \"dds\"", "image \"absolute\"", "image \"targa\""]);
    assert_eq!(of("textures").len(), 1, "that of an image that could not be written");
    assert_eq!((of("images").len() - dropped.len(), of("image names").len()), (1, 1));
}

#[test]
fn pixels_are_refused() {
    let mut scene = scenes::triangle();
    let data = ImageData::Pixels {
        format: PixelFormat::Rgba8,
        colour_space: ColourSpace::Srgb,
        width: 1,
        height: 1,
        levels: vec![vec![0; 4].into()],
    };
    scene.images.push(Image::new("raw", data));
    let error = write(&scene, &BINARY).unwrap_err();
    assert!(matches!(&error, Error::Misfit(why) if why.path.to_string() == "images[0]"), "{error}");
}

#[test]
fn webp_takes_an_extension() {
    let mut scene = scenes::triangle();
    let data = ImageData::Encoded { mime: "image/webp".into(), bytes: b"RIFF\x04\0\0\0WEBP".to_vec().into() };
    let image = scene.images.push(Image::new("", data));
    let textured = Pbr { base_colour_texture: Some(TextureUse::new(image)), ..Pbr::default() };
    scene.materials.push(Material { surface: textured.into(), ..Material::default() });
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/textures"), &json!([{ "extensions": { "EXT_texture_webp": { "source": 0 } } }]));
    assert_eq!(file.at("/extensionsUsed"), &json!(["EXT_texture_webp"]));
    assert_eq!(file.at("/extensionsRequired"), &json!(["EXT_texture_webp"]));
    assert_eq!(file.at("/images/0/mimeType"), "image/webp");
    assert!(losses.is_empty());
}

#[test]
fn textures_of_sets_that_nothing_has_are_dropped() {
    let mut scene = scenes::pictures();
    let texture = TextureUse { uv_set: u32::MAX, ..TextureUse::new(Handle::from_index(0)) };
    let textured = Pbr { base_colour_texture: Some(texture), ..Pbr::default() };
    scene.materials.push(Material { surface: textured.into(), ..Material::default() });
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/materials/1"), &json!({}));
    assert!(losses.losses().iter().any(|loss| loss.detail.contains("4294967295")));
}
