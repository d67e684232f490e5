//! `maquette convert`: from file to file, with an account of what was lost.

use super::{is_standard, print_bytes, print_json, printing, said};
use crate::args::ConvertArgs;
use crate::progress::Progress;
use crate::{Verdict, complain, style};
use maquette::convert::{ConversionReport, ConvertOptions, LossRow, convert};
use maquette::edit::Up;
use maquette::fit::{Effort, FitOptions, TextureOptions};
use maquette::formats::format::{AnimationMatrices, QuaternionOrder, Size};
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::overwrite::{Overwrite, neighbours};
use maquette::scene::attach::ModifierScope;
use maquette::texture::Quality;
use maquette::write::by_id;
use maquette::{Error, Input, Result, batch};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub fn run(args: &ConvertArgs) -> Result<Verdict> {
    match (&args.list, &args.output) {
        (Some(list), _) => all(args, list, &args.input),
        (None, Some(output)) => one(args, output),
        (None, None) => Err(Error::Usage("there is no output to write".into())),
    }
}

/// Converts one file.
fn one(args: &ConvertArgs, output: &Path) -> Result<Verdict> {
    let done = convert_file(args, &args.input, output, &options(args, output))?;
    if let Some(path) = &args.report {
        save_report(path, &done.report)?;
    }
    said(&done.written);
    if args.json && is_standard(output) {
        print_json(&mut anstream::stderr().lock(), &done.report)?;
    } else if args.json {
        print_json(&mut super::output(), &done.report)?;
    } else {
        write_summary(&mut anstream::stderr().lock(), &done.report).map_err(printing)?;
    }
    Ok(done.verdict)
}

/// Converts every file that a list names.
fn all(args: &ConvertArgs, list: &Path, folder: &Path) -> Result<Verdict> {
    let label = list.display().to_string();
    let text = std::fs::read_to_string(list).map_err(Error::io(label, "read"))?;
    let mut shared = options(args, folder);
    let target = by_id(shared.write.formats, args.to.as_deref().unwrap_or("aem"))?;
    let dialect = args.dialect.as_deref().unwrap_or_default();
    let entries = batch::plan(list, &text, folder, target.ending_of(dialect))?;
    shared.write.format = Some(target.id.into());
    let progress = Progress::new(entries.len());
    let results = batch::each(&entries, |entry| {
        let mut options = shared.clone();
        options.write.others = entry.others.clone();
        let result = convert_file(args, &entry.input, &entry.output, &options);
        progress.step(&entry.input);
        result
    });
    progress.finish();
    if let Some(path) = &args.report {
        save_report(path, &entries.iter().zip(&results).map(|(entry, result)| row(entry, result)).collect::<Vec<_>>())?;
    }
    let mut out = super::output();
    let mut counts = [0; 3];
    for (entry, result) in entries.iter().zip(&results) {
        let verdict = result.as_ref().map_or(Verdict::Failed, |done| done.verdict);
        counts.get_mut(verdict as usize).into_iter().for_each(|count| *count += 1);
        match result {
            _ if args.json => print_json(&mut out, &row(entry, result))?,
            Ok(done) => write_line(&mut anstream::stderr().lock(), &done.report).map_err(printing)?,
            Err(_) => {}
        }
        if let Err(error) = result {
            complain(error);
        }
    }
    out.flush().map_err(printing)?;
    let [fine, refused, failed] = counts;
    let words = if args.dry_run { "can be converted" } else { "converted" };
    let summary = writeln!(anstream::stderr(), "{fine} {words}, {refused} refused, {failed} failed");
    summary.map_err(printing)?;
    Ok(match (failed, refused) {
        (0, 0) => Verdict::Fine,
        (0, _) => Verdict::Findings,
        _ => Verdict::Failed,
    })
}

/// A line of the report of a list.
fn row(entry: &batch::Entry, result: &Result<Done>) -> serde_json::Value {
    match result {
        Ok(done) => serde_json::to_value(&done.report).unwrap_or_default(),
        Err(error) => {
            serde_json::json!({ "input": entry.input.display().to_string(), "error": error.to_string() })
        }
    }
}

fn save_report(path: &Path, report: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_vec_pretty(report).map_err(io::Error::from).map_err(printing)?;
    maquette::save::write(path, &text)
}

/// A conversion that took place, or that a loss forbade.
struct Done {
    report: ConversionReport,
    written: Vec<PathBuf>,
    verdict: Verdict,
}

fn convert_file(args: &ConvertArgs, input: &Path, output: &Path, options: &ConvertOptions) -> Result<Done> {
    let input = Input::from_path(input)?;
    let name = output.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|_| !is_standard(output));
    let converted = convert(&input, name.as_deref(), options)?;
    if is_standard(output) {
        converted.must_be_one_file()?;
    }
    let losses: Vec<LossRow> = converted.losses.iter().map(LossRow::from).collect();
    let refused =
        losses.iter().any(|row| args.strict.as_ref().is_some_and(|kinds| kinds.iter().any(|kind| kind == row.kind)));
    let report = ConversionReport {
        input: input.label.clone(),
        output: output.display().to_string(),
        format: converted.format.id,
        dialect: converted.dialect.id.into(),
        written: !refused && !args.dry_run,
        losses,
        figures: converted.figures.clone(),
    };
    let written = match report.written {
        true if is_standard(output) => print_bytes(&converted.main)?,
        true => converted.save(output, overwrite(args))?,
        false => Vec::new(),
    };
    Ok(Done { report, written, verdict: if refused { Verdict::Findings } else { Verdict::Fine } })
}

