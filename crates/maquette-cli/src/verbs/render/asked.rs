//! What is asked for together must make sense together: an option without effect is a mistake that is better told than passed over.

use super::args::{Fit, RenderArgs};
use crate::complain::warn;
use crate::verbs::is_standard;
use maquette::clips::Moment;
use maquette::formats::format::{BUILT_IN, Caps, Format};
use maquette::{Error, Result};
use maquette_render::{Mode, ToneMap};
use std::path::{Path, PathBuf};

/// Refuses what cannot be, and tells what has no effect.
pub fn check(args: &RenderArgs) -> Result<()> {
    let refuse = |why: &str| Err(Error::Usage(why.to_owned()));
    let moves = args.turntable.is_some() || args.frames.is_some() && args.output.as_deref().is_some_and(is_film);
    let has_frames = matches!(args.time, Some(Moment::Frame(_)));
    if args.time.is_some() && args.frames.is_some() && args.turntable.is_none() {
        return refuse("--time is one moment and --frames are several: leave one of them out");
    }
    if args.time.is_some() && args.sheet && !args.has_several() {
        return refuse("a sheet of one file has moments of all its clips: leave --time out, or name several files");
    }
    if args.fps.is_some() && !moves && !has_frames {
        return refuse("--fps is for what moves: --turntable, or --frames with -o film.gif, .webp or .apng");
    }
    let has_clip = args.clip.is_some() || args.time.is_some() || args.frames.is_some() || args.on.is_some();
    if args.fit == Fit::Clip && !has_clip {
        return refuse("--fit clip needs a clip: name it with --clip");
    }
    let is_printed = args.output.as_deref().is_none_or(is_standard);
    if args.json && is_printed && args.turntable.is_none() && args.compare.is_none() {
        return refuse("standard output takes a picture or --json, not both: name a file with -o");
    }
    if args.json && args.compare.is_some() && args.output.as_deref().is_some_and(is_standard) {
        return refuse("standard output takes a picture or --json, not both: name a file with -o");
    }
    if args.terminal.is_some() && (!is_printed || args.turntable.is_some()) {
        return refuse("--terminal is for pictures that the terminal shows: leave -o and --turntable out");
    }
    if args.mode() != Mode::Shaded && (args.tone_map != ToneMap::default().word() || args.exposure != 0.0) {
        warn(&format!("--tone-map and --exposure are for --mode shaded, and {} has no light", args.mode));
    }
    Ok(())
}

/// Whether a file of this name moves by its very ending.
pub fn is_film(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| matches!(ending.as_str(), "gif" | "webp" | "apng"))
}

fn of_name(file: &Path) -> Option<&'static Format> {
    BUILT_IN.by_file_name(&file.to_string_lossy())
}

/// Folders as the files in them whose endings name a format that can be drawn, in the order of their names: models, or clips where a model for these is named or there is none.
pub fn files(args: &RenderArgs) -> Result<Vec<PathBuf>> {
    let caps = |format: &Format| format.dialects.first().map_or(Caps::NOTHING, |dialect| (format.caps)(dialect.id));
    let is_model = |file: &PathBuf| of_name(file).is_some_and(|format| caps(format).meshes);
    let has_clips = |file: &PathBuf| of_name(file).is_some_and(|format| caps(format).clips != Some(0));
    let mut files = Vec::with_capacity(args.files.len());
    for path in &args.files {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let folder = path.display().to_string();
        let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<std::io::Result<Vec<_>>>());
        let entries = entries.map_err(Error::io(&folder, "read"))?;
        let mut inside: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        inside.retain(|file| (is_model(file) || has_clips(file)) && file.is_file());
        if args.on.is_some() {
            inside.retain(has_clips);
        } else if inside.iter().any(is_model) {
            inside.retain(is_model);
        }
        if inside.is_empty() {
            return Err(Error::Usage(format!("{folder} holds no file whose ending names a format that can be drawn")));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}
