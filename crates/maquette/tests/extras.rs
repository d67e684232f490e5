//! What an author puts into the `extras` of a glTF file: kept where there is a place for it, named as lost everywhere else, once.

#![allow(clippy::unwrap_used, clippy::panic)]

use maquette::convert::{ConvertOptions, convert};
use maquette::formats::format::BUILT_IN;
use maquette::scene::loss::{Loss, Lost};
use maquette::{Input, WriteOptions};
use serde_json::{Value, json};

/// The sample as JSON, changed, with its companion files.
fn sample(change: impl FnOnce(&mut Value)) -> Input {
    let made = maquette::sample::make("gltf", Some("text")).unwrap();
    let mut document: Value = serde_json::from_slice(&made.main).unwrap();
    change(&mut document);
    let companions = made.companions.into_iter().map(|(naming, bytes)| (naming.apply("post.gltf"), bytes));
    let main = ("post.gltf".to_owned(), document.to_string().into_bytes());
    Input::from_files("post.gltf", [main].into_iter().chain(companions)).unwrap()
}

/// The losses of extras in every dialect of every format that the input can become.
fn lost(input: &Input) -> Vec<(&'static str, &'static str, Vec<Loss>)> {
    let dialects = BUILT_IN.iter().flat_map(|format| format.dialects.iter().map(move |dialect| (format, dialect.id)));
    let lost = dialects.filter_map(|(format, dialect)| {
        let write = WriteOptions { dialect: Some(dialect.to_owned()), ..WriteOptions::default() };
        let name = format!("made.{}", format.ending_of(dialect));
        let output = convert(input, Some(&name), &ConvertOptions { write, ..ConvertOptions::default() }).ok()?;
        let extras = output.losses.into_iter().filter(|loss| loss.what == Lost::Extras).collect();
        Some((format.id, dialect, extras))
    });
    lost.collect()
}

#[test]
fn an_authors_are_lost_in_one_line_wherever_there_is_no_place_for_them() {
    let input = sample(|document| {
        for list in ["nodes", "meshes", "materials", "animations", "scenes"] {
            document[list][0]["extras"]["owner"] = json!("me");
        }
        document["asset"]["extras"]["licence"] = json!("mine");
        document["extras"]["level"] = json!([1, 2]);
    });
    let lost = lost(&input);
    assert_eq!(lost.len(), BUILT_IN.iter().map(|format| format.dialects.len()).sum::<usize>());
    for (format, dialect, losses) in lost {
        let counts: Vec<u64> = losses.iter().map(|loss| loss.count).collect();
        let expected = if format == "gltf" { &[][..] } else { &[7] };
        assert_eq!(counts, expected, "{format}, {dialect}: {losses:?}");
    }
}

#[test]
fn what_is_stored_there_for_ones_own_return_is_not_missed() {
    for source in BUILT_IN {
        let made = maquette::sample::make(source.id, None).unwrap();
        let name = format!("post.{}", source.extensions.first().unwrap());
        let companions = made.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes));
        let input = Input::from_files(&name, [(name.clone(), made.main)].into_iter().chain(companions)).unwrap();
        let glb = convert(&input, Some("post.glb"), &ConvertOptions::default()).unwrap();
        let again = Input::from_files("post.glb", glb.into_files()).unwrap();
        let lost = lost(&again);
        assert!(!lost.is_empty(), "{}", source.id);
        for (format, dialect, losses) in lost {
            assert!(losses.is_empty(), "{} to {format}, {dialect}: {losses:?}", source.id);
        }
    }
}
