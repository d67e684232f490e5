//! What scenes lose as files, by name, and scenes that no file can hold.

use super::writing::{first_clip, first_primitive, sample_scene, triangle, written};
use super::*;
use crate::specimen;
use maquette_scene::Handle;
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, Lost};
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams};
use maquette_scene::scene::{Node, Skin, Transform};
use std::sync::Arc;

fn first_material(scene: &mut Scene) -> &mut Material {
    scene.materials.iter_mut().next().unwrap()
}

fn pbr(material: &mut Material) -> &mut Pbr {
    material.pbr_mut().unwrap()
}

fn base_colour(material: &mut Material) -> &mut TextureUse {
    pbr(material).base_colour_texture.as_mut().unwrap()
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
    same(lost(|material, _| pbr(material).base_colour[3] = 0.5), "base colours");
    same(lost(|material, _| pbr(material).metallic = 1.0), "metalness and roughness");
    same(lost(|material, _| pbr(material).emissive[0] = 1.0), "emission");
    same(lost(|material, _| material.alpha = AlphaMode::Mask(0.5)), "alpha modes");
    same(lost(|material, _| material.double_sided = true), "double-sidedness");
    same(lost(|material, _| material.unlit = true), "unlit surfaces");
    same(lost(|material, texture| pbr(material).normal_texture = Some(texture)), "textures");
    same(lost(|material, texture| pbr(material).occlusion_texture = Some(texture)), "textures");
    same(lost(|material, _| base_colour(material).wrap[0] = Wrap::Clamp), "texture wrapping");
    same(lost(|material, _| base_colour(material).filter.magnify = Some(9728)), "texture filters");
    let transform = |material: &mut Material, _| {
        let moved = UvTransform { offset: [0.5; 2], rotation: 0.0, scale: [1.0; 2] };
        base_colour(material).transform = Some(moved);
    };
    same(lost(transform), "texture transforms");
    assert!(lost(|material, _| pbr(material).base_colour_texture = None).contains("dropped materials of material 0"));
}

#[test]
fn only_image_files_can_be_held() {
    let put = |scene: &mut Scene, data| scene.images.iter_mut().next().unwrap().data = Arc::new(data);
    let with = |data: ImageData| lost(sample_scene(), |scene| put(scene, data));
    let colour_space = ColourSpace::Srgb;
    let levels = vec![vec![0; 4].into()];
    let pixels = ImageData::Pixels { format: PixelFormat::Rgba8, colour_space, width: 1, height: 1, levels };
    assert_eq!(misfit(sample_scene(), |scene| put(scene, pixels)), "images[0]");
    assert!(with(ImageData::External("a.png".into()))[0].contains("\"a.png\" was not there"));
    let bytes = specimen::checker_png();
    assert!(with(ImageData::Encoded { mime: "image/x".into(), bytes: bytes.into() })[0].starts_with("dropped images"));
    assert!(with(ImageData::Encoded { mime: "image/png".into(), bytes: vec![].into() })[0].contains("empty"));
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
        scene.images.push(Image::new("", ImageData::External("b".into())));
    });
    let expected = ["dropped materials", "baked materials of the model", "dropped images"];
    assert!(found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected)), "{found:?}");
    assert_eq!(found.len(), 3);
}

