//! URIs of buffers and images: data URIs, or relative paths to companion files.

/// Where a URI leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// The data is the URI: its media type and bytes, or what is wrong with it.
    Data(Result<(String, Vec<u8>), String>),
    /// A companion file, by its relative path.
    File(String),
    /// A network address or the like: nothing is fetched.
    Remote,
}

/// What a URI leads to.
pub fn resolve(uri: &str) -> Location {
    match uri.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("data") => Location::Data(data(rest)),
        Some((scheme, _)) if is_scheme(scheme) => Location::Remote,
        _ => Location::File(file_name(uri)),
    }
}

/// A scheme has two letters at least here, so that `C:` is none.
fn is_scheme(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// The path of a file: without `./`, and with the bytes that `%20` and the like stand for.
fn file_name(uri: &str) -> String {
    let decoded = String::from_utf8_lossy(&percent_decoded(uri.as_bytes())).into_owned();
    match decoded.split('/').any(|segment| segment == ".") {
        true => decoded.split('/').filter(|segment| *segment != ".").collect::<Vec<_>>().join("/"),
        false => decoded,
    }
}

/// The bytes of a text in which `%20` stands for a space, and so on. A `%` without two digits stands for itself.
pub fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match (byte, digit(text.get(at + 1)), digit(text.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((16 * high + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    decoded
}

/// What follows `data:`.
fn data(rest: &str) -> Result<(String, Vec<u8>), String> {
    let (head, body) = rest.split_once(',').ok_or("it has no comma")?;
    let mime = head.split(';').next().unwrap_or_default().to_owned();
    let bytes = match head.split(';').any(|segment| segment.eq_ignore_ascii_case("base64")) {
        true => base64_decoded(body)?,
        false => percent_decoded(body.as_bytes()),
    };
    Ok((mime, bytes))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// No digit of base64.
const NONE: u8 = 0xff;

const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < 64 {
        #[expect(clippy::indexing_slicing, reason = "a constant: a mistake would not compile")]
        {
            values[ALPHABET[value] as usize] = value as u8;
        }
        value += 1;
    }
    values
};

/// The bytes that base64 digits stand for; padding may be missing.
pub fn base64_decoded(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.trim_end_matches('=').as_bytes();
    if digits.len() % 4 == 1 {
        return Err(format!("{} base64 digits are no whole bytes", digits.len()));
    }
    let value = |byte: u8| VALUES.get(usize::from(byte)).copied().unwrap_or(NONE);
    let mut decoded = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    let mut all = 0;
    for group in digits.chunks(4) {
        let mut bits = 0;
        for place in 0..4 {
            let digit = group.get(place).map_or(0, |&byte| value(byte));
            all |= digit;
            bits = bits << 6 | u32::from(digit & 0x3f);
        }
        let [_, a, b, c] = bits.to_be_bytes();
        decoded.extend_from_slice([a, b, c].get(..group.len() - 1).unwrap_or_default());
    }
    // Every digit is below 64, and what is none sets the high bits.
    if all < 64 {
        return Ok(decoded);
    }
    let wrong = digits.iter().position(|&byte| value(byte) == NONE).unwrap_or(0);
    Err(format!("its base64 is broken at digit {wrong}"))
}

/// Bytes as base64 digits, padded.
pub fn base64_encoded(bytes: &[u8]) -> String {
    let mut encoded = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let [a, b, c] = [0, 1, 2].map(|place| group.get(place).copied().unwrap_or(0));
        let bits = u32::from_be_bytes([0, a, b, c]);
        for place in 0..4 {
            let digit = ALPHABET.get((bits >> (18 - 6 * place)) as usize & 0x3f).copied().unwrap_or(b'A');
            encoded.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_vectors_of_its_standard() {
        let vectors =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (plain, encoded) in vectors {
            assert_eq!(base64_encoded(plain.as_bytes()), encoded);
            assert_eq!(base64_decoded(encoded).unwrap(), plain.as_bytes());
            assert_eq!(base64_decoded(encoded.trim_end_matches('=')).unwrap(), plain.as_bytes());
        }
        assert_eq!(base64_decoded("+/+/").unwrap(), [0xfb, 0xff, 0xbf]);
        assert_eq!(base64_decoded("Zm9?").unwrap_err(), "its base64 is broken at digit 3");
        assert!(base64_decoded("Zm9vY").unwrap_err().contains("no whole bytes"));
    }

    #[test]
    fn uris_lead_to_data_to_files_or_away() {
        assert_eq!(resolve("data:image/png;base64,Zm8="), Location::Data(Ok(("image/png".into(), b"fo".to_vec()))));
        assert_eq!(resolve("data:,a%20b"), Location::Data(Ok((String::new(), b"a b".to_vec()))));
        assert!(matches!(resolve("data:base64"), Location::Data(Err(_))));
        assert_eq!(resolve("./a%20b/./c%zz.bin"), Location::File("a b/c%zz.bin".into()));
        assert_eq!(
            resolve("../x.bin"),
            Location::File("../x.bin".into()),
            "whether it may be read is decided where files are"
        );
        assert_eq!(resolve("https://example.org/x.bin"), Location::Remote);
    }
}
