//! What the window does with files, without a window: opened, failed, changed, dropped, side by side, written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use maquette::overwrite::Overwrite;
use maquette_anim::mixer::Channel;
use maquette_viewer::actions::{Action, Effect};
use maquette_viewer::state::document::{Context, Document, Progress};
use maquette_viewer::state::player::Moment;
use maquette_viewer::state::saved::Saved;
use maquette_viewer::state::selection::Thing;
use maquette_viewer::state::session::{NoticeKind, Session};
use maquette_viewer::work::Fitting;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn session() -> Session {
    let mut session = Session::new(Context { renderer: None, wake: Arc::new(|| {}) });
    session.size = Some([640, 480]);
    session
}

/// Lets time go on until something is so.
#[track_caller]
fn until(session: &mut Session, what: &str, is_so: impl Fn(&Session) -> bool) {
    let start = Instant::now();
    while !is_so(session) {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}: {:?}", session.notices);
        std::thread::sleep(Duration::from_millis(5));
        session.update(0.02);
    }
}

fn is_settled(session: &Session) -> bool {
    session.documents.iter().all(|document| matches!(document.progress(), Progress::Ready | Progress::Failed))
}

fn creature(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    maquette::write(&maquette::sample::creature(), &path).unwrap();
    path
}

fn opened(path: PathBuf) -> Session {
    let mut session = session();
    session.open(path);
    until(&mut session, "opened", is_settled);
    session
}

fn clip_count(session: &Session) -> usize {
    session.document().and_then(Document::scene).map_or(0, |scene| scene.clips.len())
}

#[test]
fn a_model_is_read_framed_checked_and_at_rest() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = opened(creature(folder.path(), "newt.glb"));
    until(&mut session, "checked", |session| session.document().unwrap().checked.is_some());
    let document = session.document().unwrap();
    assert!(document.checked.as_ref().unwrap().ok);
    assert_eq!(document.player.as_ref().unwrap().moment(), Moment::Rest);
    let bounds = document.placed.as_ref().unwrap().bounds.unwrap();
    for corner in [bounds.min, bounds.max, bounds.centre()] {
        let ([x, y], _) = session.orbit.project(corner, [640.0, 480.0]).expect("it is in front of the camera");
        assert!((0.0..=640.0).contains(&x) && (0.0..=480.0).contains(&y), "{x} {y}");
    }
    assert!(session.notices.is_empty(), "{:?}", session.notices);
}

#[test]
fn a_file_that_does_not_load_says_why_and_the_next_one_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "newt.glb");
    let bytes = std::fs::read(&path).unwrap();
    let cut = folder.path().join("cut.glb");
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    for (name, has_bytes) in [("cut.glb", true), ("gone.glb", false)] {
        let mut session = opened(folder.path().join(name));
        let document = session.document().unwrap();
        assert_eq!(document.progress(), Progress::Failed);
        assert!(document.failure.as_ref().unwrap().why().contains(name), "{:?}", document.failure);
        assert_eq!(document.input.is_some(), has_bytes);
        session.open(path.clone());
        until(&mut session, "the next one", is_settled);
        assert_eq!(session.document().unwrap().progress(), Progress::Ready);
    }
}

#[test]
fn a_file_that_changes_is_read_again_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "newt.glb");
    let mut session = opened(path.clone());
    let node = session.document().unwrap().scene().unwrap().nodes.handles().nth(4).unwrap();
    session.document_mut().unwrap().selection.choose(Thing::Node(node));
    session.act(Action::Play);
    session.update(0.1);
    let orbit = session.orbit;
    let mut scene = maquette::sample::creature();
    scene.nodes.get_mut(node).unwrap().name = "renamed".into();
    maquette::write(&scene, &path).unwrap();
    until(&mut session, "read again", |session| {
        let scene = session.document().and_then(Document::scene);
        scene.is_some_and(|scene| scene.nodes.get(node).unwrap().name == "renamed")
    });
    let document = session.document().unwrap();
    assert_eq!(document.selection.node(), Some(node));
    assert!(matches!(document.player.as_ref().unwrap().moment(), Moment::Clip { clip: 0, secs } if secs > 0.0));
    assert_eq!(session.orbit, orbit, "the camera stays");
    std::fs::write(&path, "no model").unwrap();
    until(&mut session, "failed", |session| session.document().unwrap().progress() == Progress::Failed);
    std::fs::remove_file(&path).unwrap();
    session.update(1.0);
    creature(folder.path(), "newt.glb");
    until(&mut session, "back again", |session| session.document().unwrap().progress() == Progress::Ready);
}

