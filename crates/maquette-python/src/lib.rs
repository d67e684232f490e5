//! The Python package: `maquette` for people who work in Python, notebooks and Blender.
//!
//! What Python sees is a thin skin over the library: the same names, ids and defaults. A scene stays a scene of the library; the objects of Python
//! are names for its parts (`scene/`), and its arrays are lent to NumPy where they lie ([`arrays`]). Everything that takes long works on a scene or on bytes of its own, with the
//! interpreter free for other threads.
//!
//! | | |
//! |---|---|
//! | [`arrays`] | memory of a scene as NumPy arrays and back: the only place with pointers |
//! | [`scene`] | the scene and its parts as objects, one kind a file |
//! | [`source`] | paths, bytes and file objects as inputs |
//! | [`error`], [`finding`], [`loss`] | what can be wrong, and what was lost, as objects |
//! | [`keywords`], [`options`] | options by name, and what those of several functions have in common |
//! | [`read`], [`write`], [`convert`], [`output`] | any file to a scene, a scene to any file, file to file; what was made |
//! | [`check`], [`look`], [`diff`], [`textures`], [`sample`] | what files are and hold, what is wrong with them, and how they differ |
//! | [`clip`] | the clips of files, edited one by one |
//! | [`render`], [`picture`] | models as pictures |
//! | [`command`] | the command, in this process |
//! | [`json`], [`progress`], [`threads`] | what the command prints as Python objects; how far work is; what it is shared among |

mod arrays;
mod check;
mod clip;
mod command;
mod convert;
mod diff;
mod error;
mod finding;
mod given;
mod json;
mod keywords;
mod look;
mod loss;
mod options;
mod output;
mod picture;
mod progress;
mod read;
mod render;
mod sample;
mod scene;
mod source;
mod textures;
mod threads;
mod write;

use pyo3::prelude::*;

/// The compiled part of the package; `maquette` itself names what is for use.
#[pymodule(name = "_maquette")]
mod module {
    #[pymodule_export]
    use crate::check::{Checked, check};
    #[pymodule_export]
    use crate::clip::module;
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::convert::convert;
    #[pymodule_export]
    use crate::diff::diff;
    #[pymodule_export]
    use crate::finding::Finding;
    #[pymodule_export]
    use crate::look::{dump, explain, formats, info};
    #[pymodule_export]
    use crate::loss::Loss;
    #[pymodule_export]
    use crate::output::PyOutput;
    #[pymodule_export]
    use crate::picture::PyPicture;
    #[pymodule_export]
    use crate::read::read;
    #[pymodule_export]
    use crate::render::render;
    #[pymodule_export]
    use crate::sample::sample;
    #[pymodule_export]
    use crate::scene::{
        clip::PyClip, collection::PyCollection, image::PyImage, material::PyMaterial, mesh::PyMesh,
        morph_target::PyMorphTarget, node::PyNode, pose::PyPose, primitive::PyPrimitive, skin::PySkin, store::PyScene,
        texture_use::PyTextureUse, track::PyTrack,
    };
    #[pymodule_export]
    use crate::textures::textures;
    #[pymodule_export]
    use crate::write::write;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // As people import it.
        let clip = module.getattr("clip")?;
        clip.setattr("__name__", "maquette.clip")?;
        module.py().import("sys")?.getattr("modules")?.set_item("maquette.clip", clip)?;
        error::add_to(module)
    }
}
