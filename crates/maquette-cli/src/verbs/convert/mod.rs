//! `maquette convert`: from file to file, with an account of what was lost.

mod options;
pub(super) mod summary;

use super::failed::Failed;
use super::{is_standard, make_folder_of, print_json, print_pieces, printing, refuse_folder, said};
use crate::Verdict;
use crate::args::ConvertArgs;
use crate::complain::complain_about;
use crate::progress::{Many, One};
use crate::terminal::{self, json_notes, notes};
use maquette::convert::{ConversionReport, ConvertOptions, convert, each_clip};
use maquette::overwrite::{Overwrite, check_report, neighbours};
use maquette::save::Pending;
use maquette::scene::loss::LossKind;
use maquette::target::{Target, is_folder, means_folder};
use maquette::write::by_id;
use maquette::{Error, Input, Output, Result, batch, names};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub fn run(args: &ConvertArgs) -> Result<Verdict> {
    let Some((last, inputs)) = args.paths.split_last() else { return Err(no_output()) };
    if let Some(report) = &args.report {
        refuse_folder(report)?;
        if is_standard(report) && is_standard(last) {
            return Err(Error::Usage("the output and the report cannot both go to standard output".into()));
        }
        if !is_standard(report) {
            let files = args.paths.iter().chain(&args.list).chain(&args.clips.clip).map(PathBuf::as_path);
            check_report(report, files, overwrite(args))?;
        }
    }
    let options = options::of(args);
    match (&args.list, inputs) {
        (Some(list), []) => {
            let (list, text) = read_list(list)?;
            many(args, &batch::plan_list(&list, &text, last, target(&options)?.ending())?)
        }
        (Some(_), _) => Err(Error::Usage("with --list, name the folder to write into and nothing else".into())),
        (None, []) => Err(no_output()),
        (None, [input]) if is_standard(last) || !means_folder(last, &options.write) => one(args, input, last),
        (None, inputs) => {
            must_be_folder(last, inputs, &options)?;
            many(args, &batch::plan_files(inputs, last, target(&options)?.ending())?)
        }
    }
}

fn no_output() -> Error {
    Error::Usage("there is no output to write: maquette convert INPUT OUTPUT".into())
}

/// What many files become: AEM, unless the options say something else.
fn target(options: &ConvertOptions) -> Result<Target> {
    Target::without_name(&options.write, by_id(options.write.formats, "aem")?)
}

/// Several files, or one whose name does not tell the format, go into a folder.
fn must_be_folder(last: &Path, inputs: &[PathBuf], options: &ConvertOptions) -> Result<()> {
    let shown = last.display();
    let is_said = options.write.format.is_some();
    let why = match is_folder(last) || means_folder(last, &options.write) {
        true if is_said => return Ok(()),
        true => format!("{shown} is a folder, which names no format: say which with --to"),
        false if last.is_file() => format!("{shown} is a file; the last name must be the folder to write into"),
        false => format!(
            "{} files cannot become one, {shown}: name a folder to write into, and their format with --to",
            inputs.len()
        ),
    };
    let is_kind = |input: &&PathBuf| LossKind::WORDS.iter().any(|kind| input.as_os_str() == *kind) && !input.exists();
    let hint = inputs.iter().find(is_kind).map(|kind| kind.display());
    let hint = hint.map(|kind| format!("; for --strict to forbid what is {kind} alone, write --strict={kind}"));
    Err(Error::Usage(why + &hint.unwrap_or_default()))
}

