//! Clips to be edited: every key in double precision, whatever file it came from.
//!
//! A [`Motion`] is what all operations of [`ops`] work on. It is made from a clip of a scene, or by a format that holds more than single precision, and goes back there:
//! whoever made it keeps what a motion has no place for, and finds its own bones again by [`Bone::origin`]. A [`Rig`] is the
//! hierarchy and the rest pose, for operations that need one.
//!
//! ```
//! use maquette_motion::{Curve, Keys, Motion, ops};
//! use maquette_scene::glam::DVec3;
//!
//! let mut motion = Motion { duration_secs: 2.0, ..Motion::default() };
//! let rise = Keys::straight([(0.0, DVec3::ZERO), (2.0, DVec3::Y)]);
//! motion.push("lift", Curve::Translation(rise));
//!
//! ops::trim(&mut motion, 0.5, 1.5)?;
//! let Curve::Translation(keys) = &motion.tracks[0].curve else { panic!() };
//! assert_eq!(keys.times_secs, [0.0, 1.0]);
//! assert_eq!(keys.values, [DVec3::Y * 0.25, DVec3::Y * 0.75]);
//! # Ok::<(), maquette_motion::Refusal>(())
//! ```

mod bind;
pub mod blending;
pub mod body;
mod curve;
mod did;
pub mod doctor;
mod motion;
mod near;
mod of_clip;
pub mod ops;
mod placed;
mod rig;
mod value;

pub use curve::{Curve, Keys};
pub use did::{Did, Figure, Refusal, listed, short};
pub use maquette_scene::attach::ModifierScope;
pub use maquette_scene::clip::{Blend, Interpolation};
pub use motion::{Bone, Event, Motion, Track};
pub use near::{nearest, nothing_called};
pub use of_clip::{OfClip, decimal};
pub use placed::Placed;
pub use rig::{Joint, Rig, Trs};
pub use value::{Value, slerp};
