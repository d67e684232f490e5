//! Accessors: component types, strides, sparse elements, bounds.

use super::super::accessor::{Accessors, Elements};
use super::super::buffers::{Buffers, Found};
use super::super::raw::File;
use super::with_buffer;
use crate::format::Source;
use maquette_scene::path;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Runs `look` on the first accessor of a document with these views and this accessor.
fn with<T>(views: &Value, accessor: &Value, buffer: &[u8], look: impl FnOnce(Found<Elements<'_>>) -> T) -> T {
    let document = json!({
        "asset": { "version": "2.0" }, "accessors": [accessor], "bufferViews": views,
        "buffers": [{ "byteLength": buffer.len() }],
    });
    let bytes = with_buffer(&document, buffer);
    let file = File::parse(&bytes).unwrap();
    let buffers = Buffers::of(&file, &Source::BARE);
    let accessors = Accessors::new(&file.document, &buffers, 0);
    look(accessors.elements(0))
}

fn one_view(length: usize) -> Value {
    json!([{ "buffer": 0, "byteLength": length }])
}

fn scalars(component: u32, normalized: bool, buffer: &[u8], count: usize) -> Vec<f32> {
    let accessor = json!({ "bufferView": 0, "componentType": component, "normalized": normalized, "type": "SCALAR", "count": count });
    with(&one_view(buffer.len()), &accessor, buffer, |elements| {
        elements.ok().unwrap().floats::<1>().unwrap().into_flattened()
    })
}

fn code(views: &Value, accessor: &Value, buffer: &[u8]) -> &'static str {
    with(views, accessor, buffer, |elements| elements.err().expect("an error").code.id)
}

#[test]
fn integers_stand_for_themselves_or_for_parts_of_one() {
    assert_eq!(scalars(5120, false, &[0x80, 0x7f], 2), [-128.0, 127.0]);
    assert_eq!(scalars(5120, true, &[0x80, 0x81, 0, 0x7f], 4), [-1.0, -1.0, 0.0, 1.0]);
    assert_eq!(scalars(5121, true, &[0, 51, 255], 3), [0.0, 0.2, 1.0]);
    assert_eq!(scalars(5122, true, &[0x01, 0x80, 0xff, 0x7f], 2), [-1.0, 1.0]);
    assert_eq!(scalars(5123, true, &[0xff, 0xff, 0, 0], 2), [1.0, 0.0]);
    assert_eq!(scalars(5123, false, &[0x39, 0x30], 1), [12345.0]);
    assert_eq!(scalars(5125, false, &[1, 0, 1, 0], 1), [65537.0]);
}

#[test]
fn elements_may_lie_anywhere() {
    // Two vectors of two floats, from byte 1 on, 12 bytes apart.
    let mut buffer = vec![0xee; 1];
    for value in [1.5f32, -2.0, 9.0, 3.0, 4.0] {
        buffer.extend(value.to_le_bytes());
    }
    let views = json!([{ "buffer": 0, "byteOffset": 1, "byteLength": 20, "byteStride": 12 }]);
    let accessor = json!({ "bufferView": 0, "componentType": 5126, "type": "VEC2", "count": 2 });
    let read = with(&views, &accessor, &buffer, |elements| elements.ok().unwrap().floats::<2>().unwrap());
    assert_eq!(read, [[1.5, -2.0], [3.0, 4.0]]);
}

#[test]
fn packed_elements_are_the_same_wherever_they_begin() {
    for from in 0..4 {
        let mut buffer = vec![0xee; from];
        buffer.extend([1.5f32, -2.0, 9.0, 3.0].map(f32::to_le_bytes).as_flattened());
        let views = json!([{ "buffer": 0, "byteOffset": from, "byteLength": 16 }]);
        let accessor = json!({ "bufferView": 0, "componentType": 5126, "type": "VEC2", "count": 2 });
        let read = with(&views, &accessor, &buffer, |elements| elements.ok().unwrap().floats::<2>().unwrap());
        assert_eq!(read, [[1.5, -2.0], [9.0, 3.0]], "from byte {from}");
        let mut buffer = vec![0xee; from];
        buffer.extend([1u32, 0x0102_0304, 3, u32::MAX].map(u32::to_le_bytes).as_flattened());
        let accessor = json!({ "bufferView": 0, "componentType": 5125, "type": "SCALAR", "count": 4 });
        let read = with(&views, &accessor, &buffer, |elements| elements.ok().unwrap().integers::<1>().unwrap());
        assert_eq!(read.as_flattened(), [1, 0x0102_0304, 3, u32::MAX], "from byte {from}");
    }
}

