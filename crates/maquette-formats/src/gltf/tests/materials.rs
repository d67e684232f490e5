//! Materials, textures and images.

use super::{Asset, Folder, read_companions, refused, shown};
use maquette_scene::Scene;
use maquette_scene::image::ImageData;
use maquette_scene::loss::LossReport;
use maquette_scene::material::{AlphaMode, Material, Pbr, UvTransform, Wrap};
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn document(material: Value) -> Value {
    json!({
        "asset": { "version": "2.0" }, "materials": [material],
        "textures": [{ "source": 0, "sampler": 0 }, { "source": 1 }],
        "samplers": [{ "wrapS": 33071, "wrapT": 33648, "magFilter": 9728 }],
        "images": [{ "uri": "a%20b.png" }, { "uri": "data:image/png;base64,iVBORw0KGgo=" }],
    })
}

fn read(document: &Value) -> (Scene, LossReport) {
    let folder = Folder(vec![("a b.png".into(), PNG.to_vec())]);
    read_companions(document.to_string().as_bytes(), &folder).unwrap()
}

fn material(stored: Value) -> (Material, Vec<String>) {
    let (scene, losses) = read(&document(stored));
    (scene.materials.iter().next().unwrap().clone(), shown(&losses))
}

fn pbr(stored: Value) -> (Pbr, Vec<String>) {
    let (material, losses) = material(stored);
    (material.pbr().unwrap().clone(), losses)
}

fn first_pbr(scene: &Scene) -> &Pbr {
    scene.materials.iter().next().unwrap().pbr().unwrap()
}

#[test]
fn defaults_are_those_of_the_specification() {
    assert_eq!(material(json!({})), (Material::default(), vec![]));
}

