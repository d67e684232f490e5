//! Diagnostics: what is wrong, where, how bad, and what would be right.
//!
//! A fatal error is a diagnostic that stopped a read; a warning is one that did not. Both carry the same
//! [`Code`], the same kind of place and are shown by the same renderer. Checks name places by logical
//! path only; the byte offset is filled in afterwards from the file's own layout, so it cannot disagree
//! with what `dump` shows.

use crate::path::{self, Path};
use std::collections::HashMap;
use std::fmt;

/// How bad a finding is. Ordered: `Info < Warning < Error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Against the format's rules, but readers cope or differ.
    Warning,
    /// A reader that trusts the file misbehaves.
    Error,
}

impl Severity {
    /// The lower-case word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A kind of finding. Codes are `static`s, compared by [`id`](Code::id), and never reused.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `AEM0028`: the format's prefix and a number.
    pub id: &'static str,
    /// `joint-parent-out-of-range`: the same in words.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Why it matters and what to do, as lines of text. See [`Code::why`].
    pub why_lines: &'static str,
}

impl Code {
    /// Why the finding matters and what to do about it, as one paragraph.
    pub fn why(&self) -> String {
        paragraph(self.why_lines)
    }
}

/// Joins the lines of a doc comment into one paragraph.
pub fn paragraph(lines: &str) -> String {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Declares codes as documented statics and gathers them into a `CODES` table.
///
/// The doc comment of each code is its `why`, so the explanation is written once. It has two paragraphs: what the finding means for whoever
/// reads the file, and what to do about it.
#[macro_export]
macro_rules! codes {
    ($( $(#[doc = $why:literal])+ $NAME:ident = $id:literal $name:literal $severity:ident; )+) => {
        $(
            $(#[doc = $why])+
            pub static $NAME: $crate::diag::Code = $crate::diag::Code {
                id: $id,
                name: $name,
                severity: $crate::diag::Severity::$severity,
                why_lines: concat!($($why, "\n"),+),
            };
        )+
        /// Every code of this format, in the order of their ids.
        pub static CODES: &[&$crate::diag::Code] = &[$(&$NAME),+];
    };
}

/// One finding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What kind of finding.
    pub code: &'static Code,
    /// Where, by name. Empty for the file as a whole.
    pub path: Path,
    /// Where, in bytes from the start of the file; unknown for what lies outside it.
    pub offset: Option<u64>,
    /// What was found.
    pub message: String,
    /// What would be valid.
    pub expected: Option<String>,
    /// How often it was found; the place is that of the first.
    pub count: u64,
}

impl Diagnostic {
    /// A finding at a path, found once.
    pub fn new(code: &'static Code, path: Path, message: impl Into<String>) -> Self {
        Diagnostic { code, path, offset: None, message: message.into(), expected: None, count: 1 }
    }

    /// Adds what would be valid.
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Sets the place in bytes.
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.offset = Some(offset);
        self
    }

    /// Says that it was found `count` times.
    pub fn times(mut self, count: u64) -> Self {
        self.count = count;
        self
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.severity(), self.code.id, self.code.name)?;
        if let Some(offset) = self.offset {
            write!(f, " at {offset:#x}")?;
        }
        if !self.path.segments().is_empty() {
            write!(f, " in {}", path::shortened(&self.path.to_string()))?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(expected) = &self.expected {
            write!(f, "; expected {expected}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// How much a [`Report`] keeps.
#[derive(Clone, Copy, Debug)]
pub struct ReportOptions {
    /// Findings kept; more are counted, and their severity still tells.
    pub max_items: usize,
    /// Whether repeats are one finding with a count, or each its own.
    pub repeats: Repeats,
}

/// What a [`Report`] does with the same code found in the same array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repeats {
    /// One finding at the first place, with a count.
    Merge,
    /// One finding for each place.
    Keep,
}

impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions { max_items: 1000, repeats: Repeats::Merge }
    }
}

/// Findings about one file: repeats merged, bounded in number, worst severity kept even past the bound.
#[derive(Debug, Default)]
pub struct Report {
    options: ReportOptions,
    items: Vec<Diagnostic>,
    seen: HashMap<(&'static str, Path), usize>,
    left_out: u64,
    worst: Option<Severity>,
}

impl Report {
    /// An empty report.
    pub fn new(options: ReportOptions) -> Self {
        Report { options, ..Report::default() }
    }

    /// Whether each place is wanted rather than a count; checks of bulk data ask before they list.
    pub fn keeps_repeats(&self) -> bool {
        self.options.repeats == Repeats::Keep
    }

    /// Whether another finding would only be counted.
    pub fn is_full(&self) -> bool {
        self.items.len() >= self.options.max_items
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: Diagnostic) {
        self.worst = self.worst.max(Some(finding.severity()));
        if self.options.repeats == Repeats::Merge {
            let key = (finding.code.id, finding.path.pattern());
            if let Some(first) = self.seen.get(&key).and_then(|&at| self.items.get_mut(at)) {
                first.count += finding.count;
                return;
            }
            if !self.is_full() {
                self.seen.insert(key, self.items.len());
            }
        }
        if self.is_full() {
            self.left_out += finding.count;
        } else {
            self.items.push(finding);
        }
    }

    /// The findings kept.
    pub fn items(&self) -> &[Diagnostic] {
        &self.items
    }

    /// The findings kept, to fill in offsets.
    pub fn items_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.items
    }

    /// How many findings did not fit.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The worst severity of all findings, kept or not.
    pub fn worst(&self) -> Option<Severity> {
        self.worst
    }

    /// Puts the findings into file order; those without an offset come first.
    pub fn sort_by_offset(&mut self) {
        self.seen.clear();
        self.items.sort_by_key(|item| item.offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path;

    codes! {
        /// First line
        /// and second.
        ///
        /// What to do.
        MILD = "TST0001" "mild" Info;
        /// Bad.
        BAD = "TST0002" "bad" Error;
    }

    #[test]
    fn codes_carry_their_doc_comment_as_why() {
        assert_eq!(CODES.len(), 2);
        assert_eq!(MILD.why(), "First line and second. What to do.");
    }

    #[test]
    fn repeats_become_a_count_at_the_first_place() {
        let mut report = Report::default();
        for index in [3, 12] {
            report.push(Diagnostic::new(&BAD, path!("joints", index, "parent"), "x"));
        }
        report.push(Diagnostic::new(&BAD, path!("joints", 1, "name"), "x"));
        assert_eq!(report.items().len(), 2);
        assert_eq!(report.items()[0].count, 2);
        assert_eq!(report.items()[0].path, path!("joints", 3, "parent"));
    }

    #[test]
    fn the_worst_severity_survives_the_bound() {
        let mut report = Report::new(ReportOptions { max_items: 1, repeats: Repeats::Keep });
        report.push(Diagnostic::new(&MILD, path!("a"), "x"));
        report.push(Diagnostic::new(&BAD, path!("b"), "x").times(5));
        assert_eq!(report.items().len(), 1);
        assert_eq!(report.left_out(), 5);
        assert_eq!(report.worst(), Some(Severity::Error));
    }
}
