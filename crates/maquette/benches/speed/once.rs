//! One piece of work, done once in a process of its own, with memory that nobody has used before: as a program meets it that loads its first large file.
//!
//! A small file comes first, untimed, so that the code itself is in memory.

use maquette::{Input, check};
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The word that makes this program do one piece of work and print how many nanoseconds it took: the work's name, a small file and the file to be timed follow.
const ONCE: &str = "--once";
const ROUNDS: usize = 41;
/// Enough for a median of what takes long.
const LEAST_ROUNDS: usize = 7;
const PATIENCE: Duration = Duration::from_secs(4);

/// What can be done with a file.
pub struct Work {
    name: &'static str,
    act: fn(&Path),
}

macro_rules! works {
    ($($(#[$about:meta])* $NAME:ident = $act:expr;)*) => {
        $($(#[$about])* pub const $NAME: Work = Work { name: stringify!($NAME), act: $act };)*
        const ALL: &[Work] = &[$($NAME),*];
    };
}

works! {
    /// The whole file into a fresh buffer.
    READ = |path| drop(black_box(std::fs::read(path)));
    /// What libaem does with an AEM file: each table into memory of its own, none looked at.
    READ_TABLES = read_tables;
    /// The whole file into memory of its own, and every rule.
    READ_AND_CHECK = |path| check_everything(&Input::from_path_in_memory(path).unwrap());
    /// As the command does it: large files mapped.
    OPEN_AND_CHECK = |path| check_everything(&Input::from_path(path).unwrap());
    SCENE = |path| drop(black_box(maquette::read(path).unwrap()));
    GLTF_OPEN = |path| drop(black_box(gltf::Gltf::open(path).unwrap()));
    GLTF_READ = |path| {
        let file = gltf::Gltf::open(path).unwrap();
        drop(black_box(super::peer::read_all(&file)));
    };
}

fn check_everything(input: &Input) {
    black_box(check::check(input, None, Default::default()));
}

fn read_tables(path: &Path) {
    let mut file = File::open(path).unwrap();
    let mut take = |bytes: usize| {
        let mut table = vec![0; bytes];
        file.read_exact(&mut table).unwrap();
        table
    };
    let header = take(44);
    let counts = header.as_chunks().0.iter().skip(1).map(|count| u32::from_le_bytes(*count) as usize);
    let sizes = [88, 4, 1, 24, 12, 16, 196, 132, 16, 20];
    let tables: Vec<Vec<u8>> = counts.zip(sizes).map(|(count, each)| take(count * each)).collect();
    assert_eq!(file.read(&mut [0]).unwrap(), 0, "{} is in the document's dialect", path.display());
    black_box(tables);
}

/// Does a piece of work if the command line asks for it.
pub fn is_asked(words: &[String]) -> bool {
    let Some(at) = words.iter().position(|word| word == ONCE) else { return false };
    let work = ALL.iter().find(|work| work.name == words[at + 1]).unwrap();
    (work.act)(Path::new(&words[at + 2]));
    let began = Instant::now();
    (work.act)(Path::new(&words[at + 3]));
    println!("{}", began.elapsed().as_nanos());
    true
}

/// The milliseconds that each takes with a file, after a small one of the same format, in the middle of many rounds of one after the other.
pub fn measure<const N: usize>(works: [&Work; N], small: &Path, path: &Path) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    let began = Instant::now();
    while times[0].len() < LEAST_ROUNDS || (times[0].len() < ROUNDS && began.elapsed() < PATIENCE) {
        for (work, times) in works.iter().zip(&mut times) {
            let child = Command::new(std::env::current_exe().unwrap())
                .args([ONCE, work.name])
                .args([small, path])
                .output()
                .unwrap();
            assert!(child.status.success(), "{}: {}", work.name, String::from_utf8_lossy(&child.stderr));
            times.push(String::from_utf8(child.stdout).unwrap().trim().parse::<u64>().unwrap());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2] as f64 / 1e6
    })
}
