//! What the scene has no place for, kept for the format it came from.
//!
//! Keys begin with the format's id and a dot, values are JSON text. Only that format's reader and writer touch them.

use std::collections::BTreeMap;

/// Values by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras(BTreeMap<String, String>);

impl Extras {
    /// Keeps a value under `prefix.key`.
    pub fn set(&mut self, prefix: &str, key: &str, json: impl Into<String>) {
        self.0.insert(format!("{prefix}.{key}"), json.into());
    }

    /// The value under `prefix.key`.
    pub fn get(&self, prefix: &str, key: &str) -> Option<&str> {
        self.0.get(&format!("{prefix}.{key}")).map(String::as_str)
    }

    /// Every key and value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
