//! The accounting itself: a report that is tampered with no longer accounts for what a conversion changed.

#![allow(clippy::unwrap_used, clippy::panic)]

mod accounting;

use accounting::{Converted, there_and_back, unnamed_between};
use maquette::Input;
use maquette::formats::format::BUILT_IN;
use maquette::scene::Scene;
use maquette::scene::loss::{Loss, LossKind, LossReport, Lost};

/// The sample with a second mesh and clip of other names, so that a loss can be that of the wrong one.
fn scene() -> Scene {
    let sample = maquette::sample::make("gltf", None).unwrap();
    let mut scene = Input::from_bytes("post.glb", sample.main).read(&Default::default()).unwrap().scene;
    let mut clip = scene.clips.iter().next().unwrap().clone();
    clip.name = "other".into();
    scene.clips.push(clip);
    let clip = scene.clips.iter_mut().next().unwrap();
    (clip.looped, clip.frame_rate) = (Some(true), Some(24.0));
    scene
}

fn converted(before: &Scene, format: &str) -> Converted {
    let format = BUILT_IN.by_id(format).unwrap();
    let dialect = format.dialects.first().unwrap().id;
    let name = format!("post.{}", format.ending_of(dialect));
    let converted = there_and_back(before, &name, format, dialect).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(unnamed_between(before, &converted.after, &converted.losses), [] as [String; 0], "{}", format.id);
    converted
}

/// The report with each loss changed, or without it.
fn tampered(losses: &LossReport, change: impl Fn(Loss) -> Option<Loss>) -> LossReport {
    let mut report = LossReport::default();
    for loss in losses.iter().cloned().filter_map(change) {
        report.push(loss.kind, loss.what, loss.subject, loss.detail, loss.count);
    }
    report
}

#[test]
fn a_loss_of_another_object_is_no_excuse() {
    let before = scene();
    let Converted { losses, after, .. } = converted(&before, "aem");
    let elsewhere = tampered(&losses, |mut loss| {
        loss.subject = loss.subject.replace("\"sway\"", "\"other\"").replace("clay", "mud");
        Some(loss)
    });
    let unnamed = unnamed_between(&before, &after, &elsewhere);
    for what in ["loop flags of \"clip \\\"sway\\\"\"", "frame rates of \"clip \\\"sway\\\"\"", "material names of"] {
        assert!(unnamed.iter().any(|found| found.starts_with(what)), "{what}: {unnamed:#?}");
    }
}

#[test]
fn a_loss_of_the_whole_is_no_excuse_for_what_is_an_objects_own() {
    let before = scene();
    let Converted { losses, after, .. } = converted(&before, "aem");
    let whole = tampered(&losses, |mut loss| {
        loss.subject = "the model".into();
        Some(loss)
    });
    let unnamed = unnamed_between(&before, &after, &whole);
    assert!(unnamed.iter().any(|found| found.starts_with("loop flags")), "{unnamed:#?}");
}

#[test]
fn an_error_larger_than_was_admitted_is_no_excuse() {
    let before = scene();
    for format in ["aem", "nlm", "pmdl", "bmw", "seanim", "pani"] {
        let Converted { losses, mut after, .. } = converted(&before, format);
        let exact = tampered(&losses, |mut loss| {
            if let LossKind::Approximated { max_error } = &mut loss.kind {
                *max_error /= 1000.0;
            }
            Some(loss)
        });
        // Whatever differs by approximation is not named any more, and what does not is.
        let is_approximate = |loss: &&Loss| matches!(loss.kind, LossKind::Approximated { .. });
        let unnamed = unnamed_between(&before, &after, &exact);
        assert!(unnamed.is_empty() || losses.iter().any(|loss| is_approximate(&loss)), "{format}: {unnamed:#?}");
        // A clip that ends a second late is not one that ends a hundredth late.
        after.clips.iter_mut().for_each(|clip| clip.duration_secs += 1.0);
        let mut late = losses.clone();
        for name in ["clip \"sway\"", "clip \"other\""] {
            late.push(LossKind::Approximated { max_error: 0.01 }, Lost::Durations, name, "it ends late", 1);
        }
        let unnamed = unnamed_between(&before, &after, &late);
        assert!(unnamed.iter().any(|found| found.starts_with("durations")), "{format}: {unnamed:#?}");
    }
}

#[test]
fn a_count_smaller_than_what_is_gone_is_no_excuse() {
    let before = scene();
    let Converted { losses, after, .. } = converted(&before, "pani");
    let fewer = tampered(&losses, |mut loss| {
        loss.count = loss.count.min(1);
        Some(loss)
    });
    let unnamed = unnamed_between(&before, &after, &fewer);
    assert!(unnamed.iter().any(|found| found.starts_with("bone names")), "{unnamed:#?}");
}

#[test]
fn most_losses_are_needed() {
    let before = scene();
    for format in ["aem", "nlm", "pmdl", "bmw", "seanim", "pani", "pmat"] {
        let Converted { losses, after, .. } = converted(&before, format);
        let kinds: std::collections::BTreeSet<String> = losses.iter().map(|loss| loss.what.to_string()).collect();
        let is_needed = |kind: &&String| {
            let rest = tampered(&losses, |loss| (loss.what.to_string() != **kind).then_some(loss));
            !unnamed_between(&before, &after, &rest).is_empty()
        };
        let needed: Vec<&String> = kinds.iter().filter(is_needed).collect();
        assert!(!needed.is_empty() && 3 * needed.len() >= kinds.len(), "{format}: of {kinds:?} only {needed:?}");
    }
}