#[test]
fn clips_that_are_dropped_play_on_the_model_and_models_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let model = creature(folder.path(), "newt.glb");
    let mut alone = maquette::sample::creature();
    let keep = alone.clips.iter().next().unwrap().clone();
    alone.clips = [keep].into_iter().collect();
    let clip = folder.path().join("dance.seanim");
    maquette::write(&alone, &clip).unwrap();
    let other = creature(folder.path(), "other.glb");

    let mut session = opened(model);
    let before = clip_count(&session);
    session.drop_files(vec![clip.clone()]);
    until(&mut session, "clips are put on", |session| clip_count(session) == before + 1);
    let player = session.document().unwrap().player.as_ref().unwrap();
    assert!(matches!(player.moment(), Moment::Clip { clip, .. } if clip == before));
    assert_eq!(session.notices.last().unwrap().kind, NoticeKind::Done);

    session.drop_files(vec![other.clone()]);
    until(&mut session, "the other model", |session| session.document().unwrap().path == other && is_settled(session));

    let mut session = opened(clip);
    let player = session.document().unwrap().player.as_ref().unwrap();
    assert_eq!(player.moment(), Moment::Clip { clip: 0, secs: 0.0 }, "clips alone show their first moment");
    assert!(session.document().unwrap().placed.as_ref().unwrap().bounds.is_some(), "a cross for each bone");
    session.act(Action::Play);
    assert!(session.is_moving());
}

/// A clip whose bones are called otherwise fits once the window is told what to pass over, and again with each change.
#[test]
fn clips_are_fitted_again_whenever_that_is_asked_for_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let model = creature(folder.path(), "newt.glb");
    let mut alone = maquette::sample::creature();
    let keep = alone.clips.iter().next().unwrap().clone();
    alone.clips = [keep].into_iter().collect();
    for node in alone.nodes.iter_mut() {
        node.name = format!("rig:j_{}", node.name);
    }
    let clip = folder.path().join("dance.seanim");
    maquette::write(&alone, &clip).unwrap();
    let mut session = opened(model);
    let before = clip_count(&session);
    session.drop_files(vec![clip.clone()]);
    until(&mut session, "it does not fit", |session| !session.notices.is_empty());
    assert_eq!(session.notices[0].kind, NoticeKind::Wrong);
    let document = session.document_mut().unwrap();
    assert_eq!((document.shows_fitting, &document.clip_files), (true, &vec![clip]));
    let fitting = Fitting { prefixes: "x_, j_".into(), ignores_namespaces: true, ..Fitting::default() };
    document.fit_clips(fitting.clone());
    until(&mut session, "it fits", |session| clip_count(session) == before + 1);
    let moment = |session: &Session| session.document().unwrap().player.as_ref().unwrap().moment();
    assert!(matches!(moment(&session), Moment::Clip { clip, .. } if clip == before), "and plays");
    let tracks =
        |session: &Session| session.document().unwrap().scene().unwrap().clips.iter().last().unwrap().tracks.len();
    let all = tracks(&session);
    let map = folder.path().join("bones.txt");
    let name = alone.clips.iter().next().unwrap().tracks.iter().find_map(|track| match &track.target {
        maquette::scene::clip::Target::Node(node) => Some(alone.nodes[*node].name.clone()),
        _ => None,
    });
    std::fs::write(&map, format!("{} =\n", name.unwrap())).unwrap();
    session.document_mut().unwrap().fit_clips(Fitting { bone_map: Some(map), ..fitting });
    until(&mut session, "a bone is left out", |session| tracks(session) < all);
    assert_eq!(clip_count(&session), before + 1);
    assert!(matches!(moment(&session), Moment::Clip { clip, .. } if clip == before), "it plays on");
}

