//! The files of an edit: which are read, what becomes of each, and what is said about it.

use crate::complain::complain_about;
use crate::progress::{Many, One};
use crate::terminal::{self, json_notes, notes};
use crate::verbs::convert::summary;
use crate::verbs::failed::Failed;
use crate::verbs::{is_standard, print_json, print_pieces, printing, said};
use crate::{Verdict, style};
use clap::{Args, ValueHint};
use maquette::clips::{self, EditOptions, EditReport, Edited, ModelOperation, Operation};
use maquette::convert::ConversionReport;
use maquette::motion::short;
use maquette::overwrite::{Overwrite, neighbours};
use maquette::save::Pending;
use maquette::target::{Target, is_folder};
use maquette::write::by_id;
use maquette::{Error, Input, Output, Result, Scene, WriteOptions, batch, names};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Args, Clone)]
pub struct Files {
    /// The files whose clips are edited; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// The file to write, its ending naming the format, or the folder to write into; `-` for standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    pub output: PathBuf,
    /// The format to write, where the output is a folder: its id, or an ending of its files such as glb; that of each input by default
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// The dialect to write; the input's within one format
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// Edit the clips of this name, and no others; `*` and `?` stand for any text and character. May be given again
    #[arg(long, value_name = "GLOB")]
    pub clip: Vec<String>,
    /// Tell what would be done and lost, and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Overwrite files that may belong to others
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object a line for each file
    #[arg(long)]
    pub json: bool,
    /// The model that the clips are written with, if not that of each file.
    #[arg(skip)]
    pub onto: Option<Arc<Scene>>,
}

impl Files {
    /// Every file that is read.
    pub fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn options(&self) -> EditOptions {
        EditOptions {
            write: WriteOptions {
                format: self.format.clone(),
                dialect: self.dialect.clone(),
                ..WriteOptions::default()
            },
            clips: self.clip.clone(),
            onto: self.onto.clone(),
            ..EditOptions::default()
        }
    }
}

/// Does the same with the clips of every file.
pub fn each(files: &Files, operation: &Operation<'_>) -> Result<Verdict> {
    each_on_model(files, &|motion, rig, _| operation(motion, rig))
}

/// The same, for what has to look at the model too.
pub fn each_on_model(files: &Files, operation: &ModelOperation<'_>) -> Result<Verdict> {
    each_file(files, &|input, name, options| clips::edit_on_model(input, name, options, operation))
}

/// Makes files with edited clips of one, for the output of this name.
type Edit<'e> = dyn Fn(&Input, Option<&str>, &EditOptions) -> Result<Edited> + Sync + 'e;

/// Does the same with every file.
pub fn each_file(files: &Files, operation: &Edit<'_>) -> Result<Verdict> {
    let options = files.options();
    let is_new =
        !files.output.exists() && options.write.formats.by_file_name(&files.output.to_string_lossy()).is_none();
    // For one file, a new name with an ending that is none is more likely a slip than a folder.
    let may_be_folder = files.files.len() > 1 || files.output.extension().is_none();
    let into_folder = is_folder(&files.output) || is_new && may_be_folder;
    if into_folder && files.files.iter().any(|file| is_standard(file)) {
        return Err(Error::Usage("what comes from standard input has no name in a folder; name a file with -o".into()));
    }
    match files.files.as_slice() {
        [input] if is_standard(&files.output) || !into_folder => one(files, input, operation),
        _ if !into_folder => Err(Error::Usage(format!(
            "{} files cannot become one, {}: name a folder with -o",
            files.files.len(),
            files.output.display()
        ))),
        inputs => {
            let entries = match &options.write.format {
                Some(_) => {
                    let target = Target::without_name(&options.write, by_id(options.write.formats, "seanim")?)?;
                    batch::plan_files(inputs, &files.output, target.ending())?
                }
                None => batch::plan_edits(inputs, &files.output)?,
            };
            many(files, &entries, operation)
        }
    }
}

/// What became of a file.
struct Done {
    report: EditReport,
    written: Vec<PathBuf>,
    /// What is written and has not taken its name yet.
    pending: Vec<Pending>,
}

impl Done {
    fn wait_for_the_disk(mut self) -> Result<Done> {
        self.pending.drain(..).try_for_each(Pending::finish)?;
        Ok(self)
    }
}

fn one(files: &Files, input: &Path, operation: &Edit<'_>) -> Result<Verdict> {
    let progress = One::new(&files.output);
    let mut options = files.options();
    options.write.others = neighbours(&files.output, options.write.formats);
    options.write.progress = progress.told();
    let done = edit_file(files, input, &files.output, &options, operation).and_then(Done::wait_for_the_disk);
    progress.finish();
    if files.json {
        // Standard output may hold the file.
        let mut json = if is_standard(&files.output) { Box::new(json_notes()) } else { terminal::output(true) };
        print_row(&mut json, input, &done)?;
        json.flush().map_err(printing)?;
    }
    let done = done?;
    let mut told = notes();
    said(&mut told, &done.written);
    if !files.json {
        write_clips(&mut told, &done.report).map_err(printing)?;
        for output in &done.report.outputs {
            summary::write(&mut told, output, files.dry_run).map_err(printing)?;
        }
    }
    told.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}

