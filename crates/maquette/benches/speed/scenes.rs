//! How fast files become scenes, images untouched.
//!
//! The yardsticks are a copy of the bytes into fresh memory and, for GLB, the `gltf` crate: `Gltf::from_slice`, which parses and
//! validates the JSON and copies the binary chunk but converts nothing, and the same with every accessor that a scene is made of
//! read to the end by the crate's own readers. `MAQUETTE_BENCH_KEEP` names a folder for the files that are made here, so that other
//! programs can be measured on the same ones.

use super::{big, goes_on, median, timed};
use maquette::formats::format::{BUILT_IN, ReadOptions};
use maquette::scene::loss::LossReport;
use serde_json::{Value, json};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What makes a file.
type Make = fn() -> Vec<u8>;

/// Prints a row for each file whose name contains this.
pub fn report(asked: &str) {
    println!("files to scenes; times in milliseconds, median\n");
    println!(
        "{:<28} {:>7} {:>9} {:>9} {:>7} {:>10} {:>12} {:>7} {:>7}",
        "file", "MB", "copy", "scene", "GB/s", "gltf open", "gltf read", "/ open", "/ read"
    );
    let made: [(&str, &str, Make); 3] = [
        ("1 M vertices, 2 M triangles", "gltf", || mesh(1_000_000)),
        ("50 joints, 75 000 keys", "gltf", || animated(50, 500)),
        ("seanim, 5 M keys", "seanim", || big::make("seanim", 100_000_000).unwrap_or_default()),
    ];
    for (name, format, make) in made.iter().filter(|(name, ..)| name.contains(asked)) {
        let bytes = make();
        keep(name, format, &bytes);
        row(name, format, &bytes);
    }
    let corpus = std::env::var_os("MAQUETTE_CORPUS").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    for name in ["CesiumMan", "Fox", "RecursiveSkeletons", "DamagedHelmet"].iter().filter(|name| name.contains(asked)) {
        if let Ok(bytes) = std::fs::read(corpus.join("glb").join(name).with_extension("glb")) {
            row(name, "gltf", &bytes);
        }
    }
    println!();
}

fn keep(name: &str, format: &str, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("MAQUETTE_BENCH_KEEP") {
        let extension = if format == "gltf" { "glb" } else { format };
        std::fs::write(Path::new(&folder).join(name).with_extension(extension), bytes).unwrap();
    }
}

fn row(name: &str, format: &str, bytes: &[u8]) {
    let open = BUILT_IN.by_id(format).expect("a format").open;
    let read = |bytes| open(bytes, None).unwrap().read(&ReadOptions::default(), &mut LossReport::default()).unwrap();
    let mut times: [Vec<Duration>; 4] = Default::default();
    let began = Instant::now();
    while goes_on(began, times[0].len()) {
        times[0].push(timed(|| black_box(bytes).to_vec()));
        times[1].push(timed(|| read(black_box(bytes))));
        if format == "gltf" {
            times[2].push(timed(|| gltf::Gltf::from_slice(black_box(bytes)).unwrap()));
            times[3].push(timed(|| {
                let file = gltf::Gltf::from_slice(black_box(bytes)).unwrap();
                let read = read_all(&file);
                (file, read)
            }));
        }
    }
    let [copy, scene, open, read] = times.map(median);
    let ms = |time: Duration| format!("{:.4}", time.as_secs_f64() * 1e3);
    let gigabytes = bytes.len() as f64 / 1e9 / scene.as_secs_f64();
    let companions = |time: Duration| match time.is_zero() {
        true => "-".to_owned(),
        false => format!("{:.2}", scene.as_secs_f64() / time.as_secs_f64()),
    };
    println!(
        "{name:<28} {:>7.2} {:>9} {:>9} {gigabytes:>7.2} {:>10} {:>12} {:>7} {:>7}",
        bytes.len() as f64 / 1e6,
        ms(copy),
        ms(scene),
        ms(open),
        ms(read),
        companions(open),
        companions(read)
    );
}

/// Everything that a scene holds, in vectors, as the crate's readers give it.
type Everything =
    (Vec<Vec<[f32; 4]>>, Vec<Vec<[f32; 3]>>, Vec<Vec<[f32; 2]>>, Vec<Vec<u32>>, Vec<Vec<[u16; 4]>>, Vec<Vec<f32>>);

fn read_all(file: &gltf::Gltf) -> Everything {
    let blob = file.blob.as_deref();
    let data = |buffer: gltf::Buffer<'_>| blob.filter(|_| buffer.index() == 0);
    let mut all = Everything::default();
    for primitive in file.meshes().flat_map(|mesh| mesh.primitives().collect::<Vec<_>>()) {
        let reader = primitive.reader(data);
        all.1.extend(reader.read_positions().map(Iterator::collect));
        all.1.extend(reader.read_normals().map(Iterator::collect));
        all.0.extend(reader.read_tangents().map(Iterator::collect));
        all.2.extend(reader.read_tex_coords(0).map(|read| read.into_f32().collect()));
        all.0.extend(reader.read_colors(0).map(|read| read.into_rgba_f32().collect()));
        all.4.extend(reader.read_joints(0).map(|read| read.into_u16().collect()));
        all.0.extend(reader.read_weights(0).map(|read| read.into_f32().collect()));
        all.3.extend(reader.read_indices().map(|read| read.into_u32().collect()));
    }
    for channel in file.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(data);
        all.5.extend(reader.read_inputs().map(Iterator::collect));
        match reader.read_outputs() {
            Some(ReadOutputs::Translations(read)) => all.1.push(read.collect()),
            Some(ReadOutputs::Scales(read)) => all.1.push(read.collect()),
            Some(ReadOutputs::Rotations(read)) => all.0.push(read.into_f32().collect()),
            Some(ReadOutputs::MorphTargetWeights(read)) => all.5.push(read.into_f32().collect()),
            None => {}
        }
    }
    all
}

