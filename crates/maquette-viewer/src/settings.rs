//! The file that remembers settings from one start to the next: JSON, in the folder where programs of the platform keep such things.
//!
//! Nothing in it is trusted. What cannot be understood is put aside under another name, so that it can be looked at, and the window begins as at first.

use crate::state::saved::Saved;
use crate::ui::arrangement::Arrangement;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What is shown.
    pub session: Saved,
    /// Where panels are.
    pub panels: Option<Arrangement>,
}

/// No settings are as large.
const MOST_BYTES: u64 = 1 << 20;

/// Where settings are; `None` where the platform has no place for them.
pub fn path() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    let folder = if cfg!(windows) {
        variable("APPDATA")?.join("maquette-viewer").join("data")
    } else if cfg!(target_os = "macos") {
        home()?.join("Library").join("Application Support").join("maquette-viewer")
    } else {
        variable("XDG_DATA_HOME").or_else(|| Some(home()?.join(".local").join("share")))?.join("maquette-viewer")
    };
    Some(folder.join("settings.json"))
}

/// Reads settings; those of a first start where there are none. The error is a sentence, and then the file has another name.
pub fn read(path: &Path) -> Result<Settings, String> {
    let file = match std::fs::File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Settings::default()),
        file => file,
    };
    let mut bytes = Vec::new();
    let read = file.and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)).map_err(|error| error.to_string());
    let understood = read.and_then(|_| serde_json::from_slice(&bytes).map_err(|error| error.to_string()));
    understood.map_err(|why| {
        let mut aside = OsString::from(path);
        aside.push(".unread");
        let kept = match std::fs::rename(path, &aside) {
            Ok(()) => format!("; they are kept as {}", Path::new(&aside).display()),
            Err(_) => String::new(),
        };
        format!("settings cannot be read from {}: {why}. The window begins as at first{kept}", path.display())
    })
}

/// Writes settings, whole or not at all. The error is a sentence.
pub fn write(path: &Path, settings: &Settings) -> Result<(), String> {
    let text = serde_json::to_vec_pretty(settings).map_err(|error| error.to_string());
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|error| error.to_string());
    let written =
        folder.and(text).and_then(|text| maquette::save::write(path, &text).map_err(|error| error.to_string()));
    written.map_err(|why| format!("settings cannot be written to {}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::layout;

    #[test]
    fn settings_come_back_and_what_is_no_settings_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("settings.json");
        assert_eq!(read(&path), Ok(Settings::default()), "the first start");
        let settings = Settings { panels: Arrangement::of(&layout::usual()), ..Settings::default() };
        write(&path, &settings).unwrap();
        assert_eq!(read(&path), Ok(settings.clone()));
        for text in ["", "{", "[1, 2]", r#"{"panels": {"tabs": [0, "Picture"]}}"#, &"[".repeat(3 << 20)] {
            std::fs::write(&path, text).unwrap();
            let why = read(&path).unwrap_err();
            assert!(why.contains("settings.json") && why.contains("as at first"), "{why}");
            assert!(!path.exists() && path.with_extension("json.unread").exists());
        }
        let parent = path.parent().unwrap();
        std::fs::remove_dir_all(parent).unwrap();
        std::fs::write(parent, "no folder").unwrap();
        assert!(write(&path, &settings).unwrap_err().contains("settings.json"));
    }

    #[test]
    fn what_other_versions_write_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, r#"{"egui": {"zoom_factor": 1e30}, "session": {"is_light": true, "later": 1}}"#).unwrap();
        assert!(read(&path).is_ok_and(|settings| settings != Settings::default()));
    }
}
