//! How the command behaves: colours, silence, interruptions, and how much it says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::Folder;

#[test]
fn colours_are_as_asked() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    let coloured = |words: &[&str], variables: &[(&str, &str)]| {
        let mut command = folder.command(words);
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command.env_remove(name);
        }
        let output = command.envs(variables.iter().copied()).output().unwrap();
        [output.stdout, output.stderr].concat().contains(&0x1b)
    };
    assert!(!coloured(&["info", "a.aem"], &[]), "no terminal");
    assert!(coloured(&["info", "a.aem"], &[("CLICOLOR_FORCE", "1")]));
    assert!(coloured(&["info", "a.aem", "--color", "auto"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["info", "a.aem"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&["--color", "always", "info", "a.aem"], &[("NO_COLOR", "1")]));
    assert!(!coloured(&["info", "a.aem", "--color=never"], &[("CLICOLOR_FORCE", "1")]));
    // Errors, and arguments that make no sense.
    for words in [&["info", "gone"][..], &["inof"], &["info"]] {
        assert!(coloured(&[words, &["--color", "always"]].concat(), &[]), "{words:?}");
        assert!(!coloured(&[words, &["--color=never"]].concat(), &[("CLICOLOR_FORCE", "1")]), "{words:?}");
    }
    assert!(!coloured(&["info", "a.aem", "--json", "--color", "always"], &[]), "JSON has none");
}

#[test]
fn quiet_is_silent_but_for_errors_and_data() {
    let folder = Folder::new();
    for words in [
        &["sample", "a.aem"][..],
        &["sample", "b.glb"],
        &["convert", "a.aem", "c.seanim"],
        &["convert", "a.aem", "c.seanim", "--dry-run"],
        &["convert", "b.glb", "c.aem", "--optimize"],
    ] {
        assert_ne!(folder.fine(words).err, "");
        let run = folder.fine(&[words, &["--quiet"]].concat());
        assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""), "{words:?}");
    }
    folder.write("list", b"a.aem gone.aem");
    let run = folder.run(&["-q", "convert", "--list", "list", "out"]);
    assert_eq!(run.code, 2);
    assert!(run.err.starts_with("error: cannot read gone.aem") && run.err.lines().count() == 1, "{}", run.err);
    let run = folder.run(&["-q", "convert", "a.aem", "d.seanim", "--strict"]);
    assert_eq!((run.code, run.err.lines().count()), (1, 1), "{}", run.err);
    assert!(run.err.contains("d.seanim was not written, because --strict forbids: dropped meshes"), "{}", run.err);
    assert!(folder.fine(&["-q", "info", "a.aem"]).out.contains("AEM"), "data stays");
    assert_eq!(folder.fine(&["-q", "convert", "a.aem", "e.seanim", "--json"]).json_lines().len(), 1);
}

