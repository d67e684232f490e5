//! What can go wrong, in one type: each variant says what, where and what would be right.

use crate::fit::Excess;
use maquette_formats::format::{self, Format};
use maquette_motion::Refusal;
use maquette_scene::valid::Invalid;
use std::fmt;
use std::io::{self, ErrorKind as Io};

/// Why something could not be done.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    Io {
        /// The file or folder, as it was named.
        file: String,
        /// What was being done to it: `read`, `write`.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file's bytes could not be understood.
    Read {
        /// The file that could not be read, as it was named.
        file: String,
        /// The format it was taken for; `None` where no format knows its bytes.
        format: Option<&'static Format>,
        /// What is wrong with it.
        source: format::Error,
    },
    /// The scene cannot be written in this format.
    Write {
        /// The file it came from or is to become.
        file: String,
        /// The format it does not fit.
        format: &'static Format,
        /// What stands in the way.
        source: format::Error,
    },
    /// The scene cannot be brought into the form that a format needs, because numbers overflow.
    Fit {
        /// The file it came from or is to become.
        file: String,
        /// The format it was to be written in.
        format: &'static Format,
        /// The first number that does.
        source: Invalid,
    },
    /// No format has this id.
    UnknownFormat {
        /// What was asked for.
        asked: String,
        /// The ids there are.
        known: Vec<&'static str>,
    },
    /// The ending of a file name says no format.
    UnknownEnding {
        /// The file name.
        name: String,
        /// The endings there are.
        known: Vec<&'static str>,
    },
    /// A name ends as files of another format or dialect do than those asked for.
    WrongEnding {
        /// The file name.
        name: String,
        /// What files are that end so: `glTF binary`.
        ends_as: String,
        /// What is asked for: `glTF text`.
        asked: String,
        /// The ending of what is asked for.
        right: &'static str,
        /// What to ask for to keep the name.
        instead: String,
    },
    /// The format has no such dialect.
    UnknownDialect(format::Error),
    /// No finding and no loss is called so.
    UnknownCode {
        /// What was asked for.
        asked: String,
        /// The first and last code of each format.
        known: Vec<(&'static str, &'static str)>,
        /// Codes, their names and losses that are nearly called so.
        near: Vec<&'static str>,
    },
    /// The code belongs to another format.
    ForeignCode {
        /// The code that was asked for: `BMW0012`.
        code: &'static str,
        /// The format that does not raise it.
        format: &'static str,
    },
    /// Nothing has a name that a selection asks for.
    NothingSelected {
        /// The patterns of the selection, as they were given.
        patterns: Vec<String>,
        /// The names there are.
        names: Vec<String>,
    },
    /// A factor makes a model so small or so large that single precision cannot hold it.
    Size {
        /// What every length was to be multiplied by.
        factor: f32,
        /// The largest length that would come of it.
        size: f32,
    },
    /// A file whose clips are wanted holds none.
    NoClip {
        /// The file that was to give clips, as it was named.
        file: String,
    },
    /// No clip of a file is called as was asked for.
    NoSuchClip {
        /// The file, as it was named.
        file: String,
        /// The names that were asked for, as they were given.
        patterns: Vec<String>,
        /// The names of its clips.
        names: Vec<String>,
    },
    /// An operation on a clip cannot be done.
    Clip {
        /// The file that holds it, as it was named.
        file: String,
        /// Its name; empty where it has none.
        clip: String,
        /// Why, and what would be right.
        why: Refusal,
    },
    /// A clip moves no bone of the model.
    NoBoneMatches {
        /// The file of the clip, or the folder of clips of which none does.
        file: String,
        /// The names that it looks for, or some of them.
        bones: Vec<String>,
        /// The nodes of the model, or some of them.
        nodes: Vec<String>,
    },
    /// An animation without a model cannot become a model.
    ClipAlone {
        /// The file that holds animation alone, as it was named.
        file: String,
        /// The format that needs a model.
        format: &'static Format,
    },
    /// A format, or a comparison, takes more than a limit allows.
    TooMuch(Excess),
    /// A picture has more pixels than are decoded.
    LargeImage {
        /// Which one: `image "wood"`.
        image: String,
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// How many pixels there may be.
        most: u64,
    },
    /// A file that belongs to somebody else would be overwritten.
    Exists {
        /// The file that is there already.
        file: String,
        /// What it would be a companion file of.
        of: String,
    },
    /// An output, or a companion file of it, would replace a file that it was made from.
    Source {
        /// The file that was read.
        file: String,
        /// Whose companion file it is.
        of: String,
    },
    /// A report would replace a file that is read or written.
    ReportReplaces {
        /// That file.
        file: String,
    },
    /// Outputs of several inputs would have one name.
    SameOutput {
        /// Paths that several inputs would be written to, each with these inputs.
        collisions: Vec<(String, Vec<String>)>,
    },
    /// A format of several files cannot go to standard output.
    SeveralFiles {
        /// The format that was asked for.
        format: &'static Format,
        /// The id of its dialect, which has companion files.
        dialect: &'static str,
        /// The companion files there would be.
        companions: Vec<String>,
        /// A dialect of one file, where there is one.
        instead: Option<&'static str>,
    },
    /// A list cannot be understood.
    List {
        /// The file that holds the list, as it was named.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        why: &'static str,
    },
    /// A list names nothing.
    EmptyList {
        /// The file that holds the list, as it was named.
        file: String,
    },
    /// A path leads to nothing in a file.
    NoSuchPath {
        /// What was asked for.
        path: String,
        /// Where the way ends, and what there is.
        why: String,
    },
    /// A front door was asked for something that does not go together; the text says what does.
    Usage(String),
    /// A file has no such byte.
    NoSuchByte {
        /// The file that was asked about, as it was named.
        file: String,
        /// The byte asked about.
        offset: u64,
        /// How many it has.
        bytes: u64,
    },
}

