//! `maquette-viewer [FILE [FILE]]`: the window that `maquette view` starts.

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str =
    "usage: maquette-viewer [FILE [FILE]]\n\nShows a model, or two side by side. F1 in the window lists all keys.";

fn main() -> ExitCode {
    let mut files = Vec::new();
    for word in std::env::args_os().skip(1) {
        match word.to_str() {
            Some("-h" | "--help") => return say(USAGE),
            Some("-V" | "--version") => return say(concat!("maquette-viewer ", env!("CARGO_PKG_VERSION"))),
            Some(option) if option.starts_with('-') && option.len() > 1 => {
                return complain(&format!("there is no option {option}\n\n{USAGE}"));
            }
            _ => files.push(PathBuf::from(word)),
        }
    }
    if files.len() > 2 {
        return complain(&format!("two models can be shown side by side, not {}", files.len()));
    }
    match maquette_viewer::app::run(files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => complain(&why),
    }
}

#[expect(clippy::print_stdout, reason = "what was asked for")]
fn say(text: &str) -> ExitCode {
    println!("{text}");
    ExitCode::SUCCESS
}

#[expect(clippy::print_stderr, reason = "there is no window to say it in")]
fn complain(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(2)
}
