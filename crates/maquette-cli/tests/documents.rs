//! The commands in the documents print what the documents say they print.
//!
//! A block of ```` ```console ```` holds lines `$ maquette ..`, each followed by what it prints. The blocks of a document are one session, in a
//! folder that holds the project's `examples`. `cargo xtask fixtures` puts what is really printed into the documents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;
use std::path::{Path, PathBuf};

const UPDATE: &str = "MAQUETTE_UPDATE_FIXTURES";

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The words of a command as a shell would take them apart, quotes included.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// The document with what its commands really print.
fn played(document: &str) -> String {
    let folder = Folder::new();
    let examples = folder.0.path().join("examples");
    std::fs::create_dir(&examples).unwrap();
    for entry in std::fs::read_dir(workspace().join("examples")).unwrap() {
        let file = entry.unwrap().path();
        // Programs have folders of their own.
        if file.is_file() {
            std::fs::copy(&file, examples.join(file.file_name().unwrap())).unwrap();
        }
    }
    let mut lines = Vec::new();
    let mut is_console = false;
    for line in document.lines() {
        match line.strip_prefix("$ maquette ") {
            _ if line.starts_with("```") => is_console = line == "```console",
            Some(command) if is_console => {
                lines.push(line.to_owned());
                let run = folder.run(&words(command));
                let printed = run.out + &run.err;
                let printed = if cfg!(windows) { printed.replace('\\', "/") } else { printed };
                lines.extend(printed.lines().map(|line| line.trim_end().to_owned()));
                continue;
            }
            _ if is_console => {
                assert!(!line.starts_with("$ "), "only maquette can be run: {line}");
                continue;
            }
            _ => {}
        }
        lines.push(line.to_owned());
    }
    lines.join("\n") + "\n"
}

fn holds(document: &str) {
    let path = workspace().join(document);
    let there = std::fs::read_to_string(&path).unwrap();
    let played = played(&there);
    if std::env::var_os(UPDATE).is_some() {
        return std::fs::write(&path, played).unwrap();
    }
    let odd = there.lines().zip(played.lines()).find(|(there, played)| there != played);
    assert!(there == played, "{document} is out of date; run `cargo xtask fixtures`. It says and prints: {odd:#?}");
}

#[test]
fn the_readme_holds() {
    holds("README.md");
}

#[test]
fn the_example_of_the_readme_is_one_that_is_compiled() {
    let [readme, compiled] = ["README.md", "crates/maquette/README.md"]
        .map(|document| std::fs::read_to_string(workspace().join(document)).unwrap());
    let example = readme.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(compiled.contains(&format!("```rust\n{example}```")), "{example}");
}

#[test]
fn the_guide_holds() {
    holds("docs/guide.md");
}

#[test]
fn looking_into_clips_holds() {
    holds("docs/clip-look.md");
}

#[test]
fn rendering_holds() {
    holds("docs/render.md");
}

#[test]
fn the_readme_of_the_command_holds() {
    holds("crates/maquette-cli/README.md");
}

#[test]
fn the_page_of_clips_in_time_holds() {
    holds("docs/clip-time.md");
}

#[test]
fn the_page_about_poses_holds() {
    holds("docs/clip-pose.md");
}
