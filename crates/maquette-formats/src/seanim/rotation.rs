//! Quaternions of unit length: what the scene and the document both ask for.

/// How far the squared length of a quaternion may be from 1 before it is made 1. Stricter than the check's: what is in a
/// scene goes on to formats that are strict.
const TOLERANCE: f32 = 1e-3;

/// Whether a quaternion has unit length, near enough. False for what is not finite.
#[inline]
pub fn is_unit([x, y, z, w]: [f32; 4]) -> bool {
    (x * x + y * y + z * z + w * w - 1.0).abs() <= TOLERANCE
}

/// The quaternion with unit length, and how far its length was from that. One of no length becomes the one that turns
/// nothing. In double precision, so that lengths neither overflow nor vanish.
pub fn unit(quaternion: [f32; 4]) -> ([f32; 4], f32) {
    let length = quaternion.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    let off = (length - 1.0).abs() as f32;
    match length > 0.0 {
        true => (quaternion.map(|x| (f64::from(x) / length) as f32), off),
        false => ([0.0, 0.0, 0.0, 1.0], off),
    }
}
