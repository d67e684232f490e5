//! The creature: every mode, overlay and tone map, while it walks.

use crate::hold::{CLOSE, Within, holds, renderer, taken};
use maquette_render::{
    Background, Framing, Hollows, Light, Mode, Overlays, Samples, Shadow, Shot, Stage, StageOptions, ToneMap, draw,
};
use maquette_scene::glam::Vec3;

const SIZE: [u32; 2] = [256, 224];

/// Triangles of fine texture, some of them smaller than pixels.
const DETAILED: Within = Within { ssim: 0.997, mean: 0.26, most: 5 };

/// Holds several shots of one moment, and tells of each.
fn shots(list: &[(String, Shot, Within)]) {
    let Some(renderer) = renderer() else { return };
    let scene = maquette::sample::creature();
    let stage = Stage::new(&scene, &StageOptions::default());
    let clip = scene.clips.iter().next().unwrap();
    let posed = stage.pose(Some((clip, clip.duration_secs as f32 * 0.3)));
    let model = renderer.load(&stage);
    assert!(model.notes().is_empty(), "{:?}", model.notes());
    let pose = renderer.pose(&model, &posed);
    assert_eq!(pose.bounds(), posed.bounds());
    for (name, shot, within) in list {
        let camera = posed.camera(&Framing::default(), SIZE);
        let shot = Shot { size: SIZE, camera, ..shot.clone() };
        holds(name, &[draw(&posed, &shot).unwrap(), taken(renderer, &model, &pose, &shot)], *within);
    }
}

#[test]
fn every_mode() {
    let of_mode = |mode: Mode| {
        let within = match mode {
            // Triangles of one surface that share a pixel are shaded as one in software.
            Mode::TexelDensity => Within { ssim: 0.995, mean: 0.3, most: 7 },
            Mode::UvChecker => Within { ssim: 0.986, mean: 0.3, most: 2 },
            Mode::Shaded => DETAILED,
            _ => CLOSE,
        };
        (format!("creature-{}", mode.word()), Shot { mode, ..Shot::default() }, within)
    };
    shots(&Mode::ALL.map(of_mode));
}

#[test]
fn every_tone_map() {
    let of_map = |tone_map: ToneMap| {
        (format!("creature-tone-{}", tone_map.word()), Shot { tone_map, exposure: 1.4, ..Shot::default() }, DETAILED)
    };
    shots(&ToneMap::ALL.map(of_map));
}

#[test]
fn every_overlay() {
    let none = Overlays::default();
    let all = [
        ("skeleton", Overlays { skeleton: true, ..none }),
        ("grid", Overlays { grid: true, ..none }),
        ("bounds", Overlays { bounds: true, ..none }),
        ("axes", Overlays { axes: true, ..none }),
        ("all", Overlays { skeleton: true, grid: true, bounds: true, axes: true }),
    ];
    let of_overlay =
        |(name, overlays)| (format!("creature-overlay-{name}"), Shot { overlays, ..Shot::default() }, DETAILED);
    shots(&all.map(of_overlay));
}

#[test]
fn light_and_background() {
    let light = Light::default();
    let list = [
        ("no-shadow", Shot { light: Light { shadow: Shadow::None, ..light }, ..Shot::default() }),
        ("no-hollows", Shot { light: Light { hollows: Hollows::Lit, ..light }, ..Shot::default() }),
        (
            "from-above",
            Shot { light: Light { towards_key: Vec3::Y, key: 2.0, ambient: 0.3, ..light }, ..Shot::default() },
        ),
        ("transparent", Shot { background: Background::Transparent, ..Shot::default() }),
        ("transparent-wire", Shot { background: Background::Transparent, mode: Mode::Wireframe, ..Shot::default() }),
        ("white", Shot { background: Background::Colour([1.0; 3]), mode: Mode::VertexNormal, ..Shot::default() }),
        ("one-sample", Shot { samples: Samples::One, ..Shot::default() }),
        ("one-sample-overdraw", Shot { samples: Samples::One, mode: Mode::Overdraw, ..Shot::default() }),
        ("one-sample-wire", Shot { samples: Samples::One, mode: Mode::Wireframe, ..Shot::default() }),
    ];
    shots(&list.map(|(name, shot)| (format!("creature-{name}"), shot, DETAILED)));
}

#[test]
fn eight_samples_are_four() {
    let within = Within { ssim: 0.993, mean: 0.5, most: 13 };
    shots(&[("creature-eight".into(), Shot { samples: Samples::Eight, ..Shot::default() }, within)]);
}
