//! Files that make no scene: each is refused with the finding of the check, in its place.

use super::*;
use crate::format::{ReadOptions, Size};
use crate::nlm::faults::FAULTS;
use maquette_scene::valid;

fn read(bytes: &[u8], options: &ReadOptions<'_>) -> format::Result<Scene> {
    File::parse(bytes)?.read(options, &mut LossReport::default())
}

fn refused(change: impl FnOnce(&mut File<'_>)) -> (&'static str, String) {
    let mut file = model(Dialect::Document);
    change(&mut file);
    let bytes = file.encode();
    let error = read(&bytes, &ReadOptions::default()).unwrap_err();
    let finding = error.diagnostic().unwrap();
    assert!(finding.offset.is_some_and(|offset| offset > 0), "{error}");
    (finding.code.id, finding.path.to_string())
}

#[test]
fn what_would_break_a_scene_is_refused_in_its_place() {
    let code = refused(|file| file.meshes[0].indices.to_mut()[5] = 28.into());
    assert_eq!(code, ("NLM0034", "meshes[0].indices[5]".into()));
    let code = refused(|file| file.meshes[0].vertices.to_mut()[9].bone_ids[1] = 3.into());
    assert_eq!(code, ("NLM0043", "meshes[0].vertices[9].bone_ids[1]".into()));
    let code = refused(|file| file.animation.as_mut().unwrap().duration = f32::NAN.into());
    assert_eq!(code, ("NLM0060", "animation.duration".into()));
    let code = refused(|file| file.animation.as_mut().unwrap().duration = (-1.0).into());
    assert_eq!(code, ("NLM0060", "animation.duration".into()));
    let code = refused(|file| file.animation.as_mut().unwrap().ticks_per_second = 0.into());
    assert_eq!(code, ("NLM0061", "animation.ticks_per_second".into()));
    let nan = f32::NAN.into();
    let code = refused(|file| file.animation.as_mut().unwrap().bone_info.to_mut()[1].offset_matrix[4] = nan);
    assert_eq!(code, ("NLM0075", "animation.bone_info[1].offset_matrix".into()));
    let code = refused(|file| file.animation.as_mut().unwrap().bones[2].rotations.to_mut()[3].time = nan);
    assert_eq!(code, ("NLM0090", "animation.bones[2].rotations[3].time".into()));
    let code = refused(|file| file.animation.as_mut().unwrap().nodes[2].transformation[0] = nan);
    assert_eq!(code, ("NLM0107", "animation.nodes[2].transformation".into()));
}

#[test]
fn nodes_that_are_no_trees_are_refused() {
    let children = |node: usize, entries: &'static [I32]| {
        refused(move |file| file.animation.as_mut().unwrap().nodes[node].children = Cow::Borrowed(entries))
    };
    static BACK: [I32; 1] = [I32::new(0)];
    static TWICE: [I32; 2] = [I32::new(1), I32::new(2)];
    static BEYOND: [I32; 1] = [I32::new(3)];
    assert_eq!(children(2, &BACK), ("NLM0105", "animation.nodes[2].children[0]".into()));
    assert_eq!(children(0, &TWICE), ("NLM0104", "animation.nodes[1].children[0]".into()));
    assert_eq!(children(2, &BEYOND), ("NLM0101", "animation.nodes[2].children[0]".into()));
}

#[test]
fn keys_are_not_copied_without_end() {
    let code = refused(|file| {
        let clip = file.animation.as_mut().unwrap();
        let key = clip.bones[2].positions[0];
        clip.bones[2].positions = vec![key; 2000].into();
        let twin = clip.nodes[2].clone();
        clip.nodes.extend(vec![twin; 1000]);
    });
    assert_eq!(code, ("NLM0100", "animation.nodes[3].id".into()));
}

#[test]
fn a_scene_of_a_faulty_file_is_sound_and_can_be_written() {
    for fault in FAULTS {
        let bytes = (fault.make)().main;
        let Ok(scene) = read(&bytes, &ReadOptions::default()) else { continue };
        assert_eq!(valid::check(&scene), Ok(()), "{}", fault.code.id);
        if let Ok((bundle, _)) = write(&scene, "document") {
            read(&bundle.main, &ReadOptions::default()).unwrap();
        }
    }
}

proptest! {
    #[test]
    fn whatever_stands_in_the_fields_reading_never_panics(
        aabb in any::<[u8; 24]>(),
        meshes in prop::collection::vec(any_mesh(), 0..4),
        animation in prop::option::of(any_animation()),
    ) {
        let head = Bytes::with_hash(b"LDOM", animation.is_some().into()).raw(&aabb).u32s([meshes.len() as u32]);
        let bytes = meshes.iter().chain(&animation).fold(head, |file, primitive| file.raw(&primitive.0)).0;
        for size in [Size::AsStored, Size::Original] {
            let options = ReadOptions { size, ..ReadOptions::default() };
            if let Ok(scene) = read(&bytes, &options) {
                prop_assert_eq!(valid::check(&scene), Ok(()));
                let _ = write(&scene, "engine");
            }
        }
    }
}
