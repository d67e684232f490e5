//! From file to file.

use crate::error::{MaquetteStatus, argument, failure};
use crate::guard::{guarded, status};
use crate::model::{MaquetteLoss, MaquetteLossKind, error_of, loss};
use crate::pointers::{borrow, hand_out, put, take, text};
use crate::text::Text;
use maquette::convert::{ConvertOptions, convert};
use maquette::overwrite::{Overwrite, neighbours};
use maquette::texture::Quality;
use maquette::{Error, Input, Output, names};
use std::ffi::c_char;
use std::path::Path;

/// How well textures are compressed, where a format holds blocks.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteTextures {
    /// As the command does by default.
    Default = 0,
    /// Pixels instead of blocks.
    None = 1,
    /// Quickly.
    Fast = 2,
    /// As well as possible.
    High = 3,
}

/// What is asked of a conversion. Filled with zeros, it asks for what the command does by default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteConvertOptions {
    /// The id of the dialect to write; null for the one that loses least.
    pub dialect: *const c_char,
    /// What every length is multiplied by; 0 for 1.
    pub scale: f32,
    /// How textures are compressed: a `MaquetteTextures`.
    pub textures: i32,
    /// Textures are halved until no side is longer; 0 for no limit.
    pub max_texture_size: u32,
    /// Whether triangles and vertices are put into the order that hardware likes best.
    pub optimize: bool,
    /// Whether files may be replaced that may belong to others.
    pub overwrite: bool,
}

/// What a conversion lost.
pub struct MaquetteConversion {
    texts: Vec<[Text; 3]>,
    rows: Vec<(MaquetteLossKind, u64, f32)>,
}

impl MaquetteConversion {
    fn new(output: &Output) -> MaquetteConversion {
        let losses = || output.losses.iter();
        MaquetteConversion {
            texts: losses().map(|loss| [loss.what.word(), &loss.subject, &loss.detail].map(Text::new)).collect(),
            rows: losses().map(|loss| (loss.kind.into(), loss.count, error_of(loss.kind))).collect(),
        }
    }
}

fn asked(options: Option<&MaquetteConvertOptions>) -> ConvertOptions {
    let mut asked = ConvertOptions::default();
    let Some(options) = options else { return asked };
    // SAFETY: what the library's page asks for.
    asked.write.dialect = unsafe { text(options.dialect) }.map(str::to_owned);
    asked.write.optimize = options.optimize;
    asked.write.fit.textures.max_size = Some(options.max_texture_size).filter(|size| *size > 0);
    let quality = [
        (MaquetteTextures::None, None),
        (MaquetteTextures::Fast, Some(Quality::Fast)),
        (MaquetteTextures::High, Some(Quality::High)),
    ];
    if let Some((_, quality)) = quality.into_iter().find(|(asked, _)| *asked as i32 == options.textures) {
        asked.write.fit.textures.quality = quality;
    }
    asked.edits.scale = Some(options.scale).filter(|scale| *scale != 0.0);
    asked
}

/// Converts a file into another, whose ending names the format; its companion files are written with it, all of them or none. `options` and `conversion` may be null;
/// otherwise what was lost is freed with `maquette_free_conversion`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_convert(
    input: *const c_char,
    output: *const c_char,
    options: *const MaquetteConvertOptions,
    conversion: *mut *mut MaquetteConversion,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (input, output, options) = unsafe {
            put(conversion, std::ptr::null_mut());
            (text(input), text(output), borrow(options))
        };
        let (Some(input), Some(output)) = (input, output) else {
            return Err(argument("the name of the input or of the output is null or no UTF-8"));
        };
        let mut asked = asked(options);
        if asked.edits.scale.is_some_and(|scale| !(scale.is_finite() && scale > 0.0)) {
            return Err(argument("the scale must be above 0 and finite"));
        }
        let path = Path::new(output);
        asked.write.others = neighbours(path, asked.write.formats);
        let overwrite = if options.is_some_and(|options| options.overwrite) { Overwrite::All } else { Overwrite::Own };
        let convert = || -> Result<Output, Error> {
            let made = convert(&Input::from_path(input)?, Some(&names::file_name(path)), &asked)?;
            made.save(path, overwrite)?;
            Ok(made)
        };
        let made = convert().map_err(failure)?;
        if !conversion.is_null() {
            // SAFETY: as above.
            unsafe { put(conversion, hand_out(MaquetteConversion::new(&made))) };
        }
        Ok(())
    })
}

/// Writes what a conversion lost, by position; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_conversion_loss(
    conversion: *const MaquetteConversion,
    at: usize,
    out: *mut MaquetteLoss,
) -> bool {
    // SAFETY: what the library's page asks for.
    let Some(made) = (unsafe { borrow(conversion) }) else { return false };
    let (Some(texts), Some(row)) = (made.texts.get(at), made.rows.get(at)) else { return false };
    // SAFETY: as above.
    unsafe { put(out, loss(texts, row)) }
}

/// Frees what a conversion lost; null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_free_conversion(conversion: *mut MaquetteConversion) {
    // SAFETY: what the library's page asks for.
    guarded((), || drop(unsafe { take(conversion) }));
}
