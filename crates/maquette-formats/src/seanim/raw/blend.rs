//! The trailer that Greyhound appends: blend shapes with keys of their own.
//!
//! Eight letters, a 64-bit count, the names, then the keys of each shape. The SEAnim document does not know it;
//! readers that follow the document never look past the last block. A trailer that does not add up is kept as the
//! bytes it is, for the animation in front of it is sound.

use super::parse::read_name;
use crate::bytes::Reader;
use crate::format::Result;
use crate::layout::FixedText;
use crate::record;
use crate::seanim::check::{TOO_MANY_ITEMS, TRUNCATED};
use crate::walk::{Walk, Walker};
use std::borrow::Cow;
use zerocopy::little_endian::{F32, U32, U64};

/// The first bytes of the trailer.
pub const MAGIC: &[u8; 8] = b"SEBlend\n";

record! {
    /// What the trailer begins with, 16 bytes. [Greyhound since 09cc4db]
    pub struct BlendHeader {
        /// Offset 0. "SEBlend" and a line feed. [Greyhound since 09cc4db]
        pub magic: FixedText<8>,
        /// Offset 8. Number of blend shapes, often 0. [Greyhound since 09cc4db]
        pub shape_count: U64,
    }

    /// A key of a blend shape, 16 bytes. [Greyhound since 09cc4db]
    pub struct BlendKey {
        /// Offset 0. The frame it stands on, always 32 bits wide. [Greyhound since 09cc4db]
        pub frame: U32,
        /// Offset 4. Three numbers, singles also in a file of doubles; the first is likely the
        /// weight. [guess: a shape has one]
        pub value: [F32; 3],
    }
}

/// A blend shape.
#[derive(Clone)]
pub struct BlendShape<'a> {
    /// Its name, without the NUL.
    pub name: Cow<'a, [u8]>,
    /// Its keys.
    pub keys: Cow<'a, [BlendKey]>,
}

/// What follows the last block.
#[derive(Clone)]
pub enum Trailer<'a> {
    /// Nothing.
    None,
    /// Blend shapes.
    Blend(Vec<BlendShape<'a>>),
    /// The letters of a blend trailer, and then something else.
    Damaged {
        /// All of it.
        bytes: Cow<'a, [u8]>,
        /// Where it stops making sense, in words.
        problem: String,
    },
}

impl<'a> Trailer<'a> {
    /// Reads what follows the last block, if it is nothing or begins like a trailer, however much there is of it.
    pub(in crate::seanim) fn read(bytes: &'a [u8], position: u64) -> Option<Trailer<'a>> {
        let rest = bytes.get(usize::try_from(position).ok()?..)?;
        if rest.is_empty() {
            return Some(Trailer::None);
        }
        if !rest.starts_with(MAGIC) && !MAGIC.starts_with(rest) {
            return None;
        }
        // A reader of its own: the animation in front does not fail with it.
        let reader = &mut Reader::new(rest, &TRUNCATED).too_many(&TOO_MANY_ITEMS);
        let problem = match read_shapes(reader) {
            Ok(shapes) if reader.remaining() == 0 => return Some(Trailer::Blend(shapes)),
            Ok(_) => format!("{} bytes follow its last shape", reader.remaining()),
            Err(error) => {
                let place = error.diagnostic().map(|problem| problem.path.to_string()).unwrap_or_default();
                format!("it breaks off in its {place}, {} bytes after its start", rest.len())
            }
        };
        Some(Trailer::Damaged { bytes: Cow::Borrowed(rest), problem })
    }

    /// How many bytes it takes.
    pub fn byte_count(&self) -> u64 {
        let shape = |shape: &BlendShape<'_>| shape.name.len() as u64 + 5 + size_of_val(&*shape.keys) as u64;
        match self {
            Trailer::None => 0,
            Trailer::Damaged { bytes, .. } => bytes.len() as u64,
            Trailer::Blend(shapes) => size_of::<BlendHeader>() as u64 + shapes.iter().map(shape).sum::<u64>(),
        }
    }
}

impl Walk for Trailer<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        match self {
            Trailer::None => {}
            Trailer::Damaged { bytes, .. } => {
                let doc = "A blend-shape trailer that does not add up. [Greyhound since 09cc4db]";
                walker.blob("blend_trailer", bytes, doc);
            }
            Trailer::Blend(shapes) => walk_shapes(shapes, walker),
        }
    }
}

fn read_shapes<'a>(reader: &mut Reader<'a>) -> Result<Vec<BlendShape<'a>>> {
    let header = reader.value::<BlendHeader>("header")?;
    let count = header.shape_count.get();
    let names = reader.list("names", count, 1, read_name)?;
    let mut names = names.into_iter();
    reader.list("shapes", count, 4, |reader| {
        let key_count = reader.count("key_count")?;
        Ok(BlendShape { name: names.next().unwrap_or_default(), keys: reader.table("keys", key_count)? })
    })
}

fn walk_shapes(shapes: &[BlendShape<'_>], walker: &mut Walker<'_>) {
    let shape_count = U64::new(shapes.len() as u64);
    walker.record("blend_header", &BlendHeader { magic: FixedText(*MAGIC), shape_count });
    walker.list("blend_shape_names", |walker| {
        let mut text = Vec::new();
        for (index, shape) in shapes.iter().enumerate() {
            text.clear();
            text.extend_from_slice(&shape.name);
            text.push(0);
            walker.text(index, &text, "Name of a blend shape, ended by a NUL. [Greyhound since 09cc4db]");
        }
    });
    walker.items("blend_shapes", shapes, |walker, shape| {
        let doc = "Number of keys of the shape. [Greyhound since 09cc4db]";
        walker.value("key_count", &U32::new(shape.keys.len() as u32), doc);
        walker.table("keys", &shape.keys, "");
    });
}
