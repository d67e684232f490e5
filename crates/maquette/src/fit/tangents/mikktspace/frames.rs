//! The tangent of each group.

use super::buckets::Buckets;
use super::groups::Groups;
use super::triangles::{Triangles, is_something};
use super::{NONE, Surface};
use crate::fit::alike::FOR_ONE_CORE;
use maquette_scene::glam::Vec3;
use rayon::prelude::*;
use std::collections::HashMap;

/// As many different directions at a vertex are looked at for ones that are exactly opposite: those are left out of each other's
/// mean. It takes the square of their number, and of more than this there is no mean that means anything.
const MOST_DIRECTIONS: usize = 256;

/// The tangents of groups, and of single corners where those differ from their group's.
pub struct Frames {
    of_group: Vec<[f32; 4]>,
    of_corner: HashMap<u32, [f32; 4]>,
}

impl Frames {
    pub fn of(&self, groups: &Groups, corner: usize) -> Option<[f32; 4]> {
        let group = groups.of_corner.get(corner)?;
        let of_corner = || self.of_corner.get(&(corner as u32)).filter(|_| !self.of_corner.is_empty());
        of_corner().or_else(|| self.of_group.get(*group as usize)).copied()
    }
}

/// What one corner brings to the mean of its group.
#[derive(Clone, Copy)]
struct Share {
    /// Where U and V grow, perpendicular to the normal.
    directions: [Vec3; 2],
    angle: f32,
    goes_with_any: bool,
}

pub fn of_groups(surface: &Surface<'_>, triangles: &Triangles, groups: &Groups) -> Frames {
    let grouped = || groups.of_corner.iter().enumerate().filter(|(_, group)| **group != NONE);
    let corners = Buckets::new(groups.is_upright.len(), || grouped().map(|(corner, &group)| (group, corner as u32)));
    let members = |group: usize| corners.of(group);
    let share = |&corner: &u32| share(surface, triangles, corner);
    let sign = |group: usize| if groups.is_upright.get(group) == Some(&true) { 1.0 } else { -1.0 };
    let whole = |shares: &mut Vec<Share>, group: usize| {
        shares.clear();
        shares.extend(members(group).iter().map(share));
        let tangent = mean(shares.iter()).extend(sign(group)).to_array();
        (tangent, points_one_way(shares))
    };
    let count = groups.is_upright.len();
    let (of_group, one_way): (Vec<[f32; 4]>, Vec<bool>) =
        (0..count).into_par_iter().with_min_len(FOR_ONE_CORE).map_init(Vec::new, whole).unzip();
    let mut of_corner = HashMap::new();
    for group in one_way.iter().enumerate().filter(|(_, one_way)| !**one_way).map(|(group, _)| group) {
        let shares: Vec<Share> = members(group).iter().map(share).collect();
        for (tangent, at) in without_opposites(&shares).into_iter().zip(members(group)) {
            if let Some(tangent) = tangent {
                of_corner.insert(*at, tangent.extend(sign(group)).to_array());
            }
        }
    }
    Frames { of_group, of_corner }
}

fn share(surface: &Surface<'_>, triangles: &Triangles, corner: u32) -> Share {
    let triangle = corner as usize / 3;
    let [a, b, c] = triangles.vertices.get(triangle).copied().unwrap_or_default();
    let (before, here, after) = match corner % 3 {
        0 => (c, a, b),
        1 => (a, b, c),
        _ => (b, c, a),
    };
    let normal = surface.normal(here);
    let across = |direction: Vec3| unit(direction - normal * normal.dot(direction));
    let [along_u, along_v] = triangles.directions.get(triangle).copied().unwrap_or_default();
    let at = surface.position(here);
    let (back, on) = (across(surface.position(before) - at), across(surface.position(after) - at));
    Share {
        directions: [across(along_u), across(along_v)],
        angle: f64::from(back.dot(on).clamp(-1.0, 1.0)).acos() as f32,
        goes_with_any: triangles.kinds.get(triangle).is_some_and(|kind| kind.goes_with_any()),
    }
}

fn unit(vector: Vec3) -> Vec3 {
    match is_something(vector.x) || is_something(vector.y) || is_something(vector.z) {
        true => vector * (1.0 / vector.length()),
        false => vector,
    }
}

/// The mean direction of U, each weighted by the angle of its corner.
fn mean<'s>(shares: impl Iterator<Item = &'s Share>) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for share in shares.filter(|share| !share.goes_with_any) {
        let [along_u, _] = share.directions;
        sum += along_u * share.angle;
    }
    unit(sum)
}

/// Whether all directions are so near to their mean that no two can be opposite.
fn points_one_way(shares: &[Share]) -> bool {
    let mut sums = [Vec3::ZERO; 2];
    let sound = || shares.iter().filter(|share| !share.goes_with_any);
    for share in sound() {
        let ([u, v], [sum_u, sum_v]) = (share.directions, sums);
        sums = [sum_u + u, sum_v + v];
    }
    let [mean_u, mean_v] = sums.map(Vec3::normalize_or_zero);
    sound().all(|share| {
        let [u, v] = share.directions;
        u.dot(mean_u) > 0.1 && v.dot(mean_v) > 0.1
    })
}

/// For each corner with an exactly opposite direction in its group, the mean without those; none for the others.
fn without_opposites(shares: &[Share]) -> Vec<Option<Vec3>> {
    let mut kinds: Vec<[Vec3; 2]> = Vec::new();
    let mut known: HashMap<[[u32; 3]; 2], usize> = HashMap::new();
    let kind_of: Vec<usize> = shares
        .iter()
        .map(|share| {
            let bits = share.directions.map(|direction| direction.to_array().map(f32::to_bits));
            *known.entry(bits).or_insert_with(|| {
                kinds.push(share.directions);
                kinds.len() - 1
            })
        })
        .collect();
    if kinds.len() > MOST_DIRECTIONS {
        return vec![None; shares.len()];
    }
    let is_opposite =
        |[u, v]: [Vec3; 2], [other_u, other_v]: [Vec3; 2]| u.dot(other_u) <= -1.0 || v.dot(other_v) <= -1.0;
    let mean_for = |kind: &[Vec3; 2]| {
        let is_out = |share: &&Share| !share.goes_with_any && is_opposite(*kind, share.directions);
        let has_opposite = kinds.iter().any(|other| is_opposite(*kind, *other));
        has_opposite.then(|| mean(shares.iter().filter(|share| !is_out(share))))
    };
    let means: Vec<Option<Vec3>> = kinds.iter().map(mean_for).collect();
    let of = |(share, &kind): (&Share, &usize)| means.get(kind).copied().flatten().filter(|_| !share.goes_with_any);
    shares.iter().zip(&kind_of).map(of).collect()
}
