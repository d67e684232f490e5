//! Draws a model of any format into a PNG file, to look at it.
//!
//!     cargo run --release -p maquette-render --example look -- model.glb picture.png --view iso --mode shaded --size 512
//!
//! `--clip NAME --secs 0.5` for a moment of a clip, `--yaw`, `--pitch` in degrees, `--tone-map`, `--samples 1|4|8`, `--overlays skeleton,grid,bounds,axes`, `--transparent`, `--ortho`.
//! `--times` tells where the time goes.

#![allow(clippy::print_stderr)]

use maquette_render::{Background, Framing, Mode, Overlays, Samples, Shot, Stage, StageOptions, ToneMap, View, draw};
use std::collections::HashMap;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut words: Vec<String> = Vec::new();
    let mut options: HashMap<String, String> = HashMap::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        match word.strip_prefix("--") {
            Some(flag @ ("transparent" | "ortho" | "times")) => _ = options.insert(flag.into(), String::new()),
            Some(name) => _ = options.insert(name.into(), arguments.next().unwrap_or_default()),
            None => words.push(word),
        }
    }
    let [input, output] = words.as_slice() else { return Err("look MODEL PICTURE".into()) };
    let number = |name: &str| options.get(name).and_then(|word| word.parse::<f32>().ok());
    let told = |what: &str| {
        if options.contains_key("times") {
            eprintln!("{what:>8} {:7.1} ms", start.elapsed().as_secs_f64() * 1e3);
        }
    };
    let scene = maquette::read(input)?.scene;
    told("read");
    let mode = options.get("mode").and_then(|word| Mode::from_word(word)).unwrap_or_default();
    let stage = Stage::new(&scene, &StageOptions { only: Some(mode), ..StageOptions::default() });
    told("stage");
    for missing in stage.missing() {
        eprintln!("image {:?}: {}", missing.image, missing.why);
    }
    let clip = options.get("clip").and_then(|name| scene.clips.iter().find(|clip| clip.name == *name));
    let clip = clip.or_else(|| scene.clips.iter().next().filter(|_| options.contains_key("secs")));
    let posed = stage.pose(clip.map(|clip| (clip, number("secs").unwrap_or_default())));
    told("pose");
    posed.bounds().ok_or("nothing to draw")?;
    let mut framing = Framing::default();
    if let Some(view) = options.get("view").and_then(|word| View::from_word(word)) {
        framing.view = view;
    }
    if let (Some(yaw), Some(pitch)) = (number("yaw"), number("pitch")) {
        framing.view = View::Orbit { yaw_radians: yaw.to_radians(), pitch_radians: pitch.to_radians() };
    }
    if options.contains_key("ortho") {
        framing.fov_y_radians = None;
    }
    let side = number("size").unwrap_or(512.0) as u32;
    let size = [side, side];
    let overlays = options.get("overlays").map(String::as_str).unwrap_or_default();
    let mut shot = Shot {
        size,
        camera: posed.camera(&framing, size),
        mode,
        overlays: Overlays {
            skeleton: overlays.contains("skeleton"),
            grid: overlays.contains("grid"),
            bounds: overlays.contains("bounds"),
            axes: overlays.contains("axes"),
        },
        ..Shot::default()
    };
    if let Some(tone_map) = options.get("tone-map").and_then(|word| ToneMap::from_word(word)) {
        shot.tone_map = tone_map;
    }
    if options.contains_key("transparent") {
        shot.background = Background::Transparent;
    }
    shot.samples = match options.get("samples").map(String::as_str) {
        Some("1") => Samples::One,
        Some("8") => Samples::Eight,
        _ => Samples::Four,
    };
    let picture = draw(&posed, &shot)?;
    told("draw");
    std::fs::write(output, maquette_texture::png::encode(side, side, picture.pixels()).ok_or("no picture")?)?;
    told("write");
    Ok(())
}
