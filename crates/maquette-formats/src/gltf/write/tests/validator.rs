//! What the Khronos validator says, where it is installed: `npm install gltf-validator` where node finds it, or in the folder
//! that `GLTF_VALIDATOR` names.

use super::{BINARY, TEXT, scenes, written};
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = r#"
const validator = require('gltf-validator'), fs = require('fs'), path = require('path');
(async () => {
  for (const file of process.argv.slice(1)) {
    const beside = uri => path.join(path.dirname(file), decodeURIComponent(uri));
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: path.basename(file), maxIssues: 100,
      externalResourceFunction: async uri => new Uint8Array(fs.readFileSync(beside(uri))),
    });
    for (const message of report.issues.messages) {
      const kind = ['error', 'warning', 'info', 'hint'][message.severity];
      console.log([kind, path.basename(file), message.code, message.pointer, message.message].join(' | '));
    }
  }
})().catch(error => { console.error(error); process.exit(1); });
"#;

fn node(arguments: &[&Path], script: &str) -> Option<String> {
    let folder = std::env::var_os("GLTF_VALIDATOR").map(PathBuf::from);
    let mut command = Command::new("node");
    if let Some(folder) = folder {
        command.env("NODE_PATH", folder.join("node_modules"));
    }
    let output = command.arg("-e").arg(script).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_validator_has_neither_errors_nor_warnings() {
    if node(&[], "require('gltf-validator')").is_none() {
        println!("skipped: node finds no gltf-validator");
        return;
    }
    let folder = std::env::temp_dir().join(format!("maquette-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    for (name, make) in scenes::ALL {
        let name = name.replace(' ', "-");
        for (options, extension) in [(&BINARY, "glb"), (&TEXT, "gltf")] {
            let (bundle, _) = written(&make(), options);
            let place = folder.join(format!("{name}-{extension}"));
            std::fs::create_dir_all(&place).unwrap();
            for (naming, bytes) in &bundle.beside {
                std::fs::write(place.join(naming.apply(options.name)), bytes).unwrap();
            }
            // What the scene of external images names is not ours to make.
            let outside = place.join("textures");
            std::fs::create_dir_all(&outside).unwrap();
            for picture in ["brick wall.png", "wall.jpg"] {
                std::fs::write(outside.join(picture), crate::specimen::checker_png()).unwrap();
            }
            let file = place.join(format!("{name}.{extension}"));
            std::fs::write(&file, &bundle.main).unwrap();
            files.push(file);
        }
    }
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let said = node(&files, SCRIPT).expect("the validator runs");
    if std::env::var_os("GLTF_VALIDATOR_SAYS").is_some() {
        println!("{said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let bad: Vec<&str> = said.lines().filter(|line| line.starts_with("error") || line.starts_with("warning")).collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
