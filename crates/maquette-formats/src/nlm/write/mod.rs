//! A scene as an NLM file.
//!
//! Each part becomes a mesh. A model without skeleton is brought to unit size as the engine does it, and the bounding box
//! keeps its own; one with a skeleton keeps its positions and its root. What came from an NLM file and still fills the same
//! space is written as it was, with its box.

mod clip;
mod drawn;
mod losses;
mod meshes;
mod skeleton;
mod surfaces;

use super::extras::{self, StoredBox};
use super::hash::{self, FNV_BASIS};
use super::raw::{Aabb, Dialect, File, HashPlace};
use super::unit_size::{self, UnitSize};
use crate::format::{Bundle, Error, Fitted, Result, WriteOptions};
use drawn::Drawn;
use maquette_scene::Scene;
use maquette_scene::loss::{LossKind, LossReport, Lost};
use std::borrow::Cow;

/// Writes a scene.
pub fn write(scene: &Fitted<'_>, options: &WriteOptions<'_>, losses: &mut LossReport) -> Result<Bundle> {
    let dialect = Dialect::known(options.dialect)?;
    let drawn = drawn::drawn(scene);
    let animation = skeleton::write(scene, dialect.quaternion_order(), losses)?;
    let textures = surfaces::textures(scene, losses);
    let extent = Extent::of(scene, &drawn, if animation.is_some() { Motion::Animated } else { Motion::Static });
    extent.report(losses);
    let meshes = meshes::write(&drawn, &textures, extent.unit_size, losses)?;
    losses::report(scene, &drawn, losses);
    let hash = extras::get(&scene.extras, extras::HASH).unwrap_or(FNV_BASIS);
    let file = File {
        dialect,
        evidence: "written as such".into(),
        hash,
        magic: dialect.magic(),
        animation_flag: extras::get(&scene.extras, extras::ANIMATION_FLAG).unwrap_or(1),
        aabb: extent.aabb,
        meshes,
        animation,
        trailing: Cow::default(),
    };
    let companions = match dialect.hash_place() {
        HashPlace::Header => Vec::new(),
        HashPlace::HashFile => vec![(hash::HASH_FILE, hash.to_string().into_bytes())],
    };
    Ok(Bundle { main: file.encode(), companions })
}

/// What a scene has that the file cannot, or lacks what the file must have.
fn cannot_hold<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::CannotHold(why.into()))
}

/// Whether the file has an animation section.
#[derive(Clone, Copy, PartialEq)]
enum Motion {
    Static,
    Animated,
}

/// The bounding box that is stored, and what scales positions into it.
struct Extent {
    aabb: Aabb,
    /// What positions are divided by, if they are.
    unit_size: Option<UnitSize>,
    vertices: u64,
}

impl Extent {
    fn of(scene: &Scene, drawn: &[Drawn<'_>], motion: Motion) -> Extent {
        let positions = || drawn.iter().flat_map(Drawn::primitives).flat_map(|primitive| &primitive.streams.positions);
        let vertices = positions().count() as u64;
        let bounds = unit_size::bounds(positions());
        let stored = extras::get(&scene.extras, extras::BOX).filter(|stored: &StoredBox| stored.is_of(bounds));
        let corners = bounds.map_or([[0.0; 3]; 2], |bounds| [bounds.min, bounds.max]);
        let unit_size = match (stored, motion) {
            (None, Motion::Static) => UnitSize::of(corners),
            _ => None,
        };
        let [min, max] = stored.map_or(corners, |stored| stored.aabb).map(|corner| corner.map(Into::into));
        Extent { aabb: Aabb { min, max }, unit_size: unit_size.filter(|unit_size| !unit_size.is_nothing()), vertices }
    }

    fn report(&self, losses: &mut LossReport) {
        if self.unit_size.is_some() {
            let detail = "normalisation to unit size about the centre of the bounding box, which keeps the original size: read the file with \
                 --denormalise to have it back";
            losses.push(LossKind::Baked, Lost::ModelSize, "the model", detail, self.vertices);
        }
    }
}
