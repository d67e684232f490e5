//! What an additive clip is a difference from, or is put onto: a pose, or another clip.

use super::{EditOptions, Moment, Motion, Refusal, Rig, motions};
use crate::{Error, Input, Result};
use maquette_motion::{listed, nothing_called, short};
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// A pose or a clip as people write it: `rest`, `first`, `walk.seanim`, `walk.seanim@0.5`.
#[derive(Clone, Debug, PartialEq)]
pub enum Pose {
    /// The rest pose.
    Rest,
    /// The pose that a clip begins with.
    First,
    /// A clip of a file, at the same moment or at this one.
    File(PathBuf, Option<Moment>),
}

impl FromStr for Pose {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<Pose, Infallible> {
        Ok(match (text, text.rsplit_once('@')) {
            ("rest", _) => Pose::Rest,
            ("first", _) => Pose::First,
            (_, Some((path, moment))) if moment.parse::<Moment>().is_ok() => {
                Pose::File(path.into(), moment.parse().ok())
            }
            _ => Pose::File(text.into(), None),
        })
    }
}

/// The clips of the file that a pose is from; none for the rest pose, or that of the start.
#[derive(Clone, Debug, Default)]
pub struct Bases {
    clips: Vec<Motion>,
    rig: Option<Rig>,
    moment: Option<Moment>,
    /// Whether it is a file that is edited: then a clip of the same name is that clip itself.
    is_edited: bool,
}

impl Bases {
    /// Those of a file, or the one of this name alone, at the same moment or at this one.
    pub fn read(input: &Input, named: Option<&str>, moment: Option<Moment>) -> Result<Bases> {
        let (mut clips, rig) = motions(input, &EditOptions::default())?;
        if let Some(name) = named {
            let names: Vec<String> = clips.iter().map(|clip| clip.name.clone()).collect();
            clips.retain(|clip| clip.name == name);
            clips.truncate(1);
            if clips.is_empty() {
                let none = nothing_called("clip", name, names.iter().map(String::as_str));
                return Err(Error::Usage(format!("{}: {none}", input.label)));
            }
        }
        Ok(Bases { clips, rig, moment, is_edited: false })
    }

    /// The same, of a file that is edited itself.
    pub fn of_edited(self) -> Bases {
        Bases { is_edited: true, ..self }
    }

    /// The skeleton of the file, where it has one.
    pub fn rig(&self) -> Option<&Rig> {
        self.rig.as_ref()
    }

    /// The one clip there is, or the one of this name, and the moment of it.
    pub fn pose(&self, name: &str) -> std::result::Result<Option<(&Motion, Option<f64>)>, Refusal> {
        let clip = match self.clips.as_slice() {
            [] => return Ok(None),
            [only] => only,
            several => several.iter().find(|clip| clip.name == name && !self.is_edited).ok_or_else(|| {
                let names: Vec<&str> = several.iter().map(|clip| clip.name.as_str()).collect();
                Refusal(format!(
                    "the file of the base has several clips; say which with --base-clip: {}",
                    listed(&names)
                ))
            })?,
        };
        let secs = self.moment.map(|moment| moment.secs(clip)).transpose()?;
        match secs {
            Some(secs) if !(0.0..=clip.duration_secs + 1e-9).contains(&secs) => Err(Refusal(format!(
                "{:?} lasts from 0 to {} s, and {} s is no moment of it",
                clip.name,
                short(clip.duration_secs),
                short(secs)
            ))),
            secs => Ok(Some((clip, secs))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_as_people_write_them() {
        let of = |text: &str| text.parse::<Pose>().unwrap();
        assert_eq!((of("rest"), of("first")), (Pose::Rest, Pose::First));
        assert_eq!(of("a@b/walk.seanim"), Pose::File("a@b/walk.seanim".into(), None));
        assert_eq!(of("walk.seanim@0.5"), Pose::File("walk.seanim".into(), Some(Moment::Secs(0.5))));
        assert_eq!(of("walk@2.glb@12f"), Pose::File("walk@2.glb".into(), Some(Moment::Frame(12.0))));
    }
}
