//! Parts that both scenes draw, but in different orders, as nodes may come.

use super::corners::apart;
use maquette_scene::glam::Vec3;
use std::collections::{HashMap, VecDeque};

/// The box around a part, and its number of faces.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    pub low: Vec3,
    pub high: Vec3,
    pub faces: usize,
}

impl Outline {
    fn is_like(&self, other: &Outline, allowed: f32) -> bool {
        self.faces == other.faces && apart(self.low, other.low) <= allowed && apart(self.high, other.high) <= allowed
    }
}

/// For each part of another scene, the first of these with the same outline that is left; `None` where one has none.
pub fn order(own: &[Outline], other: &[Outline], allowed: f32) -> Option<Vec<usize>> {
    order_by(own, other, allowed, |own, other| own.is_like(other, allowed))
}

/// The same, by what says whether two are alike. Only those are asked about that begin near each other.
fn order_by(
    own: &[Outline],
    other: &[Outline],
    allowed: f32,
    mut is_like: impl FnMut(&Outline, &Outline) -> bool,
) -> Option<Vec<usize>> {
    // A little more than is allowed, for what rounding does to places; and less than half a cell, so that two along each axis are enough.
    let (reach, side) = if allowed > 0.0 { (1.01 * allowed, 4.0 * allowed) } else { (0.0, 1.0) };
    let cell = |point: Vec3| (point / side).to_array().map(|axis| axis.floor() as i64);
    let mut cells: HashMap<_, VecDeque<(usize, &Outline)>> = HashMap::new();
    for (index, outline) in own.iter().enumerate() {
        cells.entry((cell(outline.low), outline.faces)).or_default().push_back((index, outline));
    }
    let mut order = Vec::with_capacity(other.len());
    for outline in other {
        let mut found = None;
        for corner in 0..8 {
            let side = Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32) * 2.0 - 1.0;
            let key = (cell(outline.low + side * reach), outline.faces);
            let Some(near) = cells.get(&key) else { continue };
            let place = near.iter().position(|(_, own)| is_like(own, outline));
            let first = place.and_then(|place| Some((near.get(place)?.0, key, place)));
            found = [found, first].into_iter().flatten().min();
        }
        let (index, key, place) = found?;
        cells.get_mut(&key)?.remove(place);
        order.push(index);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, faces: usize) -> Outline {
        Outline { low: Vec3::new(x, -x, 0.5), high: Vec3::new(x + 1.0, 1.0, 2.0), faces }
    }

    #[test]
    fn each_is_the_first_that_is_left() {
        let own = [at(0.0, 1), at(5.0, 1), at(0.0, 1), at(0.0, 2), at(4.99, 1)];
        let other = [at(4.985, 1), at(0.0, 2), at(0.001, 1), at(5.0, 1), at(-0.001, 1)];
        assert_eq!(order(&own, &other, 0.03), Some(vec![1, 3, 0, 4, 2]));
        assert_eq!(order(&own, &other, 0.0), None);
        assert_eq!(order(&own, &own[1..3], 0.0), Some(vec![1, 0]));
        let empty = Outline { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY, faces: 0 };
        assert_eq!(order(&[own[0], empty], &[empty, own[0]], 0.03), Some(vec![1, 0]));
        let taller = Outline { high: Vec3::splat(9.0), ..own[0] };
        assert_eq!(order(&own, &[taller], 0.03), None);
    }

    #[test]
    fn the_work_grows_with_the_parts_and_not_with_their_pairs() {
        const COUNT: usize = 10_000;
        let spread: Vec<Outline> = (0..COUNT).map(|part| at(part as f32, 1)).collect();
        let turned: Vec<Outline> = spread.iter().rev().copied().collect();
        let stacked = vec![at(3.0, 1); COUNT];
        for (own, other) in [(&spread, &turned), (&spread, &spread), (&stacked, &stacked)] {
            let mut compared = 0;
            let found = order_by(own, other, 0.01, |own, other| {
                compared += 1;
                own.is_like(other, 0.01)
            });
            assert!(found.is_some_and(|found| found.len() == COUNT));
            assert!(compared <= 8 * COUNT, "{compared} compared");
        }
    }
}
