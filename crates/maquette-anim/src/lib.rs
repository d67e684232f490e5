//! Skeletal animation at run time, for a game that has its clips already and wants no parser: it depends on nothing but `glam`.
//!
//! | module | what it is for |
//! |---|---|
//! | [`skeleton`] | joints that hang on each other, and palettes of matrices |
//! | [`clip`] | keys packed to be played, and where joints are at a moment |
//! | [`mixer`] | several clips at once: weights, fades, additive layers, masks |
//! | [`events`] | what happens between two moments |
//! | [`root_motion`] | how a clip carries its root |
//! | [`skinning`] | vertices moved on the processor |
//! | [`crowd`] | many instances on several threads |
//! | `scene` | all of it from a scene of maquette, with the feature `scene` |
//! | [`transform`] | where a joint is in its parent |
//!
//! Rotations are mixed along the shorter arc at an even speed, exactly. Nothing is allocated while playing, and results are the same to the bit on any
//! machine and for any number of threads.

pub mod clip;
pub mod crowd;
pub mod events;
pub mod mixer;
mod palette;
pub mod root_motion;
#[cfg(feature = "scene")]
pub mod scene;
pub mod skeleton;
pub mod skinning;
mod slerp;
pub mod transform;

pub use slerp::slerp;
pub use transform::Transform;
