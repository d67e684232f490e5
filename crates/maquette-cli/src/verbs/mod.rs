//! One file a verb: take the arguments, ask `maquette`, print.

pub mod check;
mod convert;
mod diff;
mod dump;
mod explain;
mod formats;
mod info;
mod sample;
mod textures;

use crate::args::{Cli, Verb};
use crate::{Verdict, complain};
use clap::CommandFactory;
use maquette::{Error, Input, Result};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Does what was asked.
pub fn run(cli: Cli) -> Result<Verdict> {
    match cli.verb {
        Verb::Info(args) => info::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Dump(args) => dump::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Formats(args) => formats::run(&args),
        Verb::Sample(args) => sample::run(&args),
        Verb::Convert(args) => convert::run(&args),
        Verb::Textures(args) => textures::run(&args),
        Verb::Diff(args) => diff::run(&args),
        Verb::Completions { shell } => completions(shell),
        Verb::Man { folder } => manual(folder),
    }
}

/// Standard output, buffered; colours only where they are wanted.
fn output() -> BufWriter<impl Write> {
    BufWriter::new(anstream::stdout().lock())
}

/// A failure to print.
fn printing(error: io::Error) -> Error {
    Error::Io { file: "output".into(), doing: "write", source: error }
}

fn print_json(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from).map_err(printing)?;
    out.write_all(b"\n").map_err(printing)
}

/// Looks at each file in turn. One that fails is complained about, and the next is taken.
fn each_file(files: &[PathBuf], mut look: impl FnMut(&Input) -> Result<Verdict>) -> Result<Verdict> {
    let mut worst = Verdict::Fine;
    for file in files {
        match Input::from_path(file).and_then(|input| look(&input)) {
            Ok(verdict) => worst = worst.max(verdict),
            Err(error) if error.is_broken_pipe() => return Err(error),
            Err(error) => {
                complain(&error);
                worst = Verdict::Failed;
            }
        }
    }
    Ok(worst)
}

/// Whether a path means standard input or output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Prints a file; nothing was written to disk.
fn print_bytes(bytes: &[u8]) -> Result<Vec<PathBuf>> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(printing)?;
    Ok(Vec::new())
}

/// Says what was written.
fn said(written: &[PathBuf]) {
    if written.is_empty() {
        return;
    }
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    // Failing to say so is no failure to have done it.
    drop(writeln!(anstream::stderr(), "wrote {}", names.join(", ")));
}

fn completions(shell: clap_complete::Shell) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "maquette", &mut script);
    let mut out = output();
    out.write_all(&script).and_then(|()| out.flush()).map_err(printing)?;
    Ok(Verdict::Fine)
}

fn manual(folder: Option<PathBuf>) -> Result<Verdict> {
    let Some(folder) = folder else {
        let mut out = output();
        clap_mangen::Man::new(Cli::command()).render(&mut out).and_then(|()| out.flush()).map_err(printing)?;
        return Ok(Verdict::Fine);
    };
    clap_mangen::generate_to(Cli::command(), &folder).map_err(|source| Error::Io {
        file: folder.display().to_string(),
        doing: "write manual pages into",
        source,
    })?;
    Ok(Verdict::Fine)
}
