//! What a file is and holds: the fields of `maquette info --json`.

use crate::Input;
use maquette_formats::format::Opened;
use serde::Serialize;
use std::collections::BTreeMap;

/// One file in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The file as it was named.
    pub file: String,
    /// The format's id.
    pub format: &'static str,
    /// The dialect's id.
    pub dialect: &'static str,
    /// Its size.
    pub bytes: u64,
    /// Meshes.
    pub meshes: u64,
    /// Vertices of all meshes.
    pub vertices: u64,
    /// Indices of all meshes.
    pub indices: u64,
    /// Triangles of all meshes.
    pub triangles: u64,
    /// Line segments of all meshes.
    pub lines: u64,
    /// Materials.
    pub materials: u64,
    /// Textures, embedded or named.
    pub textures: u64,
    /// Nodes.
    pub nodes: u64,
    /// Joints.
    pub joints: u64,
    /// Clips.
    pub clips: Vec<Clip>,
    /// The box around the vertices as stored.
    pub bounds: Option<Bounds>,
    /// Why it is taken for this dialect.
    pub evidence: String,
    /// How its numbers are to be read, and why.
    pub conventions: BTreeMap<&'static str, Convention>,
    /// Files beside it that belong to it.
    pub companions: Vec<String>,
}

/// One clip.
#[derive(Clone, Debug, Serialize)]
pub struct Clip {
    /// Its name; empty where the format has none.
    pub name: String,
    /// Its length; null where the file does not tell.
    pub duration_secs: Option<f64>,
    /// Joints or nodes it drives.
    pub tracks: u64,
    /// Keys of all kinds.
    pub keys: u64,
}

/// A box.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub min: [f32; 3],
    /// The corner with the largest coordinates.
    pub max: [f32; 3],
}

/// How numbers are to be read.
#[derive(Clone, Debug, Serialize)]
pub struct Convention {
    /// What holds in this file.
    pub value: String,
    /// How that is known.
    pub why: String,
}

impl Info {
    /// Describes an opened file.
    pub fn of(input: &Input, opened: &Opened<'_>) -> Info {
        let summary = opened.file.summary();
        let source = input.source();
        let companions = opened.format.companions.iter().filter_map(|naming| source.companion(naming));
        Info {
            file: input.label.clone(),
            format: opened.format.id,
            dialect: opened.file.dialect(),
            bytes: input.bytes().len() as u64,
            meshes: summary.meshes,
            vertices: summary.vertices,
            indices: summary.indices,
            triangles: summary.triangles,
            lines: summary.lines,
            materials: summary.materials,
            textures: summary.textures,
            nodes: summary.nodes,
            joints: summary.joints,
            clips: summary
                .clips
                .into_iter()
                .map(|clip| Clip {
                    name: clip.name,
                    duration_secs: clip.duration_secs.filter(|secs| secs.is_finite()),
                    tracks: clip.tracks,
                    keys: clip.keys,
                })
                .collect(),
            bounds: summary.bounds.map(|bounds| Bounds { min: bounds.min, max: bounds.max }),
            evidence: opened.file.evidence().to_owned(),
            conventions: summary
                .conventions
                .into_iter()
                .map(|convention| (convention.name, Convention { value: convention.value, why: convention.why }))
                .collect(),
            companions: companions.map(|(name, _)| name).collect(),
        }
    }
}
