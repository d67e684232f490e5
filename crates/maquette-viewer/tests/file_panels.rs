//! Findings, bytes, conversions and the dialogs of the window: what a user does with them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use eframe::egui::{self, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette::formats::format::BUILT_IN;
use maquette::formats::gltf;
use maquette::formats::walk::Walk;
use maquette::{Format, Input};
use maquette_viewer::actions::Action;
use maquette_viewer::app::App;
use maquette_viewer::state::document::{Document, Progress};
use maquette_viewer::state::places::{Walked, thing_in};
use maquette_viewer::state::selection::Thing;
use maquette_viewer::state::session::Session;
use maquette_viewer::ui::Desk;
use maquette_viewer::ui::{conversion, findings, hex};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A panel alone, and the session behind it.
struct Panel {
    session: Session,
    done: Vec<Action>,
    show: fn(&mut egui::Ui, &mut Desk<'_>),
}

fn panel(path: &Path, show: fn(&mut egui::Ui, &mut Desk<'_>)) -> Harness<'static, Panel> {
    let context = maquette_viewer::state::document::Context { renderer: None, wake: Arc::new(|| {}) };
    let mut session = Session::new(context);
    session.size = Some([64, 64]);
    session.open(path.to_path_buf());
    let mut harness = Harness::builder().with_size([1100.0, 420.0]).build_ui_state(
        |ui, panel: &mut Panel| {
            panel.session.update(0.02);
            (panel.show)(ui, &mut Desk { session: &mut panel.session, done: &mut panel.done });
        },
        Panel { session, done: Vec::new(), show },
    );
    until(&mut harness, |panel| {
        let document = panel.session.document().unwrap();
        let is_read = matches!(document.progress(), Progress::Ready | Progress::Failed);
        is_read && (document.checked.is_some() || document.input.is_none())
    });
    harness
}

/// Lets time go on until something is so.
fn until<S>(harness: &mut Harness<'_, S>, is_so: impl Fn(&S) -> bool) {
    for _ in 0..2000 {
        harness.step();
        if is_so(harness.state()) {
            harness.step();
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("it does not come to pass");
}

fn document<'h>(harness: &'h Harness<'_, Panel>) -> &'h Document {
    harness.state().session.document().unwrap()
}

/// Writes a file that breaks a rule, with its companion files.
fn broken(folder: &Path, format: &str, code: &str) -> PathBuf {
    let format = BUILT_IN.by_id(format).unwrap();
    let bundle = maquette::sample::broken(format.id, code).unwrap();
    let name = format!("a.{}", format.extensions[0]);
    for (naming, bytes) in bundle.companions {
        std::fs::write(folder.join(naming.apply(&name)), bytes).unwrap();
    }
    std::fs::write(folder.join(&name), bundle.main).unwrap();
    folder.join(name)
}

fn creature(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    maquette::write(&maquette::sample::creature(), &path).unwrap();
    path
}

/// Every finding of every broken file that can be read, and the object it is about.
fn things(mut see: impl FnMut(&'static Format, &str, &str, Option<Thing>)) {
    for format in BUILT_IN.iter() {
        for fault in format.faults {
            let bundle = (fault.make)();
            let name = format!("a.{}", format.extensions[0]);
            let companions = bundle.companions.into_iter().map(|(naming, bytes)| (naming.apply(&name), bytes));
            let files = companions.chain([(name.clone(), bundle.main)]);
            let input = Input::from_files(&name, files).unwrap();
            let Ok(read) = input.read(&Default::default()) else { continue };
            let opened = input.open(None).unwrap();
            let json = gltf::File::parse(input.bytes()).ok();
            let closely = json.as_ref().map(gltf::raw::Closely);
            let file: &dyn Walk = match &closely {
                Some(closely) => closely,
                None => &*opened.file,
            };
            let walked = Walked { file, bytes: input.bytes() };
            let checked = maquette::check::check(&input, None, Default::default());
            for finding in &checked.diagnostics {
                see(format, finding.code, &finding.path, thing_in(&read.scene, &finding.path, &walked));
            }
        }
    }
}

/// What an object of these places is, by their first names.
const PLACES: &[(&str, &str, &str)] = &[
    ("aem", "joints", "node"),
    ("aem", "animations", "clip"),
    ("aem", "tracks", "clip"),
    ("aem", "keyframes", "clip"),
    ("aem", "materials", "material"),
    ("aem", "textures", "image"),
    ("aem", "image_buffer", "image"),
    ("aem", "meshes", "mesh"),
    ("aem", "vertices", "mesh"),
    ("aem", "indices", "mesh"),
    ("nlm", "meshes[].texture", "image"),
    ("nlm", "meshes", "mesh"),
    ("nlm", "animation.nodes", "node"),
    ("nlm", "animation.bone_info[]", "node"),
    ("nlm", "animation", "clip"),
    ("pmdl", "meshes[].bones", "node"),
    ("pmdl", "meshes[].animations", "clip"),
    ("pmdl", "meshes[].material_name", "material"),
    ("pmdl", "meshes", "mesh"),
    ("pmdl", "companions.pmat", "material"),
    ("pmdl", "companions.pani", "clip"),
    ("pani", "", "clip"),
    ("pmat", "textures[]", "image"),
    ("pmat", "", "material"),
    ("bmw", "nodes[]", "node"),
    ("bmw", "bone_names", "node"),
    ("bmw", "meshes", "mesh"),
    ("bmw", "materials[].textures", "image"),
    ("bmw", "materials", "material"),
    ("bmw", "animations", "clip"),
    ("bmw", "companions.json.clips", "clip"),
    ("seanim", "", "clip"),
    ("gltf", "json.nodes", "node"),
    ("gltf", "json.meshes", "mesh"),
    ("gltf", "json.skins", "skin"),
    ("gltf", "json.images", "image"),
    ("gltf", "json.samplers", "image"),
    ("gltf", "json.animations", "clip"),
];

/// Places whose object was left out of the scene, or stands for something else.
const LEFT_OUT: &[(&str, &str, Option<&str>)] = &[
    // Corners that no mesh has.
    ("AEM0015", "indices[52]", None),
    ("AEM0015", "indices[0]", None),
    ("AEM0015", "indices[51]", None),
    // Meshes without finite positions, or without vertices.
    ("NLM0040", "meshes[0].vertices[3].position", None),
    ("PMDL0050", "meshes[0].vertices[3].position", None),
    ("BMW0023", "meshes[0].vertices[3].position", None),
    ("BMW0022", "meshes[1].vertex_count", None),
    ("BMW0027", "meshes[1]", None),
    ("GLTF0072", "json.meshes[0].primitives[0].attributes", None),
    ("GLTF0081", "json.meshes[0]", None),
    // A clip that was not made.
    ("NLM0062", "animation.bone_count", None),
    ("PMDL0022", "meshes[0].animations[0].name_bytes", Some("mesh")),
    ("PMDL0062", "companions.pani", None),
    ("PMDL0063", "companions.pani.name", None),
    ("BMW0087", "companions.json.clips[0].start", None),
    ("BMW0088", "companions.json.clips[0].start", None),
    ("BMW0091", "companions.json.clips[0].file", None),
    // Names of nodes that are not there.
    ("BMW0070", "bone_names[0].node_id", None),
    ("BMW0071", "bone_names[4].node_id", None),
    // Paths that no mesh shows.
    ("BMW0010", "materials[0].textures[0]", None),
    ("BMW0016", "materials[0].textures[1]", None),
    // Nodes outside of the scene.
    ("GLTF0067", "json.nodes[4]", None),
    // Textures of a material that are not read.
    ("PMAT0010", "textures[0].header.texture_type", Some("material")),
    ("PMAT0011", "textures[0].header.texture_type", Some("material")),
    ("PMAT0020", "textures[0].header.path_bytes", Some("material")),
];

#[test]
fn the_object_of_every_finding_is_found() {
    let mut seen = 0;
    things(|format, code, path, thing| {
        let kind = thing.map(|thing| match thing {
            Thing::Nothing => "nothing",
            Thing::Node(_) => "node",
            Thing::Mesh(_) => "mesh",
            Thing::Skin(_) => "skin",
            Thing::Material(_) => "material",
            Thing::Image(_) => "image",
            Thing::Clip(_) => "clip",
            Thing::Bone { .. } => "bone",
        });
        let pattern: String = {
            let mut inside = false;
            let keeps = |letter: char| {
                let was_inside = inside;
                inside = if letter == '[' { true } else { inside && letter != ']' };
                !(was_inside && letter.is_ascii_digit())
            };
            path.chars()
                .filter({
                    let mut keeps = keeps;
                    move |letter| keeps(*letter)
                })
                .collect()
        };
        let place = PLACES.iter().find(|(own, start, _)| *own == format.id && pattern.starts_with(start));
        let is_table = path.starts_with("json.accessors");
        let wanted = place.map(|(_, _, kind)| *kind);
        let left_out = LEFT_OUT.iter().find(|(own, place, _)| *own == code && *place == path);
        if is_table {
            assert!(kind.is_some(), "{code} {path}");
        } else if let (Some((_, _, instead)), true) = (left_out, kind != wanted) {
            assert_eq!(kind, *instead, "{} {code} {path}", format.id);
        } else {
            assert_eq!(kind, wanted, "{} {code} {path}", format.id);
        }
        seen += 1;
    });
    assert!(seen > 300, "{seen}");
}

#[test]
fn objects_are_the_ones_that_are_named() {
    let mut named = std::collections::BTreeMap::new();
    things(|_, code, path, thing| _ = named.insert((code.to_owned(), path.to_owned()), thing));
    let index = |code: &str, path: &str| match named[&(code.to_owned(), path.to_owned())].unwrap() {
        Thing::Node(node) => node.index(),
        Thing::Mesh(mesh) => mesh.index(),
        Thing::Image(image) => image.index(),
        other => panic!("{other:?}"),
    };
    assert_eq!(index("AEM0043", "joints[2].name"), 2);
    assert_eq!(index("AEM0025", "textures[1].channels"), 1);
    assert_eq!(index("PMDL0043", "meshes[1].bones[1]"), 4, "the second bone of the second skeleton");
    assert_eq!(index("BMW0051", "nodes[257]"), 257);
    assert_eq!(index("BMW0040", "meshes[1].weight_count"), 1);
}

#[test]
fn a_finding_is_explained_and_selects_its_bytes_and_its_object() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path(), "aem", "AEM0043");
    let mut harness = panel(&path, findings::show);
    harness.get_by_label_contains("warning AEM0043 joints[2].name").click();
    until(&mut harness, |panel| panel.session.document().unwrap().selection.bytes.is_some());
    let selection = &document(&harness).selection;
    assert_eq!(selection.bytes, Some(3588..3588 + 128));
    assert_eq!(selection.thing, Thing::Node(document(&harness).scene().unwrap().nodes.handles().nth(2).unwrap()));
    assert!(selection.finding.is_some());
    let why = maquette::explain::code("AEM0043").unwrap().why;
    harness.get_by_label(&why);
    harness.get_by_label("Show bytes");
}

#[test]
fn findings_are_left_out_by_severity_and_by_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path(), "pmdl", "PMDL0039");
    let mut harness = panel(&path, findings::show);
    let listed = |harness: &Harness<'_, Panel>, code: &str| {
        harness.query_all_by_label_contains(&format!(" {code} ")).next().is_some()
    };
    let checked = document(&harness).checked.clone().unwrap();
    let codes: Vec<_> = checked.diagnostics.iter().map(|finding| (finding.severity, finding.code)).collect();
    assert!(codes.len() > 1, "{codes:?}");
    assert!(codes.iter().all(|(_, code)| listed(&harness, code)));
    let count = |word: &str| codes.iter().filter(|(severity, _)| *severity == word).count();
    let (severity, hidden) = codes[0];
    let name = match severity {
        "error" => "Errors",
        "warning" => "Warnings",
        _ => "Infos",
    };
    let toggle = format!("{name} ({})", count(severity));
    harness.get_by_label(&toggle).click();
    harness.run_steps(3);
    assert!(!listed(&harness, hidden));
    harness.get_by_label(&toggle).click();
    harness.run_steps(3);
    let field = harness.get_by_role(egui::accesskit::Role::TextInput);
    field.focus();
    harness.run_steps(2);
    harness.get_by_role(egui::accesskit::Role::TextInput).type_text("PMDL0039");
    harness.run_steps(3);
    assert!(listed(&harness, "PMDL0039"));
    assert!(!codes.iter().any(|(_, code)| *code != "PMDL0039" && listed(&harness, code)));
}

#[test]
fn sound_files_broken_files_and_no_files_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let sound = folder.path().join("sound.pani");
    maquette::sample::save(&sound).unwrap();
    let harness = panel(&sound, findings::show);
    harness.get_by_label("nothing was found");
    let unreadable = broken(folder.path(), "aem", "AEM0045");
    let harness = panel(&unreadable, findings::show);
    harness.get_by_label_contains("error AEM0045 ");
    let foreign = folder.path().join("notes.txt");
    std::fs::write(&foreign, "not a model at all, but a text of some length").unwrap();
    let harness = panel(&foreign, findings::show);
    let error = document(&harness).checked.as_ref().unwrap().error.clone().unwrap();
    harness.get_by_label(&error);
    let harness = panel(&folder.path().join("gone.glb"), findings::show);
    harness.get_by_label_contains("gone.glb");
}

