//! Whether a loss report names every difference between a source and what it became.
//!
//! A difference is accounted for by a loss of a listed kind that is about the same object. A loss that counts must count as many, and one that
//! is an approximation must admit an error as large. A loss of a whole accounts for an object only where it counts such objects, or where the
//! skeleton is what they share.

#![allow(dead_code, reason = "not every test needs all of it")]

mod related;

use maquette::diff::{Difference, diff};
use maquette::formats::format::{Format, Size};
use maquette::scene::clip::{Clip, Curve, Keys};
use maquette::scene::loss::{Loss, LossKind, LossReport, Lost};
use maquette::scene::mesh::Topology;
use maquette::scene::{Scene, pose};
use maquette::{Input, Output, ReadOptions, WriteOptions};
use related::Related;
use std::collections::BTreeSet;
use std::path::Path;

/// Lengths may differ by this part of the model's size.
const TOLERANCE: f64 = 1e-4;

/// How a loss is held against a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    /// The object is another, in a way that has no size.
    Change,
    /// It is about just this; its error, if it has one, is that of something else.
    Named,
    /// It counts what the difference counts.
    Count,
    /// It counts meshes, and the difference the faces of meshes.
    Meshes,
    /// It counts primitives, and the difference the faces of primitives.
    Primitives,
    /// Its error has the unit of the difference.
    Error,
    /// Its error is in seconds, and the difference one of positions: how far anything moves in that time.
    Time,
}
use By::{Change, Count, Error, Meshes, Named, Primitives, Time};

/// For each kind of difference, the losses that account for it.
const ACCOUNTS: &[(&str, &[(Lost, By)])] = &[
    ("triangles", &[(Lost::Triangles, Count), (Lost::Primitives, Primitives), (Lost::Meshes, Meshes)]),
    ("lines", &[(Lost::Lines, Count), (Lost::Meshes, Meshes)]),
    ("facing", &[]),
    (
        "rest poses",
        &[
            (Lost::RestPoses, Change),
            (Lost::Influences, Change),
            (Lost::Influences, Error),
            (Lost::Shear, Error),
            (Lost::Meshes, Change),
        ],
    ),
    (
        "motion",
        &[
            (Lost::Influences, Change),
            (Lost::Influences, Error),
            (Lost::CubicSplines, Error),
            (Lost::Shear, Error),
            (Lost::KeyTimes, Time),
            (Lost::Steps, Time),
            (Lost::MorphAnimation, Change),
        ],
    ),
    ("node transforms", &[(Lost::NodeTransforms, Change), (Lost::Shear, Error)]),
    ("joints", &[(Lost::Joints, Count), (Lost::Skins, Change), (Lost::Hierarchy, Count)]),
    ("influences", &[(Lost::Influences, Named), (Lost::Skins, Change), (Lost::Joints, Change)]),
    ("clips", &[(Lost::Clips, Count)]),
    ("tracks", &[(Lost::Tracks, Count), (Lost::MorphAnimation, Count)]),
    ("bone names", &[(Lost::NodeNames, Count)]),
    ("translations", &[(Lost::KeyTimes, Time), (Lost::Steps, Time)]),
    ("rotations", &[(Lost::KeyTimes, Time), (Lost::Steps, Time)]),
    ("scales", &[(Lost::KeyTimes, Time), (Lost::Steps, Time)]),
    ("morph targets", &[(Lost::MorphTargets, Count), (Lost::Meshes, Change)]),
    ("durations", &[(Lost::Durations, Error), (Lost::KeyTimes, Error)]),
    ("blending", &[(Lost::Blending, Change)]),
    ("loop flags", &[(Lost::LoopFlags, Change)]),
    ("frame rates", &[(Lost::FrameRates, Change)]),
    ("events", &[(Lost::Events, Count), (Lost::KeyTimes, Error)]),
    ("normals", &[(Lost::Normals, Change)]),
    ("tangents", &[(Lost::Tangents, Change)]),
    ("UV sets", &[(Lost::UvSets, Count), (Lost::TextureCoordinates, Change)]),
    (
        "texture coordinates",
        &[
            (Lost::TextureCoordinates, Change),
            (Lost::UvSets, Change),
            (Lost::TextureTransforms, Change),
            (Lost::Textures, Change),
        ],
    ),
    ("vertex colours", &[(Lost::VertexColours, Change), (Lost::VertexColours, Error)]),
    ("materials", &[(Lost::Materials, Count)]),
    ("base colours", &[(Lost::BaseColours, Change), (Lost::Textures, Change)]),
    ("metalness and roughness", &[(Lost::MetalnessAndRoughness, Change), (Lost::Textures, Change)]),
    ("emission", &[(Lost::Emission, Change), (Lost::Emission, Error), (Lost::Textures, Change)]),
    ("texture strengths", &[(Lost::TextureStrengths, Change)]),
    ("alpha modes", &[(Lost::AlphaModes, Change)]),
    ("double-sidedness", &[(Lost::DoubleSidedness, Change)]),
    ("unlit surfaces", &[(Lost::UnlitSurfaces, Change)]),
    ("textures", &[(Lost::Textures, Change)]),
    ("texture transforms", &[(Lost::TextureTransforms, Change)]),
    ("texture wrapping", &[(Lost::TextureWrapping, Change)]),
    ("texture filters", &[(Lost::TextureFilters, Change)]),
    ("pixels", &[(Lost::Pixels, Error), (Lost::Emission, Error), (Lost::Images, Change), (Lost::Textures, Change)]),
    ("texture sizes", &[(Lost::TextureSizes, Change), (Lost::Textures, Change)]),
    ("material names", &[(Lost::MaterialNames, Change), (Lost::MaterialNames, Count)]),
    ("image names", &[(Lost::ImageNames, Change), (Lost::ImageNames, Count)]),
    ("clip names", &[(Lost::ClipNames, Change), (Lost::ClipNames, Count)]),
    ("mesh names", &[(Lost::MeshNames, Count), (Lost::Meshes, Count)]),
    (
        "node names",
        &[
            (Lost::NodeNames, Count),
            (Lost::MeshNames, Count),
            (Lost::Nodes, Count),
            (Lost::Joints, Count),
            (Lost::Tracks, Count),
        ],
    ),
    ("added meshes", &[(Lost::Primitives, Count), (Lost::MeshNames, Count)]),
    (
        "added nodes",
        &[(Lost::Hierarchy, Count), (Lost::Joints, Count), (Lost::NodeNames, Count), (Lost::Influences, Change)],
    ),
];