#[test]
fn quiet_commands_list_errors_alone() {
    let folder = Folder::new();
    for (name, code) in
        [("info.aem", "AEM0044"), ("warning.aem", "AEM0066"), ("error.aem", "AEM0045"), ("broken.aem", "AEM0003")]
    {
        folder.fine(&["sample", name, "--fault", code]);
    }
    for (file, code) in [("info.aem", 0), ("warning.aem", 1)] {
        assert_ne!(folder.run(&["check", file]).out, "");
        let run = folder.run(&["check", "-q", file]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (code, "", ""), "{file}");
        assert_eq!(folder.run(&["check", "-q", file, "--json"]).json_lines().len(), 1);
    }
    let run = folder.run(&["check", "-q", "info.aem", "error.aem", "broken.aem"]);
    let heads: Vec<&str> = run.out.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(heads, ["error.aem: aem, dialect document: 1 error", "broken.aem: aem, cannot be read: 1 error"]);
    assert!(run.out.contains("AEM0045") && run.out.contains("AEM0003") && run.code == 2, "{}", run.out);

    folder.fine(&["sample", "a.aem"]);
    folder.fine(&["convert", "a.aem", "large.aem", "--scale", "2", "-q"]);
    let run = folder.run(&["diff", "-q", "a.aem", "large.aem"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, "", ""));
    assert!(!folder.run(&["diff", "-q", "a.aem", "large.aem", "--json"]).json_lines().is_empty(), "asked for");
    let run = folder.fine(&["textures", "-q", "a.aem", "out"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    assert!(folder.read("out/texture-0.png").starts_with(b"\x89PNG"));
    for words in [&["dump", "a.aem"][..], &["explain", "AEM0045"], &["formats"]] {
        assert_eq!(folder.fine(&[words, &["-q"]].concat()).out, folder.fine(words).out, "{words:?}: data stays");
    }
}

#[test]
fn every_file_has_a_line_of_json_and_the_same_words() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.aem"]);
    std::fs::create_dir(folder.0.path().join("d")).unwrap();
    for verb in ["check", "info"] {
        let run = folder.run(&[verb, "--json", "gone.aem", "d", "a.aem"]);
        let lines = run.json_lines();
        assert_eq!((run.code, lines.len()), (2, 3), "{verb}: {}", run.out);
        assert_eq!((&lines[0]["file"], &lines[1]["file"]), (&"gone.aem".into(), &"d".into()));
        assert_eq!(lines[0]["error"], "cannot read gone.aem: there is no such file or folder", "{verb}");
        assert_eq!(lines[1]["error"], "cannot read d: it is a folder; name the files in it", "{verb}");
        for line in &lines[..2] {
            assert!(run.err.contains(line["error"].as_str().unwrap()), "{verb}: {}", run.err);
        }
    }
    let line = &folder.run(&["check", "--json", "gone.aem"]).json_lines()[0];
    assert_eq!((&line["ok"], &line["readable"]), (&false.into(), &false.into()));
    folder.write("list", b"gone.glb");
    let line = &folder.run(&["convert", "--list", "list", "out", "--json"]).json_lines()[0];
    assert_eq!(line["error"], "cannot read gone.glb: there is no such file or folder");
}

#[test]
fn a_file_of_another_kind_is_held_against_its_ending() {
    let folder = Folder::new();
    folder.write("a.aem", b"XYZ\x01 and more");
    let run = folder.run(&["check", "a.aem"]);
    assert!(
        run.code == 2 && run.out.contains("AEM0001") && run.out.starts_with("a.aem: aem, cannot be read: 1 error\n"),
        "{}",
        run.out
    );
    assert!(folder.run(&["info", "a.aem"]).err.contains("AEM0001"));
    folder.write("a.txt", b"XYZ\x01 and more");
    let run = folder.run(&["check", "a.txt"]);
    assert!(run.out.starts_with("a.txt: cannot be read\n") && run.out.contains("maquette formats"), "{}", run.out);
    folder.write("zip.aem", b"PK\x03\x04 and more");
    let run = folder.run(&["check", "zip.aem"]);
    assert!(run.out.contains("ZIP archive"), "what it is says more: {}", run.out);
}

#[test]
fn near_misses_are_suggested() {
    let folder = Folder::new();
    for (asked, suggested) in [
        ("vertex color", "`vertex colours`"),
        ("AEM45", "`AEM0045`"),
        ("joint-parent-out-of-rang", "`joint-parent-out-of-range`"),
    ] {
        let run = folder.run(&["explain", asked]);
        assert!(run.code == 2 && run.err.contains(&format!("there is {suggested}")), "{asked}: {}", run.err);
    }
    let run = folder.run(&["explain", "bananas"]);
    assert!(run.err.contains("AEM0001") && run.err.contains("docs/losses.md"), "{}", run.err);
    let run = folder.run(&["sample", "a.aem", "--fault", "AEM45"]);
    assert!(run.err.contains("`AEM0045`"), "{}", run.err);
    assert!(folder.fine(&["explain", "AEM0045"]).out.contains("or -1 to make it a root"));
}

#[test]
fn lists_may_be_apart_by_nuls_and_paths_lose_their_dots() {
    let folder = Folder::new();
    folder.fine(&["sample", "a/my box.glb"]);
    folder.fine(&["sample", "b #.glb"]);
    let run = folder.pipe(&["convert", "--list", "-", "all"], b"./a/my box.glb\0./b #.glb\0");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.replace('\\', "/").contains(" → all/a/my box.aem: "), "{}", run.err);
    assert!(folder.read("all/a/my box.aem").starts_with(b"AEM") && folder.read("all/b #.aem").starts_with(b"AEM"));
}

