//! File names as they come: of any bytes, as long as they can be, empty, of folders, missing. And names that would steer the terminal.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::{Folder, Run};
use std::ffi::OsString;

/// Sets the title of a terminal, and blinks; none of it is among our own codes.
const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[5m\u{9b}5m\u{7f}\r";
const SHOWN: &str = r"\u{1b}]0;owned\u{7}\u{1b}[5m\u{9b}5m\u{7f}\r";

/// Nothing that a terminal obeys but colours of ours.
fn assert_harmless(run: &Run, words: &[OsString]) {
    for text in [&run.out, &run.err] {
        let mut text = text.clone();
        for code in ["0", "1", "2", "4", "31", "32", "33", "36"] {
            text = text.replace(&format!("\u{1b}[{code}m"), "");
        }
        let found = text.chars().find(|letter| letter.is_control() && *letter != '\n');
        assert_eq!(found, None, "{words:?}: {text:?}");
    }
}

/// What a verb prints with colours, on both streams.
fn shown(folder: &Folder, words: &[&str]) -> String {
    let words: Vec<OsString> = ["--color", "always"].iter().chain(words).map(OsString::from).collect();
    let run = folder.run(&words);
    assert_harmless(&run, &words);
    run.out + &run.err
}

#[cfg(unix)]
#[test]
fn file_names_are_shown_and_not_obeyed() {
    let folder = Folder::new();
    folder.fine(&["sample", "plain.aem"]);
    let evil = &format!("{EVIL}\nerror: é 模.aem");
    let gone = &format!("{EVIL}.gone");
    let expected = &format!(r"{SHOWN}\nerror: é 模.aem");
    let said = shown(&folder, &["convert", "plain.aem", evil]);
    assert!(said.contains(&format!("wrote {expected}\n")), "{said}");
    for words in [
        &["info", evil][..],
        &["check", evil],
        &["explain", evil, "0"],
        &["explain", evil, "99999"],
        &["explain", evil],
        &["convert", evil, "-", "--to", "seanim", "--dry-run", "--dialect", evil],
        &["sample", evil, "--dialect", "wide"],
        &["sample", "b.aem", "--fault", evil],
        &["textures", "plain.aem", evil],
        &["dump", "plain.aem", "--section", evil],
        &["convert", "plain.aem", "b.aem", evil],
        &["convert", "plain.aem", "b.aem", "--to", evil],
        &["convert", "plain.aem", "b.aem", &format!("--{evil}")],
        &[evil],
        &["info", evil, gone],
        &["diff", gone, evil],
        &["convert", "--list", gone, "out"],
        &["convert", evil, gone],
    ] {
        let said = shown(&folder, words);
        let name = if words.contains(&gone.as_str()) { SHOWN } else { &*visible_name(expected, words) };
        assert!(said.contains(name), "{words:?}: {said}");
    }
    folder.write("list", format!("\"{EVIL}.glb\" plain.aem").as_bytes());
    let said = shown(&folder, &["convert", "--list", "list", "out"]);
    assert!(said.contains(SHOWN) && said.contains("1 converted"), "{said}");
    let json = folder.fine(&["info", "--json", evil]);
    assert_eq!(json.json_lines()[0]["file"], **evil, "exact for programs");
    assert!(!json.out.trim_end().chars().any(char::is_control), "{:?}", json.out);
}

/// Paths into files are quoted their own way; the beginning is enough.
#[cfg(unix)]
fn visible_name<'e>(expected: &'e str, words: &[&str]) -> std::borrow::Cow<'e, str> {
    if words.contains(&"--section") { SHOWN.into() } else { expected.into() }
}

