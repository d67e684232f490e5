//! Filters: what is done to each element after its bytes are decoded. None changes how many bytes there are.

use super::Decoded;

/// Applies the filter of this name to elements of `stride` bytes.
pub fn apply(filter: &str, bytes: &mut [u8], stride: usize) -> Decoded<()> {
    match (filter, stride) {
        ("NONE", _) => {}
        ("OCTAHEDRAL", 4) => {
            each(bytes, |four: [u8; 4]| octahedral(four.map(|x| x as i8).map(f32::from), 127.0).map(as_byte))
        }
        ("OCTAHEDRAL", 8) => each_short(bytes, |four| octahedral(four.map(f32::from), 32767.0).map(|x| x as i16)),
        ("QUATERNION", 8) => each_short(bytes, quaternion),
        ("EXPONENTIAL", _) => each(bytes, exponential),
        ("COLOR", 4) => each(bytes, |[y, co, cg, a]: [u8; 4]| {
            colour([y.into(), i32::from(co as i8), i32::from(cg as i8), a.into()], 255.0).map(|x| x as u8)
        }),
        ("COLOR", 8) => each_short(bytes, |[y, co, cg, a]| {
            let [y, a] = [y, a].map(|x| i32::from(x as u16));
            colour([y, co.into(), cg.into(), a], 65535.0).map(|x| x as u16 as i16)
        }),
        ("OCTAHEDRAL" | "QUATERNION" | "COLOR", _) => return Err("the filter cannot be for elements of this stride"),
        _ => return Err("the filter is not known"),
    }
    Ok(())
}

fn as_byte(value: f32) -> u8 {
    value as i8 as u8
}

fn each<const N: usize>(bytes: &mut [u8], filter: impl Fn([u8; N]) -> [u8; N]) {
    for element in bytes.as_chunks_mut::<N>().0 {
        *element = filter(*element);
    }
}

/// Elements of four 16-bit numbers.
fn each_short(bytes: &mut [u8], filter: impl Fn([i16; 4]) -> [i16; 4]) {
    each(bytes, |[a, b, c, d, e, f, g, h]: [u8; 8]| {
        let numbers = [[a, b], [c, d], [e, f], [g, h]].map(i16::from_le_bytes);
        let [[a, b], [c, d], [e, f], [g, h]] = filter(numbers).map(i16::to_le_bytes);
        [a, b, c, d, e, f, g, h]
    });
}

/// A direction from its octahedral encoding; the third number stands for 1, the fourth is passed on.
fn octahedral([x, y, one, passed]: [f32; 4], largest: f32) -> [f32; 4] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let folded = z.min(0.0);
    let (x, y) = (x - folded.copysign(x), y - folded.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = [x, y, z].map(|part| (part / length * largest).round());
    [x, y, z, passed]
}

/// A quaternion without its largest component, whose index is in the lowest bits of the fourth number; the rest of that number
/// stands for 1.
fn quaternion([x, y, z, rest]: [i16; 4]) -> [i16; 4] {
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(rest | 3);
    let [x, y, z] = [x, y, z].map(|part| f32::from(part) * scale);
    let largest = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut parts = [largest, x, y, z].map(|part| (part * 32767.0).round() as i16);
    parts.rotate_right(usize::from(rest as u16 & 3));
    parts
}

/// A float from 24 bits and the power of two they are multiplied by.
fn exponential(bytes: [u8; 4]) -> [u8; 4] {
    let stored = i32::from_le_bytes(bytes);
    let mantissa = stored << 8 >> 8;
    ((f64::from(mantissa) * f64::from(stored >> 24).exp2()) as f32).to_le_bytes()
}

/// A colour from its luma, two differences, and an opacity whose highest bit tells how many bits all of them have.
fn colour([y, co, cg, opacity]: [i32; 4], largest: f32) -> [f32; 4] {
    let bits = 32 - opacity.leading_zeros();
    let one = ((1i64 << bits) - 1) as i32;
    let own = opacity & (one >> 1);
    let scale = largest / one as f32;
    [y + co - cg, y + cg, y - co - cg, own << 1 | (own & 1)].map(|part| (part as f32 * scale).round())
}
