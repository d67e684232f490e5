use super::*;
use crate::seanim::raw::blend::BlendKey;
use crate::seanim::raw::keys::{Components, FrameWidth, Key, Precision, Shape};
use crate::seanim::raw::{self, Dialect, HIGH_PRECISION, HeaderSize, Modifier, PRESENCE_CUSTOM, Unstored};
use crate::seanim::sample;

fn bone(name: &[u8], flags: u8, loc: &[(u32, f64)], rot: &[u32]) -> raw::Bone<'static> {
    let shape = |components| Shape { frame: FrameWidth::One, precision: Precision::Double, components };
    let loc: Vec<Key> =
        loc.iter().map(|(frame, x)| Key { frame: *frame, value: [*x, 0.1 + x, 1.0 / 3.0, 0.0] }).collect();
    let rot: Vec<Key> = rot.iter().map(|frame| Key { frame: *frame, value: [0.6, 0.0, 0.8, 1e-17] }).collect();
    raw::Bone {
        name: Cow::Owned(name.to_vec()),
        flags,
        loc: RawKeys::nearest(shape(Components::Vector), &loc),
        rot: RawKeys::nearest(shape(Components::Quaternion), &rot),
        scale: RawKeys::new(shape(Components::Vector)),
    }
}

/// A file with everything that a scene has no place for.
fn rich() -> File<'static> {
    let key = |frame: u32, number: f32| BlendKey { frame: frame.into(), value: [number, 0.5, 1.0].map(Into::into) };
    File {
        dialect: Dialect::Corrected,
        evidence: String::new(),
        header_size: HeaderSize::WithItself,
        anim_type: 3,
        anim_flags: LOOPED | 0x20,
        data_presence_flags: 7 | PRESENCE_NOTES | PRESENCE_CUSTOM,
        data_property_flags: HIGH_PRECISION | 0x10,
        reserved1: [1, 2],
        framerate: 29.97.into(),
        frame_count: 61,
        reserved2: [3, 4, 5],
        unstored: Unstored::default(),
        extra_header: Cow::Borrowed(b"more"),
        bones: vec![
            bone(b"tag_origin", 0, &[(0, 0.1), (60, 0.7)], &[]),
            bone(b"still", 1, &[], &[]),
            bone(b"\xff\xfe", 0, &[], &[0, 7, 30]),
            bone(b"twin", 0, &[(3, 9.0)], &[]),
            bone(b"twin", 0, &[(4, 8.0)], &[]),
        ],
        modifiers: [(2, 1), (1, 77), (2, 0)].map(|(index, of)| Modifier { index, anim_type_override: of }).into(),
        notes: [(7, &b"step"[..]), (9, b"\xe9")].map(|(frame, name)| Note { frame, name: Cow::Borrowed(name) }).into(),
        custom: Cow::Borrowed(b"custom bytes"),
        trailer: Trailer::Blend(vec![
            BlendShape { name: Cow::Borrowed(b"smile"), keys: vec![key(0, 0.1), key(20, 0.2)].into() },
            BlendShape { name: Cow::Borrowed(b"\xf0"), keys: Vec::new().into() },
        ]),
        trailing: Cow::default(),
    }
}

fn edited(file: &File<'_>, edit: impl FnOnce(&mut Motion)) -> (Vec<u8>, LossReport) {
    let mut losses = LossReport::default();
    let mut motion = read(file, &mut losses).unwrap();
    edit(&mut motion);
    (write(file, &motion, &mut losses).unwrap(), losses)
}

#[test]
fn without_an_edit_the_bytes_are_the_same() {
    let files = Dialect::TABLE.iter().map(|dialect| sample(dialect.id).main).chain([rich().encode()]);
    for bytes in files {
        let file = File::parse(&bytes).unwrap();
        let (again, losses) = edited(&file, |_| ());
        assert!(again == bytes);
        assert!(losses.is_empty(), "{losses}");
    }
}

#[test]
fn what_an_edit_is_not_about_stays() {
    let file = rich();
    let (bytes, losses) = edited(&file, |motion| {
        maquette_motion::ops::trim(motion, 10.0 / 29.97, 40.0 / 29.97).unwrap();
    });
    assert!(losses.is_empty(), "{losses}");
    let made = File::parse(&bytes).unwrap();
    assert_eq!(made.frame_count, 31);
    let loc: Vec<Key> = made.bones[0].loc.iter().collect();
    assert_eq!(loc.iter().map(|key| key.frame).collect::<Vec<_>>(), [0, 30]);
    // A sixth of the way, and two thirds, in double precision.
    assert!((loc[0].value[0] - 0.2).abs() < 1e-15 && (loc[1].value[0] - 0.5).abs() < 1e-15, "{loc:?}");
    assert_eq!(made.notes.len(), 0);
    let Trailer::Blend(shapes) = &made.trailer else { panic!() };
    assert_eq!(shapes[0].keys.iter().map(|key| key.frame.get()).collect::<Vec<_>>(), [0, 10]);
    assert_eq!((&*shapes[1].name, &*made.custom), (&b"\xf0"[..], &b"custom bytes"[..]));
    let header = |file: &File<'_>| {
        (file.anim_type, file.anim_flags, file.data_property_flags, file.reserved1, file.reserved2, file.framerate)
    };
    assert_eq!(header(&made), header(&file));
    assert_eq!(made.modifiers, file.modifiers);
    let names = |file: &File<'_>| file.bones.iter().map(|bone| (bone.name.to_vec(), bone.flags)).collect::<Vec<_>>();
    assert_eq!(names(&made), names(&file));
}

