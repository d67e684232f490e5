//! Nanoseconds for each joint of a full palette: going on, and from anywhere to anywhere; vertices a second; and a crowd.
//!
//! Clips move translation, rotation and scale of every joint. `together`: all keys at the same moments, as exporters write them; `apart`: each track at
//! moments of its own, as they are after keys were taken out.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use glam::{Mat4, Quat, Vec3};
use maquette_anim::Transform;
use maquette_anim::clip::{Builder, Clip, Cursor, Interpolation};
use maquette_anim::crowd::{Crowd, Instance};
use maquette_anim::skeleton::{Joint, Skeleton};
use maquette_anim::skinning::{Skinned, Vertices, skin};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::time::Instant;

/// Numbers from 0 to 1 that are the same in every run.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

const KEYS_A_SECOND: f32 = 30.0;
const FRAME_SECS: f32 = 1.0 / 60.0;

fn clip(joints: u32, keys_a_joint: u32, is_together: bool) -> Clip {
    let keys = keys_a_joint / 3;
    let mut random = Random(1);
    let mut builder = Builder::new("", keys as f32 / KEYS_A_SECOND);
    for joint in 0..joints {
        let mut times = || -> Vec<f32> {
            let shift = if is_together { 0.0 } else { random.next() * 0.5 / KEYS_A_SECOND };
            (0..keys).map(|key| shift + key as f32 / KEYS_A_SECOND).collect()
        };
        let [moved, turned, scaled] = [times(), times(), times()];
        let places: Vec<Vec3> = (0..keys).map(|_| random.vector()).collect();
        let turns: Vec<Quat> = (0..keys).map(|key| Quat::from_rotation_x(0.1 * (key as f32 + random.next()))).collect();
        let sizes: Vec<Vec3> = (0..keys).map(|_| Vec3::ONE + 0.1 * random.vector()).collect();
        builder.translation(joint, Interpolation::Linear, &moved, &places);
        builder.rotation(joint, Interpolation::Linear, &turned, &turns);
        builder.scale(joint, Interpolation::Linear, &scaled, &sizes);
    }
    builder.build().unwrap()
}

fn skeleton(joints: u32) -> Skeleton {
    let joint = |index: u32| Joint {
        name: String::new(),
        parent: (index > 0).then(|| (index - 1) / 2),
        rest: Transform::IDENTITY,
    };
    Skeleton::new((0..joints).map(joint)).unwrap()
}

/// The best of several rounds, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    let rounds = (0..7).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    });
    rounds.fold(f64::MAX, f64::min)
}

fn play(joints: u32, keys: u32, is_together: bool) {
    let (skeleton, clip) = (skeleton(joints), clip(joints, keys, is_together));
    let bound = vec![Mat4::IDENTITY; joints as usize];
    let mut pose = skeleton.rest().to_vec();
    let (mut model, mut palette) = (bound.clone(), bound.clone());
    let mut cursor = Cursor::new(&clip);
    let duration = clip.duration_secs();
    let frames = 1_000_000 / joints;
    let mut run = |mut secs: Box<dyn FnMut() -> f32>| {
        let seconds = best(|| {
            for _ in 0..frames {
                clip.sample(&mut cursor, secs(), &mut pose);
                skeleton.palette(&bound, &pose, &mut model, &mut palette);
            }
            black_box(&palette);
        });
        seconds * 1e9 / f64::from(frames * joints)
    };
    let mut now = 0.0;
    let going_on = run(Box::new(move || {
        now = (now + FRAME_SECS) % duration;
        now
    }));
    let mut random = Random(7);
    let anywhere = run(Box::new(move || random.next() * duration));
    let keys_lie = if is_together { "together" } else { "apart" };
    println!("{joints:6} joints {keys:5} keys {keys_lie:8}  going on {going_on:6.1} ns   anywhere {anywhere:6.1} ns");
}

fn skinning() {
    const VERTICES: usize = 4096;
    let mut random = Random(3);
    let palette: Vec<Mat4> = (0..67).map(|_| Mat4::from_rotation_x(random.next())).collect();
    let positions: Vec<[f32; 3]> = (0..VERTICES).map(|_| random.vector().into()).collect();
    let joints: Vec<[u16; 4]> = (0..VERTICES).map(|_| std::array::from_fn(|_| (random.next() * 67.0) as u16)).collect();
    let weights = vec![[0.4, 0.3, 0.2, 0.1]; VERTICES];
    let tangents = vec![[1.0, 0.0, 0.0, 1.0]; VERTICES];
    let vertices = Vertices {
        positions: &positions,
        normals: &positions,
        tangents: &tangents,
        joints: &joints,
        weights: &weights,
    };
    let (mut moved, mut normals, mut turned) = (positions.clone(), positions.clone(), tangents.clone());
    let mut millions = |name: &str, has_normals: bool, has_tangents: bool| {
        let mut skinned = Skinned {
            positions: &mut moved,
            normals: if has_normals { &mut normals } else { &mut [] },
            tangents: if has_tangents { &mut turned } else { &mut [] },
        };
        let seconds = best(|| (0..100).for_each(|_| skin(&palette, &vertices, &mut skinned)));
        println!("skinning {name}: {:.0} million vertices a second", (100 * VERTICES) as f64 / seconds / 1e6);
    };
    millions("positions", false, false);
    millions("positions and normals", true, false);
    millions("positions, normals and tangents", true, true);
}

fn crowd() {
    let (skeleton, clips) = (skeleton(67), [clip(67, 144, true)]);
    let bound = vec![Mat4::IDENTITY; 67];
    let crowd = Crowd { skeleton: &skeleton, clips: &clips, joint_from_mesh: &bound };
    for count in [1000, 10_000] {
        let mut instances: Vec<Instance> = (0..count).map(|it| Instance::new(0, it as f32 % 1.5)).collect();
        let mut palettes = vec![Mat4::IDENTITY; 67 * count];
        for threads in [1, 2] {
            let seconds = best(|| {
                instances.iter_mut().for_each(|it| it.time_secs = (it.time_secs + FRAME_SECS) % 1.5);
                crowd.palettes(&mut instances, &mut palettes, NonZeroUsize::new(threads));
            });
            println!("crowd of {count:5} on {threads} threads: {:.2} ms", seconds * 1e3);
        }
    }
}

fn main() {
    for joints in [19, 67, 368, 1007] {
        for keys in [6, 144, 4000] {
            play(joints, keys, true);
            play(joints, keys, false);
        }
    }
    skinning();
    crowd();
}
