//! What was lost, in as few lines as say it, and what the format's rules say against the output.

use crate::args::ConvertArgs;
use crate::style;
use crate::terminal::errors;
use maquette::check::OutputFinding;
use maquette::convert::{ConversionReport, LossRow};
use maquette::note::NoteKind;
use std::collections::HashMap;
use std::io::{self, Write};

/// Whether `--strict` forbids a loss.
pub fn is_forbidden(row: &LossRow, args: &ConvertArgs) -> bool {
    args.strict.as_ref().is_some_and(|kinds| kinds.iter().any(|kind| kind == row.kind))
}

/// A refusal is said as errors are, because what was asked for is not there: which loss it was, and how many more.
pub fn refused(report: &ConversionReport, args: &ConvertArgs) {
    let forbidden: Vec<&LossRow> = report.losses.iter().filter(|row| is_forbidden(row, args)).collect();
    let first = forbidden.first().map(|row| format!("{} {}", row.kind, told(&[row]))).unwrap_or_default();
    let more = match forbidden.len() {
        0 | 1 => String::new(),
        2 => "; and 1 more loss".into(),
        count => format!("; and {} more losses", count - 1),
    };
    let words = "was not written, because --strict forbids:";
    // Nobody is left to tell.
    drop(writeln!(errors(), "{} {} {words} {first}{more}", style::error("refused:"), report.output));
}

/// What became of one file of many.
pub fn write_line(out: &mut impl Write, report: &ConversionReport) -> io::Result<()> {
    let whats = different(report.losses.iter().map(|loss| loss.what));
    let losses = match report.losses.len() {
        0 => "nothing is lost".to_owned(),
        1 => format!("1 loss ({})", listed(&whats, ", ")),
        count => format!("{count} losses ({})", listed(&whats, ", ")),
    };
    let codes = different(report.findings.iter().map(|found| found.finding.code));
    let findings = match report.findings.len() {
        0 => String::new(),
        1 => format!(", 1 finding ({})", listed(&codes, ", ")),
        count => format!(", {count} findings ({})", listed(&codes, ", ")),
    };
    let not = if report.written { "" } else { " (not written)" };
    let unselected = unselected(report).map_or_else(String::new, |what| format!("; not selected: {what}"));
    writeln!(out, "{} → {}{not}: {losses}{findings}{unselected}", report.input, report.output)?;
    write_warnings(out, report)
}

/// What may be a mistake, and how bones without names were matched.
fn write_warnings(out: &mut impl Write, report: &ConversionReport) -> io::Result<()> {
    report.notes.iter().filter(|note| note.kind != NoteKind::Unselected).try_for_each(|note| {
        let word = if note.kind.is_warning() { "warning:" } else { "note:" };
        writeln!(out, "{} {note}", style::severity(word))
    })
}

/// What a selection left out.
fn unselected(report: &ConversionReport) -> Option<String> {
    let notes = report.notes.iter().filter(|note| note.kind == NoteKind::Unselected);
    let subjects = different(notes.map(|note| note.subject.as_str()));
    (!subjects.is_empty()).then(|| listed(&subjects, ", "))
}

/// The losses of a conversion, what `check` finds in the output, what optimizing gained, and what was written.
pub fn write(out: &mut impl Write, report: &ConversionReport, is_dry: bool) -> io::Result<()> {
    write_warnings(out, report)?;
    if let Some(what) = unselected(report) {
        writeln!(out, "  {} {what}", style::bold("not selected"))?;
    }
    for group in grouped(&report.losses) {
        let kind = group.first().map_or("", |first| first.kind);
        writeln!(out, "  {} {}", style::bold(kind), told(&group))?;
    }
    for found in &report.findings {
        writeln!(out, "  {} {}", style::severity(found.finding.severity), judged(found))?;
    }
    if !report.left_behind.is_empty() {
        let left: Vec<&str> = report.left_behind.iter().map(String::as_str).collect();
        writeln!(out, "  left from an earlier conversion? {} is not part of the output", listed(&left, ", "))?;
    }
    for figure in &report.figures {
        let (before, after) = (number(figure.before), number(figure.after));
        // Every figure is a cost, and an order is taken for all of them together.
        let worse =
            if figure.after > figure.before && before != after { ", worse; the others outweigh it" } else { "" };
        writeln!(out, "  {}: {before} → {after}{worse}", figure.what)?;
    }
    let lost = if report.losses.is_empty() { "nothing is lost" } else { "the losses are above" };
    let is = match (report.written, is_dry) {
        (true, _) => "is",
        (false, true) => "would be",
        (false, false) => "was not written; it would be",
    };
    let avoided = match report.avoided.as_slice() {
        [] => String::new(),
        kept => format!(", because the document's dialect would lose {}", kept.join(", ")),
    };
    let (output, format, dialect) = (&report.output, report.format, &report.dialect);
    writeln!(out, "{output} {is} {format} {dialect}{avoided}, read by {}; {lost}", report.read_by)
}

/// A finding as one line, but for its severity.
fn judged(OutputFinding { file, finding, .. }: &OutputFinding) -> String {
    let times = if finding.count > 1 { format!(" ×{}", finding.count) } else { String::new() };
    let place = if finding.path.is_empty() { file.clone() } else { format!("{} of {file}", finding.path) };
    let expected = finding.expected.as_ref().map(|expected| format!("; expected {expected}")).unwrap_or_default();
    format!("{} {}{times} in {place}: {}{expected}", finding.code, finding.name, finding.message)
}

