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
    // A field that is short is there as a whole.
    let short = folder.fine(&["explain", "a.glb", "4"]).out;
    assert!(short.contains("bytes  02 00 00 00\n") && !short.contains("more"), "{short}");
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
