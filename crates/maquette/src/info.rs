//! What a file is and holds: the fields of `maquette info --json`.

use crate::check::Finding;
use crate::fit::{Limits, Repeated};
use crate::read::ReadOptions;
use crate::{Error, Input};
use maquette_formats::format::{Naming, Opened};
use maquette_formats::summary::{Bounds, Summary};
use maquette_scene::pose;
use serde::Serialize;
use std::collections::BTreeSet;

/// One file in numbers.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The file as it was named.
    pub file: String,
    /// The format's id.
    pub format: &'static str,
    /// The dialect's id.
    pub dialect: &'static str,
    /// Its size, without companion files.
    pub bytes: u64,
    /// What it holds, as stored.
    #[serde(flatten)]
    pub summary: Summary,
    /// The box around what is drawn without a clip, nodes and skins applied; null where nothing is drawn, the file makes no scene, or
    /// more vertices are drawn than anybody would write.
    pub drawn_bounds: Option<Bounds>,
    /// Why it is taken for this dialect.
    pub evidence: String,
    /// Companion files that are there.
    pub companions: Vec<String>,
    /// Companion files that it names and that are not there, or cannot be read.
    pub missing_companions: Vec<String>,
    /// Why those of them that are there cannot be read; absent where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable_companions: Option<Vec<UnreadableCompanion>>,
}

/// A companion file that is there and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UnreadableCompanion {
    /// Its name.
    pub name: String,
    /// What stands in the way.
    pub why: String,
}

impl Info {
    /// Describes an opened file.
    pub fn of(input: &Input, opened: &Opened<'_>) -> Info {
        let Companions { found, missing, unreadable } = companions(input, opened);
        Info {
            file: input.label.clone(),
            format: opened.format.id,
            dialect: opened.file.dialect(),
            bytes: input.bytes().len() as u64,
            summary: opened.file.summary(),
            drawn_bounds: drawn_bounds(input, opened),
            evidence: opened.file.evidence().to_owned(),
            companions: found,
            missing_companions: missing,
            unreadable_companions: (!unreadable.is_empty()).then_some(unreadable),
        }
    }
}

#[derive(Default)]
struct Companions {
    found: Vec<String>,
    /// Those that are named and missing, or cannot be read.
    missing: Vec<String>,
    unreadable: Vec<UnreadableCompanion>,
}

fn companions(input: &Input, opened: &Opened<'_>) -> Companions {
    let source = input.source();
    let (mut companions, mut seen) = (Companions::default(), BTreeSet::new());
    let references = opened.file.references(&source);
    for naming in opened.format.companions.iter().chain(&references) {
        let name = naming.apply(source.name);
        if !seen.insert(name.clone()) {
            continue;
        }
        if !source.name.is_empty() && source.resources.contains(&name) {
            companions.found.push(name);
        } else if let Some(why) = source.obstacle(naming) {
            companions.missing.push(name.clone());
            companions.unreadable.push(UnreadableCompanion { name, why });
        } else if matches!(naming, Naming::Named(_)) {
            companions.missing.push(name);
        }
    }
    companions
}

fn drawn_bounds(input: &Input, opened: &Opened<'_>) -> Option<Bounds> {
    let scene = input.read_opened(opened, &ReadOptions::default()).ok()?.scene;
    Limits::DEFAULT.check(Repeated::Meshes, scene.drawn_vertices()).ok()?;
    Bounds::around(pose::positions_at_rest(&scene).into_iter().map(|point| point.to_array()))
}

/// A file that could not be read, in the place of an [`Info`].
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Unreadable {
    /// The file as it was named.
    pub file: String,
    /// The format it was taken for; null if none claims it.
    pub format: Option<&'static str>,
    /// Why, in words.
    pub error: String,
    /// The finding that stopped the read; null where it was not the bytes.
    pub diagnostic: Option<Finding>,
}

impl Unreadable {
    /// Describes a failure to read this file.
    pub fn of(file: &str, error: &Error) -> Unreadable {
        let (format, diagnostic) = match error {
            Error::Read { format, source, .. } => (*format, source.diagnostic()),
            _ => (None, None),
        };
        Unreadable {
            file: file.to_owned(),
            format: format.map(|format| format.id),
            error: error.to_string(),
            diagnostic: diagnostic.map(Finding::from),
        }
    }
}