#[test]
fn names_inside_files_are_shown_and_not_obeyed() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.gltf"]);
    let escaped: String = EVIL.chars().map(|letter| format!("\\u{:04x}", u32::from(letter))).collect();
    let text = String::from_utf8(folder.read("a.gltf")).unwrap();
    folder.write("evil.gltf", text.replace("\"sway\"", &format!("\"{escaped}\\nsway\"")).as_bytes());
    folder.fine(&["convert", "evil.gltf", "evil.glb"]);
    // A bone's name, byte for byte.
    folder.fine(&["sample", "a.seanim"]);
    let bytes = folder.read("a.seanim");
    let at = bytes.windows(7).position(|bytes| bytes == b"middle\0").unwrap();
    folder.write("evil.seanim", &[&bytes[..at], EVIL.as_bytes(), &bytes[at + 6..]].concat());
    for words in [
        &["info", "evil.glb"][..],
        &["diff", "a.gltf", "evil.glb"],
        &["convert", "evil.glb", "b.seanim", "--dry-run"],
        &["dump", "evil.seanim"],
        &["dump", "evil.seanim", "--hex"],
        &["explain", "evil.seanim", &at.to_string()],
        &["convert", "evil.glb", "b.glb", "--clip", "evil.seanim"],
    ] {
        let said = shown(&folder, words);
        assert!(said.contains(SHOWN), "{words:?}: {said}");
    }
    let clip = &folder.fine(&["info", "--json", "evil.glb"]).json_lines()[0]["clips"][0];
    assert_eq!(clip["name"], format!("{EVIL}\nsway"), "exact for programs");
    let dumped: serde_json::Value = serde_json::from_str(&folder.fine(&["dump", "--json", "evil.seanim"]).out).unwrap();
    assert_eq!(dumped["bone_names"][1], EVIL);
}

#[test]
fn the_longest_name_can_be_written_and_replaced() {
    let folder = Folder::new();
    let name = &format!("{}.aem", "n".repeat(251));
    folder.fine(&["sample", name]);
    folder.fine(&["sample", "a.aem", "--dialect", "wide"]);
    folder.fine(&["convert", "a.aem", name]);
    assert_eq!(folder.read(name), folder.read("a.aem"));
    assert_eq!(folder.files().len(), 2);
    let longer = folder.run(&["sample", &format!("n{name}")]);
    assert!(longer.code == 2 && longer.err.contains("the name is too long"), "{}", longer.err);
}

// Apple's file systems take text alone.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[test]
fn names_that_are_not_text_are_kept_and_companions_follow() {
    use std::os::unix::ffi::OsStringExt;
    let name = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let words = |words: &[&[u8]]| words.iter().map(|word| name(word)).collect::<Vec<_>>();
    for (ending, dialect, companions) in [
        ("aem", "document", &[][..]),
        ("nlm", "document-12", &["nlm.hash"]),
        ("bmw", "engine", &["json"]),
        ("pmdl", "engine", &["pani", "pmat"]),
        ("seanim", "1.0.2", &[]),
        ("glb", "binary", &[]),
    ] {
        let folder = Folder::new();
        let file = |stem: &[u8], ending: &str| [stem, b".", ending.as_bytes()].concat();
        folder.fine(&words(&[b"sample", &file(b"caf\xe9", ending), b"--dialect", dialect.as_bytes()]));
        folder.fine(&words(&[b"convert", &file(b"caf\xe9", ending), &file(b"\xff", ending)]));
        for ending in [ending].iter().chain(companions) {
            let [first, second] = [&b"caf\xe9"[..], b"\xff"].map(|stem| folder.read(&name(&file(stem, ending))));
            assert_eq!(first, second, "{ending}");
        }
        let lossy = |file: &OsString| file.to_str().is_some_and(|text| text.contains('\u{fffd}'));
        assert!(!folder.files().iter().any(lossy), "{:?}", folder.files());
        folder.fine(&words(&[b"check", &file(b"\xff", ending)]));
    }
    // What the document names is called as it says, and found.
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.fine(&words(&[b"convert", b"a.glb", b"\xff.gltf"]));
    assert!(folder.files().contains(&"%FF.bin".into()), "{:?}", folder.files());
    folder.fine(&words(&[b"convert", b"a.glb", b"\xfe.gltf", b"--scale", b"2"]));
    folder.fine(&words(&[b"diff", b"a.glb", b"\xff.gltf"]));
}

