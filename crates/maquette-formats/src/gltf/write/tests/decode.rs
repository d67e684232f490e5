//! A GLB or a glTF with its buffer, decoded by hand.

use crate::format::{Bundle, Naming};
use serde_json::Value;

pub struct File {
    pub json: Value,
    pub bytes: Vec<u8>,
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

impl File {
    pub fn from_glb(glb: &[u8]) -> File {
        assert_eq!(&glb[..4], b"glTF");
        assert_eq!(u32_at(glb, 4), 2);
        assert_eq!(u32_at(glb, 8), glb.len());
        let json_bytes = u32_at(glb, 12);
        assert_eq!((&glb[16..20], json_bytes % 4), (&b"JSON"[..], 0));
        let json = serde_json::from_slice(&glb[20..20 + json_bytes]).unwrap();
        let rest = &glb[20 + json_bytes..];
        if rest.is_empty() {
            return File { json, bytes: Vec::new() };
        }
        assert_eq!((&rest[4..8], u32_at(rest, 0)), (&b"BIN\0"[..], rest.len() - 8));
        assert_eq!(rest.len() % 4, 0);
        File { json, bytes: rest[8..].to_vec() }
    }

    pub fn from_text(bundle: &Bundle) -> File {
        let json: Value = serde_json::from_slice(&bundle.main).unwrap();
        let bin = bundle.companions.iter().find(|(naming, _)| *naming == Naming::Extension("bin"));
        File { json, bytes: bin.map(|(_, bytes)| bytes.clone()).unwrap_or_default() }
    }

    pub fn at(&self, pointer: &str) -> &Value {
        self.json.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in {:#}", self.json))
    }

    pub fn list(&self, pointer: &str) -> &[Value] {
        self.json.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The bytes of an accessor, and its component type and count of components.
    fn raw(&self, accessor: usize) -> (&[u8], u64, usize) {
        let accessor = &self.json["accessors"][accessor];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let offset = |of: &Value| of["byteOffset"].as_u64().unwrap_or(0) as usize;
        let type_ = accessor["componentType"].as_u64().unwrap();
        let size = match type_ {
            5121 => 1,
            5123 => 2,
            5125 | 5126 => 4,
            other => panic!("{other}"),
        };
        let components = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let start = offset(view) + offset(accessor);
        let length = accessor["count"].as_u64().unwrap() as usize * components * size;
        assert!(offset(accessor) + length <= view["byteLength"].as_u64().unwrap() as usize);
        assert_eq!((start % 4, offset(view) % 4), (0, 0), "aligned");
        (&self.bytes[start..start + length], type_, components)
    }

    /// The floats of an accessor.
    pub fn floats(&self, accessor: &Value) -> Vec<f32> {
        let (bytes, type_, _) = self.raw(accessor.as_u64().unwrap() as usize);
        assert_eq!(type_, 5126);
        bytes.chunks(4).map(|chunk| f32::from_le_bytes(chunk.try_into().unwrap())).collect()
    }

    /// The floats of an accessor, element by element.
    pub fn vectors<const N: usize>(&self, accessor: &Value) -> Vec<[f32; N]> {
        assert_eq!(self.raw(accessor.as_u64().unwrap() as usize).2, N);
        self.floats(accessor).chunks(N).map(|chunk| chunk.try_into().unwrap()).collect()
    }

    /// The integers of an accessor, and its component type.
    pub fn integers(&self, accessor: &Value) -> (Vec<u32>, u64) {
        let (bytes, type_, _) = self.raw(accessor.as_u64().unwrap() as usize);
        let integers = match type_ {
            5121 => bytes.iter().map(|&byte| u32::from(byte)).collect(),
            5123 => bytes.chunks(2).map(|chunk| u32::from(u16::from_le_bytes(chunk.try_into().unwrap()))).collect(),
            5125 => bytes.chunks(4).map(|chunk| u32::from_le_bytes(chunk.try_into().unwrap())).collect(),
            other => panic!("{other}"),
        };
        (integers, type_)
    }

    /// The accessor that something names.
    pub fn accessor(&self, accessor: &Value) -> &Value {
        &self.json["accessors"][accessor.as_u64().unwrap() as usize]
    }

    /// The view of the accessor that something names.
    pub fn view(&self, accessor: &Value) -> &Value {
        &self.json["bufferViews"][self.accessor(accessor)["bufferView"].as_u64().unwrap() as usize]
    }
}
