//! What scenes lose as files, by name, and scenes that no file can hold.

use super::writing::{first_clip, first_primitive, sample_scene, triangle, written};
use super::*;
use crate::format::WriteOptions;
use crate::nlm::write::write;
use crate::specimen;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::material::{AlphaMode, Material, TextureUse, UvTransform, Wrap};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform};
use maquette_scene::{Handle, Scene};

fn first_material(scene: &mut Scene) -> &mut Material {
    scene.materials.iter_mut().next().unwrap()
}

/// What a scene loses after a change that it did not lose before.
fn lost(scene: Scene, change: impl FnOnce(&mut Scene)) -> Vec<String> {
    let before = written(&scene, "document").1;
    let mut scene = scene;
    change(&mut scene);
    let after = written(&scene, "document").1;
    after.losses().iter().filter(|loss| !before.losses().contains(loss)).map(ToString::to_string).collect()
}

#[test]
fn what_a_material_loses_is_named() {
    let lost = |change: fn(&mut Material, TextureUse)| {
        lost(sample_scene(), |scene| {
            let texture = TextureUse::new(Handle::from_index(0));
            change(first_material(scene), texture);
        })
        .concat()
    };
    let whose = "of material 0";
    let same = |found: String, what: &str| assert!(found.starts_with(&format!("dropped {what} {whose}")), "{found}");
    same(lost(|material, _| material.base_colour[3] = 0.5), "base colours");
    same(lost(|material, _| material.metallic = 1.0), "metalness and roughness");
    same(lost(|material, _| material.emissive[0] = 1.0), "emission");
    same(lost(|material, _| material.alpha = AlphaMode::Mask(0.5)), "alpha modes");
    same(lost(|material, _| material.double_sided = true), "double-sidedness");
    same(lost(|material, _| material.unlit = true), "unlit surfaces");
    same(lost(|material, texture| material.normal_texture = Some(texture)), "textures");
    same(lost(|material, texture| material.occlusion_texture = Some(texture)), "textures");
    same(lost(|material, _| material.base_colour_texture.as_mut().unwrap().wrap[0] = Wrap::Clamp), "texture wrapping");
    same(
        lost(|material, _| material.base_colour_texture.as_mut().unwrap().filter.magnify = Some(9728)),
        "texture filters",
    );
    let transform = |material: &mut Material, _| {
        let moved = UvTransform { offset: [0.5; 2], rotation: 0.0, scale: [1.0; 2] };
        material.base_colour_texture.as_mut().unwrap().transform = Some(moved);
    };
    same(lost(transform), "texture transforms");
    assert!(lost(|material, _| material.base_colour_texture = None).contains("dropped materials of material 0"));
}

#[test]
fn only_image_files_can_be_held() {
    let with = |data: ImageData| lost(sample_scene(), |scene| scene.images.iter_mut().next().unwrap().data = data);
    let colour_space = ColourSpace::Srgb;
    let pixels = ImageData::Pixels { format: PixelFormat::Rgba8, colour_space, width: 1, height: 1, levels: vec![] };
    assert!(with(pixels)[0].contains("this is pixels"));
    assert!(with(ImageData::External("a.png".into()))[0].contains("\"a.png\" was not there"));
    let bytes = specimen::checker_png();
    assert!(with(ImageData::Encoded { mime: "image/x".into(), bytes })[0].starts_with("dropped images"));
    assert!(with(ImageData::Encoded { mime: "image/png".into(), bytes: vec![] })[0].contains("empty"));
}

#[test]
fn materials_that_become_one_are_named() {
    let found = lost(sample_scene(), |scene| {
        let twin = first_material(scene).clone();
        let twin = scene.materials.push(twin);
        let copy = Primitive { material: Some(twin), ..first_primitive(scene).clone() };
        let mesh = scene.meshes.push(Mesh { primitives: vec![copy], ..Mesh::default() });
        let skin = Some(Handle::from_index(0));
        scene.nodes.push(Node { mesh: Some(mesh), skin, ..Node::default() });
        scene.materials.push(Material::default());
        scene.images.push(Image { name: String::new(), data: ImageData::External("b".into()) });
    });
    let expected = ["dropped materials", "baked materials of model", "dropped images"];
    assert!(found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected)), "{found:?}");
    assert_eq!(found.len(), 3);
}

