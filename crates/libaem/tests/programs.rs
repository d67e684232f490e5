//! Programs in C, written as for the reference, see what the file holds and play it as the document says, in every layout.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod support;

use maquette_formats::aem::{self, Dialect, File, mips};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::reference::{assert_close, palette, pose};
use support::{Link, build, figure, root, run, source, values, watched};

const MOMENTS: [&str; 9] = ["-1", "0", "0.1", "0.25", "0.333", "0.7501", "1.9", "2", "1e9"];

fn keep(folder: &Path, file: &File<'_>) -> PathBuf {
    let path = folder.join(format!("{}.aem", file.dialect.id()));
    std::fs::write(&path, file.encode()).unwrap();
    path
}

fn sum(bytes: &[u8]) -> String {
    bytes.iter().fold(2_166_136_261u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619)).to_string()
}

fn models() -> Vec<File<'static>> {
    Dialect::ALL.iter().flat_map(|&dialect| [aem::sample::model(dialect), figure::figure(dialect)]).collect()
}

#[test]
fn the_first_generation_plays_every_layout() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "first", &[source("first.c")], Link::Static) else { return };
    for file in models() {
        let path = keep(folder.path(), &file);
        let text = run(Command::new(&program).arg(&path).args(MOMENTS));
        assert_eq!(std::fs::read(&path).unwrap(), file.encode(), "the file stays as it is");
        tables(&file, &text);
        let identity =
            [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]].concat();
        let mut moved = file.clone();
        for joint in moved.joints.to_mut() {
            joint.inverse_bind_matrix = std::array::from_fn(|at| {
                if at % 5 == 0 {
                    1.0
                } else if at == 12 {
                    2.0
                } else {
                    0.0
                }
                .into()
            });
        }
        for (word, model) in [("palette", &file), ("finished", &file), ("rebound", &moved)] {
            let printed = values(&text, word);
            assert_eq!(printed.len(), (file.animations.len() + 2) * MOMENTS.len());
            for told in printed {
                let animation: i32 = told[0].parse().unwrap();
                let what = format!("{} {word} {animation} {}", file.dialect.id(), told[1]);
                let expected = match usize::try_from(animation).ok().filter(|&at| at < file.animations.len()) {
                    Some(animation) => palette(model, &pose(model, animation, told[1].parse().unwrap())),
                    None => identity.repeat(file.joints.len()),
                };
                assert_close(&told[2..], &expected, &what);
            }
        }
    }
}

/// What the program says of the tables.
fn tables(file: &File<'_>, text: &str) {
    use zerocopy::IntoBytes;
    let one = |word: &str| values(text, word).remove(0);
    assert_eq!(one("vertices"), [file.vertices.len().to_string(), sum(file.vertices.as_bytes())]);
    assert_eq!(one("indices"), [file.indices.len().to_string(), sum(file.indices.as_bytes())]);
    assert_eq!(one("images"), [file.image_buffer.len().to_string(), sum(&file.image_buffer)]);
    for (texture, told) in file.textures.iter().zip(values(text, "texture")) {
        let numbers =
            [texture.offset as u32, texture.width, texture.height, texture.wrap_x, texture.wrap_y, texture.compression];
        assert_eq!(told[..6], numbers.map(|number| number.to_string()));
        assert_eq!(told.len() - 6, mips::level_count(texture.width, texture.height) as usize);
    }
    assert_eq!(values(text, "texture").len(), file.textures.len());
    assert_eq!(one("mesh"), ["0", "54", "0", "material", "0", "1", "2", "0"]);
    let joints = file
        .joints
        .iter()
        .map(|joint| format!("{} {}", joint.parent.get(), String::from_utf8_lossy(joint.name.text())));
    assert!(values(text, "joint").into_iter().map(|words| words.join(" ")).eq(joints));
    let clips =
        file.animations.iter().map(|it| format!("{} {}", it.duration.get(), String::from_utf8_lossy(it.name.text())));
    assert!(values(text, "animation").into_iter().map(|words| words.join(" ")).eq(clips));
    let counts = file
        .tracks
        .iter()
        .map(|track| format!("{} {} {}", track.translation_count, track.rotation_count, track.scale_count));
    assert!(values(text, "keys").into_iter().map(|words| words.join(" ")).eq(counts));
    assert_eq!(one("gone"), ["1"]);
    assert_eq!(values(text, "Vertex"), [["count:".to_owned(), file.vertices.len().to_string()]]);
    assert_eq!(values(text, "Layout:"), [[file.dialect.id()]]);
}

#[test]
fn valgrind_finds_nothing_in_either() {
    let folder = tempfile::tempdir().unwrap();
    let path = keep(folder.path(), &figure::figure(Dialect::Document));
    let large = large(folder.path());
    for name in ["first", "later"] {
        let Some(program) = build(folder.path(), name, &[source(&format!("{name}.c"))], Link::Static) else { return };
        for path in [&path, &large] {
            let Some(mut watched) = watched(&program) else { return };
            run(watched.arg(path).args(["4", "0.5"]));
        }
    }
}

