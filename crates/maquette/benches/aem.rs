//! What a textured model costs on its way to AEM, stage by stage on one thread, and the whole on all; and how far compressed textures
//! are from the same textures without compression.
//!
//! The model is `glb/DamagedHelmet.glb` where a corpus lies beside the project or where `MAQUETTE_CORPUS` says, and one made by code
//! otherwise. Name another GLB file to measure that: `cargo bench -p maquette --bench aem -- model.glb`.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]

use maquette::Input;
use maquette::convert::{ConvertOptions, convert};
use maquette::fit::{FitOptions, TextureOptions, fit};
use maquette::formats::aem;
use maquette::formats::format::{Fitted, WriteOptions};
use maquette::scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette::scene::glam::{Mat4, Quat};
use maquette::scene::image::{Image, ImageData};
use maquette::scene::loss::LossReport;
use maquette::scene::material::{Material, Pbr, TextureUse};
use maquette::scene::mesh::{Influences, Mesh, Primitive, Streams};
use maquette::scene::scene::{Node, Skin};
use maquette::scene::{Handle, Scene};
use maquette::texture::mips::{self, Content};
use maquette::texture::pack::{BaseColour, Map, Normals, Opacity, Source, Surface};
use maquette::texture::picture::Picture;
use maquette::texture::resize::{Edge, data_table};
use maquette::texture::{Quality, bc5, bc7, blocks, colour, compare, decode, png};
use std::path::{Path, PathBuf};
use std::time::Instant;

const ROUNDS: usize = 5;

fn main() {
    let named = std::env::args().skip(1).find(|word| !word.starts_with("--")).map(PathBuf::from);
    let input = match named.or_else(helmet) {
        Some(path) => Input::from_path(&path).unwrap(),
        None => Input::from_bytes("made.glb", made()),
    };
    let scene = input.read(&Default::default()).unwrap().scene;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!("{}, median of {ROUNDS}\n", input.label.rsplit('/').next().unwrap_or_default());
    println!("{:<32} {:>9} {:>9}", "one thread", "ms", "MPix/s");
    pool.install(|| stages(&scene));
    println!("\n{:<32} {:>9}", "the whole", "ms");
    let whole = |quality| convert(&input, Some("out.aem"), &options(quality)).unwrap().main;
    for (name, quality) in QUALITIES {
        row(name, median(|| whole(quality)), None);
    }
    let plain = whole(None);
    println!("\n{:<32} {:>9} {:>9}", "dB against no compression", "channels", "default");
    distances(&plain, &whole(Some(Quality::Default)));
    println!("\n{:<32} {:>9} {:>9}", "a clip of 19 joints", "ms", "ns a key");
    for keys in [20_000, 40_000, 80_000, 160_000] {
        let scene = clip(keys);
        let seconds = median(|| fit_and_write(&scene));
        println!("{:<32} {:9.2} {:9.1}", format!("{keys} keys"), seconds * 1e3, seconds * 1e9 / keys as f64);
    }
}

fn fit_and_write(scene: &Scene) -> Vec<u8> {
    maquette::write::encode(scene.clone(), "out.aem", &Default::default()).unwrap().main.into()
}

/// A chain of joints, each with three curves, and a triangle at its end.
fn clip(keys: usize) -> Scene {
    let mut scene = Scene::default();
    let mut last: Option<Handle<Node>> = None;
    let mut joints = Vec::new();
    for at in 0..19 {
        let joint = scene.nodes.push(Node { name: format!("joint {at}"), ..Node::default() });
        match last.replace(joint).and_then(|parent| scene.nodes.get_mut(parent)) {
            Some(parent) => parent.children.push(joint),
            None => scene.roots.push(joint),
        }
        joints.push(joint);
    }
    let each = keys / joints.len() / 3;
    let times: Vec<f32> = (0..each).map(|key| key as f32 / 30.0).collect();
    fn keyed<const N: usize>(times: &[f32], value: fn(f32) -> [f32; N]) -> Keys<[f32; N]> {
        let values = times.iter().map(|&secs| value(secs)).collect();
        Keys { times_secs: times.to_vec(), values, interpolation: Interpolation::Linear }
    }
    let curves = [
        Curve::Translation(keyed(&times, |secs| [secs.sin(), 0.1, 0.0])),
        Curve::Rotation(keyed(&times, |secs| Quat::from_rotation_z(secs.sin()).to_array())),
        Curve::Scale(keyed(&times, |secs| [1.0 + secs.cos() / 10.0; 3])),
    ];
    let mut tracks = Vec::new();
    for &joint in &joints {
        let track = |curve: &Curve| Track { target: Target::Node(joint), curve: curve.clone(), blend: None };
        tracks.extend(curves.iter().map(track));
    }
    scene.clips.push(Clip { name: "long".into(), duration_secs: each as f64 / 30.0, tracks, ..Clip::default() });
    let influences = Some(Influences { slots: 1, joints: vec![18; 3], weights: vec![1.0; 3] });
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let streams = Streams { positions, normals: Some(vec![[0.0, 0.0, 1.0]; 3]), influences, ..Streams::default() };
    let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let skin = scene.skins.push(Skin { joint_from_mesh: vec![Mat4::IDENTITY; 19], joints, ..Skin::default() });
    let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
    scene.roots.push(body);
    scene
}