#[test]
fn lines_do_not_end_in_blanks() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    folder.fine(&["convert", "a.glb", "a.aem", "-q"]);
    let run = folder.run(&["diff", "a.glb", "a.aem"]);
    assert!(run.out.lines().any(|line| line.ends_with(" |")), "{}", run.out);
    assert!(run.out.lines().all(|line| line.trim_end() == line), "{}", run.out);
}

#[test]
fn formats_say_how_many() {
    let folder = Folder::new();
    let run = folder.fine(&["formats"]);
    assert_eq!(run.out.matches("any number of influences a vertex").count(), 2, "BMW and glTF: {}", run.out);
    assert!(!run.out.contains(", influences a vertex"), "{}", run.out);
}

#[test]
fn textures_that_are_not_there_are_told() {
    let folder = Folder::new();
    folder.fine(&["sample", "walk.seanim"]);
    folder.fine(&["convert", "walk.seanim", "bare.glb", "-q"]);
    let run = folder.fine(&["textures", "bare.glb", "out"]);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", "bare.glb has no textures\n"));
    assert!(!folder.files().contains(&"out".into()), "no empty folder");
    folder.fine(&["sample", "a.pmdl"]);
    std::fs::remove_file(folder.0.path().join("maquette-checker.png")).unwrap();
    let run = folder.fine(&["textures", "a.pmdl", "out"]);
    assert!(
        run.out.contains("maquette-checker") && run.out.contains("missing") && !run.out.contains("no file"),
        "{}",
        run.out
    );
}

#[test]
fn a_long_field_is_explained_by_its_beginning() {
    let folder = Folder::new();
    folder.fine(&["sample", "a.glb"]);
    let [whole] = &folder.fine(&["explain", "a.glb", "1000", "--json"]).json_lines()[..] else { panic!() };
    let bytes = folder.read("a.glb");
    let length = whole["field_bytes"].as_u64().unwrap() as usize;
    assert!(length > 2000);
    assert_eq!(whole["byte"], bytes[1000]);
    let hex: Vec<String> = bytes[20..20 + 128].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(whole["hex"], hex.join(" "));
    let text = std::str::from_utf8(&bytes[20..20 + 128]).unwrap();
    assert_eq!(whole["value"], format!("{text:?} … and {} more", length - 128));
    let said = folder.fine(&["explain", "a.glb", "1000"]).out;
    assert!(said.contains(&format!("{} … and {} more\n", hex.join(" "), length - 128)), "{said}");
    assert!(
        said.starts_with(&format!("Byte 0x3e8 of a.glb is {:#04x}, byte 981 of {length} of ", bytes[1000])),
        "{said}"
    );
    let around: Vec<String> = bytes[984..=1016].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((&whole["around"], &whole["around_offset"]), (&around.join(" ").into(), &984.into()));
    assert!(said.ends_with(&format!("  around {}, from 0x3d8\n", around.join(" "))), "{said}");
    // Nothing but the field itself lies around.
    let first = &folder.fine(&["explain", "a.glb", "21", "--json"]).json_lines()[0];
    assert_eq!((&first["around"], &first["around_offset"]), (&hex[..18].join(" ").into(), &20.into()));
    assert!(!folder.fine(&["explain", "a.glb", "147"]).out.contains("around"), "it is among those that are shown");
    // A field that is short is there as a whole.
    let short = folder.fine(&["explain", "a.glb", "4"]).out;
    assert!(short.contains("bytes  02 00 00 00\n") && !short.contains("more"), "{short}");
}

