//! PMAT as a scene and back.

use super::material;
use crate::format::{Bundle, Error, Fitted, Naming, ReadOptions, Resources, Source, WriteOptions};
use crate::pmat::FORMAT;
use crate::specimen;
use maquette_scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{AlphaMode, Filter, Material, Pbr, TextureUse, UvTransform, Wrap};
use maquette_scene::{Scene, valid};
use std::borrow::Cow;

struct Folder(Vec<(String, Vec<u8>)>);

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
    }
}

fn read_companions(bytes: &[u8], folder: &Folder) -> (Scene, Vec<String>) {
    let source = Source { name: "clay.pmat", resources: folder, ..Source::BARE };
    let mut losses = LossReport::default();
    let options = ReadOptions { source, ..ReadOptions::default() };
    let scene = (FORMAT.open)(bytes, None).unwrap().read(&options, &mut losses).unwrap();
    valid::check(&scene).unwrap();
    (scene, losses.losses().iter().map(ToString::to_string).collect())
}

fn read(bytes: &[u8]) -> (Scene, Vec<String>) {
    read_companions(bytes, &Folder(Vec::new()))
}

fn try_write(scene: &Scene) -> Result<(Bundle, Vec<String>), Error> {
    let mut losses = LossReport::default();
    let options = WriteOptions { dialect: "document", name: "clay.pmat", others: &[] };
    let fitted = Fitted::check(scene, &(FORMAT.caps)(options.dialect))?;
    let bundle = (FORMAT.write)(&fitted, &options, &mut losses)?;
    Ok((bundle, losses.losses().iter().map(|loss| format!("{} {}", loss.kind.word(), loss.what.word())).collect()))
}

fn write(scene: &Scene) -> (Bundle, Vec<String>) {
    try_write(scene).unwrap()
}

fn folder(bundle: &Bundle) -> Folder {
    Folder(bundle.companions.iter().map(|(naming, bytes)| (naming.apply("clay.pmat"), bytes.clone())).collect())
}

fn only(scene: &Scene) -> &Material {
    assert_eq!(scene.materials.len(), 1);
    scene.materials.iter().next().unwrap()
}

#[test]
fn diffuse_is_the_base_colour_and_normal_the_normal_map() {
    let (scene, losses) = read(&material(&[(3, b"n.png"), (1, b"textures/d.jpg")]));
    let material = only(&scene);
    let pbr = material.pbr().unwrap();
    assert_eq!((material.name.as_str(), pbr.metallic), ("clay", 0.0));
    let path = |texture: &Option<TextureUse>| &*scene.images.get(texture.as_ref().unwrap().image).unwrap().data;
    assert_eq!(*path(&pbr.base_colour_texture), ImageData::External("textures/d.jpg".into()));
    assert_eq!(*path(&pbr.normal_texture), ImageData::External("n.png".into()));
    assert_eq!(losses, [""; 0]);
}

#[test]
fn textures_without_a_place_are_reported_and_written_back() {
    let textures: [(u32, &[u8]); 6] = [(1, b"d"), (3, b"n"), (2, b"s"), (4, b"h"), (1, b"d2"), (9, b"x")];
    let bytes = material(&textures);
    let (scene, losses) = read(&bytes);
    let words: Vec<_> = losses.iter().map(|loss| loss.split(" of ").next().unwrap()).collect();
    assert_eq!(words, ["dropped textures"; 4]);
    let already = losses.iter().filter(|loss| loss.ends_with("one of its kind is there already")).count();
    assert_eq!(already, 1);
    assert_eq!(write(&scene).0.main, bytes);
}

#[test]
fn the_sample_comes_back_as_it_was() {
    let sample = (FORMAT.sample)("document");
    let (scene, losses) = read_companions(&sample.main, &folder(&sample));
    assert_eq!(losses, [""; 0]);
    let image = scene.images.iter().next().unwrap();
    let bytes = specimen::checker_png();
    assert_eq!(*image.data, ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() });
    let (written, losses) = write(&scene);
    assert_eq!(losses, [""; 0]);
    let file = format!("clay.{}", specimen::TEXTURE_FILE);
    let mut moved = crate::pmat::File::parse(&sample.main).unwrap();
    moved.textures[0].path = file.as_bytes().into();
    assert_eq!(written.main, moved.encode(), "but for the name of the image's file");
    assert_eq!(folder(&written).0, [(file, specimen::checker_png())]);
    assert_eq!(read_companions(&written.main, &folder(&written)), (scene, Vec::new()));
}

#[test]
fn one_image_for_two_purposes_is_one_image_and_one_file() {
    let (scene, _) = read_companions(
        &material(&[(1, b"a.png"), (3, b"a.png")]),
        &Folder(vec![("a.png".into(), specimen::checker_png())]),
    );
    assert_eq!(scene.images.len(), 1);
    assert_eq!(write(&scene).0.companions.len(), 1);
}

#[test]
fn an_odd_version_and_a_name_that_is_no_text_are_seen_to() {
    let mut bytes = material(&[]);
    bytes[4] = 7;
    let (scene, losses) = read(&bytes);
    assert_eq!(losses, [""; 0]);
    assert_eq!(write(&scene).0.main, bytes);
    bytes[16] = 0xff;
    let (scene, losses) = read(&bytes);
    assert_eq!(only(&scene).name, "\u{fffd}lay");
    assert!(losses[0].starts_with("renamed material names of the material"), "{losses:?}");
}

fn textured(data: ImageData) -> Scene {
    let mut scene = Scene::default();
    let image = scene.images.push(Image::new("a.png", data));
    let base_colour_texture = Some(TextureUse::new(image));
    let surface = Pbr { metallic: 0.0, base_colour_texture, ..Pbr::default() }.into();
    scene.materials.push(Material { name: "clay".into(), surface, ..Material::default() });
    scene
}