/// A GLB that grows accessor by accessor.
#[derive(Default)]
struct Glb {
    accessors: Vec<Value>,
    views: Vec<Value>,
    bin: Vec<u8>,
}

impl Glb {
    fn add(&mut self, kind: &str, component: u32, count: usize, bytes: Vec<u8>) -> usize {
        let floats: Vec<f32> = bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let mut accessor =
            json!({ "bufferView": self.views.len(), "componentType": component, "count": count, "type": kind });
        if component == 5126 && matches!(kind, "VEC3" | "SCALAR") {
            let width = floats.len() / count;
            let of = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..width).map(|at| floats.iter().skip(at).step_by(width).copied().reduce(pick).unwrap()).collect()
            };
            accessor["min"] = json!(of(f32::min));
            accessor["max"] = json!(of(f32::max));
        }
        self.views.push(json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() }));
        self.accessors.push(accessor);
        self.bin.extend(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, count: usize, value: impl Fn(usize) -> Vec<f32>) -> usize {
        let bytes = (0..count).flat_map(value).flat_map(f32::to_le_bytes).collect();
        self.add(kind, 5126, count, bytes)
    }

    /// A square sheet of so many vertices.
    fn sheet(&mut self, vertices: usize) -> Value {
        let side = vertices.isqrt();
        let at = move |index: usize| ((index % side) as f32 / side as f32, (index / side) as f32 / side as f32);
        let positions = self.floats("VEC3", side * side, |index| {
            let (x, y) = at(index);
            vec![x, y, (9.0 * x).sin() * (7.0 * y).cos()]
        });
        let normals = self.floats("VEC3", side * side, |_| vec![0.0, 0.0, 1.0]);
        let uvs = self.floats("VEC2", side * side, |index| vec![at(index).0, at(index).1]);
        let square = |index: usize| {
            let corner = (index / (side - 1) * side + index % (side - 1)) as u32;
            let side = side as u32;
            [corner, corner + 1, corner + side, corner + side, corner + 1, corner + side + 1]
        };
        let squares = (side - 1) * (side - 1);
        let bytes = (0..squares).flat_map(square).flat_map(u32::to_le_bytes).collect();
        let indices = self.add("SCALAR", 5125, 6 * squares, bytes);
        json!({ "attributes": { "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs }, "indices": indices })
    }

    fn finish(self, mut document: Value) -> Vec<u8> {
        document["asset"] = json!({ "version": "2.0" });
        document["accessors"] = self.accessors.into();
        document["bufferViews"] = self.views.into();
        document["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.bin.len();
        let word = |number: usize| (number as u32).to_le_bytes();
        let head = [*b"glTF", word(2), word(length), word(text.len()), *b"JSON"].concat();
        [head, text, [word(self.bin.len()), *b"BIN\0"].concat(), self.bin].concat()
    }
}

fn mesh(vertices: usize) -> Vec<u8> {
    let mut glb = Glb::default();
    let primitive = glb.sheet(vertices);
    glb.finish(
        json!({ "meshes": [{ "primitives": [primitive] }], "nodes": [{ "mesh": 0 }], "scenes": [{ "nodes": [0] }] }),
    )
}

/// A skinned sheet, and a clip with this many keys for each of three properties of each joint.
fn animated(joints: usize, keys: usize) -> Vec<u8> {
    let mut glb = Glb::default();
    let mut primitive = glb.sheet(10_000);
    let followed = |vertex: usize| [(vertex % joints) as u8, 0, 0, 0];
    primitive["attributes"]["JOINTS_0"] =
        glb.add("VEC4", 5121, 10_000, (0..10_000).flat_map(followed).collect()).into();
    primitive["attributes"]["WEIGHTS_0"] = glb.floats("VEC4", 10_000, |_| vec![1.0, 0.0, 0.0, 0.0]).into();
    let mut nodes = vec![json!({ "mesh": 0, "skin": 0 })];
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for joint in 1..=joints {
        nodes.push(json!({ "name": format!("joint{joint}"), "translation": [0.0, 0.1, 0.0] }));
        let times = glb.floats("SCALAR", keys, |key| vec![key as f32 / 30.0]);
        let angle = |key: usize| key as f32 * 0.01;
        for (path, values) in [
            ("translation", glb.floats("VEC3", keys, |key| vec![angle(key), 0.1, 0.0])),
            ("rotation", glb.floats("VEC4", keys, |key| vec![angle(key).sin(), 0.0, 0.0, angle(key).cos()])),
            ("scale", glb.floats("VEC3", keys, |_| vec![1.0; 3])),
        ] {
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": joint, "path": path } }));
            samplers.push(json!({ "input": times, "output": values }));
        }
    }
    // They may be left out, and Assimp 5.2 falls over skins without.
    let identity = |_| (0..16).map(|at| f32::from(at % 5 == 0)).collect();
    let matrices = glb.floats("MAT4", joints, identity);
    let roots: Vec<usize> = (0..nodes.len()).collect();
    glb.finish(json!({
        "meshes": [{ "primitives": [primitive] }],
        "nodes": nodes,
        "scenes": [{ "nodes": roots }],
        "skins": [{ "joints": (1..=joints).collect::<Vec<_>>(), "inverseBindMatrices": matrices }],
        "animations": [{ "channels": channels, "samplers": samplers }],
    }))
}
