//! How far two clips that stand for the same motion are apart: a bound that holds for every vertex at every moment.
//!
//! It is worked out, not looked for: how far two curves of one property are apart ([`curves`]), and how far what a node carries is from it
//! ([`body`]). What the nodes of a chain are off by adds up at its end. So a look at each key and each node is enough, and nothing is between two looks.

pub mod body;
pub mod curves;
pub mod space;
#[cfg(test)]
mod tests;

use crate::clip::{Clip, Curve, Target};
use crate::scene::Scene;
use body::Body;

/// How far any vertex is from where it would be, at most, when one clip is played in the place of another that has the same tracks in the same order.
/// Morph targets are not looked at. Where nothing is drawn, it is the largest error of a bone's own values, in units, radians and parts of its size.
pub fn of_clips(scene: &Scene, before: &Clip, after: &Clip) -> f32 {
    let body = Body::of(scene);
    let mut errors = Errors::new(&body, &[before, after]);
    for (before, after) in before.tracks.iter().zip(&after.tracks) {
        errors.add(&before.target, &after.curve, curves::apart(&before.curve, &after.curve));
    }
    errors.largest()
}

/// The errors of a clip, as they come up.
#[derive(Clone)]
pub struct Errors<'b> {
    body: &'b Body<'b>,
    reach: Vec<body::Reach>,
    /// How far what each node carries is off by its own doing.
    lengths: Vec<f64>,
    /// The largest error of a bone's own values.
    own: f64,
}

impl<'b> Errors<'b> {
    /// None so far, of one of these clips in the place of another.
    pub fn new(body: &'b Body<'b>, clips: &[&Clip]) -> Errors<'b> {
        let reach = body.reach(clips);
        Errors { body, lengths: vec![0.0; reach.len()], reach, own: 0.0 }
    }

    /// How far a vertex moves, at most, when a property of this target changes by one; `None` where it moves no vertex.
    pub fn lever(&self, target: &Target, curve: &Curve) -> Option<f64> {
        let Target::Node(node) = target else { return None };
        self.reach.get(node.index()).map(|reach| reach.of(curve)).filter(|lever| *lever > 0.0)
    }

    /// A property of this target is off by so much.
    pub fn add(&mut self, target: &Target, curve: &Curve, error: f64) {
        self.own = self.own.max(error);
        let Target::Node(node) = target else { return };
        if let (Some(lever), Some(length)) = (self.lever(target, curve), self.lengths.get_mut(node.index())) {
            *length += lever * error;
        }
    }

    /// How far any vertex is off, at most; where nothing is drawn, any bone by its own values.
    pub fn largest(&self) -> f32 {
        let largest = match self.body.is_bare() {
            true => self.own,
            false => self.body.ways(&self.lengths).into_iter().fold(0.0, f64::max) * self.body.weight(),
        };
        at_least(largest)
    }
}

/// The least single that is as large.
fn at_least(error: f64) -> f32 {
    let near = error.min(f64::from(f32::MAX)) as f32;
    if f64::from(near) < error { near.next_up().min(f32::MAX) } else { near }
}
