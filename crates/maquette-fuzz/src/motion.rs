//! Whether everything that is drawn is where it was after a scene was written and read: at rest and at many moments of every clip.

use crate::round_trip::Returned;
use maquette::diff::diff;
use maquette::scene::loss::Lost;

/// How far a corner may be off, as a part of the model's size. Scenes of a few large numbers have coarse small ones.
const TOLERANCE: f64 = 1e-3;

/// What a writer may say that it cannot hold, and what then is elsewhere.
const EXCUSES: [Lost; 9] = [
    Lost::RestPoses,
    Lost::BindPoses,
    Lost::Influences,
    Lost::KeyTimes,
    Lost::Keys,
    Lost::Tracks,
    Lost::Clips,
    Lost::Skins,
    Lost::NodeTransforms,
];

/// Whether there was anything to compare; a panic if it moved otherwise.
pub fn moves_alike(returned: &Returned, of: &str) -> bool {
    let Returned { fitted, losses, read } = returned;
    let draws = fitted.meshes.iter().flat_map(|mesh| &mesh.primitives).any(|primitive| !primitive.indices.is_empty());
    if !draws || EXCUSES.iter().any(|&excuse| losses.names(excuse)) {
        return false;
    }
    for found in diff(fitted, read, TOLERANCE) {
        let is_place = ["triangles", "lines", "shape at rest", "motion", "facing"].contains(&found.what);
        assert!(!is_place, "{of}: {} of {}: {} | {}\n{losses}", found.what, found.subject, found.a, found.b);
    }
    true
}
