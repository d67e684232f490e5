//! Writes a scene in another format, on a thread.

use super::Wake;
use maquette::overwrite::Overwrite;
use maquette::write::WriteOptions;
use maquette::{Scene, encode};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// A file that is being written.
pub struct Export {
    /// Where to.
    pub path: PathBuf,
    done: Receiver<Result<String, String>>,
}

impl Export {
    /// Starts to write a scene.
    pub fn start(scene: Arc<Scene>, path: PathBuf, overwrite: Overwrite, wake: Wake) -> Export {
        let (tell, done) = channel();
        let target = path.clone();
        let thread = std::thread::Builder::new().name("export".into());
        let failed = tell.clone();
        let spawned = thread.spawn(move || {
            _ = tell.send(write(&scene, &target, overwrite));
            wake();
        });
        if let Err(error) = spawned {
            _ = failed.send(Err(format!("no thread can be started to write it: {error}")));
        }
        Export { path, done }
    }

    /// What became of it, once it is done: what was lost, or what went wrong.
    pub fn outcome(&self) -> Option<Result<String, String>> {
        match self.done.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err("writing it was given up".to_owned())),
        }
    }
}

fn write(scene: &Scene, path: &Path, overwrite: Overwrite) -> Result<String, String> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let output = encode(scene.clone(), &name, &WriteOptions::default()).map_err(|error| error.to_string())?;
    let paths = output.save(path, overwrite).map_err(|error| error.to_string())?;
    let mut said = vec![format!(
        "written: {}",
        paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    )];
    said.extend(output.losses.iter().map(ToString::to_string));
    Ok(said.join("\n"))
}
