//! Animation, as it was made: every key, with its interpolation.

use crate::arena::Handle;
use crate::extras::Extras;
use crate::scene::Node;

/// A piece of motion that is played by itself: tracks that share one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// Empty where it has none; need not be unique.
    pub name: String,
    /// In seconds; keys may end earlier.
    pub duration_secs: f64,
    /// One for each property of each node that it moves.
    pub tracks: Vec<Track>,
    /// Named moments, such as footsteps.
    pub events: Vec<Event>,
    /// How its values are to be taken.
    pub blend: Blend,
    /// Whether it is meant to repeat; unknown for most formats.
    pub looped: Option<bool>,
    /// Frames a second its keys lie on, where the format has frames.
    pub frame_rate: Option<f32>,
    /// How its values were meant before they were composed with the rest pose, for a format that holds absolute ones alone; these can be had back from them.
    pub composed_from: Option<Blend>,
    /// What only the format it came from understands.
    pub extras: Extras,
}

/// How values are combined with what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// They replace the rest pose.
    #[default]
    Absolute,
    /// Translations are added to the rest pose; the rest replaces it.
    Relative,
    /// Translations are added to the rest pose, rotations turn it further.
    Additive,
    /// As relative; the root carries the motion of the whole.
    Delta,
}

/// The keys of one property of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What moves.
    pub target: Target,
    /// The property that moves, with its keys.
    pub curve: Curve,
    /// How its values are to be taken, if not as the clip's.
    pub blend: Option<Blend>,
}

/// What a track moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A node of the scene.
    Node(Handle<Node>),
    /// A node of another scene, by name: the file holds animation alone.
    Name(String),
}

/// The keys of one property.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// From the origin of the parent, in its axes.
    Translation(Keys<[f32; 3]>),
    /// Unit quaternions, xyzw.
    Rotation(Keys<[f32; 4]>),
    /// Sizes along each axis.
    Scale(Keys<[f32; 3]>),
    /// How much of each morph target.
    MorphWeights(Keys<Vec<f32>>),
}

impl Curve {
    /// When its keys are.
    pub fn times_secs(&self) -> &[f32] {
        match self {
            Curve::Translation(keys) | Curve::Scale(keys) => &keys.times_secs,
            Curve::Rotation(keys) => &keys.times_secs,
            Curve::MorphWeights(keys) => &keys.times_secs,
        }
    }

    /// How it goes from key to key.
    pub fn interpolation(&self) -> Interpolation {
        match self {
            Curve::Translation(keys) | Curve::Scale(keys) => keys.interpolation,
            Curve::Rotation(keys) => keys.interpolation,
            Curve::MorphWeights(keys) => keys.interpolation,
        }
    }

    /// Whether it jumps from one value to another.
    pub fn jumps(&self) -> bool {
        fn changes<T: PartialEq>(keys: &Keys<T>) -> bool {
            keys.interpolation == Interpolation::Step && keys.values.windows(2).any(|pair| pair.first() != pair.last())
        }
        match self {
            Curve::Translation(keys) | Curve::Scale(keys) => changes(keys),
            Curve::Rotation(keys) => changes(keys),
            Curve::MorphWeights(keys) => changes(keys),
        }
    }

    /// What it moves, in a word.
    pub fn property(&self) -> &'static str {
        match self {
            Curve::Translation(_) => "translation",
            Curve::Rotation(_) => "rotation",
            Curve::Scale(_) => "scale",
            Curve::MorphWeights(_) => "morph weights",
        }
    }
}

/// Keys of one type. With cubic splines each key has three values: the tangent before it, itself, the tangent after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<T> {
    /// In seconds from the start of the clip, each later than the one before.
    pub times_secs: Vec<f32>,
    /// One for each time; three with cubic splines.
    pub values: Vec<T>,
    /// How it goes from key to key.
    pub interpolation: Interpolation,
}

/// How a curve goes from key to key; before the first and after the last it stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// It jumps at the next.
    Step,
    /// Straight, or along the shortest arc.
    #[default]
    Linear,
    /// Along Hermite splines.
    CubicSpline,
}

/// Something that happens at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// In seconds from the start of the clip.
    pub time_secs: f32,
    /// What the program that plays the clip is to do or to show: `footstep`.
    pub name: String,
}