fn many(files: &Files, entries: &[batch::Entry], operation: &Edit<'_>) -> Result<Verdict> {
    let shared = files.options();
    let progress = Many::new(entries.len());
    let work = |entry: &batch::Entry| {
        let mut options = shared.clone();
        options.write.others.clone_from(&entry.others);
        options.write.beside = Some(entry.beside.clone());
        options.write.progress = progress.begin(&entry.input);
        edit_file(files, &entry.input, &entry.output, &options, operation)
    };
    #[cfg(unix)]
    let last_words = crate::interrupt::last_words(progress.tally());
    let results = batch::each_then(entries, work, |entry, made| {
        let result = made.and_then(Done::wait_for_the_disk);
        progress.end(&entry.input, &[if result.is_ok() { Verdict::Fine } else { Verdict::Failed }]);
        result
    });
    #[cfg(unix)]
    drop(last_words);
    progress.finish();
    let (mut out, mut told) = (terminal::output(true), notes());
    let (mut failed, mut without) = (0, 0);
    for (entry, result) in entries.iter().zip(&results) {
        if files.json {
            print_row(&mut out, &entry.input, result)?;
        }
        match result {
            // Among many files, models that do not move are no mistake.
            Err(Error::NoClip { file }) => {
                writeln!(told, "{file} holds no clip").map_err(printing)?;
                without += 1;
            }
            Err(error) => {
                told.flush().map_err(printing)?;
                complain_about(&entry.input, error);
                failed += 1;
            }
            Ok(_) if files.json => {}
            Ok(done) => {
                for output in &done.report.outputs {
                    summary::write_line(&mut told, output).map_err(printing)?;
                }
                write_clips(&mut told, &done.report).map_err(printing)?;
            }
        }
    }
    out.flush().map_err(printing)?;
    let words = if files.dry_run { "can be edited" } else { "edited" };
    let edited = results.len() - failed - without;
    let skipped = if without == 0 { String::new() } else { format!("{without} without a clip, ") };
    writeln!(told, "{edited} {words}, {skipped}{failed} failed").map_err(printing)?;
    told.flush().map_err(printing)?;
    Ok(if failed == 0 && edited > 0 { Verdict::Fine } else { Verdict::Failed })
}

/// What became of a file, as JSON.
fn print_row(out: &mut impl Write, input: &Path, result: &Result<Done>) -> Result<()> {
    match result {
        Ok(done) => print_json(out, &done.report),
        Err(error) => print_json(out, &Failed::of(input, error)),
    }
}

fn edit_file(files: &Files, input: &Path, output: &Path, options: &EditOptions, operation: &Edit<'_>) -> Result<Done> {
    let input = Input::from_path(input)?;
    let name = output.file_name().map(names::text).filter(|_| !is_standard(output));
    let edited = operation(&input, name.as_deref(), options)?;
    let several = edited.outputs.len() > 1;
    if several && is_standard(output) {
        return Err(Error::Usage(
            "this makes several files, and standard output takes one; name a file with -o".into(),
        ));
    }
    let (mut reports, mut written, mut pending) = (Vec::new(), Vec::new(), Vec::new());
    for made in edited.outputs {
        let path = if several { output.with_file_name(&made.name) } else { output.to_path_buf() };
        let mut report = ConversionReport::of(&input, &path, &made);
        report.written = !files.dry_run;
        reports.push(report);
        if !files.dry_run {
            save(files, &path, &made, &mut written, &mut pending)?;
        }
    }
    Ok(Done { report: EditReport::new(&input, edited.clips, reports), written, pending })
}

fn save(
    files: &Files,
    path: &Path,
    made: &Output,
    written: &mut Vec<PathBuf>,
    pending: &mut Vec<Pending>,
) -> Result<()> {
    if is_standard(path) {
        made.must_be_one_file()?;
        return print_pieces(made.main.pieces());
    }
    let saved = made.begin_saving(path, if files.force { Overwrite::All } else { Overwrite::Own })?;
    written.extend(saved.paths().iter().cloned());
    pending.push(saved);
    Ok(())
}

/// What was done, a line a clip.
fn write_clips(out: &mut impl Write, report: &EditReport) -> io::Result<()> {
    for row in &report.clips {
        let of_clip: Vec<String> = row.figures.iter().filter(|figure| figure.subject.is_empty()).map(figure).collect();
        let numbers = if of_clip.is_empty() { String::new() } else { format!(" ({})", of_clip.join(", ")) };
        let name = if row.clip.is_empty() { "unnamed" } else { &row.clip };
        writeln!(out, "  {} {}{numbers}", style::bold(format_args!("{name}:")), row.did)?;
        let others: Vec<_> = row.figures.iter().filter(|figure| !figure.subject.is_empty()).collect();
        for of_one in others.chunk_by(|one, next| one.subject == next.subject) {
            let numbers: Vec<String> = of_one.iter().map(|row| figure(row)).collect();
            let subject = of_one.first().map(|row| row.subject.as_str()).unwrap_or_default();
            writeln!(out, "    {subject}: {}", numbers.join(", "))?;
        }
    }
    Ok(())
}

fn figure(figure: &clips::FigureRow) -> String {
    let unit = if figure.unit.is_empty() { String::new() } else { format!(" {}", figure.unit) };
    format!("{} {}{unit}", figure.what, short(figure.value))
}