/// What every mesh that a skeleton holds shares with the others.
const OF_THE_SKELETON: [Lost; 3] = [Lost::RestPoses, Lost::Shear, Lost::Joints];

/// A conversion that is looked at.
struct Case<'c> {
    before: &'c Scene,
    losses: &'c LossReport,
    found: &'c [Difference],
    related: Related,
}

impl Case<'_> {
    fn is_accounted_for(&self, difference: &Difference) -> bool {
        let accounts = ACCOUNTS.iter().find(|(what, _)| *what == difference.what);
        let (_, accounts) = accounts.unwrap_or_else(|| panic!("nothing accounts for {:?}", difference.what));
        let about: Vec<(&Loss, By)> = accounts
            .iter()
            .flat_map(|&(what, by)| {
                self.losses.iter().filter(move |loss| loss.what == what).map(move |loss| (loss, by))
            })
            .filter(|(loss, by)| self.is_about(loss, *by, difference))
            .collect();
        let is_approximated = |loss: &Loss| matches!(loss.kind, LossKind::Approximated { .. });
        if about.iter().any(|(loss, by)| *by == Named || *by == Change && !is_approximated(loss)) {
            return true;
        }
        let size = difference.size.unwrap_or(0.0);
        let counted: f64 = about.iter().map(|(loss, by)| self.counted(loss, *by)).sum();
        if about.iter().any(|(_, by)| matches!(by, Count | Meshes | Primitives)) && counted >= size {
            return true;
        }
        let admitted: f64 = about.iter().map(|(loss, by)| self.admitted(loss, *by, difference)).sum();
        difference.size.is_some()
            && admitted > 0.0
            && size <= admitted * 1.01 + 1.0 / 255.0 * f64::from(difference.what == "pixels")
    }

    fn is_about(&self, loss: &Loss, by: By, difference: &Difference) -> bool {
        if related::is_whole(&loss.subject) && !difference.subject.is_empty() {
            let counts = matches!(by, Count | Meshes | Primitives) && self.counts_every_object(loss, difference);
            return counts || loss.subject == "the skeleton" && OF_THE_SKELETON.contains(&loss.what);
        }
        // What moves otherwise is a clip and the mesh that it moves.
        let mesh = if difference.what == "motion" { &difference.a } else { &difference.subject };
        [&difference.subject, mesh].into_iter().any(|object| self.related.is_about(&loss.subject, object))
    }

    /// Whether a loss of a whole counts as many objects as differ.
    fn counts_every_object(&self, loss: &Loss, difference: &Difference) -> bool {
        let alike = self.found.iter().filter(|other| other.what == difference.what);
        let subjects: BTreeSet<&str> = alike.map(|other| other.subject.as_str()).filter(|it| !it.is_empty()).collect();
        loss.count >= subjects.len() as u64
    }

    /// How many of what a difference counts a loss can be.
    fn counted(&self, loss: &Loss, by: By) -> f64 {
        let largest = |mut faces: Vec<usize>| {
            faces.sort_unstable();
            faces.iter().rev().take(loss.count as usize).sum::<usize>() as f64
        };
        let primitives = || {
            self.before
                .meshes
                .iter()
                .map(|mesh| mesh.primitives.iter().map(|it| it.indices.len() / it.topology.corners()))
        };
        match by {
            Count => loss.count as f64,
            Meshes => {
                let drawn = self.before.nodes.iter().filter_map(|node| node.mesh);
                let faces: Vec<usize> = primitives().map(Iterator::sum).collect();
                // An instance that is gone is gone with its mesh.
                largest(faces.clone()) * drawn.count() as f64
            }
            Primitives => largest(primitives().flatten().collect()),
            Change | Named | Error | Time => 0.0,
        }
    }

    /// The error that a loss admits, in the unit of the difference.
    fn admitted(&self, loss: &Loss, by: By, difference: &Difference) -> f64 {
        let LossKind::Approximated { max_error } = loss.kind else { return 0.0 };
        match by {
            Error => f64::from(max_error),
            Time => self.clip(&difference.subject).map_or(0.0, |clip| match difference.what {
                "motion" => swing(self.before, clip, max_error),
                what => swing_of_bones(clip, what, max_error),
            }),
            Change | Named | Count | Meshes | Primitives => 0.0,
        }
    }

    fn clip(&self, subject: &str) -> Option<&Clip> {
        self.before.clips.iter().enumerate().find_map(|(index, clip)| {
            (maquette::scene::loss::subject("clip", index, &clip.name) == subject).then_some(clip)
        })
    }
}

