//! Clips whose values are relative to the rest pose, made absolute for formats that hold nothing else.

use maquette_scene::Scene;
use maquette_scene::clip::{Blend, Target, Track};
use maquette_scene::compose;
use maquette_scene::loss::{LossKind, LossReport, Lost, subject};
use maquette_scene::scene::Trs;

/// Composes every relative track with the rest pose of its node.
///
/// A track that knows its bone by name alone has no rest pose to be composed with; its values stay as they are, and mean something else.
pub fn make_absolute(scene: &mut Scene, losses: &mut LossReport) {
    let rest: Vec<Trs> = scene.nodes.iter().map(|node| node.transform.trs()).collect();
    for (index, clip) in scene.clips.iter_mut().enumerate() {
        let (mut composed, mut unknown) = (0, 0);
        let is_additive = |track: &Track| {
            track.blend.unwrap_or(clip.blend) == Blend::Additive && matches!(track.target, Target::Node(_))
        };
        if clip.blend == Blend::Additive && clip.tracks.iter().all(is_additive) {
            clip.composed_from = Some(Blend::Additive);
        }
        for track in &mut clip.tracks {
            let blend = track.blend.take().unwrap_or(clip.blend);
            if blend == Blend::Absolute {
                continue;
            }
            match &track.target {
                Target::Node(node) => {
                    let rest = rest.get(node.index()).copied().unwrap_or(Trs::IDENTITY);
                    compose::make_absolute(&mut track.curve, blend, &rest);
                    composed += 1;
                }
                Target::Name(_) => unknown += 1,
            }
        }
        clip.blend = Blend::Absolute;
        let whose = subject("clip", index, &clip.name);
        let detail = "values relative to the rest pose are composed with it";
        losses.push(LossKind::Baked, Lost::Blending, &whose, detail, composed);
        let detail = "values relative to a rest pose that is not known are taken as absolute";
        losses.dropped(Lost::Blending, whose, detail, unknown);
    }
}

/// Gives clips that were additive their values back, for formats that can say so.
pub fn take_apart(scene: &mut Scene) {
    let rest: Vec<Trs> = scene.nodes.iter().map(|node| node.transform.trs()).collect();
    for clip in scene.clips.iter_mut() {
        let is_node = |track: &Track| matches!(track.target, Target::Node(_)) && track.blend.is_none();
        let was_additive = clip.composed_from.take() == Some(Blend::Additive);
        if !(was_additive && clip.blend == Blend::Absolute && clip.tracks.iter().all(is_node)) {
            continue;
        }
        clip.blend = Blend::Additive;
        for track in &mut clip.tracks {
            if let Target::Node(node) = &track.target {
                compose::make_additive(&mut track.curve, rest.get(node.index()).unwrap_or(&Trs::IDENTITY));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::clip::{Clip, Curve, Interpolation, Keys};
    use maquette_scene::glam::{Quat, Vec3};
    use maquette_scene::pose;
    use maquette_scene::scene::{Node, Transform};

    fn turned() -> Trs {
        Trs { translation: Vec3::new(0.0, 2.0, 0.0), rotation: Quat::from_rotation_z(0.7), scale: Vec3::ONE }
    }

    fn moving(blend: Blend) -> Scene {
        let mut scene = Scene::default();
        let node = scene.nodes.push(Node { transform: Transform::Trs(turned()), ..Node::default() });
        scene.roots.push(node);
        let times_secs = vec![0.0, 1.0];
        let moved = Keys {
            times_secs: times_secs.clone(),
            values: vec![[1.0, 0.0, 0.0], [0.0, 3.0, 0.0]],
            interpolation: Interpolation::Linear,
        };
        let turn = Keys {
            times_secs,
            values: [0.0, 0.9].map(|angle| Quat::from_rotation_x(angle).to_array()).to_vec(),
            interpolation: Interpolation::Linear,
        };
        let curves = [Curve::Translation(moved), Curve::Rotation(turn)];
        let tracks = curves.map(|curve| Track { target: Target::Node(node), curve, blend: None }).to_vec();
        scene.clips.push(Clip { tracks, blend, duration_secs: 1.0, ..Clip::default() });
        scene
    }

    #[test]
    fn a_clip_moves_as_before_whatever_its_kind() {
        for blend in [Blend::Absolute, Blend::Relative, Blend::Additive, Blend::Delta] {
            let before = moving(blend);
            let mut after = before.clone();
            let mut losses = LossReport::default();
            make_absolute(&mut after, &mut losses);
            assert_eq!(losses.names(Lost::Blending), blend != Blend::Absolute, "{blend:?}");
            let clip = |scene: &Scene| scene.clips.iter().next().unwrap().clone();
            assert_eq!(clip(&after).blend, Blend::Absolute);
            let mut apart = after.clone();
            take_apart(&mut apart);
            assert_eq!(clip(&apart).blend == Blend::Additive, blend == Blend::Additive, "{blend:?}");
            assert!(
                pose::locals(&apart, &clip(&apart), 0.3)[0]
                    .abs_diff_eq(pose::locals(&after, &clip(&after), 0.3)[0], 1e-6)
            );
            for secs in [0.0, 0.3, 1.0] {
                let (from, to) =
                    (pose::locals(&before, &clip(&before), secs), pose::locals(&after, &clip(&after), secs));
                assert!(from[0].abs_diff_eq(to[0], 1e-6), "{blend:?} at {secs}");
            }
        }
    }

    #[test]
    fn a_track_with_a_blend_of_its_own_moves_as_before() {
        let mut before = moving(Blend::Absolute);
        let clip = before.clips.iter_mut().next().unwrap();
        clip.tracks.iter_mut().for_each(|track| track.blend = Some(Blend::Additive));
        let mut after = before.clone();
        make_absolute(&mut after, &mut LossReport::default());
        let local = |scene: &Scene| pose::locals(scene, scene.clips.iter().next().unwrap(), 0.3)[0];
        assert!(local(&before).abs_diff_eq(local(&after), 1e-6));
        assert!(after.clips.iter().flat_map(|clip| &clip.tracks).all(|track| track.blend.is_none()));
    }

    #[test]
    fn bones_known_by_name_alone_are_told_apart() {
        let mut scene = moving(Blend::Additive);
        let clip = scene.clips.iter_mut().next().unwrap();
        clip.tracks.iter_mut().for_each(|track| track.target = Target::Name("hip".into()));
        let before = clip.tracks[0].curve.clone();
        let mut losses = LossReport::default();
        make_absolute(&mut scene, &mut losses);
        assert_eq!(scene.clips.iter().next().unwrap().tracks[0].curve, before);
        assert_eq!(losses.iter().map(|loss| (loss.kind, loss.count)).collect::<Vec<_>>(), [(LossKind::Dropped, 2)]);
    }
}
