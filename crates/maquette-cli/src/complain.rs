//! What went wrong, said to people.

use crate::verbs::check::write_finding;
use crate::{args::Cli, style, terminal};
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use maquette::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

/// Says on standard error what went wrong.
pub fn complain(error: &Error) {
    say(error, None);
}

/// Says what may be a mistake.
pub fn warn(text: &str) {
    // Nobody is left to tell.
    drop(writeln!(terminal::notes(), "{} {text}", style::severity("warning:")));
}

/// Says what is good to know.
pub fn note(text: &str) {
    // Nobody is left to tell.
    drop(writeln!(terminal::notes(), "{} {text}", style::severity("note:")));
}

/// Says what went wrong with one file of many: which it was, too, if the error itself does not.
pub fn complain_about(input: &Path, error: &Error) {
    let input = input.display().to_string();
    let is_said = error.file() == Some(&input) || error.to_string().contains(&input);
    say(error, Some(input).filter(|_| !is_said));
}

fn say(error: &Error, file: Option<String>) {
    let mut err = terminal::errors();
    let finding = match error {
        Error::Read { source, .. } => source.diagnostic(),
        _ => None,
    };
    let file = file.map_or_else(String::new, |file| format!("{file}: "));
    let said = writeln!(err, "{} {file}{}", style::error("error:"), in_words(error, finding.is_some()));
    let said = said.and_then(|()| finding.map_or(Ok(()), |finding| write_finding(&mut err, &finding.into())));
    let said = said.and_then(|()| match error {
        Error::SameOutput { collisions } => write_collisions(&mut err, collisions),
        _ => Ok(()),
    });
    // Nobody is left to tell.
    drop(said);
}

/// Outputs and inputs that are listed before the rest is counted.
const LISTED: usize = 30;

/// Each output that several inputs would become, in a line.
fn write_collisions(err: &mut impl Write, collisions: &[(String, Vec<String>)]) -> io::Result<()> {
    for (output, inputs) in collisions.iter().take(LISTED) {
        let more = match inputs.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        writeln!(err, "  {output}: {}{more}", inputs.get(..LISTED).unwrap_or(inputs).join(", "))?;
    }
    match collisions.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(err, "  … and {more} more"),
    }
}

/// The error, without what is said in lines below it.
fn in_words(error: &Error, finding_follows: bool) -> String {
    let name = |file: &str| if file == "-" { "standard input".to_owned() } else { file.to_owned() };
    match error {
        Error::Read { file, format, source } => match (format, finding_follows) {
            (Some(format), true) => format!("cannot read {} as {}", name(file), format.name),
            (None, true) => format!("cannot read {}", name(file)),
            (_, false) => format!("cannot read {}: {source}", name(file)),
        },
        Error::SameOutput { .. } => {
            "several inputs would become the same output; rename some of them, or write them in \
                                     several runs into folders of their own; `convert --list` keeps the folders below a list"
                .into()
        }
        _ => error.to_string(),
    }
}

/// Says what is wrong with the arguments, or gives the help that was asked for; the exit code.
pub fn about_arguments(error: clap::Error, words: &[OsString]) -> u8 {
    terminal::colour(colour_asked_for(words));
    if let Some(argument) = empty(&error, words) {
        complain(&Error::Usage(format!("the name given for {argument} is empty")));
        return 2;
    }
    // The same mistake in words that can be shown: clap prints arguments as they are.
    let shown = words.iter().map(|word| terminal::visible(&word.to_string_lossy()));
    let error = Cli::try_parse_from(shown).err().unwrap_or(error);
    // Nobody is left to tell.
    drop(error.print());
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// The argument that an empty word was given for.
fn empty<'e>(error: &'e clap::Error, words: &[OsString]) -> Option<&'e str> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let is_empty = error.kind() == ErrorKind::InvalidValue
        && text(ContextKind::InvalidValue) == Some("")
        && words.iter().any(|word| word.is_empty());
    text(ContextKind::InvalidArg).filter(|_| is_empty)
}

/// What `--color` says in arguments that could not be understood as a whole.
fn colour_asked_for(words: &[OsString]) -> &str {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let after = words.windows(2).find(|pair| pair.first() == Some(&"--color")).and_then(|pair| pair.last());
    let joined = words.iter().find_map(|word| word.strip_prefix("--color="));
    after.copied().or(joined).unwrap_or("auto")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_found_in_any_arguments() {
        let asked = |words: &[&str]| colour_asked_for(&words.iter().map(OsString::from).collect::<Vec<_>>()).to_owned();
        assert_eq!(asked(&["maquette", "--color", "never", "inof"]), "never");
        assert_eq!(asked(&["maquette", "inof", "--color=always"]), "always");
        assert_eq!(asked(&["maquette", "--color"]), "auto");
    }
}
