//! Every finding about a file, with its place.

use crate::error::{MaquetteStatus, argument, failure};
use crate::guard::{guarded, status};
use crate::pointers::{borrow, bytes, hand_out, put, take, text};
use crate::text::Text;
use maquette::Input;
use maquette::check::{Checked, Finding, check};
use std::ffi::c_char;

/// What was found in a file.
pub struct MaquetteReport {
    checked: Checked,
    format: Text,
    texts: Vec<[Text; 5]>,
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
    /// `AEM0045`
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
    fn new(checked: Checked) -> MaquetteReport {
        let texts = |finding: &Finding| {
            let expected = finding.expected.as_deref().unwrap_or_default();
            [finding.code, finding.name, &finding.path, &finding.message, expected].map(Text::new)
        };
        MaquetteReport {
            format: Text::new(checked.format.unwrap_or_default()),
            texts: checked.diagnostics.iter().map(texts).collect(),
            checked,
        }
    }
}

fn report(input: &Input, place: *mut *mut MaquetteReport) -> Result<(), (MaquetteStatus, String)> {
    let checked = check(input, None, Default::default());
    if let Some(error) = &checked.error {
        return Err((MaquetteStatus::Malformed, error.clone()));
    }
    // SAFETY: the caller gives room for a pointer.
    unsafe { put(place, hand_out(MaquetteReport::new(checked))) };
    Ok(())
}

/// Checks a file of any format against its rules. A file that breaks them is no failure of the call: the report says so. It is freed with `maquette_free_report`; where the
/// call fails, `report` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_check(path: *const c_char, out: *mut *mut MaquetteReport) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (path, has_room) = unsafe { (text(path), put(out, std::ptr::null_mut())) };
        let path = path
            .filter(|_| has_room)
            .ok_or_else(|| argument("the path is null or no UTF-8, or there is no room for the report"))?;
        report(&Input::from_path_in_memory(path).map_err(failure)?, out)
    })
}

/// Checks a file that is in memory. `name` is what it is called; it may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_check_memory(
    name: *const c_char,
    data: *const u8,
    size: usize,
    out: *mut *mut MaquetteReport,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (name, data, has_room) = unsafe { (text(name), bytes(data, size), put(out, std::ptr::null_mut())) };
        let data = data
            .filter(|_| has_room)
            .ok_or_else(|| argument("there are no bytes, or there is no room for the report"))?;
        report(&Input::from_bytes(name.unwrap_or_default(), data.to_vec()), out)
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
    unsafe { borrow(report) }.is_some_and(|report| report.checked.ok)
}

/// The id of the format that the file was taken for; empty if none claims it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_report_format(report: *const MaquetteReport) -> *const c_char {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(report) }.map_or(std::ptr::null(), |report| report.format.as_ptr())
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
    // SAFETY: what the library's page asks for.
    let Some(report) = (unsafe { borrow(report) }) else { return false };
    let (Some(finding), Some(texts)) = (report.checked.diagnostics.get(at), report.texts.get(at)) else { return false };
    let [code, name, path, message, expected] = texts.each_ref().map(Text::as_ptr);
    let severity = match finding.severity {
        "error" => MaquetteSeverity::Error,
        "warning" => MaquetteSeverity::Warning,
        _ => MaquetteSeverity::Info,
    };
    let offset = finding.offset.and_then(|offset| i64::try_from(offset).ok()).unwrap_or(-1);
    let made = MaquetteFinding { code, name, severity, offset, path, message, expected, count: finding.count };
    // SAFETY: as above.
    unsafe { put(out, made) }
}
