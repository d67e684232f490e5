//! Every format into every other: what comes back differs only where the loss report says so, and moves as the source does.

#![allow(clippy::unwrap_used, clippy::panic)]

use maquette::Input;
use maquette::convert::{ConvertOptions, Converted, convert, load};
use maquette::diff::{Difference, diff};
use maquette::formats::format::{ALL, Format, Naming};
use maquette::scene::Scene;
use maquette::scene::loss::LossReport;
use std::path::Path;

/// For each kind of difference, the losses that account for it.
const ACCOUNTS: &[(&str, &[&str])] = &[
    (
        "shape at rest",
        &[
            "rest poses",
            "normalisation to unit size",
            "positions",
            "unit size",
            "clips",
            "skins",
            "joints",
            "morph weights",
        ],
    ),
    (
        "motion",
        &["influences", "cubic splines", "steps", "sheared joints", "clips", "skins", "normalisation to unit size"],
    ),
    ("triangles", &["triangles", "meshes"]),
    ("lines", &["lines", "meshes"]),
    (
        "joints",
        &[
            "nodes",
            "joints",
            "unused joints",
            "skins",
            "skeletons",
            "weights",
            "bones",
            "influences",
            "skeleton hierarchy",
        ],
    ),
    ("clips", &["clips", "animations"]),
    ("morph targets", &["morph targets"]),
    (
        "joint names",
        &[
            "names",
            "joint names",
            "node names",
            "unused joints",
            "joints",
            "skins",
            "nodes",
            "skeletons",
            "weights",
            "bones",
        ],
    ),
    ("clip names", &["clip names", "names"]),
    ("duration", &["durations", "key times", "frames", "frame times"]),
    ("events", &["events"]),
    ("materials", &["materials", "default materials"]),
    (
        "material factors",
        &[
            "material factors",
            "metalness and roughness",
            "materials",
            "roughness",
            "metalness",
            "base colours",
            "textures",
            "emissive colours",
        ],
    ),
    ("textures", &["textures", "images"]),
];

fn accounted(difference: &Difference, losses: &LossReport) -> bool {
    let accounts = ACCOUNTS.iter().find(|(what, _)| *what == difference.what);
    accounts.is_some_and(|(_, losses_named)| losses_named.iter().any(|what| losses.names(what)))
}

fn formats() -> impl Iterator<Item = &'static Format> {
    ALL.iter().copied().filter(|format| format.scene.is_some())
}

/// The files of a conversion or a sample in a folder, and the main one opened.
fn laid_out(folder: &Path, name: &str, main: &[u8], beside: &[(String, Vec<u8>)]) -> Input {
    std::fs::write(folder.join(name), main).unwrap();
    for (name, bytes) in beside {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    Input::from_path(&folder.join(name)).unwrap()
}

fn scene_of(input: &Input) -> Scene {
    load(input, &ConvertOptions::default(), &mut LossReport::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn converted(input: &Input, format: &Format, dialect: &str) -> Result<Converted, maquette::Error> {
    let options = ConvertOptions { dialect: Some(dialect.into()), ..ConvertOptions::default() };
    convert(input, Some(&format!("out.{}", format.extensions.first().unwrap())), &options)
}

fn check(input: &Input, label: &str, failures: &mut Vec<String>) {
    let before = scene_of(input);
    for target in formats().filter(|target| target.caps.meshes) {
        for dialect in target.dialects {
            let result = converted(input, target, dialect.id);
            let converted = result.unwrap_or_else(|error| panic!("{label} to {} {}: {error}", target.id, dialect.id));
            let folder = tempfile::tempdir().unwrap();
            let name = format!("out.{}", target.extensions.first().unwrap());
            let output = laid_out(folder.path(), &name, &converted.main, &converted.beside);
            let after = scene_of(&output);
            for difference in diff(&before, &after, 1e-4) {
                if !accounted(&difference, &converted.losses) {
                    let losses: Vec<&str> = converted.losses.losses().iter().map(|loss| loss.what).collect();
                    let Difference { what, subject, a, b, .. } = difference;
                    failures.push(format!(
                        "{label} to {} {}: {what} of {subject}, {a} | {b}, is not accounted for by {losses:?}",
                        target.id, dialect.id
                    ));
                }
            }
        }
    }
}

#[test]
fn samples_become_every_format_and_every_loss_is_named() {
    let mut failures = Vec::new();
    for source in formats().filter(|source| source.caps.meshes) {
        for dialect in source.dialects {
            let folder = tempfile::tempdir().unwrap();
            let name = format!("in.{}", source.extensions.first().unwrap());
            let bundle = (source.sample)(dialect.id);
            let beside: Vec<_> =
                bundle.beside.into_iter().map(|(naming, bytes): (Naming, _)| (naming.apply(&name), bytes)).collect();
            let input = laid_out(folder.path(), &name, &bundle.main, &beside);
            check(&input, &format!("{} {}", source.id, dialect.id), &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