/// A limit to the size of files is an error like a full disk, and no signal that ends the command.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    folder.write("old.aem", b"older");
    for output in ["new.aem", "old.aem"] {
        let before = folder.files();
        let script = format!("ulimit -f 1; exec \"$0\" convert post.glb {output}");
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", &script, env!("CARGO_BIN_EXE_maquette")]).current_dir(folder.0.path());
        let run = folder::Run::from(limited.output().unwrap());
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains("cannot write") && run.err.contains("File too large"), "{}", run.err);
        assert_eq!(folder.files(), before, "{output}");
    }
    assert_eq!(std::fs::read(folder.0.path().join("old.aem")).unwrap(), b"older");
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    fn is_temporary(name: &std::ffi::OsStr) -> bool {
        name.to_string_lossy().ends_with(".tmp")
    }

    /// The output is a pipe that nobody reads, and is written last: until a signal comes, the companion waits for its name.
    #[test]
    fn in_the_middle_of_writing() {
        for (name, number) in [("INT", 2), ("TERM", 15)] {
            let folder = Folder::new();
            folder.fine(&["sample", "old.nlm", "--dialect", "document-12"]);
            folder.write(".maquette-1-0.tmp", b"not of this run");
            assert!(Command::new("mkfifo").arg(folder.0.path().join("a.nlm")).status().unwrap().success());
            let before = folder.files();
            let mut child = folder.command(&["convert", "old.nlm", "a.nlm"]).stderr(Stdio::null()).spawn().unwrap();
            let waits = |_| folder.files().iter().filter(|name| is_temporary(name)).count() == 2;
            let pause = |_: &u32| std::thread::sleep(std::time::Duration::from_millis(1));
            if !(0..60_000).inspect(pause).any(waits) {
                child.kill().unwrap();
                panic!("no companion ever waited for its name");
            }
            let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
            assert!(sent.unwrap().success());
            assert_eq!(child.wait().unwrap().signal(), Some(number));
            assert_eq!(folder.files(), before);
        }
    }

    /// The second file is a pipe that nobody writes to, so that the list never ends.
    #[test]
    fn in_the_middle_of_a_list() {
        let folder = Folder::new();
        folder.fine(&["sample", "a.glb"]);
        assert!(Command::new("mkfifo").arg(folder.0.path().join("b.glb")).status().unwrap().success());
        let run = |words: &[&str]| {
            let words = [&["convert", "--to", "nlm", "a.glb", "b.glb", "gone.glb", "."], words].concat();
            let child = folder.command(&words).stderr(Stdio::piped()).spawn().unwrap();
            let pause = |_: &u32| std::thread::sleep(std::time::Duration::from_millis(1));
            assert!((0..60_000).inspect(pause).any(|_| folder.files().contains(&"a.nlm".into())));
            assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
            std::fs::remove_file(folder.0.path().join("a.nlm")).unwrap();
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.signal(), Some(2));
            String::from_utf8(output.stderr).unwrap()
        };
        let said = run(&[]);
        // A file has its name a moment before it is counted.
        let is_told = said.starts_with("interrupted: 1 converted, ") || said.starts_with("interrupted: 0 converted, ");
        assert!(is_told && said.ends_with(" not done\n") && said.lines().count() == 1, "{said}");
        assert_eq!(run(&["--quiet"]), "");
    }

    #[test]
    fn while_waiting_for_input() {
        let folder = Folder::new();
        folder.write("a.aem", b"before");
        let mut child =
            folder.command(&["convert", "-", "a.aem"]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // Held open: waiting for the child would close it, and that is an end of input.
        let input = child.stdin.take();
        let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(2));
        drop(input);
        assert_eq!(folder.read("a.aem"), b"before");
        assert_eq!(folder.files(), ["a.aem"]);
    }
}
