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
use crate::pieces;
use maquette_scene::{Code, Diagnostic, Path, Report};

/// How often what a file holds may be used in all, where parts of it may share it: each use takes memory of its own, and no small file may take all there is.
pub fn most_uses(there: usize) -> Option<u64> {
    const EACH: u64 = 64;
    const FOR_FREE: u64 = 1 << 14;
    (there as u64).checked_mul(EACH)?.checked_add(FOR_FREE)
}

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
/// it can, and `describe` turns one such bit into words. An item that breaks rules takes no longer than another.
pub fn scan<T: Sync>(
    report: &mut Report,
    items: &[T],
    faults: impl Fn(&T) -> u32 + Sync,
    describe: impl Fn(usize, &T, u32) -> Diagnostic,
) {
    if report.keeps_repeats() {
        for (index, item) in items.iter().enumerate() {
            bits(faults(item)).for_each(|fault| report.push(describe(index, item, fault)));
        }
        return;
    }
    let found = pieces::look(items, |at, piece| Found::of(at, piece, &faults), Found::join);
    for fault in bits(found.all) {
        let (first, count) = found.of_each.get(fault.trailing_zeros() as usize).copied().unwrap_or_default();
        if let Some(item) = items.get(first) {
            report.push(describe(first, item, fault).times(count));
        }
    }
}

/// The bits of a number, one by one from the lowest.
fn bits(mut all: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = all & all.wrapping_neg();
        all ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The rules that the items of a table break: where first, and how often.
#[derive(Default)]
struct Found {
    all: u32,
    of_each: [(usize, u64); 32],
}

impl Found {
    fn of<T>(at: usize, items: &[T], faults: &impl Fn(&T) -> u32) -> Found {
        const BLOCK: usize = 64;
        let mut found = Found::default();
        for (block, items) in items.chunks(BLOCK).enumerate() {
            let mut of_items = [0; BLOCK];
            let mut all = 0;
            for (bits, item) in of_items.iter_mut().zip(items) {
                *bits = faults(item);
                all |= *bits;
            }
            for fault in bits(all) {
                found.note(fault, &of_items, at + block * BLOCK);
            }
        }
        found
    }

    fn note(&mut self, fault: u32, of_items: &[u32], at: usize) {
        let Some((first, count)) = self.of_each.get_mut(fault.trailing_zeros() as usize) else { return };
        if self.all & fault == 0 {
            self.all |= fault;
            *first = at + of_items.iter().position(|bits| bits & fault != 0).unwrap_or_default();
        }
        *count += of_items.iter().filter(|bits| **bits & fault != 0).count() as u64;
    }

    fn join(mut self, after: Found) -> Found {
        for fault in bits(after.all) {
            let slot = fault.trailing_zeros() as usize;
            if let (Some((first, count)), Some(after)) = (self.of_each.get_mut(slot), after.of_each.get(slot)) {
                *first = if self.all & fault == 0 { after.0 } else { *first };
                *count += after.1;
            }
        }
        self.all |= after.all;
        self
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
    use super::*;
    use maquette_scene::diag::{Repeats, ReportOptions};
    use maquette_scene::{codes, path};

    codes! {
        /// The item is an even number.
        EVEN = "TST0001" "even" Error;
        /// The item is a multiple of three.
        THIRD = "TST0002" "third" Error;
    }

    fn scanned(items: &[u32], options: ReportOptions) -> Vec<(String, u64)> {
        let mut report = Report::new(options);
        let faults = |item: &u32| u32::from(item.is_multiple_of(2)) * 4 + u32::from(item.is_multiple_of(3));
        scan(&mut report, items, faults, |index, _, fault| {
            let code = [&THIRD, &EVEN][usize::from(fault == 4)];
            Diagnostic::new(code, path!("items", index), "broken")
        });
        assert_eq!(CODES.len(), 2);
        report.items().iter().map(|item| (format!("{} {}", item.code.name, item.path), item.count)).collect()
    }

    #[test]
    fn a_scan_tells_the_first_place_and_how_many() {
        let told = |items: &[u32]| scanned(items, ReportOptions::default());
        assert_eq!(told(&[1, 5, 7]), []);
        assert_eq!(told(&[1, 2, 9, 12]), [("third items[2]".into(), 2), ("even items[1]".into(), 2)]);
        let many: Vec<u32> = std::iter::repeat_n(1, 5_000_000).chain(0..=5_000_000).collect();
        assert_eq!(
            told(&many),
            [("third items[5000000]".into(), 1_666_667), ("even items[5000000]".into(), 2_500_001)]
        );
    }

    #[test]
    fn a_scan_tells_each_if_asked() {
        let all = scanned(&[6, 1, 3], ReportOptions { repeats: Repeats::Keep, ..ReportOptions::default() });
        assert_eq!(all, [("third items[0]".into(), 1), ("even items[0]".into(), 1), ("third items[2]".into(), 1)]);
    }

    #[test]
    fn gaps_are_what_ranges_leave() {
        assert_eq!(gaps(vec![(4, 6), (0, 2), (1, 3)], 8), [(3, 4), (6, 8)]);
        assert_eq!(gaps(vec![(0, 8)], 8), []);
        assert_eq!(gaps::<u32>(vec![], 0), []);
    }
}
