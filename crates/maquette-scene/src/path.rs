//! Logical paths such as `joints[12].parent`: how people and tools name a value inside a file.
//!
//! A path is a list of segments. The same paths are built by readers while they descend, by checks when
//! they find something, and by users on the command line, so they print and parse without loss.

use std::fmt;
use std::str::FromStr;

/// One step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A named field or section.
    Name(std::borrow::Cow<'static, str>),
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
