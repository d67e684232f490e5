//! Programs that write the same output at the same time: at no moment between their turns do files of both lie there.
//!
//! The test starts itself again, twice, and looks on. Folders are locked on Unix alone.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

use maquette::{BUILT_IN, Input, Overwrite};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

const NAMES: [&str; 5] = ["post.gltf", "post.a.png", "post.b.png", "post.c.png", "post.d.png"];
/// Which letter a program writes, and where.
const LETTER: &str = "MAQUETTE_TEST_LETTER";
const FOLDER: &str = "MAQUETTE_TEST_FOLDER";
const ROUNDS: usize = 60;

/// An output of several files that all hold one letter.
fn save(folder: &Path, letter: u8) {
    let sample = maquette::sample::make("gltf", Some("text")).unwrap();
    let input = Input::from_bytes("post.gltf", sample.main);
    let mut output = maquette::convert::convert(&input, Some("post.gltf"), &Default::default()).unwrap();
    assert_eq!(output.format.id, BUILT_IN.by_id("gltf").unwrap().id);
    output.main = vec![letter; 100].into();
    output.companions = NAMES.iter().skip(1).map(|name| ((*name).to_owned(), vec![letter; 100])).collect();
    output.sources = Default::default();
    output.save(folder.join("post.gltf"), Overwrite::All).unwrap();
}

/// What the other programs do; nothing where the test is not started by itself.
#[test]
fn one_of_them() {
    let (Some(letter), Some(folder)) = (std::env::var_os(LETTER), std::env::var_os(FOLDER)) else { return };
    let letter = letter.into_encoded_bytes().first().copied().unwrap();
    (0..ROUNDS).for_each(|_| save(Path::new(&folder), letter));
}

#[test]
fn files_of_two_programs_are_never_mixed() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), b'A');
    let start = |letter: &str| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "one_of_them"]).env(LETTER, letter).env(FOLDER, folder.path());
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let mut programs = ["A", "B"].map(start);
    let mut looks = 0;
    loop {
        let done = programs.iter_mut().all(|program| program.try_wait().unwrap().is_some());
        let lock = File::open(folder.path()).unwrap();
        lock.lock().unwrap();
        let letters: Vec<u8> = NAMES.iter().map(|name| fs::read(folder.path().join(name)).unwrap()[0]).collect();
        lock.unlock().unwrap();
        assert!(letters.iter().all(|letter| *letter == letters[0]), "mixed after {looks} looks: {letters:?}");
        looks += 1;
        if done {
            break;
        }
        // Whoever always has the lock keeps the others from theirs.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    for program in &mut programs {
        assert!(program.wait().unwrap().success());
    }
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, NAMES.len(), "neither temporary files nor locks are left");
}
