//! Building the tests with all mutations in, and running them with one switched on.

use super::switch::VARIABLE;
use super::tree::Tree;
use serde_json::Value;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Built quickly rather than fast, but for the crates that no mutation is in: those are built once, and chewing on pixels takes longer than that.
const PROFILE: [&str; 4] = [
    "profile.test.opt-level=0",
    "profile.test.debug=0",
    "profile.test.package.\"*\".opt-level=1",
    "profile.test.package.maquette-texture.opt-level=1",
];
/// The number of no mutation.
const NONE: usize = 0;

/// What became of a mutation.
pub enum Verdict {
    /// These tests failed; none of them if they did not end.
    Caught(Vec<String>),
    /// All tests passed.
    Survived,
}

impl Verdict {
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Caught(_) => "caught",
            Verdict::Survived => "SURVIVED",
        }
    }
}

/// Some tests, which pass without a mutation.
pub struct Trial {
    binaries: Vec<Binary>,
    /// Which tests are run.
    names: Vec<&'static str>,
    patience: Duration,
    /// Where the tests tell how they went.
    log: PathBuf,
}

impl Trial {
    /// Builds the tests of these words, split at `--` as cargo does; fails where they fail without a mutation.
    pub fn new(tree: &Tree, words: &[&'static str]) -> Result<Trial, String> {
        let (targets, names) = words.split_at(words.iter().position(|word| *word == "--").unwrap_or(words.len()));
        let mut trial = Trial {
            binaries: build(tree, targets)?,
            names: names.iter().skip(1).copied().collect(),
            patience: Duration::from_secs(600),
            log: tree.root().with_file_name("tests.log"),
        };
        let start = Instant::now();
        if let Verdict::Caught(tests) = trial.judge(NONE)? {
            return Err(format!("without a mutation, of {}: {} fail", words.join(" "), tests.join(", ")));
        }
        trial.patience = start.elapsed() * 10 + Duration::from_secs(30);
        Ok(trial)
    }

    /// What the tests say about a mutation.
    pub fn judge(&self, number: usize) -> Result<Verdict, String> {
        for binary in &self.binaries {
            if !self.passes(binary, number)? {
                return Ok(Verdict::Caught(self.failures()));
            }
        }
        Ok(Verdict::Survived)
    }

    /// Whether a binary ends well in time.
    fn passes(&self, binary: &Binary, number: usize) -> Result<bool, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", binary.path.display());
        let mut child = Command::new(&binary.path)
            .args(&self.names)
            .env(VARIABLE, number.to_string())
            .current_dir(&binary.folder)
            .stdin(Stdio::null())
            .stdout(File::create(&self.log).map_err(failed)?)
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

    /// The tests that failed in the last run.
    fn failures(&self) -> Vec<String> {
        let log = std::fs::read(&self.log).unwrap_or_default();
        let failed = |line: &str| line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned);
        String::from_utf8_lossy(&log).lines().filter_map(failed).collect()
    }
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

/// The test binaries, or what the compiler complains about.
fn build(tree: &Tree, targets: &[&str]) -> Result<Vec<Binary>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["test", "--quiet", "--no-run", "--message-format=json-render-diagnostics", "--target-dir"])
        .arg(tree.target_dir())
        .args(PROFILE.iter().flat_map(|setting| ["--config", setting]))
        .args(targets)
        .current_dir(tree.root())
        .output()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    let messages = output.stdout.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    let binaries: Vec<Binary> = messages.filter_map(|message: Value| Binary::of(&message)).collect();
    match (output.status.success(), binaries.as_slice()) {
        (true, []) => Err(format!("there are no tests of {}", targets.join(" "))),
        (true, _) => Ok(binaries),
        (false, _) => Err(format!("a mutation does not build:\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}
