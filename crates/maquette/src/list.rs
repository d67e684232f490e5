//! The formats, their dialects and what each can hold: the fields of `maquette formats --json`.

use maquette_formats::format::{Caps, Format, Formats};
use maquette_scene::diag::paragraph;
use serde::Serialize;

/// One format.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// The name used everywhere.
    pub id: &'static str,
    /// The name people use.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// File name endings.
    pub extensions: &'static [&'static str],
    /// The layouts in use, the default first.
    pub dialects: Vec<Dialect>,
    /// What it can hold.
    pub holds: Holds,
    /// How many rules its files are checked against.
    pub codes: usize,
}

/// One dialect.
#[derive(Clone, Debug, Serialize)]
pub struct Dialect {
    /// The name used everywhere.
    pub id: &'static str,
    /// What sets it apart.
    pub about: String,
    /// Whether it is written unless another is asked for.
    pub default: bool,
}

/// What a format can hold.
#[derive(Clone, Debug, Serialize)]
pub struct Holds {
    /// Geometry.
    pub meshes: bool,
    /// Line segments beside triangles.
    pub lines: bool,
    /// Sets of texture coordinates.
    pub uv_sets: u32,
    /// Vertex colours.
    pub colours: bool,
    /// Tangents.
    pub tangents: bool,
    /// Materials.
    pub materials: bool,
    /// How textures are kept.
    pub textures: &'static str,
    /// A hierarchy of nodes.
    pub nodes: bool,
    /// A skeleton.
    pub joints: bool,
    /// Joints that move one vertex; null for any number.
    pub influences: Option<u32>,
    /// Clips in one file; null for any number.
    pub clips: Option<u32>,
    /// Named events in a clip.
    pub events: bool,
    /// The longest name in bytes; null for any length.
    pub name_bytes: Option<u32>,
}

/// Every format of a table.
pub fn formats(formats: Formats<'_>) -> Vec<Listed> {
    formats.iter().map(listed).collect()
}

fn listed(format: &Format) -> Listed {
    let caps = format.dialects.iter().map(|dialect| (format.caps)(dialect.id)).reduce(either).unwrap_or(Caps::NOTHING);
    Listed {
        id: format.id,
        name: format.name,
        about: format.about,
        extensions: format.extensions,
        dialects: format
            .dialects
            .iter()
            .enumerate()
            .map(|(index, dialect)| Dialect {
                id: dialect.id,
                about: paragraph(dialect.about_lines),
                default: index == 0,
            })
            .collect(),
        holds: Holds {
            meshes: caps.meshes,
            lines: caps.lines,
            uv_sets: caps.uv_sets,
            colours: caps.colours,
            tangents: caps.tangents,
            materials: caps.materials,
            textures: caps.textures.word(),
            nodes: caps.nodes,
            joints: caps.joints,
            influences: caps.influences,
            clips: caps.clips,
            events: caps.events,
            name_bytes: caps.name_bytes,
        },
        codes: format.codes.len(),
    }
}

/// What one dialect or the other can hold.
fn either(a: Caps, b: Caps) -> Caps {
    let most = |a: Option<u32>, b: Option<u32>| a.zip(b).map(|(a, b)| a.max(b));
    Caps {
        tangents: a.tangents || b.tangents,
        joints: a.joints || b.joints,
        influences: most(a.influences, b.influences),
        clips: most(a.clips, b.clips),
        ..a
    }
}
