//! Models from disk, from memory, and from wherever a program keeps its files.

use crate::companions::{Companions, MaquetteCompanion};
use crate::error::{MaquetteStatus, Why};
use crate::guard::status;
use crate::model::MaquetteModel;
use crate::pointers::{copy_of, give, hand_out, path, text};
use maquette::Input;
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

fn load(input: &Input, place: *mut *mut MaquetteModel) -> Result<(), Why> {
    let opened = input.open(None)?;
    let read = input.read_opened(&opened, &Default::default())?;
    let model = MaquetteModel::new(read.scene, &read.losses, opened.format.id, opened.file.dialect());
    // SAFETY: the caller gives room for a pointer.
    unsafe { give(place, hand_out(model)) }
}

/// Loads a regular file of any format, told by its bytes; companion files come from its folder. A path is UTF-8; on Unix it is any bytes. All is read into memory: what happens to the file afterwards
/// changes nothing. The model is freed with `maquette_free`. Where it fails, `model` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_load(path: *const c_char, model: *mut *mut MaquetteModel) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let path = unsafe {
            give(model, null_mut())?;
            self::path(path, "the path")?
        };
        load(&Input::from_path_in_memory(path)?, model)
    })
}

/// Loads a file that is in memory; its bytes are copied. `name` is what it is called, and its ending helps where the bytes do not tell; it may be null. It has no companion files.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_load_memory(
    name: *const c_char,
    data: *const u8,
    size: usize,
    model: *mut *mut MaquetteModel,
) -> MaquetteStatus {
    // SAFETY: what the library's page asks for.
    unsafe { maquette_load_with(name, data, size, None, null_mut(), model) }
}

/// Loads a file that is in memory, and has the program give its companion files: the buffers and images of a `.gltf`, the `.pani` and `.pmat` of a PMDL. `name` is what it is called: some companions
/// are named after it. `companion` may be null; `context` is handed to it. It is called before this returns, and never by two threads at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_load_with(
    name: *const c_char,
    data: *const u8,
    size: usize,
    companion: MaquetteCompanion,
    context: *mut c_void,
    model: *mut *mut MaquetteModel,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (name, data) = unsafe {
            give(model, null_mut())?;
            (text(name, "the name")?, copy_of(data, size)?)
        };
        load(&Input::with_resources(name.unwrap_or_default(), data, Companions::new(companion, context)), model)
    })
}
