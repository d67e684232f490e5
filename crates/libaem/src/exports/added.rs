//! What the reference does not have: `aem/common.h` marks it.

use super::model::hand_over;
use crate::failure;
use crate::guard::exports;
use crate::handle::{InBytes, Out};
use crate::layout::{Error, LoadResult};
use crate::model::Model;
use std::ffi::{CStr, c_char};
use std::ptr::NonNull;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

exports! {
    fn aem_load_model_from_memory(
        bytes: InBytes<'_>,
        byte_count: usize,
        model: Out<'_, Option<Box<Model>>>,
    ) -> LoadResult {
        hand_over(model, || Model::from_bytes(bytes.get(byte_count)))
    }

    fn aem_get_last_error(error: Out<'_, Error>) -> bool {
        let last = failure::last();
        error.put(last.unwrap_or(Error::NONE));
        last.is_some()
    }

    fn aem_get_version() -> Option<NonNull<c_char>> {
        NonNull::new(VERSION.as_ptr().cast_mut())
    }
}
