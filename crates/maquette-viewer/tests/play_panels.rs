//! Timeline, mixer and curves, as a user has them: clicked, dragged, typed into and read.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Ui, Vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette::Scene;
use maquette::scene::clip::{Clip, Curve, Event as ClipEvent, Interpolation, Keys, Target, Track};
use maquette_anim::mixer::Layer;
use maquette_viewer::actions::Effect;
use maquette_viewer::state::document::{Context, Progress};
use maquette_viewer::state::player::{Clips, Moment, Player};
use maquette_viewer::state::selection::Thing;
use maquette_viewer::state::session::Session;
use maquette_viewer::ui::{Desk, curves, mixer, timeline};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A session whose panel is shown, and what was left for the window to do.
struct Panel {
    session: Session,
    effects: Vec<Effect>,
    /// How long the slowest picture took.
    slowest: Duration,
}

type Show = fn(&mut Ui, &mut Desk<'_>);

fn shown(show: Show, session: Session) -> Harness<'static, Panel> {
    let panel = Panel { session, effects: Vec::new(), slowest: Duration::ZERO };
    let app = move |ui: &mut Ui, panel: &mut Panel| {
        panel.session.update(ui.input(|input| input.stable_dt).min(0.1));
        let mut done = Vec::new();
        let start = Instant::now();
        show(ui, &mut Desk { session: &mut panel.session, done: &mut done });
        panel.slowest = panel.slowest.max(start.elapsed());
        for action in done {
            panel.effects.extend(panel.session.act(action));
        }
    };
    let mut harness =
        Harness::builder().with_size(Vec2::new(1100.0, 260.0)).with_step_dt(1.0 / 60.0).build_ui_state(app, panel);
    harness.run_steps(3);
    harness
}

fn empty() -> Session {
    let mut session = Session::new(Context { renderer: None, wake: Arc::new(|| {}) });
    session.size = Some([640, 480]);
    session
}

/// The creature, read from a file.
fn creature() -> Session {
    with_scene(&maquette::sample::creature())
}

fn with_scene(scene: &Scene) -> Session {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("newt.glb");
    maquette::write(scene, &path).unwrap();
    let mut session = empty();
    session.open(path);
    let start = Instant::now();
    while session.document().unwrap().progress() != Progress::Ready {
        assert!(start.elapsed().as_secs() < 60 && session.document().unwrap().failure.is_none());
        std::thread::sleep(Duration::from_millis(5));
        session.update(0.0);
    }
    session
}

/// The creature with other clips than those of the file.
fn with_clips(clips: Vec<Clip>) -> Session {
    let mut session = creature();
    let mut scene = maquette::sample::creature();
    scene.clips = clips.into_iter().collect();
    let document = session.document_mut().unwrap();
    let opened = document.opened.as_mut().unwrap();
    opened.clips = Clips::of(&scene);
    document.player = Some(Player::new(opened.clips.clone()));
    opened.scene = Arc::new(scene);
    session
}

fn playing(mut session: Session, clip: usize) -> Session {
    session.player_mut().unwrap().play(clip);
    session
}

fn paused(session: Session, clip: usize) -> Session {
    let mut session = playing(session, clip);
    session.player_mut().unwrap().toggle();
    session
}

fn player<'h>(harness: &'h mut Harness<'_, Panel>) -> &'h mut Player {
    harness.state_mut().session.player_mut().unwrap()
}

fn now(harness: &mut Harness<'_, Panel>) -> f32 {
    player(harness).current().unwrap().time_secs
}

fn node_named(harness: &Harness<'_, Panel>, name: &str) -> Thing {
    let scene = harness.state().session.document().unwrap().scene().unwrap();
    Thing::Node(scene.nodes.handles().find(|node| scene.nodes[*node].name == name).unwrap())
}

fn select(harness: &mut Harness<'_, Panel>, name: &str) {
    let thing = node_named(harness, name);
    harness.state_mut().session.document_mut().unwrap().selection.choose(thing);
    harness.run_steps(3);
}

fn click(harness: &mut Harness<'_, Panel>, label: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(3);
}

fn press(harness: &mut Harness<'_, Panel>, at: Pos2, button: PointerButton, pressed: bool) {
    harness.event(Event::PointerMoved(at));
    harness.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
    harness.step();
}

