//! One run of libFuzzer, and what it says.

use super::Folders;
use maquette_fuzz::{Target, seeds};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// An execution that takes longer is a finding.
const TIMEOUT_SECS: u64 = 10;

/// A run to be.
pub struct Session<'s> {
    pub binary: &'s Path,
    pub target: Target,
    pub folders: &'s Folders,
}

/// What came of a run.
#[derive(Debug, Default, PartialEq)]
pub struct Told {
    pub executions: u64,
    pub executions_a_second: u64,
    pub edges: u64,
    pub features: u64,
    pub finding: Option<Finding>,
}

/// An input that breaks a promise, and how.
#[derive(Debug, PartialEq)]
pub struct Finding {
    pub message: String,
    pub input: PathBuf,
}

impl Session<'_> {
    /// Runs for this long, or up to the first finding.
    pub fn run(&self, share: Duration) -> Result<Told, String> {
        let flag = |name: &str, value: &dyn std::fmt::Display| format!("-{name}={value}");
        let failed = |error: std::io::Error| format!("{} does not run: {error}", self.binary.display());
        let mut child = Command::new(self.binary)
            .env("MAQUETTE_FUZZ_TARGET", self.target.name())
            .env("RUST_BACKTRACE", "0")
            .arg(flag("max_total_time", &share.as_secs().max(1)))
            .arg(flag("max_len", &seeds::MAX_BYTES))
            .arg(flag("timeout", &TIMEOUT_SECS))
            .arg(flag("report_slow_units", &(2 * TIMEOUT_SECS)))
            .arg(flag("dict", &self.folders.dictionary.display()))
            .arg(flag("artifact_prefix", &format!("{}/", self.folders.artifacts.display())))
            // An edge counts once, however often it is passed: sizes of tables would fill the corpus, and halve the speed.
            .arg("-use_counters=0")
            .arg("-print_final_stats=1")
            .args([&self.folders.corpus, &self.folders.seeds])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut log = std::fs::File::create(&self.folders.log).map_err(failed)?;
        let mut lines = Vec::new();
        for line in BufReader::new(child.stderr.take().ok_or("libFuzzer has no standard error")?).split(b'\n') {
            let line = String::from_utf8_lossy(&line.map_err(failed)?).into_owned();
            writeln!(log, "{line}").map_err(failed)?;
            lines.push(line);
        }
        let status = child.wait().map_err(failed)?;
        let told = told(&lines);
        if !status.success() && told.finding.is_none() {
            return Err(format!("libFuzzer ended with {status}; see {}", self.folders.log.display()));
        }
        Ok(told)
    }
}

/// What the lines say that libFuzzer prints.
fn told(lines: &[String]) -> Told {
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let last = |prefix: &str| number(lines.iter().rev().find_map(|line| line.strip_prefix(prefix)));
    let status = lines.iter().rev().find(|line| line.starts_with('#') && line.contains(" cov: "));
    let after = |word: &str| {
        let mut words = status.map_or("", String::as_str).split_whitespace().skip_while(|known| *known != word);
        number(words.nth(1))
    };
    let input = lines.iter().find_map(|line| line.split_once("Test unit written to ").map(|(_, path)| path));
    Told {
        executions: last("stat::number_of_executed_units:"),
        executions_a_second: last("stat::average_exec_per_sec:"),
        edges: after("cov:"),
        features: after("ft:"),
        finding: input.map(|input| Finding { message: message(lines), input: input.trim().into() }),
    }
}

/// Why libFuzzer stopped: what a panic says, or what libFuzzer does.
fn message(lines: &[String]) -> String {
    let panic = lines.iter().position(|line| line.contains("panicked at "));
    let said = panic.map(|at| lines.iter().skip(at + 1).take_while(|line| !line.starts_with("note:")));
    let said = said.map(|said| said.map(|line| line.trim()).take(3).collect::<Vec<_>>().join(" "));
    let own = |line: &&String| line.starts_with("memory:") || line.contains("ERROR:");
    said.or_else(|| lines.iter().find(own).cloned()).unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_of(text: &str) -> Told {
        told(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_are_those_of_the_last_lines() {
        let told = told_of(
            "#130\tINITED cov: 1979 ft: 3860 corp: 59/247Kb exec/s: 0 rss: 64Mb\n\
             #30883\tDONE   cov: 2417 ft: 8061 corp: 541/2261Kb lim: 4416 exec/s: 1470 rss: 485Mb\n\
             Done 30883 runs in 21 second(s)\n\
             stat::number_of_executed_units: 30883\n\
             stat::average_exec_per_sec:     1470\n",
        );
        let numbers = (told.executions, told.executions_a_second, told.edges, told.features);
        assert_eq!((numbers, told.finding), ((30883, 1470, 2417, 8061), None));
    }

    #[test]
    fn a_finding_has_its_message_and_its_input() {
        let told = told_of(
            "thread '<unnamed>' (7835) panicked at src/round_trip.rs:52:5:\n\
             assertion `left == right` failed: read back from aem document\n  \
               left: Err(..)\n right: Ok(())\n\
             note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\
             ==7835== ERROR: libFuzzer: deadly signal\n\
             artifact_prefix='a/'; Test unit written to a/crash-1c\n",
        );
        let message = "assertion `left == right` failed: read back from aem document left: Err(..) right: Ok(())";
        assert_eq!(told.finding, Some(Finding { message: message.into(), input: "a/crash-1c".into() }));
    }

    #[test]
    fn without_a_panic_libfuzzer_says_why() {
        let slow = told_of("==9== ERROR: libFuzzer: timeout after 10 seconds\nTest unit written to t/timeout-2\n");
        assert_eq!(
            slow.finding.map(|finding| finding.message).as_deref(),
            Some("==9== ERROR: libFuzzer: timeout after 10 seconds")
        );
    }
}
