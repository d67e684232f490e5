//! Times of animation keys.

use maquette_scene::{Code, Diagnostic, Path, Report};

/// A format's codes for these rules.
pub struct TimeCodes {
    /// A NaN or an infinity.
    pub not_finite: &'static Code,
    /// Before 0.
    pub negative: &'static Code,
    /// Before the key in front of it.
    pub unsorted: &'static Code,
    /// The same as the key in front of it.
    pub duplicate: &'static Code,
}

/// Whether the times are finite, not negative, and rise. Without branches over the keys.
pub fn times_are_sound(times: impl IntoIterator<Item = f32>) -> bool {
    let mut sound = true;
    let mut before = -f32::MIN_POSITIVE;
    for time in times {
        sound &= (time > before) & (time < f32::INFINITY);
        before = time;
    }
    sound
}

/// Reports every key whose time is wrong; `at` gives the path of a key's time.
pub fn times(report: &mut Report, codes: &TimeCodes, times: impl IntoIterator<Item = f32>, at: impl Fn(usize) -> Path) {
    let mut before = f32::NEG_INFINITY;
    for (index, time) in times.into_iter().enumerate() {
        let (code, expected) = if !time.is_finite() {
            (codes.not_finite, "a finite time")
        } else if time < before {
            (codes.unsorted, "a time after the key before it")
        } else if time == before {
            (codes.duplicate, "a time after the key before it")
        } else if time < 0.0 {
            (codes.negative, "0 or later")
        } else {
            before = time;
            continue;
        };
        let message = match before.is_finite() && time.is_finite() {
            true => format!("the time is {time}, after a key at {before}"),
            false => format!("the time is {time}"),
        };
        before = if time.is_finite() { time } else { before };
        report.push(Diagnostic::new(code, at(index), message).expected(expected));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::{codes, path};

    codes! {
        /// Not finite.
        NOT_FINITE = "TST0001" "not-finite" Error;
        /// Negative.
        NEGATIVE = "TST0002" "negative" Error;
        /// Unsorted.
        UNSORTED = "TST0003" "unsorted" Error;
        /// Duplicate.
        DUPLICATE = "TST0004" "duplicate" Error;
    }

    fn found(all: &[f32]) -> Vec<String> {
        let codes =
            TimeCodes { not_finite: &NOT_FINITE, negative: &NEGATIVE, unsorted: &UNSORTED, duplicate: &DUPLICATE };
        let mut report = Report::default();
        times(&mut report, &codes, all.iter().copied(), |index| path!("keys", index));
        assert_eq!(CODES.len(), 4);
        assert_eq!(times_are_sound(all.iter().copied()), report.items().is_empty());
        report.items().iter().map(|item| format!("{} {}", item.code.name, item.path)).collect()
    }

    #[test]
    fn times_must_rise_from_zero() {
        assert!(found(&[0.0, 0.5, 1.0]).is_empty());
        assert!(found(&[-0.0, 0.5]).is_empty());
        assert_eq!(
            found(&[0.0, 0.5, 0.5, 0.2, f32::NAN, 0.3]),
            ["duplicate keys[2]", "unsorted keys[3]", "not-finite keys[4]"]
        );
        assert_eq!(found(&[-1.0, 0.0]), ["negative keys[0]"]);
        assert_eq!(found(&[f32::INFINITY]), ["not-finite keys[0]"]);
    }
}
