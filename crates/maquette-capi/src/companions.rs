//! Companion files that the program gives.

use maquette::Resources;
use std::borrow::Cow;
use std::ffi::{CString, c_char, c_void};
use std::sync::{Mutex, PoisonError};

/// Gives the bytes of the companion file of this name, which may hold folders, `textures/brick.png`, and writes how many they are; null where there is none. They are copied before it is called again
/// and before the function returns that calls it.
pub type MaquetteCompanion =
    Option<unsafe extern "C" fn(context: *mut c_void, name: *const c_char, size: *mut usize) -> *const u8>;

/// What the program gave, asked by one thread at a time.
pub(crate) struct Companions(Mutex<(MaquetteCompanion, *mut c_void)>);

// SAFETY: the program is asked by one thread at a time, as the header says.
unsafe impl Send for Companions {}
// SAFETY: as above.
unsafe impl Sync for Companions {}

impl Companions {
    pub(crate) fn new(companion: MaquetteCompanion, context: *mut c_void) -> Companions {
        Companions(Mutex::new((companion, context)))
    }
}

impl Resources for Companions {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(companion), context) = *asked else { return None };
        let name = CString::new(name).ok()?;
        let mut size = 0;
        // SAFETY: the program gave the function for this.
        let bytes = unsafe { companion(context, name.as_ptr(), &raw mut size) };
        // A file without bytes is one, too.
        if bytes.is_null() {
            return None;
        }
        // SAFETY: the program says that there are so many.
        unsafe { crate::pointers::copy_of(bytes, size) }.ok().map(Cow::Owned)
    }
}
