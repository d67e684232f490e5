//! What holds for every format of the table: round trips, codes, faults, and survival of damaged files.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use maquette_formats::format::{self, BUILT_IN, Bundle, Error, Format, Resources, Source};
use maquette_scene::diag::{Report, Severity};
use std::borrow::Cow;
use std::collections::HashSet;

/// The files of a bundle as they would lie in a folder.
struct Folder<'a> {
    name: String,
    bundle: &'a Bundle,
}

impl Resources for Folder<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let named = |(naming, _): &&(format::Naming, Vec<u8>)| naming.apply(&self.name) == name;
        self.bundle.companions.iter().find(named).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
    }
}

fn check(format: &Format, bundle: &Bundle) -> Result<Report, Error> {
    let folder = Folder { name: format!("model.{}", format.extensions[0]), bundle };
    let file = (format.open)(&bundle.main, None)?;
    let mut report = Report::default();
    format::check(&*file, &Source { name: &folder.name, resources: &folder, ..Source::BARE }, &mut report);
    Ok(report)
}

fn samples() -> impl Iterator<Item = (&'static Format, &'static str, Bundle)> {
    BUILT_IN.iter().flat_map(|format| format.dialects.iter().map(move |d| (format, d.id, (format.sample)(d.id))))
}

#[test]
fn samples_are_read_in_their_own_dialect_and_written_back_unchanged() {
    for (format, dialect, bundle) in samples() {
        let opened = BUILT_IN.open(&bundle.main, None).unwrap_or_else(|(_, e)| panic!("{} {dialect}: {e}", format.id));
        assert_eq!(opened.format.id, format.id);
        assert_eq!(opened.file.dialect(), dialect, "{}: {}", format.id, opened.file.evidence());
        assert!(!opened.file.evidence().is_empty());
        assert_eq!(opened.file.encode(), bundle.main, "{} {dialect}", format.id);
        let forced =
            (format.open)(&bundle.main, Some(dialect)).unwrap_or_else(|e| panic!("{} {dialect}: {e}", format.id));
        assert_eq!(forced.encode(), bundle.main);
    }
}

#[test]
fn samples_break_no_rule() {
    for (format, dialect, bundle) in samples() {
        let report = check(format, &bundle).unwrap();
        let findings: Vec<String> = report.items().iter().map(ToString::to_string).collect();
        assert!(report.worst().is_none_or(|worst| worst == Severity::Info), "{} {dialect}: {findings:#?}", format.id);
    }
}

#[test]
fn an_unknown_dialect_is_named_with_the_known_ones() {
    for format in BUILT_IN {
        let bytes = (format.sample)(format.dialects[0].id).main;
        let error = (format.open)(&bytes, Some("no-such")).err().unwrap().to_string();
        assert!(error.contains("no-such") && error.contains(format.dialects[0].id), "{error}");
    }
}

#[test]
fn codes_are_unique_and_carry_their_format() {
    let mut ids = HashSet::new();
    for format in BUILT_IN {
        let mut names = HashSet::new();
        for code in format.codes {
            assert!(ids.insert(code.id), "{} is used twice", code.id);
            assert!(names.insert(code.name), "{} is used twice in {}", code.name, format.id);
            let (prefix, number) = code.id.split_at(code.id.len() - 4);
            assert!(format.id.to_uppercase().starts_with(prefix) && prefix.len() >= 3, "{}", code.id);
            assert!(number.bytes().all(|digit| digit.is_ascii_digit()), "{}", code.id);
        }
        assert!(format.codes.is_sorted_by_key(|code| code.id), "{}", format.id);
    }
}

#[test]
fn every_code_says_what_it_means_and_what_to_do() {
    for code in BUILT_IN.iter().flat_map(|format| format.codes) {
        let paragraphs: Vec<&str> = code.why_lines.split("\n\n").map(str::trim).collect();
        let [meaning, remedy] = paragraphs[..] else {
            panic!("{} has to have two paragraphs, what it means and what to do: {paragraphs:?}", code.id)
        };
        assert!(meaning.len() > 30 && remedy.len() >= 8, "{} explains too little", code.id);
        for paragraph in [meaning, remedy] {
            let begins = paragraph.starts_with(|first: char| first.is_uppercase() || !first.is_alphabetic());
            assert!(begins && paragraph.ends_with('.'), "{}: {paragraph:?}", code.id);
        }
    }
}

