//! `maquette check`: every finding.

use super::{print_json, printing};
use crate::args::CheckArgs;
use crate::complain::complain;
use crate::terminal::{is_quiet, output};
use crate::{Verdict, style};
use maquette::check::{Checked, Finding, check};
use maquette::scene::diag::{Repeats, ReportOptions};
use maquette::scene::path::shortened;
use maquette::{Input, Result};
use std::io::{self, Write};

pub fn run(args: &CheckArgs) -> Result<Verdict> {
    let repeats = if args.each { Repeats::Keep } else { Repeats::Merge };
    let options = ReportOptions { max_items: usize::try_from(args.most).unwrap_or(usize::MAX).max(1), repeats };
    let mut out = output(args.json);
    let mut worst = Verdict::Fine;
    for file in &args.files {
        worst = worst.max(match Input::from_path(file) {
            Ok(input) => {
                let checked = check(&input, args.reading.dialect.as_deref(), options);
                match args.json {
                    true => print_json(&mut out, &checked)?,
                    false => write_text(&mut out, &checked).map_err(printing)?,
                }
                match (checked.readable, checked.ok) {
                    (false, _) => Verdict::Failed,
                    (true, false) => Verdict::Findings,
                    (true, true) => Verdict::Fine,
                }
            }
            // It has a record too, so that there is one for each.
            Err(error) => {
                complain(&error);
                if args.json {
                    print_json(&mut out, &Checked::unreadable(&file.display().to_string(), &error))?;
                }
                Verdict::Failed
            }
        });
        out.flush().map_err(printing)?;
    }
    Ok(worst)
}

/// The verdict and every finding; of a quiet run, errors alone.
fn write_text(out: &mut impl Write, checked: &Checked) -> io::Result<()> {
    let what = match (checked.format, checked.dialect) {
        (Some(format), Some(dialect)) => format!("{format}, dialect {dialect}"),
        (Some(format), None) => format!("{format}, cannot be read"),
        _ => "cannot be read".into(),
    };
    let told: Vec<&Finding> =
        checked.diagnostics.iter().filter(|finding| !is_quiet() || finding.severity == "error").collect();
    if is_quiet() && told.is_empty() && checked.readable && checked.left_out == 0 {
        return Ok(());
    }
    let verdict = verdict(&told, checked.readable).map_or_else(String::new, |verdict| format!(": {verdict}"));
    writeln!(out, "{}: {what}{verdict}", style::bold(&checked.file))?;
    for finding in told {
        write_finding(out, finding)?;
    }
    if let Some(error) = &checked.error {
        writeln!(out, "  {error}")?;
    }
    if checked.left_out > 0 {
        writeln!(out, "  … {} more; --most raises the bound", checked.left_out)?;
    }
    Ok(())
}

/// How many findings of each severity there are; `None` where that does not say what is wrong.
fn verdict(findings: &[&Finding], readable: bool) -> Option<String> {
    let count = |word: &str| findings.iter().filter(|finding| finding.severity == word).count();
    let counts = [("error", count("error")), ("warning", count("warning")), ("info", count("info"))];
    let words: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|&(word, count)| format!("{count} {word}{}", if count == 1 { "" } else { "s" }))
        .collect();
    match words.is_empty() {
        true => readable.then(|| "no findings".into()),
        false => Some(words.join(", ")),
    }
}

/// One finding in two lines: what and how often, then where and why.
pub fn write_finding(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    let times = if finding.count > 1 { format!("  ×{}", finding.count) } else { String::new() };
    writeln!(out, "  {} {} {}{times}", style::severity(finding.severity), style::bold(finding.code), finding.name)?;
    let place = finding.offset.map(|offset| format!("at {offset:#x}"));
    let path = shortened(&finding.path);
    let place: Vec<&str> =
        [&*path, place.as_deref().unwrap_or_default()].into_iter().filter(|part| !part.is_empty()).collect();
    let expected = finding.expected.as_ref().map(|expected| format!("; expected {expected}")).unwrap_or_default();
    writeln!(out, "    {}: {}{expected}", place.join(" "), finding.message)
}
