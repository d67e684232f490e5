//! `maquette info`: what files are.

use super::{each_file, print_json, printing};
use crate::args::InfoArgs;
use crate::terminal::output;
use crate::{Verdict, style};
use maquette::Result;
use maquette::info::{Clip, Info};
use std::io::{self, Write};

pub fn run(args: &InfoArgs) -> Result<Verdict> {
    let mut out = output(args.json);
    each_file(&args.files, |input| {
        let opened = input.open(args.reading.dialect.as_deref())?;
        let info = Info::of(input, &opened);
        match args.json {
            true => print_json(&mut out, &info)?,
            false => write_text(&mut out, opened.format.name, &info).map_err(printing)?,
        }
        out.flush().map_err(printing)?;
        Ok(Verdict::Fine)
    })
}

fn write_text(out: &mut impl Write, format: &str, info: &Info) -> io::Result<()> {
    writeln!(out, "{}", style::bold(&info.file))?;
    let mut row = |label: &str, text: &str| writeln!(out, "  {} {text}", style::dim(format_args!("{label:<11}")));
    row("format", &format!("{format}, dialect {}", info.dialect))?;
    row("because", &info.evidence)?;
    row("size", &counted(info.bytes, "byte"))?;
    let geometry = [
        (info.meshes, "mesh"),
        (info.vertices, "vertex"),
        (info.indices, "index"),
        (info.triangles, "triangle"),
        (info.lines, "line"),
    ];
    let groups: [(&str, &[(u64, &str)]); 3] = [
        ("geometry", &geometry),
        ("surface", &[(info.materials, "material"), (info.textures, "texture")]),
        ("skeleton", &[(info.nodes, "node"), (info.joints, "joint")]),
    ];
    for (label, counts) in groups {
        let there = counts.iter().filter(|(count, _)| *count > 0).map(|&(count, what)| counted(count, what));
        let text = there.collect::<Vec<_>>().join(", ");
        if !text.is_empty() {
            row(label, &text)?;
        }
    }
    if let Some(bounds) = info.bounds {
        let corner = |[x, y, z]: [f32; 3]| format!("({}, {}, {})", short(x.into()), short(y.into()), short(z.into()));
        row("bounds", &format!("{} to {}", corner(bounds.min), corner(bounds.max)))?;
    }
    for clip in &info.clips {
        row("clip", &clip_text(clip))?;
    }
    for (name, convention) in &info.conventions {
        row("convention", &format!("{}: {} ({})", name.replace('_', " "), convention.value, convention.why))?;
    }
    for companion in &info.companions {
        row("beside", companion)?;
    }
    Ok(())
}

fn clip_text(clip: &Clip) -> String {
    let name = if clip.name.is_empty() { "unnamed".to_owned() } else { format!("{:?}", clip.name) };
    let length = clip.duration_secs.map_or_else(|| "length unknown".to_owned(), |secs| format!("{} s", short(secs)));
    format!("{name}, {length}, {}, {}", counted(clip.tracks, "track"), counted(clip.keys, "key"))
}

/// `1 mesh`, `2 meshes`.
fn counted(count: u64, what: &str) -> String {
    let plural = match what {
        "mesh" => "meshes".to_owned(),
        "vertex" => "vertices".to_owned(),
        "index" => "indices".to_owned(),
        _ => format!("{what}s"),
    };
    format!("{count} {}", if count == 1 { what } else { &plural })
}

/// A number to six significant digits, without trailing zeros.
fn short(number: f64) -> String {
    let digits = 5 - number.abs().log10().floor().clamp(-20.0, 20.0) as i32;
    let rounded = match digits {
        _ if number.abs() < 1e-9 => "0".to_owned(),
        digits if digits < 0 => format!("{number:.0}"),
        digits => format!("{number:.*}", digits as usize),
    };
    match rounded.contains('.') {
        true => rounded.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => rounded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_to_six_digits() {
        for (number, text) in [
            (0.0, "0"),
            (1.5, "1.5"),
            (4.0 / 3.0, "1.33333"),
            (123_456_789.0, "123456789"),
            (-7e-17, "0"),
            (0.000_123, "0.000123"),
        ] {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn counts_have_plurals() {
        assert_eq!(counted(1, "vertex"), "1 vertex");
        assert_eq!(counted(0, "mesh"), "0 meshes");
    }
}
