//! How long a program in C waits for a model that is checked against every rule, beside reading the bytes of the file and doing nothing with them.
//!
//! `cargo xtask bench c` runs it. Both are measured in turn in one run, and what is told is the best of many: milliseconds and their ratio, which holds on a busy machine. The first
//! three figures are of a process of its own, with memory that nobody has used, as a program meets its first large file; those of `again` are of one process that does it over and over,
//! in memory that is warm. A model is freed and bytes are dropped within the time.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]
#![allow(unsafe_code, reason = "what is measured is what C calls")]

// Nothing of it but the symbols.
use aem as _;

use maquette_formats::aem::raw::{Joint, Keyframe, Track};
use maquette_formats::aem::{Dialect, File, sample};
use maquette_formats::layout::FixedText;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use zerocopy::little_endian::U32;

unsafe extern "C" {
    fn aem_load_model(filename: *const c_char, model: *mut *mut c_void) -> c_int;
    fn aem_free_model(model: *mut c_void);
}

const JOINTS: usize = 19;
/// The word that makes this program do one piece of work once and print how many nanoseconds it took: the work, a small file and the file to be timed follow.
const ONCE: &str = "--once";
const LEAST_ROUNDS: u32 = 15;
const PATIENCE: Duration = Duration::from_secs(3);

/// Something that is done with a file, by its name.
type Work = (&'static str, fn(&Path));

/// What is compared.
const WORKS: [Work; 2] = [("read", read), ("load", load)];

fn read(path: &Path) {
    drop(std::hint::black_box(std::fs::read(path).unwrap()));
}

fn load(path: &Path) {
    let name = CString::new(path.to_str().unwrap()).unwrap();
    let mut model = std::ptr::null_mut();
    // SAFETY: the name ends with a NUL, there is room for the model, and it is freed once.
    unsafe {
        assert_eq!(aem_load_model(name.as_ptr(), &mut model), 0);
        aem_free_model(model);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [once, work, small, path] = words.as_slice()
        && once == ONCE
    {
        let (_, act) = WORKS.iter().find(|(name, _)| name == work).unwrap();
        act(Path::new(small));
        println!("{}", timed(*act, Path::new(path)).as_nanos());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let keep = |name: &str, file: &File<'_>| {
        let path = folder.path().join(name);
        std::fs::write(&path, file.encode()).unwrap();
        path
    };
    let small = keep("small.aem", &figure(0, 0));
    println!(
        "{:<20} {:>10} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6}",
        "AEM", "bytes", "read ms", "load ms", "/ read", "again", "again", "/ read"
    );
    let rows = [
        ("32 KB", 200, 500),
        ("64 KB", 500, 1_000),
        ("128 KB", 1_000, 2_000),
        ("256 KB", 2_000, 4_000),
        ("1 MB", 7_000, 17_000),
        ("75 000 keys, 5 MB", 35_000, 75_000),
        ("8 MB", 60_000, 130_000),
        ("112 MB", 760_000, 1_960_000),
    ];
    for (name, vertices, keys) in rows {
        let path = keep("bench.aem", &figure(vertices, keys));
        let first = best(|(work, _)| {
            let child = Command::new(std::env::current_exe().unwrap())
                .args([ONCE, work])
                .args([&small, &path])
                .output()
                .unwrap();
            Duration::from_nanos(String::from_utf8(child.stdout).unwrap().trim().parse().unwrap())
        });
        let again = best(|(_, act)| timed(act, &path));
        let bytes = std::fs::metadata(&path).unwrap().len();
        print!("{name:<20} {bytes:>10}");
        for [read, load] in [first, again] {
            print!(" {read:>9.4} {load:>9.4} {:>6.2}", load / read);
        }
        println!();
    }
}

fn timed(act: fn(&Path), path: &Path) -> Duration {
    let began = Instant::now();
    act(path);
    began.elapsed()
}

/// The best of many rounds of one after the other, in milliseconds.
fn best(measure: impl Fn(Work) -> Duration) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    let began = Instant::now();
    let mut round = 0;
    while round < LEAST_ROUNDS || began.elapsed() < PATIENCE {
        for (work, best) in WORKS.into_iter().zip(&mut best) {
            *best = best.min(measure(work).as_secs_f64() * 1e3);
        }
        round += 1;
    }
    best
}

/// The sample with more of everything.
fn figure(vertices: usize, keys: usize) -> File<'static> {
    let mut file = sample::model(Dialect::Document);
    let (one, corners) = (file.vertices.clone(), file.indices.clone());
    for copy in 1..vertices / one.len() {
        file.vertices.to_mut().extend_from_slice(&one);
        let first = (copy * one.len()) as u32;
        file.indices.to_mut().extend(corners.iter().map(|corner| U32::new(corner.get() + first)));
    }
    file.meshes.to_mut()[0].index_count = (file.indices.len() as u32).into();
    let each = keys / JOINTS / 3;
    if each > 0 {
        let joint = file.joints[0];
        let name = |index: usize| FixedText::new(&format!("joint {index}")).unwrap();
        file.joints =
            (0..JOINTS).map(|index| Joint { name: name(index), parent: (index as i32 - 1).into(), ..joint }).collect();
        file.animations.to_mut()[0].duration = (each as f32).into();
        let count = U32::new(each as u32);
        let track = |index: usize| Track {
            first_keyframe: ((index * each * 3) as u32).into(),
            translation_count: count,
            rotation_count: count,
            scale_count: count,
        };
        file.tracks = (0..JOINTS).map(track).collect();
        let kinds: [fn(f32) -> [f32; 4]; 3] = [
            |secs| [secs.sin(), 0.1, 0.0, 0.0],
            |secs| [0.0, 0.0, (secs / 2.0).sin(), (secs / 2.0).cos()],
            |secs| [1.0 + secs.cos() / 10.0, 1.0, 1.0, 0.0],
        ];
        let key =
            |value: fn(f32) -> [f32; 4], secs: f32| Keyframe { time: secs.into(), value: value(secs).map(Into::into) };
        let run = |value: fn(f32) -> [f32; 4]| (0..each).map(move |at| key(value, at as f32));
        file.keyframes = (0..JOINTS).flat_map(|_| kinds.into_iter().flat_map(run)).collect();
    }
    file
}