/// How far anything moves, at most, when a key comes so much earlier or later.
fn swing(scene: &Scene, clip: &Clip, secs: f32) -> f64 {
    let keys = clip.tracks.iter().flat_map(|track| track.curve.times_secs()).copied();
    let mut largest = 0.0f32;
    for key in keys {
        let [before, at, after] = [key - secs, key, key + secs].map(|secs| pose::positions_at(scene, clip, secs));
        for ((before, at), after) in before.iter().zip(&at).zip(&after) {
            largest = largest.max(at.distance(*before) + at.distance(*after));
        }
    }
    largest.into()
}

/// How far any bone moves, at most, when a key comes so much earlier or later: in metres, degrees or parts of its size.
fn swing_of_bones(clip: &Clip, what: &str, secs: f32) -> f64 {
    let of_vectors = |keys: &Keys<[f32; 3]>, from: f32, to: f32| {
        let [from, to] = [from, to].map(|secs| pose::vector_at(keys, secs).unwrap());
        from.distance(to)
    };
    let between = |curve: &Curve, from: f32, to: f32| match (what, curve) {
        ("translations", Curve::Translation(keys)) | ("scales", Curve::Scale(keys)) => of_vectors(keys, from, to),
        ("rotations", Curve::Rotation(keys)) => {
            let [from, to] = [from, to].map(|secs| pose::rotation_at(keys, secs).unwrap());
            from.angle_between(to).to_degrees()
        }
        _ => 0.0,
    };
    let curves = clip.tracks.iter().map(|track| &track.curve);
    let around = curves.flat_map(|curve| {
        let times = curve.times_secs().iter();
        times.map(move |&key| between(curve, key - secs, key) + between(curve, key, key + secs))
    });
    around.fold(0.0, f32::max).into()
}

