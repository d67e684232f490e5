//! What cargo knows about the crates of the workspace.

use crate::root;
use serde_json::Value;
use std::process::Command;

/// The crates of the workspace, as `cargo metadata` describes them.
pub fn packages() -> Result<Vec<Value>, String> {
    let said = cargo(&["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value =
        serde_json::from_str(&said).map_err(|error| format!("cargo metadata said no JSON: {error}"))?;
    Ok(list(&metadata, "packages"))
}

/// What cargo prints, if it succeeds.
pub fn cargo(words: &[&str]) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(words).current_dir(root()).output();
    let output = output.map_err(|error| format!("cargo did not start: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("cargo {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr))),
    }
}

/// Whether a crate is meant for a registry.
pub fn is_published(package: &Value) -> bool {
    package.get("publish").is_none_or(Value::is_null)
}

/// The items under a key.
pub fn list(value: &Value, key: &str) -> Vec<Value> {
    value.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// The name of a crate or of a dependency.
pub fn name(value: &Value) -> String {
    value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}