/// Converts one file.
fn one(args: &ConvertArgs, input: &Path, output: &Path) -> Result<Verdict> {
    let progress = One::new(output);
    let mut options = options::of(args);
    options.write.others = neighbours(output, options.write.formats);
    options.write.progress = progress.told();
    let done = convert_file(args, input, output, &options).and_then(wait_for_the_disk);
    progress.finish();
    let rows = rows(input, &done);
    match rows.as_slice() {
        [row] => save_report(args, row, [&done])?,
        rows => save_report(args, rows, [&done])?,
    }
    // Standard output may hold the file.
    let mut json = if is_standard(output) { Box::new(json_notes()) } else { terminal::output(true) };
    if args.json {
        rows.iter().try_for_each(|row| print_json(&mut json, row))?;
        json.flush().map_err(printing)?;
    }
    let mut worst = Verdict::Fine;
    let mut told = notes();
    let done = done?;
    for done in &done {
        worst = worst.max(done.verdict);
        if done.verdict == Verdict::Findings {
            told.flush().map_err(printing)?;
            summary::refused(&done.report, args);
        }
        said(&mut told, &done.written);
        if !args.json {
            summary::write(&mut told, &done.report, args.dry_run).map_err(printing)?;
        }
    }
    told.flush().map_err(printing)?;
    Ok(worst)
}

/// Converts many files.
fn many(args: &ConvertArgs, entries: &[batch::Entry]) -> Result<Verdict> {
    let mut shared = options::of(args);
    shared.write.format = Some(args.to.clone().unwrap_or_else(|| "aem".into()));
    let progress = Many::new(entries.len());
    let work = |entry: &batch::Entry| {
        let mut options = shared.clone();
        options.write.others.clone_from(&entry.others);
        options.write.beside = Some(entry.beside.clone());
        options.write.progress = progress.begin(&entry.input);
        convert_file(args, &entry.input, &entry.output, &options)
    };
    #[cfg(unix)]
    let last_words = crate::interrupt::last_words(progress.tally());
    let results = batch::each_then(entries, work, |entry, made| {
        let result = made.and_then(wait_for_the_disk);
        let verdicts = |done: &Vec<Done>| done.iter().map(|done| done.verdict).collect();
        progress.end(&entry.input, &result.as_ref().map_or_else(|_| vec![Verdict::Failed], verdicts));
        result
    });
    #[cfg(unix)]
    drop(last_words);
    progress.finish();
    let rows: Vec<Row> = entries.iter().zip(&results).flat_map(|(entry, result)| rows(&entry.input, result)).collect();
    save_report(args, rows.as_slice(), &results)?;
    if args.json {
        let mut out = terminal::output(true);
        rows.iter().try_for_each(|row| print_json(&mut out, row))?;
        out.flush().map_err(printing)?;
    }
    let mut counts = [0; 3];
    let mut told = notes();
    for (entry, result) in entries.iter().zip(&results) {
        let done = match result {
            Ok(done) => done,
            Err(error) => {
                told.flush().map_err(printing)?;
                complain_about(&entry.input, error);
                counts.last_mut().into_iter().for_each(|failed| *failed += 1);
                continue;
            }
        };
        for done in done {
            counts.get_mut(done.verdict as usize).into_iter().for_each(|count| *count += 1);
            match done.verdict {
                Verdict::Findings => {
                    told.flush().map_err(printing)?;
                    summary::refused(&done.report, args);
                }
                _ if args.json => {}
                _ => summary::write_line(&mut told, &done.report).map_err(printing)?,
            }
        }
    }
    let [fine, refused, failed] = counts;
    let words = if args.dry_run { "can be converted" } else { "converted" };
    writeln!(told, "{fine} {words}, {refused} refused, {failed} failed").map_err(printing)?;
    told.flush().map_err(printing)?;
    Ok(match (failed, refused) {
        (0, 0) => Verdict::Fine,
        (0, _) => Verdict::Findings,
        _ => Verdict::Failed,
    })
}

/// A line of a report.
#[derive(Serialize)]
#[serde(untagged)]
enum Row<'r> {
    Done(&'r ConversionReport),
    Failed(Failed),
}

