//! The keys of one curve that are enough: of all others the curve stays as near as it may be off.
//!
//! From each key that is kept the next is as far away as it can be, found by doubling the step and halving what is between, so that a curve of any length takes about as
//! many looks at each key as a segment has doublings. What a gap costs is asked of [`Gaps`], which answers for every moment in it.

/// What a curve would be off by without some of its keys, at most, at any moment. `None` is more than `most`.
pub(super) trait Gaps {
    /// How many keys there are.
    fn len(&self) -> usize;

    /// Without those between two of them.
    fn between(&self, from: usize, to: usize, most: f64) -> Option<f64>;

    /// Without those between two of them, and with the value of a third from there to there: what stays before the first key and after the last.
    fn held(&self, from: usize, to: usize, value: usize, most: f64) -> Option<f64>;
}

/// The keys to keep, in order, and what the curve is then off by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kept {
    pub keys: Vec<usize>,
    pub error: f64,
}

/// As few keys as this finds, with no moment farther off than `most`.
pub(super) fn fewest(gaps: &impl Gaps, most: f64) -> Kept {
    let Some(last) = gaps.len().checked_sub(1) else { return Kept { keys: Vec::new(), error: 0.0 } };
    if let Some(error) = gaps.held(0, last, 0, most) {
        return Kept { keys: vec![0], error };
    }
    // Before the first key its value stays.
    let first = farthest(0, last, |to| gaps.held(0, to, to, most).is_some());
    // After the last key its value stays too.
    let tail = last - farthest(0, last, |back| gaps.held(last - back, last, last - back, most).is_some());
    let tail = match tail > first {
        true => tail,
        false if gaps.held(first, last, first, most).is_some() => first,
        false => last,
    };
    let trimmed = along(gaps, first, tail, most);
    if (first, tail) == (0, last) {
        return trimmed;
    }
    // The same number of keys with the first and the last among them is better: a clip may be as long as its keys.
    let whole = along(gaps, 0, last, most);
    if whole.keys.len() <= trimmed.keys.len() { whole } else { trimmed }
}

/// Keys from one to another, whose values stay before and after.
fn along(gaps: &impl Gaps, first: usize, tail: usize, most: f64) -> Kept {
    let last = gaps.len().saturating_sub(1);
    let ends = [gaps.held(0, first, first, most), gaps.held(tail, last, tail, most)];
    let mut error = ends.into_iter().flatten().fold(0.0, f64::max);
    let mut keys = vec![first];
    let mut at = first;
    while at < tail {
        let next = farthest(at + 1, tail, |to| gaps.between(at, to, most).is_some());
        error = error.max(gaps.between(at, next, most).unwrap_or(0.0));
        keys.push(next);
        at = next;
    }
    Kept { keys, error }
}

/// From one that fits the last that does, as far as can be told by doubling the step and halving what is between.
fn farthest(from: usize, last: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut good, mut step) = (from, 1);
    let mut bad = loop {
        let next = (from + step).min(last);
        if next == good {
            return good;
        }
        if !fits(next) {
            break next;
        }
        good = next;
        step *= 2;
    };
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match fits(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    good
}
