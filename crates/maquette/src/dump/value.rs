//! Values as text and as JSON, written piece by piece: a field may be as long as its file.

use maquette_formats::layout::{Meaning, Type, before_nul};
use maquette_formats::summary::shown;
use std::fmt::{self, Display, Write};

/// The value of a field as people read it; records are not values and give nothing.
pub fn text(ty: Type, bytes: &[u8], meaning: Meaning) -> impl Display {
    Value { ty, bytes, meaning }
}

struct Value<'b> {
    ty: Type,
    bytes: &'b [u8],
    meaning: Meaning,
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Value { ty, bytes, meaning } = *self;
        match ty {
            Type::Text(_) => write_quoted(f, bytes),
            Type::Blob(count) => write!(f, "{count} bytes"),
            Type::Record(_) => Ok(()),
            Type::Array(&element, _) => {
                for (index, part) in bytes.chunks(element.bytes().max(1)).enumerate() {
                    f.write_str(if index > 0 { " " } else { "" })?;
                    text(element, part, Meaning::Plain).fmt(f)?;
                }
                Ok(())
            }
            _ => {
                let number = number(ty, bytes);
                match small(ty, bytes).and_then(|value| meaning.of(value)) {
                    Some(name) => write!(f, "{number} ({name})"),
                    None => f.write_str(&number),
                }
            }
        }
    }
}

/// The same, of a long text only the characters within its first `most` bytes, and how many bytes more there are.
pub fn brief(ty: Type, bytes: &[u8], meaning: Meaning, most: usize) -> String {
    let visible = before_nul(bytes);
    if !matches!(ty, Type::Text(_)) || visible.len() <= most {
        return text(ty, bytes, meaning).to_string();
    }
    // No character is longer than four bytes, and all bytes but its first begin with these bits.
    let begins = |at: &usize| visible.get(*at).is_some_and(|byte| byte & 0b1100_0000 != 0b1000_0000);
    let end = (most.saturating_sub(3)..=most).rev().find(begins).unwrap_or(most);
    let (first, rest) = visible.split_at(end);
    format!("{:?} … and {} more", shown(first), rest.len())
}

/// The text up to its NUL, quoted; a note where other bytes follow the NUL.
fn write_quoted(f: &mut impl Write, bytes: &[u8]) -> fmt::Result {
    let visible = before_nul(bytes);
    let rest = bytes.get(visible.len() + 1..).unwrap_or_default();
    write_within_quotes(f, visible, |piece| format!("{piece:?}"))?;
    match rest.iter().any(|&byte| byte != 0) {
        true => f.write_str(" (other bytes follow the NUL)"),
        false => Ok(()),
    }
}

/// A text whose pieces are quoted and escaped one after the other, without the quotes between them.
fn write_within_quotes(f: &mut impl Write, text: &[u8], quoted: impl Fn(&str) -> String) -> fmt::Result {
    f.write_char('"')?;
    for piece in pieces(text) {
        let quoted = quoted(piece);
        f.write_str(quoted.get(1..quoted.len() - 1).unwrap_or_default())?;
    }
    f.write_char('"')
}

/// The characters of a text, a few thousand at a time; what is not UTF-8 becomes `\u{fffd}`.
fn pieces(text: &[u8]) -> impl Iterator<Item = &str> {
    text.utf8_chunks().flat_map(|chunk| {
        let mut rest = chunk.valid();
        let valid = std::iter::from_fn(move || {
            let (piece, after) = rest.split_at_checked(rest.floor_char_boundary(PIECE_BYTES))?;
            rest = after;
            Some(piece).filter(|piece| !piece.is_empty())
        });
        valid.chain((!chunk.invalid().is_empty()).then_some("\u{fffd}"))
    })
}

/// Of a text, this much is escaped at a time.
const PIECE_BYTES: usize = 4096;

/// A number as a decimal that reads back to the same bits; `NaN` and `inf` as Rust spells them.
pub fn number(ty: Type, bytes: &[u8]) -> String {
    fn fixed<const N: usize>(bytes: &[u8]) -> [u8; N] {
        bytes.first_chunk().copied().unwrap_or([0; N])
    }
    match ty {
        Type::U8 => u8::from_le_bytes(fixed(bytes)).to_string(),
        Type::U16 => u16::from_le_bytes(fixed(bytes)).to_string(),
        Type::U32 => u32::from_le_bytes(fixed(bytes)).to_string(),
        Type::I32 => i32::from_le_bytes(fixed(bytes)).to_string(),
        Type::U64 => u64::from_le_bytes(fixed(bytes)).to_string(),
        Type::F32 => float(format!("{:?}", f32::from_le_bytes(fixed(bytes)))),
        Type::F64 => float(format!("{:?}", f64::from_le_bytes(fixed(bytes)))),
        _ => String::new(),
    }
}

/// `1.0` is shown as `1`.
fn float(digits: String) -> String {
    digits.strip_suffix(".0").map(str::to_owned).unwrap_or(digits)
}

