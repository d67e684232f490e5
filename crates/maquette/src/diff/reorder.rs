//! Faces that both scenes draw, but in different orders, as tools that optimise geometry leave them.

use maquette_scene::glam::Vec3;
use std::collections::HashMap;

/// Faces whose centres lie in one place are tried one after another; more than this many are not.
const CROWD: usize = 64;

/// For each of the first centres, one of the second within reach that `fits`, each taken once; `None` where one has none.
pub fn order(a: &[Vec3], b: &[Vec3], reach: f32, fits: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    let is_sound = |point: &Vec3| point.is_finite();
    if a.len() != b.len() || reach <= 0.0 || reach.is_nan() || !a.iter().chain(b).all(is_sound) {
        return None;
    }
    let cell = |point: Vec3| (point / (2.0 * reach)).to_array().map(|side| side.floor() as i64);
    let mut cells: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, &centre) in b.iter().enumerate() {
        let crowd = cells.entry(cell(centre)).or_default();
        crowd.push(index);
        if crowd.len() > CROWD {
            return None;
        }
    }
    let mut order = Vec::with_capacity(a.len());
    for (index, &centre) in a.iter().enumerate() {
        let corners = (0..8).map(|corner| {
            let side = Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32) * 2.0 - 1.0;
            cell(centre + side * reach)
        });
        // A reach is half a cell, so that two cells along each axis are enough; they may be the same one.
        let found = corners.into_iter().find_map(|cell| {
            let crowd = cells.get_mut(&cell)?;
            let place = crowd.iter().position(|&other| fits(index, other))?;
            Some(crowd.swap_remove(place))
        });
        order.push(found?);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_found_in_any_order_and_each_once() {
        let a: Vec<Vec3> = (0..100).map(|i| Vec3::new((i % 10) as f32, (i / 10) as f32, 0.0)).collect();
        let b: Vec<Vec3> = (0..100).map(|i| a[i * 37 % 100] + Vec3::splat(0.004)).collect();
        let near = |i: usize, j: usize| a[i].distance(b[j]) < 0.01;
        let found = order(&a, &b, 0.01, near).unwrap();
        assert!(found.iter().enumerate().all(|(i, &j)| near(i, j)));
        assert_eq!(found.iter().collect::<std::collections::HashSet<_>>().len(), 100);
        let gone = [&b[1..], &[Vec3::splat(50.0)]].concat();
        assert_eq!(order(&a, &gone, 0.01, |i, j| a[i].distance(gone[j]) < 0.01), None);
    }

    #[test]
    fn a_crowd_is_given_up() {
        let many = vec![Vec3::ZERO; 1000];
        assert_eq!(order(&many, &many, 0.1, |_, _| false), None);
    }
}