/// The files of a conversion or a sample in a folder, and the main one opened.
pub fn laid_out(folder: &Path, name: &str, main: &[u8], companions: &[(String, Vec<u8>)]) -> Input {
    std::fs::write(folder.join(name), main).unwrap();
    for (name, bytes) in companions {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    Input::from_path(folder.join(name)).unwrap()
}

/// What a file holds.
pub fn scene_of(input: &Input) -> Scene {
    read_back(input, &ReadOptions::default())
}

fn read_back(input: &Input, options: &ReadOptions) -> Scene {
    input.read(options).unwrap_or_else(|error| panic!("{error}")).scene
}

/// A scene as a file of another dialect. What reading the source lost is no excuse for anything.
pub fn encoded(scene: &Scene, name: &str, format: &Format, dialect: &str) -> Result<Output, maquette::Error> {
    let options =
        WriteOptions { dialect: Some(dialect.into()), format: Some(format.id.into()), ..WriteOptions::default() };
    maquette::write::encode(scene.clone(), name, &options)
}

/// The input's name with the target's ending: some formats name a model after its file.
pub fn output_name(input: &Input, format: &Format, dialect: &str) -> String {
    let stem = Path::new(&input.label).file_stem().unwrap().to_string_lossy().into_owned();
    format!("{stem}.{}", format.ending_of(dialect))
}

/// Whether a format can take the scene at all: what it is for must be there.
fn is_for(format: &Format, dialect: &str, scene: &Scene) -> bool {
    let caps = (format.caps)(dialect);
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives).filter(|it| !it.indices.is_empty());
    let draws = primitives().any(|primitive| primitive.topology == Topology::Triangles);
    let moves = scene.clips.iter().any(|clip| !clip.tracks.is_empty());
    match caps.meshes {
        true => draws || caps.curves,
        false => (caps.clips != Some(0) && moves) || (caps.materials && !scene.materials.is_empty()),
    }
}

/// A conversion: what was lost, and what came back.
pub struct Converted {
    /// What was lost.
    pub losses: LossReport,
    /// What the file that was made holds.
    pub after: Scene,
    /// Errors that `check` finds in the files that were made.
    pub errors: Vec<String>,
}

/// Writes a scene under the name of a file, and reads it back.
pub fn there_and_back(scene: &Scene, name: &str, format: &Format, dialect: &str) -> Result<Converted, maquette::Error> {
    let output = encoded(scene, name, format, dialect)?;
    let folder = tempfile::tempdir().unwrap();
    let written = laid_out(folder.path(), name, &output.main, &output.companions);
    // A model that was brought to unit size comes back in its own: the report says that the file keeps it.
    let size = if output.losses.names(Lost::ModelSize) { Size::Original } else { Size::AsStored };
    let after = read_back(&written, &ReadOptions { size, ..ReadOptions::default() });
    let errors = output.findings().into_iter().filter(|found| found.finding.severity == "error");
    let errors = errors.map(|found| format!("{}: {:?}", found.file, found.finding)).collect();
    Ok(Converted { losses: output.losses, after, errors })
}

/// Converts a file, reads it back, and names each difference that the report does not, and each error of what was written.
pub fn unnamed(input: &Input, before: &Scene, format: &Format, dialect: &str) -> Vec<String> {
    let label = format!("{} to {} {dialect}", input.label, format.id);
    match there_and_back(before, &output_name(input, format, dialect), format, dialect) {
        Ok(converted) => {
            let mut found = unnamed_between(before, &converted.after, &converted.losses);
            found.extend(converted.errors);
            found.into_iter().map(|found| format!("{label}: {found}")).collect()
        }
        Err(_) if !is_for(format, dialect, before) => Vec::new(),
        Err(error) => vec![format!("{label}: {error}")],
    }
}

/// Each difference between two scenes that a report does not name, with the losses that come nearest.
pub fn unnamed_between(before: &Scene, after: &Scene, losses: &LossReport) -> Vec<String> {
    let found = diff(before, after, TOLERANCE).unwrap();
    let case = Case { before, losses, found: &found, related: Related::of(before) };
    let unnamed = found.iter().filter(|found| !case.is_accounted_for(found));
    unnamed
        .map(|Difference { what, subject, a, b, size, .. }| {
            let kin = ACCOUNTS.iter().find(|(of, _)| of == what).map_or(&[][..], |(_, accounts)| accounts);
            let near: Vec<String> = losses
                .iter()
                .filter(|loss| kin.iter().any(|(what, _)| *what == loss.what))
                .map(|loss| format!("{loss} ×{} {:?}", loss.count, loss.kind))
                .collect();
            format!("{what} of {subject:?}, {a} | {b} ({size:?}) is not accounted for by {near:?}")
        })
        .collect()
}
