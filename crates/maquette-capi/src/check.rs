//! Every finding about a file, with its place.

use crate::error::{MaquetteStatus, Why};
use crate::guard::{done, guarded, pointer, status};
use crate::pointers::{borrow, copy_of, give, hand_out, handle, nth, path, take, text};
use crate::text::Text;
use maquette::Input;
use maquette::check::{Checked, Finding, check};
use std::ffi::c_char;
use std::ptr::null_mut;

/// What was found in a file.
pub struct MaquetteReport {
    is_ok: bool,
    format: Text,
    texts: Vec<[Text; 5]>,
    rows: Vec<(MaquetteSeverity, i64, u64)>,
}

/// How bad a finding is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteSeverity {
    /// Worth knowing; nothing is wrong.
    Info = 0,
    /// Against the rules of the format, but readers cope or differ.
    Warning = 1,
    /// A reader that trusts the file misbehaves.
    Error = 2,
}

/// One finding.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteFinding {
    /// `AEM0045`; empty where no format knows the file.
    pub code: *const c_char,
    /// `joint-parent-out-of-range`
    pub name: *const c_char,
    /// How bad it is.
    pub severity: MaquetteSeverity,
    /// Where, in bytes; -1 for what lies outside the file.
    pub offset: i64,
    /// Where, by name: `joints[12].parent`; empty for the file as a whole.
    pub path: *const c_char,
    /// What was found.
    pub message: *const c_char,
    /// What would be valid; empty where that goes without saying.
    pub expected: *const c_char,
    /// How often; the place is that of the first.
    pub count: u64,
}

impl MaquetteReport {
    fn new(checked: &Checked) -> MaquetteReport {
        let texts = |finding: &Finding| {
            let expected = finding.expected.as_deref().unwrap_or_default();
            [finding.code, finding.name, &finding.path, &finding.message, expected].map(Text::new)
        };
        let row = |finding: &Finding| {
            let severity = match finding.severity {
                "error" => MaquetteSeverity::Error,
                "warning" => MaquetteSeverity::Warning,
                _ => MaquetteSeverity::Info,
            };
            let offset = finding.offset.and_then(|offset| i64::try_from(offset).ok()).unwrap_or(-1);
            (severity, offset, finding.count)
        };
        // What no format knows has no rule that it breaks, and so no code.
        let unread = || checked.error.iter();
        let found = || checked.diagnostics.iter();
        MaquetteReport {
            is_ok: checked.ok,
            format: Text::new(checked.format.unwrap_or_default()),
            texts: found().map(texts).chain(unread().map(|why| ["", "", "", why, ""].map(Text::new))).collect(),
            rows: found().map(row).chain(unread().map(|_| (MaquetteSeverity::Error, -1, 1))).collect(),
        }
    }
}

fn report(input: &Input, place: *mut *mut MaquetteReport) -> Result<(), Why> {
    let checked = check(input, None, Default::default());
    // SAFETY: the caller gives room for a pointer.
    unsafe { give(place, hand_out(MaquetteReport::new(&checked))) }
}

/// Checks a regular file of any format against its rules. A file that breaks them is no failure of the call: the report says so. Nor is one of no format that is known: it has one finding, without a
/// code. The report is freed with `maquette_free_report`; where the call fails, `report` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_check(path: *const c_char, report: *mut *mut MaquetteReport) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let path = unsafe {
            give(report, null_mut())?;
            self::path(path, "the path")?
        };
        self::report(&Input::from_path_in_memory(path)?, report)
    })
}

/// Checks a file that is in memory. `name` is what it is called; it may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_check_memory(
    name: *const c_char,
    data: *const u8,
    size: usize,
    report: *mut *mut MaquetteReport,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (name, data) = unsafe {
            give(report, null_mut())?;
            (text(name, "the name")?, copy_of(data, size)?)
        };
        self::report(&Input::from_bytes(name.unwrap_or_default(), data), report)
    })
}

/// Frees a report; null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_free_report(report: *mut MaquetteReport) {
    // SAFETY: what the library's page asks for.
    guarded((), || drop(unsafe { take(report) }));
}

/// Whether nothing worse than an info was found, and the file could be read to its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_report_is_ok(report: *const MaquetteReport) -> bool {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(report) }.is_some_and(|report| report.is_ok)
}

/// The id of the format that the file was taken for; empty if none claims it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_report_format(report: *const MaquetteReport) -> *const c_char {
    // SAFETY: what the library's page asks for.
    pointer(|| Ok(unsafe { handle(report, "the report") }?.format.as_ptr()))
}

/// How many findings there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_finding_count(report: *const MaquetteReport) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(report) }.map_or(0, |report| report.texts.len())
}

/// Writes a finding, in the order of the file; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_finding(report: *const MaquetteReport, at: usize, out: *mut MaquetteFinding) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let report = unsafe { handle(report, "the report") }?;
        let &(severity, offset, count) = nth(&report.rows, at, "finding")?;
        let [code, name, path, message, expected] = nth(&report.texts, at, "finding")?.each_ref().map(Text::as_ptr);
        let made = MaquetteFinding { code, name, severity, offset, path, message, expected, count };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}
