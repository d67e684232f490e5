//! What is written, decoded again by code that shares nothing with the writer or the reader.

mod animations;
mod decode;
mod files;
mod judged;
mod materials;
mod meshes;
mod motion;
mod nodes;
mod scenes;

use crate::format::{Bundle, Fitted, Result, WriteOptions};
use crate::gltf::FORMAT;
use decode::File;
use maquette_scene::Scene;
use maquette_scene::loss::{Loss, LossReport};

const BINARY: WriteOptions<'static> = WriteOptions { dialect: "binary", name: "made.glb", others: &[] };
const TEXT: WriteOptions<'static> = WriteOptions { dialect: "text", name: "made.gltf", others: &[] };

fn write(scene: &Scene, options: &WriteOptions<'_>) -> Result<(Bundle, LossReport)> {
    let mut losses = LossReport::default();
    let fitted = Fitted::check(scene, &(FORMAT.caps)(options.dialect))?;
    Ok(((FORMAT.write)(&fitted, options, &mut losses)?, losses))
}

/// A scene as a file of a dialect, and what was lost.
fn written(scene: &Scene, options: &WriteOptions<'_>) -> (Bundle, LossReport) {
    write(scene, options).unwrap()
}

/// A scene as a GLB, decoded.
fn glb(scene: &Scene) -> (File, LossReport) {
    let (bundle, losses) = written(scene, &BINARY);
    (File::from_glb(&bundle.main), losses)
}

/// The one loss whose line says this.
fn loss<'a>(losses: &'a LossReport, what: &str) -> &'a Loss {
    let mut found = losses.losses().iter().filter(|loss| loss.to_string().contains(what));
    let first = found.next().unwrap_or_else(|| panic!("no loss `{what}` among {:?}", losses.losses()));
    assert!(found.next().is_none(), "{:?}", losses.losses());
    first
}
