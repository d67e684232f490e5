//! The `maquette` command: arguments in, text or JSON out.
//!
//! Data goes to standard output, everything said about it to standard error. Exit code 0: fine; 1: findings; 2: could
//! not do it. No rule about a format lives here.
//!
//! It is a library with a program of one line, so that it is compiled while the crates under it still are; the program is only linked.

mod args;
mod complain;
#[cfg(unix)]
mod interrupt;
mod progress;
mod verbs;

use clap::Parser;
use maquette_terminal::{self as terminal, style};
use std::ffi::OsString;
use std::process::ExitCode;

/// How a run ended, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// All is well.
    Fine,
    /// Something was found that was asked about.
    Findings,
    /// Something could not be done; it has been said.
    Failed,
}

/// The whole command: reads its arguments, does what they say, and gives the exit code.
pub fn main() -> ExitCode {
    ExitCode::from(run_with(std::env::args_os()))
}

/// The same with these arguments, the first of which is the name of the program. For programs that have the command in them: it prints, and watches for signals that end the program from then on.
pub fn run_with<W: Into<OsString>>(arguments: impl IntoIterator<Item = W>) -> u8 {
    let words: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    match args::Cli::try_parse_from(&words) {
        Ok(cli) => run(cli) as u8,
        Err(error) => complain::about_arguments(error, &words),
    }
}

fn run(cli: args::Cli) -> Verdict {
    terminal::colour(&cli.color);
    match cli.quiet {
        true => terminal::be_quiet(),
        false => terminal::say_all(),
    }
    #[cfg(unix)]
    interrupt::watch();
    verbs::run(cli).unwrap_or_else(|error| {
        if error.is_broken_pipe() {
            return Verdict::Fine;
        }
        complain::complain(&error);
        Verdict::Failed
    })
}