#[test]
fn bytes_are_shown_beside_their_fields() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.aem");
    maquette::sample::save(&path).unwrap();
    let mut harness = panel(&path, hex::show);
    until(&mut harness, |panel| !panel.session.document().unwrap().chart.as_ref().unwrap().fields.bytes.is_empty());
    harness.get_by_label_contains("header.vertex_count = ").click();
    harness.run_steps(3);
    assert_eq!(document(&harness).selection.bytes, Some(4..8));
    harness.get_by_label("u32, 4 bytes at 0x4 (4)");
}

#[test]
fn keys_move_among_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.aem");
    maquette::sample::save(&path).unwrap();
    let end = std::fs::metadata(&path).unwrap().len();
    let mut harness = panel(&path, hex::show);
    until(&mut harness, |panel| !panel.session.document().unwrap().chart.as_ref().unwrap().fields.bytes.is_empty());
    harness.get_by_label_contains("bytes of the file").focus();
    harness.run_steps(2);
    let holds = |harness: &Harness<'_, Panel>, offset: u64| {
        let bytes = document(harness).selection.bytes.clone().unwrap();
        assert!(bytes.contains(&offset), "{bytes:?} {offset}");
    };
    harness.key_press(Key::ArrowDown);
    harness.run_steps(2);
    holds(&harness, 16);
    harness.key_press(Key::ArrowRight);
    harness.run_steps(2);
    holds(&harness, 17);
    harness.key_press(Key::End);
    harness.run_steps(4);
    holds(&harness, end - 1);
    harness.get_by_label_contains(&format!("at {:#x} keyframes[", end - 1));
    harness.key_press(Key::PageUp);
    harness.run_steps(4);
    assert!(document(&harness).selection.bytes.clone().unwrap().end < end - 100);
    harness.key_press(Key::Home);
    harness.run_steps(4);
    holds(&harness, 0);
}

