//! The scene between all formats of maquette, and what is said about it.
//!
//! It does no I/O and names no format. It holds the model of a scene ([`Scene`], its meshes, materials, skins and clips), what must hold in one
//! ([`valid`]), where everything is at a moment ([`pose`]), and the one vocabulary in which every reader, checker and front door
//! speaks: findings ([`diag`]) with a place ([`Path`]), and losses ([`loss`]).
//!
//! ```
//! use maquette_scene::mesh::{Mesh, Primitive, Streams};
//! use maquette_scene::scene::Node;
//! use maquette_scene::{Scene, pose, valid};
//!
//! let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let streams = Streams { positions, ..Streams::default() };
//! let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
//!
//! let mut scene = Scene::default();
//! let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
//! let sail = scene.nodes.push(Node { name: "sail".into(), mesh: Some(mesh), ..Node::default() });
//! scene.roots.push(sail);
//!
//! valid::check(&scene)?;
//! assert_eq!(pose::positions_at_rest(&scene).len(), 3);
//! # Ok::<(), maquette_scene::valid::Invalid>(())
//! ```
//!
//! Its structs are open: where one has a default, make it with `..Default::default()`, so that a field more does not break your program. Its enums are exhaustive, so that a
//! program that writes scenes does not compile before it knows what to do with a new kind of curve or surface.

pub mod arena;
pub mod attach;
mod bytes;
pub mod clip;
pub mod compose;
pub mod deviation;
pub mod diag;
pub mod extras;
pub mod image;
pub mod loss;
pub mod material;
pub mod mesh;
pub mod path;
pub mod pose;
pub mod posed;
pub mod scene;
pub mod valid;

pub use arena::{Arena, Handle};
pub use bytes::Bytes;
pub use diag::{Code, Diagnostic, Report, Severity};
pub use glam;
pub use path::{Path, Segment};
pub use scene::Scene;
