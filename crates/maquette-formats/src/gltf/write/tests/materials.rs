//! Surfaces and pictures.

use super::scenes;
use super::{File, TEXT, glb, loss, written};
use crate::specimen;
use maquette_scene::Handle;
use maquette_scene::image::{Image, ImageData};
use maquette_scene::loss::LossKind;
use maquette_scene::material::{Material, TextureUse};
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
    // Beyond its range, and no number at all; a strength of nothing is kept aside.
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
    scene.materials.push(Material { emissive: [1.0, 0.5, 0.0], emissive_strength: 5.5, ..Material::default() });
    let (file, losses) = glb(&scene);
    let strength = json!({ "KHR_materials_emissive_strength": { "emissiveStrength": 5.5 } });
    assert_eq!(file.at("/materials/0"), &json!({ "emissiveFactor": [1.0, 0.5, 0.0], "extensions": strength }));
    assert!(losses.is_empty());
}

fn decoded(png: &[u8]) -> (png::OutputInfo, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info, pixels)
}

#[test]
fn pixels_become_png_and_mean_what_they_are_taken_for() {
    let (bundle, losses) = written(&scenes::pictures(), &TEXT);
    let file = File::from_text(&bundle);
    let bytes = |name: &str| {
        let named = |(naming, _): &&(crate::format::Naming, Vec<u8>)| naming.apply("made.gltf") == name;
        &bundle.beside.iter().find(named).unwrap_or_else(|| panic!("{name}")).1
    };
    let names: Vec<String> = bundle.beside.iter().map(|(naming, _)| naming.apply("made.gltf")).collect();
    let expected =
        ["made.bin", "linear.png", "linear-2.png", "srgb.png", "two.png", "five.png", "seven.png", "misnamed.png"];
    assert_eq!(names, expected);
    // As a colour it is converted, as data it is not.
    let [colour, data] = ["linear.png", "linear-2.png"].map(|name| decoded(bytes(name)).1);
    assert_eq!(&data[..3], [200, 90, 50]);
    let srgb = |x: f32| if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
    let expected = [200.0, 90.0, 50.0].map(|byte: f32| (srgb(byte / 255.0) * 255.0).round() as u8);
    assert_eq!(&colour[..3], expected);
    let pbr = file.at("/materials/0/pbrMetallicRoughness");
    let source = |info: &serde_json::Value| {
        file.json["textures"][info["index"].as_u64().unwrap() as usize]["source"].as_u64().unwrap()
    };
    assert_eq!((source(&pbr["baseColorTexture"]), source(&pbr["metallicRoughnessTexture"])), (0, 1));
    // sRGB taken as data is made linear.
    let linear = |x: f32| ((x + 0.055) / 1.055).powf(2.4);
    let (info, pixels) = decoded(bytes("srgb.png"));
    assert_eq!((info.width, info.height, info.color_type), (8, 8, png::ColorType::Rgb));
    assert_eq!(pixels[0], (linear(200.0 / 255.0) * 255.0).round() as u8);
    // Two channels are normals: straight up, and level.
    assert_eq!(decoded(bytes("two.png")).1[..3], [128, 128, 255]);
    assert_eq!(decoded(bytes("five.png")).1[..3], [128, 255, 128]);
    assert_eq!(decoded(bytes("seven.png")).0.width, 4);
    assert_eq!(bytes("misnamed.png"), &specimen::checker_png());
    assert_eq!(file.at("/images/7/uri"), "textures/brick%20wall.png");
    assert_eq!(file.at("/images/8/uri"), "textures/wall.jpg");
    let of = |what: &str| losses.losses().iter().filter(|loss| loss.what.word() == what).collect::<Vec<_>>();
    assert_eq!(of("mip levels").iter().map(|loss| loss.count).sum::<u64>(), 2);
    assert_eq!(of("pixels").len(), 6);
    let told = |detail: &str| of("pixels").iter().filter(|loss| loss.detail.contains(detail)).count();
    assert_eq!(["decoded", "blue is rebuilt", "8 bits"].map(told), [2, 2, 2]);
    let dropped: Vec<&str> =
        of("images").iter().filter(|loss| loss.kind == LossKind::Dropped).map(|loss| loss.subject.as_str()).collect();
    assert_eq!(dropped, ["image \"short\"", "image \"dds\"", "image \"absolute\"", "image \"targa\""]);
    assert_eq!(of("textures").len(), 2, "those of images that could not be written");
    let renamed = of("images").iter().filter(|loss| loss.kind == LossKind::Renamed).count();
    assert_eq!((renamed, of("image names").len()), (1, 1));
}

#[test]
fn webp_takes_an_extension() {
    let mut scene = scenes::triangle();
    let data = ImageData::Encoded { mime: "image/webp".into(), bytes: b"RIFF\x04\0\0\0WEBP".to_vec() };
    let image = scene.images.push(Image { name: String::new(), data });
    let base_colour_texture = Some(TextureUse::new(image));
    scene.materials.push(Material { base_colour_texture, ..Material::default() });
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
    let texture = TextureUse { uv_set: u32::MAX, ..TextureUse::new(Handle::from_index(1)) };
    scene.materials.push(Material { base_colour_texture: Some(texture), ..Material::default() });
    let (file, losses) = glb(&scene);
    assert_eq!(file.at("/materials/2"), &json!({}));
    assert!(losses.losses().iter().any(|loss| loss.detail.contains("4294967295")));
}