#[test]
fn names_units_and_what_is_not_drawn_are_lost() {
    let found = lost(sample_scene(), |scene| {
        scene.nodes.iter_mut().for_each(|node| node.name = "n".into());
        scene.meshes.iter_mut().next().unwrap().name = "body".into();
        scene.skins.iter_mut().next().unwrap().name = "s".into();
        first_material(scene).name = "clay".into();
        scene.images.iter_mut().next().unwrap().name = "i".into();
        first_clip(scene).name = "walk".into();
        scene.metres_per_unit = 0.01;
        scene.meshes.push(Mesh::default());
    });
    let what: Vec<_> = found.iter().map(|loss| loss.split(" of ").next().unwrap()).collect();
    let kinds = ["node", "mesh", "material", "image", "clip"].map(|kind| format!("dropped {kind} names"));
    assert_eq!(what[..5], kinds);
    assert_eq!(what[5..], ["dropped units", "dropped meshes"]);
}

#[test]
fn what_vertices_lose_is_named() {
    let lost =
        |change: fn(&mut Streams)| lost(triangle(), |scene| change(&mut first_primitive(scene).streams)).concat();
    assert!(lost(|s| s.colours = vec![vec![[0.5, 0.5, 0.5, 0.5]; 3]]).starts_with("dropped vertex colours of mesh 0"));
    assert!(lost(|s| s.colours = vec![vec![[1.0; 4]; 3]]).contains("all are white"));
    assert!(lost(|s| s.colours = vec![vec![[0.5, 0.5, 0.5, 1.0]; 3]; 2]).contains("only the first set"));
    assert_eq!(lost(|s| s.colours = vec![vec![[0.5, 0.25, 0.0, 1.0]; 3]]), "");
    assert!(lost(|s| s.uvs = vec![vec![[0.0, 1.0]; 3]]).starts_with("dropped texture coordinates of mesh 0"));
    assert!(lost(|s| s.normals = Some(vec![[0.0; 3]; 3])).starts_with("dropped normals of mesh 0"));
    let influences = |s: &mut Streams| {
        s.influences = Some(Influences { slots: 1, joints: vec![0; 3], weights: vec![1.0; 3] });
    };
    assert!(lost(influences).starts_with("dropped influences of mesh 0"));
}

#[test]
fn primitives_become_meshes() {
    let mut scene = triangle();
    let primitive = first_primitive(&mut scene).clone();
    scene.meshes.iter_mut().next().unwrap().primitives.extend([primitive, Primitive::default()]);
    let (bytes, losses) = written(&scene, "document");
    let primitives: Vec<_> = losses.losses().iter().filter(|loss| loss.what.word() == "primitives").collect();
    assert_eq!((primitives[0].kind, primitives[0].count), (LossKind::Dropped, 1));
    assert_eq!((primitives[1].kind, primitives[1].count), (LossKind::Baked, 2));
    assert_eq!(File::parse(&bytes).unwrap().meshes.len(), 2);
}

#[test]
fn what_a_clip_loses_is_named() {
    let lost = |change: fn(&mut Clip)| lost(sample_scene(), |scene| change(first_clip(scene))).concat();
    assert!(lost(|clip| clip.events.push(Event { time_secs: 0.0, name: "step".into() })).starts_with("dropped events"));
    assert!(lost(|clip| clip.looped = Some(true)).starts_with("dropped loop flags"));
    assert!(lost(|clip| clip.frame_rate = Some(30.0)).starts_with("dropped frame rates"));
    assert!(lost(|clip| clip.tracks.clear()).starts_with("dropped clips"));
    let mut bare = triangle();
    bare.roots.push(bare.nodes.push(Node::default()));
    assert!(written(&bare, "document").1.names(Lost::Nodes));
}

