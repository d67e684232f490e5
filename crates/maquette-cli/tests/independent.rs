//! A second reader, written in Python from the formats' documents and without sight of this code, must agree: on every sample,
//! and on real files where they lie beside the project. A GLB and the AEM made from it must move alike by mathematics written
//! there too. Without Python nothing is compared.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, clippy::indexing_slicing)]

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The real files, where there are any.
fn corpus() -> PathBuf {
    std::env::var_os("MAQUETTE_CORPUS").map_or_else(|| root().join("../shared/corpus"), PathBuf::from)
}

fn objects(command: &mut Command) -> Vec<Value> {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Numbers are compared to single precision, everything else exactly.
fn agree(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|number| number.as_f64().unwrap());
            (a - b).abs() <= 1e-6 * a.abs().max(b.abs())
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agree(a, b)))
        }
        (a, b) => a == b,
    }
}

fn compare(files: &[PathBuf], dialect: Option<&str>) {
    let mut second = Command::new("python3");
    second.arg(root().join("tests/independent/read.py"));
    if let Some(dialect) = dialect {
        second.args(["--dialect", dialect]);
    }
    let theirs = objects(second.args(files));
    let ours = objects(Command::new(env!("CARGO_BIN_EXE_maquette")).args(["info", "--json"]).args(files));
    assert_eq!((ours.len(), theirs.len()), (files.len(), files.len()));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        for (field, value) in theirs.as_object().unwrap() {
            let mine = &as_much_as(value, ours.get(field).unwrap_or(&Value::Null));
            assert!(agree(mine, value), "{}: {field} is {mine} here and {value} there", ours.get("file").unwrap());
        }
    }
}

/// What one value says of what the other does: of objects the same members, item by item of lists.
fn as_much_as(theirs: &Value, ours: &Value) -> Value {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => ours
            .iter()
            .filter(|(key, _)| theirs.contains_key(*key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        (Value::Array(theirs), Value::Array(ours)) if theirs.len() == ours.len() => {
            theirs.iter().zip(ours).map(|(theirs, ours)| as_much_as(theirs, ours)).collect()
        }
        _ => ours.clone(),
    }
}

/// Whether the second reader reads this format; glTF has judges of its own.
fn is_known(format: &str) -> bool {
    format != "gltf"
}

fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("no python3: nothing is compared");
    }
    found
}

#[test]
fn samples_are_read_alike() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for format in
        maquette::list::formats(maquette::formats::format::BUILT_IN).into_iter().filter(|format| is_known(format.id))
    {
        for dialect in format.dialects {
            let path = folder.path().join(format!("{}.{}", dialect.id, format.id));
            std::fs::write(&path, maquette::sample::make(format.id, Some(dialect.id)).unwrap().main).unwrap();
            compare(std::slice::from_ref(&path), Some(dialect.id));
            compare(&[path], None);
        }
    }
}

