//! The `maquette` command: arguments in, text or JSON out.
//!
//! Data goes to standard output, everything said about it to standard error. Exit code 0: fine; 1: findings; 2: could
//! not do it. No rule about a format lives here.

mod args;
mod progress;
mod style;
mod verbs;

use clap::Parser;
use std::io::Write;
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

fn main() -> ExitCode {
    let verdict = verbs::run(args::Cli::parse()).unwrap_or_else(|error| {
        if error.is_broken_pipe() {
            return Verdict::Fine;
        }
        complain(&error);
        Verdict::Failed
    });
    ExitCode::from(verdict as u8)
}

/// Says on standard error what went wrong.
fn complain(error: &maquette::Error) {
    let mut err = anstream::stderr().lock();
    let written = match error {
        maquette::Error::Read { file, format, source } => match source.diagnostic() {
            Some(diagnostic) => {
                let kind = format.map_or_else(String::new, |format| format!(" as {}", format.name));
                writeln!(err, "{} cannot read {file}{kind}", style::error("error:"))
                    .and_then(|()| verbs::check::write_finding(&mut err, &diagnostic.into()))
            }
            None => writeln!(err, "{} {error}", style::error("error:")),
        },
        _ => writeln!(err, "{} {error}", style::error("error:")),
    };
    // Nobody is left to tell.
    drop(written);
}
