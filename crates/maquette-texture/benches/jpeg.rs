//! How fast JPEG files are decoded on one thread, against another decoder, and whether both make the same pixels.
//!
//! The files are those that stand anywhere in files or folders which are named, or else in the corpus beside the project or where `MAQUETTE_CORPUS` says.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod clock;

use clock::Clock;
use maquette_texture::decode::{Salvaged, salvage};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Both take turns, and the quickest turn of each counts. The clock may tick only every few milliseconds.
const TURNS: usize = 7;
const SECONDS_OF_A_TURN: f64 = 0.06;

fn main() {
    let named: Vec<PathBuf> =
        std::env::args().skip(1).filter(|name| !name.starts_with('-')).map(PathBuf::from).collect();
    let corpus = || {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
        vec![std::env::var_os("MAQUETTE_CORPUS").map_or(beside, PathBuf::from)]
    };
    let mut files = Vec::new();
    let roots = if named.is_empty() { corpus() } else { named };
    roots.iter().for_each(|root| collect(root, &mut files));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!("{:>9} {:>9} {:>9} {:>7} {:>7}  file", "pixels", "MPix/s", "other", "times", "pixels");
    for (name, file) in &files {
        pool.install(|| measure(name, file));
    }
}

/// Every file that begins with the first marker of a JPEG anywhere in these.
fn collect(path: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    if let Ok(folder) = std::fs::read_dir(path) {
        let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        return paths.iter().for_each(|path| collect(path, files));
    }
    let bytes = std::fs::read(path).unwrap_or_default();
    for (at, start) in bytes.windows(3).enumerate() {
        if start == [0xff, 0xd8, 0xff] {
            files.push((format!("{} at {at}", path.display()), bytes.get(at..).unwrap_or_default().to_vec()));
        }
    }
}

fn measure(name: &str, file: &[u8]) {
    let Ok(Salvaged { picture, damage, .. }) = salvage(file) else { return };
    let Some(other) = other(file) else { return println!("{name}: only decoded here; damage: {damage:?}") };
    let same = if other == picture.pixels() { "same" } else { "DIFFER" };
    let (mut here, mut there) = (0.0_f64, 0.0_f64);
    for _ in 0..TURNS {
        here = here.max(runs_a_second(|| std::hint::black_box(salvage(file)).is_ok()));
        there = there.max(runs_a_second(|| std::hint::black_box(other_pixels(file)).is_some()));
    }
    let [here, there] = [here, there].map(|runs| runs * other.len() as f64 / 1e6);
    let damage = damage.unwrap_or_default();
    println!("{:>9} {here:>9.1} {there:>9.1} {:>7.2} {same:>7}  {name} {damage}", other.len(), here / there);
}

fn runs_a_second(run: impl Fn() -> bool) -> f64 {
    let clock = Clock::start();
    let mut runs = 0.0;
    while clock.seconds() < SECONDS_OF_A_TURN {
        assert!(run());
        runs += 1.0;
    }
    runs / clock.seconds()
}

/// As four channels, of files whose components are not red, green and blue already.
fn other_pixels(file: &[u8]) -> Option<Vec<u8>> {
    let options = DecoderOptions::new_safe().jpeg_set_out_colorspace(ColorSpace::RGBA);
    JpegDecoder::new_with_options(Cursor::new(file), options).decode().ok()
}

fn other(file: &[u8]) -> Option<Vec<[u8; 4]>> {
    Some(other_pixels(file)?.as_chunks().0.to_vec())
}
