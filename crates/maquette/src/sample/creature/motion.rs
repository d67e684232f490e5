//! What it does: it walks in place, waits, and jumps.

use super::maths::{bump, smooth, spline, wave};
use super::pose::{LEGS, Pose};
use super::skeleton::Joint;
use maquette_scene::Handle;
use maquette_scene::clip::{Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette_scene::glam::{DQuat, DVec3};
use maquette_scene::scene::Node;

/// Keys a second.
const RATE: u32 = 24;
/// Keys a second of what goes slowly.
const SLOW: u32 = 12;

/// The nodes that clips move.
pub struct Moved {
    pub joints: Vec<Handle<Node>>,
    /// Its shape is a breath.
    pub body: Handle<Node>,
    /// Its shape is a blink.
    pub face: Handle<Node>,
}

pub fn clips(moved: &Moved) -> [Clip; 3] {
    [
        Clip { looped: Some(true), events: footsteps(), ..clip("walk", RATE, 24, moved, walk) },
        Clip { looped: Some(true), ..clip("idle", SLOW, 36, moved, idle) },
        Clip {
            looped: Some(false),
            events: vec![event(TAKE_OFF * 1.25, "take_off"), event(LANDING * 1.25, "land")],
            ..clip("jump", RATE, 30, moved, jump)
        },
    ]
}

fn event(secs: f64, name: &str) -> Event {
    Event { time_secs: secs as f32, name: name.to_owned() }
}

/// When each foot comes down, as a part of the walk: legs across from each other together, nearly.
const STEPS: [f64; 4] = [0.0, 0.5, 0.56, 0.06];
/// How much of the walk a foot is on the ground.
const STANCE: f64 = 0.62;

fn footsteps() -> Vec<Event> {
    let mut events: Vec<Event> =
        LEGS.iter().zip(STEPS).map(|([.., foot], step)| event(step, &format!("step_{}", foot.name()))).collect();
    events.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    events
}

/// From side to side like a newt, the head straight ahead.
fn walk(part: f64) -> Pose {
    let mut pose = Pose::default();
    let sway = wave(part + 0.08);
    pose.hips = DVec3::new(0.010 * sway, -0.014 + 0.006 * wave(2.0 * part + 0.2), 0.0);
    pose.turn(Joint::Hips, DVec3::Y, 8.0 * sway);
    pose.turn(Joint::Hips, DVec3::Z, 2.5 * sway);
    pose.turn(Joint::Spine, DVec3::Y, -9.0 * sway);
    pose.turn(Joint::Chest, DVec3::Y, -7.0 * sway);
    pose.turn(Joint::Neck, DVec3::Y, 4.5 * sway);
    pose.turn(Joint::Head, DVec3::Y, 4.0 * sway);
    pose.turn(Joint::Head, DVec3::X, 2.0 * wave(2.0 * part));
    pose.turn(Joint::Head, DVec3::Z, -2.5 * wave(part));
    for (at, joint) in Joint::TAIL.into_iter().enumerate() {
        pose.turn(joint, DVec3::Y, (8.0 + 2.5 * at as f64) * wave(part + 0.08 - 0.13 * (at as f64 + 1.0)));
    }
    flutter(&mut pose, 2.0 * part, 7.0);
    pose.turn(Joint::Bell, DVec3::X, 16.0 * wave(2.0 * part + 0.35));
    pose.turn(Joint::Bell, DVec3::Z, 10.0 * wave(part + 0.6));
    for (leg, down) in LEGS.into_iter().zip(STEPS) {
        let since = part - down - libm::floor(part - down);
        let swing = ((since - STANCE) / (1.0 - STANCE)).max(0.0);
        let ahead = if swing == 0.0 { 1.0 - 2.0 * since / STANCE } else { 2.0 * smooth(0.0, 1.0, swing) - 1.0 };
        let lift = 0.055 * bump(0.45, 0.55, swing) * if swing == 0.0 { 0.0 } else { 1.0 };
        let foot = leg[2].place() + DVec3::new(0.0, lift, 0.062 * ahead);
        pose.reach(leg, foot, super::maths::turn(DVec3::X, 260.0 * lift));
    }
    pose
}

/// It breathes, looks about, blinks twice and moves its tail.
fn idle(part: f64) -> Pose {
    let mut pose = Pose::default();
    pose.breath = 0.5 - 0.5 * wave(2.0 * part + 0.25);
    pose.blink = bump(0.40, 0.045, part).max(bump(0.52, 0.045, part));
    pose.hips = DVec3::new(0.0, 0.006 * (pose.breath - 0.5) - 0.003, 0.0);
    pose.turn(Joint::Chest, DVec3::X, -2.0 * pose.breath);
    let look =
        smooth(0.05, 0.22, part) * smooth(0.60, 0.45, part) - 0.7 * smooth(0.60, 0.74, part) * smooth(0.96, 0.84, part);
    pose.turn(Joint::Neck, DVec3::Y, 8.0 * look);
    pose.turn(Joint::Head, DVec3::Y, 14.0 * look);
    pose.turn(Joint::Head, DVec3::Z, 9.0 * look);
    pose.turn(Joint::Head, DVec3::X, 2.0 * pose.breath);
    for (at, joint) in Joint::TAIL.into_iter().enumerate() {
        pose.turn(joint, DVec3::Y, (5.0 + 3.5 * at as f64) * wave(part - 0.10 * at as f64));
        pose.turn(joint, DVec3::X, 3.0 * wave(2.0 * part - 0.12 * at as f64));
    }
    flutter(&mut pose, 2.0 * part, 9.0);
    pose.turn(Joint::Bell, DVec3::Z, 5.0 * wave(2.0 * part + 0.1));
    LEGS.into_iter().for_each(|leg| pose.reach(leg, leg[2].place(), DQuat::IDENTITY));
    pose
}

fn flutter(pose: &mut Pose, part: f64, degrees: f64) {
    for (joint, side) in [(Joint::GillL, 1.0), (Joint::GillR, -1.0)] {
        pose.turn(joint, DVec3::Y, side * degrees * wave(part));
        pose.turn(joint, DVec3::Z, side * degrees * 0.6 * wave(part + 0.2));
    }
}

const TAKE_OFF: f64 = 0.30;
const LANDING: f64 = 0.70;

/// At each tenth of the jump: how low the body is, how far its nose is up in degrees, and how far legs are drawn in.
const JUMP: [[f64; 3]; 11] = [
    [0.000, 0.0, 0.0],
    [-0.040, 0.5, 0.0],
    [-0.062, 2.0, 0.0],
    [-0.010, 9.0, 0.0],
    [0.012, 14.0, 0.75],
    [0.000, 2.0, 1.0],
    [0.000, -9.0, 0.8],
    [-0.005, -4.0, 0.0],
    [-0.062, 2.0, 0.0],
    [-0.030, 2.0, 0.0],
    [0.000, 0.0, 0.0],
];

/// It crouches, leaps and lands; the root goes up with it.
fn jump(part: f64) -> Pose {
    let mut pose = Pose::default();
    let [low, nose, drawn_in] = spline(&JUMP, part * 10.0);
    let flight = ((part - TAKE_OFF) / (LANDING - TAKE_OFF)).clamp(0.0, 1.0);
    pose.root = DVec3::new(0.0, 0.42 * 4.0 * flight * (1.0 - flight), 0.0);
    pose.hips = DVec3::new(0.0, low, 0.0);
    pose.turn(Joint::Hips, DVec3::X, -nose);
    pose.turn(Joint::Spine, DVec3::X, 0.2 * nose);
    pose.turn(Joint::Neck, DVec3::X, 0.3 * nose);
    pose.turn(Joint::Head, DVec3::X, 0.3 * nose);
    for (at, joint) in Joint::TAIL.into_iter().enumerate() {
        let [_, late, _] = spline(&JUMP, part * 10.0 - 0.6 - 0.25 * at as f64);
        pose.turn(joint, DVec3::X, late * 0.8);
    }
    for (joint, side) in [(Joint::GillL, 1.0), (Joint::GillR, -1.0)] {
        let speed = if flight > 0.0 && flight < 1.0 { 1.0 - 2.0 * flight } else { 0.0 };
        pose.turn(joint, DVec3::Z, -side * 26.0 * speed * bump(0.5, 0.5, flight).min(0.6));
    }
    pose.turn(Joint::Bell, DVec3::X, -2.0 * nose);
    pose.blink = 0.8 * bump(LANDING + 0.05, 0.09, part);
    let in_air = bump(0.5, 0.5, flight) * drawn_in.clamp(0.0, 1.0);
    for leg in LEGS {
        let (foot, hip) = (leg[2].place(), leg[0].place());
        let tucked = foot + DVec3::new(-0.02 * foot.x.signum(), 0.085, 0.35 * (hip.z - foot.z) - 0.03);
        pose.reach(leg, pose.root + foot + (tucked - foot) * in_air, super::maths::turn(DVec3::X, 30.0 * in_air));
    }
    pose
}

/// A clip of so many frames at a rate, from poses at parts of it.
fn clip(name: &str, rate: u32, frames: u32, moved: &Moved, pose: impl Fn(f64) -> Pose) -> Clip {
    let poses: Vec<Pose> = (0..=frames).map(|frame| pose(f64::from(frame) / f64::from(frames))).collect();
    let times: Vec<f32> = (0..=frames).map(|frame| frame as f32 / rate as f32).collect();
    let mut tracks = Vec::new();
    let mut add =
        |node: Handle<Node>, curve: Curve| tracks.push(Track { target: Target::Node(node), curve, blend: None });
    for (joint, node) in Joint::ALL.into_iter().zip(&moved.joints) {
        let shift = |pose: &Pose| match joint {
            Joint::Root => pose.root,
            Joint::Hips => pose.hips,
            _ => DVec3::ZERO,
        };
        if poses.iter().any(|pose| shift(pose) != DVec3::ZERO) {
            let rest = joint.place() - joint.parent().place();
            let values = poses.iter().map(|pose| (rest + shift(pose)).as_vec3().to_array()).collect();
            add(*node, Curve::Translation(keys(&times, values)));
        }
        if poses.iter().any(|pose| pose.rotation(joint) != DQuat::IDENTITY) {
            add(*node, Curve::Rotation(keys(&times, rotations(poses.iter().map(|pose| pose.rotation(joint))))));
        }
    }
    for (node, weight) in [(moved.body, (|pose| pose.breath) as fn(&Pose) -> f64), (moved.face, |pose| pose.blink)] {
        if poses.iter().any(|pose| weight(pose) != 0.0) {
            let values = poses.iter().map(|pose| vec![weight(pose) as f32]).collect();
            add(node, Curve::MorphWeights(keys(&times, values)));
        }
    }
    let duration_secs = f64::from(frames) / f64::from(rate);
    Clip { name: name.to_owned(), duration_secs, tracks, frame_rate: Some(rate as f32), ..Clip::default() }
}

fn keys<T>(times: &[f32], values: Vec<T>) -> Keys<T> {
    Keys { times_secs: times.to_vec(), values, interpolation: Interpolation::Linear }
}

/// Each in the half of all quaternions where the one before it is.
fn rotations(turns: impl Iterator<Item = DQuat>) -> Vec<[f32; 4]> {
    let mut before = DQuat::IDENTITY;
    let near = |turn: DQuat| {
        before = if turn.dot(before) < 0.0 { -turn } else { turn };
        before.to_array().map(|part| part as f32)
    };
    turns.map(near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_ends_as_it_began_and_feet_on_the_ground_stay_there() {
        for pose in [walk as fn(f64) -> Pose, idle] {
            let [start, end] = [pose(0.0), pose(1.0)];
            assert!(Joint::ALL.iter().all(|joint| start.rotation(*joint).angle_between(end.rotation(*joint)) < 1e-5));
            assert!(start.hips.distance(end.hips) < 1e-9 && start.root == DVec3::ZERO);
        }
        for step in 0..=96 {
            let part = f64::from(step) / 96.0;
            for (leg, down) in LEGS.into_iter().zip(STEPS) {
                let foot = leg[2];
                let low = walk(part).placed(foot).0.y - foot.place().y;
                let is_down = (part - down).rem_euclid(1.0) < STANCE;
                assert!(if is_down { low.abs() < 1e-6 } else { low > -1e-6 }, "{foot:?} at {part}: {low}");
                assert!(idle(part).placed(foot).0.distance(foot.place()) < 1e-6, "{foot:?} at {part}");
                let jumped = jump(part).placed(foot).0;
                let is_flying = part > TAKE_OFF && part < LANDING;
                assert!(is_flying || jumped.distance(foot.place()) < 1e-3, "{foot:?} at {part}: {jumped}");
            }
        }
        assert!(jump(0.5).root.y > 0.4 && jump(1.0).root == DVec3::ZERO);
    }
}
