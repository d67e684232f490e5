//! Hierarchies kept as parent indices.

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
    // Each item is climbed from once; meeting the mark of the same climb closes a cycle.
    let mut climbed_from = vec![usize::MAX; parents.len()];
    for start in 0..parents.len() {
        let mut climber = Some(start);
        while let Some(index) = climber {
            match climbed_from.get_mut(index) {
                Some(mark) if *mark == usize::MAX => *mark = start,
                Some(mark) if *mark == start => {
                    let message = format!("item {index} is its own ancestor");
                    let finding = Diagnostic::new(codes.cycle, at(index), message);
                    report.push(finding.expected("a chain of parents that ends at -1"));
                    break;
                }
                _ => break,
            }
            climber = parent_of(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::{codes, path};

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
}