fn overwrite(args: &ConvertArgs) -> Overwrite {
    if args.force { Overwrite::All } else { Overwrite::Own }
}

fn options(args: &ConvertArgs, output: &Path) -> ConvertOptions {
    let overrides = &args.overrides;
    let is = |option: &Option<String>, word: &str| option.as_deref() == Some(word);
    let mut options = ConvertOptions::default();
    options.read.dialect.clone_from(&overrides.read_dialect);
    options.read.matrix_order =
        overrides.matrix_order.as_ref().map(|_| match is(&overrides.matrix_order, "row-major") {
            true => MatrixOrder::RowMajor,
            false => MatrixOrder::ColumnMajor,
        });
    options.read.quaternion_order = overrides.quat_order.as_ref().map(|_| match is(&overrides.quat_order, "wxyz") {
        true => QuaternionOrder::Wxyz,
        false => QuaternionOrder::Xyzw,
    });
    options.read.animation_matrices =
        overrides.anim_matrices.as_ref().map(|_| match is(&overrides.anim_matrices, "local") {
            true => AnimationMatrices::Local,
            false => AnimationMatrices::Skinning,
        });
    options.read.size = if overrides.denormalise { Size::Original } else { Size::AsStored };
    options.edits.flip_v = overrides.flip_v;
    options.edits.clips.clone_from(&args.clip);
    options.edits.attach.scope = match args.modifier_scope.as_str() {
        "self" => ModifierScope::SelfOnly,
        "children" => ModifierScope::Descendants,
        _ => ModifierScope::Both,
    };
    options.edits.select.clone_from(&args.select);
    options.edits.scale = args.scale;
    options.edits.up = if args.up == "z" { Up::Z } else { Up::Y };
    options.write.format.clone_from(&args.to);
    options.write.dialect.clone_from(&args.dialect);
    options.write.optimize = args.optimize;
    options.write.fit = FitOptions { tolerance: args.tolerance, textures: textures(args) };
    options.write.others = neighbours(output, options.write.formats);
    options
}

fn textures(args: &ConvertArgs) -> TextureOptions {
    let quality = match args.textures.as_str() {
        "none" => None,
        "fast" => Some(Quality::Fast),
        "high" => Some(Quality::High),
        _ => Some(Quality::Default),
    };
    let effort = if args.dry_run { Effort::Predicted } else { Effort::Whole };
    TextureOptions { quality, max_size: args.max_size, effort }
}

/// What became of one file of a list.
fn write_line(out: &mut impl Write, report: &ConversionReport) -> io::Result<()> {
    let losses = match report.losses.len() {
        0 => "nothing is lost".to_owned(),
        1 => "1 loss".to_owned(),
        count => format!("{count} losses"),
    };
    let not = if report.written { "" } else { " (not written)" };
    writeln!(out, "{} → {}{not}: {losses}", report.input, report.output)
}

fn write_summary(out: &mut impl Write, report: &ConversionReport) -> io::Result<()> {
    if !report.written {
        writeln!(out, "{} was not written", report.output)?;
    }
    if report.losses.is_empty() {
        writeln!(out, "nothing is lost in {} {}", report.format, report.dialect)?;
    }
    for group in grouped(&report.losses) {
        write_group(out, &group)?;
    }
    for figure in &report.figures {
        writeln!(out, "  {}: {} → {}", figure.what, shown(figure.before), shown(figure.after))?;
    }
    Ok(())
}

/// Losses that differ in their object alone, together, in the order of the first of each.
fn grouped(losses: &[LossRow]) -> Vec<Vec<&LossRow>> {
    let mut groups: Vec<Vec<&LossRow>> = Vec::new();
    let mut places: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for loss in losses {
        let place = *places.entry((loss.kind, loss.what, &loss.detail)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(loss),
            None => groups.push(vec![loss]),
        }
    }
    groups
}

/// Objects that are named before the rest is counted.
const NAMED: usize = 3;

fn write_group(out: &mut impl Write, group: &[&LossRow]) -> io::Result<()> {
    let Some(first) = group.first() else { return Ok(()) };
    let count: u64 = group.iter().map(|row| row.count).sum();
    let times = if count > 1 { format!(" ×{count}") } else { String::new() };
    write!(out, "  {} {}{times}", style::bold(first.kind), first.what)?;
    let subjects: Vec<&str> = group.iter().map(|row| row.subject.as_str()).filter(|name| !name.is_empty()).collect();
    let named = subjects.get(..NAMED).unwrap_or(&subjects).join(", ");
    match subjects.len() {
        0 => {}
        1..=NAMED => write!(out, " of {named}")?,
        many => write!(out, " of {named} and {} more", many - NAMED)?,
    }
    match first.detail.is_empty() {
        true => writeln!(out),
        false => writeln!(out, ": {}", first.detail),
    }
}

/// A count as it is, a ratio with two places.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 && value >= 10.0 { value.to_string() } else { format!("{value:.2}") }
}
