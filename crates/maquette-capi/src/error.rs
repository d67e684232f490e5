//! How a call went, and what the thread was told last.

use crate::text::Text;
use maquette::Error;
use std::cell::RefCell;
use std::ffi::c_char;
use std::io::ErrorKind;
use std::ptr::null;

/// How a call went.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteStatus {
    /// All is well.
    Ok = 0,
    /// The system refused: no such file, no permission, a full disk; or it is no regular file.
    Io = 1,
    /// The file's bytes could not be understood.
    Malformed = 2,
    /// The scene cannot be written in this format, or takes more than a limit allows.
    CannotHold = 3,
    /// An argument is null or out of range, or names no format, dialect or clip.
    Argument = 4,
    /// A mistake of the library's own.
    Internal = 5,
    /// There is no memory for the bytes of a file.
    OutOfMemory = 6,
}

/// Why a call failed.
#[derive(Debug)]
pub struct Why {
    status: MaquetteStatus,
    message: String,
    place: Option<Place>,
}

/// The finding that stopped it.
#[derive(Debug)]
struct Place {
    code: &'static str,
    offset: Option<u64>,
    path: String,
}

impl Why {
    pub(crate) fn new(status: MaquetteStatus, message: impl Into<String>) -> Why {
        Why { status, message: message.into(), place: None }
    }
}

/// Something is null or out of range.
pub(crate) fn argument(why: impl Into<String>) -> Why {
    Why::new(MaquetteStatus::Argument, why)
}

impl From<Error> for Why {
    fn from(error: Error) -> Why {
        let status = match &error {
            Error::Io { source, .. } if source.kind() == ErrorKind::OutOfMemory => MaquetteStatus::OutOfMemory,
            Error::Io { .. } => MaquetteStatus::Io,
            Error::Read { .. } => MaquetteStatus::Malformed,
            Error::Write { .. }
            | Error::Fit { .. }
            | Error::TooMuch(_)
            | Error::LargeImage { .. }
            | Error::Size { .. } => MaquetteStatus::CannotHold,
            _ => MaquetteStatus::Argument,
        };
        let finding = match &error {
            Error::Read { source, .. } => source.diagnostic(),
            _ => None,
        };
        let place = finding.map(|finding| Place {
            code: finding.code.id,
            offset: finding.offset,
            path: finding.path.to_string(),
        });
        Why { status, message: in_words_of_c(&error.to_string()), place }
    }
}

/// What the command calls an option, and what it is here.
const WORDS: [(&str, &str); 7] = [
    ("use --force", "set `overwrite`"),
    ("--scale ", "a `scale` of "),
    ("--max-size", "`max_texture_size`"),
    ("--dialect ", "`dialect` "),
    ("--bone-map, --strip-prefix and --ignore-namespace", "`bone_map`, `prefixes` and `ignore_namespaces`"),
    ("convert the model it is for, with --clip ", "load the model it is for, and see maquette_apply_clips for "),
    ("(--list)", "one by one"),
];

fn in_words_of_c(message: &str) -> String {
    if !message.contains("--") {
        return message.to_owned();
    }
    WORDS.iter().fold(message.to_owned(), |message, (command, here)| message.replace(command, here))
}

/// What is remembered, as text that C can read.
struct Told {
    status: MaquetteStatus,
    message: Text,
    code: Text,
    path: Text,
    offset: i64,
}

thread_local! {
    static LAST: RefCell<Option<Told>> = const { RefCell::new(None) };
}

/// Forgets what was told: a call begins.
pub(crate) fn forget() {
    LAST.with(|last| last.take());
}

/// Remembers what a call has to say.
pub(crate) fn tell(why: Why) -> MaquetteStatus {
    let (code, path, offset) = match &why.place {
        Some(place) => (place.code, place.path.as_str(), place.offset),
        None => ("", "", None),
    };
    let told = Told {
        status: why.status,
        message: Text::new(&why.message),
        code: Text::new(code),
        path: Text::new(path),
        offset: offset.and_then(|offset| i64::try_from(offset).ok()).unwrap_or(-1),
    };
    LAST.with(|last| last.replace(Some(told)));
    why.status
}

/// Why the last call of this thread failed that gives a status, true or false, or a pointer, in words: what, where and what would be right. Empty where it succeeded. Never null; it lives until the
/// next such call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn maquette_last_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ref().map_or(c"".as_ptr(), |told| told.message.as_ptr()))
}

/// Why a call failed, with the place in the file, if that is what was wrong. Text lives until the next call of this thread that gives a status, true or false, or a pointer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteError {
    /// How it went.
    pub status: MaquetteStatus,
    /// The rule that is broken: `AEM0001`; empty where no rule of a format has to do with it.
    pub code: *const c_char,
    /// Where in the file, in bytes; -1 for no place in it.
    pub offset: i64,
    /// Where in the file, by name: `header.magic`; may be empty.
    pub path: *const c_char,
    /// What `maquette_last_error` says.
    pub message: *const c_char,
}

/// Writes why the last call of this thread failed that gives a status, true or false, or a pointer; false where it succeeded, and all is empty then. This call itself changes nothing of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_error(out: *mut MaquetteError) -> bool {
    LAST.with(|last| {
        let last = last.borrow();
        let empty = c"".as_ptr();
        let mut made =
            MaquetteError { status: MaquetteStatus::Ok, code: empty, offset: -1, path: empty, message: empty };
        if let Some(told) = &*last {
            let [code, path, message] = [&told.code, &told.path, &told.message].map(Text::as_ptr);
            made = MaquetteError { status: told.status, code, offset: told.offset, path, message };
        }
        // SAFETY: what the library's page asks for.
        unsafe { crate::pointers::put(out, made) };
        last.is_some()
    })
}

/// The version of the library: `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn maquette_version() -> *const c_char {
    const VERSION: &std::ffi::CStr =
        match std::ffi::CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// A pointer, or null and why.
pub(crate) fn or_null<T>(found: Result<*const T, Why>) -> *const T {
    found.unwrap_or_else(|why| {
        tell(why);
        null()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_the_command() {
        let error = Error::Size { factor: 2.0, size: 1e39_f64 as f32 };
        let why = Why::from(error);
        assert!(!why.message.contains("--") && why.message.contains("a `scale` of"), "{}", why.message);
    }
}
