//! Numbers as people read them.

use maquette::scene::glam::Mat4;

/// A number with as many digits as single precision has a use for.
pub fn number(value: f32) -> String {
    number_to(value, DIGITS)
}

/// Digits behind the point that single precision has a use for.
const DIGITS: usize = 5;

fn number_to(value: f32, digits: usize) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{value:.0$e}", digits.saturating_sub(1));
    }
    let text = format!("{value:.digits$}");
    if !text.contains('.') {
        return text;
    }
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

/// The rows of a matrix, columns under each other, in so many letters: numbers have as many digits as there is room for.
pub fn rows(matrix: &Mat4, letters: usize) -> [String; 4] {
    let wide = rows_to(matrix, DIGITS);
    let narrower = (1..DIGITS).rev().map(|digits| rows_to(matrix, digits));
    let fits = |rows: &[String; 4]| rows.iter().all(|row| row.chars().count() <= letters);
    let narrowest = || rows_to(matrix, 1);
    std::iter::once(wide).chain(narrower).find(fits).unwrap_or_else(narrowest)
}

fn rows_to(matrix: &Mat4, digits: usize) -> [String; 4] {
    let columns = matrix.to_cols_array_2d().map(|column| {
        let texts = column.map(|value| number_to(value, digits));
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        texts.map(|text| format!("{text:>width$}"))
    });
    let [a, b, c, d] = columns;
    let mut rows = [const { String::new() }; 4];
    for ((((row, a), b), c), d) in rows.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *row = [a, b, c, d].join("  ");
    }
    rows
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
    fn a_matrix_has_four_columns_in_the_room_there_is() {
        let matrix = Mat4::from_cols_array(&[
            0.123_456_7,
            -12.345_67,
            0.5,
            0.0,
            1.0,
            -0.7,
            100.123_4,
            0.0,
            3e-9,
            0.25,
            -1.0,
            0.0,
            -1_234.567_8,
            2.0,
            3.0,
            1.0,
        ]);
        let wide = rows(&matrix, 99);
        assert_eq!(wide[0], "  0.12346         1  3.0000e-9  -1234.56775");
        for letters in [40, 38, 30] {
            let narrow = rows(&matrix, letters);
            assert!(narrow.iter().all(|row| row.len() <= letters && row.split_whitespace().count() == 4), "{narrow:?}");
        }
        assert_eq!(rows(&matrix, 0), rows(&matrix, 1), "as narrow as can be");
    }

    #[test]
    fn sizes_are_exact_and_rough() {
        assert_eq!(bytes(9_999), "9999 bytes");
        assert_eq!(bytes(1_234_567), "1234567 bytes (1.2 MB)");
    }
}
