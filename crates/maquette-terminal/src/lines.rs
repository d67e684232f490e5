//! Lines for people.

use crate::visible::{is_plain, push_visible};
use crate::{collected, style};
use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, Write};

/// Lines for people. Each is printed whole, by one `writeln!`: a line break that is not at its end belongs to some name and is shown.
pub struct Lines<W> {
    out: W,
    /// Whether codes of styles are sent, too.
    colour: bool,
    /// A part of a line, while it is made visible.
    shown: String,
}

impl<S: RawStream + AsLockedWrite> Lines<BufWriter<AutoStream<S>>> {
    pub fn on(stream: S) -> Self {
        let stream = AutoStream::auto(stream);
        let colour = stream.current_choice() != ColorChoice::Never;
        Lines { out: collected(stream), colour, shown: String::new() }
    }
}

impl<W> Lines<W> {
    #[cfg(test)]
    pub fn without_colour(out: W) -> Self {
        Lines { out, colour: false, shown: String::new() }
    }

    #[cfg(test)]
    pub fn out(&self) -> &W {
        &self.out
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
        assert_eq!(writeln!(lines, "a{}", 1).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
