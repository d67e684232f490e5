//! Keys in the order of their times, for readers of files whose keys need not be.

use maquette_scene::clip::{Interpolation, Keys};

/// Which keys are taken, and what was wrong with the order they were in.
#[derive(Debug, Default, PartialEq)]
pub struct Rising {
    /// Indices of the keys, by time; of several at one time, the last.
    pub order: Vec<usize>,
    /// How many keys come after a later one.
    pub fallen: u64,
}

impl Rising {
    /// The order of keys with these times; `None` if they rise as they are.
    pub fn of(times: &[f32]) -> Option<Rising> {
        let fallen = times.windows(2).filter(|pair| pair.first() > pair.last()).count() as u64;
        let repeats = times.windows(2).any(|pair| pair.first() == pair.last());
        if fallen == 0 && !repeats {
            return None;
        }
        let mut sorted: Vec<(f32, usize)> = times.iter().copied().zip(0..).collect();
        if fallen > 0 {
            sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        }
        sorted.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = later.1;
            }
            same
        });
        Some(Rising { order: sorted.into_iter().map(|(_, index)| index).collect(), fallen })
    }

    /// The elements that are taken, where a key has `each` of them.
    pub fn pick<T: Clone>(&self, elements: &[T], each: usize) -> Vec<T> {
        let mut picked = Vec::with_capacity(self.order.len() * each);
        for &index in &self.order {
            picked.extend_from_slice(elements.get(index * each..(index + 1) * each).unwrap_or_default());
        }
        picked
    }
}

/// Linear keys that rise, how many had fallen, and how many were left out for a later one at their time.
pub fn rise<T: Clone>(times_secs: Vec<f32>, values: Vec<T>) -> (Keys<T>, u64, u64) {
    let interpolation = Interpolation::Linear;
    match Rising::of(&times_secs) {
        None => (Keys { times_secs, values, interpolation }, 0, 0),
        Some(rising) => {
            let repeated = (times_secs.len() - rising.order.len()) as u64;
            let keys = Keys { times_secs: rising.pick(&times_secs, 1), values: rising.pick(&values, 1), interpolation };
            (keys, rising.fallen, repeated)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rises_stays() {
        assert_eq!(Rising::of(&[]), None);
        assert_eq!(Rising::of(&[-1.0, 0.0, 2.0]), None);
    }

    #[test]
    fn of_several_at_one_time_the_last_is_taken() {
        let rising = Rising::of(&[3.0, 1.0, 1.0, 0.0, 1.0]).unwrap();
        assert_eq!(rising, Rising { order: vec![3, 4, 0], fallen: 2 });
        assert_eq!(rising.pick(&[30, 31, 10, 11, 12, 13, 0, 1, 14, 15], 2), [0, 1, 14, 15, 30, 31]);
        assert_eq!(Rising::of(&[1.0, 1.0]), Some(Rising { order: vec![1], fallen: 0 }));
        assert_eq!(Rising::of(&[0.0, -0.0]).unwrap().order, [1], "both zeros are one time");
    }
}
