//! Numbers as people read them.

use maquette::scene::glam::Mat4;

/// A number with as many digits as single precision has a use for.
pub fn number(value: f32) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{value:.4e}");
    }
    let text = format!("{value:.5}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Numbers beside each other.
pub fn numbers(values: &[f32]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join("  ")
}

/// A size in bytes, exactly and roughly.
pub fn bytes(count: u64) -> String {
    let rough = |unit: f64, name: &str| format!("{count} bytes ({:.1} {name})", count as f64 / unit);
    match count {
        0..10_000 => format!("{count} bytes"),
        10_000..1_000_000 => rough(1e3, "kB"),
        1_000_000..1_000_000_000 => rough(1e6, "MB"),
        _ => rough(1e9, "GB"),
    }
}

/// The rows of a matrix, columns under each other.
pub fn rows(matrix: &Mat4) -> [String; 4] {
    let transposed = matrix.transpose().to_cols_array_2d();
    transposed.map(|row| row.map(|value| format!("{:>10}", number(value))).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_say_what_matters() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-0.25, "-0.25"),
            (100.0, "100"),
            (0.1, "0.1"),
            (1e-9, "1.0000e-9"),
            (2.5e8, "2.5000e8"),
            (f32::NAN, "NaN"),
            (f32::INFINITY, "inf"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn sizes_are_exact_and_rough() {
        assert_eq!(bytes(9_999), "9999 bytes");
        assert_eq!(bytes(1_234_567), "1234567 bytes (1.2 MB)");
    }
}
