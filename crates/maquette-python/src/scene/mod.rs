//! The scene and its parts as objects of Python: a name for a part, not the part itself. Two objects may name one part; they are equal, and what one changes the other sees.
//!
//! What is read from a part and is no array is a value of its own that cannot be changed: a tuple, a view of a dict, a frozen object. So nothing that looks like a change
//! to the scene is none. Parts are added and never taken away, but for clips and their tracks, which nothing refers to ([`clip_ids`]).

pub mod clip;
pub mod clip_ids;
pub mod collection;
pub mod edit;
pub mod extras;
pub mod image;
pub mod material;
pub mod mesh;
pub mod morph_target;
pub mod node;
pub mod part;
pub mod pose;
pub mod primitive;
pub mod skin;
pub mod store;
pub mod texture_use;
pub mod track;
pub mod tree;
pub mod words;
