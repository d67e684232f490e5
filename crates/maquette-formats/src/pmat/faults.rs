//! For each PMAT code, the smallest change to the specimen's material that raises it.

use super::check::*;
use super::raw::File;
use super::sample::{material, texture};
use crate::format::{Bundle, Naming};
use crate::specimen::TEXTURE_FILE;
use crate::{faults, trailing};
use std::borrow::Cow;

/// The material with one thing changed, and its texture as a companion file.
fn with(change: fn(&mut File<'_>)) -> Bundle {
    let mut file = material();
    change(&mut file);
    Bundle { main: file.encode(), companions: texture() }
}

/// The material with another type for its texture.
fn with_type(texture_type: u32) -> Bundle {
    let mut file = material();
    file.textures.iter_mut().for_each(|texture| texture.texture_type = texture_type);
    Bundle { main: file.encode(), companions: texture() }
}

/// The material with another path for its texture.
fn with_path(path: &'static [u8]) -> Bundle {
    let mut file = material();
    file.textures.iter_mut().for_each(|texture| texture.path = Cow::Borrowed(path));
    Bundle { main: file.encode(), companions: texture() }
}

/// The material's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = material().encode();
    change(&mut bytes);
    bytes.into()
}

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(..4, *b"MATP").for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    TRAILING_BYTES: with_bytes(trailing::append_too_many);
    VERSION_NOT_ZERO: with(|file| file.version = 1);

    TYPE_UNKNOWN: with_type(5);
    TYPE_NONE: with_type(0);
    TYPE_DUPLICATE: with(|file| file.textures.extend(file.textures.first().cloned()));
    NO_TEXTURES: with(|file| file.textures.clear());
    NO_DIFFUSE: with_type(3);

    PATH_EMPTY: with_path(b"");
    PATH_ABSOLUTE: with_path(b"C:/art/brick.png");
    PATH_LEAVES_FOLDER: with_path(b"textures/../../brick.png");
    PATH_BACKSLASH: with_path(b"textures\\brick.png");
    PATH_NOT_UTF8: with_path(b"caf\xe9.png");
    PATH_HOLDS_NUL: with_path(b"brick.png\0");
    PATH_EMBEDDED: with_path(b"*0");

    TEXTURE_MISSING: with_path(b"brick.png");
    TEXTURE_NOT_AN_IMAGE: Bundle {
        main: material().encode(),
        companions: vec![(Naming::Fixed(TEXTURE_FILE), b"clay".to_vec())],
    };

    NAME_EMPTY: with(|file| file.name = Cow::Borrowed(b""));
    NAME_NOT_UTF8: with(|file| file.name = Cow::Borrowed(b"caf\xe9"));
    NAME_HOLDS_NUL: with(|file| file.name = Cow::Borrowed(b"clay\0"));

    EXTRA_BYTES: with_bytes(|bytes| bytes.extend(b"more"));
}
