//! The bytes of a file that is to be written, without a copy of what they were taken from.
//!
//! A file that goes on as it is, or with another header, is for the greatest part a piece of its input, which is mapped. So it is kept as pieces, and
//! written piece by piece; whoever wants the bytes in a row gets them, joined where need be.

use maquette_formats::walk::{Container, Leaf, Visit, Walk, Walker};
use maquette_scene::{Bytes, Segment};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::OnceLock;

/// Pieces that are shorter are copied.
const SHORT: usize = 4096;

/// The bytes of a file. It can be used as a slice of them, which is made when it is first asked for.
#[derive(Clone, Default)]
pub struct Contents {
    pieces: Vec<Bytes>,
    joined: OnceLock<Vec<u8>>,
}

impl Contents {
    /// All of these bytes.
    pub(crate) fn whole(input: &Bytes) -> Contents {
        Contents { pieces: vec![input.clone()], joined: OnceLock::new() }
    }

    /// A file that was read from these bytes, or borrows much of them.
    pub(crate) fn of_walk(file: &dyn Walk, input: &Bytes) -> Contents {
        let mut pieces = Pieces { input, pieces: Vec::new(), borrowed: 0..0 };
        file.walk(&mut Walker::new(&mut pieces));
        pieces.take_borrowed();
        Contents { pieces: pieces.pieces, joined: OnceLock::new() }
    }

    /// The bytes, piece by piece.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.pieces.iter().map(|piece| &**piece)
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
            [piece] => piece,
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
        Contents { pieces: vec![bytes.into()], joined: OnceLock::new() }
    }
}

impl From<Contents> for Vec<u8> {
    fn from(mut contents: Contents) -> Vec<u8> {
        match contents.pieces.as_mut_slice() {
            [piece] => std::mem::take(piece).into_vec(),
            _ => contents.to_vec(),
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
    input: &'i Bytes,
    pieces: Vec<Bytes>,
    /// A part of the input that may go on with the next leaf.
    borrowed: Range<usize>,
}

impl Pieces<'_> {
    fn take_borrowed(&mut self) {
        let borrowed = std::mem::take(&mut self.borrowed);
        if !borrowed.is_empty() {
            self.pieces.push(self.input.range(borrowed));
        }
    }
}

impl Visit for Pieces<'_> {
    fn open(&mut self, _: &Segment, _: Container, _: u64) {}

    fn close(&mut self) {}

    fn leaf(&mut self, _: &Segment, leaf: &Leaf<'_>) {
        match self.input.place_of(leaf.bytes).filter(|place| place.len() >= SHORT) {
            Some(place) if place.start == self.borrowed.end => self.borrowed.end = place.end,
            Some(place) => {
                self.take_borrowed();
                self.borrowed = place;
            }
            None => {
                self.take_borrowed();
                match self.pieces.last_mut().filter(|last| !last.is_shared()) {
                    Some(last) => last.to_mut().extend_from_slice(leaf.bytes),
                    None => self.pieces.push(leaf.bytes.to_vec().into()),
                }
            }
        }
    }
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
        let copied: usize = contents.pieces.iter().filter(|piece| !piece.is_shared()).map(|piece| piece.len()).sum();
        assert!(copied < input.bytes().len() - 10 * SHORT + 1, "{copied} bytes copied");
        assert!(contents.pieces.len() > 1 && contents.joined.get().is_none());
        assert_eq!((contents.len(), &*contents), (input.bytes().len(), input.bytes()));
        assert_eq!(Vec::from(contents.clone()), input.bytes());
        assert_eq!(contents, Contents::from(input.bytes().to_vec()));
        assert_eq!(Contents::default().len(), 0);
    }
}
