//! Logical paths such as `joints[12].parent`: how people and tools name a value inside a file.
//!
//! A path is a list of segments. The same paths are built by readers while they descend, by checks when
//! they find something, and by users on the command line, so they print and parse without loss.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A named field or section.
    Name(Cow<'static, str>),
    /// A position in an array.
    Index(usize),
}

impl From<&'static str> for Segment {
    fn from(name: &'static str) -> Self {
        Segment::Name(name.into())
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Segment::Index(index)
    }
}

/// A place in a file by name: `meshes[3].vertices[17].position[1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path(Vec<Segment>);

/// Builds a [`Path`] from names and indices: `path!("joints", 12, "parent")`.
#[macro_export]
macro_rules! path {
    ($($segment:expr),* $(,)?) => {
        $crate::path::Path::from(vec![$($crate::path::Segment::from($segment)),*])
    };
}

impl From<Vec<Segment>> for Path {
    fn from(segments: Vec<Segment>) -> Self {
        Path(segments)
    }
}

impl Path {
    /// The segments from the outside in.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Adds a step inwards.
    pub fn push(&mut self, segment: impl Into<Segment>) {
        self.0.push(segment.into());
    }

    /// Adds a step at the outside.
    pub fn prepend(&mut self, segment: impl Into<Segment>) {
        self.0.insert(0, segment.into());
    }

    /// Takes the innermost step back.
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// The same path one step further in.
    pub fn join(&self, segment: impl Into<Segment>) -> Path {
        let mut longer = self.clone();
        longer.push(segment);
        longer
    }

    /// What repeats of one finding have in common: the path with its innermost index left open, so that
    /// `joints[3].parent` and `joints[12].parent` are repeats, and meshes are told apart in
    /// `meshes[0].vertices[7]`.
    pub fn pattern(&self) -> Path {
        let mut pattern = self.clone();
        if let Some(last) = pattern.0.iter_mut().rev().find(|s| matches!(s, Segment::Index(_))) {
            *last = Segment::Index(usize::MAX);
        }
        pattern
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Name(name) if position == 0 => write!(f, "{name}")?,
                Segment::Name(name) => write!(f, ".{name}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Bytes of a path that people are shown of each end of a long one.
const SHOWN: usize = 64;

/// The text of a path as people are shown it: where it is long its head and its tail, and how many levels are between.
pub fn shortened(path: &str) -> Cow<'_, str> {
    if path.len() <= 3 * SHOWN {
        return Cow::Borrowed(path);
    }
    let is_level = |c: char| c == '.' || c == '[';
    let head = path.get(..path.floor_char_boundary(SHOWN)).unwrap_or_default();
    let tail = path.get(path.ceil_char_boundary(path.len() - SHOWN)..).unwrap_or_default();
    let head = head.rfind(is_level).and_then(|end| head.get(..end)).unwrap_or(head);
    let tail = tail.find(is_level).and_then(|start| tail.get(start..)).unwrap_or(tail);
    let between = path.get(head.len()..path.len() - tail.len()).unwrap_or_default();
    match between.matches(is_level).count() {
        0 => Cow::Owned(format!("{head}…{tail}")),
        1 => Cow::Owned(format!("{head} … 1 level … {tail}")),
        levels => Cow::Owned(format!("{head} … {levels} levels … {tail}")),
    }
}

/// A text that is no path, with what is wrong about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError(String);

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PathError {}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let bad =
            |why: &str| PathError(format!("`{text}` is no path: {why}; write it like meshes[3].vertices[17].position"));
        let mut segments = Vec::new();
        for part in text.split('.') {
            let (name, indices) = part.split_once('[').map_or((part, None), |(name, rest)| (name, Some(rest)));
            match (name.is_empty(), indices.is_some(), segments.is_empty()) {
                (true, true, true) => {}
                (true, ..) => return Err(bad("a name is missing")),
                (false, ..) => segments.push(Segment::Name(name.to_owned().into())),
            }
            let Some(indices) = indices else { continue };
            let inner = indices.strip_suffix(']').ok_or_else(|| bad("a `]` is missing"))?;
            for index in inner.split("][") {
                segments.push(Segment::Index(index.parse().map_err(|_| bad("an index is not a whole number"))?));
            }
        }
        Ok(Path(segments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses_the_same_text() {
        for text in ["header", "joints[12].parent", "meshes[3].vertices[17].position[1]", "a[1][2].b"] {
            assert_eq!(text.parse::<Path>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn long_paths_are_shown_by_their_ends() {
        let levels = |text: &str| text.matches(['.', '[']).count();
        for count in [100, 1_000_000] {
            let path = format!("json.extras{}.last", "[0]".repeat(count));
            let short = shortened(&path);
            let (head, rest) = short.split_once(" … ").unwrap();
            let (between, tail) = rest.split_once(" levels … ").unwrap();
            assert!(path.starts_with(head) && path.ends_with(tail) && short.len() < 200, "{short}");
            assert!(head.ends_with(']') && tail.starts_with("[0]"), "{short}");
            assert_eq!(levels(head) + between.parse::<usize>().unwrap() + levels(tail), levels(&path));
        }
        for path in ["json.nodes[3].mesh".to_owned(), "é".repeat(90)] {
            assert_eq!(shortened(&path), path);
        }
        let name = format!("json.{}.mesh", "é".repeat(1000));
        assert_eq!(shortened(&name), "json … 1 level … .mesh");
        let name = "é".repeat(1000);
        assert!(shortened(&name).len() < 200 && name.starts_with(shortened(&name).split('…').next().unwrap()));
    }

    #[test]
    fn refuses_what_is_no_path() {
        for text in ["", "a.", ".a", "a[", "a[x]", "a[1", "a[-1]", "a[]"] {
            assert!(text.parse::<Path>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_pattern_leaves_the_innermost_index_open() {
        let of = |text: &str| text.parse::<Path>().unwrap().pattern();
        assert_eq!(of("joints[3].parent"), of("joints[12].parent"));
        assert_ne!(of("meshes[0].vertices[7]"), of("meshes[1].vertices[7]"));
        assert_eq!(of("header.version"), path!("header", "version"));
    }
}
