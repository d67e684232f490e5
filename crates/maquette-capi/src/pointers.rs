//! The only place that follows pointers from C. Null is `None`; anything else is what the caller promises, see the library's page.

use crate::error::{MaquetteStatus, Why, argument};
use std::ffi::{CStr, c_char};
use std::path::Path;

/// What a handle or a structure of the caller points to.
pub unsafe fn borrow<'a, T>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: the caller gives null, or what this library handed out and has not been freed.
    unsafe { pointer.as_ref() }
}

/// The same; null is a mistake. `what` names it: `the model`.
pub unsafe fn handle<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Why> {
    // SAFETY: as above.
    unsafe { borrow(pointer) }.ok_or_else(|| argument(format!("{what} is null")))
}

/// The same, to be changed.
pub unsafe fn handle_mut<'a, T>(pointer: *mut T, what: &str) -> Result<&'a mut T, Why> {
    // SAFETY: as above, and the caller uses it in no other thread meanwhile.
    unsafe { pointer.as_mut() }.ok_or_else(|| argument(format!("{what} is null")))
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

/// The same; nowhere is a mistake.
pub unsafe fn give<T>(place: *mut T, value: T) -> Result<(), Why> {
    // SAFETY: as above.
    let is_there = unsafe { put(place, value) };
    is_there.then_some(()).ok_or_else(|| argument("there is no room for the result: the pointer to it is null"))
}

/// One of several, by position. `what` names it: `material`.
pub fn nth<'a, T>(items: &'a [T], at: usize, what: &str) -> Result<&'a T, Why> {
    items.get(at).ok_or_else(|| argument(format!("there is no {what} {at}; there are {}", items.len())))
}

/// Text of the caller; `None` where it is null. `what` names it: `the name`.
pub unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<Option<&'a str>, Why> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller ends text with a NUL.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some).map_err(|_| argument(format!("{what} is no UTF-8")))
}

/// A path of the caller: on Unix any bytes, elsewhere UTF-8.
pub unsafe fn path<'a>(pointer: *const c_char, what: &str) -> Result<&'a Path, Why> {
    if pointer.is_null() {
        return Err(argument(format!("{what} is null")));
    }
    // SAFETY: the caller ends text with a NUL.
    let text = unsafe { CStr::from_ptr(pointer) };
    #[cfg(unix)]
    let path = Ok(std::os::unix::ffi::OsStrExt::from_bytes(text.to_bytes()));
    #[cfg(not(unix))]
    let path = text.to_str().map_err(|_| argument(format!("{what} is no UTF-8")));
    path.map(|path: &std::ffi::OsStr| Path::new(path))
}

/// Bytes of the caller.
pub unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Result<&'a [u8], Why> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(argument("there are no bytes: the pointer to them is null")),
        _ if isize::try_from(length).is_err() => {
            Err(argument(format!("the size is {length}, more than any memory has")))
        }
        // SAFETY: the caller says that there are so many.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, length) }),
    }
}

/// A copy of them.
pub unsafe fn copy_of(pointer: *const u8, length: usize) -> Result<Vec<u8>, Why> {
    // SAFETY: as above.
    let bytes = unsafe { bytes(pointer, length) }?;
    let mut copy = Vec::new();
    copy.try_reserve_exact(length)
        .map_err(|_| Why::new(MaquetteStatus::OutOfMemory, format!("there is no memory for {length} bytes")))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// Numbers of the caller, to be written.
pub unsafe fn numbers_mut<'a>(pointer: *mut f32, length: usize) -> Result<&'a mut [f32], Why> {
    if pointer.is_null() {
        return Err(argument("there is no room for the numbers: the pointer to them is null"));
    }
    // SAFETY: the caller gives room for so many, as the function says.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// Options of the caller, which begin with their size: what they do not have yet is as by default. Null is all by default.
pub unsafe fn options<T: Copy>(pointer: *const T, default: T, maker: &str) -> Result<T, Why> {
    if pointer.is_null() {
        return Ok(default);
    }
    // SAFETY: all options begin with a `size_t`.
    let size = unsafe { pointer.cast::<usize>().read() };
    if !(size_of::<usize>()..=size_of::<T>()).contains(&size) {
        return Err(argument(format!("struct_size is {size}; begin with {maker}, which sets it")));
    }
    let mut asked = default;
    // SAFETY: both have so many bytes; the caller fills them with values of their fields.
    unsafe { std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut asked).cast::<u8>(), size) };
    Ok(asked)
}