fn wheel(harness: &mut Harness<'_, Panel>, at: Pos2, lines: f32) {
    harness.event(Event::PointerMoved(at));
    harness.step();
    let delta = Vec2::new(0.0, lines);
    let (unit, phase, source) = (MouseWheelUnit::Line, TouchPhase::Move, MouseWheelSource::Unknown);
    harness.event(Event::MouseWheel { unit, delta, phase, source, modifiers: Modifiers::NONE });
    harness.run_steps(30);
}

/// Types a number into a field.
fn enter(harness: &mut Harness<'_, Panel>, label: &str, text: &str) {
    harness.get_by_label(label).click();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.step();
    harness.event(Event::Text(text.into()));
    harness.step();
    harness.key_press(Key::Enter);
    harness.run_steps(2);
}

fn choose(harness: &mut Harness<'_, Panel>, list: &str, item: &str) {
    click(harness, list);
    let items: Vec<_> = harness.get_all_by_label(item).collect();
    items.last().unwrap().click();
    harness.run_steps(3);
}

/// The keys of a track of the creature's first node.
fn track(times_secs: Vec<f32>) -> Track {
    let values = times_secs.iter().map(|secs| [*secs, 0.0, 0.0]).collect();
    let curve = Curve::Translation(Keys { times_secs, values, interpolation: Interpolation::Linear });
    let node = maquette::sample::creature().nodes.handles().next().unwrap();
    Track { target: Target::Node(node), curve, blend: None }
}

#[test]
fn every_panel_says_what_to_do_where_there_is_nothing() {
    for show in [timeline::show, mixer::show, curves::show] {
        shown(show, empty()).get_by_label("Nothing is open.");
        let mut harness = shown(show, with_clips(Vec::new()));
        harness.get_by_label("This model has no clips.");
        assert!(harness.query_by_label_contains("SEAnim").is_some_and(|node| {
            let text = format!("{:?}", node);
            text.contains("Ctrl+L") || text.contains("⌘")
        }));
        click(&mut harness, "Put clips onto the model…");
        assert_eq!(harness.state().effects, [Effect::AskClips]);
    }
}

#[test]
fn a_clip_is_chosen_played_stepped_and_left() {
    let mut harness = shown(timeline::show, creature());
    harness.get_by_label("Rest pose: choose a clip, or play.");
    choose(&mut harness, "Clip", "walk");
    assert_eq!(player(&mut harness).clip().unwrap().name, "walk");
    harness.run_steps(10);
    let moving = now(&mut harness);
    assert!(moving > 0.1, "{moving}");
    click(&mut harness, "Play or pause");
    let still = now(&mut harness);
    harness.run_steps(5);
    assert_eq!(now(&mut harness), still);
    click(&mut harness, "To the start");
    assert_eq!(now(&mut harness), 0.0);
    let rate = player(&mut harness).clips().frame_rate(0);
    click(&mut harness, "Next frame");
    click(&mut harness, "Next frame");
    click(&mut harness, "Previous frame");
    assert!((now(&mut harness) - 1.0 / rate).abs() < 1e-5);
    click(&mut harness, "To the end");
    let end = player(&mut harness).clips().duration_secs(0);
    assert_eq!(now(&mut harness), end);
    assert!(player(&mut harness).current().unwrap().is_looping);
    click(&mut harness, "Loop");
    assert!(!player(&mut harness).current().unwrap().is_looping);
    choose(&mut harness, "Clip", "rest pose");
    assert!(matches!(player(&mut harness).moment(), Moment::Fading(..)));
    harness.run_steps(30);
    assert_eq!(player(&mut harness).moment(), Moment::Rest);
}

/// In the panel as wide as it is in a window of 1280 points, with numbers as long as they get.
#[test]
fn the_toolbar_is_one_row() {
    let clip = Clip { name: "a very long name of a clip".into(), frame_rate: Some(29.97), ..Clip::default() };
    let session = paused(with_clips(vec![Clip { duration_secs: 1234.567, ..clip }]), 0);
    let mut harness = shown(timeline::show, session);
    player(&mut harness).seek(1234.5);
    player(&mut harness).channels_mut()[0].speed = -1.25;
    harness.set_size(Vec2::new(944.0, 260.0));
    harness.run_steps(3);
    let heights = ["To the start", "Clip", "Time in frames", "Speed", "Twice as fast"]
        .map(|label| harness.get_by_label(label).rect().center().y);
    assert!(heights.iter().all(|height| (height - heights[0]).abs() < 6.0), "{heights:?}");
}

