//! Changes that are asked for, one pass a file: another size, another axis up, a part of the whole, clips from other files,
//! packed maps taken apart, geometry in a better order.

mod clips;
mod coordinates;
mod optimize;
mod select;
mod space;
pub(crate) mod unpack;

pub(crate) use clips::add_clip;
pub use clips::add_clips;
pub use coordinates::flip_v;
pub(crate) use optimize::optimize_with;
pub use optimize::{Figure, optimize};
pub use select::matches;
pub use select::select;
pub use space::{rescale, try_rescale, z_up_to_y_up};
pub use unpack::{unpack, unpack_with};
