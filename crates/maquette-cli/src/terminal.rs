//! What is printed, kept from steering the terminal it is printed on.
//!
//! File names, and names inside files, are written by others and may hold escape codes. So nothing is printed but through here: text for people shows
//! control characters instead of sending them, and lets the codes of [`style`] pass alone; JSON has its own way to say the same.

use crate::style;
use anstream::ColorChoice;
use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Says nothing from here on but errors and what was asked for.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

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

/// Standard output: for programs, if JSON was asked for, or else for people.
pub fn output(json: bool) -> Box<dyn Write> {
    match json {
        true => Box::new(Json(BufWriter::new(io::stdout().lock()))),
        false => Box::new(Lines::new(BufWriter::new(anstream::stdout().lock()))),
    }
}

/// Standard output for a list that tells what the exit code tells already, or what was done: nowhere, if quiet and not for programs.
pub fn listing(json: bool) -> Box<dyn Write> {
    if is_quiet() && !json { Box::new(io::sink()) } else { output(json) }
}

/// Where errors go.
pub fn errors() -> impl Write {
    Lines::new(anstream::stderr().lock())
}

/// Where everything else goes that is said about the work: beside the errors, or nowhere.
pub fn notes() -> Box<dyn Write> {
    if is_quiet() { Box::new(io::sink()) } else { Box::new(errors()) }
}

/// Text with every character shown that would otherwise do something: `\u{1b}`, `\n`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    push_visible(&mut shown, text);
    shown
}

fn push_visible(shown: &mut String, text: &str) {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return shown.push_str(text);
    }
    for letter in text.chars() {
        match steers(letter) {
            true => shown.extend(letter.escape_debug()),
            false => shown.push(letter),
        }
    }
}

/// Whether a character does something instead of being seen: control characters, ends of lines, and those that turn the order of the text around them.
fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Lines for people. Each is printed whole, by one `writeln!`: a line break that is not at its end belongs to some name and is shown.
struct Lines<W> {
    out: W,
    line: String,
}

impl<W> Lines<W> {
    fn new(out: W) -> Self {
        Lines { out, line: String::new() }
    }
}

impl<W: Write> Write for Lines<W> {
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        self.line.clear();
        let mut line = Line { shown: &mut self.line, ended: false };
        line.write_fmt(text).map_err(io::Error::other)?;
        debug_assert!(line.ended, "a line is printed whole");
        if line.ended {
            self.line.push('\n');
        }
        self.out.write_all(self.line.as_bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_fmt(format_args!("{}", String::from_utf8_lossy(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A line while its parts come in.
struct Line<'l> {
    shown: &'l mut String,
    ended: bool,
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if part.is_empty() {
            return Ok(());
        }
        if std::mem::take(&mut self.ended) {
            push_visible(self.shown, "\n");
        }
        if style::is_code() {
            self.shown.push_str(part);
            return Ok(());
        }
        let text = part.strip_suffix('\n');
        self.ended = text.is_some();
        push_visible(self.shown, text.unwrap_or(part));
        Ok(())
    }
}

/// JSON. It escapes most control characters itself; the rest may stand in its strings as they are, and are escaped here.
struct Json<W>(W);

impl<W: Write> Write for Json<W> {
    /// Whatever writes JSON writes whole characters.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        while let [first, after @ ..] = rest {
            let (control, after) = match (first, after) {
                (0x7f, _) => (0x7f, after),
                (0xc2, [second @ 0x80..=0x9f, after @ ..]) => (*second, after),
                _ => {
                    let plain =
                        after.iter().position(|byte| matches!(byte, 0x7f | 0xc2)).map_or(rest.len(), |at| at + 1);
                    let (plain, after) = rest.split_at(plain);
                    self.0.write_all(plain)?;
                    rest = after;
                    continue;
                }
            };
            write!(self.0, "\\u{control:04x}")?;
            rest = after;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut lines = Lines::new(Vec::new());
        print(&mut lines).unwrap();
        String::from_utf8(lines.out).unwrap()
    }

    #[test]
    fn names_cannot_steer_and_styles_can() {
        let name = "\u{1b}[1mé\u{9b}\u{7f}\r\n\u{202e}\n";
        let shown = r"\u{1b}[1mé\u{9b}\u{7f}\r\n\u{202e}\n";
        assert_eq!(lines(|out| writeln!(out, "{name}")), format!("{shown}\n"));
        assert_eq!(lines(|out| writeln!(out, "{name}{name}.")), format!("{shown}{shown}.\n"));
        assert_eq!(
            lines(|out| writeln!(out, "{} {name}", style::bold(name))),
            format!("\u{1b}[1m{shown}\u{1b}[0m {shown}\n")
        );
        assert_eq!(lines(|out| out.write_all(b"\x1b\n")), "\\u{1b}\n");
    }

    #[test]
    fn ordinary_text_is_left_as_it_is() {
        for text in ["plain ~", "Grüße, 模型 شكل 👩‍🚀 ×3 → …", r"C:\u{1b}"] {
            assert_eq!(visible(text), text);
        }
    }

    #[test]
    fn json_says_the_same_without_control_characters() {
        let name = "a\u{1b}\u{7f}é\u{80}\u{9f}\u{a0}Âz\u{9b}";
        let mut json = Json(Vec::new());
        serde_json::to_writer(&mut json, &[name, "\u{7f}"]).unwrap();
        let printed = String::from_utf8(json.0).unwrap();
        assert!(!printed.chars().any(char::is_control), "{printed:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&printed).unwrap(), [name, "\u{7f}"]);
    }
}