#[test]
fn choosing_a_clip_fades_over() {
    let mut harness = shown(timeline::show, playing(creature(), 0));
    choose(&mut harness, "Clip", "idle");
    assert_eq!(player(&mut harness).clip().unwrap().name, "idle");
    assert!(matches!(player(&mut harness).moment(), Moment::Mix(_)), "both, for a while");
    harness.run_steps(40);
    assert!(matches!(player(&mut harness).moment(), Moment::Clip { clip: 1, .. }));
    enter(&mut harness, "Fade from clip to clip", "0");
    choose(&mut harness, "Clip", "jump");
    assert!(matches!(player(&mut harness).moment(), Moment::Clip { clip: 2, .. }), "at once");
}

#[test]
fn speed_goes_up_down_and_backwards() {
    let mut harness = shown(timeline::show, paused(creature(), 0));
    let speed = |harness: &mut Harness<'_, Panel>| player(harness).current().unwrap().speed;
    click(&mut harness, "Twice as fast");
    assert_eq!(speed(&mut harness), 2.0);
    click(&mut harness, "Half as fast");
    click(&mut harness, "Half as fast");
    assert_eq!(speed(&mut harness), 0.5);
    click(&mut harness, "Backwards");
    assert_eq!(speed(&mut harness), -0.5);
    enter(&mut harness, "Speed", "3.25");
    assert_eq!(speed(&mut harness), 3.25);
    enter(&mut harness, "Speed", "nan");
    assert!(speed(&mut harness).is_finite());
    enter(&mut harness, "Speed", "-1000");
    assert_eq!(speed(&mut harness), -16.0);
}

#[test]
fn times_are_typed_in_seconds_and_in_frames() {
    let mut harness = shown(timeline::show, paused(creature(), 0));
    enter(&mut harness, "Time in seconds", "0.25");
    assert_eq!(now(&mut harness), 0.25);
    enter(&mut harness, "Time in frames", "3");
    let rate = player(&mut harness).clips().frame_rate(0);
    assert!((now(&mut harness) - 3.0 / rate).abs() < 1e-6);
    enter(&mut harness, "Time in seconds", "1e9");
    let end = player(&mut harness).clips().duration_secs(0);
    assert_eq!(now(&mut harness), end);
}

#[test]
fn the_scrubber_is_dragged_and_waits_while_it_is() {
    let mut harness = shown(timeline::show, playing(creature(), 0));
    let rect = harness.get_by_label("Scrubber").rect();
    let duration = player(&mut harness).clips().duration_secs(0);
    let low = rect.bottom() - 10.0;
    press(&mut harness, Pos2::new(rect.center().x, low), PointerButton::Primary, true);
    harness.run_steps(10);
    let middle = now(&mut harness);
    assert!((middle - duration * 0.5).abs() < duration * 0.01, "{middle} of {duration}");
    assert!(!player(&mut harness).current().unwrap().is_playing, "it waits");
    harness.event(Event::PointerMoved(Pos2::new(rect.right() + 500.0, low)));
    harness.run_steps(2);
    assert_eq!(now(&mut harness), duration, "no further than to the end");
    press(&mut harness, Pos2::new(rect.left(), low), PointerButton::Primary, false);
    harness.run_steps(2);
    assert!(player(&mut harness).current().unwrap().is_playing, "it goes on");
}

/// The time that a click at a place of the scrubber goes to.
fn time_at(harness: &mut Harness<'_, Panel>, at: Pos2) -> f32 {
    // Not twice so soon that it is a double click.
    harness.run_steps(60);
    press(harness, at, PointerButton::Primary, true);
    press(harness, at, PointerButton::Primary, false);
    harness.step();
    now(harness)
}

