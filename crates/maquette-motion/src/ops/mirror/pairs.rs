//! Which joint of a skeleton is that of the other side: names propose, hierarchy and places decide.
//!
//! Tools number the joints of each side as they come, so that `arm_R_2` can be the image of `arm_L_3`. What hangs on the image of its parent, and is where the image of the joint would be, is it.

use super::Pose;
use super::sides::{Known, Sides, stem};
use crate::Rig;
use maquette_scene::glam::DVec3;

/// How much nearer, as a part of the size of the skeleton, one joint must be than another to be clearly nearer.
const CLEARLY: f64 = 0.02;
/// How far from its image, as a part of that size, a joint is hardly the one.
const FAR: f64 = 0.1;

/// For each joint the one of the other side.
pub(super) struct Pairs {
    pub others: Vec<Option<usize>>,
    /// Pairs that names tell otherwise.
    pub by_place: Vec<[String; 2]>,
    /// Pairs that names tell, where neither parents nor places agree.
    pub doubtful: Vec<[String; 2]>,
}

impl Pairs {
    pub fn of(pose: &Pose<'_>, axis: DVec3, sides: &Sides, known: &Known<'_>) -> Pairs {
        let rig = pose.rig;
        let swapped: Vec<String> = rig.joints.iter().map(|joint| sides.opposite(&joint.name, known)).collect();
        let mut work = Work {
            rig,
            image: Image::of(pose, axis, &swapped),
            swapped,
            is_decided: vec![false; rig.joints.len()],
            pairs: Pairs { others: vec![None; rig.joints.len()], by_place: Vec::new(), doubtful: Vec::new() },
        };
        for (index, joint) in rig.joints.iter().enumerate() {
            if let Some(other) = sides.named(&joint.name) {
                work.decide(index, rig.find(other).filter(|other| *other != index));
            }
        }
        for &index in rig.parents_first() {
            if !work.is_decided(index) {
                work.pair(index);
            }
        }
        work.pairs
    }
}

struct Work<'r> {
    rig: &'r Rig,
    image: Image,
    /// What the other side of each joint is called, or itself.
    swapped: Vec<String>,
    is_decided: Vec<bool>,
    pairs: Pairs,
}

impl Work<'_> {
    fn is_decided(&self, index: usize) -> bool {
        self.is_decided.get(index).copied().unwrap_or(true)
    }

    fn name(&self, index: usize) -> &str {
        self.rig.joints.get(index).map_or("", |joint| &joint.name)
    }

    fn swapped(&self, index: usize) -> &str {
        self.swapped.get(index).map_or("", String::as_str)
    }

    fn decide(&mut self, index: usize, other: Option<usize>) {
        for (one, another) in [(Some(index), other), (other, Some(index))] {
            let Some(one) = one else { continue };
            self.is_decided.get_mut(one).into_iter().for_each(|is_decided| *is_decided = true);
            self.pairs.others.get_mut(one).into_iter().for_each(|place| *place = another);
        }
    }

    /// Finds the other side of a joint that has one by its name.
    fn pair(&mut self, index: usize) {
        if self.swapped(index) == self.name(index) {
            return;
        }
        let named = self.rig.find(self.swapped(index)).filter(|other| !self.is_decided(*other) && *other != index);
        let mut hanging: Vec<(usize, f64)> =
            self.hanging_alike(index).into_iter().map(|other| (other, self.image.distance(index, other))).collect();
        hanging.sort_by(|(_, near), (_, far)| near.total_cmp(far));
        let clearly = CLEARLY * self.image.size;
        let far_of = |other: usize| hanging.iter().find(|(hanging, _)| *hanging == other).map(|(_, far)| *far);
        let nearest = hanging.first().copied();
        let is_clear = |far: f64| hanging.get(1).is_none_or(|(_, next)| *next > far + clearly);
        let chosen = match (nearest, named.map(|named| (named, far_of(named)))) {
            // Names hold, unless another is at the very place.
            (Some((best, far)), Some((named, Some(named_far)))) => {
                let another = named_far > far + clearly && far <= clearly && is_clear(far);
                Some(if another { best } else { named })
            }
            (Some((best, far)), _) if is_clear(far) => Some(best),
            (_, named) => named.map(|(named, _)| named),
        };
        let Some(other) = chosen else { return };
        let both = [self.name(index).to_owned(), self.name(other).to_owned()];
        if self.rig.find(self.swapped(index)).is_some_and(|named| named != other) {
            self.pairs.by_place.push(both);
        } else if far_of(other).is_none() && self.image.distance(index, other) > FAR * self.image.size {
            self.pairs.doubtful.push(both);
        }
        self.decide(index, Some(other));
    }

    /// Joints that are called like the other side of a joint, but for numbers, and hang on the other side of its parent.
    fn hanging_alike(&self, index: usize) -> Vec<usize> {
        let parent = |index: usize| self.rig.joints.get(index).and_then(|joint| joint.parent);
        let other_of = |index: usize| self.pairs.others.get(index).copied().flatten().unwrap_or(index);
        let (wanted, above) = (stem(self.swapped(index)), parent(index).map(other_of));
        let joints = 0..self.rig.joints.len();
        joints
            .filter(|other| *other != index && !self.is_decided(*other) && parent(*other) == above)
            .filter(|other| stem(self.name(*other)) == wanted)
            .collect()
    }
}

/// Where joints are, and where that is in the mirror.
struct Image {
    places: Vec<DVec3>,
    axis: DVec3,
    /// Where the mirror stands along the axis.
    at: f64,
    size: f64,
}

impl Image {
    fn of(pose: &Pose<'_>, axis: DVec3, swapped: &[String]) -> Image {
        let places = pose.places();
        let along = |index: usize| places.get(index).map(|place| place.dot(axis));
        let middle = |(index, other): (usize, &String)| {
            let other = pose.rig.find(other)?;
            let [one, another] = [along(index)?, along(other)?];
            (other != index).then(|| f64::midpoint(one, another))
        };
        let mut middles: Vec<f64> = swapped.iter().enumerate().filter_map(middle).collect();
        middles.sort_by(f64::total_cmp);
        let at = middles.get(middles.len() / 2).copied().unwrap_or(0.0);
        let lowest = places.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let highest = places.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let size = (highest - lowest).length();
        Image { places, axis, at, size: if size.is_finite() { size } else { 0.0 } }
    }

    /// How far a joint is from the image of another.
    fn distance(&self, index: usize, other: usize) -> f64 {
        let (Some(place), Some(there)) = (self.places.get(index), self.places.get(other)) else { return f64::INFINITY };
        let image = *place - 2.0 * self.axis * (place.dot(self.axis) - self.at);
        (image - *there).length()
    }
}
