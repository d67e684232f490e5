//! Programs in C see in every file what the library for Rust sees, and nothing they can do wrong harms them.

#![allow(dead_code, clippy::unwrap_used, clippy::indexing_slicing)]

#[path = "../../../tests/c_programs/mod.rs"]
mod c_programs;
#[path = "../../../tests/needs/mod.rs"]
mod needs;

use c_programs::{Library, Link, run, values, watched};
use maquette::sample;
use maquette::scene::Scene;
use maquette::scene::glam::Mat4;
use maquette_anim::clip::Cursor;
use maquette_anim::scene as packed;
use std::path::{Path, PathBuf};
use std::process::Command;

fn library() -> Library {
    Library { include: Path::new(env!("CARGO_MANIFEST_DIR")).join("include"), name: "maquette_c" }
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name)
}

fn number(word: &str) -> f64 {
    word.parse().unwrap()
}

#[track_caller]
fn is_near(told: &str, expected: f64) {
    assert!((number(told) - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{told} {expected}");
}

fn sum<const N: usize>(stream: Option<&Vec<[f32; N]>>) -> f64 {
    stream.into_iter().flatten().flatten().map(|number| f64::from(*number)).sum()
}

/// What the program says of the scene of a file.
fn compare(text: &str, scene: &Scene) {
    let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let told = values(text, "part");
    assert_eq!(told.len(), parts.clone().count());
    for (told, part) in told.iter().zip(parts) {
        let streams = &part.streams;
        let indices: u64 = part.indices.iter().map(|index| u64::from(*index)).sum();
        let counts = [streams.len() as u64, part.indices.len() as u64, indices];
        assert_eq!(told[..3], counts.map(|count| count.to_string()));
        assert_eq!(told[3], part.material.map_or("-1".to_owned(), |material| material.index().to_string()));
        let uvs = streams.uvs.first();
        let sums =
            [sum(Some(&streams.positions)), sum(streams.normals.as_ref()), sum(streams.tangents.as_ref()), sum(uvs)];
        told[4..8].iter().zip(sums).for_each(|(told, expected)| is_near(told, expected));
        let influences = streams.influences.as_ref();
        assert_eq!(told[8], influences.map_or(0, |influences| influences.slots).to_string());
    }
    let parents = scene.parents();
    let nodes = scene.nodes.iter().zip(parents).map(|(node, parent)| {
        let index = |index: Option<usize>| index.map_or("-1".to_owned(), |index| index.to_string());
        let numbers = [parent.map(|it| it.index()), node.mesh.map(|it| it.index()), node.skin.map(|it| it.index())];
        (numbers.map(index), node.name.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    });
    let told = values(text, "node").into_iter().map(|words| {
        let name = words[6..].iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        ([words[0], words[1], words[2]].map(str::to_owned), name)
    });
    assert!(told.eq(nodes), "{text}");
    assert_eq!(values(text, "material").len(), scene.materials.len());
    assert_eq!(values(text, "image").len(), scene.images.len());
    for (told, clip) in values(text, "clip").iter().zip(scene.clips.iter()) {
        is_near(told[0], clip.duration_secs);
        assert_eq!(told[2], clip.tracks.len().to_string());
        assert_eq!(told[4], clip.events.len().to_string());
    }
    let events = scene.clips.iter().flat_map(|clip| &clip.events);
    let told = values(text, "event").into_iter().map(|words| words[1..].join(" "));
    assert!(told.eq(events.map(|event| event.name.clone())));
    let again = [scene.meshes.len(), scene.clips.len()].map(|count| count.to_string());
    assert_eq!(values(text, "again"), [again], "the same from memory");
    palettes(text, scene);
}

/// The palettes of the first skin in the first clip, at the moments of the program; a mixer that plays it alone makes the same.
fn palettes(text: &str, scene: &Scene) {
    let (Some(clip), Some(skin)) = (scene.clips.iter().next(), packed::skins(scene).into_iter().next()) else { return };
    if skin.joints.len() > 64 {
        return;
    }
    let (skeleton, clip) = (packed::skeleton(scene).unwrap(), packed::clip(scene, clip).unwrap());
    let told = values(text, "palette");
    assert_eq!(told.len(), 5);
    for (step, told) in told.iter().enumerate() {
        let mut pose = skeleton.rest().to_vec();
        clip.sample(&mut Cursor::new(&clip), 0.3 * step as f32, &mut pose);
        let mut joints = vec![Mat4::IDENTITY; pose.len()];
        skeleton.model_from_joints(&pose, &mut joints);
        let mut palette = vec![Mat4::IDENTITY; skin.joints.len()];
        skin.palette(&joints, &mut palette);
        let expected: Vec<f32> = palette.iter().flat_map(Mat4::to_cols_array).collect();
        assert_eq!(told.len(), expected.len());
        told.iter().zip(expected).for_each(|(told, expected)| is_near(told, expected.into()));
    }
    let mixed = values(text, "mixed");
    assert_eq!(mixed.len(), 5);
    let is_long = clip.duration_secs() > 1.3;
    for (mixed, told) in mixed.iter().zip(&told).filter(|_| is_long) {
        mixed.iter().zip(told).for_each(|(mixed, told)| is_near(mixed, number(told)));
    }
    assert_eq!([values(text, "held"), values(text, "kept")], [[["1"]], [["1"]]]);
}

#[test]
fn every_format_is_seen_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = library().build(folder.path(), "everything", &[source("everything.c")], Link::Shared) else {
        return;
    };
    for format in maquette::BUILT_IN.iter() {
        for dialect in format.dialects {
            let path = folder.path().join(format!("post.{}", format.ending_of(dialect.id)));
            let made = sample::make(format.id, Some(dialect.id)).unwrap();
            std::fs::write(&path, &made.main).unwrap();
            let text = run(Command::new(&program).arg(&path));
            match maquette::Input::from_path(&path).unwrap().read(&Default::default()) {
                Err(error) => assert_eq!(text, format!("refused 1 {error}\n")),
                Ok(read) => {
                    assert_eq!(values(&text, "format"), [[format.id, dialect.id]]);
                    compare(&text, &read.scene);
                }
            }
        }
    }
}

#[test]
fn real_files_are_seen_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let Some(corpus) = needs::corpus() else { return };
    let Some(program) = library().build(folder.path(), "everything", &[source("everything.c")], Link::Shared) else {
        return;
    };
    for name in ["gltf/Fox.glb", "gltf/CesiumMan.glb", "gltf/BoxTextured.glb"] {
        let path = corpus.join(name);
        if path.is_file() {
            compare(&run(Command::new(&program).arg(&path)), &maquette::read(&path).unwrap().scene);
        }
    }
}

#[test]
fn checks_and_conversions_tell_what_the_command_tells() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = library().build(folder.path(), "judge", &[source("judge.c")], Link::Static) else { return };
    let [sound, broken, made] = ["post.glb", "broken.aem", "made.aem"].map(|name| folder.path().join(name));
    sample::save(&sound).unwrap();
    std::fs::write(&broken, sample::broken("aem", "AEM0045").unwrap().main).unwrap();
    let text = run(Command::new(&program).args([&made, &sound, &broken]));
    assert_eq!(values(&text, "nothing"), [["0"]], "{text}");
    assert_eq!(values(&text, "version"), [[env!("CARGO_PKG_VERSION")]]);
    assert_eq!(values(&text, "checked"), [["0", "1", "gltf"], ["0", "0", "aem"]]);
    let finding = &values(&text, "finding")[0];
    assert_eq!((finding[0], finding[1], finding[3]), ("AEM0045", "2", "joints[2].parent"));
    assert_eq!(values(&text, "converted"), [["0"]]);
    assert!(values(&text, "lost").contains(&vec!["mesh", "names"]), "{text}");
    let height = |path: &Path| {
        let scene = maquette::read(path).unwrap().scene;
        let parts = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        parts.flat_map(|part| &part.streams.positions).map(|[_, y, _]| *y).fold(0.0, f32::max)
    };
    assert_eq!(height(&made), 2.0 * height(&sound));
    assert_eq!(values(&text, "refused"), [["4"]]);
    assert!(text.contains("unknown 4 ") && text.contains("nonsense"), "{text}");
}

