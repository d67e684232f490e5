//! The bytes of a file that is to be written, without a copy of what they were taken from.
//!
//! A file that goes on as it is, or with another header, is for the greatest part a piece of its input, which is mapped. So it is kept as pieces, and
//! written piece by piece; whoever wants the bytes in a row gets them, joined where need be.

use crate::input::Bytes;
use maquette_formats::walk::{Container, Leaf, Visit, Walk, Walker};
use maquette_scene::Segment;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

/// Pieces that are shorter are copied.
const SHORT: usize = 4096;

/// The bytes of a file. It can be used as a slice of them, which is made when it is first asked for.
#[derive(Clone, Default)]
pub struct Contents {
    pieces: Vec<Piece>,
    joined: OnceLock<Vec<u8>>,
}

#[derive(Clone)]
enum Piece {
    Made(Vec<u8>),
    Part(Arc<Bytes>, Range<usize>),
}

impl Piece {
    fn bytes(&self) -> &[u8] {
        match self {
            Piece::Made(bytes) => bytes,
            Piece::Part(whole, range) => whole.get(range.clone()).unwrap_or_default(),
        }
    }
}

impl Contents {
    /// All of these bytes.
    pub(crate) fn whole(input: &Arc<Bytes>) -> Contents {
        let piece = Piece::Part(Arc::clone(input), 0..input.len());
        Contents { pieces: vec![piece], joined: OnceLock::new() }
    }

    /// A file that was read from these bytes, or borrows much of them.
    pub(crate) fn of_walk(file: &dyn Walk, input: &Arc<Bytes>) -> Contents {
        let mut pieces = Pieces { input, pieces: Vec::new() };
        file.walk(&mut Walker::new(&mut pieces));
        Contents { pieces: pieces.pieces, joined: OnceLock::new() }
    }

    /// The bytes, piece by piece.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.pieces.iter().map(Piece::bytes)
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.pieces().map(<[u8]>::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self.pieces.as_slice() {
            [] => &[],
            [piece] => piece.bytes(),
            _ => self.joined.get_or_init(|| {
                let mut joined = Vec::with_capacity(self.len());
                self.pieces().for_each(|piece| joined.extend_from_slice(piece));
                joined
            }),
        }
    }
}

impl AsRef<[u8]> for Contents {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Contents {
    fn from(bytes: Vec<u8>) -> Contents {
        Contents { pieces: vec![Piece::Made(bytes)], joined: OnceLock::new() }
    }
}

impl From<Contents> for Vec<u8> {
    fn from(mut contents: Contents) -> Vec<u8> {
        match (contents.pieces.pop(), contents.pieces.is_empty()) {
            (Some(Piece::Made(bytes)), true) => bytes,
            (last, _) => {
                contents.pieces.extend(last);
                contents.to_vec()
            }
        }
    }
}

impl PartialEq for Contents {
    fn eq(&self, other: &Contents) -> bool {
        **self == **other
    }
}

impl Eq for Contents {}

impl fmt::Debug for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contents({} bytes)", self.len())
    }
}

/// Keeps the leaves of a walk: as parts of the input where they are borrowed from it, as copies where they are not.
struct Pieces<'i> {
    input: &'i Arc<Bytes>,
    pieces: Vec<Piece>,
}

impl Visit for Pieces<'_> {
    fn open(&mut self, _: &Segment, _: Container, _: u64) {}

    fn close(&mut self) {}

    fn leaf(&mut self, _: &Segment, leaf: &Leaf<'_>) {
        let part = place_of(leaf.bytes, self.input).filter(|place| place.len() >= SHORT);
        match (part, self.pieces.last_mut()) {
            (Some(part), Some(Piece::Part(_, before))) if before.end == part.start => before.end = part.end,
            (Some(part), _) => self.pieces.push(Piece::Part(Arc::clone(self.input), part)),
            (None, Some(Piece::Made(before))) => before.extend_from_slice(leaf.bytes),
            (None, _) => self.pieces.push(Piece::Made(leaf.bytes.to_vec())),
        }
    }
}

/// Where a slice lies in the one it was borrowed from; `None` where it was not.
fn place_of(part: &[u8], whole: &[u8]) -> Option<Range<usize>> {
    let from = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let to = from.checked_add(part.len()).filter(|&to| to <= whole.len())?;
    Some(from..to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use maquette_formats::aem;

    #[test]
    fn a_file_is_kept_as_parts_of_its_input() {
        let sample = aem::sample("wide").main;
        let mut file = aem::File::parse(&sample).unwrap();
        file.image_buffer.to_mut().resize(10 * SHORT, 7);
        let input = Input::from_bytes("a.aem", file.encode());
        let opened = input.open(None).unwrap();
        let contents = input.contents_of(&opened);
        let copied: usize =
            contents.pieces.iter().map(|piece| if let Piece::Made(it) = piece { it.len() } else { 0 }).sum();
        assert!(copied < input.bytes().len() - 10 * SHORT + 1, "{copied} bytes copied");
        assert!(contents.pieces.len() > 1 && contents.joined.get().is_none());
        assert_eq!((contents.len(), &*contents), (input.bytes().len(), input.bytes()));
        assert_eq!(Vec::from(contents.clone()), input.bytes());
        assert_eq!(contents, Contents::from(input.bytes().to_vec()));
        assert_eq!(Contents::default().len(), 0);
    }

    #[test]
    fn bytes_from_elsewhere_have_no_place() {
        let whole = [1, 2, 3, 4];
        assert_eq!(place_of(&whole[1..3], &whole), Some(1..3));
        assert_eq!(place_of(&[2, 3], &whole), None);
        assert_eq!(place_of(&whole, &whole[1..3]), None);
    }
}
