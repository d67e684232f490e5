//! For each glTF code, the smallest change to the specimen that raises it.

use super::check::*;
use super::raw::{BIN, Chunk, Dialect, File};
use super::sample::{attribute, bundle, model};
use super::schema::{Accessor, Buffer, Document, Node, Sparse, SparseIndices, SparseValues};
use crate::faults;
use crate::format::Bundle;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The specimen with another document.
fn with(change: fn(&mut Document)) -> Bundle {
    with_dialect(Dialect::Binary, change)
}

fn with_dialect(dialect: Dialect, change: fn(&mut Document)) -> Bundle {
    let mut file = model(dialect);
    change(&mut file.document);
    file.rewrite_json();
    bundle(file)
}

/// The specimen with other chunks.
fn with_chunks(change: fn(&mut File<'_>)) -> Bundle {
    let mut file = model(Dialect::Binary);
    change(&mut file);
    bundle(file)
}

/// The specimen with the data of an attribute overwritten from its first byte on.
fn with_data(name: &'static str, bytes: &[u8]) -> Bundle {
    let mut file = model(Dialect::Binary);
    let accessor = attribute(&file.document, name);
    overwrite(&mut file, accessor, bytes);
    bundle(file)
}

/// The specimen with the data of the accessor that `of` gives overwritten from its first byte on.
fn with_accessor(of: fn(&Document) -> Option<usize>, bytes: &[u8]) -> Bundle {
    let mut file = model(Dialect::Binary);
    let accessor = of(&file.document).unwrap_or(0);
    overwrite(&mut file, accessor, bytes);
    bundle(file)
}

fn overwrite(file: &mut File<'_>, accessor: usize, bytes: &[u8]) {
    let view = file.document.accessors.get(accessor).and_then(|accessor| accessor.buffer_view);
    let view = view.and_then(|view| file.document.buffer_views.get(view));
    let from = view.and_then(|view| view.byte_offset).unwrap_or(0);
    let data = file.chunks.first_mut().map(|chunk| chunk.data.to_mut());
    if let Some(overwritten) = data.and_then(|data| data.get_mut(from..from + bytes.len())) {
        overwritten.copy_from_slice(bytes);
    }
}

/// The specimen's bytes with one thing changed.
fn with_bytes(change: fn(&mut Vec<u8>)) -> Bundle {
    let mut bytes = model(Dialect::Binary).encode();
    change(&mut bytes);
    bytes.into()
}

/// A text file of these bytes.
fn text(bytes: &[u8]) -> Bundle {
    bytes.to_vec().into()
}

/// Changes the item of a list, if it is there.
fn at<T>(list: &mut [T], index: usize, change: impl FnOnce(&mut T)) {
    if let Some(item) = list.get_mut(index) {
        change(item);
    }
}

fn attributes(document: &mut Document, change: impl FnOnce(&mut Map<String, Value>)) {
    at(&mut document.meshes, 0, |mesh| at(&mut mesh.primitives, 0, |primitive| change(&mut primitive.attributes)));
}

fn accessor(document: &mut Document, name: &str, change: impl FnOnce(&mut Accessor)) {
    let index = attribute(document, name);
    at(&mut document.accessors, index, change);
}

/// The accessor of the matrices of the first skin.
fn matrices(document: &Document) -> Option<usize> {
    document.skins.first()?.inverse_bind_matrices
}

/// The accessor of the key times.
fn times(document: &Document) -> Option<usize> {
    Some(document.animations.first()?.samplers.first()?.input)
}

/// The accessor of the last rotations.
fn rotations(document: &Document) -> Option<usize> {
    Some(document.animations.first()?.samplers.last()?.output)
}

/// Two elements that a sparse accessor changes, the second before the first.
fn falling() -> Sparse {
    let indices =
        SparseIndices { buffer_view: 0, byte_offset: Some(2), component_type: 5123, ..SparseIndices::default() };
    let values = SparseValues { buffer_view: 1, ..SparseValues::default() };
    Sparse { count: 5, indices, values, ..Sparse::default() }
}

const NAN: [u8; 4] = f32::NAN.to_le_bytes();
const TWO: [u8; 4] = 2f32.to_le_bytes();
/// A quarter turn as people write it by hand: 0.00015 short of unit length.
const QUARTER_TURN: [f32; 4] = [0.707, 0.0, 0.0, 0.707];

faults! {
    BAD_MAGIC: with_bytes(|bytes| bytes.splice(..4, *b"GLTF").for_each(drop));
    UNSUPPORTED_VERSION: with_bytes(|bytes| bytes.splice(4..5, [1]).for_each(drop));
    TRUNCATED: with_bytes(|bytes| bytes.truncate(bytes.len() - 1));
    LENGTH_MISMATCH: with_chunks(|file| file.length = Some(1 << 20));
    TRAILING_BYTES: with_chunks(|file| file.trailing = Cow::Borrowed(b"more"));
    CHUNK_FIRST: with_bytes(|bytes| bytes.splice(16..20, *b"BIN\0").for_each(drop));
    CHUNK_ORDER: with_chunks(|file| file.chunks.insert(0, Chunk { kind: 7, data: Cow::Borrowed(&[]) }));
    CHUNK_ALIGNMENT: with_chunks(|file| file.chunks.push(Chunk { kind: 7, data: Cow::Borrowed(b"odd") }));
    CHUNK_UNKNOWN: with_chunks(|file| file.chunks.push(Chunk { kind: 7, data: Cow::Borrowed(b"even") }));
    CHUNK_REPEATED: with_chunks(|file| file.chunks.push(Chunk { kind: BIN, data: Cow::Borrowed(b"even") }));

    JSON_NOT_UTF8: with_chunks(|file| { if let Some(byte) = file.json.to_mut().get_mut(30) { *byte = 0xff } });
    JSON_BOM: text(b"\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"}}");
    JSON_SYNTAX: text(b"{\"asset\":{\"version\":\"2.0\"},}");
    JSON_TYPE: text(b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":\"first\"}]}");
    TOO_MANY_ITEMS: with(|document| accessor(document, "NORMAL", |accessor| {
        accessor.buffer_view = None;
        accessor.count = 4_000_000_000;
    }));
    ASSET_VERSION: text(b"{\"asset\":{\"version\":\"1.0\"},\"nodes\":{}}");
    ASSET_MISSING: text(b"{\"nodes\":[]}");
    JSON_PADDING: with_chunks(|file| file.json.to_mut().extend([0; 4]));
    EXTENSION_REQUIRED: with(|document| {
        document.extensions_used = vec!["KHR_draco_mesh_compression".into()];
        document.extensions_required = document.extensions_used.clone();
    });
    EXTENSION_UNKNOWN: with(|document| document.extensions_used = vec!["ACME_sparkle".into()]);
    EXTENSION_UNLISTED: with(|document| at(&mut document.nodes, 0, |node| {
        node.extensions = Some(Map::from_iter([("ACME_sparkle".into(), Value::Null)]));
    }));

    REFERENCE: with(|document| at(&mut document.nodes, 0, |node| node.mesh = Some(1)));
    VALUE_UNKNOWN: with(|document| at(&mut document.samplers, 0, |sampler| sampler.wrap_s = Some(1)));
    BUFFER_MISSING: with_dialect(Dialect::Text, |document| {
        at(&mut document.buffers, 0, |buffer| buffer.uri = Some("elsewhere.bin".into()));
    });
    BUFFER_SHORT: with(|document| at(&mut document.buffers, 0, |buffer| buffer.byte_length += 1));
    DATA_URI: with_dialect(Dialect::Text, |document| {
        at(&mut document.buffers, 0, |buffer| buffer.uri = Some("data:;base64,????".into()));
    });
    VIEW_BOUNDS: with(|document| at(&mut document.buffer_views, 1, |view| view.byte_length = 1 << 20));
    STRIDE: with(|document| at(&mut document.buffer_views, 1, |view| view.byte_stride = Some(4)));
    ACCESSOR_TYPE: with(|document| accessor(document, "NORMAL", |accessor| accessor.component_type = 5124));
    ACCESSOR_BOUNDS: with(|document| accessor(document, "NORMAL", |accessor| accessor.count += 1));
    ACCESSOR_ALIGNMENT: with(|document| accessor(document, "NORMAL", |accessor| {
        accessor.byte_offset = Some(2);
        accessor.count -= 1;
    }));
    SPARSE_INDICES: with(|document| accessor(document, "NORMAL", |accessor| accessor.sparse = Some(falling().into())));
    BOUNDS_MISSING: with(|document| accessor(document, "POSITION", |accessor| accessor.min = None));
    BOUNDS_WRONG: with(|document| accessor(document, "POSITION", |accessor| accessor.max = Some(vec![9.0; 3])));
    NOT_FINITE: with_data("POSITION", &NAN);
    COMPRESSION: with(|document| {
        document.extensions_used.push("EXT_meshopt_compression".into());
        document.buffers.push(Buffer { byte_length: 1 << 16, ..Buffer::default() });
        at(&mut document.buffer_views, 0, |view| {
            let stored = serde_json::json!({
                "buffer": 0, "byteLength": view.byte_length, "byteStride": 4, "count": view.byte_length / 4, "mode": "ATTRIBUTES",
            });
            view.extensions = Some(Map::from_iter([("EXT_meshopt_compression".to_owned(), stored)]));
            (view.buffer, view.byte_offset) = (1, None);
        });
    });
    IMAGE_MISSING: with_dialect(Dialect::Text, |document| {
        at(&mut document.images, 0, |image| image.uri = Some("elsewhere.png".into()));
    });
    IMAGE_KIND: with(|document| at(&mut document.images, 0, |image| image.mime_type = Some("image/jpeg".into())));
    IMAGE_SOURCE: with(|document| at(&mut document.images, 0, |image| image.mime_type = None));

    NODE_CYCLE: with(|document| at(&mut document.nodes, 3, |node| node.children = vec![1]));
    NODE_PARENTS: with(|document| at(&mut document.nodes, 1, |node| node.children = vec![2, 3]));
    ROOT_PARENT: with(|document| at(&mut document.scenes, 0, |scene| scene.nodes.push(2)));
    NODE_MATRIX_AND_TRS: with(|document| at(&mut document.nodes, 1, |node| {
        node.matrix = Some(crate::specimen::translation_matrix([0.0; 3]));
    }));
    ROTATION_NOT_UNIT: with(|document| at(&mut document.nodes, 1, |node| node.rotation = Some(QUARTER_TURN)));
    TRANSFORM_NOT_FINITE: text(b"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"scale\":[1,1e39,1]}]}");
    SKIN_UNUSED: with(|document| at(&mut document.nodes, 0, |node| node.mesh = None));
    NODE_IN_NO_SCENE: with(|document| document.nodes.push(Node::default()));
    WEIGHTS_LENGTH: with(|document| at(&mut document.meshes, 0, |mesh| mesh.weights = Some(vec![0.5])));

    ATTRIBUTE_COUNT: with(|document| accessor(document, "NORMAL", |accessor| accessor.count -= 1));
    ATTRIBUTE_TYPE: with(|document| accessor(document, "NORMAL", |accessor| accessor.kind = "VEC2".into()));
    POSITION_MISSING: with(|document| attributes(document, |attributes| drop(attributes.remove("POSITION"))));
    INDEX_OUT_OF_RANGE: with_accessor(|document| document.meshes.first()?.primitives.first()?.indices, &[28, 0]);
    INDEX_COUNT: with(|document| at(&mut document.accessors, 0, |accessor| accessor.count -= 1));
    MORPH_TARGETS: with(|document| at(&mut document.meshes, 0, |mesh| {
        mesh.primitives.extend(mesh.primitives.clone());
        at(&mut mesh.primitives, 1, |primitive| primitive.targets = vec![Map::new()]);
    }));
    NORMAL_NOT_UNIT: with_data("NORMAL", &TWO);
    WEIGHT_SUM: with_data("WEIGHTS_0", &TWO);
    JOINT_OUT_OF_RANGE: with_data("JOINTS_0", &[3]);
    TEXCOORD_MISSING: with(|document| attributes(document, |attributes| drop(attributes.remove("TEXCOORD_0"))));
    ATTRIBUTE_ALONE: with(|document| attributes(document, |attributes| drop(attributes.remove("WEIGHTS_0"))));
    MESH_EMPTY: with(|document| at(&mut document.meshes, 0, |mesh| mesh.primitives.clear()));

    SKIN_MATRICES: with(|document| {
        let matrices = matrices(document).unwrap_or(0);
        at(&mut document.accessors, matrices, |accessor| accessor.count = 2);
    });
    SKIN_MATRIX: with_accessor(matrices, &[0; 4]);
    SKIN_JOINTS: with(|document| at(&mut document.skins, 0, |skin| at(&mut skin.joints, 2, |joint| *joint = 1)));

    KEY_TIMES: with_accessor(times, &TWO);
    KEY_COUNT: with(|document| {
        let rotations = rotations(document).unwrap_or(0);
        at(&mut document.accessors, rotations, |accessor| accessor.count = 4);
    });
    CHANNEL_TWICE: with(|document| at(&mut document.animations, 0, |animation| {
        animation.channels.extend(animation.channels.clone());
    }));
    CHANNEL_TARGET: with(|document| at(&mut document.nodes, 1, |node| {
        node.translation = None;
        node.matrix = Some(crate::specimen::translation_matrix([0.0; 3]));
    }));
    CHANNEL_UNKNOWN: with(|document| at(&mut document.animations, 0, |animation| {
        at(&mut animation.channels, 0, |channel| channel.target.node = None);
    }));
    KEY_NOT_UNIT: with_accessor(rotations, QUARTER_TURN.map(f32::to_le_bytes).as_flattened());
}
