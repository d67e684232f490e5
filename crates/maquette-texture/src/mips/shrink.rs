//! Rows of a picture to the rows of a smaller one, as they come.

/// What is held of a picture while it is made smaller: a row or two.
pub struct Shrink<T> {
    across: Axis,
    down: Axis,
    /// A row that waits for the one below it, where both sides are halved.
    waiting: Vec<T>,
    /// The row that is being made, and the next, which may share one with it.
    sums: [Vec<[f32; 4]>; 2],
    taken: usize,
    made: usize,
}

impl<T: Copy> Shrink<T> {
    /// From one size to another, neither side of which is longer.
    pub fn new(from: [u32; 2], to: [u32; 2]) -> Shrink<T> {
        let ([width, height], [to_width, to_height]) = (from.map(|side| side as usize), to.map(|side| side as usize));
        let (across, down) = (Axis::new(width, to_width), Axis::new(height, to_height));
        let sums = match (&across, &down) {
            (Axis::Half, Axis::Half) => Default::default(),
            _ => [vec![[0.0; 4]; width], vec![[0.0; 4]; width]],
        };
        Shrink { across, down, waiting: Vec::new(), sums, taken: 0, made: 0 }
    }

    /// Takes the next row; whether it was the last that one of the smaller picture needs, which is then in `out`.
    pub fn push(&mut self, row: &[T], widen: impl Fn(T) -> [f32; 4], out: &mut Vec<[f32; 4]>) -> bool {
        if let (Axis::Half, Axis::Half) = (&self.across, &self.down) {
            if self.waiting.is_empty() {
                self.waiting.extend_from_slice(row);
                return false;
            }
            halve([&self.waiting, row], widen, out);
            self.waiting.clear();
            return true;
        }
        let at = self.taken;
        self.taken += 1;
        for (y, sum) in (self.made..).zip(&mut self.sums) {
            let (first, parts) = self.down.taps(y);
            let Some(&part) = at.checked_sub(first).and_then(|tap| parts.get(tap)) else { continue };
            for (sum, pixel) in sum.iter_mut().zip(row) {
                sum.iter_mut().zip(widen(*pixel)).for_each(|(sum, value)| *sum += value * part);
            }
        }
        let (first, parts) = self.down.taps(self.made);
        if at + 1 < first + parts.len() {
            return false;
        }
        let [whole, next] = &mut self.sums;
        self.across.shrink_row(whole, out);
        whole.fill([0.0; 4]);
        std::mem::swap(whole, next);
        self.made += 1;
        true
    }
}

/// The means of two by two pixels of two rows.
fn halve<T: Copy>([above, below]: [&[T]; 2], widen: impl Fn(T) -> [f32; 4], out: &mut Vec<[f32; 4]>) {
    let pairs = above.as_chunks().0.iter().zip(below.as_chunks().0);
    out.clear();
    out.extend(pairs.map(|([a, b], [c, d])| mean([widen(*a), widen(*b), widen(*c), widen(*d)])));
}

fn mean([a, b, c, d]: [[f32; 4]; 4]) -> [f32; 4] {
    let mut sum = a;
    for other in [b, c, d] {
        sum.iter_mut().zip(other).for_each(|(sum, value)| *sum += value);
    }
    sum.map(|value| value * 0.25)
}

/// How a side shrinks.
enum Axis {
    /// It stays.
    Same,
    /// To its half.
    Half,
    /// To another size: for each pixel, the first of those it covers and how much of each.
    Parts(Vec<(usize, Vec<f32>)>),
}

impl Axis {
    fn new(from: usize, to: usize) -> Axis {
        match () {
            () if from == to => Axis::Same,
            () if from == to * 2 => Axis::Half,
            () => Axis::Parts((0..to).map(|place| parts(place, from, to)).collect()),
        }
    }

    /// The pixels that one is made of, and how much of each.
    fn taps(&self, place: usize) -> (usize, &[f32]) {
        match self {
            Axis::Same => (place, &[1.0]),
            Axis::Half => (place * 2, &[0.5, 0.5]),
            Axis::Parts(parts) => parts.get(place).map_or((0, &[]), |(first, parts)| (*first, parts)),
        }
    }

    fn shrink_row(&self, row: &[[f32; 4]], out: &mut Vec<[f32; 4]>) {
        out.clear();
        match self {
            Axis::Same => out.extend_from_slice(row),
            Axis::Half => out.extend(row.as_chunks().0.iter().map(|[left, right]| {
                let mut mean = *left;
                mean.iter_mut().zip(right).for_each(|(mean, right)| *mean = (*mean + right) * 0.5);
                mean
            })),
            Axis::Parts(places) => out.extend(places.iter().map(|(first, parts)| {
                let mut sum = [0.0; 4];
                for (pixel, part) in row.iter().skip(*first).zip(parts) {
                    sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += value * part);
                }
                sum
            })),
        }
    }
}

/// The pixels that pixel `place` of `to` covers among `from`, in whole numbers: each is `to` wide and it is `from` wide.
fn parts(place: usize, from: usize, to: usize) -> (usize, Vec<f32>) {
    let (start, end) = (place * from, (place + 1) * from);
    let first = start / to;
    let last = (end - 1) / to;
    let overlap = |pixel: usize| ((pixel + 1) * to).min(end) - (pixel * to).max(start);
    (first, (first..=last).map(|pixel| overlap(pixel) as f32 / from as f32).collect())
}
