//! The libFuzzer binary: any toolchain makes it; with the address sanitizer, a nightly one.

use crate::root;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What makes a program tell which of its edges and comparisons an input came by.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Builds the binary and tells where it is.
pub fn build(asan: bool) -> Result<PathBuf, String> {
    let host = host()?;
    let target_dir = root().join(if asan { "fuzz/target/asan" } else { "fuzz/target" });
    let (mut cargo, flags) = if asan {
        let mut rustup = Command::new("rustup");
        rustup.args(["run", "nightly", "cargo"]);
        (rustup, format!("{COVERAGE} -Zsanitizer=address"))
    } else {
        (Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())), COVERAGE.to_owned())
    };
    // With a target of its own, even if it is the host: build scripts and macros are built without these flags then.
    let words = ["build", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &host, "--target-dir"];
    let status = cargo
        .args(words)
        .arg(&target_dir)
        .env("RUSTFLAGS", flags)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(target_dir.join(host).join("release/fuzz")),
        _ if asan => Err("--asan needs a C++ compiler and a nightly compiler: rustup toolchain install nightly".into()),
        _ => Err("the fuzzer cannot be built; besides Rust, libFuzzer needs a C++ compiler".into()),
    }
}

/// The triple of this machine.
fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").stdin(Stdio::null()).output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV does not tell its host".into())
}
