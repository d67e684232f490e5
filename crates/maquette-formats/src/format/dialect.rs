//! The layouts that files of one format and version number are found in.

/// A layout that files of one format and version number are found in.
#[derive(Debug, PartialEq, Eq)]
pub struct DialectInfo {
    /// The name used by every front door.
    pub id: &'static str,
    /// What sets it apart, as lines of text.
    pub about_lines: &'static str,
    /// Which programs read it.
    pub read_by: &'static str,
}

/// Declares a format's dialects: an enum, and the table that names and describes them.
#[doc(hidden)]
#[macro_export]
macro_rules! dialects {
    (
        $(#[doc = $doc:literal])+
        pub enum $Name:ident of $format:literal { $( $(#[doc = $about:literal])+ $Variant:ident = $id:literal read by $readers:literal, )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Name { $( $(#[doc = $about])+ $Variant, )+ }

        impl $Name {
            /// Every dialect, the default first.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),+];
            /// Names and descriptions, in the same order.
            pub const TABLE: &'static [$crate::format::DialectInfo] = &[$(
                $crate::format::DialectInfo { id: $id, about_lines: concat!($($about, "\n"),+), read_by: $readers },
            )+];

            /// The name used by every front door.
            pub fn id(self) -> &'static str {
                match self { $($Name::$Variant => $id),+ }
            }

            /// The dialect of this name, or the error that lists them.
            pub fn known(id: &str) -> $crate::format::Result<$Name> {
                $Name::from_id(id).ok_or_else(|| $crate::format::Error::unknown_dialect($format, $Name::TABLE, id))
            }

            /// The dialect of this name.
            pub fn from_id(id: &str) -> Option<$Name> {
                match id { $($id => Some($Name::$Variant),)+ _ => None }
            }
        }
    };
}

/// A format's `open_part`: parses what there is, in the dialect that is asked for or in the likeliest.
#[doc(hidden)]
#[macro_export]
macro_rules! open_part {
    ($File:ident, $Dialect:ident) => {
        |bytes, dialect| Ok(Box::new($File::parse_part(bytes, dialect.map($Dialect::known).transpose()?)?))
    };
}

/// A format's `open`: parses in the dialect that is asked for, or in the one that the bytes show.
#[doc(hidden)]
#[macro_export]
macro_rules! open {
    ($File:ident, $Dialect:ident) => {
        |bytes, dialect| {
            Ok(Box::new(match dialect {
                None => $File::parse(bytes)?,
                Some(id) => $File::parse_as(bytes, $Dialect::known(id)?)?,
            }))
        }
    };
}
