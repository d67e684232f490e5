//! `maquette textures`: every texture as a file of its own.

use super::{is_standard, overwriting, print_json, printing};
use crate::args::TexturesArgs;
use crate::terminal::{listing, notes};
use crate::{Verdict, style};
use maquette::textures::{As, TextureRow, extract};
use maquette::{Error, Input, Result};
use std::io::{self, Write};

pub fn run(args: &TexturesArgs) -> Result<Verdict> {
    if is_standard(&args.folder) {
        return Err(Error::Usage("textures become files: name a folder for them".into()));
    }
    let input = Input::from_path(&args.file)?;
    let pixels_as = match (args.dds, args.srgb) {
        (true, _) => As::Dds,
        (false, true) => As::Srgb,
        (false, false) => As::Png,
    };
    let extracted = extract(&input, args.reading.dialect.as_deref(), pixels_as)?;
    if extracted.rows.is_empty() {
        let mut told = notes();
        writeln!(told, "{} has no textures", input.label).and_then(|()| told.flush()).map_err(printing)?;
        return Ok(Verdict::Fine);
    }
    extracted.save(&args.folder, overwriting(args.force))?;
    let mut out = listing(args.json);
    let width = extracted.rows.iter().map(|row| title(row).chars().count()).max().unwrap_or_default().max(16);
    for row in &extracted.rows {
        match args.json {
            true => print_json(&mut out, row)?,
            false => write_row(&mut out, row, width).map_err(printing)?,
        }
    }
    out.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}

fn write_row(out: &mut impl Write, row: &TextureRow, width: usize) -> io::Result<()> {
    let size = match (row.width, row.height) {
        (Some(width), Some(height)) => format!("{width} × {height}"),
        _ => "?".into(),
    };
    let levels = format!("{} level{}", row.levels, if row.levels == 1 { "" } else { "s" });
    let uses: Vec<String> = row.uses.iter().map(|it| format!("{} of material {}", it.r#as, it.material)).collect();
    let uses = if uses.is_empty() { "unused".into() } else { uses.join(", ") };
    let title = title(row);
    writeln!(out, "  {} {size:12} {:7} {levels:10} {uses}", style::bold(format_args!("{title:width$}")), row.format)
}

/// The file that was made, or what the texture is called of which none could be.
fn title(row: &TextureRow) -> &str {
    match (&row.file, row.name.as_str()) {
        (Some(file), _) => file,
        (None, "") => "no file",
        (None, name) => name,
    }
}
