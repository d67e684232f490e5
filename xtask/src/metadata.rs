//! What cargo knows about the crates of the workspace.

use crate::root;
use serde_json::Value;
use std::process::Command;

/// The crates of the workspace, as `cargo metadata` describes them.
pub fn packages() -> Result<Vec<Value>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("cargo metadata did not start: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata said no JSON: {error}"))?;
    Ok(list(&metadata, "packages"))
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
