//! How long pictures take: a real model with large textures, a million triangles, and many small models.
//!
//! `glb/DamagedHelmet.glb` is drawn where a corpus lies beside the project or where `MAQUETTE_CORPUS` says; all else is made by code.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use maquette_render::{Framing, Mode, Shot, Stage, StageOptions, draw};
use maquette_scene::Scene;
use maquette_scene::mesh::{Mesh, Primitive, Streams};
use maquette_scene::scene::Node;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    if let Some(helmet) = helmet() {
        let bytes = std::fs::read(&helmet).unwrap();
        measure("helmet, from its file to PNG, 512²", 5, || {
            let scene = maquette::read(&helmet).unwrap().scene;
            let picture = picture(&scene, 512, Mode::Shaded);
            maquette_texture::png::encode(512, 512, picture.pixels()).unwrap().len() + bytes.len()
        });
        let scene = maquette::read(&helmet).unwrap().scene;
        let stage = Stage::new(&scene, &StageOptions::default());
        let posed = stage.pose(None);
        let camera = posed.camera(&Framing::default(), [512, 512]);
        for mode in [Mode::Shaded, Mode::BaseColour, Mode::VertexNormal, Mode::Wireframe] {
            let shot = Shot { camera, mode, ..Shot::default() };
            measure(&format!("helmet, one more picture, {}", mode.word()), 5, || {
                draw(&posed, &shot).unwrap().pixels().len()
            });
        }
    }
    let million = hills(708);
    measure("a million triangles, 1024²", 3, || picture(&million, 1024, Mode::Shaded).pixels().len());
    let small = hills(9);
    measure("1000 small models, 128²", 1, || {
        (0..1000).map(|_| picture(&small, 128, Mode::Shaded).pixels().len()).sum()
    });
}

/// The best of some runs, by the clock on the wall; of those whose names have what the command line asks for.
fn measure(what: &str, runs: usize, work: impl Fn() -> usize) {
    if std::env::args().skip(1).any(|word| !word.starts_with('-') && !what.contains(&word)) {
        return;
    }
    let best = (0..runs).map(|_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed().as_secs_f64()
    });
    println!("{what:<44} {:9.1} ms", best.fold(f64::INFINITY, f64::min) * 1e3);
}

fn picture(scene: &Scene, side: u32, mode: Mode) -> maquette_texture::Picture {
    let stage = Stage::new(scene, &StageOptions { only: Some(mode), ..StageOptions::default() });
    let posed = stage.pose(None);
    let size = [side, side];
    let camera = posed.camera(&Framing::default(), size);
    draw(&posed, &Shot { size, camera, mode, ..Shot::default() }).unwrap()
}

/// A landscape of so many by so many squares.
fn hills(side: u32) -> Scene {
    let place = |at: u32| at as f32 / side as f32 * 2.0 - 1.0;
    let height = |x: f32, z: f32| (x * 7.0).sin() * (z * 5.0).cos() * 0.2 + (x * 31.0 + z * 23.0).sin() * 0.02;
    let slope = |x: f32, z: f32| {
        let step = 1e-3;
        [
            (height(x - step, z) - height(x + step, z)) / (2.0 * step),
            1.0,
            (height(x, z - step) - height(x, z + step)) / (2.0 * step),
        ]
    };
    let corners = (0..=side).flat_map(|z| (0..=side).map(move |x| (place(x), place(z))));
    let positions = corners.clone().map(|(x, z)| [x, height(x, z), z]).collect();
    let unit = |[x, y, z]: [f32; 3]| {
        let length = (x * x + y * y + z * z).sqrt();
        [x / length, y / length, z / length]
    };
    let normals = Some(corners.map(|(x, z)| unit(slope(x, z))).collect());
    let across = side + 1;
    let squares = (0..side).flat_map(|z| (0..side).map(move |x| z * across + x));
    let indices = squares.flat_map(|at| [at, at + across, at + 1, at + 1, at + across, at + across + 1]).collect();
    let streams = Streams { positions, normals, ..Streams::default() };
    let primitive = Primitive { streams, indices, ..Primitive::default() };
    let mut scene = Scene::default();
    let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
    let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    scene.roots.push(node);
    scene
}

fn helmet() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("MAQUETTE_CORPUS").map_or(beside, PathBuf::from);
    Some(corpus.join("glb/DamagedHelmet.glb")).filter(|path| path.exists())
}