#[test]
fn two_files_stand_side_by_side_with_one_camera() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.glb", "b.glb"].map(|name| creature(folder.path(), name));
    let mut session = opened(a.clone());
    let orbit = session.orbit;
    session.open_beside(b.clone());
    until(&mut session, "both", is_settled);
    assert_eq!((session.documents.len(), session.active), (2, 1));
    assert_eq!(session.orbit, orbit);
    session.act(Action::OtherSide);
    assert_eq!(session.document().unwrap().path, a);
    session.act(Action::CloseBeside);
    assert_eq!((session.documents.len(), session.active), (1, 0));
    session.act(Action::NextFile);
    until(&mut session, "the next file", is_settled);
    assert_eq!(session.document().unwrap().path, b);
    session.act(Action::NextFile);
    assert_eq!(session.document().unwrap().path, a, "around");
}

/// Files of very different size are each seen whole, cameras move together, and one scale shows them as they are.
#[test]
fn two_files_fill_their_pictures_and_cameras_move_together() {
    let folder = tempfile::tempdir().unwrap();
    let small = creature(folder.path(), "small.glb");
    let mut scene = maquette::sample::creature();
    maquette::ops::try_rescale(&mut scene, 1000.0).unwrap();
    let large = folder.path().join("large.glb");
    maquette::write(&scene, &large).unwrap();
    let mut session = opened(small);
    session.open_beside(large);
    until(&mut session, "both are framed", |session| session.documents.iter().all(|document| document.home.is_some()));
    let size = [640.0, 480.0];
    // Where corners of the boxes of both are in their pictures.
    let seen = |session: &Session| {
        [0, 1].map(|place| {
            let bounds = session.documents[place].placed.as_ref().unwrap().bounds.unwrap();
            let orbit = session.orbit_of(place);
            [bounds.min, bounds.max].map(|corner| orbit.project(corner, size).unwrap().0)
        })
    };
    let alike = |session: &Session| {
        let [a, b] = seen(session);
        a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < 0.5)
    };
    assert!(alike(&session), "{:?}", seen(&session));
    let before = seen(&session);
    session.orbit.turn(0.3, 0.2);
    session.orbit.pan(0.1, -0.05);
    session.orbit.zoom_at(0.5, [0.2, 0.1]);
    assert!(alike(&session) && seen(&session) != before, "{:?}", seen(&session));
    session.act(Action::LookFrom(maquette_render::View::Left));
    until(&mut session, "framed again", |session| alike(session));
    session.act(Action::ToggleScale);
    assert_eq!(session.orbit_of(0), session.orbit_of(1));
    let [[min, max], _] = seen(&session);
    assert!((min[0] - max[0]).abs() < 5.0 && (min[1] - max[1]).abs() < 5.0, "a dot beside the other: {min:?} {max:?}");
    session.act(Action::ToggleScale);
    until(&mut session, "each its own again", |session| {
        let [[min, max], _] = seen(session);
        alike(session) && (min[1] - max[1]).abs() > 50.0
    });
}

#[test]
fn joints_are_picked_where_they_are_and_surfaces_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = opened(creature(folder.path(), "newt.glb"));
    let document = session.document().unwrap();
    let scene = Arc::clone(document.scene().unwrap());
    let joint = scene.skins.iter().next().unwrap().joints[5];
    let at = document.placed.as_ref().unwrap().world_from_node[joint.index()].w_axis.truncate();
    let (at, _) = session.orbit.project(at, [640.0, 480.0]).unwrap();
    session.act(Action::ToggleSkeleton);
    session.pick(0, at);
    let picked = session.document().unwrap().selection.node().expect("a joint is near");
    assert!(scene.skins.iter().any(|skin| skin.joints.contains(&picked)));
    session.act(Action::ToggleSkeleton);
    session.act(Action::Escape);
    assert_eq!(session.document().unwrap().selection.thing, Thing::Nothing);
    session.pick(0, [320.0, 240.0]);
    until(&mut session, "picked", |session| session.document().unwrap().selection.node().is_some());
    let node = session.document().unwrap().selection.node().unwrap();
    assert!(scene.nodes.get(node).unwrap().mesh.is_some(), "what is drawn there");
    session.pick(0, [1.0, 1.0]);
    until(&mut session, "nothing there", |session| session.document().unwrap().selection.thing == Thing::Nothing);
}

