//! The few colours there are. `anstream` takes them out where they are not wanted.

use anstyle::{AnsiColor, Style};
use std::cell::Cell;
use std::fmt::{self, Display};

thread_local! {
    static IS_CODE: Cell<bool> = const { Cell::new(false) };
}

/// Whether what is being written is a code of ours: the one thing that tells it from the same bytes in some name.
pub fn is_code() -> bool {
    IS_CODE.get()
}

/// Text in a style.
pub struct Styled<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        code(f, self.style.render())?;
        write!(f, "{}", self.text)?;
        code(f, self.style.render_reset())
    }
}

fn code(f: &mut fmt::Formatter<'_>, code: impl Display) -> fmt::Result {
    IS_CODE.set(true);
    let written = write!(f, "{code}");
    IS_CODE.set(false);
    written
}

/// For the names of files and headings.
pub fn bold<T: Display>(text: T) -> Styled<T> {
    Styled { style: Style::new().bold(), text }
}

/// For what matters less.
pub fn dim<T: Display>(text: T) -> Styled<T> {
    Styled { style: Style::new().dimmed(), text }
}

/// For errors.
pub fn error<T: Display>(text: T) -> Styled<T> {
    Styled { style: AnsiColor::Red.on_default().bold(), text }
}

/// For a severity, by its word.
pub fn severity(word: &str) -> Styled<&str> {
    match word {
        "error" => error(word),
        "warning" | "warning:" => Styled { style: AnsiColor::Yellow.on_default().bold(), text: word },
        _ => Styled { style: AnsiColor::Cyan.on_default(), text: word },
    }
}
