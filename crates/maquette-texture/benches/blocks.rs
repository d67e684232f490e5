//! How fast the block encoders are on one thread, and how far from the pixels what they make is.
//!
//! The pictures are made by code. Those of a real model (`glb/DamagedHelmet.glb`) join them where a corpus lies beside the project
//! or where `MAQUETTE_CORPUS` says.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::indexing_slicing)]

mod clock;

use clock::Clock;
use maquette_texture::colour::Transfer;
use maquette_texture::{Quality, bc5, bc7, blocks, compare, decode};
use std::path::{Path, PathBuf};

struct Picture {
    name: &'static str,
    size: usize,
    pixels: Vec<[u8; 4]>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Colour,
    Packed,
    Normal,
}

fn main() {
    let mut pictures =
        vec![made("made colour", Kind::Colour), made("made packed", Kind::Packed), made("made normal", Kind::Normal)];
    pictures.extend(helmet());
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!("{:<16} {:>7} {:>9} {:>8} {:>7}", "picture", "encoder", "quality", "MPix/s", "dB");
    for picture in &pictures {
        for quality in [Quality::Fast, Quality::Default, Quality::High] {
            if format!("{} {quality:?}", picture.name).contains(&filter) {
                pool.install(|| measure(picture, quality));
            }
        }
    }
}

fn measure(picture: &Picture, quality: Quality) {
    let (encoder, channels): (_, &[usize]) = match picture.kind {
        Kind::Colour => ("BC7", &[0, 1, 2]),
        Kind::Packed => ("BC7", &[0, 1, 2, 3]),
        Kind::Normal => ("BC5", &[0, 1]),
    };
    let size = picture.size;
    let encode = || match picture.kind {
        Kind::Normal => bc5::encode(size, size, &picture.pixels, quality).unwrap(),
        _ => bc7::encode(size, size, &picture.pixels, quality).unwrap(),
    };
    // The clock may tick only every few milliseconds, so single runs cannot be told apart.
    let (mut runs, mut seconds, mut encoded) = (0.0, 0.0, Vec::new());
    let clock = Clock::start();
    while seconds < 0.7 {
        encoded = encode();
        runs += 1.0;
        seconds = clock.seconds();
    }
    let decoded = match picture.kind {
        Kind::Normal => blocks::decode_bc5(size, size, &encoded),
        _ => blocks::decode_bc7(size, size, &encoded),
    };
    let distance = compare::psnr(&picture.pixels, &decoded.unwrap(), channels);
    let speed = runs * (size * size) as f64 / 1e6 / seconds;
    println!("{:<16} {encoder:>7} {:>9} {speed:>8.1} {distance:>7.2}", picture.name, format!("{quality:?}"));
}

/// Noise, edges and gradients: something of what real pictures have.
fn made(name: &'static str, kind: Kind) -> Picture {
    let size = 1024_usize;
    let pixels = (0..size * size).map(|place| made_pixel((place % size) as f32, (place / size) as f32, kind)).collect();
    Picture { name, size, pixels, kind }
}

fn made_pixel(x: f32, y: f32, kind: Kind) -> [u8; 4] {
    let wave = |a: f32, b: f32| ((x * a + y * b).sin() * 0.5 + 0.5) * 255.0;
    let noise = |seed: u32| {
        let mixed = (x as u32 ^ seed).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77);
        (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) as f32 / u32::MAX as f32
    };
    let plate = if ((x / 37.0).floor() as i32 + (y / 53.0).floor() as i32) & 1 == 0 { 1.0 } else { 0.6 };
    let shade = wave(0.013, 0.007) * plate;
    let grain = noise(1) * 12.0;
    match kind {
        Kind::Colour => {
            [shade * 0.9 + grain, shade * 0.7 + grain + wave(0.003, 0.01) * 0.1, shade * 0.5 + grain, 255.0]
        }
        Kind::Packed => [
            shade * 0.8 + grain,
            wave(0.05, 0.02) * 0.8 + noise(2) * 6.0,
            if plate < 1.0 { 255.0 } else { noise(3) * 4.0 },
            if x > 900.0 { wave(0.02, 0.05) } else { 0.0 },
        ],
        Kind::Normal => [
            128.0 + (wave(0.05, 0.03) - 128.0) * 0.4 + grain,
            128.0 + (wave(0.02, 0.07) - 128.0) * 0.4 + grain,
            255.0,
            255.0,
        ],
    }
    .map(|value| value as u8)
}

/// The pictures of a real model, as an engine wants them.
fn helmet() -> Vec<Picture> {
    let companions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("MAQUETTE_CORPUS").map_or(companions, PathBuf::from);
    let Ok(file) = std::fs::read(corpus.join("glb/DamagedHelmet.glb")) else { return Vec::new() };
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
    let binary = &file[28 + length..];
    let images: Vec<Vec<[u8; 4]>> = json["images"]
        .as_array()
        .unwrap()
        .iter()
        .map(|image| {
            let view = &json["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
            let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
            jpeg(&binary[start..start + view["byteLength"].as_u64().unwrap() as usize])
        })
        .collect();
    let [colour, metal, emission, occlusion, normal] = images.as_slice() else { return Vec::new() };
    let mut linear = colour.clone();
    Transfer::ToLinear.apply(&mut linear);
    let packed = metal.iter().zip(occlusion).zip(emission);
    let packed = packed.map(|((metal, occlusion), emission)| [metal[1], occlusion[0], metal[2], emission[0]]).collect();
    let picture = |name, pixels: Vec<_>, kind| Picture { name, size: pixels.len().isqrt(), pixels, kind };
    vec![
        picture("helmet colour", colour.clone(), Kind::Colour),
        picture("helmet linear", linear, Kind::Colour),
        picture("helmet packed", packed, Kind::Packed),
        picture("helmet normal", normal.clone(), Kind::Normal),
    ]
}

fn jpeg(bytes: &[u8]) -> Vec<[u8; 4]> {
    decode::decode(bytes).unwrap().into_pixels()
}
