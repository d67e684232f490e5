//! What is to be known about a picture besides the picture: what of the file is not in it, and what is drawn instead.

use super::args::RenderArgs;
use super::model::Model;
use crate::Verdict;
use crate::complain::{note, warn};
use maquette::scene::loss::{Loss, LossKind, Lost, subject};
use maquette_render::{Instead, Stage};

/// Warnings, which `--strict` counts, and what is merely to be known.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
}

/// What is missed in a picture, where reading a file loses it.
const SEEN: [Lost; 16] = [
    Lost::Meshes,
    Lost::Primitives,
    Lost::Triangles,
    Lost::Lines,
    Lost::Instances,
    Lost::MorphTargets,
    Lost::Nodes,
    Lost::Skins,
    Lost::Joints,
    Lost::Influences,
    Lost::BindPoses,
    Lost::Materials,
    Lost::Textures,
    Lost::AlphaModes,
    Lost::Extensions,
    Lost::CompanionFiles,
];

impl Told {
    /// All that is known before a model is drawn.
    pub fn of(model: &Model, stage: &Stage<'_>) -> Told {
        let Model { label, scene, losses, .. } = model;
        let mut told = model.told.clone();
        let is_seen =
            |loss: &&Loss| SEEN.contains(&loss.what) && matches!(loss.kind, LossKind::Dropped | LossKind::Truncated);
        told.warnings.extend(losses.losses().iter().filter(is_seen).map(|loss| format!("{label}: {loss}")));
        for missing in stage.missing() {
            let name = scene.images.get(missing.image).map_or("", |image| &image.name);
            // Whoever looked for its file knows best.
            let whose = subject("image", missing.image.index(), name);
            let known = losses.losses().iter().find(|loss| loss.what == Lost::Images && loss.subject == whose);
            let why = known.map_or(&missing.why, |loss| &loss.detail);
            let instead = match missing.instead {
                Instead::Factors => "is not drawn",
                Instead::Rest => "is drawn as far as it goes",
                Instead::Smaller => "is drawn with fewer pixels",
            };
            told.warnings.push(format!("{label}: {whose} {instead}: {why}"));
        }
        let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let is_nowhere = |position: &&[f32; 3]| position.iter().any(|along| !along.is_finite());
        let nowhere = primitives().flat_map(|primitive| &primitive.streams.positions).filter(is_nowhere).count();
        if nowhere > 0 {
            let text = format!("{label}: {nowhere} vertices are nowhere: what is drawn with them is left out");
            told.warnings.push(text);
        }
        let has_geometry = primitives().any(|primitive| !primitive.indices.is_empty());
        match (has_geometry, scene.nodes.is_empty()) {
            (true, _) => {}
            (false, false) => told.notes.push(format!("{label} has no geometry: its bones are drawn")),
            (false, true) => told.notes.push(format!(
                "{label} holds clips alone, which do not say what hangs on what: each bone is a cross where it is moved to; --on names a model for them to move"
            )),
        }
        told
    }

    /// Warnings are findings where `--strict` makes them so.
    pub fn verdict(&self, args: &RenderArgs) -> Verdict {
        if args.strict && !self.warnings.is_empty() { Verdict::Findings } else { Verdict::Fine }
    }

    pub fn say(&self) {
        self.warnings.iter().for_each(|warning| warn(warning));
        self.notes.iter().for_each(|text| note(text));
    }
}
