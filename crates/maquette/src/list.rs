//! The formats, their dialects and what each can hold: the fields of `maquette formats --json`.

use maquette_formats::format::{Caps, Format, Formats};
use maquette_scene::diag::paragraph;
use serde::Serialize;

/// One format.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
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
    /// What it can hold, in the dialect that holds most of each.
    pub holds: Caps,
    /// How many rules its files are checked against.
    pub codes: usize,
}

/// One dialect.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Dialect {
    /// The name used everywhere.
    pub id: &'static str,
    /// What sets it apart.
    pub about: String,
    /// Which programs read it.
    pub read_by: &'static str,
    /// Whether it is written unless another is asked for.
    pub default: bool,
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
                read_by: dialect.read_by,
                default: index == 0,
            })
            .collect(),
        holds: caps,
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
