//! The scene as a tree, and what is selected of it: clicked, typed and steered by keys, without a window.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use eframe::egui::accesskit::Role;
use eframe::egui::{CentralPanel, Event, Key, Modifiers, Panel, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette::scene::glam::Mat4;
use maquette::scene::image::{Image, ImageData};
use maquette::scene::material::{Material, Pbr, TextureUse};
use maquette::scene::scene::{Node, Skin};
use maquette_viewer::state::document::{Context, Document, Progress};
use maquette_viewer::state::selection::Thing;
use maquette_viewer::state::session::Session;
use maquette_viewer::ui::{Desk, inspector, tree};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Both panels side by side, and the folder of their file.
struct Bench {
    harness: Harness<'static, Session>,
    _folder: TempDir,
}

fn show(ui: &mut eframe::egui::Ui, session: &mut Session) {
    session.size = Some([64, 64]);
    session.update(ui.input(|input| input.stable_dt));
    let mut done = Vec::new();
    let mut desk = Desk { session, done: &mut done };
    Panel::left("tree").exact_size(360.0).show(ui, |ui| tree::show(ui, &mut desk));
    CentralPanel::default().show(ui, |ui| inspector::show(ui, &mut desk));
    for action in done {
        session.act(action);
    }
}

impl Bench {
    /// A file that is made in a folder, opened.
    fn opened(make: impl FnOnce(&Path) -> PathBuf) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let path = make(folder.path());
        let mut session = Session::new(Context { renderer: None, wake: Arc::new(|| {}) });
        session.open(path);
        let harness =
            Harness::builder().with_size([820.0, 1500.0]).with_step_dt(1.0 / 60.0).build_ui_state(show, session);
        let mut bench = Bench { harness, _folder: folder };
        bench.until("it is read", |bench| matches!(bench.document().progress(), Progress::Ready | Progress::Failed));
        bench.steps();
        bench
    }

    fn of(scene: &Scene) -> Bench {
        Bench::opened(|folder| {
            let path = folder.join("model.glb");
            maquette::write(scene, &path).unwrap();
            path
        })
    }

    fn creature() -> Bench {
        Bench::of(&maquette::sample::creature())
    }

    /// A few pictures: what was done is seen.
    fn steps(&mut self) {
        self.harness.run_steps(3);
    }

    fn until(&mut self, what: &str, is: impl Fn(&Bench) -> bool) {
        let start = Instant::now();
        while !is(self) {
            assert!(start.elapsed() < Duration::from_secs(60), "{what}: it takes too long");
            self.harness.step();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn document(&self) -> &Document {
        self.harness.state().document().unwrap()
    }

    fn thing(&self) -> Thing {
        self.document().selection.thing
    }

    fn scene(&self) -> Arc<Scene> {
        Arc::clone(self.document().scene().unwrap())
    }

    fn choose(&mut self, thing: Thing) {
        self.harness.state_mut().document_mut().unwrap().selection.choose(thing);
        self.steps();
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.steps();
    }

    fn double_click(&mut self, label: &str) {
        let at = self.harness.get_by_label(label).rect().center();
        self.harness.event(Event::PointerMoved(at));
        for pressed in [true, false, true, false] {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            self.harness.event(Event::PointerButton { pos: at, button, pressed, modifiers });
        }
        self.steps();
    }

    fn press(&mut self, key: Key) {
        self.harness.key_press(key);
        self.steps();
    }

    fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    fn has_part(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    fn filter(&mut self, text: &str) {
        self.harness.get_by_label("Filter by name").focus();
        self.steps();
        self.harness.get_by_label("Filter by name").type_text(text);
        self.steps();
    }

    /// What is written beside the name of a row.
    fn notes(&self, label: &str) -> String {
        self.harness.get_by_role_and_label(Role::TreeItem, label).value().unwrap_or_default()
    }

    fn is_selected(&self, label: &str) -> bool {
        let toggled = self.harness.get_by_label(label).accesskit_node().toggled();
        toggled == Some(eframe::egui::accesskit::Toggled::True)
    }

    fn rows(&self) -> usize {
        self.harness.query_all_by_role(Role::TreeItem).count()
    }
}

fn node(scene: &Scene, name: &str) -> Handle<Node> {
    scene.nodes.entries().find(|(_, node)| node.name == name).unwrap().0
}

fn clip(scene: &Scene, name: &str) -> usize {
    scene.clips.iter().position(|clip| clip.name == name).unwrap()
}

/// A chain of nodes, each the child of the one before.
fn chain(count: usize) -> Scene {
    let node = |index: usize| Node {
        name: format!("link{index}"),
        children: (index + 1 < count).then(|| Handle::from_index(index + 1)).into_iter().collect(),
        ..Node::default()
    };
    Scene { nodes: (0..count).map(node).collect(), roots: vec![Handle::from_index(0)], ..Scene::default() }
}

/// A root with many children.
fn fan(count: usize) -> Scene {
    let mut scene = Scene::default();
    let root = scene.nodes.push(Node { name: "root".into(), ..Node::default() });
    let children = (0..count).map(|index| scene.nodes.push(Node { name: format!("leaf{index}"), ..Node::default() }));
    let children = children.collect();
    scene.nodes[root].children = children;
    scene.roots.push(root);
    scene
}

#[test]
fn a_click_selects_and_links_lead_on() {
    let mut bench = Bench::creature();
    assert!(bench.has("Nodes") && bench.has("node body"));
    let scene = bench.scene();
    bench.click("node body");
    let body = node(&scene, "body");
    assert_eq!(bench.thing(), Thing::Node(body));
    assert!(bench.is_selected("node body"));
    assert!(bench.has(&format!("node: {}", body.index())), "its number is told");
    bench.click("Select mesh body");
    assert_eq!(bench.thing(), Thing::Mesh(scene.nodes[body].mesh.unwrap()));
    assert!(!bench.is_selected("node body"));
    let vertices: usize =
        scene.meshes[scene.nodes[body].mesh.unwrap()].primitives.iter().map(|p| p.streams.len()).sum();
    assert!(bench.harness.query_all_by_label(&format!("Vertices: {vertices}")).count() >= 1);
    bench.click("Select material skin");
    assert!(matches!(bench.thing(), Thing::Material(_)));
    for told in ["Alpha: opaque", "Double-sided: no", "Roughness: 1", "Texture: emissive"] {
        assert!(bench.has(told), "{told}");
    }
    bench.click("Select the image of normal");
    let Thing::Image(image) = bench.thing() else { panic!("{:?}", bench.thing()) };
    assert_eq!(bench.scene().images[image].name, "skin_normal");
}

#[test]
fn rows_say_what_things_carry() {
    let mut bench = Bench::creature();
    assert_eq!(bench.notes("node body"), "mesh, skin");
    let scene = bench.scene();
    let joint = scene.nodes[scene.skins.iter().next().unwrap().joints[1]].name.clone();
    let label = format!("node {joint}");
    assert_eq!(bench.notes(&label), "joint");
    let walk = clip(&scene, "walk");
    bench.choose(Thing::Clip(walk));
    let target = Target::Node(node(&scene, &joint));
    let tracks = scene.clips.as_slice()[walk].tracks.iter().filter(|track| track.target == target);
    let keys: usize = tracks.map(|track| track.curve.times_secs().len()).sum();
    assert_eq!(bench.notes(&label), format!("joint, {keys} keys"));
    assert!(keys > 0);
    // What is selected goes before what plays; without a clip selected, what plays counts.
    bench.choose(Thing::Nothing);
    assert_eq!(bench.notes(&label), "joint");
    bench.harness.state_mut().player_mut().unwrap().play(walk);
    bench.steps();
    assert_eq!(bench.notes(&label), format!("joint, {keys} keys"));
}

#[test]
fn the_filter_shows_matches_with_those_above() {
    let mut bench = Bench::of(&chain(5));
    bench.filter("LINK3");
    for there in ["node link0", "node link1", "node link2", "node link3"] {
        assert!(bench.has(there), "{there}");
    }
    assert!(!bench.has("node link4"));
    assert_eq!(bench.notes("Nodes"), "1 of 5");
    bench.filter("x");
    assert!(bench.has("Nothing is called that."));
    // What is selected elsewhere is shown, filter or not.
    bench.choose(Thing::Node(Handle::from_index(4)));
    assert!(bench.is_selected("node link4"));
    assert_eq!(bench.notes("Nodes"), "5");
}

#[test]
fn what_is_selected_elsewhere_is_opened_and_scrolled_to() {
    let mut bench = Bench::of(&chain(1000));
    assert!(!bench.has("node link2"), "many nodes are closed at first");
    bench.choose(Thing::Node(Handle::from_index(900)));
    assert!(bench.is_selected("node link900"));
    assert!(bench.rows() < 120, "only what is seen is there: {}", bench.rows());
    bench.choose(Thing::Node(Handle::from_index(3)));
    assert!(bench.is_selected("node link3"));
    assert!(!bench.has("node link900"));
}

#[test]
fn branches_are_opened_and_closed() {
    let mut bench = Bench::of(&chain(3));
    bench.click("Close node link0");
    assert!(!bench.has("node link1"));
    assert_eq!(bench.thing(), Thing::Nothing, "opening selects nothing");
    bench.click("Open node link0");
    assert!(bench.has("node link1"));
    bench.harness.get_by_role_and_label(Role::TreeItem, "Nodes").click();
    bench.steps();
    assert!(!bench.has("node link0"));
}

#[test]
fn keys_go_through_the_tree() {
    let mut bench = Bench::of(&chain(3));
    bench.harness.get_by_label("node link0").focus();
    bench.steps();
    let selected = |bench: &Bench| match bench.thing() {
        Thing::Node(node) => Some(node.index()),
        _ => None,
    };
    for (key, expected) in [
        (Key::ArrowDown, Some(1)),
        (Key::ArrowDown, Some(2)),
        (Key::ArrowDown, Some(2)),
        (Key::ArrowLeft, Some(1)),
        (Key::ArrowUp, Some(0)),
        (Key::ArrowRight, Some(1)),
    ] {
        bench.press(key);
        assert_eq!(selected(&bench), expected, "{key:?}");
    }
    bench.press(Key::ArrowLeft);
    assert!(!bench.has("node link2"), "an open branch is closed first");
    bench.press(Key::ArrowRight);
    assert!(bench.has("node link2"));
}

#[test]
fn keys_scroll_along() {
    let mut bench = Bench::of(&fan(300));
    bench.harness.get_by_label("node root").focus();
    bench.steps();
    for _ in 0..120 {
        bench.press(Key::ArrowDown);
    }
    assert!(bench.is_selected("node leaf119"));
    assert!(!bench.has("node leaf0"));
}

#[test]
fn a_double_click_or_enter_plays_a_clip() {
    let mut bench = Bench::creature();
    let scene = bench.scene();
    let playing = |bench: &Bench| bench.document().player.as_ref().unwrap().current().map(|channel| channel.clip);
    bench.choose(Thing::Clip(0));
    assert_eq!(playing(&bench), None, "what is only selected does not play");
    let [first, second] = [0, 1].map(|clip: usize| format!("clip {}", scene.clips.as_slice()[clip].name));
    bench.double_click(&second);
    assert_eq!((playing(&bench), bench.thing()), (Some(1), Thing::Clip(1)));
    bench.harness.get_by_label(&first).focus();
    bench.steps();
    bench.press(Key::Enter);
    assert_eq!(playing(&bench), Some(0));
}

#[test]
fn a_clip_tells_its_events_and_goes_to_them() {
    let mut bench = Bench::creature();
    let scene = bench.scene();
    let walk = clip(&scene, "walk");
    let source = scene.clips.as_slice()[walk].clone();
    assert!(!source.events.is_empty(), "the walk of the creature has footsteps");
    bench.choose(Thing::Clip(walk));
    assert!(bench.has(&format!("Duration: {:.4} s", source.duration_secs)));
    assert!(bench.has(&format!("Tracks: {}", source.tracks.len())));
    let event = source.events.last().unwrap();
    let label = format!("Go to event {} at {:.3} s", event.name, event.time_secs);
    bench.click(&label);
    let channel = bench.document().player.as_ref().unwrap().current().cloned().unwrap();
    assert_eq!((channel.clip, channel.time_secs), (walk, event.time_secs));
    assert!(!channel.is_playing, "from rest, a moment is looked at");
}

#[test]
fn a_node_tells_where_it_is_and_what_moves_it() {
    let mut bench = Bench::creature();
    let scene = bench.scene();
    let joint = scene.skins.iter().next().unwrap().joints[2];
    bench.choose(Thing::Node(joint));
    assert!(bench.has("Scale: 1  1  1"));
    assert!(bench.has("Rotation xyzw: 0  0  0  1"));
    assert!(bench.has("about x, y, z: 0°  0°  0°"));
    assert!(bench.has("As joint 2 of"));
    assert!(bench.has_part("Keys, in "));
    let parent = scene.parents()[joint.index()].unwrap();
    let world = bench.document().placed.as_ref().unwrap().world_from_node[joint.index()].w_axis;
    let at = |label: &str| bench.harness.get_by_label_contains(label).value().unwrap();
    let shown: Vec<f32> =
        at("Position: ")["Position: ".len()..].split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert!((shown[1] - world.y).abs() < 1e-4, "{shown:?} {world}");
    bench.harness.get_by_label(&format!("Select node {}", scene.nodes[parent].name)).click();
    bench.steps();
    assert_eq!(bench.thing(), Thing::Node(parent));
}

#[test]
fn the_file_tells_what_it_is_and_lacks() {
    let mut scene = maquette::sample::creature();
    scene.images.iter_mut().for_each(|image| image.data = Arc::new(ImageData::External(format!("{}.png", image.name))));
    let bench = Bench::opened(|folder| {
        let path = folder.join("model.gltf");
        maquette::write(&scene, &path).unwrap();
        path
    });
    let info = bench.document().opened.as_ref().unwrap().info.clone();
    assert!(bench.has(&format!("Dialect: {}", info.dialect)));
    assert!(bench.has(&format!("Vertices: {}", info.summary.vertices)));
    assert!(bench.has(&format!("Joints: {}", info.summary.joints)));
    assert!(bench.has_part("Companion files that are missing"), "{:?}", info.missing_companions);
    assert!(bench.has_part("Images that are missing"));
    assert!(bench.has_part("What the scene does not hold"));
}

#[test]
fn a_broken_file_tells_why() {
    let bench = Bench::opened(|folder| {
        let path = folder.join("broken.aem");
        std::fs::write(&path, b"AEM that is none").unwrap();
        path
    });
    assert_eq!(bench.document().progress(), Progress::Failed);
    let why = bench.document().failure.clone().unwrap().why().to_owned();
    assert!(bench.has(&why), "{why}");
    assert!(bench.has("It cannot be read."));
}

#[test]
fn packed_maps_are_explained() {
    let mut bench = Bench::opened(|folder| {
        let path = folder.join("sample.aem");
        maquette::sample::save(&path).unwrap();
        path
    });
    bench.choose(Thing::Material(Handle::from_index(0)));
    assert!(bench.has("Map: packed"));
    assert!(bench.has_part("red is roughness, green is occlusion, blue is metalness, alpha is emission"));
    bench.click("Select the image of packed");
    assert!(matches!(bench.thing(), Thing::Image(_)));
    bench.until("it is decoded", |bench| bench.has("Channel RGB"));
    bench.click("Show the bytes of the image");
    let bytes = bench.document().selection.bytes.clone().unwrap();
    assert!(bytes.end > bytes.start);
}

/// A scene with one image: a column of black, one of red that is half there.
fn striped() -> Scene {
    let mut scene = maquette::sample::creature();
    let pixels: Vec<[u8; 4]> =
        (0..64 * 64).map(|at| if at % 64 < 32 { [0, 0, 0, 255] } else { [255, 10, 20, 128] }).collect();
    let png = maquette_texture::png::encode(64, 64, &pixels).unwrap();
    let data = ImageData::Encoded { mime: "image/png".into(), bytes: png.into() };
    let image = scene.images.push(Image::new("stripes", data));
    let pbr = Pbr { base_colour_texture: Some(TextureUse::new(image)), ..Pbr::default() };
    let material =
        scene.materials.push(Material { name: "striped".into(), surface: pbr.into(), ..Material::default() });
    let mesh = scene.meshes.iter_mut().next().unwrap();
    mesh.primitives[0].material = Some(material);
    scene
}

fn image_named(scene: &Scene, name: &str) -> Handle<Image> {
    scene.images.entries().find(|(_, image)| image.name == name).unwrap().0
}

#[test]
fn an_image_is_decoded_and_its_pixels_are_told() {
    let mut bench = Bench::of(&striped());
    let image = image_named(&bench.scene(), "stripes");
    bench.choose(Thing::Image(image));
    bench.until("it is decoded", |bench| bench.has("Picture stripes"));
    bench.until("levels are made", |bench| bench.has("Pixel size: 64 × 64 pixels"));
    assert!(bench.has("Format: PNG"));
    let rect = bench.harness.get_by_label("Picture stripes").rect();
    let right = Pos2::new(rect.center().x + 20.0, rect.center().y);
    bench.harness.hover_at(right);
    bench.steps();
    assert!(bench.has_part(": 255 10 20 128  #ff0a1480"));
    bench.harness.hover_at(Pos2::new(rect.center().x - 20.0, rect.center().y));
    bench.steps();
    assert!(bench.has_part(": 0 0 0 255  #000000ff"));
    for channel in ["R", "G", "B", "A", "RGBA", "RGB"] {
        bench.click(&format!("Channel {channel}"));
        assert!(bench.is_selected(&format!("Channel {channel}")));
    }
    // The last level is one pixel: the mean.
    bench.harness.get_by_role_and_label(Role::ComboBox, "Mip level").click();
    bench.steps();
    bench.until("all levels are there", |bench| bench.has("Level 6: 1 × 1, made"));
    bench.click("Level 6: 1 × 1, made");
    bench.harness.hover_at(rect.center());
    bench.steps();
    assert!(bench.has_part("0, 0: "), "the only pixel");
    assert!(!bench.has_part("#000000ff"));
}

#[test]
fn a_picture_is_moved_and_enlarged() {
    let mut bench = Bench::of(&striped());
    let image = image_named(&bench.scene(), "stripes");
    bench.choose(Thing::Image(image));
    bench.until("it is decoded", |bench| bench.has("Picture stripes"));
    bench.harness.remove_cursor();
    bench.harness.get_by_label("Picture stripes").focus();
    bench.steps();
    // The pixel in the middle is told while keys are for the picture.
    assert!(bench.has_part("32, 32: 255 10 20 128"));
    for _ in 0..5 {
        bench.press(Key::ArrowLeft);
    }
    assert!(bench.has_part(", 32: 0 0 0 255"), "moved to the left half");
    for _ in 0..12 {
        bench.press(Key::Plus);
    }
    let told = bench.harness.get_by_label_contains(", 32: ").value().unwrap();
    bench.press(Key::ArrowLeft);
    let moved = bench.harness.get_by_label_contains(", 32: ").value().unwrap();
    let column = |told: &str| told.split(',').next().unwrap().parse::<i32>().unwrap();
    assert!(
        (0..=1).contains(&(column(&told) - column(&moved))),
        "enlarged, a step is less than a pixel: {told} {moved}"
    );
    bench.click("Fit");
    bench.harness.remove_cursor();
    bench.harness.get_by_label("Picture stripes").focus();
    bench.steps();
    assert!(bench.has_part("32, 32: "));
}

#[test]
fn an_image_that_cannot_be_decoded_tells_why() {
    let mut scene = striped();
    let image = image_named(&scene, "stripes");
    let ImageData::Encoded { bytes, .. } = &*scene.images[image].data else { panic!() };
    let cut = bytes[..bytes.len() / 2].to_vec();
    scene.images[image] = Image::new("stripes", ImageData::Encoded { mime: "image/png".into(), bytes: cut.into() });
    let mut bench = Bench::of(&scene);
    let (broken, sound) = (image_named(&bench.scene(), "stripes"), image_named(&bench.scene(), "skin_normal"));
    bench.choose(Thing::Image(broken));
    bench.until("it is given up", |bench| bench.has_part("cannot be decoded"));
    assert!(!bench.has("Picture stripes"));
    bench.choose(Thing::Image(sound));
    bench.until("the next one is decoded", |bench| bench.has("Picture skin_normal"));
}

#[test]
fn many_things_are_there_only_where_they_are_seen() {
    let mut scene = fan(100_000);
    let joints: Vec<Handle<Node>> = scene.nodes.handles().skip(1).take(60_000).collect();
    let tracks = joints.iter().map(|joint| Track {
        target: Target::Node(*joint),
        curve: Curve::Scale(Keys {
            times_secs: vec![0.0, 1.0],
            values: vec![[1.0; 3]; 2],
            interpolation: Interpolation::Linear,
        }),
        blend: None,
    });
    let tracks = tracks.collect();
    scene.clips.push(Clip { name: "all".into(), duration_secs: 1.0, tracks, ..Clip::default() });
    scene.skins.push(Skin { name: "skin".into(), joint_from_mesh: vec![Mat4::IDENTITY; joints.len()], joints });
    let mut bench = Bench::of(&scene);
    for thing in [
        Thing::Node(Handle::from_index(0)),
        Thing::Node(Handle::from_index(55_555)),
        Thing::Skin(Handle::from_index(0)),
        Thing::Clip(0),
    ] {
        bench.choose(thing);
        let start = Instant::now();
        bench.harness.run_steps(10);
        let took = start.elapsed() / 10;
        let seen = bench.harness.root().children_recursive().count();
        assert!(seen < 1000, "{thing:?}: {seen} things are laid out");
        assert!(took < Duration::from_millis(100), "{thing:?}: {took:?}");
    }
    assert!(bench.has("clip all"));
    bench.choose(Thing::Node(Handle::from_index(55_555)));
    assert_eq!(bench.notes("node leaf55554"), "joint");
}

#[test]
fn names_are_text_and_nothing_else() {
    let mut scene = chain(2);
    let long = "x".repeat(100_000);
    scene.nodes[Handle::from_index(0)].name = format!("two\nlines {long}");
    let mut bench = Bench::of(&scene);
    assert!(bench.has_part("node two\\nlines x"));
    bench.choose(Thing::Node(Handle::from_index(0)));
    assert!(bench.has_part("two\\nlines x"));
}

#[test]
fn what_is_gone_after_reading_again_is_told() {
    let mut bench = Bench::of(&chain(9));
    bench.choose(Thing::Node(Handle::from_index(8)));
    let path = bench.document().path.clone();
    maquette::write(&chain(2), &path).unwrap();
    bench.harness.state_mut().act(maquette_viewer::actions::Action::Reload);
    bench.until("it is read again", |bench| bench.scene().nodes.len() == 2);
    bench.steps();
    assert!(bench.has("What was selected is no longer in the file."));
    assert!(bench.has("node link1"), "it is as open as it was");
}