#[test]
fn sparse_elements_replace_others_or_zeros() {
    let mut buffer = vec![1, 2, 3, 4, 5, 0, 0, 0];
    buffer.extend([1, 3, 0, 0, 77, 99, 0, 0]);
    let views = json!([
        { "buffer": 0, "byteLength": 5 },
        { "buffer": 0, "byteOffset": 8, "byteLength": 2 },
        { "buffer": 0, "byteOffset": 12, "byteLength": 2 },
    ]);
    let mut accessor = json!({ "bufferView": 0, "componentType": 5121, "type": "SCALAR", "count": 5, "sparse": {
        "count": 2, "indices": { "bufferView": 1, "componentType": 5121 }, "values": { "bufferView": 2 } } });
    let read = |accessor: &Value| {
        with(&views, accessor, &buffer, |elements| elements.ok().unwrap().integers::<1>().unwrap().into_flattened())
    };
    assert_eq!(read(&accessor), [1, 77, 3, 99, 5]);
    accessor.as_object_mut().unwrap().remove("bufferView");
    assert_eq!(read(&accessor), [0, 77, 0, 99, 0]);
    accessor["count"] = json!(3);
    assert_eq!(code(&views, &accessor, &buffer), "GLTF0050", "element 3 of 3");
}

#[test]
fn without_a_view_everything_is_zero() {
    let accessor = json!({ "componentType": 5126, "type": "VEC3", "count": 2 });
    let read = with(&json!([]), &accessor, &[], |elements| elements.ok().unwrap().floats::<3>().unwrap());
    assert_eq!(read, [[0.0; 3]; 2]);
}

#[test]
fn bounds_do_not_wrap() {
    let buffer = [0; 64];
    let ask = |count: u64, offset: u64, stride: u64| {
        let views = json!([{ "buffer": 0, "byteLength": 64, "byteStride": stride }]);
        let accessor =
            json!({ "bufferView": 0, "byteOffset": offset, "componentType": 5126, "type": "VEC4", "count": count });
        code(&views, &accessor, &buffer)
    };
    assert_eq!(ask(5, 0, 16), "GLTF0048");
    assert_eq!(ask(4, 4, 16), "GLTF0048");
    assert_eq!(ask(u64::MAX, 0, 16), "GLTF0048");
    // (count - 1) · 16 + 16 is 16 modulo 2^64.
    assert_eq!(ask((1 << 60) + 1, 0, 16), "GLTF0048");
    assert_eq!(ask(2, u64::MAX - 7, 16), "GLTF0048");
    assert_eq!(ask(2, 0, 12), "GLTF0046");
    let views = json!([{ "buffer": 0, "byteOffset": u64::MAX, "byteLength": 2 }]);
    let accessor = json!({ "bufferView": 0, "componentType": 5121, "type": "SCALAR", "count": 1 });
    assert_eq!(code(&views, &accessor, &buffer), "GLTF0045");
}

#[test]
fn reading_the_same_bytes_over_and_over_ends() {
    let document = json!({ "asset": { "version": "2.0" }, "buffers": [] }).to_string();
    let file = File::parse(document.as_bytes()).unwrap();
    let buffers = Buffers::of(&file, &Source::BARE);
    let accessors = Accessors::new(&file.document, &buffers, 100);
    let at = || path!("json");
    assert!(accessors.spend(256 << 20, at).is_ok());
    assert!(accessors.spend(6400, at).is_ok());
    assert_eq!(accessors.spend(1, at).err().map(|finding| finding.code.id), Some("GLTF0024"));
    assert!(accessors.spend_for_keys((16 << 20) + 6400, at).is_ok());
    assert_eq!(accessors.spend_for_keys(1, at).err().map(|finding| finding.code.id), Some("GLTF0024"));
}

proptest! {
    #[test]
    fn strides_and_offsets_read_what_stands_there(
        buffer in prop::collection::vec(any::<u8>(), 0..200), offset in 0usize..20, stride in 6usize..30, count in 0usize..20,
    ) {
        let views = json!([{ "buffer": 0, "byteLength": buffer.len(), "byteStride": stride }]);
        let accessor = json!({ "bufferView": 0, "byteOffset": offset, "componentType": 5123, "type": "VEC3", "count": count });
        let fits = if count == 0 { offset <= buffer.len() } else { offset + (count - 1) * stride + 6 <= buffer.len() };
        with(&views, &accessor, &buffer, |elements| {
            prop_assert_eq!(elements.is_ok(), fits);
            let Ok(elements) = elements else { return Ok(()) };
            for (index, element) in elements.integers::<3>().unwrap().into_iter().enumerate() {
                for (component, value) in element.into_iter().enumerate() {
                    let at = offset + index * stride + 2 * component;
                    prop_assert_eq!(value, u32::from(buffer[at]) + 256 * u32::from(buffer[at + 1]));
                }
            }
            Ok(())
        })?;
    }
}
