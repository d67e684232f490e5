//! maquette for C: models of every format loaded from a path or from memory, their buffers without a copy, checks with the place of every finding, conversions, and animation.
//!
//! The header is `include/maquette.h`, which is made from this source; `docs/c.md` tells how to build and link. In short:
//!
//! ```c
//! MaquetteModel *model;
//! if (maquette_load("fox.glb", &model) != MAQUETTE_STATUS_OK) {
//!     fprintf(stderr, "%s\n", maquette_last_error());
//!     return 1;
//! }
//! MaquettePrimitive part;
//! for (size_t mesh = 0; mesh < maquette_mesh_count(model); mesh++)
//!     for (size_t at = 0; maquette_primitive(model, mesh, at, &part); at++)
//!         upload(part.positions, part.vertex_count, part.indices, part.index_count);
//! maquette_free(model);
//! ```
//!
//! What holds for every function:
//!
//! - A pointer to a model, a report or a mixer came from this library and has not been freed; or it is null, which is answered with 0, false, null or
//!   `MAQUETTE_STATUS_ARGUMENT`. A pointer to be written to may be null where the function says so, and is otherwise valid for what the function writes.
//! - What gives a status, true or false, or a pointer says in `maquette_last_error` why it failed, and empties that where it did not.
//! - Text is UTF-8 and ends with a NUL; paths are any bytes on Unix; a NUL inside a name becomes U+FFFD. Text and buffers that are handed out belong to the model, report or conversion and live as long as it does.
//! - Nothing unwinds into C: a mistake of the library's own ends the call with `MAQUETTE_STATUS_INTERNAL`.
//! - Models and reports may be read by any number of threads at once. A mixer is for one thread at a time; its model must outlive it. Only the freeing of something must
//!   not meet any other use of it. What `maquette_last_error` tells is that of the calling thread.

mod apply;
mod check;
mod companions;
mod convert;
mod error;
mod formats;
mod geometry;
mod guard;
mod load;
mod mixer;
mod model;
mod morphs;
mod play;
mod pointers;
mod scratch;
mod surface;
mod text;
mod tracks;

pub use apply::*;
pub use check::*;
pub use companions::*;
pub use convert::*;
pub use error::*;
pub use formats::*;
pub use geometry::*;
pub use load::*;
pub use mixer::*;
pub use model::*;
pub use morphs::*;
pub use play::*;
pub use surface::*;
pub use tracks::*;
