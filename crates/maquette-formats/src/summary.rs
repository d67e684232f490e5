//! What a file holds, in numbers: most of the fields of `maquette info --json`.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use zerocopy::little_endian::F32;

/// Counts and extents of one file, as stored.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Meshes, or parts with one material each.
    pub meshes: u64,
    /// Vertices of all meshes.
    pub vertices: u64,
    /// Indices of all meshes; 0 where vertices are drawn in order.
    pub indices: u64,
    /// Triangles drawn.
    pub triangles: u64,
    /// Line segments drawn.
    pub lines: u64,
    /// Materials.
    pub materials: u64,
    /// Textures, embedded or named.
    pub textures: u64,
    /// Nodes of a hierarchy, those left out that are joints and draw nothing.
    pub nodes: u64,
    /// Joints (bones).
    pub joints: u64,
    /// Animation clips.
    pub clips: Vec<ClipSummary>,
    /// The box around all finite vertex positions as stored, before any node or skin moves them.
    pub bounds: Option<Bounds>,
    /// How numbers are to be read where files differ.
    #[serde(serialize_with = "by_name")]
    pub conventions: Vec<Convention>,
}

/// One clip.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClipSummary {
    /// What it is called; empty where the format has no names.
    pub name: String,
    /// Its length; unknown where the rate is 0 or not a number.
    pub duration_secs: Option<f64>,
    /// Joints or nodes it has keys for, however many kinds of keys each has.
    pub tracks: u64,
    /// Keys of all kinds.
    pub keys: u64,
    /// Named moments in it.
    pub events: u64,
    /// Frames a second, where the file has frames.
    pub frame_rate: Option<f32>,
    /// How many frames, where the file has frames.
    pub frames: Option<u64>,
}

/// How the file's numbers are to be read, and how that is known.
#[derive(Clone, Debug, Serialize)]
pub struct Convention {
    /// `matrix_order`, `quaternion_order`, ..
    #[serde(skip)]
    pub name: &'static str,
    /// `column-major`, `xyzw`, ..
    pub value: String,
    /// The evidence.
    pub why: String,
}

/// Conventions as an object with a member for each.
fn by_name<S: Serializer>(conventions: &[Convention], serializer: S) -> Result<S::Ok, S::Error> {
    let sorted: BTreeMap<&str, &Convention> =
        conventions.iter().map(|convention| (convention.name, convention)).collect();
    sorted.serialize(serializer)
}

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    /// The corner with the smallest coordinates.
    pub min: [f32; 3],
    /// The corner with the largest coordinates.
    pub max: [f32; 3],
}

impl Bounds {
    /// The box around the finite ones of these points.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a [F32; 3]>) -> Option<Bounds> {
        Bounds::around(points.into_iter().map(|[x, y, z]| [x.get(), y.get(), z.get()]))
    }

    /// The same, of ordinary numbers.
    pub fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Option<Bounds> {
        let mut bounds = Bounds { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };
        for point in points {
            let [x, y, z] = point;
            if x.is_finite() & y.is_finite() & z.is_finite() {
                bounds.min = each_axis(bounds.min, point, lower);
                bounds.max = each_axis(bounds.max, point, higher);
            }
        }
        (bounds.min.first() <= bounds.max.first()).then_some(bounds)
    }

    /// The box around two boxes.
    pub fn join(self, other: Bounds) -> Bounds {
        Bounds { min: each_axis(self.min, other.min, lower), max: each_axis(self.max, other.max, higher) }
    }
}

/// Of numbers that are finite, which takes fewer instructions than of any.
#[inline]
fn lower(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

#[inline]
fn higher(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}

#[inline]
fn each_axis([a, b, c]: [f32; 3], [x, y, z]: [f32; 3], choose: fn(f32, f32) -> f32) -> [f32; 3] {
    [choose(a, x), choose(b, y), choose(c, z)]
}

/// Bytes of text as people see them; what is not UTF-8 becomes `\u{fffd}`.
pub fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
