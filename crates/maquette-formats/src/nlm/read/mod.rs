//! An NLM file as a scene.
//!
//! Nodes of the file come first among the nodes of the scene, in the same order; then one for each mesh. What would break a
//! scene is refused, with the finding that `check` has for it; what real files do is read and reported.

mod clip;
mod meshes;
mod skeleton;

use super::check::{self, PositionScale};
use super::extras::{self, StoredBox};
use super::hash::{self, FNV_BASIS};
use super::raw::{File, HashPlace};
use super::unit_size::{self, UnitSize};
use crate::format::{self, Error, ReadOptions, Result, Size, Source};
use maquette_scene::glam::Mat4;
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::{Code, Diagnostic, Path, Report, Scene, valid};
use zerocopy::little_endian::F32;

/// Reads a file.
pub fn read(file: &File<'_>, options: &ReadOptions<'_>, losses: &mut LossReport) -> Result<Scene> {
    let mut scene = Scene::default();
    let normalised = normalised(file, options);
    let skeleton = match &file.animation {
        Some(animation) => {
            let skeleton = skeleton::read(file, animation, options, &mut scene, losses)?;
            clip::read(file, animation, &skeleton, options, &mut scene, losses)?;
            Some(skeleton)
        }
        None => None,
    };
    meshes::read(file, skeleton.as_ref(), normalised, &options.source, &mut scene, losses)?;
    keep_header(file, options, &mut scene, losses);
    keep_box(file, normalised, &mut scene, losses);
    valid::check(&scene).map_err(|invalid| Error::CannotHold(format!("the file makes no sound scene: {invalid}")))?;
    Ok(scene)
}

/// What to undo, if the positions are wanted in their original size and are not.
fn normalised(file: &File<'_>, options: &ReadOptions<'_>) -> Option<UnitSize> {
    if options.size == Size::AsStored || file.animation.is_some() {
        return None;
    }
    let is_normalised = check::position_scale(file, &file.bounds()?) == Some(PositionScale::Normalised);
    UnitSize::of(aabb(file)).filter(|_| is_normalised)
}

fn aabb(file: &File<'_>) -> [[f32; 3]; 2] {
    [file.aabb.min, file.aabb.max].map(|corner| corner.map(F32::get))
}

fn keep_header(file: &File<'_>, options: &ReadOptions<'_>, scene: &mut Scene, losses: &mut LossReport) {
    let hash = match file.dialect.hash_place() {
        HashPlace::Header => Some(file.hash),
        HashPlace::HashFile => options.source.companion_or_loss(hash::HASH_FILE, losses).and_then(|(name, text)| {
            let hash = hash::side_hash(&text);
            if hash.is_none() {
                losses.dropped(Lost::FormatDetails, "the model", format!("{name:?} holds no decimal number"), 1);
            }
            hash
        }),
    };
    if let Some(hash) = hash.filter(|&hash| hash != FNV_BASIS) {
        extras::set(&mut scene.extras, extras::HASH, &hash);
    }
    if file.animation_flag > 1 {
        extras::set(&mut scene.extras, extras::ANIMATION_FLAG, &file.animation_flag);
    }
}

/// The box need not be kept where the positions were given their size back: it is the one around them.
fn keep_box(file: &File<'_>, normalised: Option<UnitSize>, scene: &mut Scene, losses: &mut LossReport) {
    let aabb = aabb(file);
    if !aabb.iter().flatten().all(|x| x.is_finite()) {
        return losses.dropped(Lost::FormatDetails, "the model", "the box is not finite", 1);
    }
    if normalised.is_none() {
        let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let bounds = unit_size::bounds(primitives.flat_map(|primitive| &primitive.streams.positions));
        let positions = bounds.map(|bounds| [bounds.min, bounds.max]);
        extras::set(&mut scene.extras, extras::BOX, &StoredBox { aabb, positions });
    }
}

/// Refuses a file for what `check` finds in it under this code.
#[cold]
fn refuse(file: &File<'_>, code: &'static Code) -> Error {
    let mut report = Report::default();
    check::check(file, &Source::BARE, &mut report);
    let found = report.items().iter().find(|finding| finding.code.id == code.id).cloned();
    format::refuse(file, found.unwrap_or_else(|| Diagnostic::new(code, Path::default(), "the file breaks this rule")))
}

fn matrix(elements: &[F32; 16], options: &ReadOptions<'_>) -> Mat4 {
    let matrix = Mat4::from_cols_array(&elements.map(F32::get));
    match options.matrix_order {
        Some(crate::rules::matrices::MatrixOrder::RowMajor) => matrix.transpose(),
        _ => matrix,
    }
}
