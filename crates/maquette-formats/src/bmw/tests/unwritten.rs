//! Surfaces to paths, and what a file cannot hold: reported or refused.

use super::super::raw::{Dialect, File};
use super::super::write;
use super::scene::{NAME, read_bundle, words};
use super::written::{plain, refused, skinned, track, triangle, turning, write_as};
use crate::format::{Error, WriteOptions};
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::Mat4;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::LossReport;
use maquette_scene::material::{AlphaMode, Material, TextureUse, Wrap};
use maquette_scene::mesh::{MorphTarget, Primitive, Topology};
use maquette_scene::{Handle, Scene};

fn image(name: &str, data: ImageData) -> Image {
    Image { name: name.into(), data }
}

fn png() -> ImageData {
    ImageData::Encoded { mime: "image/png".into(), bytes: b"\x89PNG\r\n\x1a\n....".to_vec() }
}

#[test]
fn each_mesh_has_a_path_and_each_image_a_file() {
    let mut scene = plain();
    let images = [
        image("clay.png", png()),
        image("Clay.PNG", png()),
        image("a/b:c", ImageData::Encoded { mime: "image/jpeg".into(), bytes: b"\xff\xd8\xff".to_vec() }),
        image("", ImageData::External("x\\y.tga".into())),
        image("", png()),
    ];
    let mut materials = Vec::new();
    for image in images {
        let base_colour_texture = Some(TextureUse::new(scene.images.push(image)));
        materials.push(scene.materials.push(Material { metallic: 0.0, base_colour_texture, ..Material::default() }));
    }
    let surfaces = [Some(0), None, Some(1), Some(2), Some(3), Some(4), Some(0), None];
    let primitive = |surface: &Option<usize>| Primitive { material: surface.map(|at| materials[at]), ..triangle() };
    scene.meshes.iter_mut().next().unwrap().primitives = surfaces.iter().map(primitive).collect();
    let (bundle, losses) = write_as(&scene, Dialect::Document);
    assert_eq!(words(&losses), ["renamed image names ×1", "renamed image names ×1"]);
    let file = File::parse(&bundle.main).unwrap();
    let paths: Vec<String> = file.textures().map(|path| String::from_utf8_lossy(path).into()).collect();
    assert_eq!(paths, ["clay.png", "", "Clay-2.PNG", "b_c.jpg", "x\\y.tga", "texture.png", "clay.png"]);
    let files: Vec<String> = bundle.companions.iter().map(|(naming, _)| naming.apply(NAME)).collect();
    assert_eq!(files, ["clay.png", "Clay-2.PNG", "b_c.jpg", "texture.png"]);
    let again = read_bundle(&bundle).0;
    let found =
        again.meshes.iter().next().unwrap().primitives.iter().map(|primitive| primitive.material.map(Handle::index));
    assert_eq!(found.collect::<Vec<_>>(), surfaces);
}

#[test]
fn what_a_path_cannot_say_is_reported() {
    let mut scene = plain();
    let picture = scene.images.push(image("a.png", png()));
    let texture = || Some(TextureUse::new(picture));
    let wrapped = TextureUse { wrap: [Wrap::Clamp; 2], ..TextureUse::new(picture) };
    let material = Material {
        name: "clay".into(),
        base_colour: [0.5; 4],
        alpha: AlphaMode::Blend,
        double_sided: true,
        unlit: true,
        base_colour_texture: Some(wrapped),
        normal_texture: texture(),
        emissive_texture: texture(),
        ..Material::default()
    };
    scene.meshes.iter_mut().next().unwrap().primitives[0].material = Some(scene.materials.push(material));
    scene.materials.push(Material::default());
    let expected = [
        "dropped material names ×1",
        "dropped textures ×2",
        "dropped base colours ×1",
        "dropped metalness and roughness ×1",
        "dropped alpha modes ×1",
        "dropped double-sidedness ×1",
        "dropped unlit surfaces ×1",
        "dropped texture wrapping ×1",
        "dropped materials ×1",
    ];
    assert_eq!(words(&write_as(&scene, Dialect::Document).1), expected);
}