#[test]
fn a_mix_lies_between_its_clips() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = opened(creature(folder.path(), "newt.glb"));
    let place = |session: &mut Session, weights: [f32; 2]| {
        let player = session.player_mut().unwrap();
        for (clip, weight) in weights.into_iter().enumerate() {
            player.channels_mut()[clip] = Channel { clip, weight, time_secs: 0.4, ..Channel::default() };
        }
        let document = session.document_mut().unwrap();
        document.placed = None;
        document.want_framing(maquette_render::Framing::default());
        until(session, "posed", |session| session.document().unwrap().placed.is_some());
        session.document().unwrap().placed.as_ref().unwrap().world_from_node.clone()
    };
    let [a, b, mixed] = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|weights| place(&mut session, weights));
    let far = |p: &[maquette::scene::glam::Mat4], q: &[maquette::scene::glam::Mat4]| {
        p.iter().zip(q).map(|(p, q)| (p.w_axis - q.w_axis).length()).fold(0.0, f32::max)
    };
    let apart = far(&a, &b);
    assert!(apart > 1e-3, "the clips differ");
    assert!(far(&a, &mixed) < apart && far(&b, &mixed) < apart && far(&a, &mixed) > 1e-4 && far(&b, &mixed) > 1e-4);
}

#[test]
fn a_model_is_written_in_another_format_and_losses_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = opened(creature(folder.path(), "newt.glb"));
    let path = folder.path().join("newt.pmdl");
    session.export(path.clone(), Overwrite::All);
    until(&mut session, "written", |session| !session.notices.is_empty());
    assert!(path.is_file());
    let said = session.notices[0].text.clone();
    assert!(said.contains("newt.pmdl") && said.lines().count() > 1, "{said}");
    session.export(folder.path().join("newt.unknown"), Overwrite::All);
    until(&mut session, "refused", |session| session.notices.iter().any(|notice| notice.kind == NoticeKind::Wrong));
    assert!(!folder.path().join("newt.unknown").exists());
}

#[test]
fn what_takes_a_dialog_is_left_to_the_window() {
    let mut session = session();
    for (action, effect) in
        [(Action::Open, Effect::AskOpen), (Action::Export, Effect::AskExport), (Action::Quit, Effect::Quit)]
    {
        assert_eq!(session.act(action), Some(effect));
    }
    for (_, action) in Action::LISTED {
        session.act(*action);
    }
    session.update(0.1);
}

#[test]
fn what_is_remembered_comes_back() {
    let mut session = session();
    session.recent.add(Path::new("a.glb"));
    for action in [Action::NextMode, Action::NextToneMap, Action::ToggleGrid, Action::ToggleTheme, Action::TogglePanels]
    {
        session.act(action);
    }
    let saved = Saved::of(&session);
    let mut other = self::session();
    assert_ne!(Saved::of(&other), saved);
    saved.restore(&mut other);
    assert_eq!(Saved::of(&other), saved);
    assert_eq!((other.look.mode, other.is_dark), (session.look.mode, session.is_dark));
}

#[test]
fn a_clip_alone_stays_in_the_picture_while_it_plays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.seanim");
    let mut scene = maquette::sample::creature();
    let first = scene.clips.iter().next().unwrap().clone();
    scene.clips = [first].into_iter().collect();
    // Far away at its end.
    for track in &mut scene.clips.iter_mut().next().unwrap().tracks {
        if let maquette::scene::clip::Curve::Translation(keys) = &mut track.curve {
            keys.values.last_mut().unwrap()[0] += 500.0;
        }
    }
    maquette::write(&scene, &path).unwrap();
    let mut session = opened(path);
    let player = session.player_mut().unwrap();
    let last = player.clips().duration_secs(0);
    let mut widest = 0.0_f32;
    for part in [0.0, 0.5, 1.0] {
        session.player_mut().unwrap().seek(last * part);
        let before = session.document().unwrap().placed.as_ref().unwrap().bounds;
        for _ in 0..40 {
            session.update(0.0);
            std::thread::sleep(Duration::from_millis(5));
        }
        let bounds = session.document().unwrap().placed.as_ref().unwrap().bounds.unwrap();
        widest = widest.max(before.map_or(0.0, |before| (before.centre() - bounds.centre()).length()));
        for corner in [bounds.min, bounds.max] {
            let ([x, y], _) = session.orbit.project(corner, [640.0, 480.0]).expect("it is in front of the camera");
            assert!((0.0..=640.0).contains(&x) && (0.0..=480.0).contains(&y), "{part}: {x} {y}");
        }
    }
    assert!(widest > 10.0, "it goes far: {widest}");
}