#[test]
fn names_that_cannot_be_used_are_refused_in_plain_words() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    std::fs::create_dir(folder.0.path().join("d")).unwrap();
    let before = folder.files();
    for (words, said) in [
        (&["info", "gone.aem"][..], "cannot read gone.aem: there is no such file or folder"),
        (&["info", "d"], "cannot read d: it is a folder; name the files in it"),
        (&["info", ""], "the name given for <FILE>... is empty"),
        (&["convert", "a.aem", ""], "the name given for <INPUT... OUTPUT>... is empty"),
        (&["convert", "a.aem", "b.aem", "--report", ""], "the name given for --report <FILE> is empty"),
        (&["convert", "a.aem", "d"], "d is a folder, which names no format: say which with --to"),
        (&["convert", "a.aem", "new/"], "new/ is a folder, which names no format"),
        (&["convert", "a.aem", "new.aem/"], "new.aem/ is a folder, which names no format"),
        (&["convert", "a.aem", "b.aem", "--report", "d"], "d names a folder; name a file in it"),
        (&["sample", "d"], "d names a folder; name a file in it"),
        (&["sample", "."], ". names a folder; name a file in it"),
        (&["convert", "a.aem", "a.aem/b.aem"], "cannot make the folder a.aem: a file of that name is in the way"),
        (&["textures", "a.aem", "a.aem"], "cannot make the folder a.aem: a file of that name is in the way"),
        (&["textures", "a.aem", "-"], "textures become files: name a folder for them"),
        (&["explain", "gone.aem"], "there is no file gone.aem"),
        (&["explain", "d"], "d is a folder; name a file and a byte of it"),
        (&["convert", "--list", "d", "out"], "cannot read d: "),
        (&["info", "-", "-"], "standard input can be read only once"),
        (&["check", "-", "a.aem", "-"], "standard input can be read only once"),
        (&["diff", "-", "-"], "standard input can be read only once"),
        (&["convert", "-", "b.aem", "--clip", "-"], "standard input can be read only once"),
        (&["convert", "--list", "-", "out", "--clip", "-"], "standard input can be read only once"),
        (&["info", "-"], "cannot read standard input: "),
        (&["convert", "a.aem", "-", "--report", "-"], "cannot both go to standard output"),
    ] {
        let run = folder.pipe(words, b"");
        assert_eq!(run.code, 2, "{words:?}: {}", run.err);
        assert!(run.err.starts_with(&format!("error: {said}")) || run.err.contains(said), "{words:?}: {}", run.err);
        assert!(run.out.is_empty() && !run.err.contains("os error"), "{words:?}: {}", run.err);
        assert_eq!(folder.files(), before, "{words:?}");
    }
}

#[test]
fn folders_that_are_missing_are_made() {
    let folder = Folder::new();
    folder.fine(&["sample", "a/b/post.aem"]);
    folder.fine(&["convert", "a/b/post.aem", "c/d/post.aem", "--report", "e/f/report.json"]);
    folder.fine(&["man", "pages/here"]);
    assert!(folder.0.path().join("pages/here/maquette.1").exists());
    let report: serde_json::Value = serde_json::from_slice(&folder.read("e/f/report.json")).unwrap();
    assert_eq!(report["written"], true);
}

#[test]
fn lists_come_from_standard_input_and_reports_go_to_standard_output() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    let run = folder.pipe(&["convert", "--list", "-", "out", "--report", "-"], b"a.glb");
    assert_eq!(run.code, 0, "{}", run.err);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report[0]["written"], true);
    assert!(folder.read("out/a.aem").starts_with(b"AEM"));
}
