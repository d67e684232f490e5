//! `maquette-viewer [FILE [FILE]]`: the window that `maquette view` starts.

use maquette_viewer::app::{Purpose, run};
use maquette_viewer::tour::Tour;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::channel;

const USAGE: &str = "usage: maquette-viewer [FILE [FILE]]
       maquette-viewer --screenshots FOLDER FILE...

Shows a model, or two side by side. F1 in the window lists all keys.
With --screenshots it opens files one after the other, saves the picture of each as PNG, and ends.";

fn main() -> ExitCode {
    // A file that may not grow any more is an error of whoever writes it, and not the end.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let mut files = Vec::new();
    let mut folder = None;
    let mut words = std::env::args_os().skip(1);
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("-h" | "--help") => return say(USAGE),
            Some("-V" | "--version") => return say(concat!("maquette-viewer ", env!("CARGO_PKG_VERSION"))),
            Some("--screenshots") => match words.next() {
                Some(path) => folder = Some(PathBuf::from(path)),
                None => return complain(&format!("--screenshots takes a folder\n\n{USAGE}")),
            },
            Some(option) if option.starts_with('-') && option.len() > 1 => {
                return complain(&format!("there is no option {option}\n\n{USAGE}"));
            }
            _ => files.push(PathBuf::from(word)),
        }
    }
    match folder {
        Some(folder) => tour(files, folder),
        None if files.len() > 2 => complain(&format!("two models can be shown side by side, not {}", files.len())),
        None => ended(run(Purpose::Show(files))),
    }
}

fn tour(files: Vec<PathBuf>, folder: PathBuf) -> ExitCode {
    if files.is_empty() {
        return complain(&format!("--screenshots takes files\n\n{USAGE}"));
    }
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return complain(&format!("{}: {error}", folder.display()));
    }
    let (tell, wrong) = channel();
    let ended = ended(run(Purpose::Tour(Tour::new(files, folder, tell))));
    wrong.iter().fold(ended, |_, why| complain(&why))
}

fn ended(outcome: Result<(), String>) -> ExitCode {
    outcome.map_or_else(|why| complain(&why), |()| ExitCode::SUCCESS)
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