fn go(harness: &mut Harness<'_, Panel>, to: &str) {
    harness.get_by_role(egui::accesskit::Role::TextInput).focus();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(1);
    harness.get_by_role(egui::accesskit::Role::TextInput).type_text(to);
    harness.run_steps(2);
    harness.get_by_label("Go").click();
    harness.run_steps(3);
}

#[test]
fn offsets_and_paths_are_gone_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.glb");
    let mut harness = panel(&path, hex::show);
    until(&mut harness, |panel| !panel.session.document().unwrap().chart.as_ref().unwrap().fields.bytes.is_empty());
    go(&mut harness, "0x8");
    assert_eq!(document(&harness).selection.bytes, Some(8..12), "the length in the header");
    go(&mut harness, "4");
    assert_eq!(document(&harness).selection.bytes, Some(4..8));
    go(&mut harness, "json.nodes[1].name");
    until(&mut harness, |panel| panel.session.document().unwrap().selection.bytes != Some(4..8));
    let bytes = document(&harness).selection.bytes.clone().unwrap();
    let file = std::fs::read(&path).unwrap();
    let text = std::str::from_utf8(&file[bytes.start as usize..bytes.end as usize]).unwrap();
    assert_eq!(text, format!("{:?}", maquette::sample::creature().nodes.iter().nth(1).unwrap().name));
    go(&mut harness, "99999999999");
    harness.get_by_label_contains("there is no byte 99999999999");
    go(&mut harness, "json.nobody[3]");
    until(&mut harness, |panel| panel.session.document().unwrap().chart.as_ref().unwrap().found.is_some());
    harness.run_steps(2);
    harness.get_by_label_contains("there is no json.nobody[3]");
}

