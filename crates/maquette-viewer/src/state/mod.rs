//! What is open, looked at, selected and playing. No window, no graphics processor.

pub mod bones;
pub mod camera;
pub mod document;
pub mod fields;
pub mod files;
pub mod joints;
pub mod look;
pub mod places;
pub mod player;
pub mod saved;
pub mod selection;
pub mod session;
