//! Tests that several formats' checks have in common, one topic a file.
//!
//! Each takes plain data, the paths to name places by and the format's own codes; none knows a format. The
//! ones that run over bulk data are written so that a file without problems costs one pass at memory speed.

pub mod images;
pub mod influences;
pub mod keys;
pub mod matrices;
pub mod names;
pub mod numbers;
pub mod parents;

use crate::layout::Meaning;
use maquette_scene::{Code, Diagnostic, Path, Report};

/// Counts one kind of finding over bulk data and reports it once, at the first place, with the count.
#[derive(Default)]
pub struct Tally {
    first: Option<Diagnostic>,
    count: u64,
}

impl Tally {
    /// Notes a finding; `describe` is called for the first, or for each if the report keeps repeats.
    #[inline]
    pub fn hit(&mut self, report: &mut Report, describe: impl FnOnce() -> Diagnostic) {
        if report.keeps_repeats() {
            report.push(describe());
        } else if self.count == 0 {
            self.first = Some(describe());
        }
        self.count += 1;
    }

    /// Hands what was counted to the report.
    pub fn finish(self, report: &mut Report) {
        if let Some(first) = self.first {
            report.push(first.times(self.count));
        }
    }
}

/// Judges the items of a bulk table: `faults` gives a bit for each rule an item breaks, without branches where
/// it can, and `describe` turns one such bit into words.
pub fn scan<T>(
    report: &mut Report,
    items: &[T],
    faults: impl Fn(&T) -> u32,
    describe: impl Fn(usize, &T, u32) -> Diagnostic,
) {
    let mut tallies: [Tally; 32] = Default::default();
    for (index, item) in items.iter().enumerate() {
        let mut bits = faults(item);
        while bits != 0 {
            let fault = bits & bits.wrapping_neg();
            bits ^= fault;
            if let Some(tally) = tallies.get_mut(fault.trailing_zeros() as usize) {
                tally.hit(report, || describe(index, item, fault));
            }
        }
    }
    for tally in tallies {
        tally.finish(report);
    }
}

/// What an index into a table of `count` may be, in words.
pub fn index_into(count: usize, what: &str) -> String {
    match count {
        0 => format!("none: the file has no {what}"),
        1 => format!("0, the only one of the {what}"),
        _ => format!("0 to {}, the file has {count} {what}", count - 1),
    }
}

/// Reports a value that the format gives no meaning.
pub fn known(report: &mut Report, meaning: Meaning, code: &'static Code, at: Path, value: u32, what: &str) {
    if !meaning.knows(value) {
        report.push(Diagnostic::new(code, at, format!("the {what} is {value}")).expected(meaning.expected()));
    }
}

/// What these ranges leave uncovered of `0..end`.
pub fn gaps<T: Copy + Ord + Default>(mut ranges: Vec<(T, T)>, end: T) -> Vec<(T, T)> {
    ranges.sort_unstable();
    let mut gaps = Vec::new();
    let mut covered = T::default();
    for (from, to) in ranges.into_iter().chain([(end, end)]) {
        if from > covered {
            gaps.push((covered, from));
        }
        covered = covered.max(to);
    }
    gaps
}

#[cfg(test)]
mod tests {
    #[test]
    fn gaps_are_what_ranges_leave() {
        assert_eq!(super::gaps(vec![(4, 6), (0, 2), (1, 3)], 8), [(3, 4), (6, 8)]);
        assert_eq!(super::gaps(vec![(0, 8)], 8), []);
        assert_eq!(super::gaps::<u32>(vec![], 0), []);
    }
}