#[test]
fn files_that_break_off_and_files_of_no_format_have_bytes_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.aem");
    maquette::sample::save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let mut harness = panel(&path, hex::show);
    until(&mut harness, |panel| !panel.session.document().unwrap().chart.as_ref().unwrap().fields.bytes.is_empty());
    harness.get_by_label_contains("header.vertex_count = ");
    harness.get_by_label_contains("breaks off");
    let foreign = folder.path().join("notes.txt");
    std::fs::write(&foreign, "not a model at all, but a text of some length").unwrap();
    let mut harness = panel(&foreign, hex::show);
    until(&mut harness, |panel| panel.session.document().unwrap().chart.as_ref().unwrap().known != Default::default());
    harness.get_by_label_contains("of no known format");
    go(&mut harness, "5");
    assert_eq!(document(&harness).selection.bytes, Some(5..6));
}

#[test]
fn a_selection_of_bytes_is_scrolled_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.aem");
    let mut harness = panel(&path, hex::show);
    let end = document(&harness).input.as_ref().unwrap().bytes().len() as u64;
    harness.state_mut().session.document_mut().unwrap().selection.bytes = Some(end - 4..end);
    harness.run_steps(4);
    harness.get_by_label_contains(&format!("bytes of the file, at {:#x}", end - 4));
}

