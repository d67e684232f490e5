//! How time and memory of a conversion to AEM grow with what the file has most of.
//!
//! `cargo xtask bench growth` runs it. Each row is an input at three sizes, each four times the one before; each is converted by a process of its own,
//! as a user would meet it, and what a small file takes is subtracted. The exponent is that of the growth from the second size to the third: 1 is in
//! proportion, 2 the square. Words choose rows: `cargo xtask bench growth keys`. Memory is the most that was seen in looking often, on Linux alone.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]

mod inputs;

use inputs::{INPUTS, Input};
use maquette::Overwrite;
use maquette::convert::{ConvertOptions, convert};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The word that makes this program convert files instead of measuring: pairs of inputs and outputs follow.
const CONVERT: &str = "--convert-for-growth";
/// An exponent above this is marked.
const BAR: f64 = 1.15;
/// How often a conversion is repeated at least, and for how long one that is quick: those vary most.
const ROUNDS: usize = 3;
const REPEATED_FOR: Duration = Duration::from_millis(800);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = words.iter().position(|word| word == CONVERT) {
        for pair in words[at + 1..].chunks(2) {
            let mut options = ConvertOptions::default();
            options.write.fit.textures.quality = None;
            options.write.fit.limits.vertices = u64::MAX;
            let input = maquette::Input::from_path(&pair[0]).unwrap();
            convert(&input, Some(&pair[1]), &options).unwrap().save(&pair[1], Overwrite::Own).unwrap();
        }
        return;
    }
    let words: Vec<&String> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let folder = tempfile::tempdir().unwrap();
    let least = measured(&[small(folder.path())], folder.path());
    println!("{:<24} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}", "what", "most", "ms", "MB in", "MB used", "time", "memory");
    for input in INPUTS.iter().filter(|input| words.iter().all(|word| input.name.contains(word.as_str()))) {
        let sizes = [input.most / 16, input.most / 4, input.most];
        let rows = sizes.map(|size| row(input, size, folder.path(), &least));
        let exponent = |of: fn(&Measured) -> f64| (of(&rows[2]) / of(&rows[1])).ln() / 4f64.ln();
        let mark = |exponent: f64| format!("{exponent:.2}{}", if exponent > BAR { " !" } else { "" });
        println!(
            "{:<24} {:>9} {:>9.1} {:>9.1} {:>9.1} {:>8} {:>8}",
            input.name,
            input.most,
            rows[2].millis,
            rows[2].megabytes_in,
            rows[2].megabytes,
            mark(exponent(|row| row.millis)),
            mark(exponent(|row| row.megabytes)),
        );
    }
}

struct Measured {
    megabytes_in: f64,
    millis: f64,
    megabytes: f64,
}

fn small(folder: &Path) -> PathBuf {
    let path = folder.join("small.glb");
    std::fs::write(&path, &*maquette::sample::make("gltf", None).unwrap().main).unwrap();
    path
}

fn row(input: &Input, size: usize, folder: &Path, least: &Measured) -> Measured {
    let files = (input.make)(size);
    let paths: Vec<PathBuf> = (0..files.len()).map(|index| folder.join(format!("{index}.glb"))).collect();
    paths.iter().zip(&files).for_each(|(path, file)| std::fs::write(path, file).unwrap());
    drop(files);
    let all = measured(&paths, folder);
    let above = |all: f64, least: f64| (all - least).max(0.01);
    Measured { millis: above(all.millis, least.millis), megabytes: above(all.megabytes, least.megabytes), ..all }
}

/// The quickest of a few conversions of these files, one after another in one process.
fn measured(files: &[PathBuf], folder: &Path) -> Measured {
    let bytes: u64 = files.iter().map(|file| std::fs::metadata(file).unwrap().len()).sum();
    let list = folder.join("list");
    let _ = std::fs::create_dir(&list);
    let mut words = Vec::new();
    for (index, file) in files.iter().enumerate() {
        words.extend([file.clone(), list.join(format!("{index}.aem"))]);
    }
    let (mut time, mut memory) = (Duration::MAX, 0);
    let (start, mut round) = (Instant::now(), 0);
    while round < ROUNDS || start.elapsed() < REPEATED_FOR {
        round += 1;
        let began = Instant::now();
        let mut child = Command::new(std::env::current_exe().unwrap()).arg(CONVERT).args(&words).spawn().unwrap();
        loop {
            memory = memory.max(memory_of(child.id()));
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success());
                break;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        time = time.min(began.elapsed());
    }
    let _ = std::fs::remove_dir_all(&list);
    Measured { megabytes_in: bytes as f64 / 1e6, millis: time.as_secs_f64() * 1e3, megabytes: memory as f64 / 1e3 }
}

/// The memory that a process has of its own just now, in kilobytes; mapped files do not count.
fn memory_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let number = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim_start_matches(':').trim().trim_end_matches("kB").trim().parse::<u64>().ok()
    };
    number("RssAnon").unwrap_or_default()
}
