//! One file a verb: take the arguments, ask `maquette`, print.

pub mod check;
pub mod clip;
mod convert;
mod diff;
mod dump;
mod explain;
mod failed;
mod formats;
mod info;
pub mod render;
mod sample;
mod textures;
mod view;

use crate::Verdict;
use crate::args::{Cli, Verb};
use crate::complain::complain;
use clap::CommandFactory;
use maquette::formats::walk::Walk;
use maquette::target::is_folder;
use maquette::{Error, Input, Overwrite, Result};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Does what was asked.
pub fn run(cli: Cli) -> Result<Verdict> {
    if cli.verb.inputs().into_iter().filter(|path| is_standard(path)).count() > 1 {
        return Err(Error::Usage("standard input can be read only once, and `-` is given more often".into()));
    }
    if matches!(cli.verb, Verb::Convert(_) | Verb::Clip(_) | Verb::Render(_) | Verb::Textures(_) | Verb::Diff(_)) {
        match &cli.verb {
            Verb::Render(args) => start_threads(args.threads),
            _ => maquette::threads::start(),
        }
    }
    match cli.verb {
        Verb::Info(args) => info::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::Dump(args) => dump::run(&args),
        Verb::Explain(args) => explain::run(&args),
        Verb::Formats(args) => formats::run(&args),
        Verb::Sample(args) => sample::run(&args),
        Verb::Convert(args) => convert::run(&args),
        Verb::Clip(args) => clip::run(&args),
        Verb::Render(args) => render::run(*args),
        Verb::View(args) => view::run(&args),
        Verb::Textures(args) => textures::run(&args),
        Verb::Diff(args) => diff::run(&args),
        Verb::Completions { shell } => completions(shell),
        Verb::Man { folder } => manual(folder),
    }
}

fn start_threads(asked: Option<u32>) {
    match asked {
        Some(threads) => maquette::threads::start_some(threads as usize),
        None => maquette::threads::start(),
    }
}

/// A failure to print.
fn printing(error: io::Error) -> Error {
    Error::Io { file: "output".into(), doing: "write", source: error }
}

fn print_json(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from).map_err(printing)?;
    out.write_all(b"\n").map_err(printing)
}

/// Shows a file. Of one that breaks off what there is is shown, and then it is an error all the same.
fn look_at(input: &Input, dialect: Option<&str>, show: impl FnOnce(&dyn Walk) -> Result<()>) -> Result<Verdict> {
    let error = match input.open(dialect) {
        Ok(opened) => return show(&opened).map(|()| Verdict::Fine),
        Err(error) => error,
    };
    match input.open_part(dialect).map_or(Ok(()), |part| show(&part)) {
        Err(unseen) if unseen.is_broken_pipe() => return Err(unseen),
        Err(unseen) => complain(&unseen),
        Ok(()) => {}
    }
    Err(error)
}

/// Whether a path means standard input or output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What `--force` means.
fn overwriting(is_forced: bool) -> Overwrite {
    if is_forced { Overwrite::All } else { Overwrite::Own }
}

/// A file to write must not be a folder, nor be named like one.
fn refuse_folder(path: &Path) -> Result<()> {
    match is_folder(path) {
        true => Err(Error::Usage(format!("{} names a folder; name a file in it", path.display()))),
        false => Ok(()),
    }
}

/// Binary data would garble a terminal, if not steer it.
fn refuse_terminal<'p>(mut pieces: impl Iterator<Item = &'p [u8]>) -> Result<()> {
    if io::stdout().is_terminal() && pieces.any(is_binary) {
        return Err(Error::Usage(
            "this is no text for a terminal; name a file, or send the output into one with `>`".into(),
        ));
    }
    Ok(())
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}

fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(Error::io(folder.display().to_string(), "make the folder"))
}

/// Files may lie in folders that are not there yet.
fn make_folder_of(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), make_folder)
}

/// Prints a file.
fn print_pieces<'p>(mut pieces: impl Iterator<Item = &'p [u8]> + Clone) -> Result<()> {
    refuse_terminal(pieces.clone())?;
    let mut out = io::stdout().lock();
    pieces.try_for_each(|piece| out.write_all(piece)).and_then(|()| out.flush()).map_err(printing)
}

/// Says what was written.
fn said(out: &mut impl Write, written: &[PathBuf]) {
    if written.is_empty() {
        return;
    }
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    // Failing to say so is no failure to have done it.
    drop(writeln!(out, "wrote {}", names.join(", ")));
}

/// Prints what nobody else had a hand in.
fn print_ours(bytes: &[u8]) -> Result<Verdict> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(printing)?;
    Ok(Verdict::Fine)
}

fn completions(shell: clap_complete::Shell) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "maquette", &mut script);
    print_ours(&script)
}

fn manual(folder: Option<PathBuf>) -> Result<Verdict> {
    let Some(folder) = folder.filter(|folder| !is_standard(folder)) else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(printing)?;
        return print_ours(&page);
    };
    make_folder(&folder)?;
    clap_mangen::generate_to(Cli::command(), &folder).map_err(|source| Error::Io {
        file: folder.display().to_string(),
        doing: "write manual pages into",
        source,
    })?;
    Ok(Verdict::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::sample::make;

    #[test]
    fn text_is_for_terminals_and_models_are_not() {
        assert!(!is_binary(&make("gltf", Some("text")).unwrap().main));
        assert!(is_binary(&make("gltf", None).unwrap().main) && is_binary(&make("aem", None).unwrap().main));
        assert!(is_binary(b"\x1b]0;x"));
    }
}