#[test]
fn what_each_format_would_lose_is_told_and_changes_with_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.glb");
    let mut harness = panel(&path, conversion::show);
    let is_complete = |panel: &Panel| panel.session.document().unwrap().previews.as_ref().unwrap().is_complete();
    until(&mut harness, is_complete);
    let done = document(&harness).previews.as_ref().unwrap().done.clone();
    assert_eq!(done.len(), BUILT_IN.iter().count());
    let kept = |ending: &str| done.iter().find(|row| row.ending == ending).unwrap().outcome.clone().unwrap();
    assert!(kept("glb").losses.is_empty());
    assert!(!kept("aem").losses.is_empty());
    harness.get_by_label("nothing is lost");
    let count = kept("aem").losses.len();
    assert!(harness.query_all_by_label(&format!("{count} losses")).next().is_some());
    let written = maquette::write(&maquette::read(&path).unwrap().scene, folder.path().join("b.aem")).unwrap();
    assert_eq!(kept("aem").bytes, Some(written.output.main.len() as u64));
    harness.get_by_label("none").click();
    harness.run_steps(2);
    until(&mut harness, is_complete);
    let plain = &document(&harness).previews.as_ref().unwrap().done;
    let plain = plain.iter().find(|row| row.ending == "aem").unwrap().outcome.clone().unwrap();
    assert!(plain.bytes > kept("aem").bytes, "pixels take more than blocks");
    harness.get_by_label("Export as aem…").click();
    harness.run_steps(2);
    assert_eq!(harness.state().session.export_ending, "aem");
    assert!(harness.state().done.contains(&Action::Export));
}

#[test]
fn what_cannot_be_written_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pmat");
    maquette::sample::save(&path).unwrap();
    let mut harness = panel(&path, conversion::show);
    until(&mut harness, |panel| panel.session.document().unwrap().previews.as_ref().unwrap().is_complete());
    let done = document(&harness).previews.as_ref().unwrap().done.clone();
    let refused = done.iter().filter(|row| row.outcome.is_err()).count();
    assert!(refused > 0, "{done:?}");
    assert_eq!(harness.query_all_by_label_contains("cannot be written: ").count(), refused);
}

/// The whole window.
fn window(path: &Path) -> Harness<'static, Option<App>> {
    let path = path.to_path_buf();
    let mut harness = Harness::builder()
        .with_size([1200.0, 900.0])
        .with_accessibility_check(false)
        .allow_missing_glyphs()
        .build_ui_state(
            |ui, app: &mut Option<App>| {
                app.get_or_insert_with(|| App::headless(ui.ctx())).show(ui);
            },
            None,
        );
    harness.state_mut().as_mut().unwrap().session().open(path);
    wait(&mut harness, |session| session.document().unwrap().progress() == Progress::Ready);
    harness
}

