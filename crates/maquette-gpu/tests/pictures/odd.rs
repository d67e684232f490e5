//! What is odd: nothing, places that are none, corners that are not there. Nothing panics, and pictures are those of the software renderer.

use crate::hold::{CLOSE, Within, both, holds, renderer, scene_holds, taken};
use crate::scenes::{add, material, quad};
use maquette_gpu::{Model, Pose, Renderer, Target};
use maquette_render::{Camera, Framing, Mode, Overlays, Projection, Shot, Stage, StageOptions, View, draw};
use maquette_scene::Scene;
use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::material::{Material, Pbr};
use maquette_scene::scene::Node;

const ALL: Overlays = Overlays { skeleton: true, grid: true, bounds: true, axes: true };

fn shot() -> Shot {
    Shot { size: [96, 64], overlays: ALL, ..Shot::default() }
}

#[test]
fn what_threads_share_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Renderer>();
    shared::<Model>();
    shared::<Pose>();
    shared::<Target>();
}

#[test]
fn nothing_at_all() {
    let scene = Scene::default();
    for mode in Mode::ALL {
        scene_holds("nothing", &scene, View::Front, &Shot { mode, ..shot() }, CLOSE);
    }
}

#[test]
fn bones_alone() {
    let mut scene = Scene::default();
    let mut last = None;
    for step in 0..4 {
        let node = scene.nodes.push(Node::default());
        let up = Vec3::new(0.2 * step as f32, 1.0, 0.1);
        crate::scenes::place(&mut scene, node, Mat4::from_translation(up));
        match last.replace(node) {
            Some(parent) => scene.nodes[parent].children.push(node),
            None => scene.roots.push(node),
        }
    }
    for mode in [Mode::Shaded, Mode::Weights, Mode::VertexNormal, Mode::Wireframe, Mode::Overdraw] {
        let name = format!("bones-{}", mode.word());
        scene_holds(&name, &scene, Framing::default().view, &Shot { mode, ..shot() }, CLOSE);
    }
}

/// Three triangles of which one is sound.
fn broken() -> Scene {
    let mut scene = Scene::default();
    let positions = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [f32::NAN, 1.0, 0.0],
        [f32::INFINITY, 1.0, 0.0],
        [1.5, 1.5, 0.5],
    ];
    let indices = [0, 1, 2, 0, 1, 3, 2, 5, 4, 0, 5, 999, 1, 5, 2, 1, 2];
    let red = Pbr { base_colour: [0.8, 0.2, 0.1, 1.0], ..Pbr::default() };
    add(&mut scene, &positions, &indices, Material { surface: red.into(), double_sided: true, ..Material::default() });
    scene
}

/// In software, sound edges of triangles that are not drawn are; here they are not.
fn of_broken(mode: Mode) -> Within {
    match mode {
        Mode::Wireframe => Within { ssim: 0.9, mean: 1.0, most: 40 },
        _ => CLOSE,
    }
}

#[test]
fn corners_that_are_nowhere_or_not_there() {
    for mode in Mode::ALL {
        let name = format!("broken-{}", mode.word());
        scene_holds(&name, &broken(), View::Front, &Shot { mode, ..shot() }, of_broken(mode));
    }
}

#[test]
fn parts_without_vertices_or_triangles() {
    let mut scene = broken();
    add(&mut scene, &[], &[], material([1.0; 4]));
    add(&mut scene, &[[0.0; 3]], &[], material([1.0; 4]));
    add(&mut scene, &[], &[0, 1, 2], material([1.0; 4]));
    quad(&mut scene, [1.0, 1.0], [3.0, 2.0], -0.5, material([0.2, 0.9, 0.3, 1.0]));
    for mode in Mode::ALL {
        let name = format!("partly-empty-{}", mode.word());
        scene_holds(&name, &scene, View::Front, &Shot { mode, ..shot() }, of_broken(mode));
    }
}

