//! Bone maps: which bone of a clip is which node of a model, as text that people write.
//!
//! One pair a line, `clip bone = model bone`; nothing after the sign leaves the bone out. `#` begins a comment.

use crate::{Error, Result};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest map that is read.
const MOST_BYTES: u64 = 1 << 24;

/// Reads a bone map from a file.
pub fn read(path: &Path) -> Result<BTreeMap<String, String>> {
    let label = path.display().to_string();
    let mut bytes = Vec::new();
    let file = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    file.map_err(Error::io(&label, "read"))?;
    let wrong = |before: &[u8], why| {
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Error::List { file: label.clone(), line, why }
    };
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong(&[], "the file is larger than 16 MB, which no map of bones is"));
    }
    match str::from_utf8(&bytes) {
        Ok(text) => parse(&label, text),
        Err(error) => {
            Err(wrong(bytes.get(..error.valid_up_to()).unwrap_or_default(), "there is something that is no UTF-8"))
        }
    }
}

/// The pairs of a bone map; `label` is what messages call it.
pub fn parse(label: &str, text: &str) -> Result<BTreeMap<String, String>> {
    let mut map = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |why| Error::List { file: label.to_owned(), line: number + 1, why };
        let line = line.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (bone, node) =
            line.split_once('=').ok_or_else(|| wrong("there is no `=`; write `clip bone = model bone`"))?;
        let (bone, node) = (bone.trim(), node.trim());
        if bone.is_empty() {
            return Err(wrong("there is no bone before the `=`"));
        }
        if map.insert(bone.to_owned(), node.to_owned()).is_some() {
            return Err(wrong("the bone is mapped already"));
        }
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_blanks_and_comments() {
        let map = parse("m.txt", "\u{feff}Hips = mixamorig:Hips # the root\r\n\n  j_tail=\n# nothing\nleft arm = ArmL")
            .unwrap();
        let pairs: Vec<_> = map.iter().map(|(bone, node)| (bone.as_str(), node.as_str())).collect();
        assert_eq!(pairs, [("Hips", "mixamorig:Hips"), ("j_tail", ""), ("left arm", "ArmL")]);
    }

    #[test]
    fn what_is_no_text_is_told_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("m.txt");
        std::fs::write(&file, b"a = b\nc = \xff\n").unwrap();
        let error = read(&file).unwrap_err().to_string();
        assert!(error.ends_with("m.txt, line 2: there is something that is no UTF-8"), "{error}");
        std::fs::write(&file, vec![b'#'; (1 << 24) + 1]).unwrap();
        assert!(read(&file).unwrap_err().to_string().contains("larger than 16 MB"));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let why = |text| parse("m.txt", text).unwrap_err().to_string();
        assert_eq!(why("a = b\nc d"), "m.txt, line 2: there is no `=`; write `clip bone = model bone`");
        assert!(why("= b").contains("no bone"));
        assert!(why("a = b\na = c").contains("mapped already"));
    }
}
