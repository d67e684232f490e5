//! What a record looks like on disk: its fields, their types and what their values mean.
//!
//! [`record!`](crate::record) declares an on-disk struct once; the struct is a zero-copy view of the file's bytes, and
//! its [`Layout`] (names, offsets, types, doc comments) is derived from the same declaration. Dumps, hex
//! maps and `explain` read the layout, so they cannot drift from what the parser does.

use zerocopy::little_endian::{F32, F64, I32, U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The type of a field or of a leaf of the file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Type {
    /// Unsigned byte.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 64-bit integer.
    U64,
    /// IEEE-754 single.
    F32,
    /// IEEE-754 double.
    F64,
    /// Text in a field of this many bytes; it ends at the first NUL, if there is one.
    Text(usize),
    /// This many bytes without structure.
    Blob(usize),
    /// This many of one type.
    Array(&'static Type, usize),
    /// A struct.
    Record(&'static Layout),
}

impl Type {
    /// Size on disk.
    pub fn bytes(&self) -> usize {
        match self {
            Type::U8 => 1,
            Type::U16 => 2,
            Type::U32 | Type::I32 | Type::F32 => 4,
            Type::U64 | Type::F64 => 8,
            Type::Text(bytes) | Type::Blob(bytes) => *bytes,
            Type::Array(element, count) => element.bytes() * count,
            Type::Record(layout) => layout.bytes,
        }
    }

    /// The name shown to users: `f32 × 3`, `Vertex`.
    pub fn name(&self) -> String {
        match self {
            Type::U8 => "u8".into(),
            Type::U16 => "u16".into(),
            Type::U32 => "u32".into(),
            Type::I32 => "i32".into(),
            Type::U64 => "u64".into(),
            Type::F32 => "f32".into(),
            Type::F64 => "f64".into(),
            Type::Text(bytes) => format!("text, {bytes} bytes"),
            Type::Blob(bytes) => format!("{bytes} bytes"),
            Type::Array(element, count) => format!("{} × {count}", element.name()),
            Type::Record(layout) => layout.name.into(),
        }
    }
}

/// What the numbers of a field stand for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Meaning {
    /// Themselves.
    Plain,
    /// One of these names.
    Enum(&'static [(u32, &'static str)]),
    /// A set of these bits.
    Flags(&'static [(u32, &'static str)]),
}

impl Meaning {
    /// The name of a value, or of its bits; nothing for a plain number and for an unknown one.
    pub fn of(&self, value: u32) -> Option<String> {
        match self {
            Meaning::Plain => None,
            Meaning::Enum(names) => names.iter().find(|(known, _)| *known == value).map(|(_, name)| (*name).into()),
            Meaning::Flags(names) => {
                let set: Vec<_> = names.iter().filter(|(bit, _)| value & bit != 0).map(|(_, name)| *name).collect();
                (!set.is_empty()).then(|| set.join(" + "))
            }
        }
    }

    /// Whether the format gives this value a meaning.
    pub fn knows(&self, value: u32) -> bool {
        match self {
            Meaning::Plain => true,
            Meaning::Enum(names) => names.iter().any(|(known, _)| *known == value),
            Meaning::Flags(names) => value & !names.iter().fold(0, |all, (bit, _)| all | bit) == 0,
        }
    }

    /// What would be valid, in words: `0 (repeat), 1 (mirror) or 2 (clamp)`.
    pub fn expected(&self) -> String {
        let (names, last) = match self {
            Meaning::Plain => return "any number".into(),
            Meaning::Enum(names) => (names, " or "),
            Meaning::Flags(names) => (names, " and "),
        };
        let mut words: Vec<_> = names.iter().map(|(value, name)| format!("{value} ({name})")).collect();
        let end = words.pop().unwrap_or_default();
        if words.is_empty() { end } else { format!("{}{last}{end}", words.join(", ")) }
    }
}

/// One field of a record.
#[derive(Debug)]
pub struct Field {
    /// The document's word for it.
    pub name: &'static str,
    /// From the start of the record.
    pub offset: usize,
    /// What is stored.
    pub ty: Type,
    /// The doc comment, with its source.
    pub doc: &'static str,
    /// What its values stand for.
    pub meaning: Meaning,
}

/// A record: its name, size and fields in file order, without gaps.
#[derive(Debug)]
pub struct Layout {
    /// The struct's name.
    pub name: &'static str,
    /// The struct's doc comment.
    pub doc: &'static str,
    /// Size on disk.
    pub bytes: usize,
    /// In the order of the file, without gaps.
    pub fields: &'static [Field],
}

/// A Rust type with a fixed form on disk.
pub trait Typed: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy + 'static {
    /// Its type as users see it.
    const TYPE: Type;
}

macro_rules! typed {
    ($($rust:ty => $ty:expr),* $(,)?) => { $(impl Typed for $rust { const TYPE: Type = $ty; })* };
}

