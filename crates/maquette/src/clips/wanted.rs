//! Which clip of a model is shown, and which moment of it.

use super::Moment;
use crate::ops::matches;
use crate::{Error, Result};
use maquette_scene::clip::Clip;
use maquette_scene::{Handle, Scene};

/// What is asked of the clips of a model that is to be shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'w> {
    /// What messages call the file.
    pub label: &'w str,
    /// The name of a clip, or a pattern: then the first that fits.
    pub clip: Option<&'w str>,
    /// Whether a moment is asked for, so that there must be a clip.
    pub moment: bool,
    /// Whether the model is there for its clips, so that it must have some.
    pub for_clips: bool,
    /// Whether it is one of several, so that one without clips is at rest, and of several clips the first is taken.
    pub among_others: bool,
}

impl Wanted<'_> {
    /// The clip that is asked for by name, or the only one, where a moment is asked for; `None` for the model at rest.
    pub fn of<'s>(&self, scene: &'s Scene) -> Result<Option<&'s Clip>> {
        let is_clip_alone = scene.meshes.is_empty();
        if self.clip.is_none() && !self.moment && !self.for_clips && !is_clip_alone {
            return Ok(None);
        }
        let chosen: Vec<&Clip> = self.all(scene).iter().filter_map(|clip| scene.clips.get(*clip)).collect();
        let is_clear = self.clip.is_some() || self.among_others || is_clip_alone && !self.moment;
        match chosen.as_slice() {
            [clip] => Ok(Some(clip)),
            [first, ..] if is_clear => Ok(Some(first)),
            [] if self.clip.is_some() && !scene.clips.is_empty() => Err(Error::NoSuchClip {
                file: self.label.to_owned(),
                patterns: self.clip.iter().map(|clip| (*clip).to_owned()).collect(),
                names: scene.clips.iter().map(|clip| clip.name.clone()).collect(),
            }),
            [] if self.clip.is_none() && !self.for_clips && (self.among_others || !self.moment) => Ok(None),
            [] => Err(Error::NoClip { file: self.label.to_owned() }),
            several => {
                let names: Vec<String> = several.iter().map(|clip| format!("{:?}", clip.name)).collect();
                let label = self.label;
                Err(Error::Usage(format!("{label} has several clips; name one with --clip: {}", names.join(", "))))
            }
        }
    }

    /// The clips that are asked for, or all: the one of exactly this name, or those that fit it.
    pub fn all(&self, scene: &Scene) -> Vec<Handle<Clip>> {
        let of = |is_asked: &dyn Fn(&Clip) -> bool| -> Vec<Handle<Clip>> {
            scene.clips.entries().filter(|(_, clip)| is_asked(clip)).map(|(handle, _)| handle).collect()
        };
        let Some(pattern) = self.clip else { return of(&|_| true) };
        let exact = of(&|clip| clip.name == *pattern);
        if exact.is_empty() { of(&|clip| matches(pattern, &clip.name)) } else { exact }
    }

    /// A moment of a clip in seconds; `fps` is how long a frame is where the clip does not say.
    pub fn secs(&self, clip: &Clip, time: Moment, fps: Option<f32>) -> Result<f32> {
        let rate = clip.frame_rate.or(fps).map(f64::from);
        let secs = time.at_rate(rate).map_err(|mut why| {
            why.0.push_str(", or name the frames a second with --fps");
            Error::Clip { file: self.label.to_owned(), clip: clip.name.clone(), why }
        })?;
        // The end as a file of singles has it, or as people write it.
        if !(0.0..=clip.duration_secs + 1e-4).contains(&secs) {
            let (name, end, secs, label) = (&clip.name, brief(clip.duration_secs), brief(secs), self.label);
            return Err(Error::Usage(format!("{secs} s is no moment of {label}, clip {name:?}, which has {end} s")));
        }
        Ok(secs.min(clip.duration_secs) as f32)
    }
}

/// A number as people write it, to the ten-thousandth.
fn brief(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