fn first_pbr(scene: &mut Scene) -> &mut Pbr {
    scene.materials.iter_mut().next().unwrap().pbr_mut().unwrap()
}

#[test]
fn what_a_surface_has_beyond_its_textures_is_named() {
    let external = || ImageData::External("a.png".into());
    let lost = |change: fn(&mut Material)| {
        let mut scene = textured(external());
        change(scene.materials.iter_mut().next().unwrap());
        write(&scene).1
    };
    let of_pbr = |change: fn(&mut Pbr)| {
        let mut scene = textured(external());
        change(first_pbr(&mut scene));
        write(&scene).1
    };
    assert_eq!(lost(|_| ()), [""; 0]);
    assert_eq!(of_pbr(|m| m.base_colour[3] = 0.5), ["dropped base colours"]);
    assert_eq!(of_pbr(|m| m.roughness = 0.5), ["dropped metalness and roughness"]);
    assert_eq!(of_pbr(|m| m.emissive = [1.0; 3]), ["dropped emission"]);
    assert_eq!(of_pbr(|m| m.emissive_texture = m.base_colour_texture.clone()), ["dropped textures"]);
    let stronger = |m: &mut Pbr| (m.normal_texture, m.normal_scale) = (m.base_colour_texture.clone(), 2.0);
    assert_eq!(of_pbr(stronger), ["dropped texture strengths"]);
    assert_eq!(of_pbr(|m| m.occlusion_texture = m.base_colour_texture.clone()), ["dropped textures"]);
    assert_eq!(lost(|m| m.alpha = AlphaMode::Blend), ["dropped alpha modes"]);
    assert_eq!(lost(|m| m.double_sided = true), ["dropped double-sidedness"]);
    assert_eq!(lost(|m| m.unlit = true), ["dropped unlit surfaces"]);
    let texture = |change: fn(&mut TextureUse)| {
        let mut scene = textured(external());
        change(first_pbr(&mut scene).base_colour_texture.as_mut().unwrap());
        write(&scene).1
    };
    assert_eq!(texture(|t| t.uv_set = 1), ["dropped UV sets"]);
    assert_eq!(texture(|t| t.wrap[1] = Wrap::Clamp), ["dropped texture wrapping"]);
    assert_eq!(texture(|t| t.filter = Filter { magnify: Some(9728), minify: None }), ["dropped texture filters"]);
    let moved = UvTransform { offset: [0.0; 2], rotation: 1.0, scale: [1.0; 2] };
    let mut scene = textured(external());
    first_pbr(&mut scene).base_colour_texture.as_mut().unwrap().transform = Some(moved);
    assert_eq!(write(&scene).1, ["dropped texture transforms"]);
}

#[test]
fn other_materials_and_images_are_named() {
    let mut scene = textured(ImageData::External("a.png".into()));
    scene.materials.push(Material::default());
    scene.images.push(Image::new("b", ImageData::External("b".into())));
    assert_eq!(write(&scene).1, ["dropped materials", "dropped images"]);
}

#[test]
fn images_without_a_file_name_get_one_and_pixels_are_refused() {
    let mut scene = textured(ImageData::Encoded { mime: "image/jpeg".into(), bytes: vec![1].into() });
    scene.images.iter_mut().next().unwrap().name = "skin".into();
    let (bundle, losses) = write(&scene);
    assert_eq!(losses, ["renamed image names"]);
    assert_eq!(folder(&bundle).0, [("clay.skin.jpg".to_owned(), vec![1])]);
    let levels = vec![vec![0; 4].into()];
    let pixels =
        ImageData::Pixels { format: PixelFormat::Rgba8, colour_space: ColourSpace::Srgb, width: 1, height: 1, levels };
    assert!(matches!(try_write(&textured(pixels)), Err(Error::Misfit(_))));
}

#[test]
fn references_are_the_paths_of_its_textures() {
    let bytes = material(&[(1, b"textures\\d.png"), (3, b""), (9, b"x")]);
    let references = (FORMAT.open)(&bytes, None).unwrap().references(&Source::BARE);
    assert_eq!(references, ["textures/d.png", "x"].map(|path| Naming::Named(path.into())));
    let bytes = material(&[]);
    assert_eq!((FORMAT.open)(&bytes, None).unwrap().references(&Source::BARE), []);
}

#[test]
fn a_scene_without_materials_is_refused() {
    assert!(matches!(try_write(&Scene::default()), Err(Error::CannotHold(_))));
}

#[test]
fn a_material_without_a_name_is_called_after_its_file() {
    let (mut scene, _) = read(&material(&[(1, b"d.png")]));
    let (bundle, losses) = write(&scene);
    assert_eq!(only(&read(&bundle.main).0).name, "clay");
    assert!(!losses.contains(&"renamed material names".to_owned()), "{losses:?}");
    scene.materials.iter_mut().for_each(|material| material.name.clear());
    let named = |name| {
        let mut losses = LossReport::default();
        let options = WriteOptions { dialect: "document", name, others: &[] };
        let fitted = Fitted::check(&scene, &(FORMAT.caps)(options.dialect)).unwrap();
        let bundle = (FORMAT.write)(&fitted, &options, &mut losses).unwrap();
        let renamed = losses.iter().filter(|loss| loss.what == Lost::MaterialNames).map(ToString::to_string);
        (only(&read(&bundle.main).0).name.clone(), renamed.collect::<Vec<_>>())
    };
    let told = "renamed material names of material 0: it becomes \"brick.red\", to be found by name";
    assert_eq!(named("brick.red.pmat"), ("brick.red".to_owned(), vec![told.to_owned()]));
    assert_eq!(named(""), (String::new(), Vec::new()), "nor has the file a name");
}
