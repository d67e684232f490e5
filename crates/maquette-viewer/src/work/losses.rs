//! What a conversion to each format would lose, told while one looks at the model.

use super::Wake;
use maquette::formats::format::BUILT_IN;
use maquette::write::WriteOptions;
use maquette::{Scene, encode};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

/// What a conversion to a format would lose.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The format's name.
    pub format: &'static str,
    /// The ending of its files.
    pub ending: &'static str,
    /// The losses, or why it cannot be written.
    pub outcome: Result<Kept, String>,
}

/// What a conversion would be like.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The dialect that loses least.
    pub dialect: &'static str,
    /// Bytes of all its files.
    pub bytes: u64,
    /// A line for each loss.
    pub losses: Vec<String>,
}

/// Previews that are being made, one format after the other.
pub struct Previews {
    /// Those that are done.
    pub done: Vec<Preview>,
    coming: Receiver<Preview>,
}

impl Previews {
    /// Starts to try all formats.
    pub fn start(scene: Arc<Scene>, stem: String, wake: Wake) -> Previews {
        let (tell, coming) = channel();
        let thread = std::thread::Builder::new().name("losses".into());
        let spawned = thread.spawn(move || {
            for format in BUILT_IN {
                let Some(ending) = format.extensions.first() else { continue };
                let outcome = preview(&scene, &format!("{stem}.{ending}"));
                // Nobody wants the rest once the document is closed.
                if tell.send(Preview { format: format.name, ending, outcome }).is_err() {
                    return;
                }
                wake();
            }
        });
        // Without a thread there are none.
        _ = spawned;
        Previews { done: Vec::new(), coming }
    }

    /// Takes those that are done since.
    pub fn update(&mut self) {
        self.done.extend(self.coming.try_iter());
    }

    /// Whether all formats were tried.
    pub fn is_complete(&self) -> bool {
        let writable = BUILT_IN.iter().filter(|format| !format.extensions.is_empty()).count();
        self.done.len() >= writable
    }
}

fn preview(scene: &Scene, name: &str) -> Result<Kept, String> {
    let output = encode(scene.clone(), name, &WriteOptions::default()).map_err(|error| error.to_string())?;
    let companions: u64 = output.companions.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    Ok(Kept {
        dialect: output.dialect.id,
        bytes: output.main.len() as u64 + companions,
        losses: output.losses.iter().map(ToString::to_string).collect(),
    })
}
