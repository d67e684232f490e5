//! A file to be drawn: its scene, on another model if that is asked for, and the moments of it.

use super::args::RenderArgs;
use super::told::Told;
use maquette::edit::{self, Edits};
use maquette::scene::attach::AttachOptions;
use maquette::scene::clip::Clip;
use maquette::scene::loss::LossReport;
use maquette::scene::{Arena, Handle};
use maquette::{Error, Input, ReadOptions, Result, Scene, ops};
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

    /// The clip that is asked for by name, or the only one, where a moment is asked for; `None` where none is. Of several files those without clips are at rest, and the first of several
    /// clips is taken.
    pub fn clip(&self, args: &RenderArgs) -> Result<Option<&Clip>> {
        let wants_moment = args.time.is_some() || args.frames.is_some() && args.turntable.is_none();
        let is_clip_alone = self.scene.meshes.is_empty();
        if args.clip.is_none() && !wants_moment && args.on.is_none() && !is_clip_alone {
            return Ok(None);
        }
        let clips = self.clips(args);
        let chosen: Vec<&Clip> = clips.iter().filter_map(|clip| self.scene.clips.get(*clip)).collect();
        let is_clear = args.clip.is_some() || args.has_several() || is_clip_alone && !wants_moment;
        match chosen.as_slice() {
            [clip] => Ok(Some(clip)),
            [first, ..] if is_clear => Ok(Some(first)),
            [] if args.clip.is_some() && !self.scene.clips.is_empty() => Err(Error::NoSuchClip {
                file: self.label.clone(),
                patterns: args.clip.iter().cloned().collect(),
                names: self.scene.clips.iter().map(|clip| clip.name.clone()).collect(),
            }),
            [] if args.clip.is_none() && args.on.is_none() && (args.has_several() || !wants_moment) => Ok(None),
            [] => Err(Error::NoClip { file: self.label.clone() }),
            several => {
                let names: Vec<String> = several.iter().map(|clip| format!("{:?}", clip.name)).collect();
                let label = &self.label;
                Err(Error::Usage(format!("{label} has several clips; name one with --clip: {}", names.join(", "))))
            }
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
        let Some(time) = args.time else { return Ok((clip, 0.0)) };
        let rate = clip.frame_rate.or(args.fps).map(f64::from);
        let secs = time.at_rate(rate).map_err(|mut why| {
            why.0.push_str(", or name the frames a second with --fps");
            Error::Clip { file: self.label.clone(), clip: clip.name.clone(), why }
        })?;
        // The end as a file of singles has it, or as people write it.
        if !(0.0..=clip.duration_secs + 1e-4).contains(&secs) {
            let (name, end, secs) = (&clip.name, brief(clip.duration_secs), brief(secs));
            let label = &self.label;
            return Err(Error::Usage(format!("{secs} s is no moment of {label}, clip {name:?}, which has {end} s")));
        }
        Ok((clip, secs.min(clip.duration_secs) as f32))
    }

    /// The clips that are asked for, or all: the one of exactly this name, or those that fit it.
    pub fn clips(&self, args: &RenderArgs) -> Vec<Handle<Clip>> {
        let of = |is_asked: &dyn Fn(&Clip) -> bool| -> Vec<Handle<Clip>> {
            self.scene.clips.entries().filter(|(_, clip)| is_asked(clip)).map(|(handle, _)| handle).collect()
        };
        let Some(pattern) = &args.clip else { return of(&|_| true) };
        let exact = of(&|clip| clip.name == *pattern);
        if exact.is_empty() { of(&|clip| ops::matches(pattern, &clip.name)) } else { exact }
    }
}

/// A number as people write it, to the ten-thousandth.
fn brief(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
