//! A parsed file told in file order.
//!
//! Each format describes its layout once, as a walk over named leaves. The walker counts the bytes, so a
//! format never computes an offset, and leaves cannot overlap or leave gaps. Encoding is a walk that
//! keeps the bytes; dumps, hex maps, `explain` and the offsets of diagnostics are other visitors.

use crate::layout::{Meaning, Type, Typed};
use maquette_scene::Segment;
use zerocopy::IntoBytes;
use zerocopy::little_endian::U32;

/// Something that can be told in file order.
pub trait Walk {
    /// Names every byte of the file, in order.
    fn walk(&self, walker: &mut Walker<'_>);
}

/// A run of bytes with one name: a number, a record, a table of them, text or a blob.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Leaf<'a> {
    /// From the start of the file.
    pub offset: u64,
    /// The bytes as they stand in the file.
    pub bytes: &'a [u8],
    /// What is stored; of each element, for a table.
    pub ty: Type,
    /// The number of elements, for a table.
    pub count: Option<usize>,
    /// What it is, for leaves that are not records.
    pub doc: &'static str,
    /// What its values stand for.
    pub meaning: Meaning,
}

/// What holds leaves and other containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Children have names.
    Group,
    /// Children are numbered from 0.
    List,
}

/// Sees a file go by.
pub trait Visit {
    /// A container begins at `offset`.
    fn open(&mut self, name: &Segment, container: Container, offset: u64);
    /// The innermost container ends.
    fn close(&mut self);
    /// A leaf of the innermost container.
    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>);
}

/// Takes a format through its file and tells the visitor.
pub struct Walker<'v> {
    visitor: &'v mut dyn Visit,
    offset: u64,
}

impl<'v> Walker<'v> {
    /// A walker at the start of the file.
    pub fn new(visitor: &'v mut dyn Visit) -> Self {
        Walker { visitor, offset: 0 }
    }

    /// Whoever is told.
    pub(crate) fn visitor(&mut self) -> &mut dyn Visit {
        self.visitor
    }

    /// One value: a number, an array or a record. Records bring their own documentation.
    pub fn value<T: Typed>(&mut self, name: impl Into<Segment>, value: &T, doc: &'static str) {
        self.leaf(name, value.as_bytes(), T::TYPE, None, doc);
    }

    /// One record.
    pub fn record<T: Typed>(&mut self, name: impl Into<Segment>, record: &T) {
        self.value(name, record, "");
    }

    /// Records or numbers one after another.
    pub fn table<T: Typed>(&mut self, name: impl Into<Segment>, elements: &[T], doc: &'static str) {
        self.leaf(name, elements.as_bytes(), T::TYPE, Some(elements.len()), doc);
    }

    /// A table whose element type is known only from the file.
    pub fn table_of(&mut self, name: impl Into<Segment>, ty: Type, bytes: &[u8], doc: &'static str) {
        let count = bytes.len().checked_div(ty.bytes()).unwrap_or(0);
        self.leaf(name, bytes, ty, Some(count), doc);
    }

    /// A value whose type is known only from the file.
    pub fn value_of(&mut self, name: impl Into<Segment>, ty: Type, bytes: &[u8], doc: &'static str) {
        self.leaf(name, bytes, ty, None, doc);
    }

    /// Text: a terminating NUL, if the format has one, is part of it.
    pub fn text(&mut self, name: impl Into<Segment>, bytes: &[u8], doc: &'static str) {
        self.leaf(name, bytes, Type::Text(bytes.len()), None, doc);
    }

    /// Bytes without structure.
    pub fn blob(&mut self, name: impl Into<Segment>, bytes: &[u8], doc: &'static str) {
        self.leaf(name, bytes, Type::Blob(bytes.len()), None, doc);
    }

    /// A container of named things.
    pub fn group(&mut self, name: impl Into<Segment>, inside: impl FnOnce(&mut Self)) {
        self.container(name, Container::Group, inside);
    }

    /// A container of numbered things.
    pub fn list(&mut self, name: impl Into<Segment>, inside: impl FnOnce(&mut Self)) {
        self.container(name, Container::List, inside);
    }

    /// A numbered container for each of these, filled by `each`.
    pub fn items<T>(&mut self, name: impl Into<Segment>, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.list(name, |walker| {
            for (index, item) in items.iter().enumerate() {
                walker.group(index, |walker| each(walker, item));
            }
        });
    }

    fn container(&mut self, name: impl Into<Segment>, container: Container, inside: impl FnOnce(&mut Self)) {
        self.visitor.open(&name.into(), container, self.offset);
        inside(self);
        self.visitor.close();
    }

    fn leaf(&mut self, name: impl Into<Segment>, bytes: &[u8], ty: Type, count: Option<usize>, doc: &'static str) {
        self.visitor.leaf(&name.into(), &Leaf { offset: self.offset, bytes, ty, count, doc, meaning: Meaning::Plain });
        self.offset += bytes.len() as u64;
    }
}

/// The length of a list as the file counts it. One too long for its count cannot come from a parse; it would be cut off by any reader.
pub fn count(length: usize) -> U32 {
    U32::new(length as u32)
}

/// How many bytes a file has, from its walk.
pub fn size(file: &(impl Walk + ?Sized)) -> usize {
    struct Size(usize);
    impl Visit for Size {
        fn open(&mut self, _: &Segment, _: Container, _: u64) {}
        fn close(&mut self) {}
        fn leaf(&mut self, _: &Segment, leaf: &Leaf<'_>) {
            self.0 += leaf.bytes.len();
        }
    }
    let mut size = Size(0);
    file.walk(&mut Walker::new(&mut size));
    size.0
}

/// The bytes of a file, from its walk.
pub fn encode(file: &(impl Walk + ?Sized)) -> Vec<u8> {
    encode_sized(file, size(file))
}

/// As [`encode`], for a file whose size is known: one that is made while it is walked need not be made to be measured.
pub fn encode_sized(file: &(impl Walk + ?Sized), size: usize) -> Vec<u8> {
    struct Bytes(Vec<u8>);
    impl Visit for Bytes {
        fn open(&mut self, _: &Segment, _: Container, _: u64) {}
        fn close(&mut self) {}
        fn leaf(&mut self, _: &Segment, leaf: &Leaf<'_>) {
            self.0.extend_from_slice(leaf.bytes);
        }
    }
    let mut bytes = Bytes(Vec::with_capacity(size));
    file.walk(&mut Walker::new(&mut bytes));
    bytes.0
}
