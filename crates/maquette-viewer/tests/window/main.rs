//! The window itself, on a display without a screen and with a driver that needs no hardware: started, clicked through and photographed.
//!
//! With `MAQUETTE_PHOTOGRAPHS` set to a folder, photographs are left there to be looked at.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

mod desktop;
mod drag;
#[path = "../../../../tests/needs/mod.rs"]
mod needs;

use desktop::{Desktop, keys, save};
use maquette::scene::Scene;
use maquette_render::{Framing, Picture, Shot, Stage, StageOptions, compare, draw};
use maquette_viewer::state::files::may_be_opened;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A driver of Vulkan that draws on the processor.
const DRIVERS: [&str; 2] = ["/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "/usr/share/vulkan/icd.d/lvp_icd.json"];

fn driver() -> Option<&'static str> {
    let found = DRIVERS.into_iter().find(|path| Path::new(path).is_file());
    if found.is_none() {
        needs::lacking("there is no software driver for Vulkan (Debian: mesa-vulkan-drivers)").unwrap();
    }
    found
}

fn desktop() -> Option<Desktop> {
    let started = Desktop::start();
    if started.is_none() {
        needs::lacking("there is no Xvfb (Debian: xvfb)").unwrap();
    }
    started
}

/// The viewer, with a home of its own, so that nothing is remembered from elsewhere.
fn viewer(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maquette-viewer"));
    for variable in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "WGPU_BACKEND"] {
        command.env_remove(variable);
    }
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
        command.env(variable, home);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

