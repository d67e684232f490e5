//! glTF 2.0: the bridge to the rest of the world.

pub mod schema;
pub mod write;
