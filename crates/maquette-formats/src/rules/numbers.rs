//! Finite numbers, unit vectors, indices in range.

use super::{Tally, index_into};
use maquette_scene::{Code, Diagnostic, Path, Report};
use zerocopy::little_endian::{F32, U32};

/// How far the squared length of a unit vector or quaternion may be from 1.
pub const UNIT_TOLERANCE: f32 = 1e-2;

/// Whether every number is finite. Branch-free over the slice.
#[inline]
pub fn all_finite(values: &[F32]) -> bool {
    let mut largest = 0;
    for value in values {
        largest = magnitude_bits(*value).max(largest);
    }
    largest < f32::INFINITY.to_bits()
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
    let mut largest = 0;
    for index in indices {
        largest = index.get().max(largest);
    }
    if indices.is_empty() || largest < bound {
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

/// Reports triangles with two equal corners.
pub fn triangles_have_area(report: &mut Report, code: &'static Code, table: &Path, indices: &[U32]) {
    let mut tally = Tally::default();
    for (triangle, corners) in indices.as_chunks::<3>().0.iter().enumerate() {
        let [a, b, c] = corners;
        let (a, b, c) = (a.get(), b.get(), c.get());
        if (a == b) | (b == c) | (c == a) {
            tally.hit(report, || {
                let message = format!("the corners are {a}, {b} and {c}");
                Diagnostic::new(code, table.join(3 * triangle), message).expected("three different vertices")
            });
        }
    }
    tally.finish(report);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finite_means_neither_nan_nor_infinite() {
        assert!(all_finite(&[0.0, -1.0, f32::MAX, f32::MIN].map(F32::new)));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!all_finite(&[1.0, bad].map(F32::new)));
        }
    }
}