const QUALITIES: [(&str, Option<Quality>); 4] = [
    ("no compression", None),
    ("fast", Some(Quality::Fast)),
    ("default", Some(Quality::Default)),
    ("high", Some(Quality::High)),
];

fn options(quality: Option<Quality>) -> ConvertOptions {
    let textures = TextureOptions { quality, ..TextureOptions::default() };
    let write = maquette::WriteOptions { fit: FitOptions { textures, ..FitOptions::default() }, ..Default::default() };
    ConvertOptions { write, ..ConvertOptions::default() }
}

fn helmet() -> Option<PathBuf> {
    let companions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("MAQUETTE_CORPUS").map_or(companions, PathBuf::from);
    Some(corpus.join("glb/DamagedHelmet.glb")).filter(|path| path.exists())
}

/// The seconds of the middle round.
fn median<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            std::hint::black_box(work());
            began.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[ROUNDS / 2]
}

fn row(name: &str, seconds: f64, pixels: Option<usize>) {
    let speed = pixels.map_or_else(String::new, |pixels| format!("{:9.1}", pixels as f64 / 1e6 / seconds));
    println!("{name:<32} {:9.1} {speed}", seconds * 1e3);
}

/// What packing does with the first material that has all its maps, each step apart.
fn stages(scene: &Scene) {
    let whole = |pbr: &&Pbr| pbr.base_colour_texture.is_some() && pbr.normal_texture.is_some();
    let material = scene.materials.iter().filter_map(Material::pbr).find(whole).unwrap();
    let picture = |texture: &Option<TextureUse>| {
        let ImageData::Encoded { bytes, .. } = &*scene.images.get(texture.as_ref()?.image)?.data else { return None };
        Some(decode::decode(bytes).unwrap())
    };
    let all = || -> Vec<Picture> { material.textures().filter_map(|(_, use_)| picture(&Some(use_.clone()))).collect() };
    let decoded: usize = all().iter().map(|picture| picture.pixels().len()).sum();
    row("decode all maps", median(all), Some(decoded));
    let base_map = picture(&material.base_colour_texture).unwrap();
    let normal_map = picture(&material.normal_texture).unwrap();
    let [rough_map, occlusion_map, emissive_map] =
        [&material.metallic_roughness_texture, &material.occlusion_texture, &material.emissive_texture].map(picture);
    let decode_table = colour::srgb_table();
    fn source(picture: &Option<Picture>, decode_table: [f32; 256]) -> Option<Source<'_>> {
        picture.as_ref().map(|picture| Source { picture, edges: [Edge::Repeat; 2], decode_table })
    }
    let base = || BaseColour::new(&base_map, &decode_table, material.base_colour, Opacity::Ignored).whole().0;
    let normal = || Normals { picture: &normal_map, scale: material.normal_scale, two_channels: false }.whole().0;
    let [r, g, b, _] = material.base_colour;
    let base_source = Some(base_map.clone());
    let surface = Surface {
        roughness: material.roughness,
        metalness: material.metallic,
        metallic_roughness: source(&rough_map, data_table()),
        occlusion_strength: material.occlusion_strength,
        occlusion: source(&occlusion_map, data_table()),
        emissive: material.emissive,
        emissive_map: source(&emissive_map, decode_table),
        base_colour: [r, g, b],
        base_colour_map: source(&base_source, decode_table),
    };
    let packed = || surface.whole().0;
    let pixels = base().pixels().len() + normal().pixels().len() + packed().pixels().len();
    row("pack base colour", median(base), Some(base().pixels().len()));
    row("pack normals", median(normal), Some(normal().pixels().len()));
    row("pack roughness to emission", median(packed), Some(packed().pixels().len()));
    let tops = [(base(), Content::Blended), (normal(), Content::Normals), (packed(), Content::Data)];
    row("mip levels", median(|| tops.each_ref().map(|(top, content)| mips::below(top, *content))), Some(pixels));
    for (name, (top, _)) in ["BC7 base colour", "BC5 normals", "BC7 packed map"].into_iter().zip(&tops) {
        let (width, height) = (top.width() as usize, top.height() as usize);
        let encode = || match name {
            "BC5 normals" => bc5::encode(width, height, top.pixels(), Quality::Default),
            _ => bc7::encode(width, height, top.pixels(), Quality::Default),
        };
        row(name, median(encode), Some(width * height));
    }
    let caps = (aem::FORMAT.caps)("document");
    let scene = fit(scene.clone(), &caps, &options(Some(Quality::Fast)).write.fit, &mut LossReport::default());
    let writing = WriteOptions { dialect: "document", name: "out.aem", others: &[] };
    let write = || {
        let fitted = Fitted::check(&scene, &caps).unwrap();
        (aem::FORMAT.write)(&fitted, &writing, &mut LossReport::default()).unwrap()
    };
    row("check and write", median(write), None);
}

