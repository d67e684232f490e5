//! Pictures cut into blocks of 4 × 4; pixels beyond the edge repeat the last.

/// Encodes block after block.
pub fn blocks(
    width: usize,
    height: usize,
    pixels: &[[u8; 4]],
    encode: impl Fn(&[[u8; 4]; 16]) -> [u8; 16],
) -> Option<Vec<u8>> {
    if pixels.is_empty() || Some(pixels.len()) != width.checked_mul(height) {
        return None;
    }
    let mut blocks = Vec::with_capacity(crate::blocks::count(width, height)?.checked_mul(16)?);
    for top in (0..height).step_by(4) {
        for left in (0..width).step_by(4) {
            let block = std::array::from_fn(|place| {
                let (x, y) = ((left + place % 4).min(width - 1), (top + place / 4).min(height - 1));
                pixels.get(y * width + x).copied().unwrap_or_default()
            });
            blocks.extend(encode(&block));
        }
    }
    Some(blocks)
}
