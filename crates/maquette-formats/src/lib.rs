//! The file formats, each in a folder of the same shape, and what they share.
//!
//! | module | what it is for |
//! |---|---|
//! | [`format`](mod@format) | the table of formats: everything generic loops over a table such as [`format::BUILT_IN`] |
//! | [`bytes`] | the bounds-checked reader every parser uses |
//! | [`layout`] | what a record looks like: fields, types, meanings, taken from its declaration |
//! | [`trailing`] | a few bytes too many at the end of a file |
//! | [`walk`] | a parsed file told in file order; encoding, dumping and offsets all come from it |
//! | [`locate`] | paths to byte offsets and back |
//! | [`rules`] | the tests that several formats' checks have in common |
//! | [`companions`] | files beside a model whose names come from it |
//! | [`specimen`] | the small model that every format's `sample` is made from |
//!
//! A format folder holds `raw.rs` (bytes to records and back, nothing else), `check.rs` (its rules and
//! their codes), `sample.rs` and `faults.rs` (files made by code: good ones, and one for each code).
//! No format folder names another format.

pub mod aem;
pub mod bmw;
pub mod bytes;
pub mod companions;
pub mod format;
pub mod gltf;
pub mod layout;
pub mod locate;
pub mod nlm;
pub mod pani;
pub mod pmat;
pub mod pmdl;
pub mod rules;
pub mod seanim;
pub mod specimen;
pub mod summary;
pub mod trailing;
pub mod walk;

pub use format::{BUILT_IN, Format, Formats, RawFile};