#[test]
fn real_files_are_read_alike() {
    fn find(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                find(&path, found);
            } else if maquette::formats::format::BUILT_IN
                .by_extension(&extension)
                .is_some_and(|format| is_known(format.id))
            {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    find(&corpus(), &mut files);
    if has_python() && !files.is_empty() {
        compare(&files, None);
    }
}

/// How far apart a GLB and the AEM made from it may be drawn, as a part of the model's size.
const BAR: f64 = 1e-4;

fn to_aem(glb: &Path, folder: &Path) -> PathBuf {
    let aem = folder.join(glb.file_stem().unwrap()).with_extension("aem");
    // Textures do not move: they are kept as small as can be.
    let options = ["--textures", "none", "--max-size", "4"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_maquette")).arg("convert").args([glb, &aem]).args(options).output().unwrap();
    assert!(output.status.success(), "{}: {}", glb.display(), String::from_utf8_lossy(&output.stderr));
    aem
}

fn sample_glb(folder: &Path) -> PathBuf {
    let path = folder.join("sample.glb");
    std::fs::write(&path, maquette::sample::make("gltf", None).unwrap().main).unwrap();
    path
}

/// What the second reader says of each pair of a GLB and an AEM.
fn movements(pairs: &[(PathBuf, PathBuf)]) -> Vec<Value> {
    let mut judge = Command::new("python3");
    judge.arg(root().join("tests/independent/move.py")).args(pairs.iter().flat_map(|(glb, aem)| [glb, aem]));
    let models = objects(&mut judge);
    assert_eq!(models.len(), pairs.len());
    models
}

fn clips(model: &Value) -> &[Value] {
    model["clips"].as_array().unwrap()
}

fn distance(clip: &Value) -> f64 {
    clip["distance"].as_f64().unwrap()
}

fn assert_moves_alike(model: &Value) {
    for clip in clips(model) {
        assert!(distance(clip) <= BAR, "{}: {clip}", model["glb"]);
        if let (Some(ours), Some(theirs)) = (clip.get("duration"), clip.get("duration_in_aem")) {
            assert!(agree(ours, theirs), "{}: {clip}", model["glb"]);
        }
    }
}

#[test]
fn the_sample_moves_alike_as_aem() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let glb = sample_glb(folder.path());
    let aem = to_aem(&glb, folder.path());
    let models = movements(&[(glb, aem)]);
    assert_eq!(clips(&models[0]).iter().map(|clip| clip["name"].clone()).collect::<Vec<_>>(), [json!("sway")]);
    assert_moves_alike(&models[0]);
}

#[test]
fn a_wrong_key_is_seen_to_move_otherwise() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let glb = sample_glb(folder.path());
    let aem = to_aem(&glb, folder.path());
    let mut bytes = std::fs::read(&aem).unwrap();
    // The file ends with a key of the last joint's scale: time, x, y, z, w.
    let x = bytes.len() - 16;
    bytes[x..x + 4].copy_from_slice(&1.5f32.to_le_bytes());
    std::fs::write(&aem, bytes).unwrap();
    let models = movements(&[(glb, aem)]);
    assert!(clips(&models[0]).iter().any(|clip| distance(clip) > 10.0 * BAR), "{}", models[0]);
}

#[test]
fn real_models_move_alike_as_aem() {
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(corpus().join("glb")).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "glb"));
    files.sort();
    if files.is_empty() || !has_python() {
        return;
    }
    let pairs: Vec<_> = files.into_iter().map(|glb| (glb.clone(), to_aem(&glb, folder.path()))).collect();
    for model in movements(&pairs) {
        assert_moves_alike(&model);
    }
}

