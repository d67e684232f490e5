//! Mixing two clips of one joint: one along x, one along y.

use super::*;
use crate::clip::{Builder, Interpolation};
use crate::skeleton::Joint;
use glam::{Quat, Vec3};

fn skeleton() -> Skeleton {
    let joint = |name: &str, parent| Joint { name: name.into(), parent, rest: Transform::IDENTITY };
    Skeleton::new([joint("root", None), joint("tip", Some(0))]).unwrap()
}

fn clips() -> Vec<Clip> {
    let clip = |to: Vec3, turn: f32| {
        let mut builder = Builder::new("", 2.0);
        for joint in 0..2 {
            builder.translation(joint, Interpolation::Linear, &[0.0, 2.0], &[Vec3::ZERO, to]);
            builder.rotation(joint, Interpolation::Step, &[0.0], &[Quat::from_rotation_z(turn)]);
        }
        builder.event(0.0, "start");
        builder.event(1.5, "late");
        builder.build().unwrap()
    };
    vec![clip(Vec3::X, 0.0), clip(Vec3::Y, 1.0)]
}

fn mixer(weights: [f32; 2]) -> (Skeleton, Vec<Clip>, Mixer) {
    let (skeleton, clips) = (skeleton(), clips());
    let mut mixer = Mixer::new(&skeleton, &clips, 2);
    for ((clip, channel), weight) in mixer.channels_mut().iter_mut().enumerate().zip(weights) {
        *channel = Channel { clip, is_playing: true, is_looping: true, weight, ..Channel::default() };
    }
    (skeleton, clips, mixer)
}

fn near(seen: Transform, place: Vec3, turn: f32) {
    assert!(Vec3::from(seen.translation).distance(place) < 1e-6, "{seen:?}");
    assert!(seen.rotation.angle_between(Quat::from_rotation_z(turn)) < 1e-3, "{seen:?}");
}

#[test]
fn channels_share_by_their_weights() {
    for scale in [1.0, 0.01, 50.0] {
        let (skeleton, clips, mut mixer) = mixer([3.0 * scale, scale]);
        let mut pose = [Transform::IDENTITY; 2];
        mixer.update(&skeleton, &clips, 1.0, &mut pose);
        near(pose[0], Vec3::new(0.375, 0.125, 0.0), 0.25);
    }
    let (skeleton, clips, mut mixer) = mixer([0.0, 0.0]);
    let mut pose = [Transform { translation: Vec3::ONE.into(), ..Transform::IDENTITY }; 2];
    mixer.update(&skeleton, &clips, 1.0, &mut pose);
    assert_eq!(pose, [Transform::IDENTITY; 2], "what nothing moves rests");
}

#[test]
fn a_mask_gives_joints_a_part() {
    let (skeleton, clips, mut mixer) = mixer([1.0, 1.0]);
    mixer.channels_mut()[1].mask = Some(vec![1.0]);
    let mut pose = [Transform::IDENTITY; 2];
    mixer.update(&skeleton, &clips, 1.0, &mut pose);
    near(pose[0], Vec3::new(0.25, 0.25, 0.0), 0.5);
    near(pose[1], Vec3::new(0.5, 0.0, 0.0), 0.0);
}

#[test]
fn additive_layers_come_on_top() {
    let (skeleton, clips, mut mixer) = mixer([1.0, 0.5]);
    mixer.channels_mut()[1].layer = Layer::Additive;
    let mut pose = [Transform::IDENTITY; 2];
    mixer.update(&skeleton, &clips, 1.0, &mut pose);
    near(pose[0], Vec3::new(0.5, 0.25, 0.0), 0.5);
}

#[test]
fn a_difference_added_to_its_base_gives_the_whole() {
    let base = Transform {
        translation: Vec3::ONE.into(),
        rotation: Quat::from_rotation_x(1.0),
        scale: Vec3::splat(2.0).into(),
    };
    let whole = Transform {
        translation: Vec3::Y.into(),
        rotation: Quat::from_rotation_y(2.0),
        scale: Vec3::new(1.0, 3.0, 0.5).into(),
    };
    let again = base.with_added(&whole.difference_from(&base), 1.0);
    assert!(again.translation.distance(whole.translation) < 1e-6 && again.scale.distance(whole.scale) < 1e-6);
    assert!(again.rotation.dot(whole.rotation).abs() > 1.0 - 1e-6);
    assert_eq!(base.with_added(&whole.difference_from(&base), 0.0), base);
}

