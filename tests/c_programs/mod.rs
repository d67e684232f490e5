//! Programs in C and C++, built against the header and the library of this build, and run; under valgrind where it is there.

use super::needs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    Static,
    Shared,
}

/// A library for C: the folder of its header, and its name.
pub struct Library {
    pub include: PathBuf,
    pub name: &'static str,
}

impl Library {
    /// Builds a program with every warning an error; `None` where there is no compiler.
    pub fn build(&self, folder: &Path, name: &str, sources: &[PathBuf], link: Link) -> Option<PathBuf> {
        let is_cpp = sources.iter().any(|source| source.extension().is_some_and(|extension| extension == "cpp"));
        let (compiler, standard) = if is_cpp { ("g++", "-std=c++11") } else { ("gcc", "-std=c11") };
        needs::program(compiler)?;
        let libraries = std::env::current_exe().unwrap().parent().unwrap().to_owned();
        let program = folder.join(name);
        let mut command = Command::new(compiler);
        command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-o"]).arg(&program);
        command.arg("-I").arg(&self.include).args(sources);
        match link {
            Link::Static => command.arg(libraries.join(format!("lib{}.a", self.name))),
            Link::Shared => {
                // Before LD_LIBRARY_PATH, which cargo sets: what `cargo build` left in the folder above may be older.
                let search = format!("-Wl,--disable-new-dtags,-rpath,{}", libraries.display());
                command.arg(search).arg("-L").arg(&libraries).arg(format!("-l{}", self.name))
            }
        };
        let output = command.args(["-lpthread", "-ldl", "-lm"]).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        Some(program)
    }
}

/// What a program prints; it must succeed.
#[track_caller]
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    succeeded(&output);
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
pub fn succeeded(output: &Output) {
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {said}", output.status);
}

/// The same command under valgrind, which makes it fail for every access that is wrong and for leaks of these kinds; `None` where there is no valgrind.
pub fn watched(program: &Path, leaks: &str) -> Option<Command> {
    let mut command = Command::new(needs::program("valgrind")?);
    command.args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=all"]);
    command.arg(format!("--errors-for-leak-kinds={leaks}")).arg(program);
    Some(command)
}

/// The values behind a word at the start of a line.
pub fn values<'t>(text: &'t str, word: &str) -> Vec<Vec<&'t str>> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.filter(|words| words.first() == Some(&word)).map(|words| words[1..].to_vec()).collect()
}
