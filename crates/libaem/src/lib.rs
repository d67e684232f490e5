//! AEM models for programs in C and C++: loaded, checked and played, by the interface of the reference libaem.
//!
//! ```c
//! #include <aem/aem.h>
//!
//! struct AEMModel* model;
//! if (aem_load_model("post.aem", &model) != AEMResult_Success) {
//!   struct AEMError error;
//!   aem_get_last_error(&error);
//!   fprintf(stderr, "%s at byte %llu, %s: %s\n", error.code, (unsigned long long)error.offset, error.path, error.message);
//! }
//! ```
//!
//! Programs that were written for the reference compile and link unchanged: those of its first generation with `aem/aem.h`, later ones with `aem/model.h` and
//! `aem/animation_mixer.h`. Both read all layouts of the format. A file is loaded only if it breaks no rule whose breach could crash a program that trusts it; what is wrong, at which byte and in
//! which field, can be asked for. Large files are mapped and nothing of them is copied, so that loading with every check takes less time than reading.
//!
//! `cargo xtask capi --prefix DIR` builds and installs the library with its headers and what pkg-config and CMake need. `docs/c.md` of the repository tells the rest.
//!
//! | module | what it is for |
//! |---|---|
//! | `exports` | the functions that C sees, by header |
//! | `layout` | the structures that C sees |
//! | `model` | a model that was loaded, and how it is |
//! | `mixer` | four animations at once |
//! | `play` | matrices for a shader |
//! | `failure` | why a model was not loaded |
//! | `guard`, `handle`, `lent`, `storage` | the border: panics, pointers, arrays and bytes that C shares; all unsafe code is in these |

mod exports;
mod failure;
mod guard;
mod handle;
#[doc(hidden)]
pub mod layout;
mod lent;
mod mixer;
mod model;
mod play;
mod storage;
