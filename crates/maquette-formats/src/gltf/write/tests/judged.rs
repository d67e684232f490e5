//! Every scene of these tests as files for the Khronos validator: `cargo xtask judge` asks for them and has them judged.

use super::{BINARY, TEXT, scenes, written};
use std::path::PathBuf;

#[test]
#[ignore = "makes files for cargo xtask judge"]
fn scenes_are_written_for_the_validator() {
    let folder = PathBuf::from(std::env::var_os("MAQUETTE_JUDGE_SCENES").expect("a folder to write to"));
    for (name, make) in scenes::ALL {
        let name = name.replace(' ', "-");
        for (options, extension) in [(&BINARY, "glb"), (&TEXT, "gltf")] {
            let (bundle, _) = written(&make(), options);
            let place = folder.join(format!("{name}-{extension}"));
            // What the scene of external images names is not ours to make.
            let outside = place.join("textures");
            std::fs::create_dir_all(&outside).unwrap();
            for picture in ["brick wall.png", "wall.jpg"] {
                std::fs::write(outside.join(picture), crate::specimen::checker_png()).unwrap();
            }
            for (naming, bytes) in &bundle.companions {
                std::fs::write(place.join(naming.apply(options.name)), bytes).unwrap();
            }
            std::fs::write(place.join(format!("{name}.{extension}")), &bundle.main).unwrap();
        }
    }
}
