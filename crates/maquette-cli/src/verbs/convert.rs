//! `maquette convert`: from file to file, with an account of what was lost.

use super::{is_standard, print_json, printing, write_files};
use crate::args::ConvertArgs;
use crate::{Verdict, style};
use maquette::convert::{ConversionReport, ConvertOptions, Converted, LossRow, Up, convert};
use maquette::fit::{FitOptions, TextureOptions};
use maquette::formats::format::{AnimationMatrices, QuaternionOrder, Size};
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::scene::attach::ModifierScope;
use maquette::texture::Quality;
use maquette::{Input, Result};
use std::io::{self, Write};

pub fn run(args: &ConvertArgs) -> Result<Verdict> {
    let input = Input::from_path(&args.input)?;
    let name = args.output.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|_| !is_standard(&args.output));
    let converted = convert(&input, name.as_deref(), &options(args))?;
    let rows: Vec<LossRow> = converted.losses.losses().iter().map(LossRow::from).collect();
    let refused =
        rows.iter().any(|row| args.strict.as_ref().is_some_and(|kinds| kinds.iter().any(|kind| kind == row.kind)));
    let report = ConversionReport {
        input: input.label.clone(),
        output: args.output.display().to_string(),
        format: converted.format.id,
        dialect: converted.dialect.clone(),
        written: !refused && !args.dry_run,
        losses: rows,
    };
    if report.written {
        write_files(&args.output, &converted.main, &converted.beside)?;
    }
    tell(args, &converted, &report)?;
    Ok(if refused { Verdict::Findings } else { Verdict::Fine })
}

fn options(args: &ConvertArgs) -> ConvertOptions {
    let overrides = &args.overrides;
    let is = |option: &Option<String>, word: &str| option.as_deref() == Some(word);
    ConvertOptions {
        to: args.to.clone(),
        dialect: args.dialect.clone(),
        read_dialect: overrides.read_dialect.clone(),
        matrix_order: overrides.matrix_order.as_ref().map(|_| match is(&overrides.matrix_order, "row-major") {
            true => MatrixOrder::RowMajor,
            false => MatrixOrder::ColumnMajor,
        }),
        quaternion_order: overrides.quat_order.as_ref().map(|_| match is(&overrides.quat_order, "wxyz") {
            true => QuaternionOrder::Wxyz,
            false => QuaternionOrder::Xyzw,
        }),
        animation_matrices: overrides.anim_matrices.as_ref().map(|_| match is(&overrides.anim_matrices, "local") {
            true => AnimationMatrices::Local,
            false => AnimationMatrices::Skinning,
        }),
        size: overrides.denormalise.then_some(Size::Original),
        clips: args.clip.clone(),
        modifier_scope: match args.modifier_scope.as_str() {
            "self" => ModifierScope::SelfOnly,
            "children" => ModifierScope::Descendants,
            _ => ModifierScope::Both,
        },
        select: args.select.clone(),
        scale: args.scale,
        up: if args.up == "z" { Up::Z } else { Up::Y },
        fit: FitOptions { tolerance: args.tolerance, textures: textures(args) },
    }
}

fn textures(args: &ConvertArgs) -> TextureOptions {
    let quality = match args.textures.as_str() {
        "none" => None,
        "fast" => Some(Quality::Fast),
        "high" => Some(Quality::High),
        _ => Some(Quality::Default),
    };
    TextureOptions { quality, max_size: args.max_size }
}

/// The report, where it was asked for: as a file, as JSON, or as lines for people.
fn tell(args: &ConvertArgs, converted: &Converted, report: &ConversionReport) -> Result<()> {
    if let Some(path) = &args.report {
        let text = serde_json::to_vec_pretty(report).map_err(io::Error::from).map_err(printing)?;
        maquette::save::write(path, &text)?;
    }
    if args.json && !is_standard(&args.output) {
        return print_json(&mut super::output(), report);
    }
    let mut err = anstream::stderr().lock();
    write_summary(&mut err, converted, report).map_err(printing)
}

fn write_summary(out: &mut impl Write, converted: &Converted, report: &ConversionReport) -> io::Result<()> {
    if !report.written {
        writeln!(out, "{} was not written", report.output)?;
    }
    if report.losses.is_empty() {
        return writeln!(out, "nothing is lost in {} {}", converted.format.name, converted.dialect);
    }
    for row in &report.losses {
        let times = if row.count > 1 { format!(" ×{}", row.count) } else { String::new() };
        write!(out, "  {} {}{times}", style::bold(row.kind), row.what)?;
        if !row.subject.is_empty() {
            write!(out, " of {}", row.subject)?;
        }
        match row.detail.is_empty() {
            true => writeln!(out)?,
            false => writeln!(out, ": {}", row.detail)?,
        }
    }
    Ok(())
}
