//! Changes that are asked for, one pass a file: another size, another axis up, a part of the whole, clips from other files,
//! geometry in a better order.

pub mod clips;
pub mod coordinates;
pub mod optimize;
pub mod select;
pub mod space;
pub mod unpack;
