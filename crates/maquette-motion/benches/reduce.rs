//! Milliseconds to take keys out of a clip of 75 000: 125 bones, 300 frames, a translation and a rotation each; without a model, for several tolerances.
//! And one curve of as many keys, where the search has the longest ways to look along.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use maquette_motion::ops::{Tolerance, reduce};
use maquette_motion::{Curve, Keys, Motion};
use maquette_scene::glam::{DQuat, DVec3};
use std::time::Instant;

/// Numbers from -1 to 1 that are the same in every run.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 8) / f64::from(1 << 23) - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

/// A line that wanders smoothly.
fn wander(random: &mut Random, keys: usize) -> Vec<DVec3> {
    let (mut at, mut speed) = (DVec3::ZERO, DVec3::ZERO);
    let step = |_| {
        speed = speed * 0.95 + random.vector() * 0.005;
        at = at * 0.99 + speed;
        at
    };
    (0..keys).map(step).collect()
}

fn motion(bones: usize, keys: usize) -> Motion {
    let mut random = Random(1);
    let mut motion =
        Motion { duration_secs: keys as f64 / 30.0, frame_rate: Some(30.0), on_frames: true, ..Motion::default() };
    let secs = |key: usize| key as f64 / 30.0;
    for bone in 0..bones {
        let name = format!("bone{bone}");
        let line = wander(&mut random, keys);
        motion.push(
            &name,
            Curve::Translation(Keys::straight(line.iter().enumerate().map(|(key, value)| (secs(key), *value)))),
        );
        let turns = wander(&mut random, keys).into_iter().map(DQuat::from_scaled_axis).enumerate();
        motion.push(&name, Curve::Rotation(Keys::straight(turns.map(|(key, value)| (secs(key), value)))));
    }
    motion
}

fn main() {
    for (what, motion) in
        [("125 bones of 300 frames", motion(125, 300)), ("one bone of 37500 frames", motion(1, 37_500))]
    {
        for distance in [0.0, 1e-4, 1e-3, 1e-2, 1.0] {
            let asked = Tolerance { distance, at: Some(f64::max(0.1, 2.0 * distance)), drop_rest: false };
            let best = (0..5)
                .map(|_| {
                    let mut reduced = motion.clone();
                    let start = Instant::now();
                    reduce(&mut reduced, &asked, None, None).unwrap();
                    (start.elapsed().as_secs_f64() * 1e3, reduced.key_count())
                })
                .reduce(|one, other| if other.0 < one.0 { other } else { one })
                .unwrap();
            println!(
                "{what}, {} keys, tolerance {distance}: {:.0} ms, {} keys left",
                motion.key_count(),
                best.0,
                best.1
            );
        }
    }
}
