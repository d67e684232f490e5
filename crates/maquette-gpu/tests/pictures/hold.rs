//! How a picture of the device is held against one drawn in software.

use crate::needs;
use maquette_gpu::{Model, Pose, Renderer, Target, headless};
use maquette_render::compare::compare;
use maquette_render::{Framing, Picture, Posed, Shot, Stage, StageOptions, View, draw};
use maquette_scene::Scene;
use std::sync::OnceLock;

/// The renderer of all tests; `None`, and a word about it, where there is no device.
pub fn renderer() -> Option<&'static Renderer> {
    static RENDERER: OnceLock<Option<Renderer>> = OnceLock::new();
    let there = RENDERER.get_or_init(|| {
        let device = headless().inspect_err(|error| assert_eq!(needs::lacking(&error.to_string()), Ok(()))).ok()?;
        Some(Renderer::new(&device.0, &device.1))
    });
    there.as_ref()
}

/// How much two pictures may differ.
#[derive(Clone, Copy)]
pub struct Within {
    pub ssim: f64,
    pub mean: f64,
    /// What 99 of 100 channels do not exceed.
    pub most: u8,
}

/// What rounding changes, and the edges of triangles here and there.
pub const CLOSE: Within = Within { ssim: 0.998, mean: 0.17, most: 3 };

/// Both pictures of a moment.
pub fn both(renderer: &Renderer, posed: &Posed<'_>, shot: &Shot) -> [Picture; 2] {
    let model = renderer.load(posed.stage());
    assert!(model.notes().is_empty(), "{:?}", model.notes());
    let pose = renderer.pose(&model, posed);
    [draw(posed, shot).unwrap(), taken(renderer, &model, &pose, shot)]
}

pub fn taken(renderer: &Renderer, model: &Model, pose: &Pose, shot: &Shot) -> Picture {
    let mut target = Target::new(renderer, shot.size);
    renderer.draw(model, pose, shot, &mut target);
    renderer.read(&target).unwrap()
}

/// Fails where pictures differ by more.
#[track_caller]
pub fn holds(name: &str, [software, device]: &[Picture; 2], within: Within) {
    let found = compare(software, device).unwrap();
    let channels = software.pixels().iter().flatten().zip(device.pixels().iter().flatten());
    let mut apart: Vec<u8> = channels.map(|(a, b)| a.abs_diff(*b)).collect();
    apart.sort_unstable();
    let mean = apart.iter().map(|apart| f64::from(*apart)).sum::<f64>() / apart.len() as f64;
    let most = apart[apart.len() * 99 / 100];
    let measured =
        format!("{name}: SSIM {:.5}, mean {mean:.3}, 99 of 100 {most}, largest {}", found.ssim, found.largest);
    println!("{measured}");
    let good = found.ssim >= within.ssim && mean <= within.mean && most <= within.most;
    if let Some(folder) = std::env::var_os("MAQUETTE_PICTURES").filter(|_| !good) {
        for (which, picture) in [("software", software), ("device", device), ("heat", &found.heat)] {
            let file = maquette_texture::png::encode(picture.width(), picture.height(), picture.pixels()).unwrap();
            std::fs::write(std::path::Path::new(&folder).join(format!("{name}-{which}.png")), file).unwrap();
        }
    }
    assert!(good, "{measured}; set MAQUETTE_PICTURES to a folder to look at it");
}

/// Draws a scene at rest from a side and holds both pictures against each other.
#[track_caller]
pub fn scene_holds(name: &str, scene: &Scene, view: View, shot: &Shot, within: Within) {
    let Some(renderer) = renderer() else { return };
    let stage = Stage::new(scene, &StageOptions::default());
    let posed = stage.pose(None);
    let camera = posed.camera(&Framing { view, ..Framing::default() }, shot.size);
    holds(name, &both(renderer, &posed, &Shot { camera, ..shot.clone() }), within);
}