#[test]
fn the_wheel_zooms_the_middle_button_pans_and_a_double_click_shows_all() {
    let mut harness = shown(timeline::show, paused(creature(), 1));
    let rect = harness.get_by_label("Scrubber").rect();
    let duration = player(&mut harness).clips().duration_secs(1);
    let (middle, right) = (rect.center() + Vec2::new(0.0, 30.0), rect.right_bottom() - Vec2::new(40.0, 10.0));
    let before = [time_at(&mut harness, middle), time_at(&mut harness, right)];
    wheel(&mut harness, middle, 4.0);
    let closer = [time_at(&mut harness, middle), time_at(&mut harness, right)];
    assert!((closer[0] - before[0]).abs() < duration * 0.01, "{before:?} {closer:?}");
    assert!(closer[1] - closer[0] < (before[1] - before[0]) * 0.8, "{before:?} {closer:?}");
    press(&mut harness, middle, PointerButton::Middle, true);
    harness.event(Event::PointerMoved(middle - Vec2::new(100.0, 0.0)));
    harness.step();
    press(&mut harness, middle - Vec2::new(100.0, 0.0), PointerButton::Middle, false);
    let panned = time_at(&mut harness, middle);
    assert!(panned > closer[0] + duration * 0.01, "{panned} {closer:?}");
    harness.run_steps(60);
    for pressed in [true, false, true, false] {
        press(&mut harness, middle, PointerButton::Primary, pressed);
    }
    let again = time_at(&mut harness, right);
    assert!((again - before[1]).abs() < duration * 0.01, "{again} {before:?}");
}

#[test]
fn the_scrubber_goes_by_arrows_too() {
    let mut harness = shown(timeline::show, paused(creature(), 0));
    let rate = player(&mut harness).clips().frame_rate(0);
    harness.get_by_label("Scrubber").focus();
    harness.run_steps(2);
    for _ in 0..3 {
        harness.key_press(Key::ArrowRight);
        harness.step();
    }
    harness.key_press(Key::ArrowLeft);
    harness.run_steps(2);
    assert!((now(&mut harness) - 2.0 / rate).abs() < 1e-5);
    assert!(harness.get_by_label("Scrubber").is_focused(), "arrows do not leave it");
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    harness.run_steps(2);
    assert!((now(&mut harness) - 12.0 / rate).abs() < 1e-5);
}

#[test]
fn events_are_flags_that_are_clicked() {
    let mut harness = shown(timeline::show, paused(creature(), 2));
    let land = harness.state().session.document().unwrap().scene().unwrap().clips.as_slice()[2].events[1].clone();
    assert_eq!(land.name, "land");
    harness.get_by_label_contains("Event take_off");
    harness.get_by_label_contains("Event land").click();
    harness.run_steps(2);
    assert_eq!(now(&mut harness), land.time_secs);
}

#[test]
fn clips_of_any_length_with_any_keys_are_shown_at_once() {
    let many: Vec<f32> = (0..1_000_000).map(|key| key as f32).collect();
    let events = |count: usize| {
        (0..count).map(|nth| ClipEvent { time_secs: nth as f32, name: format!("event {nth}") }).collect::<Vec<_>>()
    };
    let odd = vec![f32::NAN, 0.0, f32::INFINITY, -1.0, f32::NEG_INFINITY];
    let clips = vec![
        Clip { name: "none".into(), ..Clip::default() },
        Clip {
            name: "long".into(),
            duration_secs: 1e6,
            tracks: vec![track(many)],
            events: events(100_000),
            ..Clip::default()
        },
        Clip {
            name: "odd".into(),
            duration_secs: f64::NAN,
            tracks: vec![track(odd)],
            frame_rate: Some(-1.0),
            ..Clip::default()
        },
    ];
    for show in [timeline::show, mixer::show, curves::show] {
        let mut harness = shown(show, with_clips(clips.clone()));
        for clip in 0..3 {
            player(&mut harness).play(clip);
            for selection in [Thing::Nothing, Thing::Node(maquette::sample::creature().nodes.handles().next().unwrap())]
            {
                harness.state_mut().session.document_mut().unwrap().selection.choose(selection);
                harness.run_steps(3);
                harness.state_mut().slowest = Duration::ZERO;
                let at = Pos2::new(500.0, 200.0);
                wheel(&mut harness, at, 30.0);
                wheel(&mut harness, at, -30.0);
                press(&mut harness, at, PointerButton::Primary, true);
                press(&mut harness, at + Vec2::new(90.0, 0.0), PointerButton::Primary, false);
                let slowest = harness.state().slowest;
                // Far more than it takes: the machine does other things as well.
                assert!(slowest < Duration::from_millis(150), "clip {clip}: {slowest:?}");
            }
        }
    }
}