#[test]
fn cpp_takes_the_header_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = library().build(folder.path(), "cpp", &[source("cpp.cpp")], Link::Shared) else { return };
    let path = folder.path().join("post.glb");
    sample::save(&path).unwrap();
    run(Command::new(program).arg(&path));
}

#[test]
fn damaged_files_harm_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = library().build(folder.path(), "everything", &[source("everything.c")], Link::Shared) else {
        return;
    };
    let path = folder.path().join("damaged");
    for format in maquette::BUILT_IN.iter() {
        let whole = sample::make(format.id, None).unwrap().main;
        for part in 0..12 {
            let mut bytes = whole.clone();
            match part {
                0..6 => bytes.truncate(whole.len() * part / 6),
                _ => {
                    let at = whole.len() * (part - 6) / 6 + part;
                    bytes.iter_mut().skip(at).step_by(97).take(3).for_each(|byte| *byte ^= 0x5a);
                }
            }
            std::fs::write(&path, &bytes).unwrap();
            run(Command::new(&program).arg(&path));
        }
    }
}

#[test]
fn valgrind_finds_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = library().build(folder.path(), "everything", &[source("everything.c")], Link::Shared) else {
        return;
    };
    for name in ["post.aem", "post.glb", "post.seanim"] {
        let path = folder.path().join(name);
        sample::save(&path).unwrap();
        // What threads that wait for work hold is there to the end.
        let Some(mut watched) = watched(&program, "definite,indirect") else { return };
        run(watched.arg(&path));
    }
}