#[test]
fn names_and_what_is_not_drawn_are_lost() {
    let found = lost(sample_scene(), |scene| {
        scene.nodes.iter_mut().for_each(|node| node.name = "n".into());
        scene.meshes.iter_mut().next().unwrap().name = "body".into();
        scene.skins.iter_mut().next().unwrap().name = "s".into();
        first_material(scene).name = "clay".into();
        scene.images.iter_mut().next().unwrap().name = "i".into();
        first_clip(scene).name = "walk".into();
        scene.meshes.push(Mesh::default());
    });
    let what: Vec<_> = found.iter().map(|loss| loss.split(" of ").next().unwrap()).collect();
    let kinds = ["node", "mesh", "material", "image", "clip"].map(|kind| format!("dropped {kind} names"));
    assert_eq!(what[..5], kinds);
    assert_eq!(what[5..], ["dropped meshes"]);
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

fn refused(scene: Scene, change: impl FnOnce(&mut Scene)) -> Error {
    let mut scene = scene;
    change(&mut scene);
    write(&scene, "document").map(|(_, losses)| losses).unwrap_err()
}

/// The place of what does not fit after a change.
fn misfit(scene: Scene, change: impl FnOnce(&mut Scene)) -> String {
    match refused(scene, change) {
        Error::Misfit(invalid) => invalid.path.to_string(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_mesh_that_does_not_fit_is_refused() {
    let streams = |change: fn(&mut Streams)| {
        let path = misfit(triangle(), |scene| change(&mut first_primitive(scene).streams));
        path.strip_prefix("meshes[0].primitives[0].").unwrap().to_owned()
    };
    assert_eq!(streams(|s| s.normals = None), "normals");
    assert_eq!(streams(|s| s.tangents = Some(vec![[0.0; 4]; 3])), "tangents");
    assert_eq!(streams(|s| s.uvs = vec![vec![[0.0; 2]; 3]; 2]), "uvs");
    let five =
        |s: &mut Streams| s.influences = Some(Influences { slots: 5, joints: vec![0; 15], weights: vec![0.0; 15] });
    assert_eq!(streams(five), "influences");
    assert_eq!(streams(|s| s.positions[0][0] = f32::NAN), "streams");
    let morph = misfit(triangle(), |scene| {
        scene.meshes.iter_mut().next().unwrap().morph_weights.push(0.0);
        let target = MorphTarget { positions: vec![[0.0; 3]; 3], ..MorphTarget::default() };
        first_primitive(scene).morph_targets.push(target);
    });
    assert_eq!(morph, "meshes[0].primitives[0].morph_targets");
    let moved = misfit(triangle(), |scene| {
        scene.nodes.iter_mut().next().unwrap().transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
    });
    assert_eq!(moved, "nodes[0]");
    let twice = misfit(triangle(), |scene| {
        let again = scene.nodes.iter().next().unwrap().clone();
        scene.roots.push(scene.nodes.push(again));
    });
    assert_eq!(twice, "nodes[1].mesh");
    let at_joint = misfit(triangle(), |scene| {
        let joints = scene.roots.clone();
        scene.skins.push(Skin { joints, joint_from_mesh: vec![Mat4::IDENTITY], ..Skin::default() });
    });
    assert_eq!(at_joint, "nodes[0]");
}

#[test]
fn a_clip_that_does_not_fit_is_refused() {
    let clip = |change: fn(&mut Clip)| misfit(sample_scene(), |scene| change(first_clip(scene)));
    assert_eq!(clip(|clip| clip.blend = Blend::Additive), "clips[0].tracks[0]");
    assert_eq!(clip(|clip| clip.tracks[0].target = Target::Name("hip".into())), "clips[0].tracks[0]");
    assert_eq!(clip(|clip| clip.tracks.push(clip.tracks[0].clone())), "clips[0].tracks[9]");
    assert_eq!(clip(|clip| clip.tracks[0].target = Target::Node(Handle::from_index(3))), "clips[0].tracks[0]");
    let curve = |curve: Curve| {
        let track = Track { target: Target::Node(Handle::from_index(0)), curve, blend: None };
        misfit(sample_scene(), |scene| first_clip(scene).tracks = vec![track])
    };
    let step = Keys { times_secs: vec![0.0, 1.0], values: vec![[0.0; 3]; 2], interpolation: Interpolation::Step };
    assert_eq!(curve(Curve::Scale(step)), "clips[0].tracks[0]");
    let weights = Keys { times_secs: vec![0.0], values: vec![vec![1.0]], interpolation: Interpolation::Linear };
    assert_eq!(curve(Curve::MorphWeights(weights)), "clips[0].tracks[0]");
    let with_clip = |scene: &mut Scene| _ = scene.clips.push(Clip::default());
    assert_eq!(misfit(sample_scene(), with_clip), "clips");
    let with_skin = |scene: &mut Scene| _ = scene.skins.push(Skin::default());
    assert_eq!(misfit(sample_scene(), with_skin), "skins");
}

#[test]
fn a_clip_longer_than_ticks_can_count_is_refused() {
    let error = refused(sample_scene(), |scene| first_clip(scene).duration_secs = 1e300);
    assert!(matches!(&error, Error::CannotHold(why) if why.contains("beyond")), "{error}");
}

#[test]
fn an_unknown_dialect_is_not_written() {
    assert!(matches!(write(&triangle(), "no-such"), Err(Error::UnknownDialect { .. })));
}
