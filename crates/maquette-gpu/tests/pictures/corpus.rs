//! Real files.

use crate::hold::{Within, holds, renderer, taken};
use crate::needs;
use maquette_render::{Framing, Mode, Shot, Stage, StageOptions, draw};

/// How large pictures of them are.
const SIZE: [u32; 2] = [256, 256];

/// Triangles smaller than pixels, which the software renderer shades as one surface, are most of what differs.
const OF_FILES: Within = Within { ssim: 0.997, mean: 0.4, most: 8 };

#[test]
fn real_files_look_the_same() {
    let (Some(corpus), Some(renderer)) = (needs::corpus(), renderer()) else { return };
    let mut files: Vec<_> = std::fs::read_dir(corpus.join("glb")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let scene = maquette::read(&file).unwrap().scene;
        let stage = Stage::new(&scene, &StageOptions::default());
        let clip = scene.clips.iter().next();
        let posed = stage.pose(clip.map(|clip| (clip, clip.duration_secs as f32 * 0.3)));
        let model = renderer.load(&stage);
        let pose = renderer.pose(&model, &posed);
        let camera = posed.camera(&Framing::default(), SIZE);
        for mode in [Mode::Shaded, Mode::NormalMap] {
            let shot = Shot { size: SIZE, camera, mode, ..Shot::default() };
            let pictures = [draw(&posed, &shot).unwrap(), taken(renderer, &model, &pose, &shot)];
            holds(&format!("{name}-{}", mode.word()), &pictures, OF_FILES);
        }
    }
}
