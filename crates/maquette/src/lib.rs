//! Game models and animations in the binary formats that engines load: open them, look inside, check them, write them back without
//! changing a byte, and convert between all of them with an account of everything that was lost.
//!
//! Two functions carry through: [`read()`] makes a [`Scene`] of any file, [`write()`] makes any file of a scene. Both say what was lost.
//!
//! ```
//! # let folder = tempfile::tempdir().expect("a folder");
//! # std::env::set_current_dir(&folder).expect("it is there");
//! # maquette::sample::save("post.aem")?;
//! let mut model = maquette::read("post.aem")?;
//! maquette::ops::unpack(&mut model.scene, &mut model.losses)?; // AEM packs its maps: take them apart
//! for material in &mut model.scene.materials {
//!     if let Some(pbr) = material.pbr_mut() {
//!         pbr.base_colour = [0.8, 0.1, 0.1, 1.0];
//!     }
//! }
//! let written = maquette::write(&model.scene, "red.glb")?;
//! println!("{}", written.output.losses);
//! # let red = maquette::read("red.glb")?.scene;
//! # assert!(red.materials.iter().all(|red| red.pbr().is_some_and(|pbr| pbr.base_colour == [0.8, 0.1, 0.1, 1.0])));
//! # Ok::<(), maquette::Error>(())
//! ```
//!
//! The module [`cookbook`] has ten more examples: poses, materials, clips by bone names, options, files in memory, companion files from an archive, findings,
//! losses, and a format of one's own. Bytes in memory go in through [`Input`] and come out of [`encode`]. What has to do with the bytes of a
//! file, and not with what they mean, is at [`formats`].
//!
//! | module | what it does |
//! |---|---|
//! | [`cookbook`] | ten things people do, by example |
//! | [`input`], [`contents`] | a file, mapped or read, with its companion files; the bytes of one that is to be written |
//! | [`mod@read`], [`mod@write`] | any file to a scene, a scene to any file |
//! | [`convert`] | from file to file |
//! | [`target`] | which format and dialect is asked for, and whether a path means a file or a folder |
//! | [`edit`], [`ops`] | what is done to a scene on the way: clips added, size, axes, selection, packed maps taken apart, order of geometry |
//! | [`clips`], [`motion`] | the clips of a file, edited one by one in double precision: trimmed, resampled, mirrored, reduced and so on |
//! | [`fit`] | making a scene fit what a format can hold |
//! | [`overwrite`], [`save`], [`names`] | what may be replaced on disk, how it is, and how companion files are called |
//! | [`batch`], [`progress`], [`threads`] | many models at once; how far long work is; what it is shared among |
//! | [`note`] | what is to be known about a conversion and is no loss |
//! | [`bone_map`] | which bone of a clip is which node of a model |
//! | [`info`], [`check`], [`dump`], [`explain`] | what a file is and holds; every finding about it; its whole structure; what a code or a byte means |
//! | [`diff`] | what differs in meaning between two files |
//! | [`textures`] | the textures of a file as files of their own |
//! | [`list`] | the formats, their dialects and what each can hold |
//! | [`sample`] | files made by code: sound ones, and broken ones for each rule |

mod authored;
pub mod batch;
pub mod bone_map;
pub mod check;
pub mod clips;
pub mod clips_seen;
pub mod contents;
pub mod convert;
#[doc = include_str!("cookbook.md")]
pub mod cookbook {}
pub mod diff;
mod drop_nodes;
pub mod dump;
pub mod edit;
mod error;
pub mod explain;
pub mod fit;
pub mod info;
pub mod input;
pub mod list;
mod missing_images;
pub mod names;
pub mod note;
pub mod ops;
pub mod overwrite;
pub mod plot;
pub mod progress;
pub mod read;
mod rename_nodes;
pub mod sample;
pub mod save;
pub mod target;
pub mod textures;
pub mod threads;
mod work;
pub mod write;

pub use error::Error;
pub use input::Input;
pub use maquette_formats as formats;
pub use maquette_formats::format::{BUILT_IN, Format, Formats, Resources};
pub use maquette_motion as motion;
pub use maquette_scene as scene;
pub use maquette_scene::Scene;
pub use maquette_texture as texture;
pub use overwrite::Overwrite;
pub use read::{Read, ReadOptions, read};
pub use write::{Output, WriteOptions, Written, encode, write, write_with};

/// The result of anything here.
pub type Result<T> = std::result::Result<T, Error>;
