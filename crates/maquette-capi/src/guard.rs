//! Nothing unwinds into C.

use crate::error::{MaquetteStatus, told};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work; where it fails because of a mistake of our own, says so and gives this instead.
pub fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        told(MaquetteStatus::Internal, "a mistake in maquette itself; please report it with the file".to_owned());
        otherwise
    })
}

/// The same, for work that may fail.
pub fn status(work: impl FnOnce() -> Result<(), (MaquetteStatus, String)>) -> MaquetteStatus {
    guarded(MaquetteStatus::Internal, || match work() {
        Ok(()) => MaquetteStatus::Ok,
        Err((status, why)) => told(status, why),
    })
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
        let said = unsafe { CStr::from_ptr(maquette_last_error()) };
        assert!(said.to_str().unwrap_or_default().contains("mistake in maquette"));
    }
}