#[test]
fn factors_and_modes_are_copied() {
    let (read, losses) = material(json!({
        "name": "shiny", "doubleSided": true, "alphaMode": "MASK", "emissiveFactor": [1, 0.5, 0],
        "pbrMetallicRoughness": { "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.25, "roughnessFactor": 0.75 },
        "normalTexture": { "index": 0, "scale": 0.5 }, "occlusionTexture": { "index": 1, "strength": 0.125, "texCoord": 1 },
        "extensions": { "KHR_materials_unlit": {}, "KHR_materials_emissive_strength": { "emissiveStrength": 5 } },
        "extras": [1, 2],
    }));
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!((read.name.as_str(), read.double_sided, read.unlit), ("shiny", true, true));
    assert_eq!(read.alpha, AlphaMode::Mask(0.5));
    let pbr = read.pbr().unwrap();
    assert_eq!((pbr.base_colour, pbr.metallic, pbr.roughness), ([0.1, 0.2, 0.3, 0.4], 0.25, 0.75));
    assert_eq!((pbr.emissive, pbr.emissive_strength), ([1.0, 0.5, 0.0], 5.0));
    assert_eq!((pbr.normal_scale, pbr.occlusion_strength), (0.5, 0.125));
    let normal = pbr.normal_texture.as_ref().unwrap();
    assert_eq!((normal.wrap, normal.filter.magnify, normal.uv_set), ([Wrap::Clamp, Wrap::Mirror], Some(9728), 0));
    let occlusion = pbr.occlusion_texture.as_ref().unwrap();
    assert_eq!((occlusion.wrap, occlusion.uv_set, occlusion.image.index()), ([Wrap::Repeat; 2], 1, 1));
    assert_eq!(read.extras.get("gltf", "extras"), Some("[1,2]"));
}

#[test]
fn textures_may_be_moved() {
    let transform = json!({ "KHR_texture_transform": { "offset": [0.5, 0], "rotation": 1.5, "texCoord": 2 } });
    let (read, _) = pbr(json!({ "emissiveTexture": { "index": 0, "texCoord": 1, "extensions": transform } }));
    let texture = read.emissive_texture.unwrap();
    assert_eq!(texture.transform, Some(UvTransform { offset: [0.5, 0.0], rotation: 1.5, scale: [1.0; 2] }));
    assert_eq!(texture.uv_set, 2, "the extension's set replaces the other");
}

#[test]
fn the_older_model_of_surfaces_is_approximated() {
    let (read, losses) = pbr(json!({ "name": "old", "extensions": { "KHR_materials_pbrSpecularGlossiness": {
        "diffuseFactor": [0.5, 0.5, 0.5, 1], "diffuseTexture": { "index": 0 }, "glossinessFactor": 0.75,
        "specularGlossinessTexture": { "index": 1 } } } }));
    assert_eq!((read.base_colour, read.metallic, read.roughness), ([0.5, 0.5, 0.5, 1.0], 0.0, 0.25));
    assert_eq!(read.base_colour_texture.map(|texture| texture.image.index()), Some(0));
    assert!(losses[0].starts_with("approximated extensions of material \"old\""), "{losses:?}");
    assert!(losses[0].contains("specular-glossiness texture is left out"), "{losses:?}");
    let (read, losses) = pbr(json!({
        "pbrMetallicRoughness": { "baseColorTexture": { "index": 1 }, "metallicFactor": 0.5 },
        "extensions": { "KHR_materials_pbrSpecularGlossiness": { "diffuseTexture": { "index": 0 } } } }));
    assert_eq!((read.metallic, read.base_colour_texture.map(|texture| texture.image.index())), (0.5, Some(1)));
    assert!(losses[0].starts_with("dropped extensions"), "{losses:?}");
    let broken = document(
        json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": { "diffuseTexture": { "index": 9 } } } }),
    );
    assert_eq!(refused(broken.to_string().as_bytes()).0, "GLTF0040");
}

#[test]
fn other_extensions_of_materials_are_named() {
    let (_, losses) = material(
        json!({ "name": "glass", "extensions": { "KHR_materials_transmission": {}, "KHR_materials_ior": {} } }),
    );
    assert_eq!(
        losses,
        [
            "dropped extensions of material \"glass\": KHR_materials_ior",
            "dropped extensions of material \"glass\": KHR_materials_transmission"
        ]
    );
}

#[test]
fn images_come_from_files_data_uris_and_views() {
    let (scene, _) = read(&document(json!({})));
    let images: Vec<_> = scene.images.iter().collect();
    let encoded = ImageData::Encoded { mime: "image/png".into(), bytes: PNG.to_vec().into() };
    assert_eq!((images[0].name.as_str(), &*images[0].data), ("a b.png", &encoded));
    assert_eq!((images[1].name.as_str(), &*images[1].data), ("", &encoded));
    let mut asset = Asset::new();
    let view = asset.view(PNG);
    asset.document["images"] = json!([{ "bufferView": view, "name": "inside" }]);
    let (scene, _) = asset.read().unwrap();
    assert_eq!(scene.images.iter().next().map(|image| (image.name.as_str(), &*image.data)), Some(("inside", &encoded)));
}

#[test]
fn a_missing_image_stays_a_name() {
    let mut document = document(json!({ "emissiveTexture": { "index": 0 } }));
    document["images"] = json!([{ "uri": "gone/away.png" }, { "uri": "https://example.org/x.png" }]);
    let (scene, losses) = read(&document);
    let data: Vec<_> = scene.images.iter().map(|image| &*image.data).collect();
    assert_eq!(
        data,
        [&ImageData::External("gone/away.png".into()), &ImageData::External("https://example.org/x.png".into())]
    );
    assert!(first_pbr(&scene).emissive_texture.is_some() && losses.is_empty());
}

#[test]
fn a_texture_that_only_an_extension_holds_is_named() {
    let mut document = document(json!({ "name": "m", "emissiveTexture": { "index": 0 } }));
    document["textures"] = json!([{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }]);
    let (scene, losses) = read(&document);
    assert!(first_pbr(&scene).emissive_texture.is_none());
    assert!(shown(&losses)[0].contains("KHR_texture_basisu"), "{:?}", shown(&losses));
}