fn wait(harness: &mut Harness<'static, Option<App>>, is_so: impl Fn(&mut Session) -> bool) {
    for _ in 0..2000 {
        harness.step();
        if is_so(harness.state_mut().as_mut().unwrap().session()) {
            harness.step();
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("it does not come to pass");
}

fn rest(harness: &mut Harness<'static, Option<App>>) {
    for _ in 0..20 {
        harness.step();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_file_is_found_by_typing_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.glb");
    std::fs::create_dir(folder.path().join("more")).unwrap();
    creature(folder.path(), "tiger.glb");
    creature(&folder.path().join("more"), "wolf.glb");
    creature(&folder.path().join("more"), "bear.glb");
    let mut harness = window(&path);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    rest(&mut harness);
    harness.get_by_label("Open a model or a clip");
    harness.get_by_label("more/");
    harness.get_by_label("tiger.glb");
    harness.event(egui::Event::Text("mo".into()));
    harness.run_steps(3);
    assert!(harness.query_by_label("tiger.glb").is_none());
    harness.key_press(Key::Enter);
    rest(&mut harness);
    harness.get_by_label("bear.glb");
    harness.key_press(Key::ArrowDown);
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    wait(&mut harness, |session| session.document().unwrap().name() == "wolf.glb");
    assert!(harness.query_by_label("Open a model or a clip").is_none());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    rest(&mut harness);
    harness.key_press(Key::Backspace);
    rest(&mut harness);
    harness.get_by_label("more/");
    for (typed, completed) in [("tig", "tiger.glb"), ("mo", "")] {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.run_steps(1);
        harness.event(egui::Event::Text(typed.into()));
        harness.run_steps(2);
        harness.key_press(Key::Tab);
        rest(&mut harness);
        let fields = harness.query_all_by_role(egui::accesskit::Role::TextInput);
        let typed: Vec<_> = fields.filter_map(|field| field.accesskit_node().value()).collect();
        assert!(typed.iter().any(|value| value == completed), "{typed:?}");
    }
    harness.get_by_label("bear.glb");
    let selected = harness.state_mut().as_mut().unwrap().session().document().unwrap().selection.clone();
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    assert!(harness.query_by_label("Open a model or a clip").is_none());
    assert_eq!(harness.state_mut().as_mut().unwrap().session().document().unwrap().selection, selected);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.glb");
    let before = std::fs::read(&path).unwrap();
    let mut harness = window(&path);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    rest(&mut harness);
    harness.key_press(Key::Enter);
    rest(&mut harness);
    harness.get_by_label_contains("is there already");
    // The button that leaves things as they are has the focus.
    harness.key_press(Key::Enter);
    rest(&mut harness);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    harness.get_by_label("Export: the ending says the format");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_steps(1);
    harness.event(egui::Event::Text("b.aem".into()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    wait(&mut harness, |session| session.notices.iter().any(|notice| notice.text.contains("written: ")));
    assert!(folder.path().join("b.aem").is_file());
}

#[test]
fn files_of_others_are_replaced_only_if_that_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.glb");
    let mut harness = window(&path);
    // A model of another format under the same name: textures beside it may be its own.
    let other = folder.path().join("out");
    std::fs::create_dir(&other).unwrap();
    creature(&other, "fox.bmw");
    let companions: Vec<_> = std::fs::read_dir(&other)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "png"))
        .collect();
    assert!(!companions.is_empty());
    for companion in &companions {
        std::fs::write(companion, "somebody's").unwrap();
    }
    let target = other.join("fox.pmdl");
    let export = |harness: &mut Harness<'static, Option<App>>| {
        let session = harness.state_mut().as_mut().unwrap().session();
        session.export(target.clone(), maquette::overwrite::Overwrite::Own);
        wait(harness, |session| session.refused.is_some() || !session.notices.is_empty());
        rest(harness);
    };
    export(&mut harness);
    harness.get_by_label("Leave them as they are").click();
    rest(&mut harness);
    assert!(!target.exists());
    assert!(harness.query_by_label("Leave them as they are").is_none());
    export(&mut harness);
    harness.get_by_label("Replace them").click();
    wait(&mut harness, |session| session.notices.iter().any(|notice| notice.text.contains("written: ")));
    assert!(target.is_file());
}

#[test]
fn the_format_is_chosen_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let path = creature(folder.path(), "a.glb");
    let mut harness = window(&path);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    rest(&mut harness);
    harness.query_all_by_role(egui::accesskit::Role::ComboBox).last().unwrap().click();
    rest(&mut harness);
    harness.get_by_label("nlm").click();
    rest(&mut harness);
    let typed =
        harness.query_all_by_role(egui::accesskit::Role::TextInput).filter_map(|field| field.accesskit_node().value());
    assert!(typed.into_iter().any(|value| value == "a.nlm"));
}

#[test]
fn a_finding_leads_to_its_bytes_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path(), "aem", "AEM0043");
    let mut harness = window(&path);
    wait(&mut harness, |session| session.document().unwrap().checked.is_some());
    harness.get_by_label_contains("Findings (").click();
    rest(&mut harness);
    harness.get_by_label_contains("warning AEM0043 joints[2].name").click();
    wait(&mut harness, |session| session.document().unwrap().selection.bytes.is_some());
    harness.get_by_label("Show bytes").click();
    rest(&mut harness);
    harness.get_by_label_contains("bytes of the file, at 0xe04 joints[2].name");
}
