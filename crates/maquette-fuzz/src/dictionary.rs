//! Words that a fuzzer puts into its inputs: what stands between quotation marks in the seeds, and how they begin.

use crate::{Target, seeds};
use std::collections::BTreeSet;

/// The dictionary of a target, as libFuzzer reads it.
pub fn of(target: Target) -> String {
    let mut words = BTreeSet::new();
    for seed in seeds::of(target) {
        words.extend(seed.bytes.get(..4).map(<[u8]>::to_vec));
        words.extend(quoted(&seed.bytes).map(<[u8]>::to_vec));
    }
    let line = |word: &Vec<u8>| {
        let escaped: String = word.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("\"{escaped}\"\n")
    };
    words.iter().map(line).collect()
}

/// Words in quotation marks, with those.
fn quoted(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let marks: Vec<usize> = (0..text.len()).filter(|&at| text.get(at) == Some(&b'"')).collect();
    let between = move |pair: usize| text.get(*marks.get(pair)?..=*marks.get(pair + 1)?);
    let word = |word: &&[u8]| (4..32).contains(&word.len()) && word.iter().all(|byte| byte.is_ascii_graphic());
    (0..text.len()).map_while(between).filter(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_quotation_marks() {
        let found: Vec<&[u8]> = quoted(br#"{"mesh": 1, "a b": "", "NORMAL":2, "open"#).collect();
        assert_eq!(found, [&br#""mesh""#[..], br#""NORMAL""#]);
    }
}
