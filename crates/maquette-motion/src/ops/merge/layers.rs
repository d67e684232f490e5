//! Clips at the same time, each for bones of its own.

use super::super::limit::{cost, must_fit};
use super::{Places, frames, in_order, known, listed};
use crate::{Did, Motion, Refusal, Rig, Track};
use std::collections::HashMap;

/// Which of two curves of one property of one bone is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// That of the earlier clip.
    First,
    /// That of the later clip.
    Last,
}

/// Plays other clips with the first, at the same time. It lasts as long as the longest; what ends sooner stays as it ended. Two curves for one property of one bone are refused,
/// unless it is said which one is kept. Bones that the model does not have are left out, where there is one.
pub fn merge_layers(
    first: &mut Motion,
    mut others: Vec<Motion>,
    rig: Option<&Rig>,
    prefer: Option<Prefer>,
) -> Result<Did, Refusal> {
    let others_cost: f64 = others.iter().map(cost).sum();
    must_fit(cost(first) + others_cost, "merge fewer clips")?;
    let count = others.len() + 1;
    let mut places = Places::of(first);
    let mut curves: HashMap<(usize, &'static str), usize> =
        first.tracks.iter().enumerate().map(|(at, track)| ((track.bone, track.curve.property()), at)).collect();
    let unknown = known::leave_out_unknown(&mut others, rig)?;
    let shared = frames::share(first, &mut others)?;
    let (mut both, mut held) = (Vec::new(), false);
    for other in others {
        let bones = places.take_in(first, &other)?;
        for Track { bone, curve } in other.tracks {
            let Some(&bone) = bones.get(bone) else { continue };
            let known = curves.get(&(bone, curve.property())).copied();
            match known.and_then(|at| first.tracks.get_mut(at)) {
                None => {
                    curves.insert((bone, curve.property()), first.tracks.len());
                    first.tracks.push(Track { bone, curve });
                }
                Some(track) => {
                    let name = first.bones.get(bone).map_or("", |bone| &bone.name);
                    both.push(format!("{} of {name}", curve.property()));
                    if prefer == Some(Prefer::Last) {
                        track.curve = curve;
                    }
                }
            }
        }
        held |= (first.duration_secs - other.duration_secs).abs() > 1e-9;
        first.duration_secs = first.duration_secs.max(other.duration_secs);
        first.events.extend(other.events);
    }
    if prefer.is_none() && !both.is_empty() {
        return Err(Refusal(format!(
            "more than one clip moves {}; say which is kept with `--prefer first` or `--prefer last`, or leave out `--layers` to play them one after another",
            listed(&both)
        )));
    }
    in_order(&mut first.events);
    let mut words = format!("plays {count} clips at the same time");
    if held {
        words += "; what ends sooner stays as it ended";
    }
    known::tell(&mut words, &unknown);
    let did = Did::new(words)
        .with("bones", first.bones.len() as f64, "")
        .with("tracks", first.tracks.len() as f64, "")
        .with("keys", first.key_count() as f64, "");
    let did = if both.is_empty() { did } else { did.with("tracks left out", both.len() as f64, "") };
    Ok(shared.tell(did))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blend, Curve, Event, Joint, Keys, Trs};
    use maquette_scene::glam::DVec3;

    fn clip(bones: &[&str], x: f64, secs: f64) -> Motion {
        let mut motion = Motion { name: format!("clip{x}"), duration_secs: secs, ..Motion::default() };
        for bone in bones {
            motion.push(bone, Curve::Translation(Keys::straight([(0.0, DVec3::X * x), (secs, DVec3::Y * x)])));
        }
        motion.events = vec![Event { time_secs: 0.5, name: "step".into() }];
        motion
    }

    fn xs(motion: &Motion) -> Vec<(String, f64)> {
        let x = |curve: &Curve| if let Curve::Translation(keys) = curve { keys.values[0].x } else { panic!() };
        motion.tracks.iter().map(|track| (motion.bone(track).unwrap().name.clone(), x(&track.curve))).collect()
    }

    #[test]
    fn bones_of_all_clips_are_in_one() {
        let mut first = clip(&["hip", "leg"], 1.0, 1.0);
        let did = merge_layers(&mut first, vec![clip(&["arm"], 2.0, 2.0)], None, None).unwrap();
        assert_eq!(xs(&first), [("hip".into(), 1.0), ("leg".into(), 1.0), ("arm".into(), 2.0)]);
        assert_eq!((first.duration_secs, first.events.len(), &*first.name), (2.0, 1, "clip1"));
        assert!(did.words.ends_with("what ends sooner stays as it ended"));
    }

    #[test]
    fn of_two_curves_one_is_kept_if_it_is_said_which() {
        let merged = |prefer| {
            let mut first = clip(&["hip", "leg"], 1.0, 1.0);
            merge_layers(&mut first, vec![clip(&["leg", "arm"], 2.0, 1.0)], None, prefer).map(|_| xs(&first))
        };
        assert!(merged(None).unwrap_err().0.contains("\"translation of leg\""));
        assert_eq!(merged(Some(Prefer::First)).unwrap()[1], ("leg".into(), 1.0));
        assert_eq!(merged(Some(Prefer::Last)).unwrap()[1], ("leg".into(), 2.0));
    }

    #[test]
    fn each_bone_keeps_its_blend() {
        let mut first = clip(&["hip"], 1.0, 1.0);
        let other = Motion { blend: Blend::Additive, ..clip(&["arm"], 2.0, 1.0) };
        merge_layers(&mut first, vec![other.clone()], None, None).unwrap();
        assert_eq!(first.bones.iter().map(|bone| bone.blend).collect::<Vec<_>>(), [None, Some(Blend::Additive)]);
        let mut both = clip(&["arm"], 1.0, 1.0);
        assert!(merge_layers(&mut both, vec![other], None, Some(Prefer::Last)).unwrap_err().0.contains("additive"));
    }

    #[test]
    fn bones_that_the_model_does_not_have_are_left_out_and_told() {
        let joint = |name: &str| Joint { name: name.into(), parent: None, rest: Trs::IDENTITY };
        let rig = Rig::new(["hip", "Arm"].map(joint).into());
        let mut first = clip(&["hip"], 1.0, 1.0);
        let did = merge_layers(&mut first, vec![clip(&["arm", "tail"], 2.0, 1.0)], Some(&rig), None).unwrap();
        assert_eq!(xs(&first), [("hip".into(), 1.0), ("Arm".into(), 2.0)]);
        assert!(did.words.ends_with("for want of such a bone in the model: \"tail\""), "{}", did.words);
        let stranger = vec![clip(&["wing"], 2.0, 1.0)];
        assert!(merge_layers(&mut first, stranger, Some(&rig), None).unwrap_err().0.contains("\"wing\""));
    }
}