impl Error {
    /// Makes a failure of reading or writing a file an error that names it: `map_err(Error::io("a.aem", "read"))`.
    pub fn io(file: impl Into<String>, doing: &'static str) -> impl FnOnce(io::Error) -> Error {
        let file = file.into();
        move |source| Error::Io { file, doing, source }
    }

    /// The file that the words of the error name as the one that was at fault, as it was named; `None` where they name none, or only files that stand in the way.
    pub fn file(&self) -> Option<&str> {
        match self {
            Error::Io { file, .. }
            | Error::Read { file, .. }
            | Error::Write { file, .. }
            | Error::Fit { file, .. }
            | Error::NoClip { file }
            | Error::NoSuchClip { file, .. }
            | Error::Clip { file, .. }
            | Error::NoBoneMatches { file, .. }
            | Error::ClipAlone { file, .. }
            | Error::NoSuchByte { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Whether the reader of our output went away, which is no failure.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What the system means, without its numbers.
fn why(error: &io::Error) -> String {
    let Some(number) = error.raw_os_error() else { return error.to_string() };
    let words = match error.kind() {
        Io::NotFound => "there is no such file or folder",
        Io::NotADirectory => "a part of its path is a file, not a folder",
        Io::IsADirectory => "it is a folder",
        Io::AlreadyExists => "a file of that name is in the way",
        Io::PermissionDenied => "permission denied",
        Io::InvalidFilename => "the name is too long, or is none that this system takes",
        Io::StorageFull => "no space is left",
        _ => return error.to_string().replace(&format!(" (os error {number})"), ""),
    };
    words.into()
}

/// Some of a list of names, in quotes.
pub(crate) fn listed(names: &[String]) -> String {
    const NAMED: usize = 8;
    let named: Vec<String> = names.iter().filter(|name| !name.is_empty()).map(|name| format!("{name:?}")).collect();
    let nameless = match names.len() - named.len() {
        _ if named.is_empty() => return "nothing that has a name".to_owned(),
        0 => String::new(),
        1 => ", and one without a name".to_owned(),
        more => format!(", and {more} without a name"),
    };
    let told = named.get(..NAMED).unwrap_or(&named).join(", ");
    match named.len().saturating_sub(NAMED) {
        0 => told + &nameless,
        more => format!("{told} and {more} more{nameless}"),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { file, doing, source } => write!(f, "cannot {doing} {file}: {}", why(source)),
            Error::Read { file, source, .. } => write!(f, "cannot read {file}: {source}"),
            Error::Write { file, format, source } => write!(f, "{file} cannot become {}: {source}", format.name),
            Error::Fit { file, format, source } => write!(f, "{file} cannot become {}: {source}", format.name),
            Error::UnknownFormat { asked, known } => {
                write!(f, "`{asked}` is no format; the formats are {}", known.join(", "))
            }
            Error::UnknownEnding { name, known } => {
                let known: Vec<String> = known.iter().map(|ending| format!(".{ending}")).collect();
                write!(f, "the ending of `{name}` names no format; known are {}", known.join(", "))
            }
            Error::WrongEnding { name, ends_as, asked, right, instead } => write!(
                f,
                "`{name}` ends as {ends_as} does, and {asked} is asked for; end it in .{right}, or ask for {instead}"
            ),
            Error::UnknownDialect(source) => source.fmt(f),
            Error::UnknownCode { asked, near, .. } if !near.is_empty() => {
                let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "no finding and no loss is called `{asked}`; there is {}", near.join(", "))
            }
            Error::UnknownCode { asked, known, .. } => {
                let known: Vec<String> = known.iter().map(|(first, last)| format!("{first} to {last}")).collect();
                write!(
                    f,
                    "no finding and no loss is called `{asked}`; codes run from {}; docs/codes.md and docs/losses.md list all",
                    known.join(", from ")
                )
            }
            Error::ForeignCode { code, format } => write!(f, "{code} is no finding about {format} files"),
            Error::NothingSelected { patterns, names } => {
                write!(f, "nothing is called {}; there are {}", patterns.join(" or "), listed(names))
            }
            Error::Size { factor, size } => write!(
                f,
                "--scale {factor:e} leaves a model of size {size:e}, which single precision cannot hold; \
                 sizes from 1e-12 to 1e18 are possible"
            ),
            Error::NoClip { file } => write!(f, "{file} holds no clip"),
            Error::NoSuchClip { file, patterns, names } => {
                let asked = patterns.join(" or ");
                match names.iter().all(String::is_empty) {
                    true => write!(
                        f,
                        "{file} has no clip called {asked}; its clips have no names, and --clip '*' names them"
                    ),
                    false => write!(f, "{file} has no clip called {asked}; it has {}", listed(names)),
                }
            }
            Error::Clip { file, clip, why } if clip.is_empty() => write!(f, "{file}: {why}"),
            Error::Clip { file, clip, why } => write!(f, "{file}, clip {clip:?}: {why}"),
            Error::NoBoneMatches { file, bones, nodes } => write!(
                f,
                "{file} moves no bone of the model: none is called {}; the model has {}; \
                 --bone-map, --strip-prefix and --ignore-namespace match other names",
                listed(bones),
                listed(nodes)
            ),
            Error::TooMuch(excess) => excess.fmt(f),
            Error::LargeImage { image, width, height, most } => write!(
                f,
                "{image} has {width} × {height} pixels, and at most {most} (16384 × 16384) are decoded; \
                 make it smaller in an image editor first, --max-size cannot"
            ),
            Error::ClipAlone { file, format } => write!(
                f,
                "{file} holds animation alone, and {} needs a model; convert the model it is for, with --clip {file}",
                format.name
            ),
            Error::Exists { file, of } => write!(
                f,
                "{file} exists with other contents and may belong to another file than {of}; \
                 move it away, choose another output name, or use --force"
            ),
            Error::Source { file, of } => {
                write!(f, "{file} belongs to {of}, which is being read; choose another output name, or use --force")
            }
            Error::ReportReplaces { file } => {
                write!(f, "the report would replace {file}, which is read or written; name another file")
            }
            Error::SameOutput { collisions } => {
                for (output, inputs) in collisions {
                    write!(f, "{} would all become {output}; ", inputs.join(", "))?;
                }
                f.write_str(
                    "rename some of them, or write them in several runs into folders of their own; \
                     `convert --list` keeps the folders below a list",
                )
            }
            Error::SeveralFiles { format, dialect, companions, instead } => {
                write!(
                    f,
                    "{} ({dialect}) is several files, and standard output takes one: {} would be lost",
                    format.name,
                    listed(companions)
                )?;
                match instead {
                    Some(instead) => write!(f, "; --dialect {instead} is one file"),
                    None => write!(f, "; name an output file"),
                }
            }
            Error::List { file, line, why } => write!(f, "{file}, line {line}: {why}"),
            Error::EmptyList { file } => write!(f, "{file} names no file"),
            Error::NoSuchPath { path, why } => write!(f, "there is no `{path}`: {why}"),
            Error::Usage(why) => f.write_str(why),
            Error::NoSuchByte { file, offset, bytes } => write!(
                f,
                "{file} has no byte {offset:#x}: it is {bytes} bytes long, so the last is {:#x}",
                bytes.saturating_sub(1)
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            Error::Read { source, .. } | Error::Write { source, .. } | Error::UnknownDialect(source) => Some(source),
            Error::Fit { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<Excess> for Error {
    fn from(excess: Excess) -> Error {
        Error::TooMuch(excess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_without_names_is_told_as_such() {
        let error = Error::NoBoneMatches { file: "walk.seanim".into(), bones: vec!["hip".into()], nodes: Vec::new() };
        let text =
            "walk.seanim moves no bone of the model: none is called \"hip\"; the model has nothing that has a name; ";
        assert!(error.to_string().starts_with(text), "{error}");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..10).map(|index| index.to_string()).collect();
        assert_eq!(listed(&names), r#""0", "1", "2", "3", "4", "5", "6", "7" and 2 more"#);
    }

    #[test]
    fn what_has_no_name_is_counted() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(listed(&names(&["", "box"])), r#""box", and one without a name"#);
        assert_eq!(listed(&names(&["", "box", ""])), r#""box", and 2 without a name"#);
        assert_eq!(listed(&names(&["", ""])), "nothing that has a name");
    }

    #[test]
    fn the_system_speaks_without_numbers() {
        for number in 1..=133 {
            let said = why(&io::Error::from_raw_os_error(number));
            assert!(!said.is_empty() && !said.contains("os error"), "{said}");
        }
        assert_eq!(why(&io::Error::other("as it is (os error 5)")), "as it is (os error 5)");
    }
}
