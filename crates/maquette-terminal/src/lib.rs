//! What is printed, kept from steering the terminal it is printed on.
//!
//! File names, and names inside files, are written by others and may hold escape codes. So nothing is printed but through here: text for people shows
//! control characters instead of sending them, and lets the codes of [`style`] pass alone; JSON has its own way to say the same.
//!
//! It is a crate of its own because all that is printed goes through it letter by letter: it is optimised where the command around it is not.
//!
//! A report is collected and sent as a whole: whoever writes one flushes it at its end, and before somebody else says something in between.

mod json;
mod lines;
pub mod style;
mod visible;

pub use visible::visible;

use anstream::ColorChoice;
use json::Json;
use lines::Lines;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Says nothing from here on but errors and what was asked for.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Says everything from here on.
pub fn say_all() {
    QUIET.store(false, Ordering::Relaxed);
}

/// Whether nothing is to be said but errors and what was asked for.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Whether to colour: `auto` where a terminal can show it and the environment does not object, `always` or `never`.
pub fn colour(when: &str) {
    let choice = match when {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    choice.write_global();
}

/// What is collected before it is sent. Few reports are longer.
const BUFFER_BYTES: usize = 64 * 1024;

fn collected<W: Write>(out: W) -> BufWriter<W> {
    BufWriter::with_capacity(BUFFER_BYTES, out)
}

/// Standard output: for programs, if JSON was asked for, or else for people.
pub fn output(json: bool) -> Box<dyn Write> {
    match json {
        true => Box::new(Json(collected(io::stdout().lock()))),
        false => Box::new(Lines::on(io::stdout().lock())),
    }
}

/// Standard output for a list that tells what the exit code tells already, or what was done: nowhere, if quiet and not for programs.
pub fn listing(json: bool) -> Box<dyn Write> {
    if is_quiet() && !json { Box::new(io::sink()) } else { output(json) }
}

/// Where errors go.
pub fn errors() -> impl Write {
    Lines::on(io::stderr().lock())
}

/// JSON beside a file that takes standard output.
pub fn json_notes() -> impl Write {
    Json(collected(io::stderr().lock()))
}

/// Where everything else goes that is said about the work: beside the errors, or nowhere.
pub fn notes() -> Box<dyn Write> {
    if is_quiet() { Box::new(io::sink()) } else { Box::new(errors()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_sent_as_a_whole() {
        #[derive(Default)]
        struct Sent(Vec<usize>);
        impl Write for Sent {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.push(bytes.len());
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut lines = Lines::without_colour(collected(Sent::default()));
        let line = "a.aem → b.glb: 2 losses in é\n";
        for _ in 0..100 {
            let (from, to, count) = ("a.aem", style::bold("b.glb"), 2);
            writeln!(lines, "{from} → {to}: {count} losses in é").unwrap();
        }
        assert!(lines.out().get_ref().0.is_empty());
        lines.flush().unwrap();
        assert_eq!(lines.out().get_ref().0, [100 * line.len()], "without codes, in one piece");
        let mut json = Json(collected(Sent::default()));
        serde_json::to_writer(&mut json, &vec!["\u{7f}"; 100]).unwrap();
        json.flush().unwrap();
        assert_eq!(json.0.get_ref().0, [901]);
    }
}
