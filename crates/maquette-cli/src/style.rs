//! The few colours there are. `anstream` takes them out where the output is no terminal or `NO_COLOR` is set.

use anstyle::{AnsiColor, Style};
use std::fmt::{self, Display};

/// Text in a style.
pub struct Styled<T> {
    style: Style,
    text: T,
}

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.style.render(), self.text, self.style.render_reset())
    }
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
        "warning" => Styled { style: AnsiColor::Yellow.on_default().bold(), text: word },
        _ => Styled { style: AnsiColor::Cyan.on_default(), text: word },
    }
}