fn rows<'r>(input: &Path, result: &'r Result<Vec<Done>>) -> Vec<Row<'r>> {
    match result {
        Ok(done) => done.iter().map(|done| Row::Done(&done.report)).collect(),
        Err(error) => vec![Row::Failed(Failed::of(input, error))],
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

/// Writes the report, where one is asked for. What failed is in it, too, so that none of an earlier run is taken for this one's.
fn save_report<'r>(
    args: &ConvertArgs,
    report: &(impl Serialize + ?Sized),
    results: impl IntoIterator<Item = &'r Result<Vec<Done>>>,
) -> Result<()> {
    let Some(path) = &args.report else { return Ok(()) };
    if results.into_iter().any(|result| matches!(result, Err(Error::ReportReplaces { .. }))) {
        return Ok(());
    }
    let text = serde_json::to_vec_pretty(report).map_err(io::Error::from).map_err(printing)?;
    if is_standard(path) {
        let mut out = terminal::output(true);
        return out.write_all(&text).and_then(|()| writeln!(out)).and_then(|()| out.flush()).map_err(printing);
    }
    make_folder_of(path)?;
    maquette::save::write(path, &text)
}

fn overwrite(args: &ConvertArgs) -> Overwrite {
    if args.force { Overwrite::All } else { Overwrite::Own }
}

/// A conversion that took place, or that a loss forbade.
struct Done {
    report: ConversionReport,
    written: Vec<PathBuf>,
    /// What is written and has not taken its name yet.
    pending: Option<Pending>,
    verdict: Verdict,
}

fn wait_for_the_disk(mut done: Vec<Done>) -> Result<Vec<Done>> {
    done.iter_mut().filter_map(|done| done.pending.take()).try_for_each(Pending::finish)?;
    Ok(done)
}

/// Converts a file into one, or with `--each-clip` into one for each of its clips.
fn convert_file(args: &ConvertArgs, input: &Path, output: &Path, options: &ConvertOptions) -> Result<Vec<Done>> {
    refuse_folder_of_inputs(input)?;
    let input = Input::from_path(input)?;
    let name = output.file_name().map(names::text);
    let name = name.filter(|_| !is_standard(output));
    if !args.clips.each_clip {
        return Ok(vec![finish(args, &input, output, convert(&input, name.as_deref(), options)?)?]);
    }
    let Some(name) = name else {
        return Err(Error::Usage("--each-clip writes several files, and standard output takes one".into()));
    };
    let outputs = each_clip(&input, &name, options)?;
    outputs.into_iter().map(|made| finish(args, &input, &output.with_file_name(&made.name), made)).collect()
}

/// A folder is not converted as a whole: which of its files are models, a list says.
fn refuse_folder_of_inputs(input: &Path) -> Result<()> {
    if !input.is_dir() {
        return Ok(());
    }
    let file = input.display().to_string();
    let is_plain = |letter: char| letter.is_alphanumeric() || "./_-".contains(letter);
    let word = if file.chars().all(is_plain) { file.clone() } else { format!("'{}'", file.replace('\'', r"'\''")) };
    let why = format!(
        "it is a folder; name the files in it, or list them: find {word} -name '*.glb' | maquette convert --list - OUT"
    );
    Err(Error::Io { file, doing: "read", source: io::Error::new(io::ErrorKind::IsADirectory, why) })
}

/// Writes an output, unless that is not wanted.
fn finish(args: &ConvertArgs, input: &Input, output: &Path, made: Output) -> Result<Done> {
    if is_standard(output) {
        made.must_be_one_file()?;
    }
    if let Some(path) = args.report.as_deref().filter(|path| !is_standard(path)) {
        let (written, sources) = (made.paths(output), &made.sources);
        let files = written.iter().chain(&sources.file).chain(&sources.companions);
        check_report(path, files.map(PathBuf::as_path), overwrite(args))?;
    }
    let mut report = ConversionReport::of(input, output, &made);
    let is_refused = report.losses.iter().any(|row| summary::is_forbidden(row, args));
    report.written = !is_refused && !args.dry_run;
    let (mut written, mut pending) = (Vec::new(), None);
    match report.written {
        true if is_standard(output) => print_pieces(made.main.pieces())?,
        true => {
            let saved = made.begin_saving(output, overwrite(args))?;
            written = saved.paths().to_vec();
            pending = Some(saved);
        }
        false => {}
    }
    let verdict = if is_refused { Verdict::Findings } else { Verdict::Fine };
    Ok(Done { report, written, pending, verdict })
}