#[test]
fn every_code_is_raised_by_its_fault_at_a_known_place() {
    for format in BUILT_IN {
        for code in format.codes {
            assert!(format.faults.iter().any(|fault| fault.code.id == code.id), "{} has no fault", code.id);
        }
        for fault in format.faults {
            let bundle = (fault.make)();
            let findings = match check(format, &bundle) {
                Ok(report) => report.items().to_vec(),
                Err(error) => vec![error.diagnostic().unwrap_or_else(|| panic!("{}: {error}", fault.code.id)).clone()],
            };
            let shown: Vec<String> = findings.iter().map(ToString::to_string).collect();
            let found = findings.iter().find(|finding| finding.code.id == fault.code.id);
            let found = found.unwrap_or_else(|| panic!("{} is not raised: {shown:#?}", fault.code.id));
            assert!(!found.message.is_empty());
            let companions = found.path.to_string().starts_with("companions");
            assert!(found.offset.is_some() || companions, "{} has no offset: {found}", fault.code.id);
            assert!(found.offset.is_none_or(|offset| offset <= bundle.main.len() as u64), "{found}");
        }
    }
}

#[test]
fn paths_of_findings_lead_to_the_byte_they_name() {
    for format in BUILT_IN {
        for fault in format.faults {
            let bundle = (fault.make)();
            let Ok(file) = (format.open)(&bundle.main, None) else { continue };
            let Ok(report) = check(format, &bundle) else { continue };
            for finding in report.items() {
                let (Some(offset), false) = (finding.offset, finding.path.segments().is_empty()) else { continue };
                // An empty table has a place and no bytes; a field found there must begin like the path.
                let Some(found) = maquette_formats::locate::field_at(&*file, offset) else { continue };
                let (found, named) = (found.path.to_string(), finding.path.to_string());
                assert!(
                    found.starts_with(&named) || named.starts_with(&found),
                    "{}: {named} is said to be at {offset:#x}, which is {found}",
                    fault.code.id
                );
            }
        }
    }
}

#[test]
fn every_file_that_is_accepted_is_written_back_unchanged() {
    for format in BUILT_IN {
        for fault in format.faults {
            let bundle = (fault.make)();
            if let Ok(file) = (format.open)(&bundle.main, None) {
                assert_eq!(file.encode(), bundle.main, "{}", fault.code.id);
            }
        }
    }
}

/// Opens, checks and writes back whatever is accepted; says where the trouble is otherwise.
fn survive(bytes: &[u8], what: &dyn Fn() -> String) {
    match BUILT_IN.open(bytes, None) {
        Ok(opened) => {
            assert_eq!(opened.file.encode(), bytes, "{}", what());
            let mut report = Report::default();
            format::check(&*opened.file, &Source::BARE, &mut report);
            opened.file.summary();
        }
        Err((Some(_), error)) => {
            let diagnostic = error.diagnostic().unwrap_or_else(|| panic!("{}: {error}", what()));
            assert!(diagnostic.offset.is_some_and(|offset| offset <= bytes.len() as u64), "{}: {error}", what());
        }
        Err((None, _)) => {}
    }
}

#[test]
fn files_cut_at_any_length_are_survived() {
    for (format, dialect, bundle) in samples() {
        for length in 0..bundle.main.len() {
            survive(&bundle.main[..length], &|| format!("{} {dialect} cut at {length}", format.id));
        }
    }
}

#[test]
fn files_with_any_byte_changed_are_survived() {
    for (format, dialect, bundle) in samples() {
        let mut bytes = bundle.main;
        for at in 0..bytes.len() {
            let was = bytes[at];
            for now in [0, 1, 0x7f, 0x80, 0xff, was.wrapping_add(1), was ^ 0x20] {
                bytes[at] = now;
                survive(&bytes, &|| format!("{} {dialect} with {now:#x} at {at:#x}", format.id));
            }
            bytes[at] = was;
        }
    }
}

#[test]
fn counts_of_four_billion_are_refused_without_allocating() {
    for (format, dialect, bundle) in samples() {
        let mut bytes = bundle.main;
        for at in 0..bytes.len().saturating_sub(4).min(400) {
            let was: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
            for now in [[0xff; 4], [0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0x80]] {
                bytes[at..at + 4].copy_from_slice(&now);
                survive(&bytes, &|| format!("{} {dialect} with {now:x?} at {at:#x}", format.id));
            }
            bytes[at..at + 4].copy_from_slice(&was);
        }
    }
}
