//! Every drawn vertex of a model at moments of its clips, as JSON: what `tests/judge/blender.py --poses` prints, by our own yardstick.
//!
//!     cargo run --example poses -- 5 model.glb

use maquette::Error;
use maquette::scene::pose;
use std::path::PathBuf;

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let usage = || Error::Usage("say how many moments, and of which file".into());
    let moments: u16 = arguments.next().and_then(|word| word.parse().ok()).ok_or_else(usage)?;
    let path = PathBuf::from(arguments.next().ok_or_else(usage)?);
    let scene = maquette::read(path)?.scene;
    for clip in scene.clips.iter() {
        for moment in 0..moments {
            let secs = clip.duration_secs as f32 * f32::from(moment) / f32::from(moments.saturating_sub(1).max(1));
            let points: Vec<[f32; 3]> =
                pose::positions_at(&scene, clip, secs).iter().map(|point| point.to_array()).collect();
            #[allow(clippy::print_stdout)]
            {
                println!("{}", serde_json::json!({ "action": clip.name, "secs": secs, "points": points }));
            }
        }
    }
    Ok(())
}
