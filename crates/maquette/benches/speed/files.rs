//! The files that are measured: made by the writers from a scene of some size, and those of the corpus.

use crate::inputs::{glb, grid, meshes, skinned, track};
use maquette::scene::Scene;
use maquette::scene::clip::{Clip, Curve, Interpolation, Keys};
use maquette::scene::glam::Quat;
use maquette::scene::mesh::{Influences, Primitive};
use std::path::{Path, PathBuf};

const JOINTS: usize = 19;

/// A folder of files.
pub struct Files {
    folder: tempfile::TempDir,
    corpus: PathBuf,
}

impl Files {
    pub fn new() -> Files {
        let corpus = std::env::var_os("MAQUETTE_CORPUS").map(PathBuf::from);
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
        Files { folder: tempfile::tempdir().unwrap(), corpus: corpus.unwrap_or_else(beside) }
    }

    /// A GLB file of the corpus, if there is one.
    pub fn corpus(&self, name: &str) -> Option<PathBuf> {
        Some(self.corpus.join("glb").join(name).with_extension("glb")).filter(|path| path.exists())
    }

    fn keep(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// A file of this ending that takes next to no time.
    pub fn small(&self, extension: &str) -> PathBuf {
        let name = format!("small.{extension}");
        self.keep(&name, &encoded(figure(4, 2 * 3 * JOINTS), &name))
    }

    /// A figure as a file of this ending, of about so many bytes: half of them for vertices, or all for keys where the format is one of clips.
    pub fn figure(&self, extension: &str, bytes: usize) -> PathBuf {
        let least = 2_000;
        let of = |keys: usize| {
            let name = format!("figure.{extension}");
            let vertices = if matches!(extension, "pani" | "seanim") { 4 } else { keys };
            encoded(figure(vertices, keys), &name)
        };
        self.keep(&format!("{bytes}.{extension}"), &of(bytes / (of(2 * least).len() - of(least).len()) * least))
    }

    /// A figure of the weight of a small game character, with so many keys.
    pub fn keyed(&self, extension: &str, keys: usize) -> PathBuf {
        let name = format!("keys.{extension}");
        self.keep(&name, &encoded(figure(35_000, keys), &name))
    }

    /// A sheet of so many vertices, with normals and coordinates.
    pub fn sheet(&self, vertices: usize) -> PathBuf {
        self.keep("sheet.glb", &glb(meshes([grid(vertices)])))
    }

    /// A model of which every vertex breaks rules, as AEM.
    pub fn unsound(&self, vertices: usize) -> PathBuf {
        let bytes = encoded(figure(vertices, 1000), "unsound.aem");
        let mut file = maquette::formats::aem::File::parse(&bytes).unwrap();
        for (at, vertex) in file.vertices.to_mut().iter_mut().enumerate() {
            vertex.normal = [0.5, 0.1 + (at % 7) as f32, 0.0].map(Into::into);
            vertex.joint_weights = [0.7, 0.0, 0.0, 0.0].map(Into::into);
            vertex.joint_indices = [0, 1, 1, 1].map(Into::into);
        }
        self.keep("unsound.aem", &file.encode())
    }
}

fn encoded(scene: Scene, name: &str) -> Vec<u8> {
    let mut options = maquette::WriteOptions::default();
    options.fit.textures.quality = None;
    maquette::write::encode(scene, name, &options).unwrap().main.to_vec()
}

/// A sheet of so many vertices that a chain of joints moves, and a clip of so many keys.
fn figure(vertices: usize, keys: usize) -> Scene {
    let (mut scene, joints) = skinned(JOINTS, true);
    let mut sheet: Primitive = grid(vertices);
    let count = sheet.streams.len();
    let joint = |vertex: usize| (vertex * (JOINTS - 1) / count) as u32;
    sheet.streams.influences = Some(Influences {
        slots: 2,
        joints: (0..count).flat_map(|vertex| [joint(vertex), joint(vertex) + 1]).collect(),
        weights: (0..count)
            .flat_map(|vertex| [0.25 + 0.5 * (vertex % 2) as f32, 0.75 - 0.5 * (vertex % 2) as f32])
            .collect(),
    });
    scene.meshes.iter_mut().for_each(|mesh| mesh.primitives = vec![sheet.clone()]);
    let each = (keys / JOINTS / 3).max(2);
    let times_secs: Vec<f32> = (0..each).map(|key| key as f32 / 30.0).collect();
    let keyed = |value: &dyn Fn(f32) -> [f32; 3]| Keys {
        times_secs: times_secs.clone(),
        values: times_secs.iter().map(|&secs| value(secs)).collect(),
        interpolation: Interpolation::Linear,
    };
    let rotations = Keys {
        times_secs: times_secs.clone(),
        values: times_secs.iter().map(|secs| Quat::from_rotation_z(secs.sin()).to_array()).collect(),
        interpolation: Interpolation::Linear,
    };
    let curves = [
        Curve::Translation(keyed(&|secs| [secs.sin(), 0.1, 0.0])),
        Curve::Rotation(rotations),
        Curve::Scale(keyed(&|secs| [1.0 + secs.cos() / 10.0; 3])),
    ];
    let tracks = joints.iter().flat_map(|&joint| curves.iter().map(move |curve| track(joint, curve.clone()))).collect();
    scene.clips.push(Clip { name: "long".into(), duration_secs: each as f64 / 30.0, tracks, ..Clip::default() });
    scene
}
