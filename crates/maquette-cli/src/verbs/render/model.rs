//! A file to be drawn: its scene, on another model if that is asked for, and the moments of it.

use super::args::RenderArgs;
use super::told::Told;
use maquette::clips::Wanted;
use maquette::edit::{self, Edits};
use maquette::scene::attach::AttachOptions;
use maquette::scene::clip::Clip;
use maquette::scene::loss::LossReport;
use maquette::scene::{Arena, Handle};
use maquette::{Error, Input, ReadOptions, Result, Scene};
use std::path::Path;

/// A file to be drawn.
pub struct Model {
    /// As it was named.
    pub label: String,
    pub scene: Scene,
    /// What reading it lost.
    pub losses: LossReport,
    /// What putting clips onto a model told.
    pub told: Told,
}

/// A moment of a clip.
pub type Moment<'m> = (&'m Clip, f32);

impl Model {
    /// Reads a file, or the model that its clips are to move.
    pub fn read(args: &RenderArgs, file: &Path) -> Result<Model> {
        let label = file.display().to_string();
        let Some(on) = &args.on else {
            let read = Input::from_path(file)?.read(&ReadOptions::default())?;
            if read.scene.nodes.is_empty() && read.scene.clips.is_empty() {
                return Err(Error::Usage(format!("{label} holds nothing to be drawn")));
            }
            return Ok(Model { label, scene: read.scene, losses: read.losses, told: Told::default() });
        };
        let read = Input::from_path(on)?.read(&ReadOptions::default())?;
        let mut scene = read.scene;
        scene.clips = Arena::default();
        let attach = AttachOptions {
            prefixes: args.strip_prefix.clone(),
            ignore_namespaces: args.ignore_namespace,
            ..AttachOptions::default()
        };
        let edits = Edits {
            clips: vec![file.to_path_buf()],
            model: on.display().to_string(),
            bone_map: args.bone_map.clone(),
            attach,
            ..Edits::default()
        };
        let (warnings, notes): (Vec<_>, Vec<_>) = edit::apply(&mut scene, &edits, &mut LossReport::default())?
            .into_iter()
            .partition(|note| note.kind.is_warning());
        let words = |notes: Vec<maquette::note::Note>| notes.iter().map(ToString::to_string).collect();
        Ok(Model { label, scene, losses: read.losses, told: Told { warnings: words(warnings), notes: words(notes) } })
    }

    /// The clip that is asked for; `None` for the model at rest.
    pub fn clip(&self, args: &RenderArgs) -> Result<Option<&Clip>> {
        self.wanted(args).of(&self.scene)
    }

    fn wanted<'w>(&'w self, args: &'w RenderArgs) -> Wanted<'w> {
        Wanted {
            label: &self.label,
            clip: args.clip.as_deref(),
            moment: args.time.is_some() || args.frames.is_some() && args.turntable.is_none(),
            for_clips: args.on.is_some(),
            among_others: args.has_several(),
        }
    }

    /// What is to be known where one of several clips was taken.
    pub fn which_clip(&self, args: &RenderArgs, clip: Option<&Clip>) -> Option<String> {
        let count = self.clips(args).len();
        let name = clip.map(|clip| &clip.name).filter(|_| count > 1)?;
        Some(format!("{}: of {count} clips the first is drawn, {name:?}", self.label))
    }

    /// The moment of a clip that is asked for; its start, if none is.
    pub fn moment<'m>(&self, args: &RenderArgs, clip: &'m Clip) -> Result<Moment<'m>> {
        let secs = args.time.map(|time| self.wanted(args).secs(clip, time, args.fps)).transpose()?;
        Ok((clip, secs.unwrap_or(0.0)))
    }

    /// The clips that are asked for, or all.
    pub fn clips(&self, args: &RenderArgs) -> Vec<Handle<Clip>> {
        self.wanted(args).all(&self.scene)
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
