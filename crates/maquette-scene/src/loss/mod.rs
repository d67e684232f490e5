//! What a conversion could not carry over, as values: kind, what, whose, how much, how often.

mod lost;
mod surface;

pub use lost::Lost;
use std::fmt;

/// How something was lost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum LossKind {
    /// It is gone.
    Dropped,
    /// Some of it is gone.
    Truncated,
    /// It is there, with an error of at most this, in the unit that the detail names.
    Approximated {
        /// The largest error.
        max_error: f32,
    },
    /// It is there in another form that cannot be told apart from what it was made of.
    Baked,
    /// It is there under another name.
    Renamed,
}

impl LossKind {
    /// The word used in text, JSON and `--strict`.
    pub fn word(self) -> &'static str {
        match self {
            LossKind::Dropped => "dropped",
            LossKind::Truncated => "truncated",
            LossKind::Approximated { .. } => "approximated",
            LossKind::Baked => "baked",
            LossKind::Renamed => "renamed",
        }
    }

    /// Every word, for messages.
    pub const WORDS: [&'static str; 5] = ["dropped", "truncated", "approximated", "baked", "renamed"];
}

/// One loss.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loss {
    /// In which way: dropped, truncated, approximated, baked or renamed.
    pub kind: LossKind,
    /// What is not as it was.
    pub what: Lost,
    /// Whose: `mesh "body"`.
    pub subject: String,
    /// Why, and what stands in its place.
    pub detail: String,
    /// How many: vertices, keys, objects.
    pub count: u64,
}

/// What losses call a thing: by its name, or by its position where it has none. `mesh "body"`, `mesh 3`.
pub fn subject(kind: &str, index: usize, name: &str) -> String {
    match name {
        "" => format!("{kind} {index}"),
        name => format!("{kind} {name:?}"),
    }
}

/// How many losses before are looked at for a repeat.
const LOOK_BACK: usize = 16;

impl Loss {
    /// Whether this is the other once more.
    fn is_again(&self, other: &Loss) -> bool {
        (self.kind, self.what) == (other.kind, other.what)
            && self.subject == other.subject
            && self.detail == other.detail
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.word(), self.what)?;
        if !self.subject.is_empty() {
            write!(f, " of {}", self.subject)?;
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// Everything a conversion lost, in the order it was noticed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LossReport {
    losses: Vec<Loss>,
}

impl LossReport {
    /// Adds a loss. The same loss of the same object again adds to its count.
    pub fn push(
        &mut self,
        kind: LossKind,
        what: Lost,
        subject: impl Into<String>,
        detail: impl Into<String>,
        count: u64,
    ) {
        if count > 0 {
            self.add(Loss { kind, what, subject: subject.into(), detail: detail.into(), count });
        }
    }

    fn add(&mut self, loss: Loss) {
        // Repeats follow one another, as the meshes of a model do.
        match self.losses.iter_mut().rev().take(LOOK_BACK).find(|known| known.is_again(&loss)) {
            Some(known) => known.count += loss.count,
            None => self.losses.push(loss),
        }
    }

    /// Something is gone.
    pub fn dropped(&mut self, what: Lost, subject: impl Into<String>, detail: impl Into<String>, count: u64) {
        self.push(LossKind::Dropped, what, subject, detail, count);
    }

    /// Each loss once, with its count, in the order of the first.
    pub fn losses(&self) -> &[Loss] {
        &self.losses
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.losses.is_empty()
    }

    /// Whether a loss of this is there.
    pub fn names(&self, what: Lost) -> bool {
        self.losses.iter().any(|loss| loss.what == what)
    }

    /// Takes over another report.
    pub fn extend(&mut self, other: LossReport) {
        other.losses.into_iter().for_each(|loss| self.add(loss));
    }

    /// Forgets losses that nobody would miss.
    pub fn retain(&mut self, keep: impl FnMut(&Loss) -> bool) {
        self.losses.retain(keep);
    }

    /// The losses in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.losses.iter()
    }

    /// How many different losses there are.
    pub fn len(&self) -> usize {
        self.losses.len()
    }
}

impl<'a> IntoIterator for &'a LossReport {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.losses.iter()
    }
}

impl IntoIterator for LossReport {
    type Item = Loss;
    type IntoIter = std::vec::IntoIter<Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.losses.into_iter()
    }
}

/// One loss a line.
impl fmt::Display for LossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, loss) in self.losses.iter().enumerate() {
            let end = if index + 1 < self.losses.len() { "\n" } else { "" };
            match loss.count {
                1 => write!(f, "{loss}{end}")?,
                count => write!(f, "{loss} ({count}){end}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_add_up_and_other_objects_do_not() {
        let mut report = LossReport::default();
        for (subject, count) in [("mesh \"a\"", 2), ("mesh \"b\"", 1), ("mesh \"a\"", 3), ("mesh \"a\"", 0)] {
            report.dropped(Lost::VertexColours, subject, "the format has none", count);
        }
        report.dropped(Lost::VertexColours, "mesh \"a\"", "they are not finite", 1);
        let counts: Vec<u64> = report.losses().iter().map(|loss| loss.count).collect();
        assert_eq!(counts, [5, 1, 1]);
    }
}