#[test]
fn without_perspective_the_angle_of_the_lens_stays_as_it_was_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = opened(creature(folder.path(), "newt.glb"));
    let chosen = session.orbit.fov_y;
    session.act(Action::ToggleLens);
    for action in [Action::Fit, Action::LookFrom(maquette_render::View::Front), Action::Fit] {
        let home = session.document().unwrap().home;
        session.act(action);
        session.orbit.focus += 1.0;
        session.document_mut().unwrap().home = None;
        until(&mut session, "framed", |session| session.document().unwrap().home.is_some());
        assert!(home.is_some());
        assert_eq!(session.orbit.fov_y, chosen, "{action:?}");
    }
    let height = session.orbit.height();
    session.act(Action::ToggleLens);
    assert_eq!((session.orbit.fov_y, session.orbit.height()), (chosen, height));
}

/// What can be read, but not be shown, is not said to be unreadable.
#[test]
fn a_file_with_a_finding_that_hinders_it_says_which() {
    let folder = tempfile::tempdir().unwrap();
    let broken = maquette::sample::broken("aem", "AEM0020").unwrap();
    let path = folder.path().join("bad.aem");
    std::fs::write(&path, broken.main).unwrap();
    let session = opened(path);
    let document = session.document().unwrap();
    let why = document.failure.as_ref().unwrap().why();
    assert!(why.contains("not shown") && why.contains("AEM0020") && !why.contains("cannot read"), "{why}");
    assert!(document.without_scene().contains("not shown"));
}

#[test]
fn menus_offer_what_would_do_something() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "newt.glb");
    let mut session = session();
    assert!(!session.can(Action::Export) && !session.can(Action::Play) && session.can(Action::Open));
    session.open(path.clone());
    until(&mut session, "opened", is_settled);
    let of_two = [Action::CloseBeside, Action::OtherSide, Action::ToggleScale];
    assert!(
        of_two.iter().all(|action| !session.can(*action)) && session.can(Action::Export) && session.can(Action::Play)
    );
    assert!(!session.can(Action::Focus));
    let node = session.document().unwrap().scene().unwrap().nodes.handles().next().unwrap();
    session.document_mut().unwrap().selection.choose(Thing::Node(node));
    assert!(session.can(Action::Focus));
    session.open_beside(path);
    assert!(of_two.iter().all(|action| session.can(*action)));
}

#[test]
fn a_clip_that_is_put_into_a_channel_stands_still_while_all_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = opened(creature(folder.path(), "newt.glb"));
    let player = session.player_mut().unwrap();
    player.fill(0, Some(0));
    assert!(player.channels()[0].is_playing, "the first");
    player.fill(1, Some(1));
    assert!(player.channels()[1].is_playing, "as the first does");
    player.channels_mut().iter_mut().for_each(|channel| channel.is_playing = false);
    player.fill(2, Some(1));
    assert!(!player.channels()[2].is_playing);
}

/// A clip alone has no nodes: its bones are known by name, each once.
#[test]
fn bones_of_a_clip_alone_are_listed_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.seanim");
    maquette::write(&maquette::sample::creature(), &path).unwrap();
    let scene = maquette::read(&path).unwrap().scene;
    let bones = maquette_viewer::state::bones::of_clip(&scene, 0);
    let mut names: Vec<String> =
        bones.iter().map(|bone| maquette_viewer::ui::things::name(&scene, *bone).into_owned()).collect();
    assert!(names.len() > 3 && names.len() < scene.clips.as_slice()[0].tracks.len(), "{names:?}");
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}