typed! { u8 => Type::U8, U16 => Type::U16, U32 => Type::U32, I32 => Type::I32, U64 => Type::U64, F32 => Type::F32, F64 => Type::F64 }

impl<T: Typed, const N: usize> Typed for [T; N] {
    const TYPE: Type = Type::Array(&T::TYPE, N);
}

/// Text in a field of `N` bytes: it ends at the first NUL; what follows is kept and means nothing.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct FixedText<const N: usize>(pub [u8; N]);

impl<const N: usize> Typed for FixedText<N> {
    const TYPE: Type = Type::Text(N);
}

impl<const N: usize> FixedText<N> {
    /// The text followed by zeros; `None` if it leaves no room for a NUL or holds one.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = [0; N];
        if text.len() >= N || text.contains('\0') {
            return None;
        }
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(FixedText(bytes))
    }

    /// The bytes before the first NUL, or all of them.
    pub fn text(&self) -> &[u8] {
        before_nul(&self.0)
    }

    /// The bytes after the first NUL.
    pub fn after_nul(&self) -> &[u8] {
        self.0.get(self.text().len() + 1..).unwrap_or_default()
    }
}

/// The bytes before the first NUL, or all of them.
pub fn before_nul(bytes: &[u8]) -> &[u8] {
    bytes.iter().position(|&byte| byte == 0).and_then(|end| bytes.get(..end)).unwrap_or(bytes)
}

/// Declares on-disk records: `#[repr(C)]` structs of little-endian, unaligned numbers, with their [`Layout`].
///
/// Each field's doc comment says what it is and where that is known from; `= MEANING` names its values.
#[doc(hidden)]
#[macro_export]
macro_rules! record {
    ($(
        $(#[doc = $doc:literal])+
        pub struct $Name:ident {
            $( $(#[doc = $field_doc:literal])+ pub $field:ident : $ty:ty $(= $meaning:expr)? ),+ $(,)?
        }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(
            Clone, Copy, zerocopy::FromBytes, zerocopy::IntoBytes, zerocopy::Immutable, zerocopy::KnownLayout,
            zerocopy::Unaligned,
        )]
        #[repr(C)]
        pub struct $Name {
            $( $(#[doc = $field_doc])+ pub $field: $ty, )+
        }

        impl $crate::layout::Typed for $Name {
            const TYPE: $crate::layout::Type = $crate::layout::Type::Record(&$crate::layout::Layout {
                name: stringify!($Name),
                doc: concat!($($doc, "\n"),+),
                bytes: size_of::<$Name>(),
                fields: &[$( $crate::layout::Field {
                    name: stringify!($field),
                    offset: core::mem::offset_of!($Name, $field),
                    ty: <$ty as $crate::layout::Typed>::TYPE,
                    doc: concat!($($field_doc, "\n"),+),
                    meaning: $crate::record!(@meaning $($meaning)?),
                } ),+],
            });
        }
    )+ };
    (@meaning) => { $crate::layout::Meaning::Plain };
    (@meaning $meaning:expr) => { $meaning };
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAP: Meaning = Meaning::Enum(&[(0, "repeat"), (1, "mirror"), (2, "clamp")]);

    record! {
        /// A record.
        pub struct Pair {
            /// First.
            pub a: U16,
            /// Second.
            pub b: [F32; 3],
            /// Third.
            pub c: U32 = WRAP,
        }
    }

    #[test]
    fn the_layout_follows_the_declaration() {
        let Type::Record(layout) = Pair::TYPE else { panic!("no record") };
        assert_eq!((layout.name, layout.bytes), ("Pair", 18));
        let fields: Vec<_> = layout.fields.iter().map(|f| (f.name, f.offset, f.ty.name())).collect();
        assert_eq!(fields, [("a", 0, "u16".into()), ("b", 2, "f32 × 3".into()), ("c", 14, "u32".into())]);
    }

    #[test]
    fn meanings_name_values() {
        assert_eq!(WRAP.of(1).as_deref(), Some("mirror"));
        assert!(!WRAP.knows(3));
        assert_eq!(WRAP.expected(), "0 (repeat), 1 (mirror) or 2 (clamp)");
        let flags = Meaning::Flags(&[(1, "loc"), (4, "scale")]);
        assert_eq!(flags.of(5).as_deref(), Some("loc + scale"));
        assert!(!flags.knows(2));
    }

    #[test]
    fn fixed_text_ends_at_the_first_nul() {
        let text = FixedText::<8>(*b"ab\0junk\0");
        assert_eq!(text.text(), b"ab");
        assert_eq!(text.after_nul(), b"junk\0");
        assert!(FixedText::<4>::new("abcd").is_none());
        assert_eq!(FixedText::<4>(*b"abcd").after_nul(), b"");
    }
}
