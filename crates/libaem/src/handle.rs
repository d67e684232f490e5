//! What C hands over, as types that safe code can use.
//!
//! A `const struct AEMModel*` that may be NULL is an `Option<&Model>`, a pointer to be freed an `Option<Box<Model>>`; these need nothing from here. For the rest there are the
//! types below. C alone makes them, by calling an exported function; that their pointers are NULL or good is what the headers ask of the caller.

#![allow(unsafe_code, reason = "pointers of C are followed here")]

use std::ffi::{CStr, c_char, c_int};
use std::marker::PhantomData;

/// Where C wants a value, or NULL.
#[repr(transparent)]
pub struct Out<'c, T>(*mut T, PhantomData<&'c T>);

impl<T> Out<'_, T> {
    /// Whether C wants none.
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Writes the value, over whatever is there.
    pub fn put(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller of the exported function has room for a `T` here.
            unsafe { self.0.write(value) }
        }
    }
}

/// Where C wants matrices of 16 floats one after the other, or NULL.
#[repr(transparent)]
pub struct OutMatrices<'c>(*mut f32, PhantomData<&'c f32>);

impl OutMatrices<'_> {
    /// Writes matrices from the first on; the caller of the exported function has room for as many as its header says.
    pub fn put(self, matrices: impl Iterator<Item = [f32; 16]>) {
        if self.0.is_null() {
            return;
        }
        for (index, matrix) in matrices.enumerate() {
            // SAFETY: there is room for this matrix; floats of C are as aligned as ours.
            unsafe { self.0.cast::<[f32; 16]>().add(index).write(matrix) }
        }
    }
}

/// Text of C, or NULL.
#[repr(transparent)]
pub struct InText<'c>(*const c_char, PhantomData<&'c c_char>);

impl<'c> InText<'c> {
    pub fn get(self) -> Option<&'c CStr> {
        // SAFETY: the caller of the exported function gives text that ends with a NUL and lives through the call.
        (!self.0.is_null()).then(|| unsafe { CStr::from_ptr(self.0) })
    }
}

/// The first of some bytes of C, or NULL.
#[repr(transparent)]
pub struct InBytes<'c>(*const u8, PhantomData<&'c u8>);

impl<'c> InBytes<'c> {
    pub fn get(self, length: usize) -> &'c [u8] {
        if self.0.is_null() || isize::try_from(length).is_err() {
            return &[];
        }
        // SAFETY: the caller of the exported function has as many bytes here, which nobody changes during the call.
        unsafe { std::slice::from_raw_parts(self.0, length) }
    }
}

/// Prints a line by C's standard output, so that it comes after what the program printed before.
pub fn print(line: &CStr) {
    unsafe extern "C" {
        fn puts(text: *const c_char) -> c_int;
    }
    // SAFETY: the text ends with a NUL, and every program in C has this function.
    unsafe { puts(line.as_ptr()) };
}
