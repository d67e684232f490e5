//! Every finding about a file: the fields of `maquette check --json`. What was just written is looked at in memory, for warnings and errors.

use crate::{Error, Input, Output};
use maquette_formats::format::{self, Format, Formats, Resources, Source};
use maquette_scene::diag::{Diagnostic, Report, ReportOptions, Severity};
use serde::Serialize;
use std::borrow::Cow;

/// The verdict on one file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Checked {
    /// The file as it was named.
    pub file: String,
    /// The format's id; null if none claims the file, by its bytes or by its ending.
    pub format: Option<&'static str>,
    /// The dialect's id; null if the file could not be read.
    pub dialect: Option<&'static str>,
    /// Whether nothing worse than an info was found.
    pub ok: bool,
    /// Whether the file could be read to its end.
    pub readable: bool,
    /// What was found, in file order.
    pub diagnostics: Vec<Finding>,
    /// Findings beyond the bound on their number.
    pub left_out: u64,
    /// Why the file could not be read, where no finding says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// `AEM0045`
    pub code: &'static str,
    /// `joint-parent-out-of-range`
    pub name: &'static str,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// Where, in bytes; null for what lies outside the file.
    pub offset: Option<u64>,
    /// Where, by name; empty for the file as a whole.
    pub path: String,
    /// What was found.
    pub message: String,
    /// What would be valid.
    pub expected: Option<String>,
    /// How often; the place is that of the first.
    pub count: u64,
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        Finding {
            code: diagnostic.code.id,
            name: diagnostic.code.name,
            severity: diagnostic.severity().word(),
            offset: diagnostic.offset,
            path: diagnostic.path.to_string(),
            message: diagnostic.message.clone(),
            expected: diagnostic.expected.clone(),
            count: diagnostic.count,
        }
    }
}

impl Checked {
    /// The verdict on a file of which there are not even bytes.
    pub fn unreadable(file: &str, error: &Error) -> Checked {
        Checked { error: Some(error.to_string()), ..Checked::nothing_of(file) }
    }

    fn nothing_of(file: &str) -> Checked {
        Checked {
            file: file.to_owned(),
            format: None,
            dialect: None,
            ok: false,
            readable: false,
            diagnostics: Vec::new(),
            left_out: 0,
            error: None,
        }
    }
}

/// Reads and checks a file. A file that cannot be read is a verdict too, not an error.
pub fn check(input: &Input, dialect: Option<&str>, options: ReportOptions) -> Checked {
    let mut checked = Checked::nothing_of(&input.label);
    match input.open_or_tell(dialect) {
        Ok(opened) => {
            let mut report = Report::new(options);
            format::check(&*opened.file, &input.source(), &mut report);
            checked.format = Some(opened.format.id);
            checked.dialect = Some(opened.file.dialect());
            checked.ok = report.worst().is_none_or(|worst| worst == Severity::Info);
            checked.readable = true;
            checked.diagnostics = report.items().iter().map(Finding::from).collect();
            checked.left_out = report.left_out();
        }
        Err((format, error)) => {
            checked.format = format.map(|format| format.id);
            match error.diagnostic() {
                Some(diagnostic) => checked.diagnostics.push(diagnostic.into()),
                None => checked.error = Some(error.to_string()),
            }
        }
    }
    checked
}

/// A warning or an error about one of the files of an output.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OutputFinding {
    /// The name of the file it is about: the output itself, or a companion file.
    pub file: String,
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What the rules of their formats say against the files of an output, infos left out.
pub(crate) fn warnings(output: &Output) -> Vec<OutputFinding> {
    let main = (output.format, output.name.as_str(), output.main.as_slice());
    let companions = output.companions.iter().filter_map(|(name, bytes)| {
        // What another program is to read is not judged here.
        Some((Formats::default().by_file_name(name)?, name.as_str(), bytes.as_slice()))
    });
    let resources = &Companions(&output.companions);
    let of_file = |(format, name, bytes): (&Format, &str, &[u8])| {
        let found = match (format.open)(bytes, None) {
            Ok(file) => {
                let mut report = Report::default();
                format::check(&*file, &Source { name, resources }, &mut report);
                report.items().iter().filter(|found| found.severity() > Severity::Info).map(Finding::from).collect()
            }
            Err(error) => Vec::from_iter(error.diagnostic().map(Finding::from)),
        };
        let file = name.to_owned();
        found.into_iter().map(move |finding| OutputFinding { file: file.clone(), finding })
    };
    [main].into_iter().chain(companions).flat_map(of_file).collect()
}

/// The companion files of an output.
struct Companions<'o>(&'o [(String, Vec<u8>)]);

impl Resources for Companions<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let (_, bytes) = self.0.iter().find(|(known, _)| known == name)?;
        Some(Cow::Borrowed(bytes))
    }
}
