//! What is printed, kept from steering the terminal it is printed on.
//!
//! File names, and names inside files, are written by others and may hold escape codes. So nothing is printed but through here: text for people shows
//! control characters instead of sending them, and lets the codes of [`style`] pass alone; JSON has its own way to say the same.
//!
//! A report is collected and sent as a whole: whoever writes one flushes it at its end, and before somebody else says something in between.

use crate::style;
use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
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

/// Text with every character shown that would otherwise do something: `\u{1b}`, `\n`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    push_visible(&mut shown, text);
    shown
}

fn push_visible(shown: &mut String, text: &str) {
    if is_plain(text) {
        return shown.push_str(text);
    }
    for letter in text.chars() {
        match steers(letter) {
            true => shown.extend(letter.escape_debug()),
            false => shown.push(letter),
        }
    }
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Whether a character does something instead of being seen: control characters, ends of lines, and those that turn the order of the text around them.
fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Lines for people. Each is printed whole, by one `writeln!`: a line break that is not at its end belongs to some name and is shown.
struct Lines<W> {
    out: W,
    /// Whether codes of styles are sent, too.
    colour: bool,
    /// A part of a line, while it is made visible.
    shown: String,
}

impl<S: RawStream + AsLockedWrite> Lines<BufWriter<AutoStream<S>>> {
    fn on(stream: S) -> Self {
        let stream = AutoStream::auto(stream);
        let colour = stream.current_choice() != ColorChoice::Never;
        Lines { out: collected(stream), colour, shown: String::new() }
    }
}

impl<W: Write> Write for Lines<W> {
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        let mut line = Line { lines: self, ended: false, failed: None };
        let formatted = line.write_fmt(text).map_err(io::Error::other);
        let Line { ended, failed, .. } = line;
        failed.map_or(formatted, Err)?;
        debug_assert!(ended, "a line is printed whole");
        if ended { self.out.write_all(b"\n") } else { Ok(()) }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_fmt(format_args!("{}", String::from_utf8_lossy(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Lines<W> {
    fn show(&mut self, text: &str) -> io::Result<()> {
        if is_plain(text) {
            return self.out.write_all(text.as_bytes());
        }
        self.shown.clear();
        push_visible(&mut self.shown, text);
        self.out.write_all(self.shown.as_bytes())
    }
}

/// A line while its parts come in. They are not kept: a line may be as long as a file.
struct Line<'l, W> {
    lines: &'l mut Lines<W>,
    ended: bool,
    failed: Option<io::Error>,
}

impl<W: Write> Line<'_, W> {
    fn part(&mut self, part: &str) -> io::Result<()> {
        if part.is_empty() {
            return Ok(());
        }
        if std::mem::take(&mut self.ended) {
            self.lines.show("\n")?;
        }
        if style::is_code() {
            return if self.lines.colour { self.lines.out.write_all(part.as_bytes()) } else { Ok(()) };
        }
        let text = part.strip_suffix('\n');
        self.ended = text.is_some();
        self.lines.show(text.unwrap_or(part))
    }
}

impl<W: Write> fmt::Write for Line<'_, W> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.part(part).map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
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
        let mut lines = Lines { out: Vec::new(), colour: true, shown: String::new() };
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
        let mut lines = Lines { out: collected(Sent::default()), colour: false, shown: String::new() };
        let line = "a.aem → b.glb: 2 losses in é\n";
        for _ in 0..100 {
            let (from, count, letter) = ("a.aem", 2, 'é');
            writeln!(lines, "{from} → {}: {count} losses in {letter}", style::bold("b.glb")).unwrap();
        }
        assert!(lines.out.get_ref().0.is_empty());
        lines.flush().unwrap();
        assert_eq!(lines.out.get_ref().0, [100 * line.len()], "without codes, in one piece");
        let mut json = Json(collected(Sent::default()));
        serde_json::to_writer(&mut json, &vec!["\u{7f}"; 100]).unwrap();
        json.flush().unwrap();
        assert_eq!(json.0.get_ref().0, [901]);
    }

    #[test]
    fn what_cannot_be_sent_is_an_error_of_its_kind() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut lines = Lines { out: Closed, colour: true, shown: String::new() };
        assert_eq!(writeln!(lines, "a").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
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
