//! Additive clips, root motion and other skeletons, as commands: what becomes of files, what is told, and what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod folder;

use folder::{Folder, Run};
use maquette::formats::seanim::raw::keys::{Components, FrameWidth, Key, Keys, Precision, Shape};
use maquette::formats::seanim::raw::{Bone, HIGH_PRECISION, Modifier, PRESENCE_CUSTOM};
use maquette::formats::seanim::{File, sample};

/// A clip for `post.glb` in double precision at 29.97 frames a second, with all that SEAnim has besides keys.
fn rich(name: &str, anim_type: u8, phase: f64) -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let bytes = clip(anim_type, phase);
    folder.write(name, &bytes);
    (folder, bytes)
}

fn clip(anim_type: u8, phase: f64) -> Vec<u8> {
    let bytes = sample("1.0.2").main;
    let mut file = File::parse(&bytes).unwrap();
    file.anim_type = anim_type;
    file.framerate = 29.97.into();
    file.data_property_flags |= HIGH_PRECISION;
    file.data_presence_flags |= PRESENCE_CUSTOM;
    file.custom = b"kept".to_vec().into();
    file.modifiers = vec![Modifier { index: 2, anim_type_override: 2 }];
    let shape = |components| Shape { frame: FrameWidth::One, precision: Precision::Double, components };
    for (at, bone) in file.bones.iter_mut().enumerate() {
        let value = |frame: u32| phase + 0.1 * at as f64 + f64::from(frame) / 30.0;
        let loc = [0, 20, 60].map(|frame| Key { frame, value: [value(frame), 1.0 / 3.0, -value(frame), 0.0] });
        let turn = |frame: u32| [0.0, (value(frame) / 2.0).sin(), 0.0, (value(frame) / 2.0).cos()];
        let rot = [0, 25, 60].map(|frame| Key { frame, value: turn(frame) });
        *bone = Bone {
            name: bone.name.clone(),
            flags: 0,
            loc: Keys::nearest(shape(Components::Vector), &loc),
            rot: Keys::nearest(shape(Components::Quaternion), &rot),
            scale: Keys::new(shape(Components::Vector)),
        };
    }
    file.encode()
}

/// The keys of a bone, without rounding, and turned the same way round.
fn keys(bytes: &[u8], bone: &str) -> Vec<(u32, [f64; 4])> {
    let file = File::parse(bytes).unwrap();
    let bone = file.bones.iter().find(|known| *known.name == *bone.as_bytes()).unwrap();
    bone.loc.iter().chain(bone.rot.iter()).map(|key| (key.frame, key.value)).collect()
}

fn near(a: &[u8], b: &[u8], bone: &str, tolerance: f64) {
    let (a, b) = (keys(a, bone), keys(b, bone));
    assert_eq!(a.len(), b.len(), "{bone}");
    for (one, other) in a.iter().zip(&b) {
        let off = one.1.iter().zip(&other.1).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(one.0 == other.0 && off < tolerance, "{bone}: {one:?} {other:?}");
    }
}

/// What an edit is not about is as it was.
fn kept(before: &[u8], after: &[u8]) {
    let (before, after) = (File::parse(before).unwrap(), File::parse(after).unwrap());
    let header = |file: &File<'_>| (file.anim_flags, file.framerate, file.frame_count, file.data_property_flags);
    assert_eq!(header(&before), header(&after));
    assert_eq!((&before.notes, &before.custom), (&after.notes, &after.custom));
}

fn refused(folder: &Folder, words: &[&str], why: &str) -> Run {
    let files = folder.files();
    let run = folder.run(words);
    assert!(run.code == 2 && run.err.contains(why), "{words:?}: {} {}", run.code, run.err);
    assert_eq!(folder.files(), files, "nothing is written");
    run
}

#[test]
fn additive_and_back_in_double_precision() {
    let (folder, before) = rich("walk.seanim", 0, 0.0);
    let model = ["--skeleton", "post.glb"];
    folder.fine(
        &[&["clip", "additive", "make", "walk.seanim", "--relative-to", "rest", "-o", "add.seanim"], &model[..]]
            .concat(),
    );
    let made = folder.read("add.seanim");
    assert_eq!((File::parse(&made).unwrap().anim_type, File::parse(&made).unwrap().modifiers.len()), (1, 0));
    kept(&before, &made);
    folder.fine(
        &[&["clip", "additive", "compose", "add.seanim", "--onto", "rest", "-o", "back.seanim"], &model[..]].concat(),
    );
    let back = folder.read("back.seanim");
    kept(&before, &back);
    assert_eq!(File::parse(&back).unwrap().anim_type, 0);
    near(&before, &back, "base", 1e-12);
    near(&before, &back, "middle", 1e-12);
    // The tip was relative, and is absolute now: what it shows is the same.
    folder.fine(&["convert", "post.glb", "--clip", "walk.seanim", "a.glb"]);
    folder.fine(&["convert", "post.glb", "--clip", "back.seanim", "b.glb"]);
    let diff = folder.run(&["diff", "a.glb", "b.glb"]);
    assert!(!diff.out.contains("motion") && !diff.out.contains("tracks"), "{}", diff.out);
}

