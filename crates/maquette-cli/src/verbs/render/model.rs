//! A file to be drawn: its scene, on another model if that is asked for, and the moments of it.

use super::args::RenderArgs;
use crate::complain::warn;
use maquette::edit::{self, Edits};
use maquette::scene::clip::Clip;
use maquette::scene::loss::LossReport;
use maquette::scene::{Arena, Handle};
use maquette::{Error, Input, ReadOptions, Result, Scene, ops};
use maquette_render::{Instead, Stage};
use std::path::Path;

/// A file to be drawn.
pub struct Model {
    /// As it was named.
    pub label: String,
    pub scene: Scene,
}

/// A moment of a clip.
pub type Moment<'m> = (&'m Clip, f32);

impl Model {
    /// Reads a file, or the model that its clips are to move.
    pub fn read(args: &RenderArgs, file: &Path) -> Result<Model> {
        let label = file.display().to_string();
        let Some(on) = &args.on else {
            let scene = Input::from_path(file)?.read(&ReadOptions::default())?.scene;
            return match (scene.nodes.is_empty(), scene.clips.is_empty()) {
                (false, _) => Ok(Model { label, scene }),
                (true, false) => Err(Error::Usage(format!(
                    "{label} holds clips alone, and nothing that they move: name the model with --on"
                ))),
                (true, true) => Err(Error::Usage(format!("{label} holds nothing to be drawn"))),
            };
        };
        let mut scene = Input::from_path(on)?.read(&ReadOptions::default())?.scene;
        scene.clips = Arena::default();
        let edits = Edits { clips: vec![file.to_path_buf()], model: on.display().to_string(), ..Edits::default() };
        edit::apply(&mut scene, &edits, &mut LossReport::default())?;
        Ok(Model { label, scene })
    }

    /// Tells which images are not there to be seen.
    pub fn tell_missing(&self, stage: &Stage<'_>) {
        for missing in stage.missing() {
            let name = self.scene.images.get(missing.image).map_or("", |image| &image.name);
            let instead = match missing.instead {
                Instead::Factors => "is not drawn",
                Instead::Rest => "is drawn as far as it goes",
                Instead::Smaller => "is drawn with fewer pixels",
            };
            warn(&format!("{}: image {name:?} {instead}: {}", self.label, missing.why));
        }
    }

    /// The clip that is asked for by name, or the only one, where a moment is asked for; `None` where none is.
    pub fn clip(&self, args: &RenderArgs) -> Result<Option<&Clip>> {
        let clips: Vec<&Clip> = self.scene.clips.iter().collect();
        let wants_one = args.time.is_some() || args.frames.is_some() && args.turntable.is_none() || args.on.is_some();
        let chosen = match &args.clip {
            Some(pattern) => clips.iter().copied().filter(|clip| ops::matches(pattern, &clip.name)).collect(),
            None if wants_one || self.scene.meshes.is_empty() => clips.clone(),
            None => return Ok(None),
        };
        match chosen.as_slice() {
            [] if clips.is_empty() && args.clip.is_none() && args.on.is_none() && !wants_one => Ok(None),
            [] if clips.is_empty() => Err(Error::NoClip { file: self.label.clone() }),
            [] => Err(Error::NoSuchClip {
                file: self.label.clone(),
                patterns: args.clip.iter().cloned().collect(),
                names: clips.iter().map(|clip| clip.name.clone()).collect(),
            }),
            [clip] => Ok(Some(clip)),
            [first, ..] if args.clip.is_none() && !wants_one => Ok(Some(first)),
            several => {
                let names: Vec<String> = several.iter().map(|clip| format!("{:?}", clip.name)).collect();
                let label = &self.label;
                Err(Error::Usage(format!("{label} has several clips; name one with --clip: {}", names.join(", "))))
            }
        }
    }

    /// The moment of a clip that is asked for; its start, if none is.
    pub fn moment<'m>(&self, args: &RenderArgs, clip: &'m Clip) -> Result<Moment<'m>> {
        let Some(time) = args.time else { return Ok((clip, 0.0)) };
        let rate = clip.frame_rate.map(f64::from);
        let secs =
            time.at_rate(rate).map_err(|why| Error::Clip { file: self.label.clone(), clip: clip.name.clone(), why })?;
        if !(0.0..=clip.duration_secs).contains(&secs) {
            let (name, end) = (&clip.name, clip.duration_secs);
            let label = &self.label;
            return Err(Error::Usage(format!("{secs} s is no moment of {label}, clip {name:?}, which has {end} s")));
        }
        Ok((clip, secs as f32))
    }

    /// The clips that are asked for, or all.
    pub fn clips(&self, args: &RenderArgs) -> Vec<Handle<Clip>> {
        let is_asked = |clip: &Clip| args.clip.as_ref().is_none_or(|pattern| ops::matches(pattern, &clip.name));
        self.scene.clips.entries().filter(|(_, clip)| is_asked(clip)).map(|(handle, _)| handle).collect()
    }
}

/// So many moments of a clip, evenly, the first at its start. The last is its end, unless the clip goes on at its start then.
pub fn moments(clip: &Clip, count: u32, goes_on: bool) -> Vec<f32> {
    let steps = if goes_on || clip.looped == Some(true) { count } else { count.saturating_sub(1) };
    let at = |step: u32| clip.duration_secs * f64::from(step) / f64::from(steps.max(1));
    (0..count).map(|step| at(step) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_reach_the_end_unless_it_is_the_start() {
        let clip = Clip { duration_secs: 2.0, ..Clip::default() };
        assert_eq!(moments(&clip, 5, false), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(moments(&clip, 4, true), [0.0, 0.5, 1.0, 1.5]);
        assert_eq!(moments(&Clip { looped: Some(true), ..clip.clone() }, 4, false), [0.0, 0.5, 1.0, 1.5]);
        assert_eq!(moments(&clip, 1, false), [0.0]);
    }
}
