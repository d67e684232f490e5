//! Which triangles around a vertex lie across an edge from each other.
//!
//! Two are neighbours if they run along the edge in opposite directions. Of many at one edge, the first that run one way are neighbours
//! of the first that run the other. So each corner at the vertex has one other at most behind the edge that leaves it, and one behind
//! the edge that comes in: the corners lie in rows and rings.

use super::NONE;
use super::triangles::Triangles;
use crate::work;

/// Fewer corners than this are held against each other; more are sorted.
const FEW: usize = 16;

/// For each corner at a vertex, as a position among them, the corner behind the edge that leaves it, and behind the one that comes in.
#[derive(Default)]
pub struct Neighbours {
    pub after: Vec<u32>,
    pub before: Vec<u32>,
    /// The vertices that edges go to and come from; none where the triangle has no area.
    next: Vec<u32>,
    previous: Vec<u32>,
    leaving: Vec<(u32, u32)>,
    coming: Vec<(u32, u32)>,
}

impl Neighbours {
    /// Finds those of these corners, which are all at one vertex, in the order of the triangles.
    pub fn find(&mut self, triangles: &Triangles<'_>, corners: &[u32]) {
        for list in [&mut self.after, &mut self.before] {
            list.clear();
            list.resize(corners.len(), NONE);
        }
        self.next.clear();
        self.previous.clear();
        for &corner in corners {
            let is_degenerate = triangles.kind(corner).is_degenerate();
            let corner = triangles.corner(corner);
            self.next.push(if is_degenerate { NONE } else { corner.next });
            self.previous.push(if is_degenerate { NONE } else { corner.previous });
        }
        match corners.len() < FEW {
            true => self.hold_against_each_other(),
            false => self.sort(),
        }
    }

    fn hold_against_each_other(&mut self) {
        work::done(self.next.len() * self.next.len());
        for (at, next) in self.next.iter().enumerate().filter(|(_, next)| **next != NONE) {
            for (other, _) in self.previous.iter().enumerate().filter(|(_, previous)| *previous == next) {
                let (Some(after), Some(before)) = (self.after.get_mut(at), self.before.get_mut(other)) else { break };
                if *before == NONE {
                    (*after, *before) = (other as u32, at as u32);
                    break;
                }
            }
        }
    }

    fn sort(&mut self) {
        work::done(self.next.len());
        for (sorted, ends) in [(&mut self.leaving, &self.next), (&mut self.coming, &self.previous)] {
            sorted.clear();
            sorted.extend(ends.iter().copied().zip(0..).filter(|(end, _)| *end != NONE));
            sorted.sort_unstable();
        }
        let (mut leaving, mut coming) = (self.leaving.iter().peekable(), self.coming.iter().peekable());
        while let (Some((to, at)), Some((from, other))) = (leaving.peek(), coming.peek()) {
            if to == from {
                let after = self.after.get_mut(*at as usize).into_iter();
                after.zip(self.before.get_mut(*other as usize)).for_each(|ends| (*ends.0, *ends.1) = (*other, *at));
            }
            let (to, from) = (*to, *from);
            leaving.next_if(|_| to <= from);
            coming.next_if(|_| from <= to);
        }
    }
}

/// Goes from a corner to those that are reached over edges, first one way and then the other, each time until one does not join.
pub fn reach(start: u32, after: &[u32], before: &[u32], mut joins: impl FnMut(u32) -> bool) {
    work::done(1);
    if !joins(start) {
        return;
    }
    for list in [after, before] {
        let mut at = start;
        while let Some(&next) = list.get(at as usize).filter(|next| **next != NONE) {
            work::done(1);
            if !joins(next) {
                break;
            }
            at = next;
        }
    }
}
