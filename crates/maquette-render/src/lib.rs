//! Draws scenes in software: a scene and a pose in, pixels out. No graphics processor, no display, no driver, and the same bytes on every
//! machine and for any number of threads.
//!
//! ```
//! use maquette_render::{Framing, Mode, Shot, Stage, StageOptions, draw};
//! # use maquette_scene::mesh::{Mesh, Primitive, Streams};
//! # use maquette_scene::scene::{Node, Scene};
//! # let positions = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! # let streams = Streams { positions, ..Streams::default() };
//! # let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
//! # let mut scene = Scene::default();
//! # let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
//! # let node = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
//! # scene.roots.push(node);
//!
//! let stage = Stage::new(&scene, &StageOptions::default()); // decodes textures, once for all pictures
//! let posed = stage.pose(None); // at rest, or at a moment of a clip
//! let size = [64, 64];
//! let camera = posed.camera(&Framing::default(), size); // sees all that is drawn
//! let picture = draw(&posed, &Shot { size, camera, mode: Mode::Shaded, ..Shot::default() })?;
//! let png = maquette_texture::png::encode(64, 64, picture.pixels());
//! # assert!(png.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing on the way to a pixel depends on the machine: additions, products, quotients and roots, which every processor rounds alike, and functions of our own
//! for all else. Threads share tiles of the picture, and no tile looks at another.
//!
//! | | |
//! |---|---|
//! | [`Stage`] | a scene made ready: materials, textures, which images are [`Missing`], and what is [`LeftOut`] |
//! | [`Posed`] | all of it at a moment: vertices, nodes, bounds |
//! | [`Framing`], [`Camera`] | from which side, and how close |
//! | [`Shot`] | everything else about a picture: [`Mode`], [`Overlays`], [`ToneMap`], [`Background`], [`Light`], [`Samples`] |
//! | [`draw()`], [`draw_numbers`] | the picture, as bytes or as numbers with what each pixel shows |
//! | [`parts`] | what renderers besides this one draw the same pictures from |

mod bounds;
mod camera;
pub mod compare;
mod depth_map;
mod draw;
mod frame;
mod hollows;
mod light;
mod lines;
mod maths;
mod mode;
mod overlay;
pub mod parts;
mod plan;
mod posed;
mod raster;
mod shade;
mod shadow;
pub mod sheet;
mod shot;
mod srgb;
mod stage;
mod surface;
mod tile;
mod tone_map;
mod triangle;
mod turntable;

pub use bounds::Bounds;
pub use camera::{Camera, Framing, Projection, View};
pub use draw::{Drawn, Hit, Refusal, draw, draw_numbers};
pub use maquette_texture::Picture;
pub use mode::Mode;
pub use posed::{NodePose, Posed};
pub use shot::{Background, Hollows, LONGEST_SIDE, Light, Overlays, Samples, Shadow, Shot};
pub use stage::{Instead, LeftOut, Levels, MOMENTS, Missing, Stage, StageOptions};
pub use tone_map::ToneMap;