/// Losses of one kind and of one thing together, in the order of the first of each.
fn grouped(losses: &[LossRow]) -> Vec<Vec<&LossRow>> {
    let mut groups: Vec<Vec<&LossRow>> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for loss in losses {
        let place = *places.entry((loss.kind, loss.what)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(loss),
            None => groups.push(vec![loss]),
        }
    }
    groups
}

/// Objects, and different details, that are told before the rest is counted.
const TOLD: usize = 3;

/// A group of losses as one line, but for its kind.
fn told(group: &[&LossRow]) -> String {
    let Some(first) = group.first() else { return String::new() };
    let count: u64 = group.iter().map(|row| row.count).sum();
    let times = if count > 1 { format!(" ×{count}") } else { String::new() };
    let mut line = format!("{}{times}", first.what);
    let subjects = different(group.iter().map(|row| row.subject.as_str()));
    match subjects.len() {
        0 => {}
        _ => line += &format!(" of {}", listed(&subjects, ", ")),
    }
    let details = details(group);
    let details: Vec<&str> = details.iter().map(String::as_str).collect();
    match details.len() {
        0 => {}
        _ => line += &format!(": {}", listed(&details, "; ")),
    }
    line
}

/// What is said of a group, each sentence once: of those that differ in numbers alone, the one of the largest error, or the first where there are no errors.
fn details(group: &[&LossRow]) -> Vec<String> {
    let mut sentences: Vec<(String, Vec<&LossRow>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for row in group.iter().filter(|row| !row.detail.is_empty()) {
        let sentence = without_numbers(&row.detail);
        let place = *places.entry(sentence.clone()).or_insert(sentences.len());
        match sentences.get_mut(place) {
            Some((_, rows)) => rows.push(row),
            None => sentences.push((sentence, vec![row])),
        }
    }
    let one = |rows: Vec<&LossRow>| {
        let Some(first) = rows.first() else { return String::new() };
        if rows.iter().all(|row| row.detail == first.detail) {
            return first.detail.clone();
        }
        let error = |row: &&&LossRow| row.max_error.unwrap_or(0.0);
        let worst = rows.iter().rev().max_by(|a, b| error(a).total_cmp(&error(b))).unwrap_or(first);
        match worst.max_error {
            Some(_) => format!("at worst, {}", worst.detail),
            None => format!("{}, and the like", first.detail),
        }
    };
    sentences.into_iter().map(|(_, rows)| one(rows)).collect()
}

/// A sentence with every number as `0`. What is quoted is a name and stays.
fn without_numbers(text: &str) -> String {
    let mut shape = String::with_capacity(text.len());
    let mut is_quoted = false;
    for letter in text.chars() {
        is_quoted ^= letter == '"';
        match letter.is_ascii_digit() && !is_quoted {
            true if shape.ends_with('0') => {}
            true if shape.ends_with("0.") => drop(shape.pop()),
            true => shape.push('0'),
            false => shape.push(letter),
        }
    }
    shape
}

/// Texts that are there, each once, in order.
fn different<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = std::collections::HashSet::new();
    texts.filter(|text| !text.is_empty() && seen.insert(*text)).collect()
}

fn listed(texts: &[&str], between: &str) -> String {
    let told = texts.get(..TOLD).unwrap_or(texts).join(between);
    match texts.len().saturating_sub(TOLD) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// A count as it is, a ratio with two places.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value >= 10.0 { value.to_string() } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::scene::loss::{LossKind, LossReport, Lost};

    #[test]
    fn ninety_materials_are_one_line() {
        let mut losses = LossReport::default();
        for index in 0..90 {
            losses.dropped(Lost::Emission, format!("material {index}"), format!("[{index}] becomes [0]"), 1);
        }
        losses.push(LossKind::Baked, Lost::Emission, "material 3", "", 1);
        let rows: Vec<LossRow> = losses.iter().map(LossRow::from).collect();
        let lines: Vec<String> = grouped(&rows).iter().map(|group| told(group)).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines[0],
            "emission ×90 of material 0, material 1, material 2 and 87 more: \
             [0] becomes [0], and the like"
        );
    }

    #[test]
    fn the_worst_error_of_a_group_is_said_once() {
        let mut losses = LossReport::default();
        for (index, error) in [0.002, 0.031, 0.004, 0.003].into_iter().enumerate() {
            let kind = LossKind::Approximated { max_error: error };
            losses.push(
                kind,
                Lost::Pixels,
                format!("image {index}"),
                format!("in eight bits; off by up to {error}"),
                1,
            );
        }
        losses.push(LossKind::Approximated { max_error: 0.5 }, Lost::Pixels, "image 9", "otherwise", 1);
        let rows: Vec<LossRow> = losses.iter().map(LossRow::from).collect();
        let [group] = &grouped(&rows)[..] else { panic!() };
        assert_eq!(
            told(group),
            "pixels ×5 of image 0, image 1, image 2 and 2 more: at worst, in eight bits; off by up to 0.031; otherwise"
        );
    }

    #[test]
    fn numbers_make_no_other_sentence_and_names_do() {
        assert_eq!(without_numbers("off by 0.25 of 12"), without_numbers("off by 3 of 4.5"));
        assert_ne!(without_numbers(r#"it is "a1" now"#), without_numbers(r#"it is "a2" now"#));
    }
}
