//! Which characters do something instead of being seen, and how they are shown.

/// Text with every character shown that would otherwise do something: `\u{1b}`, `\n`.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    push_visible(&mut shown, text);
    shown
}

pub fn push_visible(shown: &mut String, text: &str) {
    if is_plain(text) {
        return shown.push_str(text);
    }
    for letter in text.chars() {
        match steers(letter) {
            true => shown.extend(letter.escape_debug()),
            false => shown.push(letter),
        }
    }
}

pub fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Whether a character does something instead of being seen: control characters, ends of lines, and those that turn the order of the text around them.
pub fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_left_as_it_is() {
        for text in ["plain ~", "Grüße, 模型 شكل 👩‍🚀 ×3 → …", r"C:\u{1b}"] {
            assert_eq!(visible(text), text);
        }
    }
}