#[test]
fn channels_are_filled_weighed_and_emptied() {
    let mut harness = shown(mixer::show, creature());
    assert!(harness.query_by_label("Weight of channel 1").is_none(), "all are empty");
    choose(&mut harness, "Clip of channel 2", "walk");
    assert!(matches!(player(&mut harness).moment(), Moment::Clip { clip: 0, .. }), "the first is heard at once");
    choose(&mut harness, "Clip of channel 3", "idle");
    harness.get_by_label("Sum of weights 1.00");
    harness.get_by_label("Weight of channel 3").set_value_accesskit(0.5);
    harness.run_steps(2);
    harness.get_by_label("Sum of weights 1.50");
    assert!(matches!(player(&mut harness).moment(), Moment::Mix(_)));
    click(&mut harness, "Solo channel 3");
    assert!(matches!(player(&mut harness).moment(), Moment::Clip { clip: 1, .. }));
    click(&mut harness, "Solo channel 3");
    harness.get_by_label("Sum of weights 1.50");
    choose(&mut harness, "Clip of channel 2", "empty");
    assert!(matches!(player(&mut harness).moment(), Moment::Clip { clip: 1, .. }));
    assert!(harness.query_by_label("Weight of channel 2").is_none());
}

#[test]
fn channels_have_settings_of_their_own() {
    let mut harness = shown(mixer::show, paused(creature(), 0));
    enter(&mut harness, "Time of channel 1", "0.3");
    enter(&mut harness, "Speed of channel 1", "-2");
    click(&mut harness, "Loop channel 1");
    let channel = player(&mut harness).channels()[0].clone();
    assert_eq!((channel.time_secs, channel.speed, channel.is_looping), (0.3, -2.0, false));
    click(&mut harness, "Play channel 1");
    assert!(now(&mut harness) < 0.3, "backwards");
    choose(&mut harness, "Clip of channel 4", "idle");
    click(&mut harness, "Channel 4");
    assert_eq!(player(&mut harness).channel, 3);
    assert_eq!(player(&mut harness).clip().unwrap().name, "idle");
    click(&mut harness, "Channel 4 additive");
    harness.get_by_label("Weight of channel 4").set_value_accesskit(0.25);
    harness.run_steps(2);
    harness.get_by_label("+ 0.25 additive");
    harness.get_by_label("Sum of weights 1.00");
    assert_eq!(player(&mut harness).channels()[3].layer, Layer::Additive);
    assert!(harness.get_by_label("Fade to channel 4").accesskit_node().is_disabled());
}

#[test]
fn a_channel_fades_in_and_the_others_out() {
    let mut harness = shown(mixer::show, playing(creature(), 0));
    choose(&mut harness, "Clip of channel 2", "idle");
    enter(&mut harness, "Seconds of a cross-fade", "0.5");
    click(&mut harness, "Fade to channel 2");
    harness.run_steps(10);
    let weights: Vec<f32> = player(&mut harness).channels().iter().map(|channel| channel.weight).collect();
    assert!(weights[0] > 0.05 && weights[1] > 0.05, "{weights:?}");
    harness.run_steps(30);
    assert!(matches!(player(&mut harness).moment(), Moment::Clip { clip: 1, .. }));
    assert_eq!(player(&mut harness).channel, 1, "the timeline shows it");
}

#[test]
fn a_channel_moves_a_node_and_what_hangs_on_it_alone() {
    let mut harness = shown(mixer::show, paused(creature(), 0));
    let scene = Arc::clone(harness.state().session.document().unwrap().scene().unwrap());
    let node = scene.nodes.handles().find(|node| scene.nodes[*node].children.len() > 1).unwrap();
    let name = scene.nodes[node].name.clone();
    select(&mut harness, &name);
    choose(&mut harness, "Nodes of channel 1", &format!("{name} and below"));
    assert_eq!(player(&mut harness).mask(0), Some(node));
    let mask = player(&mut harness).channels()[0].mask.clone().unwrap();
    assert_eq!(mask[scene.nodes[node].children[0].index()], 1.0);
    assert!(mask.contains(&0.0));
    choose(&mut harness, "Nodes of channel 1", "all nodes");
    assert_eq!(player(&mut harness).channels()[0].mask, None);
}

