//! What is to be written, and whether into a file or a folder: what options and names ask for, where they agree.
//!
//! A file that ends as another format or dialect does would be taken for that by everybody who meets it, so it is refused.

use crate::write::{WriteOptions, by_file_name, by_id};
use crate::{Error, Result};
use maquette_formats::format::{Caps, DialectInfo, Format};
use std::path::Path;

/// A format, and the dialect of it that is asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Target {
    /// What the options name, or else the ending of the file.
    pub format: &'static Format,
    /// The dialect, by its own name or by the ending of files; `None` where any will do.
    pub dialect: Option<&'static DialectInfo>,
}

impl Target {
    /// What is asked for a file of this name.
    pub fn for_file(options: &WriteOptions, name: &str) -> Result<Target> {
        let asked = match &options.format {
            Some(word) => Target::by_word(options, word)?,
            None => Target::of(by_file_name(options.formats, name)?, options)?,
        };
        asked.agreeing_with(name, options)
    }

    /// What is asked where no name of a file tells: this format, unless the options say another.
    pub fn without_name(options: &WriteOptions, unsaid: &'static Format) -> Result<Target> {
        options.format.as_ref().map_or_else(|| Target::of(unsaid, options), |word| Target::by_word(options, word))
    }

    /// By the id of a format, or by an ending of its files.
    fn by_word(options: &WriteOptions, word: &str) -> Result<Target> {
        let ending = word.trim_start_matches('.');
        match (options.formats.by_id(word), options.formats.by_extension(ending)) {
            (None, Some(format)) => Target::of(format, options)?.agreeing_with(&format!(".{ending}"), options),
            _ => Target::of(by_id(options.formats, word)?, options),
        }
    }

    fn of(format: &'static Format, options: &WriteOptions) -> Result<Target> {
        let dialect = options.dialect.as_ref().map(|id| format.known_dialect(id)).transpose();
        Ok(Target { format, dialect: dialect.map_err(Error::UnknownDialect)? })
    }

    /// The same, and the dialect that the name asks for; or how the two contradict each other.
    fn agreeing_with(self, name: &str, options: &WriteOptions) -> Result<Target> {
        let refuse = |ends_as: String, asked: String, right: &'static str, instead: String| {
            Err(Error::WrongEnding { name: name.to_owned(), ends_as, asked, right, instead })
        };
        let Target { format, dialect } = self;
        let of_name = options.formats.by_file_name(name).unwrap_or(format);
        if of_name.id != format.id {
            let right = format.ending_of(dialect.map_or("", |dialect| dialect.id));
            return refuse(of_name.name.into(), format.name.into(), right, format!("--to {}", of_name.id));
        }
        match (dialect, format.dialect_by_ending(name)) {
            (Some(asked), Some(said)) if asked.id != said.id => {
                let [ends_as, asked_for] = [said, asked].map(|dialect| format!("{} {}", format.name, dialect.id));
                refuse(ends_as, asked_for, format.ending_of(asked.id), format!("--dialect {}", said.id))
            }
            (asked, said) => Ok(Target { format, dialect: asked.or(said) }),
        }
    }

    /// The ending of its files.
    pub fn ending(&self) -> &'static str {
        self.format.ending_of(self.dialect.map_or("", |dialect| dialect.id))
    }

    /// What it can hold, in the dialect that was asked for or in its first.
    pub(crate) fn caps(&self) -> Caps {
        let dialect = self.dialect.or_else(|| self.format.dialects.first());
        dialect.map_or(Caps::NOTHING, |dialect| (self.format.caps)(dialect.id))
    }
}

/// Whether a path is a folder, or is named like one.
pub fn is_folder(path: &Path) -> bool {
    let end = path.as_os_str().as_encoded_bytes().last();
    end.is_some_and(|&end| std::path::is_separator(end.into())) || path.is_dir()
}

/// Whether a path that is to be written to means a folder: it is one, or a format is asked for, and the path is not there and does not end as files
/// of any format do.
pub fn means_folder(path: &Path, options: &WriteOptions) -> bool {
    let is_new = || !path.exists() && options.formats.by_file_name(&path.to_string_lossy()).is_none();
    is_folder(path) || (options.format.is_some() && is_new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &str, format: Option<&str>, dialect: Option<&str>) -> Result<(&'static str, &'static str)> {
        let [format, dialect] = [format, dialect].map(|word| word.map(str::to_owned));
        let target = Target::for_file(&WriteOptions { format, dialect, ..WriteOptions::default() }, name)?;
        Ok((target.format.id, target.dialect.map_or("any", |dialect| dialect.id)))
    }

    #[test]
    fn words_endings_and_dialects_say_one_thing() {
        for (name, format, dialect, expected) in [
            ("a.glb", None, None, ("gltf", "binary")),
            ("a.gltf", None, Some("text"), ("gltf", "text")),
            ("a.GLTF", Some("gltf"), None, ("gltf", "text")),
            ("a", Some("gltf"), None, ("gltf", "any")),
            ("a", Some("glb"), None, ("gltf", "binary")),
            ("a", Some(".GLB"), Some("binary"), ("gltf", "binary")),
            ("a.aem", Some("AEM"), Some("wide"), ("aem", "wide")),
        ] {
            assert_eq!(asked(name, format, dialect).unwrap(), expected, "{name} {format:?} {dialect:?}");
        }
    }

    #[test]
    fn contradictions_are_told_with_both_ways_out() {
        for (name, format, dialect, expected) in [
            (
                "a.glb",
                None,
                Some("text"),
                "`a.glb` ends as glTF binary does, and glTF text is asked for; end it in .gltf, or ask for --dialect binary",
            ),
            (
                "a.gltf",
                Some("glb"),
                None,
                "`a.gltf` ends as glTF text does, and glTF binary is asked for; end it in .glb, or ask for --dialect text",
            ),
            (
                "a.aem",
                Some("gltf"),
                Some("text"),
                "`a.aem` ends as AEM does, and glTF is asked for; end it in .gltf, or ask for --to aem",
            ),
            (
                "a",
                Some("glb"),
                Some("text"),
                "`.glb` ends as glTF binary does, and glTF text is asked for; end it in .gltf, or ask for --dialect binary",
            ),
        ] {
            assert_eq!(asked(name, format, dialect).unwrap_err().to_string(), expected);
        }
        assert!(matches!(asked("a", Some("gbl"), None), Err(Error::UnknownFormat { .. })));
        assert!(matches!(asked("a", None, None), Err(Error::UnknownEnding { .. })));
    }
}
