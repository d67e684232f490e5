//! The tangents at a vertex: one for each group of its corners.

use super::groups::Groups;
use super::triangles::{Triangles, is_something};
use super::{NONE, Surface};
use crate::work;
use maquette_scene::glam::Vec3;

/// As many different directions at a vertex are looked at for ones that are exactly opposite: those are left out of each other's
/// mean. It takes the square of their number, and of more than this there is no mean that means anything.
const MOST_DIRECTIONS: usize = 256;

/// A tangent and the sign of its bitangent, which is never 0.
pub type Tangent = [f32; 4];

/// The tangent of what has none.
pub const NO_TANGENT: Tangent = [0.0; 4];

/// Whether it is the tangent of what has none.
pub fn is_none(tangent: &Tangent) -> bool {
    let [_, _, _, sign] = tangent;
    *sign == 0.0
}

/// The tangents of the corners at a vertex.
pub enum Found<'f> {
    /// All have the same.
    OfAll(Tangent),
    /// They have different ones.
    OfEach(&'f [Tangent]),
}

/// What one corner brings to the mean of its group.
#[derive(Clone, Copy)]
struct Share {
    /// Where U and V grow, perpendicular to the normal.
    directions: [Vec3; 2],
    angle: f32,
    goes_with_any: bool,
}

/// What the corners of a group bring together.
#[derive(Clone, Copy, Default)]
struct Sum {
    along_u: Vec3,
    reach: [Reach; 2],
}

/// Finds the tangents at one vertex after another.
#[derive(Default)]
pub struct Frames {
    groups: Groups,
    sums: Vec<Sum>,
    /// The directions of the edges that leave the corners.
    edges: Vec<Vec3>,
    tangents: Vec<Tangent>,
}

impl Frames {
    /// The tangents of these corners, which are all at one vertex, in the order of the triangles.
    pub fn find(&mut self, surface: &Surface<'_>, triangles: &Triangles<'_>, corners: &[u32]) -> Found<'_> {
        self.groups.find(triangles, corners);
        self.add_up(surface, triangles, corners);
        let groups = &self.groups;
        let of_group = |(group, sum): (usize, &Sum)| valid(unit(sum.along_u).extend(sign(groups, group)).to_array());
        match self.sums.as_slice() {
            [] => return Found::OfAll(NO_TANGENT),
            [only] if !only.is_wide() && groups.of_corner.iter().all(|group| *group == 0) => {
                return Found::OfAll(of_group((0, only)));
            }
            _ => {}
        }
        let of_groups: Vec<Tangent> = self.sums.iter().enumerate().map(of_group).collect();
        let of = |group: &u32| of_groups.get(*group as usize).copied().unwrap_or(NO_TANGENT);
        self.tangents.clear();
        self.tangents.extend(groups.of_corner.iter().map(of));
        if self.sums.iter().any(Sum::is_wide) {
            self.leave_out_opposites(surface, triangles, corners);
        }
        self.inherit(triangles, corners);
        let is_same = |tangent: &Tangent, other: &Tangent| tangent.map(f32::to_bits) == other.map(f32::to_bits);
        match self.tangents.first().filter(|first| self.tangents.iter().all(|other| is_same(first, other))) {
            Some(all) => Found::OfAll(*all),
            None => Found::OfEach(&self.tangents),
        }
    }

    /// What the corners of each group bring together.
    fn add_up(&mut self, surface: &Surface<'_>, triangles: &Triangles<'_>, corners: &[u32]) {
        work::done(corners.len());
        let Frames { groups, sums, edges, .. } = self;
        sums.clear();
        sums.resize(groups.is_upright.len(), Sum::default());
        let Some(here) = corners.first().map(|corner| triangles.corner(*corner).here) else { return };
        let (position, normal) = (surface.position(here), surface.normal(here));
        let edge = |to: u32| unit(across(normal, surface.position(to) - position));
        edges.clear();
        for &corner in corners {
            edges.push(edge(triangles.corner(corner).next));
        }
        for (at, &corner) in corners.iter().enumerate() {
            let group = groups.of_corner.get(at).copied().unwrap_or(NONE);
            let Some(sum) = sums.get_mut(group as usize) else { continue };
            if triangles.kind(corner).goes_with_any() {
                continue;
            }
            // The edge that comes in is the one that leaves the neighbour behind it.
            let neighbour = groups.neighbours.before.get(at).and_then(|before| edges.get(*before as usize));
            let coming = neighbour.copied().unwrap_or_else(|| edge(triangles.corner(corner).previous));
            let leaving = edges.get(at).copied().unwrap_or_default();
            let [along_u, along_v] = triangles.directions(corner);
            let along_u = unit(across(normal, along_u));
            sum.along_u += along_u * angle(coming, leaving);
            let [of_u, of_v] = &mut sum.reach;
            of_u.add(along_u);
            of_v.add(across(normal, along_v));
        }
    }

    /// Corners whose direction is opposite to others of their group get a tangent of their own.
    fn leave_out_opposites(&mut self, surface: &Surface<'_>, triangles: &Triangles<'_>, corners: &[u32]) {
        let is_wide = |group: u32| self.sums.get(group as usize).is_some_and(Sum::is_wide);
        let placed = self.groups.of_corner.iter().copied().zip(corners.iter().copied().zip(0..));
        let mut members: Vec<(u32, (u32, usize))> = placed.filter(|(group, _)| is_wide(*group)).collect();
        members.sort_unstable();
        for group in members.chunk_by(|(a, _), (b, _)| a == b) {
            let shares: Vec<Share> = group.iter().map(|(_, (corner, _))| share(surface, triangles, *corner)).collect();
            for (&(group, (_, place)), mean) in group.iter().zip(without_opposites(&shares)) {
                if let (Some(mean), Some(tangent)) = (mean, self.tangents.get_mut(place)) {
                    *tangent = valid(mean.extend(sign(&self.groups, group as usize)).to_array());
                }
            }
        }
    }

    /// Gives the corners of triangles without an area what the first other corner has.
    fn inherit(&mut self, triangles: &Triangles<'_>, corners: &[u32]) {
        let is_degenerate = |corner: &u32| triangles.kind(*corner).is_degenerate();
        if !corners.iter().any(is_degenerate) {
            return;
        }
        let first = corners.iter().position(|corner| !is_degenerate(corner));
        let heirloom = first.and_then(|first| self.tangents.get(first)).copied().unwrap_or(NO_TANGENT);
        let heirs = self.tangents.iter_mut().zip(corners).filter(|(_, corner)| is_degenerate(corner));
        heirs.for_each(|(tangent, _)| *tangent = heirloom);
    }
}

