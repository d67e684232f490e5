//! Pictures drawn a share at a time: many surfaces that mix, each as large as the picture.

use crate::hold::{renderer, taken};
use crate::scenes::{material, quad};
use maquette_gpu::{Extras, Progress, Renderer, Share, Target, headless};
use maquette_render::{Framing, Samples, Shot, Stage, StageOptions, View};
use maquette_scene::Scene;
use maquette_scene::material::AlphaMode;

/// So many panes one behind the other, each of a material of its own, and something that hides what is behind it.
fn panes(count: usize) -> Scene {
    let mut scene = Scene::default();
    quad(&mut scene, [-0.5, -0.5], [0.5, 0.5], 0.0, material([0.9, 0.2, 0.1, 1.0]));
    for pane in 0..count {
        let part = pane as f32 / count as f32;
        let mut glass = material([part, 0.5, 1.0 - part, 0.02]);
        glass.alpha = AlphaMode::Blend;
        quad(&mut scene, [-1.0, -1.0], [1.0, 1.0], part - 0.5, glass);
    }
    scene
}

#[test]
fn shares_add_up_to_the_whole_picture() {
    let Some(renderer) = renderer() else { return };
    let scene = panes(40);
    let stage = Stage::new(&scene, &StageOptions::default());
    let (model, posed) = (renderer.load(&stage), stage.pose(None));
    let pose = renderer.pose(&model, &posed);
    let size = [512, 512];
    let camera = posed.camera(&Framing { view: View::Front, ..Framing::default() }, size);
    for samples in [Samples::One, Samples::Four] {
        let shot = Shot { size, camera, samples, ..Shot::default() };
        let whole = taken(renderer, &model, &pose, &shot);
        let mut target = Target::new(renderer, size);
        let draw =
            |target: &mut Target, share| renderer.draw_share(&model, &pose, &shot, &Extras::default(), target, share);
        // One that is left before it is whole changes nothing.
        assert_eq!(draw(&mut target, Share::First), Progress::Partly);
        assert_eq!(draw(&mut target, Share::Next), Progress::Partly);
        let mut shares = 1;
        let mut progress = draw(&mut target, Share::First);
        assert_ne!(renderer.read(&target).unwrap().pixels(), whole.pixels(), "the nearest are not there");
        while progress == Progress::Partly {
            progress = draw(&mut target, Share::Next);
            shares += 1;
        }
        assert!((3..40).contains(&shares), "{shares}");
        assert!(renderer.read(&target).unwrap().pixels() == whole.pixels(), "{samples:?}");
    }
}

/// A buffer for each would take the square of their number: a device looks through all that it has given away for every new one.
#[test]
fn materials_share_buffers() {
    if renderer().is_none() {
        return;
    }
    let (device, queue) = headless().unwrap();
    let renderer = Renderer::new(&device, &queue);
    let allocations = || device.generate_allocator_report().map_or(0, |report| report.allocations.len());
    let before = allocations();
    let counts = [500, 2000].map(|count| {
        let scene = panes(count);
        let model = renderer.load(&Stage::new(&scene, &StageOptions::default()));
        assert!(model.notes().is_empty());
        allocations().saturating_sub(before)
    });
    assert!(counts.iter().all(|count| *count < 20), "{counts:?}");
}
