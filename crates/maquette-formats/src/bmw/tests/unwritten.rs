//! Surfaces to paths, and what a file cannot hold: reported or refused.

use super::super::raw::{Dialect, File};
use super::super::{FORMAT, write};
use super::scene::{NAME, read_bundle, words};
use super::written::{misfit, plain, refused, skinned, track, triangle, turning, write_as};
use crate::format::{Error, Fitted, WriteOptions};
use maquette_scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::Mat4;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::LossReport;
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse, Wrap};
use maquette_scene::mesh::{MorphTarget, Primitive, Topology};
use maquette_scene::{Handle, Scene};

fn image(name: &str, data: ImageData) -> Image {
    Image::new(name, data)
}

fn png() -> ImageData {
    ImageData::Encoded { mime: "image/png".into(), bytes: b"\x89PNG\r\n\x1a\n....".to_vec().into() }
}

#[test]
fn each_mesh_has_a_path_and_each_image_a_file() {
    let mut scene = plain();
    let images = [
        image("clay.png", png()),
        image("Clay.PNG", png()),
        image("a/b:c", ImageData::Encoded { mime: "image/jpeg".into(), bytes: b"\xff\xd8\xff".to_vec().into() }),
        image("", ImageData::External("x\\y.tga".into())),
        image("", png()),
    ];
    let mut materials = Vec::new();
    for image in images {
        let base_colour_texture = Some(TextureUse::new(scene.images.push(image)));
        let surface = Pbr { metallic: 0.0, base_colour_texture, ..Pbr::default() }.into();
        materials.push(scene.materials.push(Material { surface, ..Material::default() }));
    }
    let surfaces = [Some(0), None, Some(1), Some(2), Some(3), Some(4), Some(0), None];
    let primitive = |surface: &Option<usize>| Primitive { material: surface.map(|at| materials[at]), ..triangle() };
    scene.meshes.iter_mut().next().unwrap().primitives = surfaces.iter().map(primitive).collect();
    let (bundle, losses) = write_as(&scene, Dialect::Document);
    assert_eq!(words(&losses), ["renamed image names ×1"; 4]);
    let file = File::parse(&bundle.main).unwrap();
    let paths: Vec<String> = file.textures().map(|path| String::from_utf8_lossy(path).into()).collect();
    assert_eq!(
        paths,
        ["post.clay.png", "post.Clay-2.PNG", "post.b_c.jpg", "x\\y.tga", "post.texture.png", "post.clay.png"],
        "meshes without a texture come last"
    );
    let files: Vec<String> = bundle.companions.iter().map(|(naming, _)| naming.apply(NAME)).collect();
    assert_eq!(files, ["post.clay.png", "post.Clay-2.PNG", "post.b_c.jpg", "post.texture.png"]);
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
    let pbr = Pbr {
        base_colour: [0.5; 4],
        base_colour_texture: Some(wrapped),
        normal_texture: texture(),
        emissive_texture: texture(),
        ..Pbr::default()
    };
    let material = Material {
        name: "clay".into(),
        surface: pbr.into(),
        alpha: AlphaMode::Blend,
        double_sided: true,
        unlit: true,
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
fn names_and_events_are_reported() {
    let mut scene = skinned([Mat4::IDENTITY; 2]);
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
        misfit(&scene)
    };
    let at = |field: &str| format!("meshes[0].primitives[0].{field}");
    assert_eq!(with_primitive(|primitive| primitive.streams.normals = None), at("normals"));
    assert_eq!(with_primitive(|primitive| primitive.streams.tangents = Some(vec![[1.0; 4]; 3])), at("tangents"));
    assert_eq!(with_primitive(|primitive| primitive.streams.uvs = vec![vec![[0.0; 2]; 3]; 2]), at("uvs"));
    let lines = with_primitive(|primitive| {
        primitive.topology = Topology::Lines;
        primitive.indices.truncate(2);
    });
    assert_eq!(lines, at("topology"));
    assert_eq!(with_primitive(|primitive| primitive.indices[0] = 9), at("indices"), "an unsound scene");
    let mut morphed = plain();
    let mesh = morphed.meshes.iter_mut().next().unwrap();
    mesh.morph_weights = vec![0.0];
    mesh.primitives[0].morph_targets = vec![MorphTarget { positions: vec![[0.0; 3]; 3], ..MorphTarget::default() }];
    assert_eq!(misfit(&morphed), at("morph_targets"));
    let mut two = plain();
    two.meshes.iter_mut().next().unwrap().primitives[0].streams.colours = vec![vec![[0.0; 4]; 3]; 2];
    assert!(refused(&two).contains("several sets"));
}

#[test]
fn curves_that_fitting_takes_away_are_refused() {
    let with_clip = |change: fn(&mut Clip)| {
        let mut scene = plain();
        let mut clip = Clip { tracks: vec![turning(0, &[0.0, 0.5])], ..Clip::default() };
        change(&mut clip);
        scene.clips.push(clip);
        misfit(&scene)
    };
    assert_eq!(with_clip(|clip| clip.blend = Blend::Additive), "clips[0].tracks[0]");
    let morph = with_clip(|clip| {
        let keys = Keys { times_secs: vec![0.0], values: vec![vec![1.0]], interpolation: Interpolation::Linear };
        clip.tracks.push(track(0, Curve::MorphWeights(keys)));
    });
    assert_eq!(morph, "clips[0].tracks[1]");
}

#[test]
fn pixels_are_refused() {
    let mut scene = plain();
    let data = ImageData::Pixels {
        format: PixelFormat::Rgba8,
        colour_space: ColourSpace::Srgb,
        width: 1,
        height: 1,
        levels: vec![vec![0; 4].into()],
    };
    let base_colour_texture = Some(TextureUse::new(scene.images.push(image("a", data))));
    let surface = Pbr { base_colour_texture, ..Pbr::default() }.into();
    let material = scene.materials.push(Material { surface, ..Material::default() });
    scene.meshes.iter_mut().next().unwrap().primitives[0].material = Some(material);
    assert_eq!(misfit(&scene), "images[0]");
}

#[test]
fn an_unknown_dialect_is_refused() {
    let options = WriteOptions { dialect: "newest", name: NAME, others: &[] };
    let scene = plain();
    let fitted = Fitted::check(&scene, &(FORMAT.caps)("document")).unwrap();
    let error = write::write(&fitted, &options, &mut LossReport::default()).err().unwrap();
    assert!(matches!(error, Error::UnknownDialect { .. }));
}
