//! Byte-built cases: files put together by hand, with expectations that no code of ours computed.

mod accessors;
mod container;
mod extras;
mod losses;
mod materials;
mod motion;
mod rotations;
mod scene;

use super::raw::File;
use crate::format::{Bundle, Error, RawFile, ReadOptions, Resources, Result, Source};
use maquette_scene::Scene;
use maquette_scene::loss::LossReport;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A GLB of these chunks, with lengths as they are.
fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, data) in chunks {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(*kind);
        bytes.extend(*data);
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// A GLB of this JSON and this buffer.
fn with_buffer(document: &Value, buffer: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    glb(&[(b"JSON", &text), (b"BIN\0", buffer)])
}

/// Floats as a buffer stores them.
fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A document with a buffer that is a data URI, put together view by view.
struct Asset {
    document: Value,
    buffer: Vec<u8>,
}

impl Asset {
    fn new() -> Asset {
        let document = json!({ "asset": { "version": "2.0" }, "accessors": [], "bufferViews": [] });
        Asset { document, buffer: Vec::new() }
    }

    /// Adds a view; its index.
    fn view(&mut self, bytes: &[u8]) -> usize {
        let views = self.document["bufferViews"].as_array_mut().unwrap();
        views.push(json!({ "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len() }));
        self.buffer.extend(bytes);
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        views.len() - 1
    }

    /// Adds an accessor; its index.
    fn accessor(&mut self, accessor: Value) -> usize {
        let accessors = self.document["accessors"].as_array_mut().unwrap();
        accessors.push(accessor);
        accessors.len() - 1
    }

    /// Adds floats; the index of their accessor.
    fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let width = super::accessor::shape(kind).map(|(columns, rows)| columns * rows).unwrap();
        let view = self.view(&floats(values));
        self.accessor(json!({ "bufferView": view, "componentType": 5126, "type": kind, "count": values.len() / width }))
    }

    /// Adds bytes as integers of this component type.
    fn integers(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.accessor(json!({ "bufferView": view, "componentType": component, "type": kind, "count": count }))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut document = self.document.clone();
        document["buffers"] = json!([{ "byteLength": self.buffer.len() }]);
        with_buffer(&document, &self.buffer)
    }

    fn read(&self) -> Result<(Scene, LossReport)> {
        read_bytes(&self.bytes())
    }

    /// What is wrong with it: code, path and message.
    fn refused(&self) -> (String, String, String) {
        refused(&self.bytes())
    }
}

/// One triangle of three positions.
fn triangle() -> (Asset, usize) {
    let mut asset = Asset::new();
    let positions = asset.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    asset.document["meshes"] = json!([{ "primitives": [{ "attributes": { "POSITION": positions } }] }]);
    asset.document["nodes"] = json!([{ "mesh": 0 }]);
    asset.document["scenes"] = json!([{ "nodes": [0] }]);
    (asset, positions)
}

fn read_bytes(bytes: &[u8]) -> Result<(Scene, LossReport)> {
    let mut losses = LossReport::default();
    let scene = File::parse(bytes)?.read(&ReadOptions::default(), &mut losses)?;
    Ok((scene, losses))
}

fn place_of(error: &Error) -> (String, String, String) {
    let finding = error.diagnostic().expect("a finding");
    assert!(finding.offset.is_some(), "{finding}");
    (finding.code.id.into(), finding.path.to_string(), finding.to_string())
}

fn refused(bytes: &[u8]) -> (String, String, String) {
    place_of(&read_bytes(bytes).expect_err("an error"))
}

/// The losses as text.
fn shown(losses: &LossReport) -> Vec<String> {
    losses.losses().iter().map(ToString::to_string).collect()
}

/// The companion files of a bundle, by name.
struct Folder(Vec<(String, Vec<u8>)>);

impl Folder {
    fn of(bundle: &Bundle) -> Folder {
        Folder(bundle.companions.iter().map(|(naming, bytes)| (naming.apply("model.gltf"), bytes.clone())).collect())
    }
}

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
    }
}

fn read_companions(bytes: &[u8], folder: &Folder) -> Result<(Scene, LossReport)> {
    let mut losses = LossReport::default();
    let source = Source { name: "model.gltf", resources: folder, ..Source::BARE };
    let scene = File::parse(bytes)?.read(&ReadOptions { source, ..ReadOptions::default() }, &mut losses)?;
    Ok((scene, losses))
}
