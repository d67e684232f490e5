//! What a PMAT file must hold to be loaded as meant, rule by rule, and the code for each broken one.

use super::raw::{File, TEXTURE_TYPE, Texture, VERSION};
use crate::format::Source;
use crate::rules::images::image_kind;
use crate::rules::{known, names};
use crate::trailing;
use maquette_scene::{Diagnostic, Path, Report, codes, path};

codes! {
    /// Every PMAT file begins with the four letters PMAT. Another beginning means another format, or a file that
    /// was damaged or compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "PMAT0001" "bad-magic" Error;
    /// A count or a length asks for more bytes than the file has left: the file was cut short, or the number is
    /// damaged. The part named here is the first that does not fit.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "PMAT0002" "truncated" Error;
    /// The file goes on after the last texture, by more than the few bytes that are let pass: a count is too small, or
    /// something was appended. Readers ignore it.
    ///
    /// Cut the rest off if nothing is missing; otherwise correct the count that is too small, or export the file again.
    TRAILING_BYTES = "PMAT0003" "trailing-bytes" Error;
    /// Only version 0 exists. Readers ignore the number, so the file loads.
    ///
    /// Write 0 unless a newer layout is meant.
    VERSION_NOT_ZERO = "PMAT0004" "version-not-zero" Warning;

    /// Texture types are 0 to 4. The reference reader uses the number as an index and writes past the end of its
    /// table for any other.
    ///
    /// Write 1 for diffuse, 2 for specular, 3 for normals or 4 for depth.
    TYPE_UNKNOWN = "PMAT0010" "texture-type-unknown" Error;
    /// A texture is of type 0, none. The engine stops the program at it.
    ///
    /// Give it the type that was meant.
    TYPE_NONE = "PMAT0011" "texture-type-none" Warning;
    /// Two textures are of one type. The format allows it, shaders have a place for one of each, and readers differ
    /// in whether they keep the first or the last.
    ///
    /// Keep the one that is meant.
    TYPE_DUPLICATE = "PMAT0012" "texture-type-duplicate" Warning;
    /// A material without textures is only a name; meshes that use it show whatever the engine falls back to.
    ///
    /// Name the textures it should have, or nothing has to be done.
    NO_TEXTURES = "PMAT0013" "no-textures" Info;
    /// The material has textures and none of them is diffuse, so it has no colour of its own.
    ///
    /// Name the picture of its colour as type 1, if it should have one.
    NO_DIFFUSE = "PMAT0014" "no-diffuse-texture" Info;

    /// A texture's path is empty; no file can be loaded from it.
    ///
    /// Write the path of the image, or take the texture out.
    PATH_EMPTY = "PMAT0020" "path-empty" Warning;
    /// A path starts at the root of a disk or with a drive. It works on the machine that wrote it only.
    ///
    /// Put the image beside the file and write its path from there.
    PATH_ABSOLUTE = "PMAT0021" "path-absolute" Warning;
    /// A path climbs out of the folder it is relative to. It breaks when files are moved, and tools that keep to the
    /// folder for safety refuse it.
    ///
    /// Put the image into the folder, or below it, and write its path from there.
    PATH_LEAVES_FOLDER = "PMAT0022" "path-leaves-folder" Warning;
    /// A path has backslashes, which separate folders on Windows only; elsewhere they are part of the file's name.
    ///
    /// Write forward slashes, which Windows understands as well.
    PATH_BACKSLASH = "PMAT0023" "path-backslash" Warning;
    /// A path is not UTF-8. Which file it means depends on the system that reads it.
    ///
    /// Give the image a name in plain letters and write that.
    PATH_NOT_UTF8 = "PMAT0024" "path-not-utf8" Warning;
    /// A path holds a NUL byte, at which every operating system ends it.
    ///
    /// Write the path without the NUL.
    PATH_HOLDS_NUL = "PMAT0025" "path-holds-nul" Warning;
    /// A path is a star and a number. That is how the importer behind the converter names an image inside the source
    /// model; no such file exists.
    ///
    /// Save the image as a file and name that.
    PATH_EMBEDDED = "PMAT0026" "path-of-embedded-image" Warning;

    /// The image is not where the path leads from the folder of this file. The engine looks in its own folder of
    /// textures, so the material may still be complete there; tools that work on the file alone show no image.
    ///
    /// Put the image where the path leads, beside this file, if it is to be converted with it.
    TEXTURE_MISSING = "PMAT0030" "texture-missing" Info;
    /// The file at a texture's path does not begin like any image known here, so loading it is likely to fail.
    ///
    /// Look at the file in an image viewer, and replace it by a PNG or JPEG.
    TEXTURE_NOT_AN_IMAGE = "PMAT0031" "texture-not-an-image" Warning;

    /// The material has no name. Meshes ask for materials by name, and the engine cannot find this one.
    ///
    /// Give the material the name that the meshes ask for.
    NAME_EMPTY = "PMAT0040" "name-empty" Warning;
    /// The document calls the name text and names no encoding; everything else in the field is UTF-8, and tools that
    /// assume it show this name garbled.
    ///
    /// Rename the material in the source, here and in the meshes, and export again.
    NAME_NOT_UTF8 = "PMAT0041" "name-not-utf8" Warning;
    /// The name holds a NUL byte. It is measured by its length, so the byte is part of it; C code ends the name there
    /// and no longer finds the material.
    ///
    /// Rename the material without the NUL, here and in the meshes.
    NAME_HOLDS_NUL = "PMAT0042" "name-holds-nul" Warning;

    /// A few bytes follow the last texture: no more than 4096, nor than the file has before them. Readers take what the
    /// count says and never see them.
    ///
    /// A tool that copied or packed the file may have left them, or the count is too small; cut them off if nothing is
    /// missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "PMAT0043" "extra-bytes" Warning;
}

