//! What Blender makes of GLB files that were made from every format.
//!
//! Its importer shares nothing with this project. It has to draw as many meshes, vertices and triangles as the source, and to have an action for
//! each clip that moves something. Joints have to be bones of an armature: a clip that comes alone has nothing else to be seen.

use crate::bench::{Bench, format_of, sources, workspace};
use maquette::scene::mesh::Topology;
use maquette::scene::{Handle, Scene};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

/// What is counted in a file.
#[derive(Debug, Deserialize, PartialEq)]
struct Counts {
    meshes: usize,
    vertices: usize,
    triangles: usize,
    bones: usize,
    actions: usize,
}

/// What a scene should look like there.
fn counts(scene: &Scene) -> Counts {
    let (mut meshes, mut vertices, mut triangles) = (0, 0, 0);
    for node in scene.nodes_parents_first().into_iter().filter_map(|node| scene.nodes.get(node)) {
        let Some(mesh) = node.mesh.and_then(|mesh| scene.meshes.get(mesh)) else { continue };
        let drawn = || mesh.primitives.iter().filter(|primitive| !primitive.indices.is_empty());
        meshes += usize::from(drawn().next().is_some());
        for primitive in drawn() {
            // What no face uses is not imported.
            vertices += primitive.indices.iter().collect::<BTreeSet<_>>().len();
            triangles += match primitive.topology {
                Topology::Triangles => primitive.indices.len() / 3,
                Topology::Lines => 0,
            };
        }
    }
    let joints: BTreeSet<Handle<_>> = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
    let moves = |clip: &&maquette::scene::clip::Clip| !clip.tracks.is_empty();
    Counts { meshes, vertices, triangles, bones: joints.len(), actions: scene.clips.iter().filter(moves).count() }
}

fn seen_by_blender(files: &[PathBuf]) -> Vec<Counts> {
    let python = std::env::var_os("MAQUETTE_BLENDER").expect("the Python that has bpy");
    let script = workspace().join("tests/judge/blender.py");
    let output = Command::new(python).arg(script).args(files).output().expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    // Blender itself has words to say, about pictures that are not there.
    let lines = said.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))).collect()
}

#[test]
#[ignore = "needs Blender: cargo xtask judge --blender"]
fn blender_sees_what_the_sources_hold() {
    let mut bench = Bench::new(workspace().join("target/judge/imported"));
    let sources = sources(&mut bench);
    let made: Vec<(PathBuf, PathBuf)> = sources
        .into_iter()
        .filter_map(|source| bench.convert(&source, "glb").map(|(made, _)| (source, made)))
        .collect();
    let files: Vec<PathBuf> = made.iter().map(|(_, made)| made.clone()).collect();
    let seen = seen_by_blender(&files);
    assert_eq!(seen.len(), made.len());
    let mut bad = Vec::new();
    let mut clips_alone = BTreeSet::new();
    for ((source, made), seen) in made.iter().zip(seen) {
        let [before, after] = [source, made].map(|path| maquette::read(path).unwrap().scene);
        let is_alone = before.meshes.is_empty() && before.clips.iter().any(|clip| !clip.tracks.is_empty());
        if is_alone {
            clips_alone.insert(format_of(source).map_or("", |format| format.id));
        }
        // Nodes between joints are bones too.
        let bones = counts(&after).bones;
        let expected = Counts { bones: if is_alone { bones.max(1) } else { bones.max(seen.bones) }, ..counts(&before) };
        if seen != expected || (bones == 0) != (seen.bones == 0) {
            bad.push(format!("{}: {expected:?}, but Blender has {seen:?}", source.display()));
        }
    }
    println!("{} files imported", made.len());
    for line in &bench.refused {
        println!("not converted: {line}");
    }
    assert!(clips_alone.is_superset(&BTreeSet::from(["pani", "seanim"])), "{clips_alone:?}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
