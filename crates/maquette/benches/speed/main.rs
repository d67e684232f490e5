//! How fast files are opened, checked and made scenes of, as a program meets it: each time in a process of its own, with memory that nobody has used.
//!
//! `cargo xtask bench` runs it. What is compared is measured in turn, round after round, in one run, so that the ratios hold on a
//! busy machine; what is printed is the median, in milliseconds. Words choose rows: `cargo bench -p maquette --bench speed -- aem`.
//! The yardsticks are a read of the file into a fresh buffer; for AEM, libaem's way to load, each table read into memory of its own and nothing looked at;
//! for GLB, the `gltf` crate: `Gltf::open`, which parses and validates the JSON and converts nothing, and the same with every
//! accessor that a scene is made of read to the end by the crate's own readers.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]

mod files;
#[path = "../growth/inputs.rs"]
#[allow(dead_code)]
mod inputs;
mod once;
mod peer;

use files::Files;
use once::{GLTF_OPEN, GLTF_READ, OPEN_AND_CHECK, READ, READ_AND_CHECK, READ_TABLES, SCENE, measure};
use std::path::{Path, PathBuf};

/// What a row is about, and its file.
type Row<'a> = (&'a str, &'a dyn Fn(&Files) -> Option<PathBuf>);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if once::is_asked(&words) {
        return;
    }
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let files = Files::new();
    let each = |table: &str, rows: &[Row<'_>], print: fn(&str, &Path, &Path)| {
        for (name, file) in rows {
            let is_asked = |word: &&String| name.contains(word.as_str()) || table.contains(word.as_str());
            if words.iter().all(is_asked)
                && let Some(path) = file(&files)
            {
                let small = files.small(path.extension().unwrap().to_str().unwrap());
                print(&format!("{name}, {:.2} MB", megabytes(&path)), &small, &path);
            }
        }
        println!();
    };

    println!(
        "{:<36} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}",
        "load", "read", "unchecked", "+ check", "open", "+ check", "open"
    );
    let loads: &[Row<'_>] = &[
        ("aem", &|files| Some(files.figure("aem", 1_000_000))),
        ("aem", &|files| Some(files.figure("aem", 100_000_000))),
        ("aem, 75 000 keys", &|files| Some(files.keyed("aem", 75_000))),
        ("aem, rules broken by each vertex", &|files| Some(files.unsound(100_000))),
        ("nlm", &|files| Some(files.figure("nlm", 100_000_000))),
        ("pmdl", &|files| Some(files.figure("pmdl", 100_000_000))),
        ("pani", &|files| Some(files.figure("pani", 100_000_000))),
        ("bmw", &|files| Some(files.figure("bmw", 100_000_000))),
        ("seanim", &|files| Some(files.figure("seanim", 100_000_000))),
    ];
    each("loads", loads, load);

    println!(
        "{:<36} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "scene", "read", "scene", "gltf open", "gltf read", "/ read", "/ open", "/ read"
    );
    let scenes: &[Row<'_>] = &[
        ("glb, 1 M vertices", &|files| Some(files.sheet(1_000_000))),
        ("glb, 75 000 keys", &|files| Some(files.keyed("glb", 75_000))),
        ("BoxTextured", &|files| files.corpus("BoxTextured")),
        ("CesiumMan", &|files| files.corpus("CesiumMan")),
        ("Fox", &|files| files.corpus("Fox")),
        ("RecursiveSkeletons", &|files| files.corpus("RecursiveSkeletons")),
        ("DamagedHelmet", &|files| files.corpus("DamagedHelmet")),
    ];
    each("scenes", scenes, scene);
}

fn load(name: &str, small: &Path, path: &Path) {
    // Other formats have no library of their own to compare with.
    let is_aem = path.extension().is_some_and(|extension| extension == "aem");
    let unchecked = if is_aem { &READ_TABLES } else { &READ };
    let [read, unchecked, checked, opened] = measure([&READ, unchecked, &READ_AND_CHECK, &OPEN_AND_CHECK], small, path);
    let [of_checked, of_opened] = [checked, opened].map(|time| time / unchecked);
    println!("{name:<36} {read:>9.3} {unchecked:>9.3} {checked:>9.3} {opened:>9.3} {of_checked:>8.2} {of_opened:>8.2}");
}

fn scene(name: &str, small: &Path, path: &Path) {
    let [read, scene, open, all] = measure([&READ, &SCENE, &GLTF_OPEN, &GLTF_READ], small, path);
    let [of_read, of_open, of_all] = [read, open, all].map(|time| scene / time);
    println!("{name:<36} {read:>9.3} {scene:>9.3} {open:>9.3} {all:>9.3} {of_read:>8.2} {of_open:>8.2} {of_all:>8.2}");
}

fn megabytes(path: &Path) -> f64 {
    std::fs::metadata(path).unwrap().len() as f64 / 1e6
}