#[test]
fn of_any_size_and_anywhere() {
    for size in [1e-20_f32, 1e-3, 1e6, 1e20] {
        let mut scene = Scene::default();
        let [near, far] = [size, 3.0 * size];
        quad(&mut scene, [near, near], [far, far], 5.0 * size, material([0.2, 0.9, 0.3, 1.0]));
        quad(&mut scene, [0.0, 0.0], [far, near], 4.0 * size, material([0.9, 0.2, 0.3, 1.0]));
        scene_holds(&format!("size-{size}"), &scene, Framing::default().view, &shot(), CLOSE);
    }
}

#[test]
fn cameras_that_see_nothing_sensible() {
    let Some(renderer) = renderer() else { return };
    let mut scene = Scene::default();
    quad(&mut scene, [0.0, 0.0], [2.0, 2.0], 0.0, material([0.2, 0.9, 0.3, 1.0]));
    let stage = Stage::new(&scene, &StageOptions::default());
    let posed = stage.pose(None);
    let model = renderer.load(&stage);
    let pose = renderer.pose(&model, &posed);
    let camera = Camera::default();
    for camera in [
        Camera { world_from_camera: Mat4::ZERO, ..camera },
        Camera { world_from_camera: Mat4::from_translation(Vec3::NAN), ..camera },
        Camera { near: f32::NAN, ..camera },
        Camera { near: 1e30, ..camera },
        Camera { projection: Projection::Orthographic { height: 0.0 }, ..camera },
        Camera { projection: Projection::Perspective { fov_y_radians: 7.0 }, ..camera },
    ] {
        let taken = taken(renderer, &model, &pose, &Shot { camera, ..shot() });
        assert_eq!(taken.pixels().len(), 96 * 64);
    }
}

#[test]
fn pictures_of_any_shape() {
    let Some(renderer) = renderer() else { return };
    let mut scene = broken();
    quad(&mut scene, [1.0, 1.0], [3.0, 2.0], -0.5, Material { unlit: false, ..material([0.2, 0.9, 0.3, 1.0]) });
    let stage = Stage::new(&scene, &StageOptions::default());
    let posed = stage.pose(None);
    // The longest is beyond what hollows are told from pixel by pixel.
    for size in [[1, 1], [3, 200], [257, 5], [2500, 40]] {
        let camera = posed.camera(&Framing::default(), size);
        let pictures = both(renderer, &posed, &Shot { size, camera, ..shot() });
        holds(&format!("{size:?}"), &pictures, CLOSE);
    }
    let target = Target::new(renderer, [0, 7]);
    assert_eq!(target.size(), [1, 7]);
}

/// What one picture leaves in a target does not show in the next.
#[test]
fn a_target_is_used_again() {
    let Some(renderer) = renderer() else { return };
    let scene = maquette::sample::creature();
    let stage = Stage::new(&scene, &StageOptions::default());
    let model = renderer.load(&stage);
    let clip = scene.clips.iter().next().unwrap();
    let moments = [0.0, 0.4].map(|secs| stage.pose(Some((clip, secs))));
    let poses = moments.each_ref().map(|posed| renderer.pose(&model, posed));
    let size = [80, 60];
    let camera = moments[0].camera(&Framing::default(), size);
    let other = moments[1].camera(&Framing { view: View::Back, ..Framing::default() }, size);
    let mut used = Target::new(renderer, size);
    for mode in [Mode::Shaded, Mode::Wireframe, Mode::Overdraw, Mode::BaseColour, Mode::Shaded] {
        for pose in &poses {
            for camera in [camera, other, camera] {
                let shot = Shot { size, camera, mode, ..shot() };
                renderer.draw(&model, pose, &shot, &mut used);
                assert!(renderer.read(&used).unwrap() == taken(renderer, &model, pose, &shot), "{mode:?}");
            }
        }
    }
    // The size is that of the target.
    let shot = Shot { size: [7, 7], camera, ..shot() };
    renderer.draw(&model, &poses[0], &shot, &mut used);
    let expected = draw(&moments[0], &Shot { size, ..shot }).unwrap();
    let within = Within { ssim: 0.993, mean: 0.45, most: 8 };
    holds("of the target", &[expected, renderer.read(&used).unwrap()], within);
}
