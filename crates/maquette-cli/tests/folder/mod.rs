//! An empty folder to run the command in, and what it printed and returned.

#![allow(dead_code, reason = "not every test needs all of it")]

use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub struct Folder(pub TempDir);

pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
    pub raw: Vec<u8>,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run {
            code: output.status.code().expect("no signal ended it"),
            out: text(&output.stdout),
            err: text(&output.stderr),
            raw: output.stdout,
        }
    }
}

impl Run {
    pub fn json_lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn command(&self, words: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maquette"));
        command.args(words).current_dir(self.0.path());
        command
    }

    pub fn run(&self, words: &[impl AsRef<OsStr>]) -> Run {
        self.command(words).output().unwrap().into()
    }

    pub fn pipe(&self, words: &[&str], input: &[u8]) -> Run {
        let mut child =
            self.command(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap().into()
    }

    /// Runs what must succeed.
    pub fn fine(&self, words: &[impl AsRef<OsStr>]) -> Run {
        let run = self.run(words);
        let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
        assert_eq!(run.code, 0, "{words:?}: {}", run.err);
        run
    }

    pub fn read(&self, name: &(impl AsRef<OsStr> + ?Sized)) -> Vec<u8> {
        std::fs::read(self.0.path().join(name.as_ref())).unwrap()
    }

    pub fn write(&self, name: &(impl AsRef<OsStr> + ?Sized), bytes: &[u8]) {
        std::fs::write(self.0.path().join(name.as_ref()), bytes).unwrap();
    }

    pub fn files(&self) -> Vec<OsString> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }
}
