//! Game models and animations in the binary formats that engines load: open them, look inside, check them,
//! write them back without changing a byte.
//!
//! ```
//! let input = maquette::Input::from_bytes("post.aem", maquette::sample::make("aem", None)?.main);
//! let opened = input.open(None)?;
//! println!("{}", maquette::info::Info::of(&input, &opened).dialect);
//!
//! let checked = maquette::check::check(&input, None, Default::default());
//! assert!(checked.ok);
//! # Ok::<(), maquette::Error>(())
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`input`] | a file, mapped or read, with what lies beside it |
//! | [`info`] | what a file is and holds |
//! | [`check`] | every finding about a file |
//! | [`dump`] | the whole structure: as a tree, as JSON, as an annotated hex map |
//! | [`explain`] | what a code means; which field a byte belongs to |
//! | [`fit`] | making a scene fit what a format can hold |
//! | [`list`] | the formats, their dialects and what each can hold |
//! | [`names`] | what companions of a file are called, where its own name is not text |
//! | [`ops`] | changes that are asked for: size, axes, selection, order of geometry |
//! | [`sample`] | files made by code: sound ones, and broken ones for each rule |
//! | [`batch`] | lists of models to convert |
//! | [`convert`] | from file to file, with an account of what was lost |
//! | [`diff`] | what differs in meaning between two files |
//! | [`textures`] | the textures of a file as files of their own |
//! | [`save`] | writing so that a failure leaves what was there before |

pub mod batch;
pub mod check;
pub mod convert;
pub mod diff;
pub mod dump;
mod error;
pub mod explain;
pub mod fit;
pub mod info;
pub mod input;
pub mod list;
pub mod names;
pub mod ops;
pub mod sample;
pub mod save;
pub mod textures;

pub use error::Error;
pub use input::Input;
pub use maquette_formats as formats;
pub use maquette_scene as scene;
pub use maquette_texture as texture;

/// The result of anything here.
pub type Result<T> = std::result::Result<T, Error>;