struct Running {
    child: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Running {
    fn start(command: &mut Command) -> Running {
        Running { child: command.spawn().unwrap() }
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    #[track_caller]
    fn ends_well(&mut self) {
        let start = Instant::now();
        while self.is_running() {
            assert!(start.elapsed() < Duration::from_secs(30), "it does not end");
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(self.child.wait().unwrap().success());
    }
}

fn creature(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    maquette::write(&maquette::sample::creature(), &path).unwrap();
    path
}

/// Leaves a photograph to be looked at, where that is wanted.
fn keep(picture: &Picture, name: &str) {
    if let Some(folder) = std::env::var_os("MAQUETTE_PHOTOGRAPHS") {
        save(picture, &PathBuf::from(folder).join(format!("{name}.png")));
    }
}

fn differing(one: &Picture, other: &Picture) -> usize {
    one.pixels().iter().zip(other.pixels()).filter(|(one, other)| one != other).count()
}

/// Many colours: a model is seen, and not only panels and text.
fn shows_a_model(picture: &Picture) -> bool {
    let middle = (150..450).flat_map(|y| picture.row(y).iter().skip(200).take(500));
    let colours: std::collections::HashSet<[u8; 4]> = middle.copied().collect();
    colours.len() > 400
}

#[test]
fn a_person_can_use_it() {
    let (Some(driver), Some(desktop)) = (driver(), desktop()) else { return };
    let home = tempfile::tempdir().unwrap();
    let model = creature(home.path(), "a.glb");
    maquette::sample::save(home.path().join("b.aem")).unwrap();
    std::fs::write(home.path().join("c.glb"), "no model").unwrap();
    let mut command = viewer(home.path());
    let mut running =
        Running::start(command.env("DISPLAY", &desktop.display).env("VK_ICD_FILENAMES", driver).arg(&model));
    desktop.window();
    let first = desktop.wait("the model is shown", shows_a_model);
    keep(&first, "first");

    // Each of these shows something else than what was there before.
    let mut before = desktop.settled();
    let mut changes = |what: &str, does: &dyn Fn()| {
        does();
        desktop.wait(what, |now| differing(now, &before) > 60);
        before = desktop.settled();
        keep(&before, what);
    };
    let letter = |letter: char| letter as u32;
    changes("grid", &|| desktop.press(&[letter('g')]));
    changes("skeleton", &|| desktop.press(&[letter('k')]));
    changes("turned", &|| desktop.drag(1, [500, 300], [620, 340]));
    changes("panned", &|| desktop.drag(2, [500, 300], [420, 330]));
    changes("fitted", &|| desktop.press(&[letter('f')]));
    changes("from the front", &|| desktop.press(&[letter('1')]));
    changes("next mode", &|| desktop.press(&[letter('m')]));
    changes("previous mode", &|| desktop.press(&[keys::SHIFT, letter('m')]));
    changes("keys", &|| desktop.press(&[keys::F1]));
    changes("keys away", &|| desktop.press(&[keys::ESCAPE]));
    changes("light theme", &|| desktop.press(&[keys::CONTROL, letter('d')]));
    changes("dark theme", &|| desktop.press(&[keys::CONTROL, letter('d')]));
    changes("selected", &|| desktop.click([480, 320]));
    changes("panels away", &|| desktop.press(&[keys::F11]));
    changes("panels back", &|| desktop.press(&[keys::F11]));
    changes("played for a while", &|| {
        let at_rest = desktop.photograph();
        desktop.press(&[keys::SPACE]);
        desktop.wait("it plays", |now| differing(now, &at_rest) > 60);
        desktop.press(&[keys::SPACE]);
    });
    for (panel, x) in [("mixer", 89), ("curves", 141), ("findings", 200), ("bytes", 257), ("conversion", 321)] {
        changes(panel, &|| desktop.click([x, 611]));
    }
    changes("next file", &|| desktop.press(&[keys::PAGE_DOWN]));
    changes("broken file", &|| desktop.press(&[keys::PAGE_DOWN]));
    changes("first file again", &|| desktop.press(&[keys::PAGE_DOWN]));
    desktop.wait("the model is shown again", shows_a_model);
    // The dialog of the window: its name is suggested, and Enter takes it.
    let before = desktop.settled();
    desktop.press(&[keys::CONTROL, keys::SHIFT, letter('s')]);
    keep(&desktop.wait("the dialog", |now| differing(now, &before) > 2000), "save the picture");
    desktop.press(&[keys::RETURN]);
    let saved = home.path().join("a.png");
    desktop.wait("the picture is saved", |_| saved.is_file());

    assert!(running.is_running(), "nothing of this ends it");
    desktop.press(&[keys::CONTROL, letter('q')]);
    running.ends_well();
}

fn window_with(desktop: &Desktop, driver: &str, home: &Path, model: &Path) -> (Running, u32) {
    let mut command = viewer(home);
    let running = Running::start(command.env("DISPLAY", &desktop.display).env("VK_ICD_FILENAMES", driver).arg(model));
    let window = desktop.window();
    desktop.wait("the model is shown", shows_a_model);
    (running, window)
}

#[test]
fn files_are_dropped_onto_it() {
    let (Some(driver), Some(desktop)) = (driver(), desktop()) else { return };
    let home = tempfile::tempdir().unwrap();
    let model = creature(home.path(), "a.glb");
    let (_running, window) = window_with(&desktop, driver, home.path(), &model);
    let titled = |name: &str| desktop.wait(name, |_| desktop.title(window).starts_with(name));
    titled("a.glb");
    let other = creature(home.path(), "b.glb");
    assert!(desktop.drop_file(window, &other, [400, 300]));
    titled("b.glb");
    let before = desktop.settled();
    let clip = home.path().join("walk.seanim");
    maquette::write(&maquette::sample::creature(), &clip).unwrap();
    assert!(desktop.drop_file(window, &clip, [400, 300]));
    keep(&desktop.wait("the clip plays", |now| differing(now, &before) > 2000), "clip dropped");
    titled("b.glb");
}

#[test]
fn pictures_are_saved_while_it_is_covered() {
    let (Some(driver), Some(desktop)) = (driver(), desktop()) else { return };
    let home = tempfile::tempdir().unwrap();
    let files = ["a.glb", "b.glb", "c.glb"].map(|name| creature(home.path(), name));
    let pictures = home.path().join("pictures");
    let mut command = viewer(home.path());
    command.env("DISPLAY", &desktop.display).env("VK_ICD_FILENAMES", driver);
    let mut running = Running::start(command.arg("--screenshots").arg(&pictures).args(&files));
    desktop.window();
    desktop.cover();
    running.ends_well();
    assert!(["a.glb.png", "b.glb.png", "c.glb.png"].iter().all(|name| pictures.join(name).is_file()));
}

/// Neither settings that are no settings nor those of another program keep it from starting.
#[test]
fn settings_that_cannot_be_read_are_told_and_put_aside() {
    let (Some(driver), Some(desktop)) = (driver(), desktop()) else { return };
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("maquette-viewer");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("app.ron"), r#"{"egui": "(options: (zoom_factor: 1e30))"}"#).unwrap();
    std::fs::write(folder.join("settings.json"), "{\"session\": {\"recent\": 7}}").unwrap();
    let model = creature(home.path(), "a.glb");
    let (mut running, _) = window_with(&desktop, driver, home.path(), &model);
    keep(&desktop.photograph(), "settings put aside");
    assert!(folder.join("settings.json.unread").is_file());
    desktop.press(&[keys::CONTROL, 'd' as u32]);
    desktop.press(&[keys::CONTROL, 'q' as u32]);
    running.ends_well();
    let written = std::fs::read_to_string(folder.join("settings.json")).unwrap();
    assert!(written.contains("\"is_light\": true") && written.contains("a.glb"), "{written}");
}

/// A limit to the size of files is an error to be told, and not the end.
#[test]
fn files_that_may_not_grow_are_told() {
    let (Some(driver), Some(desktop)) = (driver(), desktop()) else { return };
    let home = tempfile::tempdir().unwrap();
    let model = creature(home.path(), "a.glb");
    let (mut running, _) = window_with(&desktop, driver, home.path(), &model);
    let before = desktop.settled();
    let limited = Command::new("prlimit").arg(format!("--pid={}", running.child.id())).arg("--fsize=4096").status();
    if !limited.is_ok_and(|status| status.success()) {
        return needs::lacking("there is no prlimit (Debian: util-linux)").unwrap();
    }
    let wrong = |now: &Picture| now.pixels().iter().filter(|pixel| **pixel == WRONG).count();
    for (symbols, ending) in [(&[keys::CONTROL][..], ".aem"), (&[keys::CONTROL, keys::SHIFT], ".png")] {
        desktop.press(&[symbols, &['s' as u32]].concat());
        desktop.wait("the dialog", |now| differing(now, &before) > 2000);
        ending.chars().for_each(|letter| desktop.press(&[letter as u32]));
        desktop.press(&[keys::RETURN]);
        keep(&desktop.wait("it is said", |now| wrong(now) > 30), &format!("too large{ending}"));
        desktop.wait("it is said no more", |now| wrong(now) == 0);
        assert!(running.is_running());
    }
    let written = std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path());
    assert!(!written.into_iter().any(|path| path.extension().is_some_and(|ending| ending == "aem" || ending == "png")));
}

/// The colour of what went wrong.
const WRONG: [u8; 4] = [255, 140, 120, 255];

/// What `maquette render` draws of a file in a picture of this size; with `--fit clip`, of a clip alone.
fn in_software(scene: &Scene, size: [u32; 2]) -> Picture {
    let stage = Stage::new(scene, &StageOptions::default());
    let clip = scene.clips.iter().next().filter(|_| scene.nodes.is_empty());
    let posed = stage.pose(clip.map(|clip| (clip, 0.0)));
    let framing = Framing::default();
    let whole = clip.and_then(|clip| stage.bounds_of(clip));
    let camera = whole.map_or_else(|| posed.camera(&framing, size), |bounds| framing.camera(&bounds, size));
    draw(&posed, &Shot { size, camera, ..Shot::default() }).unwrap()
}

/// How alike pictures must be: see docs/viewer.md.
const LEAST_SSIM: f64 = 0.995;
/// The mean difference of channels, of 255.
const MOST_MEAN: f64 = 0.5;

fn mean_difference(one: &Picture, other: &Picture) -> f64 {
    let differences = one
        .pixels()
        .iter()
        .zip(other.pixels())
        .map(|(one, other)| (0..3).map(|channel| u64::from(one[channel].abs_diff(other[channel]))).sum::<u64>());
    differences.sum::<u64>() as f64 / (one.pixels().len() * 3) as f64
}

/// Opens files one after the other; tells which pictures are not as they should be.
fn tour(files: &[PathBuf]) -> Option<Vec<String>> {
    let (Some(driver), Some(desktop)) = (driver(), desktop()) else { return None };
    let home = tempfile::tempdir().unwrap();
    let pictures = home.path().join("pictures");
    let mut command = viewer(home.path());
    command.env("DISPLAY", &desktop.display).env("VK_ICD_FILENAMES", driver);
    let output = command.arg("--screenshots").arg(&pictures).args(files).output().unwrap();
    let mut wrong: Vec<String> = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(png) = std::fs::read(pictures.join(format!("{name}.png"))) else { continue };
        let seen = maquette_texture::decode::decode(&png).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = in_software(&maquette::read(file).unwrap().scene, [seen.width(), seen.height()]);
        let ssim = compare::compare(&seen, &expected).unwrap().ssim;
        let mean = mean_difference(&seen, &expected);
        eprintln!("{name}: SSIM {ssim:.4}, mean difference {mean:.2}");
        if ssim < LEAST_SSIM || mean > MOST_MEAN {
            keep(&seen, &format!("{name}-seen"));
            keep(&expected, &format!("{name}-expected"));
            wrong.push(format!("{name}: SSIM {ssim:.4}, mean difference {mean:.2}"));
        }
    }
    Some(wrong)
}

#[test]
fn samples_look_as_they_do_in_software() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = vec![creature(folder.path(), "newt.glb")];
    for name in ["post.aem", "post.nlm", "post.pmdl", "post.bmw", "post.seanim", "post.gltf"] {
        let path = folder.path().join(name);
        maquette::sample::save(&path).unwrap();
        files.push(path);
    }
    assert_eq!(tour(&files).unwrap_or_default(), Vec::<String>::new());
}

#[test]
fn real_files_look_as_they_do_in_software() {
    let Some(corpus) = needs::corpus() else { return };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if may_be_opened(&path) && maquette::read(&path).is_ok() {
                // What cannot be read is for other tests.
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(files.len() > 20);
    assert_eq!(tour(&files).unwrap_or_default(), Vec::<String>::new());
}

#[track_caller]
fn refused(output: &Output) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("error: no ") && said.contains("`maquette render`"), "{said}");
}

#[test]
fn without_a_display_or_a_driver_it_says_so_in_a_sentence() {
    let home = tempfile::tempdir().unwrap();
    refused(&viewer(home.path()).output().unwrap());
    let Some(desktop) = desktop() else { return };
    // No driver of this kind is there on Linux.
    let output = viewer(home.path()).env("DISPLAY", &desktop.display).env("WGPU_BACKEND", "metal").output().unwrap();
    refused(&output);
}