/// The value as far as meanings go: unsigned, up to 32 bits.
fn small(ty: Type, bytes: &[u8]) -> Option<u32> {
    matches!(ty, Type::U8 | Type::U16 | Type::U32).then(|| number(ty, bytes).parse().ok())?
}

/// A value as JSON. Numbers that JSON cannot hold become strings; blobs become their place and size.
pub fn json(ty: Type, bytes: &[u8], offset: u64) -> impl Display {
    Json { ty, bytes, offset }
}

struct Json<'b> {
    ty: Type,
    bytes: &'b [u8],
    offset: u64,
}

impl Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_json(f, self.ty, self.bytes, self.offset)
    }
}

/// Writes what [`json`] shows.
pub fn write_json(out: &mut impl Write, ty: Type, bytes: &[u8], offset: u64) -> fmt::Result {
    match ty {
        Type::Text(_) => write_string(out, before_nul(bytes)),
        Type::Blob(count) => write!(out, "{{\"offset\":{offset},\"bytes\":{count}}}"),
        Type::Array(&element, _) => {
            let each = element.bytes().max(1);
            out.write_char('[')?;
            for (index, part) in bytes.chunks(each).enumerate() {
                out.write_str(if index > 0 { "," } else { "" })?;
                write_json(out, element, part, offset + (index * each) as u64)?;
            }
            out.write_char(']')
        }
        Type::Record(layout) => {
            out.write_char('{')?;
            for (index, field) in layout.fields.iter().enumerate() {
                out.write_str(if index > 0 { "," } else { "" })?;
                write_string(out, field.name.as_bytes())?;
                out.write_char(':')?;
                let part = bytes.get(field.offset..field.offset + field.ty.bytes()).unwrap_or_default();
                write_json(out, field.ty, part, offset + field.offset as u64)?;
            }
            out.write_char('}')
        }
        _ => match number(ty, bytes) {
            special if special.ends_with("NaN") || special.ends_with("inf") => write_string(out, special.as_bytes()),
            number => out.write_str(&number),
        },
    }
}

/// Writes a JSON string.
pub fn write_string(out: &mut impl Write, text: &[u8]) -> fmt::Result {
    write_within_quotes(out, text, |piece| serde_json::Value::from(piece).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        assert_eq!(number(Type::F32, &0.1f32.to_le_bytes()), "0.1");
        assert_eq!(number(Type::F32, &1.0f32.to_le_bytes()), "1");
        assert_eq!(number(Type::F32, &1e-30f32.to_le_bytes()), "1e-30");
        assert_eq!(number(Type::I32, &(-1i32).to_le_bytes()), "-1");
        assert_eq!(number(Type::F32, &(-0.0f32).to_le_bytes()), "-0");
    }

    #[test]
    fn json_has_no_room_for_nan() {
        let two: Vec<u8> = [f32::NAN, f32::NEG_INFINITY].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(json(Type::Array(&Type::F32, 2), &two, 0).to_string(), r#"["NaN","-inf"]"#);
    }

    #[test]
    fn long_text_is_cut_and_the_rest_is_counted() {
        let text = |bytes: &str, most| brief(Type::Text(bytes.len()), bytes.as_bytes(), Meaning::Plain, most);
        assert_eq!(text("", 3), r#""""#);
        assert_eq!(text("abc", 3), r#""abc""#);
        assert_eq!(text("abcd", 3), r#""abc" … and 1 more"#);
        assert_eq!(text("ééé", 3), r#""é" … and 4 more"#, "no character is cut in two");
        assert_eq!(text("abc\0\0x", 3), r#""abc" (other bytes follow the NUL)"#);
        assert_eq!(
            brief(Type::Text(9), &[0xbf; 9], Meaning::Plain, 4),
            "\"\u{fffd}\u{fffd}\u{fffd}\u{fffd}\" … and 5 more"
        );
        assert_eq!(brief(Type::Blob(9), b"blob blob", Meaning::Plain, 3), "9 bytes");
    }

    #[test]
    fn text_stops_at_its_nul_and_says_what_follows() {
        let text = |bytes: &[u8]| text(Type::Text(4), bytes, Meaning::Plain).to_string();
        assert_eq!(text(b"ab\0\0"), "\"ab\"");
        assert_eq!(text(b"ab\0x"), "\"ab\" (other bytes follow the NUL)");
    }

    #[test]
    fn a_text_in_pieces_is_the_text() {
        // Characters of one to four bytes, so that every kind lies across the end of a piece, and a byte that is none.
        let letters: String =
            (0..4 * PIECE_BYTES).map(|at| ['a', '"', 'é', '\n', '模', '👩', '\u{1b}'][at % 7]).collect();
        let bytes = [letters.as_bytes(), b"\xff", letters.as_bytes()].concat();
        let whole = format!("{letters}\u{fffd}{letters}");
        let (shown, in_json) = (format!("{whole:?}"), serde_json::to_string(&whole).unwrap());
        let ty = Type::Text(bytes.len());
        assert!(text(ty, &bytes, Meaning::Plain).to_string() == shown);
        assert!(json(ty, &bytes, 0).to_string() == in_json);
    }
}