/// Applies every rule.
pub fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    if file.version != VERSION {
        let message = format!("the version is {}", file.version);
        report.push(Diagnostic::new(&VERSION_NOT_ZERO, path!("header", "version"), message).expected("0"));
    }
    names::not_empty(report, &NAME_EMPTY, path!("header", "name_bytes"), &file.name);
    names::utf8(report, &NAME_NOT_UTF8, path!("name"), &file.name);
    names::no_nul(report, &NAME_HOLDS_NUL, path!("name"), &file.name);
    types(file, report);
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
    for (index, texture) in file.textures.iter().enumerate() {
        let at = path!("textures", index);
        if let Some(usable) = usable_path(texture, &at, report) {
            image(usable, source, at.join("path"), report);
        }
    }
}

fn types(file: &File<'_>, report: &mut Report) {
    let mut first: [Option<usize>; 5] = [None; 5];
    for (index, texture) in file.textures.iter().enumerate() {
        let at = || path!("textures", index, "header", "texture_type");
        let kind = texture.texture_type;
        known(report, TEXTURE_TYPE, &TYPE_UNKNOWN, at(), kind, "texture type");
        if kind == 0 {
            let finding = Diagnostic::new(&TYPE_NONE, at(), "the texture type is 0 (none)");
            report.push(finding.expected("1 to 4"));
        }
        let Some(earlier) = first.get_mut(kind as usize) else { continue };
        match *earlier {
            None => *earlier = Some(index),
            Some(earlier) => {
                let name = TEXTURE_TYPE.of(kind).unwrap_or_default();
                let message = format!("type {kind} ({name}) is also that of textures[{earlier}]");
                report.push(Diagnostic::new(&TYPE_DUPLICATE, at(), message).expected("one texture of each type"));
            }
        }
    }
    if file.textures.is_empty() {
        let finding = Diagnostic::new(&NO_TEXTURES, path!("header", "texture_count"), "the material has no textures");
        report.push(finding.expected("at least a diffuse texture"));
    } else if first.get(1).is_none_or(Option::is_none) {
        let finding = Diagnostic::new(&NO_DIFFUSE, path!("textures"), "no texture is diffuse");
        report.push(finding.expected("a texture of type 1"));
    }
}

/// The rules for a path. Gives it back if it leads to a file in the folder it is relative to.
fn usable_path<'t>(texture: &'t Texture<'_>, at: &Path, report: &mut Report) -> Option<&'t str> {
    let place = at.join("path");
    if texture.path.is_empty() {
        let finding = Diagnostic::new(&PATH_EMPTY, at.join("header").join("path_bytes"), "the path is empty");
        report.push(finding.expected("the path of an image"));
        return None;
    }
    names::utf8(report, &PATH_NOT_UTF8, place.clone(), &texture.path);
    names::no_nul(report, &PATH_HOLDS_NUL, place.clone(), &texture.path);
    let text = std::str::from_utf8(&texture.path).ok().filter(|text| !text.contains('\0'))?;
    let mut wrong = |code, expected: &str| {
        report.push(Diagnostic::new(code, place.clone(), format!("the path is {text:?}")).expected(expected));
    };
    if text.contains('\\') {
        wrong(&PATH_BACKSLASH, "folders separated by /");
    }
    if is_embedded(text) {
        wrong(&PATH_EMBEDDED, "the path of a file");
        return None;
    }
    if is_absolute(text) {
        wrong(&PATH_ABSOLUTE, "a path relative to a folder");
        return None;
    }
    if leaves_folder(text) {
        wrong(&PATH_LEAVES_FOLDER, "a path that stays in its folder");
        return None;
    }
    Some(text)
}

fn is_embedded(path: &str) -> bool {
    path.strip_prefix('*').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|digit| digit.is_ascii_digit()))
}

fn is_absolute(path: &str) -> bool {
    let drive = |mut letters: std::str::Bytes<'_>| {
        letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(b':')
    };
    path.starts_with(['/', '\\']) || drive(path.bytes())
}

fn leaves_folder(path: &str) -> bool {
    let mut depth = 0i64;
    path.split(['/', '\\']).any(|segment| {
        depth += match segment {
            "" | "." => 0,
            ".." => -1,
            _ => 1,
        };
        depth < 0
    })
}

/// Looks at the image itself, where the surroundings of the file are known.
fn image(text: &str, source: &Source<'_>, at: Path, report: &mut Report) {
    if source.name.is_empty() {
        return;
    }
    match source.resources.get(text) {
        None => report.push(Diagnostic::new(&TEXTURE_MISSING, at, source.lacks(text))),
        Some(bytes) if image_kind(&bytes).is_none() => {
            let message = format!("{text:?} begins like no known kind of image");
            report.push(Diagnostic::new(&TEXTURE_NOT_AN_IMAGE, at, message).expected("an image, such as PNG or JPEG"));
        }
        Some(_) => {}
    }
}
