//! JSON for people: a value a line, two spaces a level.

/// A sound text without spaces, with line ends and indents. Formatting what is written saves writing it in two ways.
pub fn indented(json: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(json.len() * 2);
    let mut depth = 0;
    let mut rest = json;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => {
                let (string, after) = after.split_at(length_of_string(after));
                text.push(b'"');
                text.extend_from_slice(string);
                rest = after;
            }
            b'{' | b'[' => {
                text.push(byte);
                // Nothing inside stays on its line.
                if let Some((&end @ (b'}' | b']'), after)) = after.split_first() {
                    text.push(end);
                    rest = after;
                } else {
                    depth += 1;
                    new_line(&mut text, depth);
                }
            }
            b'}' | b']' => {
                depth -= 1;
                new_line(&mut text, depth);
                text.push(byte);
            }
            b',' => {
                text.push(byte);
                new_line(&mut text, depth);
            }
            b':' => text.extend_from_slice(b": "),
            _ => text.push(byte),
        }
    }
    text
}

/// Up to the quote that ends a string, and with it.
fn length_of_string(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text.iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 1)
}

fn new_line(text: &mut Vec<u8>, depth: usize) {
    text.push(b'\n');
    text.resize(text.len() + 2 * depth, b' ');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn is_what_serde_json_makes() -> serde_json::Result<()> {
        for value in [
            json!({}),
            json!([]),
            json!([[], {}, [[]]]),
            json!({ "a": [1, -2.5e30, null, true, "x"], "b": { "c": {}, "d": [] } }),
            json!({ "{[,:]}\"\\": "\\\"{,", "\n\u{1}ü": "\\" }),
        ] {
            let pretty = serde_json::to_vec_pretty(&value)?;
            assert_eq!(
                String::from_utf8_lossy(&indented(&serde_json::to_vec(&value)?)),
                String::from_utf8_lossy(&pretty)
            );
        }
        Ok(())
    }
}
