//! Skeletal animation at run time, for a game that has its clips already and wants no parser: it depends on nothing but `glam`.
//!
//! ```
//! use glam::{Mat4, Quat};
//! use maquette_anim::clip::{Builder, Interpolation};
//! use maquette_anim::mixer::{Channel, Easing, Mixer};
//! use maquette_anim::skeleton::{Joint, Skeleton};
//! use maquette_anim::Transform;
//!
//! let joint = |name: &str, parent| Joint { name: name.into(), parent, rest: Transform::IDENTITY };
//! let skeleton = Skeleton::new([joint("hip", None), joint("knee", Some(0))])?;
//! let mut kick = Builder::new("kick", 1.0);
//! kick.rotation(1, Interpolation::Linear, &[0.0, 0.5, 1.0], &[0.0, 1.2, 0.0].map(Quat::from_rotation_x));
//! kick.event(0.5, "hit");
//! let clips = [Builder::new("stand", 1.0).build()?, kick.build()?];
//!
//! let mut mixer = Mixer::new(&skeleton, &clips, 2);
//! mixer.channels_mut()[0] = Channel { clip: 0, weight: 1.0, is_playing: true, is_looping: true, ..Channel::default() };
//! mixer.channels_mut()[1] = Channel { clip: 1, is_playing: true, ..Channel::default() };
//! mixer.fade_to(1, 0.2, Easing::Smooth);
//!
//! let mut pose = skeleton.rest().to_vec();
//! let joint_from_mesh = [Mat4::IDENTITY; 2];
//! let (mut model_from_joint, mut palette) = ([Mat4::IDENTITY; 2], [Mat4::IDENTITY; 2]);
//! for _frame in 0..36 {
//!     mixer.update(&skeleton, &clips, 1.0 / 60.0, &mut pose);
//!     for (channel, event) in mixer.events(&clips) {
//!         println!("{} in channel {channel}", event.name);
//!     }
//!     skeleton.palette(&joint_from_mesh, &pose, &mut model_from_joint, &mut palette); // what a shader takes
//! }
//! # assert!(mixer.channels()[1].weight == 1.0 && palette[1] != Mat4::IDENTITY);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
//! Rotations are mixed along the shorter arc at an even speed, exactly. Nothing is allocated while playing, but for the working memory of each thread of a
//! crowd. Results are the same to the bit with and without wide vectors and for any number of threads.

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
