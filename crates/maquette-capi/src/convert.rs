//! From file to file, on disk or in memory.

use crate::companions::{Companions, MaquetteCompanion};
use crate::error::{MaquetteStatus, Why, argument};
use crate::guard::{done, guarded, status};
use crate::model::{MaquetteLoss, MaquetteLossKind, error_of, loss};
use crate::pointers::{copy_of, give, hand_out, handle, nth, options, path, put, take, text};
use crate::text::Text;
use maquette::convert::{ConvertOptions, convert};
use maquette::overwrite::{Overwrite, neighbours};
use maquette::scene::loss::LossReport;
use maquette::texture::Quality;
use maquette::{Input, names};
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

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

/// What is asked of a conversion. Begin with `maquette_convert_options`, which asks for what the command does by default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteConvertOptions {
    /// The size of the structure that the program knows.
    pub struct_size: usize,
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

const DEFAULT: MaquetteConvertOptions = MaquetteConvertOptions {
    struct_size: size_of::<MaquetteConvertOptions>(),
    dialect: null(),
    scale: 0.0,
    textures: MaquetteTextures::Default as i32,
    max_texture_size: 0,
    optimize: false,
    overwrite: false,
};

/// Writes the options of a conversion by default; null does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_convert_options(options: *mut MaquetteConvertOptions) {
    // SAFETY: what the library's page asks for.
    unsafe { put(options, DEFAULT) };
}

/// What a conversion made and lost.
pub struct MaquetteConversion {
    texts: Vec<[Text; 3]>,
    rows: Vec<(MaquetteLossKind, u64, f32)>,
    /// What it wrote; bytes where they are in memory.
    files: Vec<(Text, Option<Vec<u8>>)>,
}

impl MaquetteConversion {
    fn new(losses: &LossReport, files: Vec<(Text, Option<Vec<u8>>)>) -> MaquetteConversion {
        MaquetteConversion {
            texts: losses.iter().map(|loss| [loss.what.word(), &loss.subject, &loss.detail].map(Text::new)).collect(),
            rows: losses.iter().map(|loss| (loss.kind.into(), loss.count, error_of(loss.kind))).collect(),
            files,
        }
    }
}

/// What the options ask for, or which of them asks for nothing there is.
fn asked(options: &MaquetteConvertOptions) -> Result<ConvertOptions, Why> {
    let mut asked = ConvertOptions::default();
    // SAFETY: what the library's page asks for.
    asked.write.dialect = unsafe { text(options.dialect, "`dialect`") }?.map(str::to_owned);
    asked.write.optimize = options.optimize;
    let textures = &mut asked.write.fit.textures;
    textures.max_size = Some(options.max_texture_size).filter(|size| *size > 0);
    textures.quality = match options.textures {
        it if it == MaquetteTextures::Default as i32 => textures.quality,
        it if it == MaquetteTextures::None as i32 => None,
        it if it == MaquetteTextures::Fast as i32 => Some(Quality::Fast),
        it if it == MaquetteTextures::High as i32 => Some(Quality::High),
        it => return Err(argument(format!("`textures` is {it}, which is no MaquetteTextures: 0 to 3"))),
    };
    asked.edits.scale = match options.scale {
        0.0 => None,
        scale if scale.is_finite() && scale > 0.0 => Some(scale),
        scale => return Err(argument(format!("`scale` is {scale}; it must be above 0 and finite, or 0 for none"))),
    };
    Ok(asked)
}

/// Converts a regular file into another, whose ending names the format; companion files are read from the folder of the one and written beside the other, all of them or none. Paths are as in
/// `maquette_load`. `options` and `conversion` may be null; otherwise what was written and lost is freed with `maquette_free_conversion`.
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
            put(conversion, null_mut());
            let options = self::options(options, DEFAULT, "maquette_convert_options")?;
            (path(input, "the path of the input")?, path(output, "the path of the output")?, options)
        };
        let mut asked = asked(&options)?;
        asked.write.others = neighbours(output, asked.write.formats);
        let overwrite = if options.overwrite { Overwrite::All } else { Overwrite::Own };
        let made = convert(&Input::from_path_in_memory(input)?, Some(&names::file_name(output)), &asked)?;
        let written = made.save(output, overwrite)?;
        if !conversion.is_null() {
            let files = written.iter().map(|path| (Text::new(&path.to_string_lossy()), None)).collect();
            // SAFETY: as above.
            unsafe { give(conversion, hand_out(MaquetteConversion::new(&made.losses, files))) }?;
        }
        Ok(())
    })
}

/// Converts a file that is in memory into others in memory: the ending of `output` names the format, and `maquette_conversion_file` has the file and its companions. `name` is what the input is called;
/// it and `options` may be null. `companion` and `context` are as in `maquette_load_with`. The conversion is freed with `maquette_free_conversion`; where the call fails, `conversion` becomes null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_convert_memory(
    name: *const c_char,
    data: *const u8,
    size: usize,
    companion: MaquetteCompanion,
    context: *mut c_void,
    output: *const c_char,
    options: *const MaquetteConvertOptions,
    conversion: *mut *mut MaquetteConversion,
) -> MaquetteStatus {
    status(|| {
        // SAFETY: what the library's page asks for.
        let (name, data, output, options) = unsafe {
            give(conversion, null_mut())?;
            let options = self::options(options, DEFAULT, "maquette_convert_options")?;
            (text(name, "the name")?, copy_of(data, size)?, text(output, "the name of the output")?, options)
        };
        let output = output.ok_or_else(|| argument("the name of the output is null"))?;
        let companions = Companions::new(companion, context);
        let input = Input::with_resources(name.unwrap_or_default(), data, companions);
        let mut made = convert(&input, Some(output), &asked(&options)?)?;
        let losses = std::mem::take(&mut made.losses);
        let files = made.into_files().into_iter().map(|(name, bytes)| (Text::new(&name), Some(bytes))).collect();
        // SAFETY: as above.
        unsafe { give(conversion, hand_out(MaquetteConversion::new(&losses, files))) }
    })
}

/// A file that a conversion made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquetteFile {
    /// Its path as it was written; in memory its name, which may hold folders.
    pub name: *const c_char,
    /// Its bytes; null where it is on disk.
    pub data: *const u8,
    /// How many bytes; 0 where it is on disk.
    pub size: usize,
}

/// Writes a file that a conversion made, the one that was asked for first and then its companions; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_conversion_file(
    conversion: *const MaquetteConversion,
    at: usize,
    out: *mut MaquetteFile,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let (name, bytes) = nth(&unsafe { handle(conversion, "the conversion") }?.files, at, "file")?;
        let (data, size) = bytes.as_ref().map_or((null(), 0), |bytes| (bytes.as_ptr(), bytes.len()));
        // SAFETY: as above.
        unsafe { give(out, MaquetteFile { name: name.as_ptr(), data, size }) }
    })
}

/// Writes what a conversion lost, by position; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_conversion_loss(
    conversion: *const MaquetteConversion,
    at: usize,
    out: *mut MaquetteLoss,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let made = unsafe { handle(conversion, "the conversion") }?;
        let lost = loss(nth(&made.texts, at, "loss")?, nth(&made.rows, at, "loss")?);
        // SAFETY: as above.
        unsafe { give(out, lost) }
    })
}

/// Frees a conversion; null is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_free_conversion(conversion: *mut MaquetteConversion) {
    // SAFETY: what the library's page asks for.
    guarded((), || drop(unsafe { take(conversion) }));
}
