//! How a call went, and what the thread was told last.

use crate::text::Text;
use maquette::Error;
use std::cell::RefCell;
use std::ffi::c_char;

/// How a call went.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteStatus {
    /// All is well.
    Ok = 0,
    /// The system refused: no such file, no permission, a full disk.
    Io = 1,
    /// The file's bytes could not be understood.
    Malformed = 2,
    /// The scene cannot be written in this format, or takes more than a limit allows.
    CannotHold = 3,
    /// An argument is null or out of range, or names no format, dialect or clip.
    Argument = 4,
    /// A mistake of the library's own.
    Internal = 5,
}

thread_local! {
    static LAST: RefCell<Text> = RefCell::new(Text::new(""));
}

/// Remembers what a call has to say.
pub(crate) fn told(status: MaquetteStatus, why: String) -> MaquetteStatus {
    LAST.with(|last| last.replace(Text::new(&why)));
    status
}

/// What went wrong last in this thread, in words: what, where and what would be right. Never null; it lives until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn maquette_last_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
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

/// The status that an error of the toolkit is.
pub(crate) fn failure(error: Error) -> (MaquetteStatus, String) {
    let status = match &error {
        Error::Io { .. } => MaquetteStatus::Io,
        Error::Read { .. } => MaquetteStatus::Malformed,
        Error::Write { .. } | Error::Fit { .. } | Error::TooMuch(_) | Error::LargeImage { .. } | Error::Size { .. } => {
            MaquetteStatus::CannotHold
        }
        _ => MaquetteStatus::Argument,
    };
    (status, error.to_string())
}

/// Something is null or out of range.
pub(crate) fn argument(why: &str) -> (MaquetteStatus, String) {
    (MaquetteStatus::Argument, why.to_owned())
}
