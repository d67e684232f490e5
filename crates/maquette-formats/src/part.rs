//! What there is of a file that ends too early, or goes on for too long.
//!
//! A [`Part`] can be walked and nothing else: dumps and `explain` show it. The parsers read it with
//! [`Reader::of_part`](crate::bytes::Reader::of_part), which puts zeros and shorter tables in the place of what is missing. Here the bytes of the file itself
//! are told instead, so that counts are those of the file, and the walk ends where the file does.

use crate::format::RawFile;
use crate::layout::Type;
use crate::walk::{Container, Leaf, Visit, Walk, Walker};
use maquette_scene::Segment;

/// What there is of a broken file.
pub struct Part<'a> {
    bytes: &'a [u8],
    file: Box<dyn RawFile + 'a>,
}

impl<'a> Part<'a> {
    /// Takes what was read of these bytes.
    pub(crate) fn new(bytes: &'a [u8], file: Box<dyn RawFile + 'a>) -> Self {
        Part { bytes, file }
    }

    /// The dialect that it is taken for.
    pub fn dialect(&self) -> &'static str {
        self.file.dialect()
    }
}

impl Walk for Part<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        let mut cut = Cut { bytes: self.bytes, visitor: walker.visitor(), hidden: 0 };
        self.file.walk(&mut Walker::new(&mut cut));
    }
}

/// Tells a visitor what lies before the end of the bytes.
struct Cut<'a, 'v> {
    bytes: &'a [u8],
    visitor: &'v mut dyn Visit,
    /// How many containers are open that begin behind the end.
    hidden: usize,
}

impl Cut<'_, '_> {
    fn whole_or_cut(&mut self, name: &Segment, leaf: &Leaf<'_>, bytes: usize) {
        match leaf.bytes.get(..bytes) {
            Some(bytes) => self.visitor.leaf(name, &Leaf { bytes, ..*leaf }),
            None => self.cut(name, leaf),
        }
    }

    /// The complete parts of a leaf that has fewer bytes than it should, and the bytes of the part that breaks off.
    fn cut(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        match (leaf.count, leaf.ty) {
            (Some(_), element) | (None, Type::Array(&element, _)) => self.cut_table(name, leaf, element),
            (None, Type::Record(layout)) => {
                self.visitor.open(name, Container::Group, leaf.offset);
                for field in layout.fields {
                    let bytes = leaf.bytes.get(field.offset..).unwrap_or_default();
                    let offset = leaf.offset + field.offset as u64;
                    let part =
                        Leaf { offset, bytes, ty: field.ty, count: None, doc: field.doc, meaning: field.meaning };
                    if !bytes.is_empty() {
                        self.whole_or_cut(&field.name.into(), &part, field.ty.bytes());
                    }
                }
                self.visitor.close();
            }
            (None, Type::Text(_)) => self.visitor.leaf(name, &Leaf { ty: Type::Text(leaf.bytes.len()), ..*leaf }),
            (None, _) => self.visitor.leaf(name, &Leaf { ty: Type::Blob(leaf.bytes.len()), ..*leaf }),
        }
    }

    /// The complete elements, and what there is of the next one, named as such.
    fn cut_table(&mut self, name: &Segment, leaf: &Leaf<'_>, element: Type) {
        let each = element.bytes().max(1);
        let count = leaf.bytes.len() / each;
        let (bytes, rest) = leaf.bytes.split_at_checked(count * each).unwrap_or_default();
        if count > 0 {
            self.visitor.leaf(name, &Leaf { bytes, ty: element, count: Some(count), ..*leaf });
        }
        if !rest.is_empty() {
            let next = match name {
                Segment::Name(name) => format!("{name}[{count}]"),
                Segment::Index(index) => format!("{index}[{count}]"),
            };
            let offset = leaf.offset + bytes.len() as u64;
            let next = Segment::Name(next.into());
            self.cut(&next, &Leaf { offset, bytes: rest, ty: element, count: None, ..*leaf });
        }
    }
}

impl Visit for Cut<'_, '_> {
    fn open(&mut self, name: &Segment, container: Container, offset: u64) {
        if self.hidden > 0 || offset >= self.bytes.len() as u64 {
            self.hidden += 1;
        } else {
            self.visitor.open(name, container, offset);
        }
    }

    fn close(&mut self) {
        match self.hidden {
            0 => self.visitor.close(),
            _ => self.hidden -= 1,
        }
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        let offset = usize::try_from(leaf.offset).unwrap_or(usize::MAX);
        let bytes = self.bytes.get(offset..).unwrap_or_default();
        if !bytes.is_empty() {
            self.whole_or_cut(name, &Leaf { bytes, ..*leaf }, leaf.bytes.len());
        }
    }
}
