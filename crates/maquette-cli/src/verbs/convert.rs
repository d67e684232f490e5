//! `maquette convert`: from file to file, with an account of what was lost.

use super::{
    beside, is_standard, make_folder_of, print_json, printing, refuse_folder, refuse_terminal, said, write_files,
};
use crate::args::ConvertArgs;
use crate::complain::complain;
use crate::progress::Progress;
use crate::terminal::{self, errors, notes};
use crate::{Verdict, style};
use maquette::convert::{ConversionReport, ConvertOptions, LossRow, Up, convert};
use maquette::fit::{FitOptions, TextureOptions};
use maquette::formats::format::{AnimationMatrices, QuaternionOrder, Size};
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::scene::attach::ModifierScope;
use maquette::texture::Quality;
use maquette::{Error, Input, Result, batch, sample};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub fn run(args: &ConvertArgs) -> Result<Verdict> {
    if let Some(report) = &args.report {
        refuse_folder(report)?;
        if is_standard(report) && args.output.as_deref().is_some_and(is_standard) {
            return Err(Error::request("the output and the report cannot both go to standard output"));
        }
    }
    match (&args.list, &args.output) {
        (Some(list), _) => all(args, list, &args.input),
        (None, Some(output)) => one(args, output),
        (None, None) => Err(Error::request("there is no output to write")),
    }
}

/// Converts one file.
fn one(args: &ConvertArgs, output: &Path) -> Result<Verdict> {
    refuse_folder(output)?;
    let done = convert_file(args, &args.input, output, args.to.clone())?;
    if let Some(path) = &args.report {
        save_report(path, &done.report)?;
    }
    said(&done.written);
    if done.verdict == Verdict::Findings {
        say_refused(&done.report);
    }
    if args.json && !is_standard(output) {
        let mut out = terminal::output(true);
        print_json(&mut out, &done.report)?;
        out.flush().map_err(printing)?;
    } else {
        write_summary(&mut notes(), &done.report, args.dry_run).map_err(printing)?;
    }
    Ok(done.verdict)
}

/// A refusal is said as errors are: what was asked for is not there.
fn say_refused(report: &ConversionReport) {
    let words = "was not written: --strict forbids what would be lost";
    // Nobody is left to tell.
    drop(writeln!(errors(), "{} {} {words}", style::error("refused:"), report.output));
}

/// Converts every file that a list names.
fn all(args: &ConvertArgs, list: &Path, folder: &Path) -> Result<Verdict> {
    let (list, text) = read_list(list)?;
    let target = sample::by_id(args.to.as_deref().unwrap_or("aem"))?;
    let entries = batch::plan(&list, &text, folder, target.extensions.first().unwrap_or(&"out"))?;
    let progress = Progress::new(entries.len());
    let results = batch::each(&entries, |entry| {
        let result = convert_file(args, &entry.input, &entry.output, Some(target.id.into()));
        progress.step(&entry.input);
        result
    });
    progress.finish();
    if let Some(path) = &args.report {
        save_report(path, &entries.iter().zip(&results).map(|(entry, result)| row(entry, result)).collect::<Vec<_>>())?;
    }
    let mut out = terminal::output(true);
    let mut counts = [0; 3];
    for (entry, result) in entries.iter().zip(&results) {
        let verdict = result.as_ref().map_or(Verdict::Failed, |done| done.verdict);
        counts.get_mut(verdict as usize).into_iter().for_each(|count| *count += 1);
        if args.json {
            print_json(&mut out, &row(entry, result))?;
        }
        match result {
            Ok(done) if verdict == Verdict::Findings => say_refused(&done.report),
            Ok(done) if !args.json => write_line(&mut notes(), &done.report).map_err(printing)?,
            Ok(_) => {}
            Err(error) => complain(error),
        }
    }
    out.flush().map_err(printing)?;
    let [fine, refused, failed] = counts;
    let words = if args.dry_run { "can be converted" } else { "converted" };
    writeln!(notes(), "{fine} {words}, {refused} refused, {failed} failed").map_err(printing)?;
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

/// The text of a list, and what to call it; its files lie relative to that.
fn read_list(list: &Path) -> Result<(PathBuf, String)> {
    let (name, text) = match is_standard(list) {
        true => (Path::new("standard input"), io::read_to_string(io::stdin().lock())),
        false => (list, std::fs::read_to_string(list)),
    };
    let text = text.map_err(Error::io(name.display().to_string(), "read"))?;
    Ok((name.to_path_buf(), text))
}

fn save_report(path: &Path, report: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_vec_pretty(report).map_err(io::Error::from).map_err(printing)?;
    if is_standard(path) {
        let mut out = terminal::output(true);
        return out.write_all(&text).and_then(|()| writeln!(out)).and_then(|()| out.flush()).map_err(printing);
    }
    make_folder_of(path)?;
    maquette::save::write(path, &text)
}

/// A conversion that took place, or that a loss forbade.
struct Done {
    report: ConversionReport,
    written: Vec<PathBuf>,
    verdict: Verdict,
}

fn convert_file(args: &ConvertArgs, input: &Path, output: &Path, to: Option<String>) -> Result<Done> {
    let input = Input::from_path(input)?;
    let name = output.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.filter(|_| !is_standard(output));
    let converted = convert(&input, name.as_deref(), &ConvertOptions { to, ..options(args) })?;
    let losses: Vec<LossRow> = converted.losses.losses().iter().map(LossRow::from).collect();
    let refused =
        losses.iter().any(|row| args.strict.as_ref().is_some_and(|kinds| kinds.iter().any(|kind| kind == row.kind)));
    let report = ConversionReport {
        input: input.label.clone(),
        output: output.display().to_string(),
        format: converted.format.id,
        dialect: converted.dialect.clone(),
        written: !refused && !args.dry_run,
        losses,
        figures: converted.figures,
    };
    if report.written {
        refuse_terminal(output, &converted.main)?;
    }
    let written = match report.written {
        true => write_files(output, &converted.main, &beside(output, converted.format, converted.companions))?,
        false => Vec::new(),
    };
    Ok(Done { report, written, verdict: if refused { Verdict::Findings } else { Verdict::Fine } })
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
        flip_v: overrides.flip_v,
        clips: args.clip.clone(),
        modifier_scope: match args.modifier_scope.as_str() {
            "self" => ModifierScope::SelfOnly,
            "children" => ModifierScope::Descendants,
            _ => ModifierScope::Both,
        },
        select: args.select.clone(),
        scale: args.scale,
        up: if args.up == "z" { Up::Z } else { Up::Y },
        optimize: args.optimize,
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

fn write_summary(out: &mut impl Write, report: &ConversionReport, dry_run: bool) -> io::Result<()> {
    if dry_run {
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
    let subjects: Vec<&str> = group.iter().map(|row| row.subject.as_str()).filter(|name| !name.is_empty()).collect();
    let named = subjects.get(..NAMED).unwrap_or(&subjects).join(", ");
    let of = match subjects.len() {
        0 => String::new(),
        1..=NAMED => format!(" of {named}"),
        many => format!(" of {named} and {} more", many - NAMED),
    };
    let detail = if first.detail.is_empty() { String::new() } else { format!(": {}", first.detail) };
    writeln!(out, "  {} {}{times}{of}{detail}", style::bold(first.kind), first.what)
}

/// A count as it is, a ratio with two places.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 && value >= 10.0 { value.to_string() } else { format!("{value:.2}") }
}
