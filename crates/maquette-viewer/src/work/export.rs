//! Writes a scene in another format, on a thread.

use super::Wake;
use maquette::input::Sources;
use maquette::overwrite::{self, Overwrite};
use maquette::texture::Quality;
use maquette::write::WriteOptions;
use maquette::{Error, Scene, encode, names};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// What is asked of conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// How well textures are packed where a format packs them; `None` for plain pixels.
    pub quality: Option<Quality>,
    /// Whether geometry is put into the order that hardware likes best.
    pub optimize: bool,
}

impl Default for Conversion {
    fn default() -> Conversion {
        Conversion { quality: Some(Quality::Default), optimize: false }
    }
}

impl Conversion {
    /// As the library is told.
    pub fn options(&self) -> WriteOptions {
        let mut options = WriteOptions { optimize: self.optimize, ..WriteOptions::default() };
        options.fit.textures.quality = self.quality;
        options
    }
}

/// What is to be written.
pub struct Order {
    /// The model.
    pub scene: Arc<Scene>,
    /// The files it was read from.
    pub sources: Sources,
    /// Where to.
    pub path: PathBuf,
    /// How.
    pub conversion: Conversion,
    /// What may be replaced.
    pub overwrite: Overwrite,
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Files of somebody else are in the way; they can be replaced if that is wanted.
    InTheWay(String),
    /// Anything else.
    Other(String),
}

/// A file that is being written.
pub struct Export {
    /// Where to.
    pub path: PathBuf,
    done: Receiver<Result<String, Failure>>,
}

impl Export {
    /// Starts to write a scene.
    pub fn start(order: Order, wake: Wake) -> Export {
        let (tell, done) = channel();
        let path = order.path.clone();
        let thread = std::thread::Builder::new().name("export".into());
        let failed = tell.clone();
        let spawned = thread.spawn(move || {
            _ = tell.send(write(&order));
            wake();
        });
        if let Err(error) = spawned {
            _ = failed.send(Err(Failure::Other(format!("no thread can be started to write it: {error}"))));
        }
        Export { path, done }
    }

    /// What became of it, once it is done: what was lost, or what went wrong.
    pub fn outcome(&self) -> Option<Result<String, Failure>> {
        match self.done.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Failure::Other("writing it was given up".to_owned()))),
        }
    }
}

fn write(order: &Order) -> Result<String, Failure> {
    let other = |error: Error| Failure::Other(error.to_string());
    let mut options = order.conversion.options();
    options.others = overwrite::neighbours(&order.path, options.formats);
    let name = names::file_name(&order.path);
    let mut output = encode(Scene::clone(&order.scene), &name, &options).map_err(other)?;
    output.sources = order.sources.clone();
    let paths = output.save(&order.path, order.overwrite).map_err(|error| match error {
        Error::Exists { .. } | Error::Source { .. } => Failure::InTheWay(error.to_string()),
        error => other(error),
    })?;
    let mut said = vec![format!("written: {}", paths.iter().map(|path| shown(path)).collect::<Vec<_>>().join(", "))];
    let losses = output.losses.iter().count();
    said.extend(output.losses.iter().take(MOST_SAID).map(ToString::to_string));
    if losses > MOST_SAID {
        said.push(format!("and {} more losses: see the panel of conversions", losses - MOST_SAID));
    }
    Ok(said.join("\n"))
}

/// So many losses are said in a notice.
const MOST_SAID: usize = 5;

fn shown(path: &Path) -> String {
    path.display().to_string()
}