fn why(scene: Scene, change: impl FnOnce(&mut Scene)) -> String {
    let mut scene = scene;
    change(&mut scene);
    let options = WriteOptions { dialect: "document", name: "a.nlm" };
    match write(&scene, &options, &mut LossReport::default()) {
        Err(Error::CannotHold(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mesh_that_does_not_fit_is_refused() {
    let streams = |change: fn(&mut Streams)| why(triangle(), |scene| change(&mut first_primitive(scene).streams));
    assert!(streams(|s| s.normals = None).contains("needs normals, and mesh 0 has none"));
    assert!(streams(|s| s.tangents = Some(vec![[0.0; 4]; 3])).contains("no tangents"));
    assert!(streams(|s| s.uvs = vec![vec![[0.0; 2]; 3]; 2]).contains("one set of texture coordinates"));
    let five =
        |s: &mut Streams| s.influences = Some(Influences { slots: 5, joints: vec![0; 15], weights: vec![0.0; 15] });
    assert!(streams(five).contains("4 influences"));
    assert!(streams(|s| s.positions[0][0] = f32::NAN).contains("not sound"));
    let morph = why(triangle(), |scene| {
        scene.meshes.iter_mut().next().unwrap().morph_weights.push(0.0);
        let target = MorphTarget { positions: vec![[0.0; 3]; 3], ..MorphTarget::default() };
        first_primitive(scene).morph_targets.push(target);
    });
    assert!(morph.contains("no morph targets"));
    let moved = why(triangle(), |scene| {
        scene.nodes.iter_mut().next().unwrap().transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
    });
    assert!(moved.contains("in the space of the model only"), "{moved}");
    let twice = why(triangle(), |scene| {
        let again = scene.nodes.iter().next().unwrap().clone();
        scene.roots.push(scene.nodes.push(again));
    });
    assert!(twice.contains("at several nodes"), "{twice}");
    let at_joint = why(triangle(), |scene| {
        let joints = scene.roots.clone();
        scene.skins.push(Skin { joints, joint_from_mesh: vec![Mat4::IDENTITY], ..Skin::default() });
    });
    assert!(at_joint.contains("is at a node"), "{at_joint}");
}

#[test]
fn a_clip_that_does_not_fit_is_refused() {
    let clip = |change: fn(&mut Clip)| why(sample_scene(), |scene| change(first_clip(scene)));
    assert!(clip(|clip| clip.blend = Blend::Additive).contains("absolute"));
    assert!(clip(|clip| clip.tracks[0].target = Target::Name("hip".into())).contains("another model"));
    assert!(clip(|clip| clip.tracks.push(clip.tracks[0].clone())).contains("moves the translation of one node twice"));
    assert!(clip(|clip| clip.tracks[0].target = Target::Node(Handle::from_index(3))).contains("moves a mesh"));
    assert!(clip(|clip| clip.duration_secs = 1e300).contains("beyond"));
    let curve = |curve: Curve| {
        let track = Track { target: Target::Node(Handle::from_index(0)), curve, blend: None };
        why(sample_scene(), |scene| first_clip(scene).tracks = vec![track])
    };
    let step = Keys { times_secs: vec![0.0, 1.0], values: vec![[0.0; 3]; 2], interpolation: Interpolation::Step };
    assert!(curve(Curve::Scale(step)).contains("straight"));
    let weights = Keys { times_secs: vec![0.0], values: vec![vec![1.0]], interpolation: Interpolation::Linear };
    assert!(curve(Curve::MorphWeights(weights)).contains("morph"));
    assert!(
        why(sample_scene(), |scene| {
            scene.clips.push(Clip::default());
        })
        .contains("one clip")
    );
    assert!(
        why(sample_scene(), |scene| {
            scene.skins.push(Skin::default());
        })
        .contains("one skin")
    );
}

#[test]
fn an_unknown_dialect_is_not_written() {
    let options = WriteOptions { dialect: "no-such", name: "a.nlm" };
    let error = write(&triangle(), &options, &mut LossReport::default()).unwrap_err();
    assert!(matches!(error, Error::UnknownDialect { .. }));
}
