//! Values as text and as JSON.

use maquette_formats::layout::{Meaning, Type, before_nul};
use maquette_formats::summary::shown;
use std::fmt::Write;

/// The value of a field as people read it; records are not values and give nothing.
pub fn text(ty: Type, bytes: &[u8], meaning: Meaning) -> String {
    match ty {
        Type::Text(_) => quoted(bytes),
        Type::Blob(count) => format!("{count} bytes"),
        Type::Record(_) => String::new(),
        Type::Array(element, _) => {
            let parts = bytes.chunks(element.bytes().max(1)).map(|part| text(*element, part, Meaning::Plain));
            parts.collect::<Vec<_>>().join(" ")
        }
        _ => {
            let number = number(ty, bytes);
            match small(ty, bytes).and_then(|value| meaning.of(value)) {
                Some(name) => format!("{number} ({name})"),
                None => number,
            }
        }
    }
}

/// The same, of a long text only the characters within its first `most` bytes, and how many bytes more there are.
pub fn brief(ty: Type, bytes: &[u8], meaning: Meaning, most: usize) -> String {
    let visible = before_nul(bytes);
    if !matches!(ty, Type::Text(_)) || visible.len() <= most {
        return text(ty, bytes, meaning);
    }
    // No character is longer than four bytes, and all bytes but its first begin with these bits.
    let begins = |at: &usize| visible.get(*at).is_some_and(|byte| byte & 0b1100_0000 != 0b1000_0000);
    let end = (most.saturating_sub(3)..=most).rev().find(begins).unwrap_or(most);
    let (first, rest) = visible.split_at(end);
    format!("{:?} … and {} more", shown(first), rest.len())
}

/// The text up to its NUL, quoted; a note where other bytes follow the NUL.
fn quoted(bytes: &[u8]) -> String {
    let visible = before_nul(bytes);
    let rest = bytes.get(visible.len() + 1..).unwrap_or_default();
    let mut text = format!("{:?}", shown(visible));
    if rest.iter().any(|&byte| byte != 0) {
        text.push_str(" (other bytes follow the NUL)");
    }
    text
}

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

/// Appends a value as JSON. Numbers that JSON cannot hold become strings; blobs become their place and size.
pub fn push_json(out: &mut String, ty: Type, bytes: &[u8], offset: u64) {
    match ty {
        Type::Text(_) => push_string(out, &shown(before_nul(bytes))),
        Type::Blob(count) => {
            let _ = write!(out, "{{\"offset\":{offset},\"bytes\":{count}}}");
        }
        Type::Array(element, _) => {
            out.push('[');
            let each = element.bytes().max(1);
            for (index, part) in bytes.chunks(each).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_json(out, *element, part, offset + (index * each) as u64);
            }
            out.push(']');
        }
        Type::Record(layout) => {
            out.push('{');
            for (index, field) in layout.fields.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_string(out, field.name);
                out.push(':');
                let part = bytes.get(field.offset..field.offset + field.ty.bytes()).unwrap_or_default();
                push_json(out, field.ty, part, offset + field.offset as u64);
            }
            out.push('}');
        }
        _ => match number(ty, bytes) {
            special if special.ends_with("NaN") || special.ends_with("inf") => push_string(out, &special),
            number => out.push_str(&number),
        },
    }
}

/// Appends a JSON string.
pub fn push_string(out: &mut String, text: &str) {
    out.push_str(&serde_json::Value::from(text).to_string());
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
        let mut out = String::new();
        let two: Vec<u8> = [f32::NAN, f32::NEG_INFINITY].iter().flat_map(|x| x.to_le_bytes()).collect();
        push_json(&mut out, Type::Array(&Type::F32, 2), &two, 0);
        assert_eq!(out, r#"["NaN","-inf"]"#);
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
        assert_eq!(text(Type::Text(4), b"ab\0\0", Meaning::Plain), "\"ab\"");
        assert_eq!(text(Type::Text(4), b"ab\0x", Meaning::Plain), "\"ab\" (other bytes follow the NUL)");
    }
}
