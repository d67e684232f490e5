//! Finite numbers, unit vectors, indices in range.

use super::{Tally, index_into, scan};
use crate::pieces;
use maquette_scene::glam::Vec4;
use maquette_scene::{Code, Diagnostic, Path, Report};
use zerocopy::little_endian::{F32, U32};

/// How far the squared length of a unit vector or quaternion may be from 1.
pub const UNIT_TOLERANCE: f32 = 1e-2;

/// Whether every number is finite. Branch-free over the slice.
#[inline]
pub fn all_finite(values: &[F32]) -> bool {
    let mut carried = 0;
    for value in values {
        // One more in the exponent carries into the sign where the exponent is full, as it is of infinities and of what is no number.
        carried |= magnitude_bits(*value).wrapping_add(1 << 23);
    }
    carried >> 31 == 0
}

/// The bits without the sign: ordered like the magnitude, and at least infinity's for what is not finite.
#[inline]
pub fn magnitude_bits(value: F32) -> u32 {
    value.get().to_bits() & !(1 << 31)
}

/// The squared length.
#[inline]
pub fn length_squared<const N: usize>(vector: &[F32; N]) -> f32 {
    let mut sum = 0.0;
    for x in vector {
        sum += x.get() * x.get();
    }
    sum
}

/// The Euclidean length of a vector.
pub fn length<const N: usize>(vector: &[F32; N]) -> f32 {
    length_squared(vector).sqrt()
}

/// Says which of a record's fields is not finite; `at` gives the path of a field.
pub fn not_finite(
    code: &'static Code,
    fields: &[(&'static str, &[F32])],
    at: impl Fn(&'static str) -> Path,
) -> Diagnostic {
    let wrong = fields.iter().find(|(_, values)| !all_finite(values)).or(fields.first());
    let field = wrong.map_or("value", |(name, _)| name);
    Diagnostic::new(code, at(field), format!("the {field} is not finite")).expected("finite numbers")
}

/// Whether the vector has length 1, near enough.
#[inline]
pub fn is_unit<const N: usize>(vector: &[F32; N]) -> bool {
    (length_squared(vector) - 1.0).abs() <= UNIT_TOLERANCE
}

/// As [`is_unit`], of four numbers.
#[inline]
pub fn is_unit_vector(vector: Vec4) -> bool {
    let [x, y, z, w] = (vector * vector).to_array();
    (x + y + z + w - 1.0).abs() <= UNIT_TOLERANCE
}

/// Four numbers as one vector.
#[inline]
pub fn vector([x, y, z, w]: &[F32; 4]) -> Vec4 {
    Vec4::new(x.get(), y.get(), z.get(), w.get())
}

/// Whether every number of some vectors is finite.
#[inline]
pub fn vectors_are_finite<const N: usize>(vectors: [[F32; 4]; N]) -> bool {
    let mut nothing = Vec4::ZERO;
    for values in &vectors {
        // Nothing times what is not finite is no number, and so is every sum with it.
        nothing += vector(values) * 0.0;
    }
    !nothing.is_nan()
}

/// Which of three vectors do not have length 1, near enough: a bit for each, from the lowest.
#[inline]
pub fn not_unit(a: &[F32; 3], b: &[F32; 3], c: &[F32; 3]) -> u32 {
    let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [a, b, c];
    let x = Vec4::new(ax.get(), bx.get(), cx.get(), 1.0);
    let y = Vec4::new(ay.get(), by.get(), cy.get(), 0.0);
    let z = Vec4::new(az.get(), bz.get(), cz.get(), 0.0);
    let lengths = x * x + y * y + z * z;
    !(lengths - 1.0).abs().cmple(Vec4::splat(UNIT_TOLERANCE)).bitmask() & 7
}

/// Reports indices of a table that point past the `count` items they index.
pub fn indices_in_range(
    report: &mut Report,
    code: &'static Code,
    table: &Path,
    indices: &[U32],
    count: usize,
    what: &str,
) {
    let bound = u32::try_from(count).unwrap_or(u32::MAX);
    if pieces::look(indices, |_, piece| all_below(piece, bound), |before, after| before & after) {
        return;
    }
    let mut tally = Tally::default();
    for (at, index) in indices.iter().enumerate().filter(|(_, index)| index.get() >= bound) {
        tally.hit(report, || {
            Diagnostic::new(code, table.join(at), format!("the index is {index}")).expected(index_into(count, what))
        });
    }
    tally.finish(report);
}

/// Whether every index is below a bound. Without a branch for each.
fn all_below(indices: &[U32], bound: u32) -> bool {
    let Some(last) = bound.checked_sub(1) else { return indices.is_empty() };
    let mut signs = 0;
    for index in indices {
        // Below 2^31 the difference of two is negative where the second is larger.
        signs |= index.get() | last.wrapping_sub(index.get());
    }
    if signs >> 31 == 0 { true } else { indices.iter().all(|index| index.get() < bound) }
}

/// Reports triangles with two equal corners.
pub fn triangles_have_area(report: &mut Report, code: &'static Code, table: &Path, indices: &[U32]) {
    let faults = |[a, b, c]: &[U32; 3]| u32::from((a.get() == b.get()) | (b.get() == c.get()) | (c.get() == a.get()));
    scan(report, indices.as_chunks().0, faults, |triangle, [a, b, c], _| {
        let message = format!("the corners are {a}, {b} and {c}");
        Diagnostic::new(code, table.join(3 * triangle), message).expected("three different vertices")
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_below_a_bound_are_told_from_others() {
        let numbers = [0, 1, 2, 3, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX - 1, u32::MAX];
        for (index, bound) in numbers.iter().flat_map(|&index| numbers.map(|bound| (index, bound))) {
            assert_eq!(
                all_below(&[U32::new(0), U32::new(index)], bound),
                index < bound && bound > 0,
                "{index} {bound}"
            );
        }
        assert!(all_below(&[], 0));
    }

    #[test]
    fn three_vectors_are_judged_as_each_is() {
        let odd = [0.0, -0.0, 1.0, -1.0, 0.6, 0.8, 1.004, 0.996, 1e-30, 1e30, f32::NAN, f32::INFINITY];
        let at = |index: usize| F32::new(odd[index % odd.len()]);
        for seed in 0..odd.len().pow(3) {
            let made = |shift: usize| [at(seed + shift), at(seed / 12 + shift), at(seed / 144 + 2 * shift)];
            let vectors = [made(0), made(1), made(5)];
            let each = vectors.each_ref().map(|vector| u32::from(!is_unit(vector)));
            let [a, b, c] = &vectors;
            assert_eq!(not_unit(a, b, c), each[0] | each[1] << 1 | each[2] << 2, "{vectors:?}");
        }
    }

    #[test]
    fn finite_means_neither_nan_nor_infinite() {
        assert!(all_finite(&[0.0, -1.0, f32::MAX, f32::MIN].map(F32::new)));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!all_finite(&[1.0, bad].map(F32::new)));
            for at in 0..8 {
                let mut vectors = [[F32::new(f32::MAX); 4], [F32::new(-1.0); 4]];
                assert!(vectors_are_finite(vectors));
                vectors.as_flattened_mut()[at] = F32::new(bad);
                assert!(!vectors_are_finite(vectors));
            }
        }
    }
}