fn distances(plain: &[u8], compressed: &[u8]) {
    let files = [plain, compressed].map(|bytes| aem::File::parse(bytes).unwrap());
    for (index, texture) in files[1].textures.iter().enumerate() {
        let [a, b] = files.each_ref().map(|file| {
            let texture = &file.textures[index];
            let (width, height) = (texture.width as usize, texture.height as usize);
            let level = &file.image_buffer[texture.offset as usize..];
            let block_bytes = blocks::count(width, height).unwrap() * 16;
            match texture.compression {
                0 => level[..width * height * 4].as_chunks().0.to_vec(),
                1 => blocks::decode_bc5(width, height, &level[..block_bytes]).unwrap(),
                _ => blocks::decode_bc7(width, height, &level[..block_bytes]).unwrap(),
            }
        });
        let (kind, channels): (_, &[usize]) = match texture.compression {
            0 => continue,
            1 => ("normals", &[0, 1]),
            _ if files[1].materials.iter().any(|m| m.pbr_texture_index.get() as usize == index) => {
                ("packed map", &[0, 1, 2, 3])
            }
            _ => ("base colour", &[0, 1, 2]),
        };
        println!(
            "{:<32} {:>9} {:9.2}",
            format!("texture {index}, {kind}"),
            channels.len(),
            compare::psnr(&a, &b, channels)
        );
    }
}

/// A square with five maps of 1024 × 1024, as a GLB file.
fn made() -> Vec<u8> {
    let mut scene = Scene::default();
    let mut map = |seed: u32| {
        let pixels: Vec<[u8; 4]> = (0..1024 * 1024)
            .map(|at: u32| {
                let (x, y) = (at % 1024, at / 1024);
                let noise = (at ^ seed).wrapping_mul(0x9e37_79b9) >> 28;
                let edge = if (x / 64 + y / 96 + seed).is_multiple_of(3) { 90 } else { 0 };
                [x / 8 + edge, y / 8 + noise, (x + y) / 16 + edge + noise, 255].map(|value| value.min(255) as u8)
            })
            .collect();
        let bytes = png::encode(1024, 1024, &pixels).unwrap();
        let data = ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() };
        Some(TextureUse::new(scene.images.push(Image::new(format!("map {seed}"), data))))
    };
    let pbr = Pbr {
        base_colour_texture: map(1),
        normal_texture: map(2),
        metallic_roughness_texture: map(3),
        occlusion_texture: map(4),
        emissive_texture: map(5),
        emissive: [1.0; 3],
        ..Pbr::default()
    };
    let material = Some(scene.materials.push(Material { surface: pbr.into(), ..Material::default() }));
    let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let uvs = vec![vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]];
    let streams = Streams { positions, normals: Some(vec![[0.0, 0.0, 1.0]; 4]), uvs, ..Streams::default() };
    let primitive = Primitive { streams, indices: vec![0, 1, 2, 0, 2, 3], material, ..Primitive::default() };
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    maquette::write::encode(scene, "made.glb", &Default::default()).unwrap().main.into()
}