#[test]
fn names_units_and_events_are_reported() {
    let mut scene = skinned([Mat4::IDENTITY; 2]);
    scene.metres_per_unit = 0.01;
    scene.meshes.iter_mut().next().unwrap().name = "body".into();
    scene.skins.iter_mut().next().unwrap().name = "rig".into();
    let clip = scene.clips.iter_mut().next().unwrap();
    clip.events.push(Event { time_secs: 0.5, name: "step".into() });
    clip.tracks.push(Track { target: Target::Name("tail".into()), ..clip.tracks[0].clone() });
    let expected = [
        "baked hierarchy ×2",
        "dropped node names ×2",
        "dropped tracks ×1",
        "dropped events ×1",
        "dropped mesh names ×1",
        "dropped mesh names ×1",
        "dropped units of length ×1",
    ];
    assert_eq!(words(&write_as(&scene, Dialect::Document).1), expected);
}

#[test]
fn joints_and_weights_that_bind_nothing_are_reported() {
    let mut scene = skinned([Mat4::IDENTITY; 2]);
    let first = scene.nodes.get_mut(Handle::from_index(0)).unwrap();
    first.skin = None;
    let losses = words(&write_as(&scene, Dialect::Engine).1);
    assert_eq!(losses, ["baked hierarchy ×2", "dropped influences ×5", "dropped joints ×2"]);
}

#[test]
fn a_scene_without_nodes_is_refused() {
    assert!(refused(&Scene::default()).contains("no nodes"));
}

#[test]
fn what_fitting_takes_away_is_refused() {
    let with_primitive = |change: fn(&mut Primitive)| {
        let mut scene = plain();
        change(&mut scene.meshes.iter_mut().next().unwrap().primitives[0]);
        refused(&scene)
    };
    assert!(with_primitive(|primitive| primitive.streams.normals = None).contains("no normals"));
    assert!(with_primitive(|primitive| primitive.streams.tangents = Some(vec![[1.0; 4]; 3])).contains("tangents"));
    assert!(with_primitive(|primitive| primitive.streams.uvs = vec![vec![[0.0; 2]; 3]; 2]).contains("several sets"));
    assert!(
        with_primitive(|primitive| primitive.streams.colours = vec![vec![[0.0; 4]; 3]; 2]).contains("several sets")
    );
    let lines = with_primitive(|primitive| {
        primitive.topology = Topology::Lines;
        primitive.indices.truncate(2);
    });
    assert!(lines.contains("lines"));
    assert!(with_primitive(|primitive| primitive.indices[0] = 9).contains("past the 3 vertices"), "an unsound scene");
    let mut morphed = plain();
    let mesh = morphed.meshes.iter_mut().next().unwrap();
    mesh.morph_weights = vec![0.0];
    mesh.primitives[0].morph_targets = vec![MorphTarget { positions: vec![[0.0; 3]; 3], ..MorphTarget::default() }];
    assert!(refused(&morphed).contains("morph targets"));
}

#[test]
fn curves_that_fitting_takes_away_are_refused() {
    let with_clip = |change: fn(&mut Clip)| {
        let mut scene = plain();
        let mut clip = Clip { tracks: vec![turning(0, &[0.0, 0.5])], ..Clip::default() };
        change(&mut clip);
        scene.clips.push(clip);
        refused(&scene)
    };
    assert!(with_clip(|clip| clip.blend = Blend::Additive).contains("added to the rest pose"));
    let step = with_clip(|clip| {
        let Curve::Rotation(keys) = &mut clip.tracks[0].curve else { return };
        keys.interpolation = Interpolation::Step;
    });
    assert!(step.contains("not straight"));
    let morph = with_clip(|clip| {
        let keys = Keys { times_secs: vec![0.0], values: vec![vec![1.0]], interpolation: Interpolation::Linear };
        clip.tracks.push(track(0, Curve::MorphWeights(keys)));
    });
    assert!(morph.contains("morph targets"));
}

#[test]
fn pixels_are_refused() {
    let mut scene = plain();
    let data = ImageData::Pixels {
        format: PixelFormat::Rgba8,
        colour_space: ColourSpace::Srgb,
        width: 1,
        height: 1,
        levels: vec![vec![0; 4]],
    };
    let base_colour_texture = Some(TextureUse::new(scene.images.push(image("a", data))));
    let material = scene.materials.push(Material { base_colour_texture, ..Material::default() });
    scene.meshes.iter_mut().next().unwrap().primitives[0].material = Some(material);
    assert!(refused(&scene).contains("pixels"));
}

#[test]
fn an_unknown_dialect_is_refused() {
    let options = WriteOptions { dialect: "newest", name: NAME };
    let error = write::write(&plain(), &options, &mut LossReport::default()).err().unwrap();
    assert!(matches!(error, Error::UnknownDialect { .. }));
}
