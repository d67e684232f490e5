//! Hierarchies as the parent of each item: parents that exist, and no item that is its own ancestor.

use super::index_into;
use maquette_scene::{Code, Diagnostic, Path, Report};

/// A format's codes for these rules.
pub struct ParentCodes {
    /// A parent that does not exist.
    pub out_of_range: &'static Code,
    /// An item that is its own ancestor.
    pub cycle: &'static Code,
    /// An item that comes before its parent.
    pub before_parent: &'static Code,
}

/// An item of each cycle among `count` items: the first that a climb from the lowest index meets twice. Without recursion; every
/// parent is asked for once.
pub fn cycles(count: usize, parent_of: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    let mut cycles = Vec::new();
    // The item from which a climb came by here. Where an earlier climb was, everything above has been looked at.
    let mut climbed_from = vec![None; count];
    for start in 0..count {
        let mut climber = Some(start);
        while let Some(index) = climber {
            match climbed_from.get_mut(index) {
                Some(from @ None) => *from = Some(start),
                Some(Some(from)) if *from == start => {
                    cycles.push(index);
                    break;
                }
                _ => break,
            }
            climber = parent_of(index);
        }
    }
    cycles
}

/// Reports what is wrong in a list of parents, -1 being a root, in linear time and without recursion; `at` gives
/// the path of an item's parent.
pub fn parents(report: &mut Report, codes: &ParentCodes, parents: &[i32], what: &str, at: impl Fn(usize) -> Path) {
    let parent_of = |index: usize| {
        let parent = *parents.get(index)?;
        usize::try_from(parent).ok().filter(|&parent| parent < parents.len())
    };
    for (index, &parent) in parents.iter().enumerate() {
        if parent != -1 && parent_of(index).is_none() {
            let expected = format!("-1 for a root, or {}", index_into(parents.len(), what));
            report.push(
                Diagnostic::new(codes.out_of_range, at(index), format!("the parent is {parent}")).expected(expected),
            );
        }
        if parent_of(index).is_some_and(|parent| parent > index) {
            let message = format!("item {index} comes before its parent {parent}");
            report.push(Diagnostic::new(codes.before_parent, at(index), message).expected("parents before children"));
        }
    }
    for index in cycles(parents.len(), parent_of) {
        let finding = Diagnostic::new(codes.cycle, at(index), format!("item {index} is its own ancestor"));
        report.push(finding.expected("a chain of parents that ends at -1"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::{codes, path};
    use std::cell::Cell;

    codes! {
        /// Out of range.
        RANGE = "TST0001" "range" Error;
        /// Cycle.
        CYCLE = "TST0002" "cycle" Error;
        /// Before.
        BEFORE = "TST0003" "before" Error;
    }

    fn found(list: &[i32]) -> Vec<String> {
        let codes = ParentCodes { out_of_range: &RANGE, cycle: &CYCLE, before_parent: &BEFORE };
        let mut report = Report::new(maquette_scene::diag::ReportOptions {
            max_items: 100,
            repeats: maquette_scene::diag::Repeats::Keep,
        });
        parents(&mut report, &codes, list, "joints", |index| path!(index));
        assert_eq!(CODES.len(), 3);
        report.items().iter().map(|item| format!("{}{}", item.code.name, item.path)).collect()
    }

    #[test]
    fn parents_are_judged_without_following_a_cycle_forever() {
        assert!(found(&[-1, 0, 1]).is_empty());
        assert_eq!(found(&[-2, 9]), ["range[0]", "range[1]"]);
        assert_eq!(found(&[1, 2, 0, 0]), ["before[0]", "before[1]", "cycle[0]"]);
        assert_eq!(found(&[0]), ["cycle[0]"]);
    }

    /// The cycles of a list of parents, and how many parents were asked for.
    fn cycles_of(parents: &[Option<usize>]) -> (Vec<usize>, usize) {
        let asked = Cell::new(0);
        let found = cycles(parents.len(), |index| {
            asked.set(asked.get() + 1);
            parents[index]
        });
        (found, asked.get())
    }

    #[test]
    fn each_cycle_is_found_once_and_at_an_item_of_its_own() {
        assert!(cycles_of(&[]).0.is_empty());
        assert!(cycles_of(&[None, Some(0), Some(1)]).0.is_empty());
        assert_eq!(cycles_of(&[Some(0)]).0, [0]);
        // Items 0 and 4 hang on a cycle and are not part of it.
        assert_eq!(cycles_of(&[Some(2), Some(3), Some(1), Some(2), Some(0)]).0, [2]);
        assert_eq!(cycles_of(&[Some(1), Some(0), None, Some(4), Some(3)]).0, [0, 3]);
        assert!(cycles_of(&[Some(9), Some(0)]).0.is_empty(), "a parent that does not exist ends the climb");
    }

    #[test]
    fn every_parent_is_asked_for_once_however_deep_the_hierarchy() {
        const COUNT: usize = 1 << 17;
        let rising: Vec<_> = (0..COUNT).map(|index| index.checked_sub(1)).collect();
        let falling: Vec<_> = (1..=COUNT).map(|parent| Some(parent).filter(|&parent| parent < COUNT)).collect();
        let ring: Vec<_> = (1..=COUNT).map(|parent| Some(parent % COUNT)).collect();
        let comb: Vec<_> = (0..COUNT).map(|index| Some(index.saturating_sub(1 + index % 2))).collect();
        for (parents, found) in [(rising, vec![]), (falling, vec![]), (ring, vec![0]), (comb, vec![0])] {
            assert_eq!(cycles_of(&parents), (found, COUNT));
        }
    }
}