/// The sign of the bitangents of a group.
fn sign(groups: &Groups, group: usize) -> f32 {
    if groups.is_upright.get(group) == Some(&true) { 1.0 } else { -1.0 }
}

/// A tangent that is of unit length, or none.
fn valid(tangent: Tangent) -> Tangent {
    let [x, y, z, _] = tangent;
    if (Vec3::new(x, y, z).length() - 1.0).abs() < 1e-3 { tangent } else { NO_TANGENT }
}

impl Sum {
    /// Whether two of the directions may be opposite.
    fn is_wide(&self) -> bool {
        self.reach.iter().any(|reach| reach.0 & reach.0 >> 3 & 0b111 != 0)
    }
}

fn share(surface: &Surface<'_>, triangles: &Triangles<'_>, corner: u32) -> Share {
    work::done(1);
    let at = triangles.corner(corner);
    let normal = surface.normal(at.here);
    let edge = |to: u32| unit(across(normal, surface.position(to) - surface.position(at.here)));
    let [along_u, along_v] = triangles.directions(corner);
    Share {
        directions: [unit(across(normal, along_u)), unit(across(normal, along_v))],
        angle: angle(edge(at.previous), edge(at.next)),
        goes_with_any: triangles.kind(corner).goes_with_any(),
    }
}

/// What of a direction is perpendicular to the normal.
fn across(normal: Vec3, direction: Vec3) -> Vec3 {
    direction - normal * normal.dot(direction)
}

/// The angle between two edges.
fn angle(coming: Vec3, leaving: Vec3) -> f32 {
    f64::from(coming.dot(leaving).clamp(-1.0, 1.0)).acos() as f32
}

fn unit(vector: Vec3) -> Vec3 {
    match is_something(vector.x) || is_something(vector.y) || is_something(vector.z) {
        true => vector * (1.0 / vector.length()),
        false => vector,
    }
}

/// Along which axes some directions point far, each way. Of two that are opposite, one points far one way along some axis, and the
/// other the other way.
#[derive(Clone, Copy, Default)]
struct Reach(u8);

impl Reach {
    fn add(&mut self, direction: Vec3) {
        let length_squared = direction.length_squared();
        // Of what is so short that its square is nothing, everything is far. What is no number is opposite to nothing.
        let near = if length_squared > 1e-30 { 0.25 * length_squared } else { 0.0 };
        self.along(0, direction.x, near);
        self.along(1, direction.y, near);
        self.along(2, direction.z, near);
    }

    fn along(&mut self, axis: u8, length: f32, near: f32) {
        let is_far = length * length > near || near == 0.0;
        let (forth, back) = (is_far && length > 0.0, is_far && length < 0.0);
        self.0 |= u8::from(forth) << axis | u8::from(back) << (axis + 3);
    }
}

/// For each corner with an exactly opposite direction in its group, the mean without those; none for the others.
fn without_opposites(shares: &[Share]) -> Vec<Option<Vec3>> {
    let mut kinds: Vec<[Vec3; 2]> = Vec::new();
    let mut kind_of = Vec::with_capacity(shares.len());
    for share in shares {
        work::done(kinds.len());
        kind_of.push(kinds.iter().position(|kind| *kind == share.directions).unwrap_or(kinds.len()));
        if kind_of.last() == Some(&kinds.len()) {
            kinds.push(share.directions);
        }
        if kinds.len() > MOST_DIRECTIONS {
            return vec![None; shares.len()];
        }
    }
    let is_opposite =
        |[u, v]: [Vec3; 2], [other_u, other_v]: [Vec3; 2]| u.dot(other_u) <= -1.0 || v.dot(other_v) <= -1.0;
    let mean_for = |kind: &[Vec3; 2]| {
        work::done(kinds.len());
        let is_out = |share: &&Share| !share.goes_with_any && is_opposite(*kind, share.directions);
        let has_opposite = kinds.iter().any(|other| is_opposite(*kind, *other));
        has_opposite.then(|| mean(shares.iter().filter(|share| !is_out(share))))
    };
    let means: Vec<Option<Vec3>> = kinds.iter().map(mean_for).collect();
    let of = |(share, &kind): (&Share, &usize)| means.get(kind).copied().flatten().filter(|_| !share.goes_with_any);
    shares.iter().zip(&kind_of).map(of).collect()
}

/// The mean direction of U, each weighted by the angle of its corner.
fn mean<'s>(shares: impl Iterator<Item = &'s Share>) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for share in shares.filter(|share| !share.goes_with_any) {
        work::done(1);
        let [along_u, _] = share.directions;
        sum += along_u * share.angle;
    }
    unit(sum)
}