/// A GLB put together by hand.
#[derive(Default)]
struct Glb {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Glb {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.views.push(json!({"buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len()}));
        self.binary.extend(bytes);
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let view = self.view(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
        let count = values.len() / width;
        self.accessor(json!({"bufferView": view, "componentType": 5126, "count": count, "type": kind}))
    }

    fn times(&mut self, times: &[f32]) -> usize {
        let accessor = self.floats("SCALAR", 1, times);
        self.accessors[accessor]["min"] = json!([times[0]]);
        self.accessors[accessor]["max"] = json!([times[times.len() - 1]]);
        accessor
    }

    fn bytes(mut self, mut document: Value) -> Vec<u8> {
        document["asset"] = json!({"version": "2.0"});
        document["buffers"] = json!([{"byteLength": self.binary.len()}]);
        document["bufferViews"] = json!(self.views);
        document["accessors"] = json!(self.accessors);
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let chunks: [(&[u8; 4], &mut Vec<u8>); 2] = [(b"JSON", &mut text), (b"BIN\0", &mut self.binary)];
        let mut bytes = Vec::new();
        for (kind, chunk) in chunks {
            bytes.extend((chunk.len() as u32).to_le_bytes());
            bytes.extend(kind);
            bytes.append(chunk);
        }
        let mut file = b"glTF\x02\0\0\0".to_vec();
        file.extend((bytes.len() as u32 + 12).to_le_bytes());
        file.append(&mut bytes);
        file
    }
}

/// A strip of interleaved vertices, drawn by a skin and by a node that mirrors it, below a node of unequal scale; a step, a
/// spline, straight curves from shorts and with a sparse key, and keys that do not begin at 0.
fn glb_of_everything_that_moves() -> Vec<u8> {
    let mut glb = Glb::default();
    let mut vertices = Vec::new();
    for number in 0..5u8 {
        let height = f32::from(number);
        let position = [f32::from(number % 2), height, 0.25 * height * height];
        vertices.extend(position.iter().flat_map(|value| value.to_le_bytes()));
        vertices.extend([1, 0, 0, 0]);
        vertices.extend([60 * number, 255 - 60 * number, 0, 0]);
    }
    let view = glb.view(&vertices);
    glb.views[view]["byteStride"] = json!(20);
    let position = glb.accessor(json!({"bufferView": view, "componentType": 5126, "count": 5, "type": "VEC3",
        "min": [0.0, 0.0, 0.0], "max": [1.0, 4.0, 4.0]}));
    let joints = json!({"bufferView": view, "byteOffset": 12, "componentType": 5121, "count": 5, "type": "VEC4"});
    let joints = glb.accessor(joints);
    let weights = glb.accessor(json!({"bufferView": view, "byteOffset": 16, "componentType": 5121, "normalized": true,
        "count": 5, "type": "VEC4"}));
    let bind = |y: f32| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0];
    let inverse_bind = glb.floats("MAT4", 16, &[bind(0.0), bind(-1.5)].concat());

    let late = glb.times(&[0.25, 0.75, 2.0]);
    let early = glb.times(&[0.0, 1.1, 1.9]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let spline = glb.floats(
        "VEC4",
        4,
        &[
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5, -1.0, 0.25, 0.0],
            [0.0, 1.0, 0.0, 0.5, half, 0.0, 0.0, half, -0.5, 0.0, 0.75, 0.0],
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -half, half, 0.0, 0.0, 0.0, 0.0],
        ]
        .concat(),
    );
    let step = glb.floats("VEC3", 3, &[0.0, 1.5, 0.0, 0.5, 2.0, -1.0, -0.5, 1.0, 1.0]);
    // The second goes the long way round unless its sign is turned.
    let shorts: [i16; 12] = [0, 0, 0, 32767, 0, -23170, 0, -23170, 18918, 0, 18918, 18918];
    let view = glb.view(&shorts.map(i16::to_le_bytes).concat());
    let shorts = json!({"bufferView": view, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC4"});
    let turn = glb.accessor(shorts);
    let scale = glb.floats("VEC3", 3, &[-1.0, 1.0, 1.0, 0.0, 0.0, 0.0, -0.5, 1.0, 2.0]);
    let (places, keys) = (glb.view(&[1]), glb.view(&[-2.0f32, 1.5, 0.5].map(f32::to_le_bytes).concat()));
    glb.accessors[scale]["sparse"] = json!({"count": 1, "values": {"bufferView": keys},
        "indices": {"bufferView": places, "componentType": 5121}});

    let strip = |attributes: Value| json!({"primitives": [{"mode": 5, "attributes": attributes}]});
    glb.bytes(json!({
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"translation": [1.0, 2.0, 3.0], "scale": [2.0, 1.0, 0.5], "children": [4, 3, 1]},
            {"name": "lower", "translation": [0.0, 0.5, 0.0], "children": [2]},
            {"name": "upper", "translation": [0.0, 1.5, 0.0]},
            {"mesh": 0, "skin": 0, "translation": [100.0, 0.0, 0.0]},
            {"mesh": 1, "translation": [3.0, 0.0, 0.0], "scale": [-1.0, 1.0, 1.0]},
        ],
        "meshes": [
            strip(json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights})),
            strip(json!({"POSITION": position})),
        ],
        "skins": [{"joints": [2, 1], "inverseBindMatrices": inverse_bind}],
        "animations": [{
            "name": "all",
            "samplers": [
                {"input": late, "output": spline, "interpolation": "CUBICSPLINE"},
                {"input": early, "output": step, "interpolation": "STEP"},
                {"input": late, "output": turn},
                {"input": early, "output": scale, "interpolation": "LINEAR"},
            ],
            "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 2, "path": "translation"}},
                {"sampler": 2, "target": {"node": 4, "path": "rotation"}},
                {"sampler": 3, "target": {"node": 4, "path": "scale"}},
            ],
        }],
    }))
}

#[test]
fn every_kind_of_curve_moves_alike_as_aem() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("everything.glb");
    std::fs::write(&glb, glb_of_everything_that_moves()).unwrap();
    let aem = to_aem(&glb, folder.path());
    let models = movements(&[(glb, aem)]);
    assert_eq!(clips(&models[0]).len(), 1);
    assert_moves_alike(&models[0]);
}