/// A file that is mapped.
fn large(folder: &Path) -> PathBuf {
    let mut file = figure::figure(Dialect::Wide);
    let vertices = file.vertices.repeat(100);
    file.vertices.to_mut().extend(vertices);
    keep(folder, &file)
}

/// What a program writes to the tables of a file that is mapped stays with it, and what is needed to play is there when the rest is gone.
#[test]
fn a_mapped_file_is_played_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "first", &[source("first.c")], Link::Shared) else { return };
    let path = large(folder.path());
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.len() > 128 * 1024);
    let text = run(Command::new(&program).arg(&path).args(MOMENTS));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    tables(&File::parse(&bytes).unwrap(), &text);
    let [before, after] = ["palette", "finished"].map(|word| values(&text, word));
    assert_eq!(before, after);
}

/// Two bytes a pixel are four for a program that knows no other, and what they are for one that does; in the document's layout the room tells.
#[test]
fn two_channels_are_shown_to_each_generation_as_it_knows_them() {
    let folder = tempfile::tempdir().unwrap();
    let Some(first) = build(folder.path(), "first", &[source("first.c")], Link::Static) else { return };
    let Some(later) = build(folder.path(), "later", &[source("later.c")], Link::Static) else { return };
    for dialect in [Dialect::Document, Dialect::Channels, Dialect::Wide] {
        let mut file = aem::sample::model(dialect);
        // A normal map of 2 × 1 without compression: three pixels with its small level.
        let pixels = [10, 20, 30, 40, 50, 60];
        file.image_buffer.to_mut().splice(340..356, pixels);
        for (texture, [offset, compression]) in file.textures.iter_mut().zip([[0, 0], [340, 0], [346, 2]]) {
            (texture.offset, texture.compression) = (offset, compression as u32);
        }
        (file.textures[1].width, file.textures[1].channels) = (2, 2);
        let path = keep(folder.path(), &file);
        let text = run(Command::new(&later).args([&path, Path::new("4")]));
        let textures = values(&text, "texture");
        assert_eq!(textures[1], ["340", "2", "1", "2", "0", "4", "2"], "{}", dialect.id());
        assert_eq!(textures[2], ["346", "1", "1", "4", "2", "16"]);
        assert_eq!(values(&text, "images"), [["362"]]);

        let text = run(Command::new(&first).arg(&path).arg("0"));
        let textures = values(&text, "texture");
        let level = |pixels: &[u8]| {
            let wide: Vec<u8> = pixels.chunks(2).flat_map(|pixel| [pixel[0], pixel[1], 0, 255]).collect();
            format!("{}:{}", wide.len(), sum(&wide))
        };
        assert_eq!(textures[1][..6], ["340", "2", "1", "0", "0", "0"], "{}", dialect.id());
        assert_eq!(textures[1][6..], [format!("2x1:{}", level(&pixels[..4])), format!("1x1:{}", level(&pixels[4..]))]);
        assert_eq!(textures[2][0], "352");
        assert_eq!(textures[2][6], format!("1x1:16:{}", sum(&file.image_buffer[346..])));
        assert_eq!(values(&text, "images")[0][0], "368");
    }
}

#[test]
fn both_generations_live_in_one_program() {
    let folder = tempfile::tempdir().unwrap();
    let sources = [source("generations.c"), source("generations_first.c")];
    for link in [Link::Static, Link::Shared] {
        let Some(program) = build(folder.path(), "both", &sources, link) else { return };
        for dialect in [Dialect::Document, Dialect::Wide] {
            run(Command::new(&program).arg(keep(folder.path(), &aem::sample::model(dialect))));
        }
    }
}

#[test]
fn cpp_takes_the_headers_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = keep(folder.path(), &aem::sample::model(Dialect::Document));
    for name in ["first", "later"] {
        let Some(program) = build(folder.path(), name, &[source(&format!("{name}.cpp"))], Link::Shared) else { return };
        run(Command::new(program).arg(&path));
    }
}

#[test]
fn many_threads_see_what_one_sees() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = build(folder.path(), "threads", &[source("threads.c")], Link::Shared) else { return };
    let path = keep(folder.path(), &figure::figure(Dialect::Document));
    assert_eq!(run(Command::new(program).arg(path)), "the same\n");
}

#[test]
fn the_examples_run() {
    let folder = tempfile::tempdir().unwrap();
    let examples = root().join("examples/c");
    let (aem, broken) = (root().join("examples/post.aem"), root().join("tests/fixtures/aem/bad/AEM0045.aem"));
    let expected = [
        ("poses.c", "sway at 0.50 s: the highest vertex is at"),
        ("fade.c", "after 1.0 s"),
        ("inspect.cpp", "clip sway"),
    ];
    for (name, line) in expected {
        let Some(program) = build(folder.path(), &name.replace('.', "_"), &[examples.join(name)], Link::Shared) else {
            return;
        };
        let text = run(Command::new(&program).arg(&aem));
        assert!(text.contains(line), "{name}: {text}");
        let refused = Command::new(&program).arg(&broken).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(
            !refused.status.success() && said.contains("AEM0045") && said.contains("joints[2].parent"),
            "{name}: {said}"
        );
    }
}