#[test]
fn differences_from_a_start_and_from_a_clip() {
    let (folder, before) = rich("walk.seanim", 0, 0.0);
    folder.write("idle.seanim", &clip(0, 0.4));
    for (reference, base) in
        [("first", "walk.seanim@0"), ("idle.seanim@12f", "idle.seanim@12f"), ("idle.seanim", "idle.seanim")]
    {
        let make = folder.fine(&[
            "clip",
            "additive",
            "make",
            "walk.seanim",
            "--relative-to",
            reference,
            "-o",
            "add.seanim",
            "--json",
        ]);
        let did = make.json_lines()[0]["clips"][0]["did"].to_string();
        assert!(did.contains("R = base ∘ key") && did.contains("added to the rest pose"), "{did}");
        folder.fine(&["clip", "additive", "compose", "add.seanim", "--onto", base, "-o", "back.seanim"]);
        let back = folder.read("back.seanim");
        kept(&before, &back);
        assert_eq!(File::parse(&back).unwrap().modifiers, File::parse(&before).unwrap().modifiers, "as in the base");
        if reference != "idle.seanim" {
            ["base", "middle", "tip"].iter().for_each(|bone| near(&before, &back, bone, 1e-12));
        }
    }
}

#[test]
fn gltf_holds_what_it_looks_like() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let run = folder.fine(&["clip", "additive", "make", "post.glb", "--relative-to", "rest", "-o", "add.glb"]);
    assert!(run.err.contains("values relative to the rest pose are composed with it"), "{}", run.err);
    assert_eq!(folder.fine(&["diff", "post.glb", "add.glb"]).out, "");
    folder.fine(&["clip", "additive", "compose", "add.glb", "--onto", "rest", "-o", "back.glb"]);
    assert_eq!(folder.fine(&["diff", "post.glb", "back.glb"]).out, "");
    refused(&folder, &["clip", "additive", "compose", "post.glb", "--onto", "rest", "-o", "x.glb"], "--as additive");
}

#[test]
fn what_additive_cannot_do() {
    let (folder, _) = rich("walk.seanim", 0, 0.0);
    folder.fine(&["sample", "other.seanim"]);
    let make =
        |what: &'static str| ["clip", "additive", "make", "walk.seanim", "--relative-to", what, "-o", "x.seanim"];
    refused(&folder, &make("rest"), "--skeleton");
    refused(&folder, &make("nowhere.seanim"), "nowhere.seanim");
    refused(&folder, &make("other.seanim@99"), "no moment of it");
    refused(
        &folder,
        &["clip", "additive", "compose", "walk.seanim", "--onto", "first", "-o", "x.seanim"],
        "first frame",
    );
    refused(
        &folder,
        &[
            "clip",
            "additive",
            "make",
            "walk.seanim",
            "--relative-to",
            "rest",
            "--skeleton",
            "other.seanim",
            "-o",
            "x.seanim",
        ],
        "holds no skeleton",
    );
    let many =
        ["clip", "additive", "make", "walk.seanim", "other.seanim", "--relative-to", "first", "-o", "all", "--json"];
    assert_eq!(folder.fine(&many).json_lines().len(), 2);
}

