//! Whether a loss report names every difference between a source and what it became.

use maquette::convert::{ConvertOptions, convert};
use maquette::diff::{Difference, diff};
use maquette::formats::format::Format;
use maquette::scene::Scene;
use maquette::scene::loss::{LossReport, Lost};
use maquette::scene::mesh::Topology;
use maquette::{Input, Output, WriteOptions};
use std::path::Path;

/// Lengths may differ by this part of the model's size.
const TOLERANCE: f64 = 1e-4;

/// For each kind of difference, the losses that account for it.
const ACCOUNTS: &[(&str, &[Lost])] = &[
    ("triangles", &[Lost::Triangles, Lost::Primitives]),
    ("lines", &[Lost::Lines]),
    ("facing", &[]),
    ("shape at rest", &[Lost::RestPoses, Lost::ModelSize, Lost::MorphTargets, Lost::Influences, Lost::Lines]),
    ("motion", &[Lost::Influences, Lost::CubicSplines, Lost::Steps, Lost::Shear, Lost::KeyTimes, Lost::MorphTargets]),
    ("joints", &[Lost::Joints, Lost::Skins]),
    ("influences", &[Lost::Influences, Lost::Joints, Lost::Skins]),
    ("clips", &[Lost::Clips]),
    ("morph targets", &[Lost::MorphTargets]),
    ("duration", &[Lost::Durations, Lost::KeyTimes]),
    ("blending", &[Lost::Blending]),
    ("looping", &[Lost::LoopFlags]),
    ("frame rate", &[Lost::FrameRates]),
    ("events", &[Lost::Events]),
    ("normals", &[Lost::Normals]),
    ("tangents", &[Lost::Tangents]),
    ("UV sets", &[Lost::UvSets, Lost::TextureCoordinates]),
    ("texture coordinates", &[Lost::TextureCoordinates, Lost::UvSets, Lost::TextureTransforms]),
    ("vertex colours", &[Lost::VertexColours]),
    ("materials", &[Lost::Materials]),
    ("base colour", &[Lost::BaseColours]),
    ("metalness and roughness", &[Lost::MetalnessAndRoughness]),
    ("emission", &[Lost::Emission]),
    ("texture strengths", &[Lost::TextureStrengths]),
    ("alpha mode", &[Lost::AlphaModes]),
    ("double-sidedness", &[Lost::DoubleSidedness]),
    ("shading", &[Lost::UnlitSurfaces]),
    ("textures", &[Lost::Textures]),
    ("texture transforms", &[Lost::TextureTransforms]),
    ("texture wrapping", &[Lost::TextureWrapping]),
    ("texture filters", &[Lost::TextureFilters]),
    ("pixels", &[Lost::Pixels, Lost::Images]),
    ("material names", &[Lost::MaterialNames, Lost::Materials]),
    ("image names", &[Lost::ImageNames]),
    ("clip names", &[Lost::ClipNames]),
    ("mesh names", &[Lost::MeshNames, Lost::Instances]),
    ("joint names", &[Lost::NodeNames, Lost::Joints, Lost::Skins]),
    ("node names", &[Lost::NodeNames, Lost::MeshNames, Lost::Nodes, Lost::Hierarchy]),
];

fn accounted(difference: &Difference, losses: &LossReport) -> bool {
    let accounts = ACCOUNTS.iter().find(|(what, _)| *what == difference.what);
    accounts.is_some_and(|(_, lost)| lost.iter().any(|lost| losses.names(*lost)))
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
    input.read(&Default::default()).unwrap_or_else(|error| panic!("{error}")).scene
}

/// A file in another dialect.
pub fn converted(input: &Input, format: &Format, dialect: &str) -> Result<Output, maquette::Error> {
    let write =
        WriteOptions { dialect: Some(dialect.into()), format: Some(format.id.into()), ..WriteOptions::default() };
    let options = ConvertOptions { write, ..ConvertOptions::default() };
    convert(input, Some(&output_name(input, format)), &options)
}

/// The input's name with the target's ending: some formats name a model after its file.
pub fn output_name(input: &Input, format: &Format) -> String {
    let stem = Path::new(&input.label).file_stem().unwrap().to_string_lossy().into_owned();
    format!("{stem}.{}", format.extensions.first().unwrap())
}

fn draws_triangles(scene: &Scene) -> bool {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives
        .filter(|primitive| primitive.topology == Topology::Triangles)
        .any(|primitive| !primitive.indices.is_empty())
}

/// Converts a file, reads it back, and names each difference that the report does not.
pub fn unnamed(input: &Input, before: &Scene, format: &Format, dialect: &str) -> Vec<String> {
    let label = format!("{} to {} {dialect}", input.label, format.id);
    let converted = match converted(input, format, dialect) {
        Ok(converted) => converted,
        // Most formats refuse what draws no triangle.
        Err(_) if !draws_triangles(before) => return Vec::new(),
        Err(error) => return vec![format!("{label}: {error}")],
    };
    let folder = tempfile::tempdir().unwrap();
    let output = laid_out(folder.path(), &output_name(input, format), &converted.main, &converted.companions);
    let after = scene_of(&output);
    let found = diff(before, &after, TOLERANCE).into_iter();
    let found = found.filter(|found| !accounted(found, &converted.losses));
    let losses: Vec<&str> = converted.losses.losses().iter().map(|loss| loss.what.word()).collect();
    found
        .map(|Difference { what, subject, a, b, .. }| {
            format!("{label}: {what} of {subject}, {a} | {b}, is not accounted for by {losses:?}")
        })
        .collect()
}
