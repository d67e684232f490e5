//! The functions that C sees, by header. What each does stands there.

pub mod added;
pub mod first;
pub mod mixer;
pub mod model;
