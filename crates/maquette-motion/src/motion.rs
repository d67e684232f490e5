//! A clip, apart from any file and any model.

use crate::curve::Curve;
use maquette_scene::clip::Blend;

/// A clip to be edited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Empty where it has none.
    pub name: String,
    /// In seconds; keys may end earlier.
    pub duration_secs: f64,
    /// What it moves. Bones without a track are kept.
    pub bones: Vec<Bone>,
    /// One for each property of each bone that it moves.
    pub tracks: Vec<Track>,
    /// Named moments, such as footsteps.
    pub events: Vec<Event>,
    /// How its values are to be taken.
    pub blend: Blend,
    /// Whether it is meant to repeat; unknown for most formats.
    pub looped: Option<bool>,
    /// Frames a second, where it has frames.
    pub frame_rate: Option<f64>,
    /// Whether its keys can lie on whole frames only.
    pub on_frames: bool,
    /// What was put right when it was read, in words.
    pub put_right: Vec<String>,
}

/// What tracks move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// What it is called; need not be unique.
    pub name: String,
    /// Which one it is for whoever made the motion; `None` for one that an operation added.
    pub origin: Option<usize>,
    /// How its values are to be taken, if not as the clip's.
    pub blend: Option<Blend>,
    /// Whether it is a blend shape that the file knows by name, and no bone: its curve holds the numbers that a key of it has.
    pub is_shape: bool,
}

/// The keys of one property of one bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its position in [`Motion::bones`].
    pub bone: usize,
    /// The property that moves, with its keys.
    pub curve: Curve,
}

/// Something that happens at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// In seconds from the start of the clip.
    pub time_secs: f64,
    /// What the program that plays the clip is to do or to show: `footstep`.
    pub name: String,
}

impl Motion {
    /// Adds a track for the bone of this name, and the bone where there is none.
    pub fn push(&mut self, bone: &str, curve: Curve) {
        let known = self.bones.iter().position(|known| known.name == bone && !known.is_shape);
        let bone = known.unwrap_or_else(|| {
            self.bones.push(Bone { name: bone.to_owned(), ..Bone::default() });
            self.bones.len() - 1
        });
        self.tracks.push(Track { bone, curve });
    }

    /// The bone that a track moves.
    pub fn bone(&self, track: &Track) -> Option<&Bone> {
        self.bones.get(track.bone)
    }

    /// How the values of a track are to be taken.
    pub fn blend_of(&self, track: &Track) -> Blend {
        self.bone(track).and_then(|bone| bone.blend).unwrap_or(self.blend)
    }

    /// How many keys all tracks have together.
    pub fn key_count(&self) -> usize {
        self.tracks.iter().map(|track| track.curve.len()).sum()
    }

    /// When the last key or event is; 0 where there is none.
    pub fn last_secs(&self) -> f64 {
        let keys = self.tracks.iter().filter_map(|track| track.curve.times_secs().last().copied());
        keys.chain(self.events.iter().map(|event| event.time_secs)).fold(0.0, f64::max)
    }

    /// Moves every moment: keys, events and the end. The order of moments must stay.
    pub fn change_times(&mut self, change: impl Fn(f64) -> f64) {
        for track in &mut self.tracks {
            track.curve.times_secs_mut().iter_mut().for_each(|secs| *secs = change(*secs));
        }
        self.events.iter_mut().for_each(|event| event.time_secs = change(event.time_secs));
        self.duration_secs = change(self.duration_secs);
    }
}
