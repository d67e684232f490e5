//! What is to be known about a conversion and is no loss: what was passed over, and what was left out because that was asked for.

use serde::{Serialize, Serializer};
use std::fmt;

/// One thing to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Note {
    /// `skipped`: a clip of a folder moves no bone of the model. `unused`: a line of a bone map is about a bone that no clip has. `unselected`: a selection does not
    /// name it. `numbered`: bones of a clip, which have no names, are matched by number.
    pub kind: NoteKind,
    /// What it is about: `clips/walk.seanim`, `clip "Run"`.
    pub subject: String,
    /// Why it was passed over or left out, in words.
    pub detail: String,
}

/// What a note tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A file of a folder of clips was passed over.
    Skipped,
    /// A line of a bone map is about a bone that no clip has.
    Unused,
    /// A selection does not name it.
    Unselected,
    /// Bones of a clip, which have no names, are matched by number.
    Numbered,
}

impl NoteKind {
    /// In the order of the documents.
    pub const ALL: [NoteKind; 4] = [NoteKind::Skipped, NoteKind::Unused, NoteKind::Unselected, NoteKind::Numbered];

    /// The word used in JSON.
    pub fn word(self) -> &'static str {
        match self {
            NoteKind::Skipped => "skipped",
            NoteKind::Unused => "unused",
            NoteKind::Unselected => "unselected",
            NoteKind::Numbered => "numbered",
        }
    }

    /// Whether it may be a mistake, and not what was asked for.
    pub fn is_warning(self) -> bool {
        matches!(self, NoteKind::Skipped | NoteKind::Unused)
    }
}

impl Serialize for NoteKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Note {
    pub(crate) fn new(kind: NoteKind, subject: impl Into<String>, detail: impl Into<String>) -> Note {
        Note { kind, subject: subject.into(), detail: detail.into() }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Note { kind, subject, detail } = self;
        match kind {
            NoteKind::Skipped => write!(f, "{subject} is skipped: {detail}"),
            NoteKind::Unused => write!(f, "{subject} is not used: {detail}"),
            NoteKind::Unselected => write!(f, "{subject} is left out: {detail}"),
            NoteKind::Numbered => write!(f, "the bones of {subject} are matched by their numbers: {detail}"),
        }
    }
}
