//! Nothing unwinds into C, and every call that can fail says why.

use crate::error::{MaquetteStatus, Why, forget, or_null, tell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work; where it fails because of a mistake of our own, says so and gives this instead.
pub fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        tell(Why::new(MaquetteStatus::Internal, "a mistake in maquette itself; please report it with the file"));
        otherwise
    })
}

/// Work that gives a status.
pub fn status(work: impl FnOnce() -> Result<(), Why>) -> MaquetteStatus {
    forget();
    guarded(MaquetteStatus::Internal, || work().map_or_else(tell, |()| MaquetteStatus::Ok))
}

/// Work that is done or not.
pub fn done(work: impl FnOnce() -> Result<(), Why>) -> bool {
    status(work) == MaquetteStatus::Ok
}

/// Work that finds something, or null.
pub fn pointer<T>(work: impl FnOnce() -> Result<*const T, Why>) -> *const T {
    forget();
    guarded(std::ptr::null(), || or_null(work()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::maquette_last_error;
    use std::ffi::CStr;

    #[test]
    #[allow(clippy::panic)]
    fn a_panic_is_a_status() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let seen = status(|| panic!("oh"));
        std::panic::set_hook(hook);
        assert_eq!(seen, MaquetteStatus::Internal);
        // SAFETY: it is never null.
        let said = || unsafe { CStr::from_ptr(maquette_last_error()) };
        assert!(said().to_str().unwrap_or_default().contains("mistake in maquette"));
        assert!(done(|| Ok(())) && said().is_empty());
    }
}