#[test]
fn curves_say_what_to_select_and_show_what_is() {
    let mut harness = shown(curves::show, creature());
    harness.get_by_label_contains("Select a node");
    let scene = Arc::clone(harness.state().session.document().unwrap().scene().unwrap());
    let moved = |node| scene.clips.as_slice()[0].tracks.iter().any(|track| track.target == Target::Node(node));
    let still = scene.nodes.handles().find(|node| !moved(*node)).unwrap();
    let turned = scene.clips.as_slice()[0].tracks.iter().find_map(|track| match (&track.target, &track.curve) {
        (Target::Node(node), Curve::Rotation(_)) => Some(*node),
        _ => None,
    });
    let name = |node| scene.nodes[node].name.clone();
    select(&mut harness, &name(still));
    harness.get_by_label_contains("Rest pose");
    let held = player(&mut harness);
    held.play(0);
    held.toggle();
    harness.run_steps(3);
    harness.get_by_label_contains("has no keys in");
    let name = name(turned.unwrap());
    select(&mut harness, &name);
    harness.get_by_label(&format!("Curves of {name}"));
    assert!(harness.query_by_label("Rotation W").is_none(), "degrees are three");
    click(&mut harness, "quaternion");
    harness.get_by_label("Rotation W");
    harness.get_by_label("Rotation Z").click();
    harness.get_by_label("Rotation").click();
    harness.run_steps(3);
    harness.get_by_label("Show all").click();
    harness.run_steps(3);
}

#[test]
fn the_playhead_is_dragged_in_the_curves() {
    let mut clip =
        Clip { name: "slide".into(), duration_secs: 10.0, tracks: vec![track(vec![0.0, 10.0])], ..Clip::default() };
    clip.frame_rate = Some(10.0);
    let mut session = paused(with_clips(vec![clip]), 0);
    let node = maquette::sample::creature().nodes.handles().next().unwrap();
    session.document_mut().unwrap().selection.choose(Thing::Node(node));
    session.player_mut().unwrap().seek(5.0);
    let mut harness = shown(curves::show, session);
    harness.run_steps(3);
    let rect = harness.get_by_label_contains("Curves of").rect();
    let x = |secs: f32| rect.left() + rect.width() * (secs + 0.2) / 10.4;
    press(&mut harness, Pos2::new(x(5.0), rect.center().y), PointerButton::Primary, true);
    harness.event(Event::PointerMoved(Pos2::new(x(7.0), rect.center().y)));
    harness.run_steps(2);
    assert!((now(&mut harness) - 7.0).abs() < 0.2, "{}", now(&mut harness));
    press(&mut harness, Pos2::new(x(7.0), rect.center().y), PointerButton::Primary, false);
    // Elsewhere a drag moves what is seen, not the time.
    press(&mut harness, Pos2::new(x(2.0), rect.center().y), PointerButton::Primary, true);
    harness.event(Event::PointerMoved(Pos2::new(x(4.0), rect.center().y)));
    harness.run_steps(2);
    press(&mut harness, Pos2::new(x(4.0), rect.center().y), PointerButton::Primary, false);
    assert!((now(&mut harness) - 7.0).abs() < 0.2);
    let at = time_at(&mut harness, Pos2::new(x(4.0), rect.center().y));
    assert!((at - 2.0).abs() < 0.3, "what was at two seconds is seen there: {at}");
    click(&mut harness, "Show all");
    let at = time_at(&mut harness, Pos2::new(x(4.0), rect.center().y));
    assert!((at - 4.0).abs() < 0.3, "{at}");
    harness.get_by_label_contains("Curves of").focus();
    harness.run_steps(2);
    let before = now(&mut harness);
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    assert!(now(&mut harness) > before && now(&mut harness) < before + 0.11);
}

#[test]
fn the_whole_window_shows_them_as_tabs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("newt.glb");
    maquette::write(&maquette::sample::creature(), &path).unwrap();
    let mut app = None;
    // What other panels lack is theirs to be tried.
    let window = Harness::builder().with_size(Vec2::new(1280.0, 800.0)).with_accessibility_check(false);
    let mut harness = window.build_ui(|ui| {
        let app = app.get_or_insert_with(|| {
            let mut app = maquette_viewer::app::App::headless(ui.ctx());
            app.session().open(path.clone());
            app
        });
        app.show(ui);
    });
    let start = Instant::now();
    while harness.query_by_label("Rest pose: choose a clip, or play.").is_none() {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::sleep(Duration::from_millis(5));
        harness.step();
    }
    harness.key_press(Key::Space);
    harness.run_steps(3);
    harness.get_by_label("Scrubber");
    harness.get_by_label("Mixer").click();
    harness.run_steps(3);
    harness.get_by_label("Weight of channel 1");
    harness.get_by_label("Curves").click();
    harness.run_steps(3);
    harness.get_by_label_contains("Select a node, in the picture");
}
