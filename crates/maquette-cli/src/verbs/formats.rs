//! `maquette formats`: what is understood.

use super::{print_json, printing};
use crate::args::FormatsArgs;
use crate::terminal::output;
use crate::{Verdict, style};
use maquette::Result;
use maquette::formats::format::{BUILT_IN, Caps, TextureStorage};
use maquette::list::{Listed, formats};
use std::io::{self, Write};

pub fn run(args: &FormatsArgs) -> Result<Verdict> {
    let mut out = output(args.json);
    let listed = formats(BUILT_IN);
    if args.json {
        print_json(&mut out, &listed)?;
    } else {
        for format in &listed {
            write_text(&mut out, format).map_err(printing)?;
        }
    }
    out.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}

fn write_text(out: &mut impl Write, format: &Listed) -> io::Result<()> {
    let endings: Vec<String> = format.extensions.iter().map(|ending| format!(".{ending}")).collect();
    writeln!(out, "{} ({}): {}", style::bold(format.name), endings.join(", "), format.about)?;
    writeln!(out, "  holds {}; {} rules are checked", holds(&format.holds), format.codes)?;
    for dialect in &format.dialects {
        writeln!(out, "  {:<17} {}", dialect.id, dialect.about)?;
    }
    Ok(())
}

fn holds(holds: &Caps) -> String {
    let limited = |limit: Option<u32>, one: &str, many: &str| match limit {
        Some(0) => None,
        Some(1) => Some(format!("one {one}")),
        Some(count) => Some(format!("up to {count} {many}")),
        None => Some(many.to_owned()),
    };
    let parts = [
        holds.meshes.then(|| if holds.lines { "triangles and lines".into() } else { "triangles".into() }),
        limited(Some(holds.uv_sets), "UV set", "UV sets"),
        holds.colours.then(|| "vertex colours".into()),
        holds.tangents.then(|| "tangents".into()),
        holds.materials.then(|| "materials".into()),
        (holds.textures != TextureStorage::None).then(|| format!("textures as {}", holds.textures.word())),
        holds.nodes.then(|| "nodes".into()),
        holds.joints.then(|| "joints".into()),
        match holds.influences {
            None => Some("any number of influences a vertex".into()),
            limit => limited(limit, "influence a vertex", "influences a vertex"),
        },
        limited(holds.clips, "clip", "clips"),
        holds.events.then(|| "events".into()),
        holds.extras.then(|| "extras".into()),
        holds.name_bytes.map(|bytes| if bytes == 0 { "no names".into() } else { format!("names of {bytes} bytes") }),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
