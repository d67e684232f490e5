//! What an operation did, and why it could not.

use std::fmt;

/// What an operation did to a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Did {
    /// In words: `keeps 0.5 to 1.25 s`.
    pub words: String,
    /// In numbers, of the clip or of a bone.
    pub figures: Vec<Figure>,
}

/// One number about what was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The bone or event it is about; empty for the clip.
    pub subject: String,
    /// What it counts or measures: `keys removed`, `largest error`.
    pub what: &'static str,
    /// The number.
    pub value: f64,
    /// `s`, `rad`, `units`; empty for a count.
    pub unit: &'static str,
}

impl Did {
    /// In words alone.
    pub fn new(words: impl Into<String>) -> Did {
        Did { words: words.into(), figures: Vec::new() }
    }

    /// And a number about the clip.
    pub fn with(self, what: &'static str, value: f64, unit: &'static str) -> Did {
        self.with_of("", what, value, unit)
    }

    /// And a number about a bone or an event.
    pub fn with_of(mut self, subject: &str, what: &'static str, value: f64, unit: &'static str) -> Did {
        self.figures.push(Figure { subject: subject.to_owned(), what, value, unit });
        self
    }
}

/// A number for people: no more digits than a microsecond or a micrometre takes.
pub fn short(number: f64) -> String {
    if number.abs() >= 1e15 {
        return format!("{number:e}");
    }
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Names for people: the first few, and how many more.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{:?}", name.as_ref())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Why an operation cannot be done, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal(why)
    }
}
