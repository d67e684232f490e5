//! `maquette info`: what files are.

use super::{print_json, printing};
use crate::args::InfoArgs;
use crate::complain::complain;
use crate::terminal::output;
use crate::{Verdict, style};
use maquette::formats::summary::{Bounds, ClipSummary};
use maquette::info::{Info, Unreadable};
use maquette::{Error, Input, Result};
use std::io::{self, Write};
use std::path::Path;

pub fn run(args: &InfoArgs) -> Result<Verdict> {
    let mut out = output(args.json);
    let mut worst = Verdict::Fine;
    for file in &args.files {
        let input = Input::from_path(file);
        let opened = input.as_ref().map(|input| (input, input.open(args.reading.dialect.as_deref())));
        match opened {
            Ok((input, Ok(opened))) => {
                let info = Info::of(input, &opened);
                match args.json {
                    true => print_json(&mut out, &info)?,
                    false => write_text(&mut out, opened.format.name, &info).map_err(printing)?,
                }
            }
            Ok((_, Err(error))) => worst = unreadable(args, file, &error, &mut out)?,
            Err(error) => worst = unreadable(args, file, error, &mut out)?,
        }
        out.flush().map_err(printing)?;
    }
    Ok(worst)
}

/// A file that cannot be read has a record too, so that there is one for each.
fn unreadable(args: &InfoArgs, file: &Path, error: &Error, out: &mut impl Write) -> Result<Verdict> {
    complain(error);
    if args.json {
        print_json(out, &Unreadable::of(&file.display().to_string(), error))?;
    }
    Ok(Verdict::Failed)
}

fn write_text(out: &mut impl Write, format: &str, info: &Info) -> io::Result<()> {
    writeln!(out, "{}", style::bold(&info.file))?;
    let mut row = |label: &str, text: &str| writeln!(out, "  {} {text}", style::dim(format_args!("{label:<11}")));
    row("format", &format!("{format}, dialect {}", info.dialect))?;
    row("because", &info.evidence)?;
    row("size", &counted(info.bytes, "byte"))?;
    let geometry = [
        (info.summary.meshes, "mesh"),
        (info.summary.vertices, "vertex"),
        (info.summary.indices, "index"),
        (info.summary.triangles, "triangle"),
        (info.summary.lines, "line"),
    ];
    let groups: [(&str, &[(u64, &str)]); 3] = [
        ("geometry", &geometry),
        ("surface", &[(info.summary.materials, "material"), (info.summary.textures, "texture")]),
        ("skeleton", &[(info.summary.nodes, "node"), (info.summary.joints, "joint")]),
    ];
    for (label, counts) in groups {
        let there = counts.iter().filter(|(count, _)| *count > 0).map(|&(count, what)| counted(count, what));
        let text = there.collect::<Vec<_>>().join(", ");
        if !text.is_empty() {
            row(label, &text)?;
        }
    }
    if let Some(bounds) = info.summary.bounds {
        row("bounds", &corners(&bounds))?;
    }
    if let Some(drawn) = info.drawn_bounds.filter(|drawn| Some(*drawn) != info.summary.bounds) {
        row("drawn", &corners(&drawn))?;
    }
    for clip in &info.summary.clips {
        row("clip", &clip_text(clip))?;
    }
    for convention in &info.summary.conventions {
        let name = convention.name.replace('_', " ");
        row("convention", &format!("{name}: {} ({})", convention.value, convention.why))?;
    }
    for companion in &info.companions {
        row("companion", companion)?;
    }
    for missing in &info.missing_companions {
        match info.unreadable_companions.iter().flatten().find(|unreadable| unreadable.name == *missing) {
            Some(unreadable) => row("unreadable", &format!("{missing}: {}", unreadable.why))?,
            None => row("missing", missing)?,
        }
    }
    Ok(())
}

fn corners(bounds: &Bounds) -> String {
    let corner = |[x, y, z]: [f32; 3]| format!("({}, {}, {})", short(x.into()), short(y.into()), short(z.into()));
    format!("{} to {}", corner(bounds.min), corner(bounds.max))
}

fn clip_text(clip: &ClipSummary) -> String {
    let name = if clip.name.is_empty() { "unnamed".to_owned() } else { format!("{:?}", clip.name) };
    let length = clip.duration_secs.map_or_else(|| "length unknown".to_owned(), |secs| format!("{} s", short(secs)));
    let mut text = format!("{name}, {length}, {}, {}", counted(clip.tracks, "track"), counted(clip.keys, "key"));
    if let Some(frames) = clip.frames {
        text += &format!(", {}", counted(frames, "frame"));
    }
    if let Some(rate) = clip.frame_rate {
        text += &format!(", {} frames/s", short(rate.into()));
    }
    if clip.events > 0 {
        text += &format!(", {}", counted(clip.events, "event"));
    }
    text
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
