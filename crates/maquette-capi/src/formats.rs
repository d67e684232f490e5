//! The formats there are.

use crate::guard::{done, pointer};
use crate::pointers::{give, nth};
use crate::text::Text;
use maquette::{BUILT_IN, list};
use std::ffi::c_char;
use std::sync::OnceLock;

struct Known {
    id: Text,
    name: Text,
    about: Text,
    endings: Vec<Text>,
    dialects: Vec<[Text; 3]>,
}

fn known() -> &'static [Known] {
    static KNOWN: OnceLock<Vec<Known>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let known = |format: list::Listed| Known {
            id: Text::new(format.id),
            name: Text::new(format.name),
            about: Text::new(format.about),
            endings: format.extensions.iter().map(|ending| Text::new(ending)).collect(),
            dialects: format
                .dialects
                .iter()
                .map(|dialect| [dialect.id, &dialect.about, dialect.read_by].map(Text::new))
                .collect(),
        };
        list::formats(BUILT_IN).into_iter().map(known).collect()
    })
}

/// A format that is known, as `maquette formats` lists it. Its text lives as long as the program.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteFormat {
    /// The name used everywhere: `gltf`.
    pub id: *const c_char,
    /// The name people use.
    pub name: *const c_char,
    /// What it is.
    pub about: *const c_char,
    /// How many endings of file names it has: see `maquette_known_ending`.
    pub ending_count: usize,
    /// How many dialects it has: see `maquette_known_dialect`.
    pub dialect_count: usize,
}

/// A layout of a format that is in use. Its text lives as long as the program.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteDialect {
    /// The name used everywhere: `document`.
    pub id: *const c_char,
    /// What sets it apart.
    pub about: *const c_char,
    /// Which programs read it.
    pub read_by: *const c_char,
}

/// How many formats are known.
#[unsafe(no_mangle)]
pub extern "C" fn maquette_known_format_count() -> usize {
    known().len()
}

/// Writes a format that is known; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_known_format(at: usize, out: *mut MaquetteFormat) -> bool {
    done(|| {
        let format = nth(known(), at, "format")?;
        let [id, name, about] = [&format.id, &format.name, &format.about].map(Text::as_ptr);
        let (ending_count, dialect_count) = (format.endings.len(), format.dialects.len());
        // SAFETY: what the library's page asks for.
        unsafe { give(out, MaquetteFormat { id, name, about, ending_count, dialect_count }) }
    })
}

/// An ending of the file names of a format, without the dot; null beyond the last.
#[unsafe(no_mangle)]
pub extern "C" fn maquette_known_ending(format: usize, at: usize) -> *const c_char {
    pointer(|| Ok(nth(&nth(known(), format, "format")?.endings, at, "ending of the format")?.as_ptr()))
}

/// Writes a dialect of a format, the one that is written by default first; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_known_dialect(format: usize, at: usize, out: *mut MaquetteDialect) -> bool {
    done(|| {
        let dialect = nth(&nth(known(), format, "format")?.dialects, at, "dialect of the format")?;
        let [id, about, read_by] = dialect.each_ref().map(Text::as_ptr);
        // SAFETY: what the library's page asks for.
        unsafe { give(out, MaquetteDialect { id, about, read_by }) }
    })
}