#[test]
fn a_fade_takes_from_the_others_what_it_gives() {
    for easing in [Easing::Linear, Easing::Smooth, Easing::Smoother] {
        let (_, clips, mut mixer) = mixer([1.0, 0.0]);
        mixer.fade_to(1, 2.0, easing);
        for step in 1..=8 {
            mixer.advance(&clips, 0.25);
            let eased = easing.ease(step as f32 / 8.0);
            let [from, to] = [0, 1].map(|channel: usize| mixer.channels()[channel].weight);
            assert!((to - eased).abs() < 1e-6 && (from - (1.0 - eased)).abs() < 1e-6, "{easing:?} {step}: {from} {to}");
            assert_eq!(mixer.is_fading(), step < 8);
        }
        mixer.cut_to(0);
        assert_eq!([0, 1].map(|channel: usize| mixer.channels()[channel].weight), [1.0, 0.0]);
    }
    let (_, clips, mut mixer) = mixer([1.0, 0.0]);
    mixer.fade_to(1, 0.0, Easing::Smooth);
    mixer.advance(&clips, 0.001);
    assert_eq!([0, 1].map(|channel: usize| mixer.channels()[channel].weight), [0.0, 1.0]);
    assert_eq!([0.0, 0.5, 1.0].map(|t| Easing::Smoother.ease(t)), [0.0, 0.5, 1.0]);
}

#[test]
fn time_runs_round_or_stays_at_the_end() {
    let (_, clips, mut mixer) = mixer([1.0, 1.0]);
    mixer.channels_mut()[1].is_looping = false;
    mixer.advance(&clips, 5.0);
    assert_eq!([0, 1].map(|channel: usize| mixer.channels()[channel].time_secs), [1.0, 2.0]);
    assert_eq!(mixer.played(0).map(|stretch| stretch.seams), Some(2));
    mixer.channels_mut().iter_mut().for_each(|channel| channel.speed = -1.0);
    mixer.advance(&clips, 3.5);
    assert_eq!([0, 1].map(|channel: usize| mixer.channels()[channel].time_secs), [1.5, 0.0]);
    mixer.channels_mut()[0].is_playing = false;
    mixer.advance(&clips, f32::NAN);
    assert_eq!((mixer.channels()[0].time_secs, mixer.played(0)), (1.5, None));
}

#[test]
fn events_are_told_once_and_across_the_seam() {
    let (_, clips, mut mixer) = mixer([1.0, 0.0]);
    let mut told = |delta: f32| {
        mixer.advance(&clips, delta);
        mixer.events(&clips).map(|(channel, event)| format!("{channel} {}", event.name)).collect::<Vec<_>>()
    };
    assert_eq!(told(1.0), ["0 start"], "nothing was told before");
    assert_eq!(told(0.5), ["0 late"]);
    assert_eq!(told(0.25), [""; 0]);
    assert_eq!(told(0.5), ["0 start"], "over the seam");
    assert_eq!(told(4.0), ["0 late", "0 start", "0 late", "0 start"]);
    assert_eq!(told(-0.5), ["0 start"], "backwards over the seam");
    assert_eq!(told(-0.5), ["0 late"]);
    mixer.channels_mut()[0] = Channel { speed: 1.0, time_secs: 0.0, ..mixer.channels()[0].clone() };
    mixer.advance(&clips, 0.0);
    mixer.advance(&clips, 0.1);
    assert_eq!(mixer.events(&clips).count(), 1, "it was set back, and begins anew");
    mixer.advance(&clips, 0.1);
    assert_eq!(mixer.events(&clips).count(), 0);
}

#[test]
fn morph_weights_are_shared_and_added() {
    let skeleton = skeleton();
    let clip = |weights: &[f32]| {
        let mut builder = Builder::new("", 1.0);
        builder.morph_weights(3, Interpolation::Linear, &[0.0], weights);
        builder.build().unwrap()
    };
    let clips = [clip(&[1.0, 0.0]), clip(&[0.0, 2.0]), Clip::default()];
    let mut mixer = Mixer::new(&skeleton, &clips, 3);
    let mut mixed = |channels: [(usize, f32, Layer); 3]| {
        for (channel, (clip, weight, layer)) in mixer.channels_mut().iter_mut().zip(channels) {
            *channel = Channel { clip, weight, layer, ..Channel::default() };
        }
        mixer.update(&skeleton, &clips, 0.0, &mut [Transform::IDENTITY; 2]);
        let mut weights = [0.5, 0.25];
        mixer.morph_weights(&clips, 3, &mut weights);
        weights
    };
    let (base, additive) = (Layer::Base, Layer::Additive);
    assert_eq!(mixed([(0, 0.0, base); 3]), [0.5, 0.25], "nothing plays");
    assert_eq!(mixed([(0, 3.0, base), (1, 1.0, base), (2, 0.0, base)]), [0.75, 0.5]);
    assert_eq!(mixed([(0, 1.0, base), (2, 1.0, base), (2, 0.0, base)]), [0.75, 0.125], "one of them leaves it at rest");
    assert_eq!(mixed([(0, 1.0, base), (1, 0.5, additive), (2, 1.0, additive)]), [1.0, 1.0]);
}
