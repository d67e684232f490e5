//! The only place that follows pointers from C. Null is `None`; anything else is what the caller promises, see the library's page.

use std::ffi::{CStr, c_char};

/// What a handle or a structure of the caller points to.
pub unsafe fn borrow<'a, T>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: the caller gives null, or what this library handed out and has not been freed.
    unsafe { pointer.as_ref() }
}

/// The same, to be changed.
pub unsafe fn borrow_mut<'a, T>(pointer: *mut T) -> Option<&'a mut T> {
    // SAFETY: as above, and the caller uses it in no other thread meanwhile.
    unsafe { pointer.as_mut() }
}

/// Takes back what was handed out.
pub unsafe fn take<T>(pointer: *mut T) -> Option<Box<T>> {
    // SAFETY: it was made by `hand_out`, and is not used any more.
    (!pointer.is_null()).then(|| unsafe { Box::from_raw(pointer) })
}

/// Hands something out, to be taken back later.
pub fn hand_out<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Writes a result where the caller wants it; false where that is nowhere.
pub unsafe fn put<T>(place: *mut T, value: T) -> bool {
    if place.is_null() {
        return false;
    }
    // SAFETY: the caller gives room for one; what was there before has nothing to be dropped.
    unsafe { place.write(value) };
    true
}

/// Text of the caller; `None` where it is null or no UTF-8.
pub unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the caller ends text with a NUL.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

/// Bytes of the caller.
pub unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Option<&'a [u8]> {
    match (pointer.is_null(), length) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        // SAFETY: the caller says that there are so many.
        (false, _) => Some(unsafe { std::slice::from_raw_parts(pointer, length) }),
    }
}

/// Numbers of the caller, to be written.
pub unsafe fn numbers_mut<'a>(pointer: *mut f32, length: usize) -> Option<&'a mut [f32]> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the caller gives room for so many, as the function says.
    Some(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}
