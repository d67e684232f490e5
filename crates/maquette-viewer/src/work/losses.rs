//! What a conversion to each format would lose, told while one looks at the model.
//!
//! Losses are predicted first, for all formats, without the work that textures take. Then files are really made, one after the other, for their sizes.

use super::Wake;
use super::export::Conversion;
use maquette::fit::Effort;
use maquette::formats::format::BUILT_IN;
use maquette::write::WriteOptions;
use maquette::{Format, Scene, encode};
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
    /// Bytes of all its files, once they were made.
    pub bytes: Option<u64>,
    /// A line for each loss.
    pub losses: Vec<String>,
}

/// Previews that are being made, one format after the other.
pub struct Previews {
    /// Those that are done, in the order of formats.
    pub done: Vec<Arc<Preview>>,
    /// What was asked for.
    pub conversion: Conversion,
    coming: Receiver<Preview>,
    is_over: bool,
}

/// Formats that can be written, and the ending of their files.
fn formats() -> impl Iterator<Item = (&'static Format, &'static str)> {
    BUILT_IN.iter().filter_map(|format| Some((format, *format.extensions.first()?)))
}

impl Previews {
    /// Starts to try all formats.
    pub fn start(scene: Arc<Scene>, stem: String, conversion: Conversion, wake: Wake) -> Previews {
        let (tell, coming) = channel();
        let thread = std::thread::Builder::new().name("losses".into());
        let spawned = thread.spawn(move || {
            for effort in [Effort::Predicted, Effort::Whole] {
                for (format, ending) in formats() {
                    let mut options = conversion.options();
                    options.fit.textures.effort = effort;
                    let outcome = preview(&scene, &format!("{stem}.{ending}"), &options);
                    // Nobody wants the rest once the document is closed, or once something else is asked for.
                    if tell.send(Preview { format: format.name, ending, outcome }).is_err() {
                        return;
                    }
                    wake();
                }
            }
            drop(tell);
            wake();
        });
        // Without a thread there are none.
        Previews { done: Vec::new(), conversion, coming, is_over: spawned.is_err() }
    }

    /// Takes those that are done since.
    pub fn update(&mut self) {
        loop {
            match self.coming.try_recv() {
                Ok(preview) => match self.done.iter_mut().find(|there| there.ending == preview.ending) {
                    Some(there) => *there = Arc::new(preview),
                    None => self.done.push(Arc::new(preview)),
                },
                Err(std::sync::mpsc::TryRecvError::Empty) => return,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => return self.is_over = true,
            }
        }
    }

    /// Whether all formats were tried, and all files made.
    pub fn is_complete(&self) -> bool {
        self.is_over
    }
}

fn preview(scene: &Scene, name: &str, options: &WriteOptions) -> Result<Kept, String> {
    let output = encode(scene.clone(), name, options).map_err(|error| error.to_string())?;
    let companions: u64 = output.companions.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let is_made = options.fit.textures.effort == Effort::Whole;
    Ok(Kept {
        dialect: output.dialect.id,
        bytes: is_made.then_some(output.main.len() as u64 + companions),
        losses: output.losses.iter().map(ToString::to_string).collect(),
    })
}