#[test]
fn root_motion_out_and_back_in_double_precision() {
    for (anim_type, own) in [(0, "root_motion"), (2, "tag_origin")] {
        let (folder, before) = rich("walk.seanim", anim_type, 0.0);
        let root = ["--root", "base"];
        refused(&folder, &["clip", "root-motion", "extract", "walk.seanim", "-o", "x.seanim"], "--up");
        let extract = ["clip", "root-motion", "extract", "walk.seanim", "--up", "y", "-o", "rm.seanim", "--json"];
        let figures = folder.fine(&[&extract[..], &root].concat()).json_lines()[0]["clips"][0]["figures"].to_string();
        assert!(figures.contains("distance") && figures.contains("\"unit\":\"degrees\""), "{figures}");
        let made = folder.read("rm.seanim");
        kept(&before, &made);
        let file = File::parse(&made).unwrap();
        let place = file.bones.iter().position(|bone| *bone.name == *own.as_bytes()).unwrap();
        assert_eq!((file.anim_type, place), if anim_type == 0 { (0, 3) } else { (3, 0) });
        let modified = file.modifiers[0].index as usize;
        assert_eq!(*file.bones[modified].name, b"tip"[..], "the modifier went along");
        folder.fine(&[&["clip", "root-motion", "bake", "rm.seanim", "-o", "back.seanim"], &root[..]].concat());
        let back = folder.read("back.seanim");
        kept(&before, &back);
        near(&before, &back, "tip", 1e-15);
        let file = File::parse(&back).unwrap();
        assert_eq!((file.bones.len(), file.anim_type), (3, anim_type));
        // What was between two keys has some of its own; the keys that there were are the same.
        let was = keys(&before, "base");
        let is = keys(&back, "base");
        for key in was.iter() {
            let same = |other: &&(u32, [f64; 4])| {
                other.0 == key.0 && key.1.iter().zip(&other.1).all(|(a, b)| (a - b).abs() < 1e-12)
            };
            assert!(is.iter().any(|other| same(&other)), "{key:?} {is:?}");
        }
    }
}

#[test]
fn root_motion_of_a_model_and_without_any() {
    let folder = Folder::new();
    folder.fine(&["sample", "post.glb"]);
    let run = folder.fine(&["clip", "root-motion", "extract", "post.glb", "-o", "rm.glb"]);
    assert!(
        run.err.contains(
            "its motion along x, z and yaw is in \"root_motion\" now, and in these it stays where it is at the start"
        ),
        "{}",
        run.err
    );
    folder.fine(&["clip", "root-motion", "bake", "rm.glb", "-o", "back.glb"]);
    let diff = folder.run(&["diff", "post.glb", "back.glb"]);
    assert!(!diff.out.contains("motion of") && !diff.out.contains("tracks"), "{}", diff.out);
    folder.fine(&["clip", "root-motion", "remove", "post.glb", "--axes", "x", "--dry-run", "-o", "x.glb"]);
    assert!(!folder.files().contains(&"x.glb".into()));
    let extract =
        |rest: &[&'static str]| [&["clip", "root-motion", "extract", "post.glb", "-o", "x.glb"], rest].concat();
    refused(&folder, &extract(&["--axes", "w"]), "xz,yaw");
    refused(&folder, &extract(&["--root", "nobody"]), "\"nobody\"");
    refused(&folder, &["clip", "root-motion", "bake", "post.glb", "-o", "x.glb"], "--from");
}

#[test]
fn retargeted_to_the_same_skeleton_it_is_the_same() {
    let (folder, before) = rich("walk.seanim", 0, 0.0);
    let both = ["--skeleton-from", "post.glb", "--skeleton", "post.glb"];
    let retarget = |rest: &[&'static str]| [&["clip", "retarget", "walk.seanim"][..], &both, rest].concat();
    let run = folder.fine(&retarget(&["-o", "same.seanim"]));
    assert!(run.err.contains("bones mapped 3, factor of translations 1"), "{}", run.err);
    let made = folder.read("same.seanim");
    kept(&before, &made);
    near(&before, &made, "base", 1e-12);
    let turns = |bytes: &[u8]| File::parse(bytes).unwrap().bones[1].rot.iter().collect::<Vec<_>>();
    assert_eq!(turns(&made).len(), turns(&before).len());
    assert_eq!(File::parse(&made).unwrap().bones[1].loc.len(), 0, "only the root goes its way");
    let drafted = folder.fine(&[&["clip", "retarget", "--propose"][..], &both].concat());
    assert!(drafted.out.contains("tip") && drafted.out.contains("certain: the same name"), "{}", drafted.out);
    folder.fine(&[&["clip", "retarget", "--propose", "-o", "map.txt"][..], &both].concat());
    refused(&folder, &[&["clip", "retarget", "--propose", "-o", "map.txt"][..], &both].concat(), "--force");
    folder.fine(&retarget(&["--map", "map.txt", "-o", "model.glb"]));
    let info = folder.fine(&["info", "--json", "model.glb"]).json_lines().remove(0);
    assert_eq!(info["clips"].as_array().unwrap().len(), 1, "its own clips are not taken along: {info}");
    folder.write("none.txt", b"base =\nmiddle =\ntip =\n");
    refused(&folder, &retarget(&["--map", "none.txt", "-o", "x.seanim"]), "--propose");
    refused(&folder, &retarget(&["--factor", "NaN", "-o", "x.seanim"]), "above 0");
    refused(&folder, &[&["clip", "retarget"][..], &both].concat(), "--output");
    refused(&folder, &["clip", "retarget", "walk.seanim", "-o", "x.seanim"], "--skeleton");
}
