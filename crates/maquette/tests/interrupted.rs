//! A program that ends while it writes: a pipe that nobody reads holds it in the middle, for as long as the test wants.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::process::Command;

fn temporaries(folder: &Path) -> usize {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().ends_with(".tmp")).count()
}

#[test]
fn what_waits_for_its_name_goes_and_what_was_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new, pipe] = ["old", "new", "pipe"].map(|name| folder.path().join(name));
    fs::write(&old, "before").unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // The pipe comes first in the list and last in the writing.
    let files = [(pipe.clone(), &b"x"[..]), (old.clone(), b"after"), (new.clone(), b"after")];
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| maquette::save::write_all(&files));
        while temporaries(folder.path()) < 2 {
            assert!(!writer.is_finished(), "nothing was held up: {:?}", writer.join());
            std::thread::yield_now();
        }
        let halt = maquette::save::remove_temporaries();
        assert_eq!(temporaries(folder.path()), 0);
        // The pipe is read at last, and the writer goes on to give the files their names.
        assert_eq!(fs::read(&pipe).unwrap(), b"x");
        assert!(!writer.is_finished());
        drop(halt);
        assert!(writer.join().unwrap().is_err());
    });
    assert_eq!(fs::read(&old).unwrap(), b"before");
    assert!(!new.exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    // Nothing stays locked.
    maquette::save::write(&old, b"after").unwrap();
    assert_eq!(fs::read(&old).unwrap(), b"after");
}
