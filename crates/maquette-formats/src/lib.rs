//! Readers, writers and checks for the binary formats that game engines load: records as they stand in the file, without a byte lost, and to and
//! from the scene of `maquette-scene`.
//!
//! ```
//! use maquette_formats::{BUILT_IN, aem};
//!
//! let bytes = aem::sample("document").main; // or std::fs::read("post.aem")?
//! let mut file = aem::File::parse(&bytes)?; // borrows, copies nothing
//! println!("{} vertices, {} joints", file.vertices.len(), file.joints.len());
//! assert_eq!(file.encode(), bytes);
//!
//! for animation in file.animations.to_mut() {
//!     animation.duration = 3.0.into(); // one value changes, every other byte stays
//! }
//! let longer = file.encode();
//!
//! let opened = BUILT_IN.open(&longer, None).map_err(|(_, error)| error)?; // a file of any format
//! println!("{} because {}", opened.format.name, opened.file.evidence());
//! # assert_eq!(opened.format.id, "aem");
//! # Ok::<(), maquette_formats::format::Error>(())
//! ```
//!
//! Most programs want the crate `maquette`, which reads any file into a scene and writes any file of one. Each format here is a module with an
//! example of its own on its page.
//!
//! | module | what it is for |
//! |---|---|
//! | [`format`](mod@format) | the table of formats: everything generic loops over a table such as [`format::BUILT_IN`] |
//! | [`bytes`] | the bounds-checked reader every parser uses |
//! | [`layout`] | what a record looks like: fields, types, meanings, taken from its declaration |
//! | [`trailing`] | a few bytes too many at the end of a file |
//! | [`part`] | what there is of a file that breaks off |
//! | [`walk`] | a parsed file told in file order; encoding, dumping and offsets all come from it |
//! | [`locate`] | paths to byte offsets and back |
//! | [`rules`] | the tests that several formats' checks have in common |
//! | [`pieces`] | large tables piece by piece, by two threads |
//! | [`ticks`] | seconds in ticks and back, where a format counts ticks |
//! | [`companions`] | companion files: files in the folder of a model whose names come from it |
//! | [`specimen`] | the small model that every format's `sample` is made from |
//!
//! A format folder holds `raw` (bytes to records and back, nothing else), `check` (its rules and their codes), `read` and `write` (to and from a
//! scene), `sample` and `faults` (files made by code: good ones, and one for each code). No format folder names another format.
//!
//! Without the default feature `all-formats` there is AEM alone, for programs that load models and want neither JSON nor pictures.

pub mod aem;
#[cfg(feature = "all-formats")]
pub mod bmw;
pub mod bytes;
pub mod companions;
pub mod format;
#[cfg(feature = "all-formats")]
pub mod gltf;
pub mod layout;
pub mod locate;
#[cfg(feature = "all-formats")]
pub mod nlm;
#[cfg(feature = "all-formats")]
pub mod pani;
pub mod part;
pub mod pieces;
#[cfg(feature = "all-formats")]
pub mod pmat;
#[cfg(feature = "all-formats")]
pub mod pmdl;
pub mod rising;
pub mod rules;
#[cfg(feature = "all-formats")]
pub mod seanim;
pub mod specimen;
pub mod summary;
pub mod ticks;
pub mod trailing;
pub mod walk;

pub use format::{BUILT_IN, Format, Formats, RawFile};
