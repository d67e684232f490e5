//! Building the tests of a mutation and running them.

use super::tree::Tree;
use serde_json::Value;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Built quickly rather than fast, but for the crates that no mutation is in: those are built once, and chewing on pixels takes longer than that.
const PROFILE: [&str; 5] = [
    "profile.test.opt-level=0",
    "profile.test.debug=0",
    "profile.test.incremental=true",
    "profile.test.package.\"*\".opt-level=1",
    "profile.test.package.maquette-texture.opt-level=1",
];

/// What became of a mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// A test failed, or did not end.
    Caught,
    /// All tests passed.
    Survived,
    /// It says nothing about the tests.
    DoesNotBuild,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Caught => "caught",
            Verdict::Survived => "SURVIVED",
            Verdict::DoesNotBuild => "does not build",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:14}", self.word())
    }
}

/// Some tests, which pass without a mutation.
pub struct Trial {
    /// What cargo is to build.
    targets: Vec<&'static str>,
    /// What the test binaries are to run.
    names: Vec<&'static str>,
    patience: Duration,
}

impl Trial {
    /// Splits words at `--`, as cargo does, and fails where the tests fail without a mutation.
    pub fn of_sound_code(tree: &Tree, words: &[&'static str]) -> Result<Trial, String> {
        let (targets, names) = words.split_at(words.iter().position(|word| *word == "--").unwrap_or(words.len()));
        let names = names.iter().skip(1).copied().collect();
        let mut trial = Trial { targets: targets.to_vec(), names, patience: Duration::from_secs(600) };
        let binaries = trial.build(tree)?.ok_or_else(|| format!("{words:?} do not build without a mutation"))?;
        let start = Instant::now();
        if !trial.all_pass(&binaries, &tree.log())? {
            return Err(format!("the tests of {words:?} fail without a mutation"));
        }
        trial.patience = start.elapsed() * 10 + Duration::from_secs(30);
        Ok(trial)
    }

    /// What these tests say about the tree as it is.
    pub fn judge(&self, tree: &Tree) -> Result<Verdict, String> {
        Ok(match self.build(tree)? {
            None => Verdict::DoesNotBuild,
            Some(binaries) if self.all_pass(&binaries, &tree.log())? => Verdict::Survived,
            Some(_) => Verdict::Caught,
        })
    }

    /// The test binaries and where they are to run; `None` if the compiler complains.
    fn build(&self, tree: &Tree) -> Result<Option<Vec<Binary>>, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["test", "--offline", "--no-run", "--message-format=json", "--target-dir"])
            .arg(tree.target_dir())
            .args(PROFILE.iter().flat_map(|setting| ["--config", setting]))
            .args(&self.targets)
            .current_dir(tree.root())
            .stderr(Stdio::null())
            .output()
            .map_err(|error| format!("cargo did not start: {error}"))?;
        let messages = output.stdout.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let binaries: Vec<Binary> = messages.filter_map(|message: Value| Binary::of(&message)).collect();
        Ok(Some(binaries).filter(|_| output.status.success()))
    }

    fn all_pass(&self, binaries: &[Binary], log: &Path) -> Result<bool, String> {
        for binary in binaries {
            if !self.passes(binary, log)? {
                return Ok(false);
            }
        }
        Ok(!binaries.is_empty())
    }

    /// Whether a binary ends well in time. Run without cargo, it can be ended without leaving a process behind.
    fn passes(&self, binary: &Binary, log: &Path) -> Result<bool, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", binary.path.display());
        let log = File::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
        let mut child = Command::new(&binary.path)
            .args(&self.names)
            .env("CARGO_MANIFEST_DIR", &binary.folder)
            .current_dir(&binary.folder)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok(status.success());
            }
            if start.elapsed() > self.patience {
                child.kill().map_err(failed)?;
                child.wait().map_err(failed)?;
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The tests that failed in the last run, as it told.
pub fn failures(tree: &Tree) -> Vec<String> {
    let log = std::fs::read(tree.log()).unwrap_or_default();
    let failed = |line: &str| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned);
    String::from_utf8_lossy(&log).lines().filter_map(failed).collect()
}

/// A test binary.
struct Binary {
    path: PathBuf,
    /// The folder of its crate.
    folder: PathBuf,
}

impl Binary {
    /// What a message of cargo says was built, if it is one to run.
    fn of(message: &Value) -> Option<Binary> {
        let is_test = message.get("profile")?.get("test")?.as_bool()?;
        let text = |key: &str| message.get(key)?.as_str().map(PathBuf::from);
        let folder = text("manifest_path")?.parent()?.to_path_buf();
        is_test.then_some(Binary { path: text("executable")?, folder })
    }
}