#[test]
fn bones_and_blends_that_change_take_their_modifiers_along() {
    let (bytes, _) = edited(&rich(), |motion| {
        motion.bones.remove(0);
        motion.tracks.retain(|track| track.bone != 0);
        motion.tracks.iter_mut().for_each(|track| track.bone -= 1);
        motion.bones[1].blend = Some(Blend::Relative);
        motion.bones[2].blend = Some(Blend::Additive);
        motion.bones[3].name = "other".into();
        motion.push("new", Curve::Scale(Keys::straight([(0.0, DVec3::ONE)])));
        motion.blend = Blend::Absolute;
        motion.looped = Some(false);
        motion.events.push(Event { time_secs: 1.0, name: "a\0b".into() });
    });
    let made = File::parse(&bytes).unwrap();
    let names: Vec<&[u8]> = made.bones.iter().map(|bone| &*bone.name).collect();
    assert_eq!(names, [&b"still"[..], b"\xff\xfe", b"twin", b"other", b"new"]);
    let told: Vec<_> = made.modifiers.iter().map(|modifier| (modifier.index, modifier.anim_type_override)).collect();
    assert_eq!(told, [(0, 77), (1, 2), (2, 1)]);
    assert_eq!((made.anim_type, made.anim_flags), (0, 0x20));
    assert_eq!(*made.notes.last().unwrap().name, b"a_b"[..]);
    assert_eq!(made.bones[4].scale.len(), 1);
}

#[test]
fn what_lies_between_frames_is_moved_and_told() {
    let file = rich();
    let (bytes, losses) = edited(&file, |motion| {
        let Curve::Translation(keys) = &mut motion.tracks[0].curve else { panic!() };
        keys.times_secs[0] = 0.4 / 29.97;
    });
    let text = losses.to_string();
    assert!(text.contains("keys move to whole frames at 29.97 a second, by up to 13.347 ms"), "{text}");
    assert_eq!(File::parse(&bytes).unwrap().bones[0].loc.frame(0), Some(0));
    let (bytes, losses) = edited(&file, |motion| {
        let values = [0.0, 0.0, 90.0, 0.0, 1.0, 0.0].map(DVec3::splat).into();
        let interpolation = maquette_motion::Interpolation::CubicSpline;
        motion.tracks[0].curve = Curve::Translation(Keys { times_secs: vec![0.0, 1.0], values, interpolation });
    });
    let made = File::parse(&bytes).unwrap();
    assert_eq!(made.bones[0].loc.len(), 31);
    assert!(losses.to_string().contains("cubic splines"), "{losses}");
    let (bytes, losses) = edited(&file, |motion| {
        let Curve::Translation(keys) = &mut motion.tracks[0].curve else { panic!() };
        keys.interpolation = maquette_motion::Interpolation::Step;
    });
    let frames: Vec<u32> = File::parse(&bytes).unwrap().bones[0].loc.iter().map(|key| key.frame).collect();
    assert_eq!(frames, [0, 59, 60]);
    assert!(losses.to_string().contains("a jump takes a frame"), "{losses}");
}

#[test]
fn keys_out_of_order_are_put_right_and_told() {
    let mut file = rich();
    file.bones[0] = bone(b"tag_origin", 0, &[(9, 1.0), (3, 2.0), (9, 3.0)], &[]);
    let (bytes, losses) = edited(&file, |_| ());
    let keys: Vec<_> = File::parse(&bytes).unwrap().bones[0].loc.iter().map(|key| (key.frame, key.value[0])).collect();
    assert_eq!(keys, [(3, 2.0), (9, 3.0)]);
    assert!(losses.to_string().contains("of several on one frame the last is kept"), "{losses}");
}

#[test]
fn what_a_file_cannot_hold_is_an_error() {
    let file = rich();
    let mut motion = read(&file, &mut LossReport::default()).unwrap();
    motion.frame_rate = Some(0.0);
    assert!(write(&file, &motion, &mut LossReport::default()).is_err());
    motion.frame_rate = Some(30.0);
    motion.duration_secs = 1e12;
    let error = write(&file, &motion, &mut LossReport::default()).unwrap_err();
    assert!(error.to_string().contains("no frame"), "{error}");
    let mut broken = rich();
    broken.bones[0] = bone(b"x", 0, &[(0, f64::NAN)], &[]);
    assert!(read(&broken, &mut LossReport::default()).unwrap_err().to_string().contains("not finite"));
}
